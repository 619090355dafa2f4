#include "core/output/gaps_output.h"
#include "core/output/json_writer.h"
#include "core/output/summary_output.h"

#include <algorithm>
#include <utility>

namespace lacuna {

namespace {

// Members of an object in the order of their names; zero is left out where the set of names is open.
void writeNamed(JsonWriter& json, std::string_view member,
                std::vector<std::pair<std::string_view, std::int64_t>> values, bool keepZero) {
    std::sort(values.begin(), values.end());
    json.key(member);
    json.beginObject();
    for (const auto& [name, value] : values)
        if (keepZero || value != 0)
            json.member(name, value);
    json.endObject();
}

template <class T>
void writeCauses(JsonWriter& json, std::string_view member, const std::array<T, kGapCauses>& byCause) {
    std::vector<std::pair<std::string_view, std::int64_t>> values;
    for (std::size_t c = 0; c < kGapCauses; ++c)
        values.emplace_back(causeName(static_cast<GapCause>(c)), byCause[c]);
    writeNamed(json, member, std::move(values), false);
}

void writeParts(JsonWriter& json, std::span<const GapPart> parts) {
    std::array<std::int64_t, kGapCauses> byCause{};
    for (const GapPart& part : parts)
        byCause[static_cast<std::size_t>(part.cause)] += part.ns;
    writeCauses(json, "parts_ns", byCause);
}

// A host row with what is around it. The caller writes the members that some roles have in addition.
class PlaceWriter {
public:
    PlaceWriter(JsonWriter& json, const Trace& trace) : m_json(json), m_trace(trace) {}

    void write(std::string_view member, const HostPlace& place, std::string_view role,
               const Gap* drained = nullptr, std::int64_t syncPartNs = 0) {
        m_json.key(member);
        if (!place.event) {
            m_json.null();
            return;
        }
        m_json.beginObject();
        m_json.member("end_ns", m_trace.events().endNs[place.event.v]);
        if (drained != nullptr)
            m_json.member("lost_run_ahead_ns", drained->lostRunAheadNs);
        m_json.member("name", place.name);
        m_json.textMember("operator",
                          place.operatorEvent ? m_trace.nameOf(place.operatorEvent) : std::string_view{});
        m_json.key("ranges");
        m_json.beginArray();
        for (const EventId range : place.ranges)
            m_json.value(m_trace.nameOf(range));
        m_json.endArray();
        if (!role.empty())
            m_json.member("role", role);
        m_json.member("start_ns", m_trace.events().beginNs[place.event.v]);
        if (drained != nullptr)
            m_json.member("sync_part_ns", syncPartNs);
        writeThread(place.thread);
        m_json.endObject();
    }

    void writeThread(ThreadId thread) {
        m_json.textMember("thread", thread ? m_trace.threadTitle(thread) : std::string());
    }

    void writeOperation(EventId operation) {
        m_json.beginObject();
        m_json.member("end_ns", m_trace.events().endNs[operation.v]);
        m_json.member("name", m_trace.nameOf(operation));
        m_json.member("start_ns", m_trace.events().beginNs[operation.v]);
        m_json.member("stream", m_trace.lane(m_trace.laneOf(operation)).sourceId);
        m_json.endObject();
    }

private:
    JsonWriter& m_json;
    const Trace& m_trace;
};

void writeNotes(JsonWriter& json, std::string_view member, std::span<const GapNote> notes) {
    json.key(member);
    json.beginArray();
    for (const GapNote& note : notes) {
        json.beginObject();
        json.member("code", note.code);
        json.member("ns", note.ns);
        json.member("text", note.text);
        json.endObject();
    }
    json.endArray();
}

void writeCuts(JsonWriter& json, const ListedGap& listed) {
    const GapCuts cuts = cutsOf(listed);
    json.key("cuts_ns");
    json.beginObject();
    json.member("after", cuts.afterNs);
    json.member("before", cuts.beforeNs);
    json.member("inside", cuts.insideNs);
    json.member("unknown", cuts.unknownNs);
    json.endObject();
}

void writePieces(JsonWriter& json, PlaceWriter& places, std::span<const GapPiece> pieces) {
    json.key("pieces");
    json.beginArray();
    for (const GapPiece& piece : pieces) {
        json.beginObject();
        json.member("class", segmentName(piece.cls));
        json.member("end_ns", piece.range.end.v);
        json.textMember("name", piece.name);
        json.member("start_ns", piece.range.begin.v);
        places.writeThread(piece.thread);
        json.endObject();
    }
    json.endArray();
}

// The other thread of a hand-off with the row that held it, where that is known.
void writeVia(JsonWriter& json, PlaceWriter& places, const Gap& gap, const GapStory& story) {
    if (gap.viaThread && story.heldBy.event && story.heldBy.thread == gap.viaThread) {
        places.write("via_thread", story.heldBy, "held_by");
        return;
    }
    json.key("via_thread");
    if (!gap.viaThread) {
        json.null();
        return;
    }
    json.beginObject();
    json.nullMember("end_ns");
    json.nullMember("name");
    json.nullMember("operator");
    json.key("ranges");
    json.beginArray();
    json.endArray();
    json.member("role", "held_by");
    json.nullMember("start_ns");
    places.writeThread(gap.viaThread);
    json.endObject();
}

void writeGap(JsonWriter& json, const GapsReport& report, const ListedGap& listed) {
    const Gap& gap = *listed.gap;
    const GapStory story = storyOf(report, listed);
    PlaceWriter places(json, report.analysis->trace());
    json.beginObject();
    writeNotes(json, "against", story.against);
    places.write("blocking_call", story.blocking, roleName(gap.role));
    json.member("bound_ns", std::min(gap.boundNs, listed.range.length().v));
    json.member("cause", causeName(gap.cause));
    json.member("class", className(classOf(gap.cause)));
    json.member("confidence", confidenceName(gap.confidence));
    writeCuts(json, listed);
    places.write("drained_by", story.drainedBy, "drained_by", &gap, syncPartOf(gap, story));
    json.member("end_ns", listed.range.end.v);
    writeNotes(json, "evidence", story.evidence);
    places.write("held_by", story.heldBy, "held_by");
    places.write("launch", story.launch, {});
    json.key("next");
    places.writeOperation(gap.next);
    writeParts(json, story.parts);
    writePieces(json, places, story.pieces);
    json.key("previous");
    json.beginArray();
    for (const EventId operation : story.previous)
        places.writeOperation(operation);
    json.endArray();
    json.member("rank", listed.rank);
    json.member("start_ns", listed.range.begin.v);
    json.member("verdict", story.verdict);
    writeVia(json, places, gap, story);
    json.endObject();
}

void writeDrainingWaits(JsonWriter& json, const DeviceGaps& device) {
    json.key("draining_wait");
    json.beginArray();
    for (std::size_t i = 0; i < device.totals.drainingWaits.size(); ++i) {
        const DrainingWait& wait = device.totals.drainingWaits[i];
        const DrainSaving saving = i < device.savings.size() ? device.savings[i] : DrainSaving{};
        json.beginObject();
        json.member("api", wait.api);
        json.member("gap_ns", wait.gapNs);
        json.member("gaps", wait.gaps);
        json.textMember("operator", wait.operatorName);
        json.textMember("range", wait.range);
        json.member("replay_saving_ns", saving.ns);
        if (!saving.unknown.empty())
            json.member("replay_unknown", saving.unknown);
        json.member("sync_part_ns", wait.syncPartNs);
        json.endObject();
    }
    json.endArray();
}

void writeGroups(JsonWriter& json, std::span<const GroupRow> groups) {
    json.key("groups");
    json.beginArray();
    for (const GroupRow& group : groups) {
        json.beginObject();
        json.member("bound_ns", group.boundNs);
        json.member("cause", causeName(group.cause));
        json.member("class", className(classOf(group.cause)));
        json.member("count", group.count);
        json.member("total_ns", group.totalNs);
        json.member("where", group.where);
        json.member("worst_start_ns", group.worst.range.begin.v);
        json.endObject();
    }
    json.endArray();
}

void writeSegments(JsonWriter& json, const GapTotals& totals) {
    std::vector<std::pair<std::string_view, std::int64_t>> segments;
    for (std::size_t c = 0; c < kPieceClasses; ++c)
        segments.emplace_back(segmentName(static_cast<PieceClass>(c)), totals.segmentNs[c]);
    writeNamed(json, "segments_ns", std::move(segments), true);
}

void writeDevice(JsonWriter& json, const GapsReport& report, const DeviceGaps& device, JobControl& job) {
    const Trace& trace = report.analysis->trace();
    json.beginObject();
    writeCauses(json, "cause_gaps", device.totals.causeGaps);
    writeCauses(json, "cause_ns", device.totals.causeNs);
    json.member("device", trace.devices()[device.device.v].ordinal);
    writeDrainingWaits(json, device);
    json.key("edges_ns");
    json.beginObject();
    json.member("end", device.totals.edgeEndNs);
    json.member("start", device.totals.edgeStartNs);
    json.endObject();
    json.member("gaps", device.totals.gaps);
    writeGroups(json, device.groups);
    json.member("idle_ns", device.totals.idleNs);
    json.key("list");
    json.beginArray();
    for (const ListedGap& listed : device.list) {
        if (job.cancelled())
            break;
        writeGap(json, report, listed);
    }
    json.endArray();
    writeCauses(json, "parts_ns", device.totals.partNs);
    json.member("process", processOf(trace, device.device));
    writeSegments(json, device.totals);
    if (report.query.stream)
        json.member("stream", *report.query.stream);
    json.endObject();
}

} // namespace

void writeGapsJson(const GapsReport& report, TextSink& sink, JobControl& job) {
    JsonWriter json(sink);
    json.beginObject();
    json.key("devices");
    json.beginArray();
    for (const DeviceGaps& device : report.devices)
        writeDevice(json, report, device, job);
    json.endArray();
    writeFileMember(json, report.analysis->trace().facts(), report.sha256);
    json.endObject();
}

} // namespace lacuna
