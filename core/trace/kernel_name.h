#pragma once
// What the name of a kernel tells. Names are demangled C++ as a rule, mangled or bare in some files.

#include <string>
#include <string_view>

namespace lacuna {

// The bare function, what Nsight Compute calls the base name: "void at::native::(anonymous
// namespace)::reduce_kernel<512, F>(F)" -> "reduce_kernel". Never empty for a name that is not. O(length).
std::string kernelFunction(std::string_view name);

// For comparing names of different writers: demangled, without blanks, return type "void" and "(int)" casts
// of template arguments.
std::string comparableKernelName(std::string_view name);

// The first template argument without its own arguments: "cutlass::Kernel2<cutlass_80_sgemm>(...)" ->
// "cutlass_80_sgemm". Empty: none.
std::string firstTemplateArgument(std::string_view name);

} // namespace lacuna
