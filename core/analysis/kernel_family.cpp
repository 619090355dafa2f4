#include "core/analysis/kernel_family.h"

#include "core/analysis/device_busy.h"
#include "core/trace/kernel_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <optional>
#include <string>

namespace lacuna {

namespace {

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

bool holdsAny(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// At the start, or behind a sign that is no letter: "execute_kernel" holds no "cute_".
bool startsWord(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
        if (at == 0 || std::isalpha(static_cast<unsigned char>(text[at - 1])) == 0)
            return true;
    return false;
}

// Kernels that Inductor writes: triton_poi_…, triton_red_…, triton_per_…, triton_tem_….
KernelFamily familyOfGenerated(std::string_view function) {
    if (function.starts_with("triton_poi_"))
        return KernelFamily::Elementwise;
    if (function.starts_with("triton_red_") || function.starts_with("triton_per_"))
        return holdsAny(function, {"layer_norm", "rms_norm", "batch_norm", "group_norm", "rsqrt"})
                   ? KernelFamily::Norm
                   : KernelFamily::Reduce;
    if (function.starts_with("triton_tem_"))
        return holdsAny(function, {"attention"}) ? KernelFamily::Attention : KernelFamily::Gemm;
    if (function.starts_with("triton_mm") || function.starts_with("triton_bmm"))
        return KernelFamily::Gemm;
    return KernelFamily::Triton;
}

// "add_kernel_0d1d2d3de": Triton's own suffix of argument properties.
bool hasTritonSuffix(std::string_view function) {
    const std::size_t bar = function.rfind('_');
    const std::string_view tail =
        bar == std::string_view::npos ? std::string_view{} : function.substr(bar + 1);
    return tail.starts_with("0d") && tail.find_first_not_of("0123456789dec") == std::string_view::npos;
}

std::optional<KernelFamily> familyInWords(std::string_view text) {
    if (holdsAny(text, {"flash_fwd", "flash_bwd", "fmha", "flashattn", "flash_attn", "attention", "_sdpa_",
                        "mha_fwd", "mha_bwd"}))
        return KernelFamily::Attention;
    if (holdsAny(text, {"splitkreduce", "softmax", "reduce", "argmax", "argmin", "logsumexp"}))
        return KernelFamily::Reduce;
    if (holdsAny(text, {"layer_norm", "layernorm", "rms_norm", "rmsnorm", "batch_norm", "batchnorm", "bn_fw",
                        "bn_bw", "groupnorm", "group_norm"}))
        return KernelFamily::Norm;
    if (holdsAny(text, {"fprop", "dgrad", "wgrad", "conv2d", "conv3d", "convolve", "winograd",
                        "conv_depthwise", "implicit_convolve"}))
        return KernelFamily::Convolution;
    if (holdsAny(text, {"gemm", "gemv", "nvjet", "cijk_", "matmul", "_mm_kernel"}))
        return KernelFamily::Gemm;
    if (holdsAny(text, {"catarraybatchedcopy", "copy_kernel", "copy_device", "memcpy", "transpose",
                        "direct_copy", "nchwtonhwc", "nhwctonchw"}))
        return KernelFamily::Copy;
    if (holdsAny(text, {"elementwise", "pointwise", "multi_tensor_apply", "fused_dropout", "fill_", "gelu",
                        "silu", "rotary", "rope_", "index_", "gather", "scatter", "embedding"}))
        return KernelFamily::Elementwise;
    return std::nullopt;
}

KernelOrigin originOf(std::string_view function, std::string_view name) {
    if (function.starts_with("triton_") || hasTritonSuffix(function))
        return KernelOrigin::Triton;
    if (holdsAny(function, {"cutlass"}) || startsWord(function, "cute_") ||
        holdsAny(name, {"cutlass::kernel", "cutlass::device_kernel", "kernel_cutlass", "cutlass_"}))
        return KernelOrigin::Cutlass;
    if (holdsAny(function,
                 {"nvjet", "xmma", "nccl", "cublas", "cudnn", "cufft", "gemv2t", "gemv2n", "gemvnsp",
                  "splitkreduce", "fmha", "flash_fwd", "flash_bwd", "sgemm", "hgemm", "_fft"}) ||
        holdsAny(name, {"cublas", "cudnn::", "cub::", "thrust::", "cufft", "flash::", "pytorch_flash"}))
        return KernelOrigin::Library;
    if (holdsAny(name, {"at::native", "at::cuda", "at_cuda_detail", "c10::", "torch::", "vllm::"}))
        return KernelOrigin::Framework;
    return KernelOrigin::Other;
}

AttentionBackend backendOf(std::string_view name) {
    if (holdsAny(name, {"cudnn"}))
        return AttentionBackend::Cudnn;
    if (holdsAny(name, {"flash_fwd", "flash_bwd", "flashattn", "flash_attn", "flash::"}))
        return AttentionBackend::Flash;
    if (holdsAny(name, {"fmha_cutlass", "attentionkernel", "attention_kernel_batched"}))
        return AttentionBackend::MemoryEfficient;
    return AttentionBackend::Other;
}

} // namespace

std::string_view familyName(KernelFamily family) {
    constexpr std::array<std::string_view, 12> kNames{
        "gemm", "attention",     "convolution", "norm",    "elementwise", "reduce",
        "copy", "communication", "triton",      "cutlass", "library",     "other"};
    return kNames[static_cast<std::size_t>(family)];
}

std::string_view originName(KernelOrigin origin) {
    constexpr std::array<std::string_view, 5> kNames{"triton", "cutlass", "library", "framework", "other"};
    return kNames[static_cast<std::size_t>(origin)];
}

std::string_view attentionBackendName(AttentionBackend backend) {
    constexpr std::array<std::string_view, 5> kNames{"none", "flash", "memory-efficient", "cudnn", "other"};
    return kNames[static_cast<std::size_t>(backend)];
}

KernelClass classifyKernel(std::string_view name) {
    const std::string function = lowerCase(kernelFunction(name)), all = lowerCase(name);
    KernelClass kernel;
    kernel.origin = originOf(function, all);
    if (isCommunicationName(name)) {
        kernel.family = KernelFamily::Communication;
    } else if (kernel.origin == KernelOrigin::Triton) {
        kernel.family = familyOfGenerated(function);
    } else {
        // The function first: template arguments name types of other kernels. An elementwise kernel of a copy
        // functor is a copy; a generic "Kernel<...>" is what its argument is.
        auto family = familyInWords(function);
        if (family == KernelFamily::Elementwise && holdsAny(all, {"direct_copy_kernel"}))
            family = KernelFamily::Copy;
        if (!family && kernel.origin != KernelOrigin::Framework)
            family = familyInWords(all);
        const KernelFamily byOrigin = kernel.origin == KernelOrigin::Cutlass   ? KernelFamily::Cutlass
                                      : kernel.origin == KernelOrigin::Library ? KernelFamily::Library
                                                                               : KernelFamily::Other;
        kernel.family = family.value_or(byOrigin);
    }
    if (kernel.family == KernelFamily::Attention)
        kernel.attention = backendOf(all);
    return kernel;
}

} // namespace lacuna
