// A pass over the pixel columns of one strip, not over its events: gallop from the last position (steps as
// long as the previous column held events), jump over empty time, jump over an event's own columns. A column
// that one event touches belongs to that event's bar, one that several touch is a dense column of its own.
// Covered time comes from the prefix sums of the strip, so it is exact; a column is empty if and only if no
// event touches it (performance.md section 4).

#include "core/view/strip_bars.h"

#include "core/trace/strip_query.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lacuna {

namespace {

constexpr std::uint32_t kBlock = 16; // rows per entry of Trace::busyBlocks()

// 1 if and only if everything is covered, 0 if and only if nothing is.
float shareOf(std::int64_t covered, std::int64_t length) {
    if (covered >= length)
        return 1.0f;
    const auto share = static_cast<float>(static_cast<double>(covered) / static_cast<double>(length));
    return std::min(share, std::nextafter(1.0f, 0.0f));
}

bool isDeviceStrip(const Trace& trace, StripId strip) {
    return trace.lane(trace.strip(strip).lane).kind == LaneKind::GpuStream;
}

class StripPass {
public:
    StripPass(const Trace& trace, StripId strip, const PixelGrid& grid, std::uint16_t visibleStrip,
              LaneFrame& into)
        : m_trace(trace), m_strip(strip), m_grid(grid), m_visibleStrip(visibleStrip), m_bars(into.bars),
          m_parts(into.parts), m_hasKinds(isDeviceStrip(trace, strip)),
          m_begin(trace.events().beginNs.data()), m_end(trace.events().endNs.data()),
          m_base(trace.strip(strip).first.v), m_busy(trace.busyBlocks(strip)) {
        const auto [first, last] = eventsTouching(trace, strip, grid.range());
        m_row = first.v;
        m_last = last.v;
    }

    void run() {
        if (m_grid.isSubNs())
            return runSubNs();
        const std::vector<std::int64_t>& edge = m_grid.edges();
        const int width = m_grid.width();
        int x = 0;
        std::uint32_t guess = 1;
        while (m_row < m_last) {
            const auto ux = static_cast<std::size_t>(x);
            if (m_begin[m_row] >= edge[ux + 1]) {
                x = m_grid.columnOf(m_begin[m_row]);
                if (x >= width)
                    return;
                continue;
            }
            const std::uint32_t after = gallop(m_row + 1, edge[ux + 1], guess);
            guess = after - m_row;
            x = guess == 1 ? single(x, after) : dense(x, after);
            if (x >= width)
                return;
        }
    }

private:
    // First row from `low` on that begins at or after t; `step` is the likely distance.
    std::uint32_t gallop(std::uint32_t low, std::int64_t t, std::uint32_t step) const {
        std::uint32_t high = low; // rows before low begin before t
        while (high < m_last && m_begin[high] < t) {
            low = high + 1;
            high = step < m_last - high ? high + step : m_last;
            step *= step < (1u << 30) ? 2 : 1;
        }
        return static_cast<std::uint32_t>(std::lower_bound(m_begin + low, m_begin + high, t) - m_begin);
    }

    Bar bar(int x0, int x1, std::uint32_t count) const {
        Bar b;
        b.x0 = x0;
        b.x1 = x1;
        b.strip = m_visibleStrip;
        b.first = b.longest = {m_row};
        b.count = count;
        b.clippedLeft = x0 == 0 && m_begin[m_row] < m_grid.range().begin.v;
        b.clippedRight = x1 == m_grid.width() && m_end[m_row + count - 1] > m_grid.range().end.v;
        return b;
    }

    float columnShare(int x) const { // of the row m_row alone
        const TimeRange column = m_grid.columnRange(x);
        const std::int64_t covered =
            std::min(m_end[m_row], column.end.v) - std::max(m_begin[m_row], column.begin.v);
        return shareOf(std::max<std::int64_t>(0, covered), column.length().v);
    }

    // Only m_row touches column x. Returns the next column.
    int single(int x, std::uint32_t after) {
        const std::int64_t end = m_end[m_row];
        int x1 = std::max(x + 1, m_grid.columnAfter(end));
        const std::vector<std::int64_t>& edge = m_grid.edges();
        // The next row begins after this one's end: at most the last column is shared.
        const bool shared =
            x1 > x + 1 && after < m_last && m_begin[after] < edge[static_cast<std::size_t>(x1)];
        x1 -= shared ? 1 : 0;
        Bar b = bar(x, x1, 1);
        const TimeRange pixels{{edge[static_cast<std::size_t>(x)]}, {edge[static_cast<std::size_t>(x1)]}};
        const std::int64_t covered = std::min(end, pixels.end.v) - std::max(m_begin[m_row], pixels.begin.v);
        b.coverage = shareOf(covered, pixels.length().v);
        b.head = columnShare(x);
        b.tail = columnShare(x1 - 1);
        b.clippedRight = x1 == m_grid.width() && end > pixels.end.v;
        m_bars.push_back(b);
        if (!shared)
            ++m_row;
        return x1;
    }

    // Rows m_row ... after - 1 touch column x.
    int dense(int x, std::uint32_t after) {
        const auto ux = static_cast<std::size_t>(x);
        const std::int64_t left = m_grid.edges()[ux], right = m_grid.edges()[ux + 1];
        Bar b = bar(x, x + 1, after - m_row);
        std::int64_t covered = 0;
        if (after - m_row <= kBlock) {
            std::uint32_t longest = m_row;
            for (std::uint32_t row = m_row; row < after; ++row) {
                covered += m_end[row] - m_begin[row];
                if (m_end[row] - m_begin[row] > m_end[longest] - m_begin[longest])
                    longest = row;
            }
            b.longest = {longest};
        } else {
            covered = busyBefore(after) - busyBefore(m_row);
            b.longest = longestAmong(m_trace, m_strip, {m_row}, {after});
        }
        covered -= std::max<std::int64_t>(0, left - m_begin[m_row]);
        covered -= std::max<std::int64_t>(0, m_end[after - 1] - right);
        b.coverage = b.head = b.tail = shareOf(covered, right - left);
        if (m_hasKinds && covered > 0)
            addParts(b, {{left}, {right}}, covered);
        m_bars.push_back(b);
        m_row = m_end[after - 1] > right ? after - 1 : after;
        return x + 1;
    }

    // Covered time of a column by kind. Kernels are most of it: they are only counted, what is left is
    // summed.
    void addParts(Bar& b, TimeRange column, std::int64_t covered) {
        const EventKind* kind = m_trace.events().kind.data();
        const std::uint32_t end = b.first.v + b.count;
        unsigned differs = 0;
        for (std::uint32_t row = b.first.v; row < end; ++row)
            differs |= static_cast<unsigned>(kind[row]) ^ static_cast<unsigned>(kind[b.first.v]);
        if (differs == 0)
            return;
        std::array<std::int64_t, 3> time{covered, 0, 0}; // kernels, copies, sets
        std::array<EventId, 3> longest{};
        std::array<std::int64_t, 3> most{-1, -1, -1};
        for (std::uint32_t row = b.first.v; row < end; ++row) {
            const std::size_t k = kind[row] == EventKind::Memcpy ? 1 : kind[row] == EventKind::Memset ? 2 : 0;
            const std::int64_t ns =
                k == 0 ? 0 : intersection(m_trace.events().range({row}), column).length().v;
            time[k] += k == 0 ? 0 : ns;
            time[0] -= ns;
            if (ns > most[k]) {
                most[k] = ns;
                longest[k] = {row};
            }
        }
        b.firstPart = static_cast<std::uint32_t>(m_parts.size());
        for (std::size_t k = 0; k < time.size(); ++k)
            if (time[k] > 0)
                m_parts.push_back({longest[k], static_cast<float>(static_cast<double>(time[k]) /
                                                                  static_cast<double>(covered))});
        b.partCount = static_cast<std::uint8_t>(m_parts.size() - b.firstPart);
        if (b.partCount == 1) { // the others take no time
            m_parts.pop_back();
            b.partCount = 0;
        }
    }

    std::int64_t busyBefore(std::uint32_t row) const {
        const std::size_t block = std::min<std::size_t>((row - m_base) / kBlock, m_busy.size() - 1);
        std::int64_t busy = m_busy[block];
        for (auto r = m_base + static_cast<std::uint32_t>(block) * kBlock; r < row; ++r)
            busy += m_end[r] - m_begin[r];
        return busy;
    }

    // A ns is a whole number of columns: every row has columns of its own. Only rows of zero length share
    // one, with each other and with the row that begins there.
    void runSubNs() {
        const int width = m_grid.width();
        while (m_row < m_last) {
            const int x0 = std::max(0, m_grid.columnOf(m_begin[m_row]));
            if (x0 >= width)
                return;
            std::uint32_t after = m_row + 1;
            while (after < m_last && m_begin[after] == m_begin[m_row])
                ++after;
            const std::uint32_t last = after - 1; // of several rows here only the last may have a length
            const int x1 = std::max(x0 + 1, m_grid.columnAfter(m_end[last]));
            if (after - m_row == 1) {
                Bar b = bar(x0, x1, 1);
                b.coverage = b.head = b.tail = m_end[m_row] > m_begin[m_row] ? 1.0f : 0.0f;
                m_bars.push_back(b);
                m_row = after;
                continue;
            }
            Bar b = bar(x0, x0 + 1, after - m_row);
            b.longest = m_end[last] > m_begin[last] ? EventId{last} : EventId{m_row};
            b.coverage = b.head = b.tail = m_end[last] > m_begin[last] ? 1.0f : 0.0f;
            b.clippedRight = false;
            m_bars.push_back(b);
            m_row = last;
            if (x1 > x0 + 1)
                m_bars.push_back(bar(x0 + 1, x1, 1));
            m_row = after;
        }
    }

    const Trace& m_trace;
    StripId m_strip;
    const PixelGrid& m_grid;
    std::uint16_t m_visibleStrip;
    std::vector<Bar>& m_bars;
    std::vector<BarPart>& m_parts;
    bool m_hasKinds;
    const std::int64_t *m_begin, *m_end; // whole columns, indexed by row
    std::uint32_t m_base = 0, m_row = 0, m_last = 0;
    std::span<const std::int64_t> m_busy;
};

} // namespace

void appendStripBars(const Trace& trace, StripId strip, const PixelGrid& grid, std::uint16_t visibleStrip,
                     LaneFrame& into) {
    if (grid.width() > 0)
        StripPass(trace, strip, grid, visibleStrip, into).run();
}

} // namespace lacuna
