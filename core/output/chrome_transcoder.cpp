#include "core/output/chrome_transcoder.h"

#include "core/import/byte_source.h"
#include "core/import/detail/chrome_category.h"
#include "core/import/detail/json_events.h"
#include "core/import/detail/json_items.h"
#include "core/import/detail/json_text.h"
#include "core/import/source_text.h"
#include "core/output/chrome_cut.h"
#include "core/output/chrome_end_args.h"
#include "core/output/chrome_text.h"
#include "core/output/strict_json.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>
#include <utility>

namespace lacuna::chrome {

namespace {

// Absolute times of PyTorch 2.3 and before: a viewer that counts in doubles of microseconds would round them.
constexpr std::int64_t kEpochFrom = 1'000'000'000'000'000'000;

// At most three decimals: nanoseconds say all of it.
bool isWholeNs(std::string_view micros) {
    const std::size_t point = micros.find('.');
    if (micros.find_first_of("eE") != std::string_view::npos)
        return false;
    const std::size_t last = micros.find_last_not_of('0');
    return point == std::string_view::npos || last == std::string_view::npos || last <= point + 3;
}

class Transcoder final : public json::EventSink {
public:
    struct Plan {
        std::optional<std::int64_t> zeroNs; // subtracted from every time; none: times stay as recorded
        std::optional<TimeRange> cut;
        std::vector<std::uint64_t> kept; // of CutScan
        EndArgsOfBegins endArgs;         // of the rows that touch the cut
    };
    Transcoder(const Trace& trace, const ChromeExport& options, SourceRows& rows, Plan plan, TextSink& sink)
        : m_trace(trace), m_options(options), m_rows(rows), m_plan(std::move(plan)), m_out(sink) {}

    void rootValue(std::string_view key, const json::Value& value) override {
        if (key == "traceEvents" || (key == "baseTimeNanoseconds" && m_plan.zeroNs))
            return;
        if (key == "lacuna") {
            if (!m_isOpen)
                takeOwn(value);
            return;
        }
        std::string& to = m_isOpen ? m_late : m_early;
        to += ",\n";
        appendStrictString(key, to);
        to += ':';
        appendStrict(value, to);
    }

    void trouble(json::Trouble, std::uint64_t) override {} // in the notes of the trace

    void event(const json::Event& event) override {
        open();
        const auto row = m_rows.at(event.offset);
        const char phase = event.ph.text.size() == 1 ? event.ph.text[0] : '\0';
        if (row && touchesCut(*row))
            ++m_result.rows;
        if (m_plan.cut && (phase == 'E' || phase == 'e' || phase == 'F'))
            return; // the begin is written with its end
        if (!keeps(event, row, phase))
            return;
        beginElement();
        const bool isPair = m_plan.cut && row && (phase == 'B' || phase == 'b' || phase == 'S');
        // A row without an end of its own lasts to the end of the file, which the cut does not have.
        const bool isOpenSlice = m_plan.cut && row && phase == 'X' && !json::microsAsNs(event.dur.text);
        const EndArgs* const endArgs = isPair ? endArgsOf(event) : nullptr;
        if (isOpenSlice ||
            (isPair && phase == 'B' && isSameAsSlice(event, *row) && canJoin(event, endArgs))) {
            writeSlice(event, *row, endArgs);
        } else {
            writeMembers(event, {});
            m_out.text() += '}';
            if (isPair)
                writeEnd(event, *row, phase == 'B' ? 'E' : phase == 'b' ? 'e' : 'F', endArgs);
        }
        m_out.flushIfFull();
    }

    ChromeExported finish() {
        open();
        m_out.text() += "\n]";
        m_out.text() += m_late;
        m_out.text() += "\n}\n";
        m_out.flush();
        return m_result;
    }

private:
    // Lanes and facts that an earlier conversion wrote; rows name them by number.
    void takeOwn(const json::Value& value) {
        if (value.type != json::ValueType::Object)
            return;
        json::Members members(value.text);
        std::string_view key;
        json::Value member;
        constexpr std::array<std::string_view, 5> kLists{"processes", "threads", "devices", "lanes",
                                                         "counters"};
        m_own.clear();
        while (members.next(key, member))
            if (std::find(kLists.begin(), kLists.end(), key) != kLists.end()) {
                m_own += ",\n";
                appendStrictString(key, m_own);
                m_own += ':';
                appendStrict(member, m_own);
            } else if (key == "time_zero_ns") {
                m_hadTimeZero = true;
            }
    }

    void open() {
        if (m_isOpen)
            return;
        m_isOpen = true;
        std::string& out = m_out.text();
        out += "{\"lacuna\":{";
        appendProvenance(m_trace, m_options, m_plan.zeroNs.has_value() || m_hadTimeZero, out);
        out += m_own;
        if (m_plan.cut)
            appendOwners(out);
        out += '}';
        if (m_plan.zeroNs && m_trace.facts().baseNs)
            out += ",\n\"baseTimeNanoseconds\":" + std::to_string(*m_trace.facts().baseNs);
        out += m_early;
        out += ",\n\"traceEvents\":[";
        m_early = {};
    }

    // Whose device it is shows in its launches, and these may lie outside the cut.
    void appendOwners(std::string& out) const {
        std::string_view separator = ",\n\"owners\":[{";
        for (const Device& device : m_trace.devices()) {
            const auto all = m_trace.devices();
            const bool isAlone = std::count_if(all.begin(), all.end(), [&](const Device& other) {
                                     return other.ordinal == device.ordinal;
                                 }) == 1;
            if (!device.process || !isAlone)
                continue;
            const Process& process = m_trace.processes()[device.process.v];
            out += separator;
            separator = ",{";
            out += "\"ordinal\":" + std::to_string(device.ordinal) + ",\"process\":";
            appendQuotedText(process.idText, out);
            out += ",\"name\":";
            appendQuotedText(process.name, out);
            out += ",\"sort_index\":" + std::to_string(process.sortIndex) + "}";
        }
        if (separator == ",{")
            out += ']';
    }

    void beginElement() {
        m_out.text() += m_isFirst ? "\n{" : ",\n{";
        m_isFirst = false;
    }

    bool touchesCut(EventId row) const {
        const EventTable& rows = m_trace.events();
        return touches(m_plan.cut, rows.beginNs[row.v], rows.endNs[row.v]);
    }

    bool keeps(const json::Event& event, std::optional<EventId> row, char phase) const {
        if (row)
            return touchesCut(*row);
        if (!m_plan.zeroNs)
            return true;
        if (phase == 'X')
            return false; // dropped by the reader; on another axis its time might pass for a good one
        if (!m_plan.cut || event.isEmpty || phase == 'M' || (phase == 'C' && event.entries))
            return true;
        if (std::binary_search(m_plan.kept.begin(), m_plan.kept.end(), event.offset))
            return true;
        if (phase == 's' || phase == 't' || phase == 'f' || phase == 'B' || phase == 'b' || phase == 'S')
            return false;
        const auto time = json::microsAsNs(event.ts.text);
        return !time || m_plan.cut->contains({*time - *m_plan.zeroNs});
    }

    const EndArgs* endArgsOf(const json::Event& event) const {
        const auto at = m_plan.endArgs.find(event.offset);
        return at == m_plan.endArgs.end() ? nullptr : &at->second;
    }

    // Arguments of begin and end as one object.
    static bool canJoin(const json::Event& event, const EndArgs* endArgs) {
        return endArgs == nullptr || !event.args ||
               (endArgs->isObject && event.args.type == json::ValueType::Object);
    }

    // Those of the end win (chrome_json.md 2.2).
    void writeJoinedArgs(const json::Event& event, const EndArgs& endArgs) {
        std::string& out = m_out.text();
        out += R"(,"args":)";
        if (event.args.type != json::ValueType::Object || !endArgs.isObject) {
            out += endArgs.text();
            return;
        }
        std::unordered_set<std::string> ofEnd;
        std::string_view key;
        json::Value value;
        for (json::Members members(endArgs.text()); members.next(key, value);)
            ofEnd.emplace(key);
        std::string joined, name;
        for (json::Members members(event.args.text); members.next(key, value);) {
            name.clear();
            appendStrictString(key, name);
            if (ofEnd.contains(name.substr(1, name.size() - 2)))
                continue;
            joined.append(joined.empty() ? "" : ",").append(name).append(":");
            appendStrict(value, joined);
        }
        const std::string_view inner = endArgs.text().substr(1, endArgs.text().size() - 2);
        out += '{';
        out += joined;
        out += joined.empty() || inner.empty() ? "" : ",";
        out += inner;
        out += '}';
    }

    void writeTime(const json::Value& value, std::int64_t zeroNs) {
        const auto time = json::microsAsNs(value.text);
        if (!time || (zeroNs == 0 && !isWholeNs(value.text)))
            return appendStrict(value, m_out.text());
        appendMicros(*time - zeroNs, m_out.text());
    }

    // xprof's samples of a counter in one element, [[ts, value], ...]: cut like samples of their own.
    void writeEntries(const json::Value& value) {
        std::string samples, before;
        json::Items entries(value.text);
        json::Value entry;
        while (entries.next(entry)) {
            json::Items parts(entry.text);
            json::Value at, number;
            if (entry.type != json::ValueType::Array || !parts.next(at) || !parts.next(number))
                continue;
            const auto time = json::microsAsNs(at.text);
            if (!time)
                continue;
            const std::int64_t ns = *time - *m_plan.zeroNs;
            if (m_plan.cut && ns >= m_plan.cut->end.v)
                continue;
            const bool isBefore = m_plan.cut && ns < m_plan.cut->begin.v;
            std::string& to = isBefore ? before : samples;
            if (isBefore)
                before.clear();
            to += ",[";
            appendMicros(ns, to);
            to += ',';
            appendStrict(number, to);
            to += ']';
        }
        const std::string all = before + samples;
        m_out.text() += '[';
        m_out.text() += std::string_view(all).substr(all.empty() ? 0 : 1);
        m_out.text() += ']';
    }

    void writeMember(std::string_view key, const json::Value& value, std::string_view& separator) {
        std::string& out = m_out.text();
        out += separator;
        separator = ",";
        appendStrictString(key, out);
        out += ':';
        if (key == "ts")
            writeTime(value, m_plan.zeroNs.value_or(0));
        else if (key == "dur")
            writeTime(value, 0);
        else if (key == "entries" && m_plan.zeroNs && value.type == json::ValueType::Array)
            writeEntries(value);
        else
            appendStrict(value, out);
    }

    // All members but those of the list.
    void writeMembers(const json::Event& event, std::initializer_list<std::string_view> without) {
        std::string_view separator;
        const auto write = [&](std::string_view key, const json::Value& value) {
            if (value && std::find(without.begin(), without.end(), key) == without.end())
                writeMember(key, value, separator);
        };
        if (event.isSalvaged) { // its text is broken
            const std::array<std::pair<std::string_view, const json::Value*>, 8> kFound{
                {{"ph", &event.ph},
                 {"cat", &event.cat},
                 {"name", &event.name},
                 {"pid", &event.pid},
                 {"tid", &event.tid},
                 {"ts", &event.ts},
                 {"dur", &event.dur},
                 {"args", &event.args}}};
            for (const auto& [key, value] : kFound)
                write(key, *value);
            return;
        }
        json::Members members(event.text);
        std::string_view key;
        json::Value value;
        while (members.next(key, value))
            write(key, value);
    }

    // Of a complete event the reader asks more than of a begin: its stream, its launch, its step.
    bool isSameAsSlice(const json::Event& event, EventId row) const {
        const LaneKind lane = categoryOf(event.cat.text).lane;
        return !isDeviceLane(lane) && lane != LaneKind::CudaApi &&
               !m_trace.nameOf(row).starts_with("ProfilerStep");
    }

    // A begin whose end may lie outside: as a complete event.
    void writeSlice(const json::Event& event, EventId row, const EndArgs* endArgs) {
        const EventTable& rows = m_trace.events();
        std::string& out = m_out.text();
        out += R"("ph":"X","dur":)";
        appendMicros(rows.endNs[row.v] - rows.beginNs[row.v], out);
        if (!event.name) { // only its end told the name
            out += ",\"name\":";
            appendQuotedText(m_trace.nameOf(row), out);
        }
        out += ',';
        if (endArgs == nullptr) {
            writeMembers(event, {"ph", "dur"});
        } else {
            writeMembers(event, {"ph", "dur", "args"});
            writeJoinedArgs(event, *endArgs);
        }
        out += '}';
    }

    void writeEnd(const json::Event& event, EventId row, char phase, const EndArgs* endArgs) {
        beginElement();
        std::string& out = m_out.text();
        ((out += R"("ph":")") += phase) += R"(","ts":)";
        appendMicros(m_trace.events().endNs[row.v], out);
        if (!event.name) {
            out += ",\"name\":";
            appendQuotedText(m_trace.nameOf(row), out);
        }
        out += ',';
        writeMembers(event, {"ph", "ts", "args"});
        if (endArgs != nullptr)
            (out += R"(,"args":)") += endArgs->text();
        out += '}';
    }

    const Trace& m_trace;
    const ChromeExport& m_options;
    SourceRows& m_rows;
    Plan m_plan;
    Buffer m_out;
    std::string m_early, m_late, m_own; // members of the root object: before the events, after, of "lacuna"
    ChromeExported m_result;
    bool m_isOpen = false, m_isFirst = true, m_hadTimeZero = false;
};

// Tells two what it is told.
class Both final : public json::EventSink {
public:
    Both(CutScan& scan, EndArgsFinder& ends) : m_scan(scan), m_ends(ends) {}
    void event(const json::Event& event) override {
        m_scan.event(event);
        m_ends.look(event);
    }
    void rootValue(std::string_view, const json::Value&) override {}
    void trouble(json::Trouble, std::uint64_t) override {}

private:
    CutScan& m_scan;
    EndArgsFinder& m_ends;
};

// The smallest time of the counters, for a trace without rows.
class FirstTime final : public json::EventSink {
public:
    void event(const json::Event& event) override {
        if (const auto time = json::microsAsNs(event.ts.text); time && event.ph.text == "C")
            m_first = std::min(m_first, *time);
    }
    void rootValue(std::string_view, const json::Value&) override {}
    void trouble(json::Trouble, std::uint64_t) override {}
    std::int64_t first() const { return m_first == INT64_MAX ? 0 : m_first; }

private:
    std::int64_t m_first = INT64_MAX;
};

// The text of the source, again. Standard input has no path: its text was kept for the details.
Result<std::unique_ptr<ByteSource>> openText(const LoadedTrace& source, const std::string& member,
                                             JobControl& job) {
    if (const std::string& path = source.trace->facts().path; !path.empty())
        return openFile(path, member, &job);
    if (auto* const text = dynamic_cast<SourceText*>(source.details.get()))
        return text->fromStart();
    return Error{Errc::Unsupported, "The source cannot be read a second time.", {}, {}};
}

Result<std::monostate> walk(const LoadedTrace& source, const std::string& member, json::EventSink& sink,
                            JobControl& job) {
    auto bytes = openText(source, member, job);
    if (!bytes)
        return bytes.error();
    job.setTotal(job.bytesDone() + (*bytes)->storedSize());
    const auto read = json::EventReader(**bytes, sink, job).run();
    if (!read)
        return read.error();
    return ok();
}

// Time zero on the axis of the file, told by a row that stands in both.
Result<std::int64_t> findZero(const LoadedTrace& source, const std::string& member, const SourceRows& rows,
                              JobControl& job) {
    const EventTable& table = source.trace->events();
    for (const EventId row : rows.all()) {
        const auto details = source.details ? source.details->read({table.source[row.v]})
                                            : Result<EventDetails>(Error{Errc::Io, {}, {}, {}});
        if (!details)
            return details.error();
        for (const auto& [key, text] : details->fields)
            if (const auto time = key == "ts" ? json::microsAsNs(text) : std::nullopt)
                return *time - table.beginNs[row.v];
    }
    FirstTime first;
    if (const auto walked = walk(source, member, first, job); !walked)
        return walked.error();
    return first.first();
}

} // namespace

Result<ChromeExported> transcode(const LoadedTrace& source, const ChromeExport& options, TextSink& sink,
                                 JobControl& job) {
    const Trace& trace = *source.trace;
    SourceRows rows(trace);
    Transcoder::Plan plan;
    plan.cut = options.cut;
    const auto zero = findZero(source, options.member, rows, job);
    if (!zero)
        return zero.error();
    if (options.cut || *zero >= kEpochFrom)
        plan.zeroNs = *zero;
    if (options.cut) {
        CutScan scan(trace, rows, *options.cut, *zero);
        EndArgsFinder ends;
        Both both(scan, ends);
        if (const auto walked = walk(source, options.member, both, job); !walked)
            return walked.error();
        plan.kept = scan.keptOffsets();
        rows.rewind();
        if (ends.hasFound()) {
            const auto again = [&](json::EventSink& to) { return walk(source, options.member, to, job); };
            const auto isKept = [&](std::uint64_t begin) {
                const auto row = rows.at(begin);
                return row &&
                       touches(options.cut, trace.events().beginNs[row->v], trace.events().endNs[row->v]);
            };
            auto found = ends.collect(again, isKept, job);
            if (!found)
                return found.error();
            plan.endArgs = *std::move(found);
            rows.rewind();
        }
    }
    Transcoder transcoder(trace, options, rows, std::move(plan), sink);
    if (const auto walked = walk(source, options.member, transcoder, job); !walked)
        return walked.error();
    return transcoder.finish();
}

} // namespace lacuna::chrome
