#pragma once
// Time <-> pixel. xOf works on the difference to the left edge, so no precision is lost at any epoch.

#include "core/base/time.h"

namespace lacuna {

struct Viewport {
    TimeNs begin;
    double nsPerPx = 1.0;
    int widthPx = 0;

    double xOf(TimeNs t) const { return static_cast<double>(t.v - begin.v) / nsPerPx; }
    TimeNs timeAt(double x) const; // floor
    TimeRange range() const { return {begin, timeAt(widthPx)}; }

    // factor > 1 zooms in; timeAt(anchorX) is unchanged (within 1 ns). At least 1/64 ns a pixel.
    Viewport zoomed(double factor, double anchorX) const;
    Viewport panned(double dxPx) const;
    // Not wider than the extent plus a margin of 2 % a side, not outside it.
    Viewport clampedTo(TimeRange extent) const;
    Viewport resized(int widthPx) const; // same nsPerPx, same left edge
    // Fits the range with a margin (share of the width on either side).
    static Viewport fitting(TimeRange range, int widthPx, double margin = 0.0);
    friend bool operator==(const Viewport&, const Viewport&) = default;
};

} // namespace lacuna
