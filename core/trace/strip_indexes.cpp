#include "core/trace/strip_indexes.h"

#include "core/trace/row_poll.h"
#include "core/trace/strip_blocks.h"

#include <algorithm>

namespace lacuna {

namespace {

constexpr std::size_t kStripRowsPerPiece = std::size_t{1} << 16;

bool buildStrip(const EventTable& events, const Strip& strip, std::span<std::int64_t> busy, EventId* longest,
                RowPoll& poll) {
    std::int64_t total = 0;
    std::uint32_t row = strip.first.v;
    for (std::size_t block = 0; block < busy.size(); ++block) {
        busy[block] = total;
        EventId best{row};
        const std::uint32_t end = row + std::min<std::uint32_t>(kRowsPerBlock, strip.last.v - row);
        for (; row < end; ++row) {
            total += events.duration({row}).v;
            if (events.duration({row}) > events.duration(best))
                best = EventId{row};
        }
        longest[block] = best;
        if (!poll.tick(kRowsPerBlock))
            return false;
    }
    // Each further level: the longest of 16 entries of the one below.
    for (std::size_t count = busy.size(); count > 1; count = blocksOf(count)) {
        EventId* const level = longest + count;
        for (std::size_t i = 0; i < count; ++i) {
            EventId& best = level[i / kRowsPerBlock];
            if (i % kRowsPerBlock == 0 || events.duration(longest[i]) > events.duration(best))
                best = longest[i];
        }
        longest = level;
    }
    return true;
}

} // namespace

void layStripIndexes(std::span<const Strip> strips, const StripIndexes& into) {
    std::size_t blocks = 0, entries = 0;
    into.busyFirst.reserve(strips.size());
    into.longestFirst.reserve(strips.size());
    for (const Strip& strip : strips) {
        into.busyFirst.push_back(blocks);
        into.longestFirst.push_back(entries);
        std::size_t level = blocksOf(strip.size());
        blocks += level;
        for (entries += level; level > 1; entries += level)
            level = blocksOf(level);
    }
    into.busy.resize(blocks);
    into.longest.resize(entries);
}

std::vector<std::pair<std::size_t, std::size_t>> stripPieces(std::span<const Strip> strips) {
    std::vector<std::pair<std::size_t, std::size_t>> pieces;
    std::size_t first = 0, rows = 0;
    for (std::size_t strip = 0; strip < strips.size(); ++strip) {
        rows += strips[strip].size();
        if (rows < kStripRowsPerPiece && strip + 1 < strips.size())
            continue;
        pieces.emplace_back(first, strip + 1);
        first = strip + 1;
        rows = 0;
    }
    return pieces;
}

bool buildStripPiece(const EventTable& events, std::span<const Strip> strips,
                     std::pair<std::size_t, std::size_t> piece, const StripIndexes& into,
                     const JobControl& job) {
    RowPoll poll(job);
    for (std::size_t s = piece.first; s < piece.second; ++s)
        if (!buildStrip(events, strips[s],
                        std::span(into.busy).subspan(into.busyFirst[s], blocksOf(strips[s].size())),
                        into.longest.data() + into.longestFirst[s], poll))
            return false;
    return !job.cancelled();
}

bool buildStripIndexes(const EventTable& events, std::span<const Strip> strips, const StripIndexes& into,
                       const JobControl& job) {
    layStripIndexes(strips, into);
    return buildStripPiece(events, strips, {0, strips.size()}, into, job);
}

} // namespace lacuna
