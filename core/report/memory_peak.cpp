// memory_peak: which blocks were in use when the allocator had given out most: a row per device and per
// operator that allocated them. Lifetimes decide: a block that was freed before is not in it, however large.
// An operator need not own what it allocated; who still needs it is told by when it was freed.

#include "core/base/text_format.h"
#include "core/report/memory_marks.h"
#include "core/report/memory_reports.h"
#include "core/trace/row_poll.h"
#include "core/trace/strip_query.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace lacuna::reports {

namespace {

struct MemoryOwner {       // of one device, or of the host
    bool isOfHost = false; // devices come first
    std::int64_t device = 0;
    friend auto operator<=>(const MemoryOwner&, const MemoryOwner&) = default;
};

std::string ownerName(const MemoryOwner& memory) {
    return memory.isOfHost ? "CPU" : "GPU " + std::to_string(memory.device);
}

// What is in use after each mark of one memory: as the allocator says; where it never does, the sum of the
// changes, which begins at an unknown level.
struct UseLevels {
    std::vector<std::int64_t> bytes; // by mark
    bool isKnown = false;
};
std::optional<UseLevels> levelsOf(const std::vector<AllocatorMark>& marks, RowPoll& poll) {
    UseLevels levels;
    for (const AllocatorMark& mark : marks) {
        levels.isKnown = levels.isKnown || mark.allocated.value_or(0) != 0;
        if (!poll.tick())
            return std::nullopt;
    }
    std::int64_t sum = 0;
    for (const AllocatorMark& mark : marks) {
        sum = levels.isKnown ? mark.allocated.value_or(sum + mark.bytes) : sum + mark.bytes;
        levels.bytes.push_back(sum);
        if (!poll.tick())
            return std::nullopt;
    }
    return levels;
}

// The mark after which most is in use; of a range also the last one before it. None: nothing in the range, or
// cancelled.
std::optional<std::size_t> peakOf(const std::vector<AllocatorMark>& marks, const UseLevels& levels,
                                  std::optional<TimeRange> range, RowPoll& poll) {
    std::size_t first = 0, last = marks.size();
    if (range) {
        const auto time = [](const AllocatorMark& m) { return m.timeNs; };
        first = static_cast<std::size_t>(std::ranges::upper_bound(marks, range->begin.v, {}, time) -
                                         marks.begin());
        last =
            static_cast<std::size_t>(std::ranges::lower_bound(marks, range->end.v, {}, time) - marks.begin());
        first -= first > 0 ? 1 : 0;
    }
    if (first >= last)
        return std::nullopt;
    std::size_t peak = first;
    for (std::size_t m = first; m < last; ++m) {
        if (levels.bytes[m] > levels.bytes[peak])
            peak = m;
        if (!poll.tick())
            return std::nullopt;
    }
    return peak;
}

// Numbers of the marks whose blocks are in use after mark `peak`, and of each the mark that frees it. None:
// cancelled.
struct LiveBlock {
    std::size_t mark = 0;
    std::optional<std::size_t> freed;
};
std::optional<std::vector<LiveBlock>> liveAt(const std::vector<AllocatorMark>& marks, std::size_t peak,
                                             RowPoll& poll) {
    std::map<std::int64_t, std::size_t> live; // address -> mark
    for (std::size_t m = 0; m <= peak; ++m) {
        if (!poll.tick())
            return std::nullopt;
        if (!marks[m].address)
            continue;
        if (marks[m].bytes > 0)
            live[*marks[m].address] = m;
        else
            live.erase(*marks[m].address);
    }
    std::map<std::int64_t, std::size_t> blockOf; // address -> number of its block
    std::vector<LiveBlock> blocks;
    for (const auto& [address, mark] : live) {
        if (!poll.tick())
            return std::nullopt;
        blockOf[address] = blocks.size();
        blocks.push_back({mark, std::nullopt});
    }
    for (std::size_t m = peak + 1; m < marks.size(); ++m) {
        if (!poll.tick())
            return std::nullopt;
        if (marks[m].address)
            if (const auto block = blockOf.find(*marks[m].address); block != blockOf.end()) {
                blocks[block->second].freed = m; // or reused: then it was freed before
                blockOf.erase(block);
            }
    }
    return blocks;
}

// The innermost operator around a mark on its thread; none.
EventId allocatingOperator(const Trace& trace, EventId mark) {
    const Lane& own = trace.lane(trace.laneOf(mark));
    const TimeNs at = trace.events().range(mark).begin;
    EventId found;
    for (std::uint32_t k = 0; k < trace.lanes().size(); ++k) {
        const Lane& lane = trace.lane({k});
        if (lane.kind != LaneKind::CpuThread || lane.thread != own.thread)
            continue;
        for (std::uint32_t s = lane.firstStrip.v; s < lane.firstStrip.v + lane.depth; ++s)
            if (const auto event = eventAt(trace, {s}, at);
                event && trace.events().kind[event->v] == EventKind::CpuOp)
                found = *event;
    }
    return found;
}

struct Holder { // of memory at the peak: an operator's name
    std::int64_t bytes = 0, blocks = 0, largest = 0;
    EventId mark; // of the largest
    std::int64_t firstNs = INT64_MAX, lastFreedNs = INT64_MIN;
    std::int64_t kept = 0; // blocks that are not freed in the trace
};

// Incomplete when the job was cancelled.
void addMemory(ReportTable& table, const ReportInput& input, const MemoryOwner& memory,
               const std::vector<AllocatorMark>& marks, RowPoll& poll) {
    const Trace& trace = input.trace;
    const auto levels = levelsOf(marks, poll);
    const auto peak = levels ? peakOf(marks, *levels, input.options.range, poll) : std::nullopt;
    const auto blocks = peak ? liveAt(marks, *peak, poll) : std::nullopt;
    if (!blocks)
        return;
    std::map<std::string_view, Holder> holders;
    std::int64_t known = 0;
    for (const LiveBlock& block : *blocks) {
        if (!poll.tick())
            return;
        const AllocatorMark& mark = marks[block.mark];
        const EventId op = allocatingOperator(trace, mark.event);
        Holder& holder = holders[op ? trace.nameOf(op) : std::string_view("(outside any operator)")];
        known += mark.bytes;
        holder.bytes += mark.bytes;
        ++holder.blocks;
        if (mark.bytes > holder.largest) {
            holder.largest = mark.bytes;
            holder.mark = mark.event;
        }
        holder.firstNs = std::min(holder.firstNs, mark.timeNs);
        if (block.freed)
            holder.lastFreedNs = std::max(holder.lastFreedNs, marks[*block.freed].timeNs);
        else
            ++holder.kept;
    }
    const std::int64_t total = levels->bytes[*peak];
    std::vector<std::pair<std::string_view, Holder>> ordered(holders.begin(), holders.end());
    std::ranges::stable_sort(ordered, std::ranges::greater(),
                             [](const auto& one) { return one.second.bytes; });
    for (const auto& [name, holder] : ordered) {
        auto row = table.addRow();
        row.about(holder.mark)
            .text(ownerName(memory))
            .text(name)
            .integer(holder.blocks)
            .integer(holder.bytes)
            .ratio(100 * holder.bytes, total)
            .integer(holder.largest)
            .ns(holder.firstNs);
        holder.kept == 0 ? row.ns(holder.lastFreedNs) : row.empty();
        row.integer(holder.kept);
    }
    if (levels->isKnown && total != known) {
        auto row = table.addRow();
        row.text(ownerName(memory)).text("(allocated before the trace)").empty().integer(total - known);
        row.ratio(100 * (total - known), total).empty().empty().empty().empty();
    }
    table.addNote(ownerName(memory) + ": " + (levels->isKnown ? "peak allocated " : "peak above the start ") +
                  std::to_string(total / kMebibyte) + " MiB at " + formatExact({marks[*peak].timeNs}) + ".");
}

} // namespace

Result<ReportTable> memoryPeak(const ReportInput& input, JobControl& job) {
    if (job.cancelled())
        return cancelledError();
    const auto marks = allocatorMarks(input, job);
    if (!marks)
        return marks.error();
    std::map<MemoryOwner, std::vector<AllocatorMark>> memories;
    RowPoll poll(job);
    for (const AllocatorMark& mark : *marks) {
        if (!poll.tick())
            return cancelledError();
        if (!input.options.device || (mark.isOnDevice && mark.device == *input.options.device))
            memories[{!mark.isOnDevice, mark.isOnDevice ? mark.device : 0}].push_back(mark);
    }
    ReportTable table({textColumn("Memory"), textColumn("Allocated By"), integerColumn("Blocks"),
                       integerColumn("Bytes"), decimalColumn("Share of Peak (%)", 2),
                       integerColumn("Largest (bytes)"), nsColumn("First Allocated (ns)"),
                       nsColumn("Last Freed (ns)"), integerColumn("Still Live")});
    for (const auto& [memory, ofIt] : memories) {
        addMemory(table, input, memory, ofIt, poll);
        if (job.cancelled())
            return cancelledError();
    }
    if (table.rows() == 0)
        table.addNote("The trace does not tell which blocks were in use. PyTorch records it with "
                      "profile_memory=True.");
    return table;
}

} // namespace lacuna::reports
