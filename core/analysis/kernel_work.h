#pragma once
// Work of one kernel: that of the operator which launched it, as far as the operator launched nothing else.

#include "core/analysis/host_tree.h"
#include "core/analysis/operator_work.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna {

enum class WorkCertainty : std::uint8_t {
    Counted, // shapes are recorded and the operator launched this kernel alone
    Likely,  // something is assumed: which of several kernels did the work, a type, an order
};
std::string_view workCertaintyName(WorkCertainty certainty); // "counted", "likely"

struct KernelWork {
    EventId op;
    OperatorWork work;
    WorkCertainty certainty = WorkCertainty::Counted;
    std::string why;             // of what is not certain; a sentence without its full stop
    std::int64_t durationNs = 0; // of the kernel
    // 0 where the work or the time is.
    double flopPerSecond() const { return rate(work.flop); }
    double bytesPerSecond() const { return rate(work.bytes); }

private:
    double rate(double amount) const {
        return durationNs > 0 ? amount * 1e9 / static_cast<double>(durationNs) : 0.0;
    }
};

// None: no operator, no recorded shapes, no formula, or a kernel that is not the longest of its operator.
// Reads the operator's details. O(log rows + rows of the operator).
std::optional<KernelWork> kernelWork(const Trace& trace, const HostTree& tree, DetailReader* details,
                                     EventId kernel);

} // namespace lacuna
