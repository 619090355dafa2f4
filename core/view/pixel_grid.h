#pragma once
// Pixel columns as time. Column x of a viewport is [edge(x), edge(x + 1)) in whole ns, and the edges are
// floor(k * nsPerPx) for whole k: an absolute grid, so a pan by whole pixels moves every bar by as many
// pixels and nothing shimmers. Products are exact (128 bits), at any epoch. Finer than 1 ns a pixel a whole
// number of columns makes one ns. Frame, hit test, gap marks and overview share this class, so they agree to
// the pixel.

#include "core/view/viewport.h"

#include <cstdint>
#include <vector>

namespace lacuna {

class PixelGrid {
public:
    // Of a snapped() viewport (build_frame.h); for another one the edges start at its begin.
    explicit PixelGrid(const Viewport& viewport);

    int width() const { return m_width; }
    // More than one column per ns: edges() does not apply.
    bool isSubNs() const { return m_columnsPerNs > 0; }
    // width + 1 ascending times; every column is at least 1 ns wide. Not for isSubNs().
    const std::vector<std::int64_t>& edges() const { return m_edges; }
    std::int64_t columnNs(int x) const {
        return m_edges[static_cast<std::size_t>(x) + 1] - m_edges[static_cast<std::size_t>(x)];
    }
    // Longest column: what a gap of "at least one pixel" reaches, ns.
    std::int64_t longestColumnNs() const { return m_longestColumn; }
    // First ns of the view and first ns after it (rounded outwards).
    TimeRange range() const { return m_range; }

    // Column that holds t: -1 left of the view, width() right of it.
    int columnOf(std::int64_t t) const;
    // First column after an interval that ends (exclusive) at t: 0 ... width().
    int columnAfter(std::int64_t t) const;
    // Time that a column touches, at least 1 ns, rounded outwards.
    TimeRange columnRange(int x) const;

private:
    int m_width = 0;
    int m_columnsPerNs = 0; // 0: at least 1 ns a column
    double m_nsPerPx = 1.0;
    std::int64_t m_begin = 0, m_longestColumn = 1;
    TimeRange m_range;
    std::vector<std::int64_t> m_edges;
};

// Same width and zoom (below 1 ns a pixel: the nearest whole number of pixels per ns), begin on the grid.
Viewport snapped(const Viewport& viewport);

} // namespace lacuna
