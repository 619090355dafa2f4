// memory: the curves of memory in use that a trace has: the peak, when it began and how long it held, and the
// first and last level.

#include "core/analysis/memory_tracks.h"
#include "core/report/memory_reports.h"
#include "core/report/report_rows.h"

#include <algorithm>
#include <string>
#include <vector>

namespace lacuna::reports {

namespace {

// Samples [first, last) that say what was in use in the range: those in it, and the one that holds at its
// begin.
std::pair<std::size_t, std::size_t> samplesOf(const CounterTrack& track, std::optional<TimeRange> range) {
    if (!range)
        return {0, track.timeNs.size()};
    const auto begin = track.timeNs.begin(), end = track.timeNs.end();
    auto first = std::ranges::upper_bound(begin, end, range->begin.v);
    if (first != begin)
        --first;
    const auto last = std::ranges::lower_bound(begin, end, range->end.v);
    return {static_cast<std::size_t>(first - begin), static_cast<std::size_t>(std::max(first, last) - begin)};
}

// How long the value of a sample held: until another one follows; the last to the end of the trace. Cut to
// the range.
TimeRange heldIn(const ReportInput& input, const CounterTrack& track, std::size_t sample) {
    const TimeRange all = input.options.range.value_or(input.trace.window());
    const double value = track.value[sample];
    std::size_t next = sample + 1;
    while (next < track.timeNs.size() && track.value[next] == value)
        ++next;
    const std::int64_t begin = std::max(track.timeNs[sample], all.begin.v);
    const std::int64_t end = next < track.timeNs.size() ? track.timeNs[next] : all.end.v;
    return {{begin}, {std::max(begin, std::min(end, all.end.v))}};
}

} // namespace

Result<ReportTable> memory(const ReportInput& input, JobControl& job) {
    ReportTable table({integerColumn("Device"), textColumn("Track"), integerColumn("Peak (bytes)"),
                       integerColumn("Peak (MiB)"), nsColumn("Start (ns)"), nsColumn("Duration (ns)"),
                       integerColumn("First (bytes)"), integerColumn("Last (bytes)"),
                       integerColumn("Samples")});
    if (job.cancelled())
        return cancelledError();
    for (const CounterTrack& track : input.trace.counters()) {
        if (job.cancelled())
            return cancelledError();
        const std::optional<std::int64_t> device =
            track.device ? std::optional(input.trace.devices()[track.device.v].ordinal) : std::nullopt;
        if (!isMemoryTrack(track) || (input.options.device && device != input.options.device))
            continue;
        const auto [first, last] = samplesOf(track, input.options.range);
        if (first == last)
            continue;
        const auto begin = track.value.begin();
        const auto from = begin + static_cast<std::ptrdiff_t>(first);
        const auto peak = std::max_element(from, begin + static_cast<std::ptrdiff_t>(last));
        const TimeRange held = heldIn(input, track, static_cast<std::size_t>(peak - begin));
        const auto bytes = static_cast<std::int64_t>(*peak);
        table.addRow()
            .integer(device)
            .text(track.name)
            .integer(bytes)
            .integer(bytes / kMebibyte)
            .ns(held.begin.v)
            .ns(held.length().v)
            .integer(static_cast<std::int64_t>(*from))
            .integer(static_cast<std::int64_t>(track.value[last - 1]))
            .integer(static_cast<std::int64_t>(last - first));
    }
    if (table.rows() == 0)
        table.addNote("The trace has no memory curve. PyTorch records one with profile_memory=True, Nsight "
                      "Systems with --cuda-memory-usage=true.");
    return table;
}

} // namespace lacuna::reports
