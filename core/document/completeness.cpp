#include "core/document/completeness.h"

#include "core/analysis/gap_names.h"
#include "core/base/poll.h"
#include "core/base/text_format.h"
#include "core/import/nsys/table_list.h"
#include "core/trace/api_name.h"

#include <algorithm>
#include <map>
#include <string>

namespace lacuna {

namespace {

constexpr std::int64_t kRoundingNs = 1'000;
constexpr std::size_t kMostReturnValues = 256; // reads of single rows; more launches than that did not fail

// A count of rows of which the first in the file is kept.
struct Found {
    std::uint64_t count = 0;
    EventId first;
};

// What the ids of one process span.
struct IdBounds {
    std::uint32_t lowestCall = UINT32_MAX, highestWork = 0;
    bool hasCalls = false;
};

enum NameBit : std::uint8_t { kKnown = 1, kLaunch = 2, kBeginCapture = 4, kEndCapture = 8 };

class Checks {
public:
    Checks(const Trace& trace, DetailReader* details, JobControl& job)
        : m_trace(trace), m_events(trace.events()), m_details(details), m_job(job),
          m_names(trace.strings().size()) {}

    // False: cancelled.
    bool run() {
        if (!boundIds() || !findCaptures() || !checkCalls() || !checkWork())
            return false;
        dropFailedCalls();
        if (m_trace.report().isPartial()) {
            tellUnknown();
        } else {
            tellLaunches();
            tellMissingCalls();
        }
        tellWork();
        return true;
    }
    std::vector<Issue> notes;

private:
    bool poll(std::uint32_t row) { return row % kRowsPerPoll != 0 || !m_job.cancelled(); }

    std::uint8_t bitsOf(EventId call) {
        const StringId name = m_events.name[call.v];
        std::uint8_t& bits = m_names[name.v];
        if (bits == 0) {
            const std::string_view text = m_trace.strings().view(name);
            bits = kKnown;
            if (gaps::isDeviceLaunch(text) || stripApiVersion(text) == "cudaLaunch")
                bits |= kLaunch;
            if (text.find("StreamBeginCapture") != std::string_view::npos)
                bits |= kBeginCapture;
            if (text.find("StreamEndCapture") != std::string_view::npos)
                bits |= kEndCapture;
        }
        return bits;
    }

    void count(Found& found, EventId event) {
        if (found.count++ == 0 || m_events.source[event.v] < m_events.source[found.first.v])
            found.first = event;
    }

    bool boundIds() {
        const CorrelationIndex& ids = m_trace.correlations();
        for (std::uint32_t group = 1; group < ids.groups(); ++group) {
            if (!poll(group))
                return false;
            IdBounds& bounds = m_bounds[ids.domain(group)];
            const std::uint32_t id = ids.correlationId(group);
            if (!ids.hostCalls(group).empty()) {
                bounds.lowestCall = std::min(bounds.lowestCall, id);
                bounds.hasCalls = true;
            }
            if (!ids.deviceOps(group).empty())
                bounds.highestWork = std::max(bounds.highestWork, id);
        }
        return true;
    }

    template <class Visit> bool forCalls(Visit visit) {
        for (const Strip& strip : m_trace.strips()) {
            const Lane& lane = m_trace.lane(strip.lane);
            if (lane.kind != LaneKind::CudaApi)
                continue;
            for (EventId call = strip.first; call < strip.last; ++call.v) {
                if (!poll(call.v))
                    return false;
                visit(call, lane);
            }
        }
        return true;
    }

    // From the first begin to the end that closes the last open one; without such an end up to the end.
    bool findCaptures() {
        std::map<ProcessId, std::vector<std::pair<std::int64_t, int>>> marks;
        if (!forCalls([&](EventId call, const Lane& lane) {
                const std::uint8_t bits = bitsOf(call);
                if ((bits & kBeginCapture) != 0)
                    marks[lane.process].emplace_back(m_events.beginNs[call.v], 1);
                else if ((bits & kEndCapture) != 0)
                    marks[lane.process].emplace_back(m_events.endNs[call.v], -1);
            }))
            return false;
        for (auto& [process, list] : marks) {
            std::sort(list.begin(), list.end());
            int open = 0;
            for (const auto& [time, step] : list) {
                if (step > 0 && open == 0)
                    m_captures[process].push_back({{time}, {INT64_MAX}});
                open = std::max(0, open + step);
                if (step < 0 && open == 0 && !m_captures[process].empty())
                    m_captures[process].back().end = {std::min(m_captures[process].back().end.v, time)};
            }
        }
        return true;
    }

    bool isInCapture(EventId call, ProcessId process) const {
        const auto at = m_captures.find(process);
        if (at == m_captures.end())
            return false;
        const std::int64_t begin = m_events.beginNs[call.v];
        return std::any_of(at->second.begin(), at->second.end(), [begin](const TimeRange& capture) {
            return capture.begin.v <= begin && begin < capture.end.v;
        });
    }

    bool checkCalls() {
        const CorrelationIndex& ids = m_trace.correlations();
        return forCalls([&](EventId call, const Lane& lane) {
            ++m_calls;
            const std::uint32_t group = m_events.correlation[call.v];
            if ((bitsOf(call) & kLaunch) == 0 || group == 0 || !ids.deviceOps(group).empty() ||
                isInCapture(call, lane.process))
                return;
            if (ids.correlationId(group) > m_bounds[ids.domain(group)].highestWork)
                count(m_atEnd, call);
            else
                m_silent.push_back(call);
        });
    }

    bool isUnified(EventId op) const {
        const CopyArgs* copy =
            m_events.kind[op.v] == EventKind::Memcpy ? m_trace.hotArgs().copies.find(op) : nullptr;
        return copy != nullptr && copy->kind >= CopyKind::UnifiedHtoD && copy->kind <= CopyKind::UnifiedDtoD;
    }

    void checkLaunchOf(EventId op) {
        const CorrelationIndex& ids = m_trace.correlations();
        const std::uint32_t group = m_events.correlation[op.v];
        if (group == 0)
            return isUnified(op) ? void() : count(m_withoutId, op);
        const auto call = ids.launchOf(m_events, op);
        if (!call) {
            const IdBounds& bounds = m_bounds[ids.domain(group)];
            if (bounds.hasCalls && ids.correlationId(group) < bounds.lowestCall)
                count(m_queuedBefore, op);
            else
                count(m_withoutCall, op);
            return;
        }
        const std::int64_t early = m_events.beginNs[call->v] - m_events.beginNs[op.v];
        if (early > 0) {
            count(m_early, op);
            m_worstEarlyNs = std::max(m_worstEarlyNs, early);
        }
    }

    bool checkWork() {
        for (std::uint32_t e = 0; e < m_events.size(); ++e) {
            if (!poll(e))
                return false;
            const EventKind kind = m_events.kind[e];
            if (isDeviceOp(kind)) {
                ++m_ops;
                checkLaunchOf(EventId{e});
            }
            m_hasHostRows = m_hasHostRows || isHostCall(kind) || kind == EventKind::CpuOp ||
                            kind == EventKind::Range || kind == EventKind::Python ||
                            kind == EventKind::OsRuntime || kind == EventKind::Other;
        }
        return true;
    }

    // Exports keep the result of a call; a failed launch has no device work to miss.
    void dropFailedCalls() {
        if (m_details == nullptr || m_silent.size() > kMostReturnValues || !isExport())
            return;
        std::erase_if(m_silent, [&](EventId call) {
            const auto read = m_details->read(SourceRef{m_events.source[call.v]});
            if (!read)
                return false;
            const auto value = std::find_if(read->fields.begin(), read->fields.end(),
                                            [](const auto& field) { return field.first == "returnValue"; });
            return value != read->fields.end() && value->second != "0" && !value->second.starts_with("0 ");
        });
    }

    bool isExport() const { return m_trace.facts().format.starts_with("nsys"); }

    IssuePlace placeOf(EventId event) {
        const SourceRef source{m_events.source[event.v]};
        if (!isExport())
            return {source.bits, {}, 0};
        if (const std::string_view table = nsys::fixedEventTable(source.table()); !table.empty())
            return {{}, std::string(table), source.rowid()};
        if (m_details != nullptr)
            if (const auto read = m_details->read(source); read && !read->fields.empty())
                return {{}, read->fields.front().second, source.rowid()};
        return {};
    }

    void add(std::string_view code, Severity severity, const Found& found, std::string message) {
        if (found.count == 0)
            return;
        Issue note;
        note.code = code;
        note.severity = severity;
        note.count = found.count;
        note.message = std::move(message);
        if (found.first)
            note.first = placeOf(found.first);
        notes.push_back(std::move(note));
    }

    static std::string counted(std::uint64_t n, std::string_view one, std::string_view many) {
        return (n == 1 ? "1 " : formatCount(n) + ' ') + std::string(n == 1 ? one : many);
    }

    void tellLaunches() {
        Found silent;
        for (const EventId call : m_silent)
            count(silent, call);
        if (m_ops == 0) {
            Found all = m_atEnd;
            for (const EventId call : m_silent)
                count(all, call);
            add("device_activity_missing", Severity::Error, all,
                "Device activity is missing: " +
                    counted(all.count, "launch has no kernel.", "launches have no kernel."));
            return;
        }
        add("launches_without_work", Severity::Warning, silent,
            counted(silent.count, "launch has no device work, though later launches have.",
                    "launches have no device work, though later launches have."));
        add("launches_at_end", Severity::Info, m_atEnd,
            counted(m_atEnd.count,
                    "launch at the end has no device work: ", "launches at the end have no device work: ") +
                "the capture ended before it was recorded.");
    }

    bool hasNoCalls() const { return m_ops != 0 && m_calls == 0; }

    // The other half may stand in the part of the file that could not be read.
    void tellUnknown() {
        constexpr std::string_view kWhere =
            " in the part that could be read: it may be in the part that is lost.";
        Found launches = m_atEnd;
        for (const EventId call : m_silent)
            count(launches, call);
        add("launches_unknown", Severity::Info, launches,
            counted(launches.count, "launch has", "launches have") + " no device work" + std::string(kWhere));
        const Found work = hasNoCalls() ? Found{m_ops, {}} : m_withoutCall;
        add("work_unknown", Severity::Info, work,
            counted(work.count, "GPU operation has", "GPU operations have") + " no launch call" +
                std::string(kWhere));
    }

    void tellMissingCalls() {
        if (m_ops != 0 && !m_hasHostRows)
            return add("host_rows_missing", Severity::Warning, {m_ops, {}},
                       "Host activity is missing: no row tells what the host did, so why the GPU was idle "
                       "stays unknown.");
        if (hasNoCalls())
            return add("calls_missing", Severity::Warning, {m_ops, {}},
                       "CUDA calls are missing: " +
                           counted(m_ops, "GPU operation has no launch.", "GPU operations have no launch."));
        add("work_without_launch", Severity::Warning, m_withoutCall,
            counted(m_withoutCall.count, "GPU operation has no launch call in the file.",
                    "GPU operations have no launch call in the file."));
    }

    void tellWork() {
        if (hasNoCalls())
            return;
        add("work_queued_before", Severity::Info, m_queuedBefore,
            counted(m_queuedBefore.count, "GPU operation was submitted before the capture began: ",
                    "GPU operations were submitted before the capture began: ") +
                "the file cannot hold the launch.");
        add("work_without_id", Severity::Info, m_withoutId,
            counted(m_withoutId.count,
                    "GPU operation carries no correlation id: ", "GPU operations carry no correlation id: ") +
                "the launch is unknown.");
        add("work_before_launch", m_worstEarlyNs > kRoundingNs ? Severity::Warning : Severity::Info, m_early,
            counted(m_early.count, "GPU operation starts before its launch call, ",
                    "GPU operations start before their launch calls, ") +
                "at worst by " + formatDuration({m_worstEarlyNs}) + ": the clocks of host and GPU disagree.");
    }

    const Trace& m_trace;
    const EventTable& m_events;
    DetailReader* m_details;
    JobControl& m_job;
    std::vector<std::uint8_t> m_names;          // bits by name
    std::map<std::uint32_t, IdBounds> m_bounds; // by domain
    std::map<ProcessId, std::vector<TimeRange>> m_captures;
    std::vector<EventId> m_silent; // launches without device work, neither captured nor at the end
    Found m_atEnd, m_withoutCall, m_queuedBefore, m_withoutId, m_early;
    std::uint64_t m_ops = 0, m_calls = 0;
    std::int64_t m_worstEarlyNs = 0;
    bool m_hasHostRows = false;
};

} // namespace

Result<Completeness> checkCompleteness(const Trace& trace, DetailReader* details, JobControl& job) {
    Checks checks(trace, details, job);
    Completeness completeness;
    const bool isDone = checks.run();
    if (isDone)
        completeness.contents = captureContents(trace, details, job);
    if (!isDone || job.cancelled())
        return cancelledError();
    completeness.notes = std::move(checks.notes);
    return completeness;
}

std::vector<Issue> allNotes(const ImportReport& report, const Completeness& completeness) {
    std::vector<Issue> notes = report.issues();
    notes.insert(notes.end(), completeness.notes.begin(), completeness.notes.end());
    return notes;
}

bool isComplete(const ImportReport& report, const Completeness& completeness) {
    const auto isHarmless = [](const Issue& note) { return note.severity == Severity::Info; };
    return !report.isPartial() && std::all_of(report.issues().begin(), report.issues().end(), isHarmless) &&
           std::all_of(completeness.notes.begin(), completeness.notes.end(), isHarmless);
}

} // namespace lacuna
