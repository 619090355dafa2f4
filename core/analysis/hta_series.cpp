#include "core/analysis/hta_series.h"

#include "core/analysis/quicksort_order.h"
#include "core/base/huge_pages.h"
#include "core/trace/api_name.h"
#include "core/trace/union_of.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

namespace lacuna {

namespace {

// Calls that put something into a queue, as that tool lists them.
constexpr std::array<std::string_view, 12> kHtaQueueCalls{
    "cudaLaunchKernel",      "cudaLaunchKernelExC", "cuLaunchKernel",      "cuLaunchKernelEx",
    "cudaMemcpyAsync",       "cudaMemsetAsync",     "hipLaunchKernel",     "hipExtModuleLaunchKernel",
    "hipModuleLaunchKernel", "hipMemcpyAsync",      "hipMemcpyWithStream", "hipMemsetAsync"};

template <class Value> struct HtaChange {
    std::int64_t timeNs;
    Value by;
    std::uint32_t group; // number of the stream or operation
};

// Stable, or as pandas leaves equal times.
template <class Value>
bool sortChanges(std::vector<HtaChange<Value>>& changes, bool asPandas, RowPoll& poll) {
    if (!asPandas) {
        return sortRows(changes, poll, [](const HtaChange<Value>& a, const HtaChange<Value>& b) {
            return a.timeNs < b.timeNs;
        });
    }
    std::vector<std::int64_t> times;
    times.reserve(changes.size());
    for (const HtaChange<Value>& change : changes)
        times.push_back(change.timeNs);
    const std::vector<std::uint32_t> order = quicksortOrder(times, poll);
    std::vector<HtaChange<Value>> sorted;
    sorted.reserve(order.size());
    for (const std::uint32_t row : order)
        sorted.push_back(changes[row]);
    changes.swap(sorted);
    return order.size() == times.size();
}

// Rows that have a launching call, in the order of the file: of the calls, or of the operations.
std::vector<const HtaRow*> inFileOrder(const Trace& trace, std::vector<const HtaRow*> rows, bool byCall,
                                       RowPoll& poll) {
    const auto& source = trace.events().source;
    const auto place = [&](const HtaRow* row) { return source[(byCall ? row->call : row->event).v]; };
    sortRows(rows, poll, [&](const HtaRow* a, const HtaRow* b) { return place(a) < place(b); });
    return rows;
}

// That tool takes the number of the first row of a file for "no row": a call whose operation stands there
// does not count.
std::uint64_t firstPlaceOf(const Trace& trace, RowPoll& poll) {
    const EventTable& events = trace.events();
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t e = 0; e < events.size() && poll.tick(); ++e)
        if (events.kind[e] != EventKind::Instant)
            first = std::min(first, events.source[e]);
    return first;
}

bool isQueueCall(const Trace& trace, EventId call) {
    return std::find(kHtaQueueCalls.begin(), kHtaQueueCalls.end(), stripApiVersion(trace.nameOf(call))) !=
           kHtaQueueCalls.end();
}

struct HtaCopy {
    std::uint32_t group;
    std::int64_t beginNs, endNs;
    double gbPerSecond;
};

std::optional<HtaCopy> copyOf(const Trace& trace, const HtaRow& row, std::optional<double> recorded,
                              bool wholeUs, std::uint32_t group) {
    const CopyArgs* args = trace.hotArgs().copies.find(row.event);
    const std::int64_t duration = trace.events().duration(row.event).v;
    if (!recorded && (args == nullptr || args->bytes == 0 || duration == 0)) // not told
        return std::nullopt;
    const double gbPerSecond =
        recorded ? *recorded : static_cast<double>(args->bytes) / static_cast<double>(duration);
    const bool isWidened = wholeUs && row.endNs == row.beginNs;
    return HtaCopy{group, row.beginNs, isWidened ? row.beginNs + 1'000 : row.endNs, gbPerSecond};
}

void addPoints(const std::vector<HtaChange<double>>& changes, bool keepsRest,
               std::vector<HtaBandwidth>& into) {
    std::vector<double> sums(into.size(), 0);
    std::vector<std::int64_t> atWork(into.size(), 0);
    for (const HtaChange<double>& change : changes) {
        double& sum = sums[change.group];
        sum += change.by;
        atWork[change.group] += std::signbit(change.by) ? -1 : 1; // also of 0 GB/s
        if (atWork[change.group] == 0 && !keepsRest)
            sum = 0;
        into[change.group].timeNs.push_back(change.timeNs);
        into[change.group].gbPerSecond.push_back(std::max(sum, 0.0));
    }
}

std::optional<double> numberOfField(const EventDetails& details, std::string_view field) {
    for (const auto& [name, text] : details.fields)
        if (name == field) {
            double value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            return error == std::errc() ? std::optional(value) : std::nullopt;
        }
    return std::nullopt;
}

} // namespace

std::string htaOperationName(const Trace& trace, EventId row) {
    constexpr std::size_t kNameLength = 11;
    const std::string_view name = trace.nameOf(row);
    if (name.starts_with("Memset") || trace.events().kind[row.v] == EventKind::Memset)
        return "Memset";
    if (name.starts_with("Memcpy"))
        return std::string(name.substr(0, kNameLength));
    const CopyArgs* args = trace.hotArgs().copies.find(row);
    switch (args == nullptr ? CopyKind::Unknown : args->kind) {
    case CopyKind::HtoD:
        return "Memcpy HtoD";
    case CopyKind::DtoH:
        return "Memcpy DtoH";
    case CopyKind::DtoD:
        return "Memcpy DtoD";
    case CopyKind::PeerToPeer:
        return "Memcpy PtoP";
    default:
        return "Memcpy Unknown";
    }
}

Result<std::vector<HtaQueue>> htaQueues(const Trace& trace, const std::vector<HtaRow>& rows,
                                        const HtaOptions& options, JobControl& job) {
    RowPoll poll(job);
    const bool isHta = options.listedCallsOnly;
    const std::uint64_t skipped = isHta ? firstPlaceOf(trace, poll) : 0;
    std::map<std::int64_t, std::uint32_t> numbers; // of streams, ascending
    std::vector<const HtaRow*> queued;
    for (const HtaRow& row : rows) {
        if (!poll.tick())
            return cancelledError();
        if (row.cls == HtaClass::Sync || !row.call ||
            (isHta && (!isQueueCall(trace, row.call) || trace.events().source[row.event.v] == skipped)))
            continue;
        numbers.emplace(row.stream, 0U);
        queued.push_back(&row);
    }
    std::vector<HtaQueue> queues;
    queues.reserve(numbers.size());
    for (auto& [stream, number] : numbers) {
        number = static_cast<std::uint32_t>(queues.size());
        queues.push_back({stream, {}, {}});
    }
    std::vector<HtaChange<std::int32_t>> changes;
    reserveHuge(changes, 2 * queued.size());
    for (const HtaRow* row : inFileOrder(trace, queued, true, poll)) {
        if (!poll.tick())
            return cancelledError();
        changes.push_back({row->callBeginNs, 1, numbers[row->stream]});
    }
    for (const HtaRow* row : inFileOrder(trace, queued, false, poll)) {
        if (!poll.tick())
            return cancelledError();
        changes.push_back({row->beginNs, -1, numbers[row->stream]});
    }
    if (!sortChanges(changes, isHta, poll) || job.cancelled())
        return cancelledError();
    std::vector<std::int32_t> length(queues.size(), 0);
    for (const HtaChange<std::int32_t>& change : changes) {
        if (!poll.tick())
            return cancelledError();
        HtaQueue& queue = queues[change.group];
        length[change.group] += change.by;
        if (!isHta && !queue.timeNs.empty() && queue.timeNs.back() == change.timeNs) {
            queue.length.back() = length[change.group];
            continue;
        }
        queue.timeNs.push_back(change.timeNs);
        queue.length.push_back(length[change.group]);
    }
    return queues;
}

std::int64_t htaBlockedNs(const HtaQueue& queue, std::int32_t limit) {
    std::int64_t blocked = 0;
    for (std::size_t i = 0; i + 1 < queue.timeNs.size(); ++i)
        if (queue.length[i] >= limit)
            blocked += queue.timeNs[i + 1] - queue.timeNs[i];
    return blocked;
}

Result<std::vector<std::optional<double>>> htaRecordedBandwidths(const Trace& trace, DetailReader* details,
                                                                 const std::vector<HtaRow>& rows,
                                                                 JobControl& job) {
    std::vector<std::optional<double>> recorded;
    if (details == nullptr || !trace.facts().format.ends_with("json"))
        return recorded;
    recorded.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].cls != HtaClass::Memory)
            continue;
        if (job.cancelled())
            return cancelledError();
        const auto found = details->read({trace.events().source[rows[i].event.v]});
        if (!found)
            return found.error();
        recorded[i] = numberOfField(*found, "args.memory bandwidth (GB/s)");
    }
    return recorded;
}

Result<std::vector<HtaBandwidth>> htaBandwidths(const Trace& trace, const std::vector<HtaRow>& rows,
                                                std::span<const std::optional<double>> recorded,
                                                const HtaOptions& options, JobControl& job) {
    RowPoll poll(job);
    std::map<std::string, std::uint32_t> numbers;
    std::vector<std::pair<const HtaRow*, std::string>> operations;
    for (const HtaRow& row : rows) {
        if (!poll.tick())
            return cancelledError();
        if (row.cls == HtaClass::Memory)
            operations.emplace_back(&row, htaOperationName(trace, row.event));
    }
    for (const auto& [row, operation] : operations) {
        if (!poll.tick())
            return cancelledError();
        numbers.emplace(operation, 0U);
    }
    std::vector<HtaBandwidth> result(numbers.size());
    std::vector<std::vector<TimeRange>> ranges(numbers.size());
    std::uint32_t next = 0;
    for (auto& [operation, number] : numbers) {
        number = next++;
        result[number].operation = operation;
    }
    std::vector<std::pair<std::uint64_t, HtaCopy>> copies; // by place in the file
    for (const auto& [row, operation] : operations) {
        if (!poll.tick())
            return cancelledError();
        const std::uint32_t group = numbers[operation];
        const CopyArgs* args = trace.hotArgs().copies.find(row->event);
        ++result[group].count;
        const std::int64_t bytes = args == nullptr ? 0 : args->bytes;
        result[group].bytes = saturatingAdd(result[group].bytes, bytes);
        result[group].untold += bytes == 0 ? 1 : 0;
        ranges[group].push_back({{row->beginNs}, {row->endNs}});
        const auto place = static_cast<std::size_t>(row - rows.data());
        if (const auto copy = copyOf(trace, *row, recorded.empty() ? std::nullopt : recorded[place],
                                     options.wholeUs, group))
            copies.emplace_back(trace.events().source[row->event.v], *copy);
    }
    for (std::size_t group = 0; group < result.size(); ++group)
        if (const auto united = unionOf(std::move(ranges[group]), poll))
            result[group].unionNs = united->measure().v;
    if (!sortRows(copies, poll, [](const auto& a, const auto& b) { return a.first < b.first; }))
        return cancelledError();
    std::vector<HtaChange<double>> changes;
    changes.reserve(2 * copies.size());
    for (const auto& [place, copy] : copies)
        changes.push_back({copy.beginNs, copy.gbPerSecond, copy.group});
    for (const auto& [place, copy] : copies)
        changes.push_back({copy.endNs, -copy.gbPerSecond, copy.group});
    if (!sortChanges(changes, options.listedCallsOnly, poll))
        return cancelledError();
    addPoints(changes, options.listedCallsOnly, result);
    return result;
}

} // namespace lacuna
