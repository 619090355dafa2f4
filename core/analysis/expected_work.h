#pragma once
// What the operators of a range lead one to expect of the device, and what was launched: two things that stay
// apart, since which kernels an operator is dispatched to is not known before it is seen. Operators are those
// that the host began in the range, with all that they launched wherever it ran; where the range holds no
// operator, those that launched the device work in it.
//
// A kernel that a compiler wrote stands for the operators in its name: they are what was expected of it.

#include "core/analysis/host_tree.h"
#include "core/analysis/kernel_callers.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/import/importer.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

struct ExpectedItem {
    std::vector<std::string> operators; // without "aten::"; several: those of a generated kernel, by name
    std::string_view work;              // expectedWorkOf(); "fused"; empty: there is no rule
    std::string shape;                  // of GEMMs: "M 2048, N 512, K 1536"; empty: not recorded
    double flop = 0;                    // of one call; 0: not known
    std::uint64_t calls = 0;
    std::optional<std::uint64_t> expected; // device operations, of all calls; none: no rule
    std::uint64_t seen = 0;                // those that were launched
    bool areKernels = true;                // all of them; else copies or sets too
    NameCounts kernels;                    // of them
    std::int64_t deviceNs = 0;             // their sum
    EventId operation, kernel;             // the first of each; none: not recorded

    std::string title() const; // "mm", "GeLU, mul and sum"
    bool isAsExpected() const { return expected && *expected == seen; }
    // "as expected", "GeLU and mul: 1 kernel instead of 2", "none seen: ...", "no rule".
    std::string verdict() const;
};

enum class WorkAnswer : std::uint8_t { No, Yes, Unknown };
std::string_view workAnswerName(WorkAnswer answer); // "no", "yes", "unknown"

struct WorkQuestion {
    std::string_view question;
    WorkAnswer answer = WorkAnswer::Unknown;
    std::string why;               // without a full stop
    std::vector<EventId> evidence; // the first few, by row
};

struct ExpectedWork {
    std::vector<ExpectedItem> items; // by device time descending, then calls, then title
    // Did a view materialise, did an allocation or a copy appear, did operators become one kernel, did a
    // shape change which kernel a GEMM is.
    std::array<WorkQuestion, 4> questions;
    std::uint64_t operations = 0;      // device operations in all
    std::uint64_t withoutOperator = 0; // of them: nobody is known to have asked for them (CUDA graphs)
    bool isByDevice = false;           // no operator began in the range
    bool shapesAreCut = false;         // only those of the first kMostShapesRead GEMMs were read
};

inline constexpr std::size_t kMostShapesRead = 20'000;

// details: for shapes; null: none. O(rows + device operations x log rows). Error: Cancelled.
Result<ExpectedWork> expectedWork(const Trace& trace, const HostTree& tree, DetailReader* details,
                                  std::optional<TimeRange> range, JobControl& job);

} // namespace lacuna
