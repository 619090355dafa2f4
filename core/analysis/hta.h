#pragma once
// Analyses of Holistic Trace Analysis (HTA) under its definitions, and the same questions answered exactly.
// analysis.md section 2.1 tells what HTA computes and where it is wrong; HtaOptions::hta() repeats that to
// its printed precision, HtaOptions::exact() has each of the defects switched off.
//
// Times are ns. Bounds of HTA's own mode are whole us where the file has fractions: starts are rounded up,
// ends down, both as doubles of absolute microseconds, so that a duration can be negative.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lacuna {

struct HtaOptions {
    bool wholeUs = false;         // shrink rows to whole us (HTA_DISABLE_NS_ROUNDING=0)
    bool dropLastStep = false;    // of two or more ProfilerStep marks (include_last_profiler_step=False)
    bool dropUnlaunched = false;  // device rows without a recorded call, where the trace has step marks
    bool syncRows = false;        // synchronisation markers count as device work
    bool listedCallsOnly = false; // launch statistics: of a fixed list of calls only
    bool previousEndOnly = false; // idle: against the end of the row before, not the latest end so far
    std::optional<std::int64_t> device; // ordinal
    std::optional<TimeRange> range;     // rows that overlap it, uncut
    bool doubles =
        false; // times as doubles of microseconds since an epoch hold them, where they are not whole
    bool cutStretches = false; // of the sweep over kernel types, each to whole us
    bool calls = true;         // false: nobody asks for HtaRow::call; it is looked up for the two drops alone

    static HtaOptions hta() { return {true, true, true, true, true, true, {}, {}, true, true, true}; }
    static HtaOptions exact() { return {}; }
};

inline bool isInHtaRange(const HtaOptions& options, TimeRange range) {
    return !options.range || (range.begin < options.range->end &&
                              (range.end > options.range->begin || options.range->contains(range.begin)));
}

enum class HtaClass : std::uint8_t { Computation, Communication, Memory, Sync };
HtaClass htaClassOf(const Trace& trace, EventId row); // by HTA's patterns on the name

struct HtaRow {
    EventId event, call; // call: none where it is not recorded
    std::int64_t beginNs = 0, endNs = 0, callBeginNs = 0, callEndNs = 0;
    std::int64_t stream = 0;
    HtaClass cls = HtaClass::Computation;
};

// Device rows by start, then order in the file. O(n log n). Error: Cancelled.
Result<std::vector<HtaRow>> htaRows(const Trace& trace, const HtaOptions& options, JobControl& job);

// Numbers of the ProfilerSteps that count, ascending.
std::vector<std::int64_t> htaProfilerSteps(const Trace& trace, const HtaOptions& options, JobControl& job);

// Annotations of the host or their projections on the device, as rows (event, begin, end) by start.
Result<std::vector<HtaRow>> htaAnnotations(const Trace& trace, bool onDevice, const HtaOptions& options,
                                           JobControl& job);

struct HtaTemporal { // idle + compute + nonCompute = span
    std::int64_t spanNs = 0, idleNs = 0, computeNs = 0, nonComputeNs = 0;
};
HtaTemporal htaTemporal(const std::vector<HtaRow>& rows, const JobControl& job = JobControl());

struct HtaOverlap {
    std::int64_t communicationNs = 0, overlappedNs = 0; // unions
};
HtaOverlap htaOverlap(const std::vector<HtaRow>& rows, const JobControl& job = JobControl());

// Time by set of classes at work: bit 0 computation, 1 communication, 2 memory. [0] is not used.
std::array<std::int64_t, 8> htaKernelTypes(const std::vector<HtaRow>& rows, const HtaOptions& options,
                                           const JobControl& job = JobControl());

struct HtaKernel {
    StringId name;
    HtaClass cls = HtaClass::Computation;
    std::int64_t count = 0, sumNs = 0, minNs = 0, maxNs = 0;
    double deviationNs = 0; // n - 1 below; 0 of one
};
// By sum descending, then by the first row.
std::vector<HtaKernel> htaKernels(const Trace& trace, const std::vector<HtaRow>& rows,
                                  const JobControl& job = JobControl());

enum class HtaIdleKind : std::uint8_t { HostWait, KernelWait, Other };
std::string_view htaIdleName(HtaIdleKind kind); // "host_wait"
struct HtaIdle {
    std::int64_t stream = 0;
    std::array<std::int64_t, 3> ns{};          // by HtaIdleKind
    std::array<std::vector<double>, 3> gapsNs; // each
    std::array<std::vector<EventId>, 3> next;  // beside gapsNs: the operation that ends the gap
};
inline constexpr std::int64_t kHtaConsecutiveNs = 30'000;
// Gaps between the operations of each stream; below consecutiveNs a gap without late call is a kernel wait.
std::vector<HtaIdle> htaIdle(const std::vector<HtaRow>& rows, const HtaOptions& options,
                             std::int64_t consecutiveNs = kHtaConsecutiveNs,
                             const JobControl& job = JobControl());

struct HtaLaunch {
    EventId call, op;
    std::int64_t hostNs = 0, deviceNs = 0, delayNs = 0;
};
std::vector<HtaLaunch> htaLaunches(const Trace& trace, const std::vector<HtaRow>& rows,
                                   const HtaOptions& options, const JobControl& job = JobControl());

} // namespace lacuna
