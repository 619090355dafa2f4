#pragma once
// Floating-point work and least traffic of an operator, counted from the shapes that the trace recorded
// (record_shapes). Formulas: analysis.md 2.2. A multiply-add counts two. Traffic is every operand and the
// result once: what must move when caches lose nothing, so a rate over it is a lower bound.

#include "core/import/importer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

struct OperatorShapes {
    std::vector<std::vector<std::int64_t>> dims; // of each argument; empty for scalars and lists
    std::vector<std::string> types;              // "float", "c10::BFloat16", "Scalar"
    std::vector<std::string> values;             // of arguments that are no tensors: "[1, 1]", "True"
    bool isKnown() const { return !dims.empty(); }
};
// From the details of an operator of a PyTorch trace; unknown for others.
OperatorShapes operatorShapes(const EventDetails& details);

enum class WorkKind : std::uint8_t { Gemm, Convolution, Attention, Norm, Softmax, Elementwise };
std::string_view workKindName(WorkKind kind); // "GEMM", "convolution", ...

struct OperatorWork {
    WorkKind kind = WorkKind::Gemm;
    double flop = 0;        // 0: not counted (normalisation: only its traffic says something)
    double bytes = 0;       // 0: a type of unknown size
    std::string formula;    // "2 M N K + M N: M 2048, N 512, K 1536"
    bool isAssumed = false; // something was not recorded: `assumption` says what is taken for it
    std::string assumption;
};

// None for operators without a formula, and shapes that do not fit theirs. `name`: "aten::addmm".
std::optional<OperatorWork> operatorWork(std::string_view name, const OperatorShapes& shapes);

} // namespace lacuna
