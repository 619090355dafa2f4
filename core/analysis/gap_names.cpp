#include "core/analysis/gap_names.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace lacuna::gaps {

namespace {

bool contains(std::string_view text, std::string_view word) {
    return text.find(word) != std::string_view::npos;
}
bool containsAny(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return contains(text, w); });
}
bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return text.starts_with(w); });
}
bool isAny(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

// "cudaMalloc", "cuMemAlloc_v2", "hipFree" -> "Malloc", "MemAlloc_v2", "Free".
std::string_view withoutVendor(std::string_view name) {
    for (const std::string_view prefix : {"cuda", "cu", "hip"})
        if (name.starts_with(prefix))
            return name.substr(prefix.size());
    return name;
}

// Python frames read "torch/_inductor/codecache.py(2119): load": the path says where, not what.
std::string_view functionOf(std::string_view name) {
    const std::size_t at = name.find("): ");
    return at == std::string_view::npos || !contains(name.substr(0, at), ".py(") ? name : name.substr(at + 3);
}

} // namespace

ApiFamily apiFamily(std::string_view name) {
    const std::string_view rest = withoutVendor(name);
    if (containsAny(rest, {"DeviceSynchronize", "StreamSynchronize", "EventSynchronize", "CtxSynchronize",
                           "ThreadSynchronize"}))
        return ApiFamily::Sync;
    if (contains(rest, "Memcpy"))
        return ApiFamily::Copy;
    if (startsWithAny(rest, {"Malloc", "Free", "HostAlloc", "HostRegister", "HostUnregister", "MemPool",
                             "MemAlloc", "MemFree", "MemHost", "MemCreate", "MemMap", "MemUnmap",
                             "MemRelease", "MemAddress", "MemSetAccess", "MemExport", "MemImport"}))
        return ApiFamily::Allocation;
    if (startsWithAny(rest, {"ModuleLoad", "LibraryLoad", "ModuleUnload", "LibraryUnload"}))
        return ApiFamily::Module;
    if (startsWithAny(rest, {"Link"}) || startsWithAny(name, {"nvrtc", "nvJitLink"}))
        return ApiFamily::Link;
    return containsAny(rest, {"Launch", "Memset"}) ? ApiFamily::Launch : ApiFamily::Other;
}

bool isFreeCall(std::string_view name) {
    const std::string_view rest = withoutVendor(name);
    return startsWithAny(rest, {"Free", "MemFree", "HostUnregister"}) && !contains(rest, "Async");
}

bool isDeviceLaunch(std::string_view name) {
    return containsAny(name, {"LaunchKernel", "LaunchCooperativeKernel", "GraphLaunch"});
}

bool isModuleOverhead(std::string_view name) {
    return containsNoCase(name, "lazy function loading") || containsNoCase(name, "module loading");
}

bool isCompilerOverhead(std::string_view name) {
    return containsNoCase(name, "driver compiler");
}

bool isDataLoading(std::string_view name) {
    return startsWithAny(name, {"enumerate(DataLoader)", "enumerate(DataPipe)"});
}

bool isGarbageCollection(std::string_view name) {
    return isAny(name, {"GC", "gc"}) || containsNoCase(name, "garbage collection") ||
           contains(name, "gc.collect") || startsWithAny(name, {"GC ", "GC:", "Python GC"});
}

bool tellsOfCompiling(std::string_view name) {
    const std::string_view function = functionOf(name);
    if (containsAny(function, {"Torch-Compiled Region", "CompiledFxGraph", "CompiledFunction",
                               "TorchDynamo Cache Lookup", "compile_wrapper"}) ||
        function.starts_with("triton_"))
        return false;
    for (const std::string_view word : {"dynamo_timed", "codegen", "nvrtc", "ptxas"})
        if (containsNoCase(function, word))
            return true;
    // "compile", "Compiler", but not "compiled": that one has run before.
    for (std::size_t at = 0; (at = findNoCase(function, "compile", at)) != std::string_view::npos; ++at)
        if (at + 7 == function.size() || lower(function[at + 7]) != 'd')
            return true;
    return false;
}

bool isStepMark(std::string_view name) {
    if (name.starts_with("ProfilerStep"))
        return true;
    for (const std::string_view word : {"iteration", "iter", "step"})
        if (findNoCase(name.substr(0, word.size()), word) == 0) {
            std::size_t at = word.size();
            while (at < name.size() && !isLetter(name[at]) && !isDigit(name[at]))
                ++at;
            return at < name.size() &&
                   std::all_of(name.begin() + static_cast<std::ptrdiff_t>(at), name.end(), isDigit);
        }
    return false;
}

bool isSignalCall(std::string_view name) {
    return containsAny(name, {"cond_signal", "cond_broadcast", "sem_post", "futex"}) ||
           isAny(name, {"write", "writev", "eventfd_write"});
}

bool isSleepCall(std::string_view name) {
    return containsAny(name, {"sleep"});
}

bool isScalarRead(std::string_view name) {
    return isAny(name, {"aten::item", "aten::_local_scalar_dense", "aten::nonzero", "aten::is_nonzero",
                        "aten::masked_select", "aten::_unique2", "aten::_unique", "aten::unique_dim",
                        "aten::unique_consecutive"});
}

bool isBackwardFrame(std::string_view name) {
    return containsNoCase(name, "backward");
}

bool isWatchdogThread(std::string_view name) {
    return containsNoCase(name, "watchd") || containsNoCase(name, "nccl");
}

bool isCallbackThread(std::string_view name) {
    return findNoCase(name, "cuda") == 0;
}

std::string withoutNumbers(std::string_view name) {
    std::string text;
    for (const char c : name)
        if (!isDigit(c))
            text.push_back(c);
        else if (text.empty() || text.back() != '#')
            text.push_back('#');
    return text;
}

std::uint16_t NameFacts::factsOf(std::string_view name) {
    unsigned bits = static_cast<unsigned>(apiFamily(name)) << 12;
    const auto set = [&](bool is, Bit bit) { bits |= is ? static_cast<unsigned>(bit) : 0u; };
    set(isDataLoading(name), kDataLoading);
    set(isGarbageCollection(name), kCollection);
    set(tellsOfCompiling(name), kCompiling);
    set(isStepMark(name), kStep);
    set(isSignalCall(name), kSignal);
    set(isSleepCall(name), kSleep);
    set(isFreeCall(name), kFree);
    set(contains(name, "Async"), kAsync);
    set(isDeviceLaunch(name), kDeviceLaunch);
    set(contains(name, "StreamWaitEvent"), kStreamWait);
    set(contains(name, "EventRecord"), kEventRecord);
    set(contains(name, "GraphLaunch"), kGraph);
    return static_cast<std::uint16_t>(bits);
}

} // namespace lacuna::gaps
