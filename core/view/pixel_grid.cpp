#include "core/view/pixel_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lacuna {

namespace {

__extension__ using Int128 = __int128;

// nsPerPx = numerator / 2^shift, exactly: every double is such a number.
struct Ratio {
    Int128 numerator = 1;
    int shift = 0;
};

Ratio ratioOf(double nsPerPx) {
    int exponent = 0;
    const double fraction = std::frexp(nsPerPx, &exponent); // in [0.5, 1)
    Ratio r{static_cast<std::int64_t>(std::ldexp(fraction, 53)), 53 - exponent};
    if (r.shift < 0) {
        r.numerator <<= std::min(-r.shift, 10);
        r.shift = 0;
    }
    return r;
}

Int128 floorDiv(Int128 a, Int128 b) {
    const Int128 q = a / b;
    return a % b < 0 ? q - 1 : q;
}

std::int64_t clampedNs(Int128 v) {
    constexpr Int128 kMin = std::numeric_limits<std::int64_t>::min(),
                     kMax = std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(std::clamp(v, kMin, kMax));
}

// k * 2^shift-scaled left edge of the first grid column that begins at `begin`; none: begin itself.
Int128 scaledLeft(std::int64_t begin, const Ratio& r, bool* onGrid = nullptr) {
    const Int128 scaled = static_cast<Int128>(begin) << r.shift;
    const Int128 k = -floorDiv(-scaled, r.numerator);
    const bool hit = (k * r.numerator) >> r.shift == begin;
    if (onGrid != nullptr)
        *onGrid = hit;
    return hit ? k * r.numerator : scaled;
}

} // namespace

Viewport snapped(const Viewport& viewport) {
    Viewport v = viewport;
    if (v.nsPerPx < 1.0) {
        v.nsPerPx = 1.0 / std::clamp(std::round(1.0 / v.nsPerPx), 1.0, 64.0);
        return v;
    }
    const Ratio r = ratioOf(v.nsPerPx);
    bool onGrid = false;
    scaledLeft(v.begin.v, r, &onGrid);
    if (onGrid)
        return v;
    const Int128 k = floorDiv((static_cast<Int128>(v.begin.v) << r.shift) + r.numerator / 2, r.numerator);
    v.begin.v = clampedNs((k * r.numerator) >> r.shift);
    return v;
}

PixelGrid::PixelGrid(const Viewport& viewport)
    : m_width(std::max(0, viewport.widthPx)), m_nsPerPx(viewport.nsPerPx), m_begin(viewport.begin.v) {
    if (viewport.nsPerPx < 1.0) {
        m_columnsPerNs = static_cast<int>(std::clamp(std::round(1.0 / viewport.nsPerPx), 1.0, 64.0));
        m_nsPerPx = 1.0 / m_columnsPerNs;
        const std::int64_t shown = (m_width + m_columnsPerNs - 1) / m_columnsPerNs;
        m_range = {{m_begin}, {clampedNs(static_cast<Int128>(m_begin) + shown)}};
        return;
    }
    const Ratio r = ratioOf(viewport.nsPerPx);
    Int128 at = scaledLeft(m_begin, r);
    m_edges.reserve(static_cast<std::size_t>(m_width) + 1);
    for (int x = 0; x <= m_width; ++x, at += r.numerator)
        m_edges.push_back(clampedNs(at >> r.shift));
    m_longestColumn = static_cast<std::int64_t>(std::ceil(viewport.nsPerPx));
    m_range = {{m_edges.front()}, {m_edges.back()}};
}

int PixelGrid::columnOf(std::int64_t t) const {
    if (t < m_range.begin.v)
        return -1;
    if (t >= m_range.end.v)
        return m_width;
    if (isSubNs())
        return std::min(m_width, static_cast<int>((t - m_begin) * m_columnsPerNs));
    // The quotient is at most one off: correct it on the exact edges.
    int x = std::clamp(static_cast<int>(static_cast<double>(t - m_begin) / m_nsPerPx), 0, m_width - 1);
    while (m_edges[static_cast<std::size_t>(x)] > t)
        --x;
    while (m_edges[static_cast<std::size_t>(x) + 1] <= t)
        ++x;
    return x;
}

int PixelGrid::columnAfter(std::int64_t t) const {
    if (t <= m_range.begin.v)
        return 0;
    if (t > m_range.end.v)
        return m_width;
    if (isSubNs())
        return std::min(m_width, static_cast<int>((t - m_begin) * m_columnsPerNs));
    return std::min(m_width, columnOf(t - 1) + 1);
}

TimeRange PixelGrid::columnRange(int x) const {
    if (!isSubNs())
        return {{m_edges[static_cast<std::size_t>(x)]}, {m_edges[static_cast<std::size_t>(x) + 1]}};
    const std::int64_t t = m_begin + x / m_columnsPerNs;
    return {{t}, {t + 1}};
}

} // namespace lacuna
