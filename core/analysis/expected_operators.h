#pragma once
// What an operator of PyTorch leads one to expect on the device before anybody has seen which kernels it was
// dispatched to: one operation of a kind. A rule of thumb for reading a model, never a claim about a kernel.

#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

// "aten::mul_" -> "mul". Names of other libraries stay as they are.
std::string_view bareOperator(std::string_view name);

// "GEMM", "attention", "normalisation", "elementwise", "reduction", "copy", "fill", "index"; empty: no rule.
// With or without "aten::".
std::string_view expectedWorkOf(std::string_view op);

// It only looks at a tensor in another way, unless that needs a copy (reshape, contiguous).
bool isViewOperator(std::string_view op);

// Does the work of several operators in one kernel by itself: fused attention, an epilogue, lists of tensors.
bool isFusedOperator(std::string_view op);

// Operators that a generated kernel is named after: "triton_red_fused__softmax_gelu_mul_0" -> "_softmax",
// "gelu", "mul". Each is named once however often it occurs. Empty for other names.
std::vector<std::string> fusedOperators(std::string_view kernel);

// For people: "gelu" -> "GeLU", others as they are.
std::string_view operatorTitle(std::string_view op);

} // namespace lacuna
