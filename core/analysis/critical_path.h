#pragma once
// The chain of work that decided when the last device operation ended, walked backwards through the
// dependencies of the replay model: an operation waited for what it had queued behind or for its launch; a
// launch for the host in front of it; the host, since its last wait, for the operation that let it return. So
// graphs, event waits and several threads count as they do in the replay, and where two things held the same
// thing the later one is on the path.
//
// Pieces tile [begin, end) of the path exactly. Where the launching thread had no row, another thread of the
// process that launches too stands for it. O(n log n); at most the rows of the submitting threads.

#include "core/analysis/replay_model.h"

#include <array>
#include <string_view>
#include <vector>

namespace lacuna {

enum class PathKind : std::uint8_t {
    Host,          // operators, ranges, Python
    DataLoading,   // enumerate(DataLoader)#...
    Api,           // CUDA calls that neither launch nor wait
    OsWait,        // libc calls
    Overhead,      // of the profiler
    Uncovered,     // the host, between recorded rows
    LaunchCall,    // inside launch calls
    LaunchLatency, // from the call's end to the start of its operation
    Kernel,        // compute
    Communication, // collectives
    Copy,
    Set,
    Queue,      // switch between queued operations
    Dependency, // from the end of another stream's operation to the start of what waited for it
    WaitReturn, // from the end of an operation to the return of the call that waited for it
};
inline constexpr std::size_t kPathKinds = static_cast<std::size_t>(PathKind::WaitReturn) + 1;
std::string_view pathKindName(PathKind kind); // "launch_latency"
constexpr bool isDeviceWork(PathKind kind) {
    return kind >= PathKind::Kernel && kind <= PathKind::Set;
}

struct PathPiece {
    TimeRange range; // not empty
    PathKind kind = PathKind::Host;
    // What ran: host row or operation; of Queue, Dependency and LaunchLatency the operation that then
    // started, of WaitReturn the waiting call. None of Uncovered.
    EventId event;
    ThreadId thread; // host kinds
};

struct CriticalPath {
    Column<PathPiece> pieces; // in time order; there may be millions
    std::array<std::int64_t, kPathKinds> ns{};
    TimeRange range() const {
        return pieces.empty() ? TimeRange{} : TimeRange{pieces.front().range.begin, pieces.back().range.end};
    }
};

// Of the trace, or up to the last operation that ends in the window, from the window's begin. Empty where
// there is no such operation. Error: Cancelled.
Result<CriticalPath> criticalPath(const ReplayModel& model, JobControl& job,
                                  std::optional<TimeRange> window = {});

} // namespace lacuna
