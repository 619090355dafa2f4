#include "tests/support/round_trip.h"

#include "core/import/load_trace.h"
#include "core/output/chrome_writer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace lacuna::test {

namespace {

bool isIn(const std::optional<TimeRange>& cut, std::int64_t begin, std::int64_t end) {
    if (!cut)
        return true;
    const std::int64_t a = cut->begin.v, b = cut->end.v;
    return begin == end ? a <= begin && begin < b : begin < b && end > a;
}

std::string processText(const Trace& trace, ProcessId id) {
    if (!id)
        return "-";
    const Process& process = trace.processes()[id.v];
    return process.idText + "(" + process.name + ")";
}

std::string deviceText(const Trace& trace, DeviceId id) {
    if (!id)
        return "-";
    const Device& device = trace.devices()[id.v];
    return processText(trace, device.process) + ":" + std::to_string(device.ordinal) + "(" + device.name +
           ")";
}

std::string laneText(const Trace& trace, const Lane& lane) {
    std::string text(laneKindName(lane.kind));
    text += " process " + processText(trace, lane.process);
    if (lane.thread)
        text += " thread " + trace.threads()[lane.thread.v].idText + "(" +
                trace.threads()[lane.thread.v].name + ")";
    text += " device " + deviceText(trace, lane.device) + " id " + std::to_string(lane.sourceId) + " title ";
    return text.append(trace.strings().view(lane.title));
}

std::string shortText(const Trace& trace, EventId row) {
    const EventTable& rows = trace.events();
    return std::to_string(rows.beginNs[row.v]) + ".." + std::to_string(rows.endNs[row.v]) + " " +
           std::string(kindName(rows.kind[row.v])) + " " + std::string(trace.nameOf(row));
}

// Arguments that analyses read.
std::string argsText(const Trace& trace, EventId row) {
    std::string text;
    const auto add = [&text](std::int64_t number) { text += " " + std::to_string(number); };
    if (const CopyArgs* copy = trace.hotArgs().copies.find(row)) {
        text += " copy";
        add(copy->bytes);
        add(static_cast<int>(copy->kind));
        add(static_cast<int>(copy->src));
        add(static_cast<int>(copy->dst));
    }
    if (const SyncArgs* sync = trace.hotArgs().syncs.find(row)) {
        text += " sync";
        add(static_cast<int>(sync->kind));
        for (const std::int64_t id :
             {sync->stream, sync->sourceStream, sync->recordCorrelation, sync->eventId, sync->eventSyncId})
            add(id);
    }
    if (const GraphArgs* graph = trace.hotArgs().graphs.find(row))
        text += " graph " + std::to_string(graph->graph) + "/" + std::to_string(graph->node);
    return text;
}

std::vector<std::string> rowTexts(const Trace& trace, const std::optional<TimeRange>& cut) {
    std::vector<std::string> texts;
    const EventTable& rows = trace.events();
    for (const Strip& strip : trace.strips()) {
        const std::string lane = laneText(trace, trace.lane(strip.lane));
        for (EventId row = strip.first; row < strip.last; ++row.v) {
            if (!isIn(cut, rows.beginNs[row.v], rows.endNs[row.v]))
                continue;
            std::string text = shortText(trace, row) + " on " + lane + argsText(trace, row);
            if (const std::uint32_t group = rows.correlation[row.v]) {
                text += " id " + std::to_string(trace.correlations().correlationId(group));
                for (const EventId call : trace.correlations().hostCalls(group))
                    if (isIn(cut, rows.beginNs[call.v], rows.endNs[call.v]))
                        text += " by " + shortText(trace, call);
            }
            texts.push_back(std::move(text));
        }
    }
    std::sort(texts.begin(), texts.end());
    return texts;
}

// Curves that the reader derives from rows ("[memory]" marks) begin at the first row of a cut.
bool isDerived(const CounterTrack& track) {
    return track.unit == "B" && track.name.find(" memory ") != std::string::npos;
}

// Sums of what is in the file: those of a cut have another origin.
bool isSummed(const CounterTrack& track) {
    return track.name.ends_with(" change since start");
}

std::vector<std::string> counterTexts(const Trace& trace, const std::optional<TimeRange>& cut) {
    std::vector<std::string> texts;
    for (const CounterTrack& track : trace.counters()) {
        const std::string name = track.name + " [" + track.unit + "] " + processText(trace, track.process) +
                                 " " + deviceText(trace, track.device) + " ";
        for (std::size_t i = 0; i < track.timeNs.size(); ++i) {
            const bool isLastBefore = cut && !isDerived(track) && track.timeNs[i] < cut->begin.v &&
                                      (i + 1 == track.timeNs.size() || track.timeNs[i + 1] >= cut->begin.v);
            if (isLastBefore || isIn(cut, track.timeNs[i], track.timeNs[i]))
                texts.push_back(name + std::to_string(track.timeNs[i]) + " " +
                                (cut && isSummed(track) ? "" : std::to_string(track.value[i])));
        }
    }
    std::sort(texts.begin(), texts.end());
    return texts;
}

std::vector<std::string> flowTexts(const Trace& trace, const std::optional<TimeRange>& cut) {
    std::vector<std::string> texts;
    const EventTable& rows = trace.events();
    const auto kept = [&](EventId row) { return isIn(cut, rows.beginNs[row.v], rows.endNs[row.v]); };
    for (const FlowLink& link : trace.flows().links())
        if (kept(link.from) && kept(link.to))
            texts.push_back(std::string(trace.strings().view(link.name)) + ": " +
                            shortText(trace, link.from) + " -> " + shortText(trace, link.to));
    std::sort(texts.begin(), texts.end());
    return texts;
}

QString firstDifference(const char* what, const std::vector<std::string>& before,
                        const std::vector<std::string>& after) {
    const auto [a, b] = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    if (a == before.end() && b == after.end())
        return {};
    return QStringLiteral("%1: %2 before, %3 after; first difference: \"%4\" became \"%5\"")
        .arg(QString::fromLatin1(what))
        .arg(before.size())
        .arg(after.size())
        .arg(QString::fromStdString(a == before.end() ? "(none)" : *a),
             QString::fromStdString(b == after.end() ? "(none)" : *b));
}

Result<LoadedTrace> load(const std::filesystem::path& file) {
    JobControl job;
    return loadTrace(file, builtinImporters(), job);
}

} // namespace

QString roundTripDifference(const Trace& original, const Trace& again, std::optional<TimeRange> cut) {
    for (const QString& difference :
         {firstDifference("rows", rowTexts(original, cut), rowTexts(again, {})),
          firstDifference("counters", counterTexts(original, cut), counterTexts(again, cut)),
          firstDifference("flows", flowTexts(original, cut), flowTexts(again, {}))})
        if (!difference.isEmpty())
            return difference;
    if (original.facts().baseNs != again.facts().baseNs)
        return QStringLiteral("base_ns differs");
    if (!cut && original.window() != again.window())
        return QStringLiteral("window_ns differs");
    return {};
}

QString roundTripOf(const std::filesystem::path& file, std::optional<TimeRange> cut, std::string* text) {
    const auto original = load(file);
    if (!original)
        return {}; // what does not open is not converted
    StringSink sink;
    JobControl job;
    if (const auto written = writeChrome(*original, {"0", cut, {}}, sink, job); !written)
        return QString::fromStdString("not written: " + written.error().detail);
    if (text != nullptr)
        *text = sink.text();
    constexpr std::size_t kLargestParsed = std::size_t{64} << 20;
    if (sink.text().size() < kLargestParsed && !nlohmann::json::accept(sink.text()))
        return QStringLiteral("what was written is no strict JSON");
    JobControl second;
    const auto again = loadTraceFromMemory(sink.text(), "again.json", builtinImporters(), second);
    if (!again) {
        const bool isEmpty = cut && rowTexts(*original->trace, cut).empty();
        return isEmpty ? QString() : QString::fromStdString("does not open: " + again.error().detail);
    }
    return roundTripDifference(*original->trace, *again->trace, cut);
}

std::optional<TimeRange> middleOf(const std::filesystem::path& file) {
    const auto loaded = load(file);
    if (!loaded)
        return std::nullopt;
    const TimeRange window = loaded->trace->window();
    const std::int64_t tenth = std::max<std::int64_t>(1, window.length().v / 10);
    const TimeNs middle{window.begin.v + window.length().v / 2};
    return TimeRange{middle, middle + DurationNs{tenth}};
}

QString brokenArrow(const std::string& text, int& arrows) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_discarded())
        return QStringLiteral("no strict JSON");
    using Thread = std::pair<std::int64_t, std::int64_t>;
    std::map<Thread, std::vector<std::pair<double, double>>> rows;
    std::map<std::int64_t, std::pair<int, int>> ends; // starts and ends by id
    for (const auto& event : json["traceEvents"])
        if (event["ph"] == "X")
            rows[{event["pid"], event["tid"]}].emplace_back(event["ts"].get<double>(),
                                                            event["dur"].get<double>());
    for (const auto& event : json["traceEvents"]) {
        if (event["ph"] != "s" && event["ph"] != "f")
            continue;
        auto& [starts, finishes] = ends[event["id"].get<std::int64_t>()];
        (event["ph"] == "s" ? starts : finishes) += 1;
        const double at = event["ts"].get<double>();
        const auto& slices = rows[{event["pid"], event["tid"]}];
        if (std::none_of(slices.begin(), slices.end(), [at](const auto& slice) {
                return slice.first <= at && at <= slice.first + slice.second;
            }))
            return QStringLiteral("an arrow ends in no row: ") + QString::fromStdString(event.dump());
    }
    for (const auto& [id, count] : ends)
        if (count != std::pair(1, 1))
            return QStringLiteral("arrow %1 has not one start and one end").arg(id);
    arrows = static_cast<int>(ends.size());
    return {};
}

} // namespace lacuna::test
