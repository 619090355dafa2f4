#include "core/view/viewport.h"

#include <algorithm>
#include <cmath>

namespace lacuna {

namespace {

constexpr double kMinNsPerPx = 1.0 / 64.0;
constexpr double kMarginShare = 0.02;            // on either side of the extent
constexpr double kMaxNs = 9223372036854774784.0; // largest double below 2^63

std::int64_t toNs(double v) {
    return static_cast<std::int64_t>(std::clamp(v, -kMaxNs, kMaxNs));
}

double lengthOf(TimeRange range) { // exact difference first: doubles of an epoch have steps of 256 ns
    if (range.end <= range.begin)
        return 1.0;
    return static_cast<double>(static_cast<std::uint64_t>(range.end.v) -
                               static_cast<std::uint64_t>(range.begin.v));
}

} // namespace

TimeNs Viewport::timeAt(double x) const {
    return {saturatingAdd(begin.v, toNs(std::floor(x * nsPerPx)))};
}

Viewport Viewport::zoomed(double factor, double anchorX) const {
    Viewport v = *this;
    v.nsPerPx = std::clamp(nsPerPx / factor, kMinNsPerPx, kMaxNs);
    // Equal floors on both sides, so the anchor's time is unchanged to the ns.
    const std::int64_t anchor = toNs(std::floor(anchorX * nsPerPx));
    v.begin.v = saturatingAdd(begin.v, anchor - toNs(std::floor(anchorX * v.nsPerPx)));
    return v;
}

Viewport Viewport::panned(double dxPx) const {
    Viewport v = *this;
    v.begin.v = saturatingAdd(begin.v, toNs(std::round(dxPx * nsPerPx)));
    return v;
}

Viewport Viewport::clampedTo(TimeRange extent) const {
    const double length = lengthOf(extent);
    const double margin = std::ceil(length * kMarginShare);
    const double widest = length + 2.0 * margin;
    Viewport v = *this;
    const double width = std::max(1, widthPx);
    v.nsPerPx = std::clamp(nsPerPx, kMinNsPerPx, std::max(kMinNsPerPx, widest / width));
    const double shown = v.nsPerPx * width;
    if (shown >= widest * (1.0 - 1e-12)) { // all of it is in view: in the middle
        v.begin.v = saturatingAdd(extent.begin.v, toNs(std::floor((length - shown) / 2.0)));
        return v;
    }
    const std::int64_t first = saturatingAdd(extent.begin.v, -toNs(margin));
    const std::int64_t last = saturatingAdd(extent.end.v, toNs(margin - std::floor(shown)));
    v.begin.v = std::clamp(begin.v, first, std::max(first, last));
    return v;
}

Viewport Viewport::resized(int newWidthPx) const {
    Viewport v = *this;
    v.widthPx = newWidthPx;
    return v;
}

Viewport Viewport::fitting(TimeRange range, int widthPx, double margin) {
    const double length = lengthOf(range);
    const double before = std::ceil(length * margin);
    Viewport v;
    v.widthPx = widthPx;
    // One pixel to spare: the grid of a frame may move the view by half a pixel (pixel_grid.h).
    v.nsPerPx = std::max(kMinNsPerPx, (length + 2.0 * before) / std::max(1, widthPx - 1));
    if (v.nsPerPx < 1.0)
        v.nsPerPx = 1.0 / std::floor(1.0 / v.nsPerPx); // what the grid can show, not smaller
    const double slack = std::max(0.0, v.nsPerPx * widthPx - length);
    v.begin.v = saturatingAdd(range.begin.v, -toNs(std::floor(slack / 2.0)));
    // The quotient may have been rounded down.
    for (int k = 0; k < 4 && v.timeAt(widthPx) < range.end; ++k)
        v.nsPerPx *= 1.0 + 1e-15;
    return v;
}

} // namespace lacuna
