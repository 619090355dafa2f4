#pragma once
// What a kernel does and where it comes from, by its name. A guess from words that libraries put into their
// names: the name is always shown beside it.

#include <cstdint>
#include <string_view>

namespace lacuna {

enum class KernelFamily : std::uint8_t {
    Gemm,
    Attention,
    Convolution,
    Norm,
    Elementwise,
    Reduce, // softmax included
    Copy,
    Communication,
    Triton, // generated code whose work the name does not tell
    Cutlass,
    Library,
    Other,
};
std::string_view familyName(KernelFamily family); // "gemm", "cutlass", …

enum class KernelOrigin : std::uint8_t { Triton, Cutlass, Library, Framework, Other };
std::string_view originName(KernelOrigin origin); // "triton", "cutlass", "library", "framework", "other"

// Which implementation of scaled dot-product attention; None: another kernel.
enum class AttentionBackend : std::uint8_t { None, Flash, MemoryEfficient, Cudnn, Other };
std::string_view attentionBackendName(AttentionBackend backend); // "flash", "memory-efficient", "cudnn", …

struct KernelClass {
    KernelFamily family = KernelFamily::Other;
    KernelOrigin origin = KernelOrigin::Other;
    AttentionBackend attention = AttentionBackend::None;
};

// O(length).
KernelClass classifyKernel(std::string_view name);

} // namespace lacuna
