#include "core/analysis/compiled_code.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace lacuna {

namespace {

bool nameHas(std::string_view name, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [name](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

} // namespace

std::string_view compiledCodeName(CompiledCode code) {
    constexpr std::array<std::string_view, kCompiledCodes> kNames{
        "none", "guards", "Dynamo", "AOTAutograd", "Inductor", "Triton", "external"};
    return kNames[static_cast<std::size_t>(code)];
}

CompiledCode compiledCodeOf(std::string_view name) {
    if (nameHas(name, {"TorchDynamo Cache Lookup", "check_guards", "GuardManager"}))
        return CompiledCode::Guards;
    if (name.starts_with("triton_"))
        return CompiledCode::Triton;
    if (name.starts_with("extern_kernels") || name.starts_with("extern_kernel_"))
        return CompiledCode::External;
    if (nameHas(name, {"AOTDispatcher", "AOTAutograd", "aot_autograd", "CompiledFunctionBackward"}) ||
        name == "CompiledFunction")
        return CompiledCode::AotAutograd;
    if (nameHas(name, {"CompiledFxGraph", "TorchInductor", "inductor::", "async_compile"}))
        return CompiledCode::Inductor;
    if (nameHas(name,
                {"Torch-Compiled Region", "Pregraph bytecode", "TorchDynamo", "_compile.compile_inner"}))
        return CompiledCode::Dynamo;
    return CompiledCode::None;
}

CompiledCode compiledCodeOf(const Trace& trace, const HostTree& tree, HostRow row) {
    const CompiledCode own = compiledCodeOf(trace.nameOf(tree.event(row)));
    if (own != CompiledCode::None || tree.kind(row) != EventKind::CpuOp)
        return own;
    HostRow above = tree.parent(row);
    for (std::uint32_t level = 0; above && level < HostTree::kLevelsLookedAt; ++level) {
        const CompiledCode code = compiledCodeOf(trace.nameOf(tree.event(above)));
        if (code == CompiledCode::Inductor)
            return CompiledCode::External;
        if (tree.kind(above) == EventKind::CpuOp) // part of another operator, or of none of Inductor
            return CompiledCode::None;
        above = tree.parent(above);
    }
    return CompiledCode::None;
}

} // namespace lacuna
