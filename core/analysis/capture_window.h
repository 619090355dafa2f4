#pragma once
// What the window of a capture covers: when it was, and which ranges it saw. A capture that was delayed by
// seconds needs evidence that it landed in the phase that was meant (features.md C14).

#include "core/trace/trace.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lacuna {

struct CaptureWindow {
    TimeRange window; // since the launch of the program where it was delayed, else since time zero
    bool isDelayed = false;
    std::vector<std::string> ranges; // numbers as '#', by name, each once; at most kMostSeenRanges
    bool hasMore = false;
};
inline constexpr std::size_t kMostSeenRanges = 8;

// Whether the file records that its collection began late. O(metadata).
bool isDelayedCapture(const Trace& trace);

// A delay is what the file records (Nsight's START_DELAY_MS). Time zero of such a file is the begin of the
// collection; where its rows begin after the delay only, it is the launch.
// O(rows of ranges).
CaptureWindow captureWindow(const Trace& trace);

// "Window 10.0–10.8 s after launch. Ranges seen: decode, sample." or "... No ranges: phase unverified."; of
// captures without a delay "Window 0 ns to 800.0 ms after time zero. ...".
std::string captureWindowText(const CaptureWindow& window);

} // namespace lacuna
