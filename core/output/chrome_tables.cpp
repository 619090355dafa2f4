#include "core/output/chrome_tables.h"

#include "core/output/chrome_layout.h"
#include "core/output/chrome_text.h"
#include "core/output/source_rows.h"
#include "core/output/strict_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace lacuna::chrome {

namespace {

constexpr std::uint64_t kRowsPerPoll = 2048;

std::string_view categoryName(EventKind kind, const SyncArgs* sync) {
    switch (kind) {
    case EventKind::CpuOp:
        return "cpu_op";
    case EventKind::RuntimeApi:
        return "cuda_runtime";
    case EventKind::DriverApi:
        return "cuda_driver";
    case EventKind::Kernel:
        return "kernel";
    case EventKind::Memcpy:
        return "gpu_memcpy";
    case EventKind::Memset:
        return "gpu_memset";
    case EventKind::GraphLaunch:
        return "gpu_graph";
    case EventKind::Sync:
        return sync != nullptr && sync->kind == SyncKind::EventRecord ? "cuda_event" : "cuda_sync";
    case EventKind::Range:
        return "user_annotation";
    case EventKind::GpuRange:
        return "gpu_user_annotation";
    case EventKind::Python:
        return "python_function";
    case EventKind::OsRuntime:
        return "os_runtime";
    case EventKind::Overhead:
        return "overhead";
    default:
        return "other";
    }
}

std::string_view syncKindName(SyncKind kind) {
    switch (kind) {
    case SyncKind::Event:
        return "Event Sync";
    case SyncKind::StreamWaitEvent:
        return "Stream Wait Event";
    case SyncKind::Stream:
        return "Stream Sync";
    case SyncKind::Context:
        return "Context Sync";
    case SyncKind::EventRecord:
        return "Event Record";
    case SyncKind::Unknown:
        break;
    }
    return "Unknown Sync";
}

class TableWriter {
public:
    TableWriter(const LoadedTrace& source, const ChromeExport& options, TextSink& sink, JobControl& job)
        : m_source(source), m_trace(*source.trace), m_options(options), m_job(job), m_rows(m_trace),
          m_layout(m_trace, usedLanes(), usedCounters()), m_out(sink) {}

    Result<ChromeExported> run() {
        head();
        if (const Status status = writeRows(); !status)
            return status.error();
        if (!writeArrows() || !writeCounters())
            return cancelledError();
        m_out.text() += "\n]\n}\n";
        m_out.flush();
        return m_result;
    }

private:
    bool isKept(EventId row) const {
        const EventTable& rows = m_trace.events();
        return touches(m_options.cut, rows.beginNs[row.v], rows.endNs[row.v]);
    }

    std::vector<bool> usedLanes() const {
        std::vector<bool> used(m_trace.lanes().size(), false);
        for (const Strip& strip : m_trace.strips())
            for (EventId row = strip.first; row < strip.last && !used[strip.lane.v]; ++row.v)
                used[strip.lane.v] = isKept(row);
        return used;
    }

    // [first, second): samples that are written.
    std::pair<std::size_t, std::size_t> samplesOf(const CounterTrack& counter) const {
        if (!m_options.cut)
            return {0, counter.timeNs.size()};
        const auto all = counter.timeNs.begin();
        auto first = static_cast<std::size_t>(
            std::lower_bound(all, counter.timeNs.end(), m_options.cut->begin.v) - all);
        const auto last =
            static_cast<std::size_t>(std::lower_bound(all, counter.timeNs.end(), m_options.cut->end.v) - all);
        if (first > 0) // the value that holds at the begin of the cut
            --first;
        return {first, std::max(first, last)};
    }

    std::vector<bool> usedCounters() const {
        std::vector<bool> used;
        for (const CounterTrack& counter : m_trace.counters()) {
            const auto [first, last] = samplesOf(counter);
            used.push_back(first < last);
        }
        return used;
    }

    void head() {
        std::string& out = m_out.text();
        out += "{\"lacuna\":{";
        appendProvenance(m_trace, m_options, true, out);
        m_layout.appendLists(out);
        out += "},\n\"displayTimeUnit\":\"ns\"";
        if (m_trace.facts().baseNs)
            out += ",\n\"baseTimeNanoseconds\":" + std::to_string(*m_trace.facts().baseNs);
        out += ",\n\"traceEvents\":[";
        m_layout.appendNames(out);
        m_isFirst = out.back() == '[';
    }

    bool isCancelled() {
        if (++m_unpolled < kRowsPerPoll)
            return false;
        m_job.countEvents(std::exchange(m_unpolled, 0));
        return m_job.cancelled();
    }

    std::string& begin(std::string_view phase, std::string_view category, std::string_view name,
                       const LanePlace& place, std::int64_t ns) {
        m_out.flushIfFull();
        std::string& out = m_out.text();
        ((out += m_isFirst ? "\n{\"ph\":\"" : ",\n{\"ph\":\"") += phase) += R"(","cat":")";
        m_isFirst = false;
        (out += category) += R"(","name":)";
        appendQuotedText(name, out);
        out += ",\"pid\":" + std::to_string(place.pid) + ",\"tid\":" + std::to_string(place.tid) + ",\"ts\":";
        appendMicros(ns, out);
        return out;
    }

    Status writeRows() {
        const EventTable& rows = m_trace.events();
        for (const EventId row : m_rows.all()) {
            if (isCancelled())
                return cancelledError();
            if (!isKept(row))
                continue;
            const LanePlace& place = m_layout.lane(m_trace.laneOf(row));
            const EventKind kind = rows.kind[row.v];
            const SyncArgs* const sync = m_trace.hotArgs().syncs.find(row);
            const bool isInstant = kind == EventKind::Instant;
            std::string& out = begin(isInstant ? "i" : "X", isInstant ? "mark" : categoryName(kind, sync),
                                     m_trace.nameOf(row), place, rows.beginNs[row.v]);
            if (isInstant) {
                out += R"(,"s":"t")";
            } else {
                out += ",\"dur\":";
                appendMicros(rows.endNs[row.v] - rows.beginNs[row.v], out);
            }
            out += ",\"lane\":" + std::to_string(*place.number) + ",\"args\":{";
            m_separator = {};
            writeKnownArgs(row, kind, sync, out);
            writeDetails(row, out);
            out += "}}";
            ++m_result.rows;
        }
        return ok();
    }

    void key(std::string_view name, std::string& out) {
        out += m_separator;
        m_separator = ",";
        appendQuotedText(name, out);
        out += ':';
    }
    void number(std::string_view name, std::int64_t value, std::string& out) {
        key(name, out);
        out += std::to_string(value);
    }

    void writeKnownArgs(EventId row, EventKind kind, const SyncArgs* sync, std::string& out) {
        if (const std::uint32_t group = m_trace.events().correlation[row.v])
            number("correlation", m_trace.correlations().correlationId(group), out);
        const Lane& lane = m_trace.lane(m_trace.laneOf(row));
        if (lane.device) {
            number("device", m_trace.devices()[lane.device.v].ordinal, out);
            number("stream", sync != nullptr ? sync->stream : lane.sourceId, out);
        }
        if (const CopyArgs* const copy = m_trace.hotArgs().copies.find(row)) {
            number("bytes", copy->bytes, out);
            number("copy_kind", static_cast<int>(copy->kind), out);
            number("src_kind", static_cast<int>(copy->src), out);
            number("dst_kind", static_cast<int>(copy->dst), out);
        }
        if (sync != nullptr && kind == EventKind::Sync) {
            key("cuda_sync_kind", out);
            appendQuotedText(syncKindName(sync->kind), out);
            number("wait_on_stream", sync->sourceStream, out);
            number("wait_on_cuda_event_record_corr_id", sync->recordCorrelation, out);
            number("event_id", sync->eventId, out);
            number("event_sync_id", sync->eventSyncId, out);
        }
        if (const GraphArgs* const graph = m_trace.hotArgs().graphs.find(row)) {
            key("graph id", out);
            out += std::to_string(graph->graph);
            key("graph node id", out);
            out += std::to_string(graph->node);
        }
    }

    // What the source records beside: its own columns by their own names; launch shapes also as Kineto
    // writes them.
    void writeDetails(EventId row, std::string& out) {
        const auto details = m_source.details ? m_source.details->read({m_trace.events().source[row.v]})
                                              : Result<EventDetails>(Error{Errc::Io, {}, {}, {}});
        if (!details) {
            ++m_result.withoutDetails;
            return;
        }
        constexpr std::array<std::pair<std::string_view, std::array<std::string_view, 3>>, 2> kShapes{
            {{"grid", {"gridX", "gridY", "gridZ"}}, {"block", {"blockX", "blockY", "blockZ"}}}};
        const auto find = [&](std::string_view name) {
            return std::find_if(details->fields.begin(), details->fields.end(),
                                [&](const auto& field) { return field.first == name; });
        };
        for (const auto& [name, columns] : kShapes) {
            std::string list;
            for (const std::string_view column : columns)
                if (const auto at = find(column); at != details->fields.end() && isStrictNumber(at->second))
                    list += (list.empty() ? "" : ",") + at->second;
            if (std::count(list.begin(), list.end(), ',') != 2)
                continue;
            key(name, out);
            ((out += '[') += list) += ']';
        }
        constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kKinetoNames{
            {{"registersPerThread", "registers per thread"}, {"contextId", "context"}}};
        for (const auto& [name, value] : details->fields) {
            if (name == "start" || name == "end" || value == m_trace.nameOf(row))
                continue;                    // stands in the event
            const std::string& field = name; // clang 14 cannot capture a structured binding
            const auto kineto = std::find_if(kKinetoNames.begin(), kKinetoNames.end(),
                                             [&field](const auto& pair) { return pair.first == field; });
            const bool isOurs = name == "bytes"; // written above
            if (isOurs && m_trace.hotArgs().copies.find(row) != nullptr)
                continue;
            key(kineto == kKinetoNames.end() ? std::string_view(name) : kineto->second, out);
            constexpr std::size_t kExactDigits = 15; // viewers count in doubles
            if (isStrictNumber(value) && value.size() <= kExactDigits)
                out += value;
            else
                appendQuotedText(value, out);
        }
    }

    // From every launch to every operation it submitted, as Kineto draws them: the start inside the call, the
    // end at the operation. One id per arrow, since one launch may own many.
    bool writeArrows() {
        const EventTable& rows = m_trace.events();
        std::uint64_t arrows = 0;
        for (const EventId row : m_rows.all()) {
            if (isCancelled())
                return false;
            if (!isDeviceOp(rows.kind[row.v]) || !isKept(row))
                continue;
            const auto launch = m_trace.correlations().launchOf(rows, row);
            if (!launch || !isKept(*launch))
                continue;
            const std::string id = ",\"id\":" + std::to_string(++arrows);
            const LanePlace& from = m_layout.lane(m_trace.laneOf(*launch));
            begin("s", "ac2g", "ac2g", from, rows.beginNs[launch->v]) += id + "}";
            const LanePlace& to = m_layout.lane(m_trace.laneOf(row));
            begin("f", "ac2g", "ac2g", to, rows.beginNs[row.v]) += id + R"(,"bp":"e"})";
        }
        return true;
    }

    bool writeCounters() {
        for (std::size_t i = 0; i < m_trace.counters().size(); ++i) {
            const CounterTrack& counter = m_trace.counters()[i];
            const LanePlace& place = m_layout.counter(CounterId{static_cast<std::uint32_t>(i)});
            const auto [first, last] = samplesOf(counter);
            for (std::size_t sample = first; sample < last; ++sample) {
                if (isCancelled())
                    return false;
                if (!std::isfinite(counter.value[sample]))
                    continue; // JSON has no such number
                std::array<char, 32> digits{};
                const auto end =
                    std::to_chars(digits.data(), digits.data() + digits.size(), counter.value[sample]);
                std::string& out = begin("C", "counter", counter.name, place, counter.timeNs[sample]);
                out += ",\"lane\":" + std::to_string(*place.number) + ",\"args\":{";
                appendQuotedText(counter.unit.empty() ? "value" : std::string_view(counter.unit), out);
                ((out += ':').append(digits.data(), end.ptr)) += "}}";
            }
        }
        return true;
    }

    const LoadedTrace& m_source;
    const Trace& m_trace;
    const ChromeExport& m_options;
    JobControl& m_job;
    SourceRows m_rows;
    Layout m_layout;
    Buffer m_out;
    ChromeExported m_result;
    std::string_view m_separator;
    std::uint64_t m_unpolled = 0;
    bool m_isFirst = true;
};

} // namespace

Result<ChromeExported> writeTables(const LoadedTrace& source, const ChromeExport& options, TextSink& sink,
                                   JobControl& job) {
    return TableWriter(source, options, sink, job).run();
}

} // namespace lacuna::chrome
