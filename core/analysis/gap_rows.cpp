#include "core/analysis/gap_rows.h"

#include "core/analysis/host_lanes.h"
#include "core/base/column.h"
#include "core/base/lower_median.h"
#include "core/base/poll.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace lacuna::gaps {

namespace {

bool isPinnedOrDevice(const CopyArgs& copy) {
    if (copy.kind == CopyKind::DtoD || copy.kind == CopyKind::PeerToPeer)
        return true;
    return copy.src == MemKind::Pinned || copy.dst == MemKind::Pinned;
}

bool isPageable(const CopyArgs& copy) {
    return (copy.kind == CopyKind::HtoD && copy.src == MemKind::Pageable) ||
           (copy.kind == CopyKind::DtoH && copy.dst == MemKind::Pageable);
}

} // namespace

struct RowFacts::Builder {
    const Trace& trace;
    const HostTree& tree;
    const GapThresholds& thresholds;
    NameFacts& names;
    RowFacts& facts;
    std::size_t lastCopy = 0; // found last: calls and their copies come in one order, nearly

    const CopyArgs* copyOf(EventId op) {
        const Column<CopyArgs>& copies = trace.hotArgs().copies.rows();
        for (std::size_t at = lastCopy; at < std::min(copies.size(), lastCopy + 4); ++at)
            if (copies[at].event == op) {
                lastCopy = at;
                return &copies[at];
            }
        const CopyArgs* const copy = trace.hotArgs().copies.find(op);
        if (copy != nullptr)
            lastCopy = static_cast<std::size_t>(copy - copies.data());
        return copy;
    }

    std::uint8_t inherited(HostRow row) const {
        const HostRow parent = tree.parent(row);
        return parent ? static_cast<std::uint8_t>(facts.m_class[parent.v] & (kUnderCompile | kUnderApi))
                      : std::uint8_t{0};
    }
    void set(HostRow row, PieceClass cls, GapCause cause, std::uint8_t bits) {
        // Pieces in or under a name that tells of compiling, waits excepted (table of 4.6).
        if ((bits & kUnderCompile) != 0 && cause != GapCause::HostBlockedOther)
            cause = GapCause::Compile;
        facts.m_class[row.v] = static_cast<std::uint8_t>(static_cast<unsigned>(cls) << kBits | bits);
        const auto place = std::find(kHostCauses.begin(), kHostCauses.end(), cause) - kHostCauses.begin();
        assert(place < static_cast<std::ptrdiff_t>(kHostCauses.size()));
        // Rows come in ascending order: the even one clears the byte.
        std::uint8_t& pair = facts.m_cause[row.v / 2];
        pair = static_cast<std::uint8_t>(row.v % 2 == 0 ? place
                                                        : (pair & 15u) | static_cast<unsigned>(place) << 4);
    }
    Hold holdOf(EventId call, StringId name, bool& holds);
    void addApiCall(HostRow row, ThreadCalls& calls, ProcessId process);
    void addHostRow(HostRow row);
    bool addThread(ThreadId thread, JobControl& job);
};

// How a copy call held its thread. A call may own several copies: the last end counts.
Hold RowFacts::Builder::holdOf(EventId call, StringId name, bool& holds) {
    holds = false;
    const EventTable& events = trace.events();
    const TimeRange range = events.range(call);
    std::int64_t lastEnd = INT64_MIN, opNs = 0, coveredNs = 0;
    bool excepted = false, pageable = false;
    for (const EventId op : trace.correlations().deviceOps(events.correlation[call.v])) {
        if (events.kind[op.v] != EventKind::Memcpy)
            continue;
        const CopyArgs* copy = copyOf(op);
        const TimeRange opRange = events.range(op);
        lastEnd = std::max(lastEnd, opRange.end.v);
        opNs += opRange.length().v;
        coveredNs += intersection(range, opRange).length().v;
        excepted = excepted || (copy != nullptr && isPinnedOrDevice(*copy));
        pageable = pageable || (copy != nullptr && isPageable(*copy));
    }
    if (lastEnd == INT64_MIN)
        return Hold::Waits;
    if (range.end.v >= lastEnd && !(excepted && names.has(name, NameFacts::kAsync))) {
        holds = true;
        return Hold::Waits;
    }
    holds = pageable && opNs > 0 &&
            static_cast<double>(coveredNs) >= thresholds.pageableShare * static_cast<double>(opNs);
    return Hold::Copy;
}

void RowFacts::Builder::addApiCall(HostRow row, ThreadCalls& calls, ProcessId process) {
    const EventTable& events = trace.events();
    const EventId event = tree.event(row);
    const StringId name = events.name[event.v];
    const TimeRange range = events.range(event);
    const std::uint8_t inheritedBits = inherited(row);
    const bool outermost = (inheritedBits & kUnderApi) == 0;
    const auto bits = static_cast<std::uint8_t>(inheritedBits | kUnderApi);
    const auto hold = [&](Hold how) {
        if (outermost)
            calls.holding.push_back({range.begin.v, range.end.v, row, how});
    };
    const ApiFamily family = names.family(name);
    if (outermost &&
        (family == ApiFamily::Sync || family == ApiFamily::Allocation || family == ApiFamily::Module))
        calls.lockers.push_back(row);
    switch (family) {
    case ApiFamily::Sync:
        set(row, PieceClass::SyncApi, GapCause::HostBlockedOther, bits);
        hold(Hold::Waits);
        return;
    case ApiFamily::Copy: {
        bool holds = false;
        const Hold how = holdOf(event, name, holds);
        const bool blocks = holds && how == Hold::Waits;
        set(row, blocks ? PieceClass::BlockingCopy : PieceClass::Api,
            blocks ? GapCause::HostBlockedOther : GapCause::HostWork, bits);
        if (holds)
            hold(how);
        return;
    }
    case ApiFamily::Allocation:
        set(row, PieceClass::Allocation, GapCause::Allocation, bits);
        if (names.has(name, NameFacts::kFree))
            hold(Hold::MayWait);
        return;
    case ApiFamily::Module:
        set(row, PieceClass::Module, GapCause::ModuleLoad, bits);
        return;
    case ApiFamily::Link:
        set(row, PieceClass::Module, GapCause::Compile, bits);
        return;
    case ApiFamily::Launch:
        set(row, PieceClass::Launch, GapCause::HostWork, bits);
        if (outermost && names.has(name, NameFacts::kDeviceLaunch) &&
            trace.correlations().deviceOps(events.correlation[event.v]).empty())
            facts.m_barren[process.v].push_back(event);
        return;
    case ApiFamily::Other:
        break;
    }
    set(row, PieceClass::Api, GapCause::HostWork, bits);
    if (names.has(name, NameFacts::kStreamWait))
        calls.streamWaits.push_back(row);
    if (names.has(name, NameFacts::kEventRecord))
        calls.eventRecords.push_back(row);
}

void RowFacts::Builder::addHostRow(HostRow row) {
    const EventTable& events = trace.events();
    const EventId event = tree.event(row);
    const StringId name = events.name[event.v];
    const EventKind kind = events.kind[event.v];
    std::uint8_t bits = inherited(row);
    if (kind == EventKind::OsRuntime) {
        if ((bits & kUnderApi) != 0) {
            const HostRow parent = tree.parent(row);
            set(row, facts.cls(parent), facts.cause(parent), static_cast<std::uint8_t>(bits | kDetail));
        } else {
            set(row, PieceClass::OsWait, GapCause::OsWait, bits);
        }
        return;
    }
    if (kind == EventKind::Overhead) {
        const std::string_view text = trace.strings().view(name);
        const bool compiles = isCompilerOverhead(text), loads = isModuleOverhead(text);
        set(row, compiles || loads ? PieceClass::Module : PieceClass::Overhead,
            compiles ? GapCause::Compile
            : loads  ? GapCause::ModuleLoad
                     : GapCause::ProfilerArtifact,
            bits);
        return;
    }
    if (names.has(name, NameFacts::kCompiling))
        bits |= kUnderCompile;
    const GapCause work = names.has(name, NameFacts::kCollection) ? GapCause::Gc : GapCause::HostWork;
    if (kind == EventKind::Python) {
        set(row, PieceClass::Python, work, bits);
    } else if (names.has(name, NameFacts::kDataLoading)) {
        set(row, PieceClass::DataLoading, GapCause::DataLoading, bits);
    } else if (kind == EventKind::Range) {
        if (names.has(name, NameFacts::kStep))
            bits |= kStepMark;
        set(row, PieceClass::Range, work, bits);
    } else {
        set(row, PieceClass::Operator, work, bits);
    }
}

bool RowFacts::Builder::addThread(ThreadId thread, JobControl& job) {
    const HostTree::ThreadPart& part = tree.part(thread);
    ThreadCalls& calls = facts.m_calls[thread.v];
    const Thread& info = trace.threads()[thread.v];
    for (HostRow row{part.firstRow}; row.v < part.lastRow; ++row.v) {
        if (isHostCall(tree.kind(row)))
            addApiCall(row, calls, info.process);
        else
            addHostRow(row);
        if ((row.v & (kRowsPerPoll - 1)) == 0) {
            job.countEvents(kRowsPerPoll);
            if (job.cancelled())
                return false;
        }
    }
    return true;
}

Result<RowFacts> RowFacts::build(const Trace& trace, const HostTree& tree, const GapThresholds& thresholds,
                                 NameFacts& names, JobControl& job) {
    RowFacts facts;
    facts.m_class.resize(tree.size());
    facts.m_cause.resize((tree.size() + 1) / 2);
    facts.m_calls.resize(trace.threads().size());
    Builder builder{trace, tree, thresholds, names, facts};
    for (std::uint32_t i = 0; i < trace.threads().size(); ++i)
        if (!builder.addThread(ThreadId{i}, job))
            return cancelledError();
    for (auto& [process, launches] : facts.m_barren)
        std::sort(launches.begin(), launches.end(), [&](EventId a, EventId b) {
            return trace.events().beginNs[a.v] < trace.events().beginNs[b.v];
        });
    return facts;
}

CallMedians CallMedians::of(const Trace& trace, const HostTreeOptions& options, JobControl& job) {
    const EventTable& events = trace.events();
    // False once the job is cancelled.
    const auto forEachCall = [&](const auto& take) {
        for (const Strip& strip : trace.strips()) {
            if (!isHostLane(trace.lane(strip.lane), options))
                continue;
            // Rows are not told to the job: another thread counts the host's rows between its own polls.
            for (std::uint32_t row = strip.first.v; row < strip.last.v; ++row) {
                if (isHostCall(events.kind[row]))
                    take(row);
                if ((row & (kRowsPerPoll - 1)) == 0 && job.cancelled())
                    return false;
            }
        }
        return true;
    };
    std::vector<std::uint32_t> first(trace.strings().size() + 1, 0); // of the durations of a name
    if (!forEachCall([&](std::uint32_t row) { ++first[events.name[row].v + 1]; }))
        return {};
    std::partial_sum(first.begin(), first.end(), first.begin());
    WorkColumn<std::int64_t> durations(first.back()); // by name
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    if (!forEachCall([&](std::uint32_t row) {
            durations[next[events.name[row].v]++] = events.endNs[row] - events.beginNs[row];
        }))
        return {};
    CallMedians medians;
    for (std::uint32_t name = 0; name + 1 < first.size(); ++name)
        if (const std::uint32_t calls = first[name + 1] - first[name]; calls > 0) {
            if (job.cancelled())
                return {};
            medians.m_medians[name] = lowerMedian(std::span(durations).subspan(first[name], calls));
        }
    return medians;
}

std::int64_t CallMedians::of(StringId callName) const {
    const auto at = m_medians.find(callName.v);
    return at == m_medians.end() ? 0 : at->second;
}

std::int64_t RowFacts::medianDuration(StringId callName) const {
    return m_medians.of(callName);
}

const std::vector<EventId>& RowFacts::barrenLaunches(ProcessId process) const {
    const auto at = m_barren.find(process.v);
    return at == m_barren.end() ? m_none : at->second;
}

} // namespace lacuna::gaps
