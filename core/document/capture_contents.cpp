#include "core/document/capture_contents.h"

#include "core/base/poll.h"
#include "core/trace/fact_of.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lacuna {

namespace {

constexpr std::size_t kSampledOperators = 8;

std::string factTextOf(const TraceFacts& facts, std::string_view key) {
    const std::string* fact = factOf(facts, key);
    return fact == nullptr ? std::string() : *fact;
}

// "12040" -> "12.4"; what is no such number stays.
std::string cudaVersion(const std::string& text) {
    if (text.size() < 4 || text.size() > 6 || text.find_first_not_of("0123456789") != std::string::npos)
        return text;
    const int number = std::stoi(text);
    return std::to_string(number / 1000) + '.' + std::to_string(number % 1000 / 10);
}

std::string deviceNames(const Trace& trace) {
    std::vector<std::string> names;
    for (const Device& device : trace.devices())
        if (!device.name.empty() && std::find(names.begin(), names.end(), device.name) == names.end())
            names.push_back(device.name);
    std::string list;
    for (const std::string& name : names)
        list += (list.empty() ? "" : ", ") + name;
    return list;
}

std::uint64_t deviceRows(const ImportReport& report) {
    return report.kept(EventKind::Kernel) + report.kept(EventKind::Memcpy) + report.kept(EventKind::Memset) +
           report.kept(EventKind::GraphLaunch);
}

std::uint64_t callRows(const ImportReport& report) {
    return report.kept(EventKind::RuntimeApi) + report.kept(EventKind::DriverApi);
}

// ---- PyTorch

// The operators that stand first in the file: their arguments are near, also in a compressed one.
std::vector<EventId> firstOperators(const Trace& trace, JobControl& job) {
    const EventTable& events = trace.events();
    std::vector<EventId> first;
    const auto bySource = [&](EventId a, EventId b) { return events.source[a.v] < events.source[b.v]; };
    for (std::uint32_t e = 0; e < events.size(); ++e) {
        if (e % kRowsPerPoll == 0 && job.cancelled())
            return {};
        if (events.kind[e] != EventKind::CpuOp)
            continue;
        if (first.size() == kSampledOperators && events.source[e] >= events.source[first.back().v])
            continue;
        const EventId id{e};
        first.insert(std::upper_bound(first.begin(), first.end(), id, bySource), id);
        if (first.size() > kSampledOperators)
            first.pop_back();
    }
    return first;
}

struct OperatorArgs {
    bool wereRead = false, haveShapes = false, haveStacks = false, haveModules = false;
};

OperatorArgs sampleOperators(const Trace& trace, DetailReader* details, JobControl& job) {
    OperatorArgs seen;
    if (details == nullptr)
        return seen;
    for (const EventId id : firstOperators(trace, job)) {
        const auto read = details->read(SourceRef{trace.events().source[id.v]});
        if (!read)
            continue;
        seen.wereRead = true;
        for (const auto& [name, value] : read->fields) {
            seen.haveShapes = seen.haveShapes || name == "args.Input Dims" || name == "args.Input dims";
            seen.haveStacks = seen.haveStacks || (name == "args.Call stack" && !value.empty());
            seen.haveModules = seen.haveModules || (name == "args.Module Hierarchy" && !value.empty());
        }
    }
    return seen;
}

bool hasMemoryMarks(const Trace& trace) {
    for (const CounterTrack& track : trace.counters())
        if (track.unit == "B" && track.name.find(" memory ") != std::string::npos)
            return true;
    return false;
}

void addTorchItems(const Trace& trace, DetailReader* details, JobControl& job,
                   std::vector<CaptureItem>& items) {
    const TraceFacts& facts = trace.facts();
    const ImportReport& report = trace.report();
    constexpr std::array<std::string_view, 5> kFlags = {"record_shapes", "with_stack", "profile_memory",
                                                        "with_modules", "with_flops"};
    // The profiler writes only the flags that are on: one of them tells that the others are off.
    const bool tellsFlags =
        std::any_of(kFlags.begin(), kFlags.end(), [&](auto key) { return factOf(facts, key) != nullptr; });
    const OperatorArgs args = tellsFlags ? OperatorArgs{} : sampleOperators(trace, details, job);
    const auto add = [&](std::string_view key, std::string_view title, std::string_view flag, bool isSeen,
                         std::optional<bool> otherwise) {
        const std::string* fact = factOf(facts, flag);
        const bool isOn = fact != nullptr && *fact != "0" && *fact != "false";
        items.push_back({std::string(key), std::string(title),
                         isOn || isSeen ? std::optional(true)
                         : tellsFlags   ? std::optional(false)
                                        : otherwise,
                         "torch.profiler.profile(" + std::string(flag) + "=True)"});
    };
    // What a file does not hold was not recorded, unless a part of the file is missing.
    const auto absent = report.isPartial() ? std::nullopt : std::optional(false);
    const auto notSeen = args.wereRead ? std::optional(false) : std::nullopt;
    add("shapes", "Shapes", "record_shapes", args.haveShapes, notSeen);
    add("stacks", "Stacks", "with_stack", facts.pythonRecorded || args.haveStacks, absent);
    add("memory", "Memory", "profile_memory", hasMemoryMarks(trace), absent);
    add("modules", "Modules", "with_modules", args.haveModules, std::nullopt);
    add("flops", "FLOPs", "with_flops", false, std::nullopt);
    const auto addRows = [&](std::string_view key, std::string_view title, std::uint64_t rows,
                             std::string_view activities) {
        const bool mayBeMissing = rows == 0 && report.isPartial();
        items.push_back({std::string(key), std::string(title), rows > 0 ? std::optional(true) : absent,
                         mayBeMissing ? "the whole file"
                                      : "torch.profiler.profile(activities=[" + std::string(activities) +
                                            ", ProfilerActivity.CUDA])"});
    };
    addRows("operators", "Operators", report.kept(EventKind::CpuOp), "ProfilerActivity.CPU");
    addRows("cuda_calls", "CUDA calls", callRows(report), "...");
    addRows("device", "Device activity", deviceRows(report), "...");
}

void addTorchSoftware(const Trace& trace, CaptureContents& contents) {
    const TraceFacts& facts = trace.facts();
    const auto add = [&](std::string_view title, std::string text) {
        contents.software.emplace_back(title, std::move(text));
    };
    add("Profiler", facts.writer);
    if (factOf(facts, "hip_runtime_version") != nullptr || factOf(facts, "roctracer_version") != nullptr) {
        add("HIP runtime", factTextOf(facts, "hip_runtime_version"));
        add("HIP driver", factTextOf(facts, "hip_driver_version"));
        add("roctracer", factTextOf(facts, "roctracer_version"));
    } else {
        add("CUDA runtime", cudaVersion(factTextOf(facts, "cuda_runtime_version")));
        add("CUDA driver", cudaVersion(factTextOf(facts, "cuda_driver_version")));
        add("CUPTI", factTextOf(facts, "cupti_version"));
    }
    if (const std::string nccl = factTextOf(facts, "distributedInfo.nccl_version"); !nccl.empty())
        add("NCCL", nccl);
    add("GPU", deviceNames(trace));
}

// ---- Nsight Systems

void addNsightItems(const Trace& trace, std::vector<CaptureItem>& items) {
    const TraceFacts& facts = trace.facts();
    const ImportReport& report = trace.report();
    const bool tellsTypes = factOf(facts, "captured") != nullptr;
    const auto wasAsked = [&](std::string_view type) {
        return std::any_of(facts.metadata.begin(), facts.metadata.end(),
                           [type](const auto& e) { return e.first == "captured" && e.second == type; });
    };
    const auto add = [&](std::string_view key, std::string_view title, bool isSeen,
                         std::initializer_list<std::string_view> types) {
        const bool isOn = isSeen || std::any_of(types.begin(), types.end(), wasAsked);
        items.push_back({std::string(key), std::string(title),
                         isOn         ? std::optional(true)
                         : tellsTypes ? std::optional(false)
                                      : std::nullopt,
                         "nsys profile --trace=cuda,nvtx,osrt,cublas,cudnn"});
    };
    add("cuda", "CUDA", callRows(report) + deviceRows(report) > 0, {"Cuda"});
    add("nvtx", "NVTX", report.kept(EventKind::Range) > 0, {"NvtxEvents"});
    add("osrt", "OS runtime", facts.osRuntimeRecorded, {"OSRuntime"});
    add("cublas", "cuBLAS and cuDNN", report.kept(EventKind::CpuOp) > 0, {"CuBLAS", "CuDNN"});

    bool hasMetrics = false, hasMemory = false;
    for (const CounterTrack& track : trace.counters()) {
        hasMetrics = hasMetrics || track.unit != "bytes";
        hasMemory = hasMemory || track.unit == "bytes";
    }
    items.push_back({"gpu_metrics", "GPU metrics",
                     hasMetrics   ? std::optional(true)
                     : tellsTypes ? std::optional(false)
                                  : std::nullopt,
                     "nsys profile --gpu-metrics-devices=all"});
    const std::string usage = factTextOf(facts, "gpu_memory_usage");
    items.push_back({"memory", "GPU memory",
                     hasMemory || usage == "true" ? std::optional(true)
                     : usage == "false"           ? std::optional(false)
                                                  : std::nullopt,
                     "nsys profile --cuda-memory-usage=true"});
    const auto& graphs = trace.hotArgs().graphs.rows();
    const bool hasNodes =
        std::any_of(graphs.begin(), graphs.end(), [](const GraphArgs& args) { return args.node != 0; });
    std::string mode = factTextOf(facts, "cuda_graph_trace");
    std::transform(mode.begin(), mode.end(), mode.begin(),
                   [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    items.push_back({"graph_nodes", "Kernels of CUDA graphs",
                     hasNodes || mode == "node"                                   ? std::optional(true)
                     : report.kept(EventKind::GraphLaunch) > 0 || mode == "graph" ? std::optional(false)
                                                                                  : std::nullopt,
                     "nsys profile --cuda-graph-trace=node"});
}

void addNsightSoftware(const Trace& trace, CaptureContents& contents) {
    const TraceFacts& facts = trace.facts();
    contents.software.emplace_back("Profiler",
                                   facts.writer == "Nsight Systems" ? std::string() : facts.writer);
    contents.software.emplace_back("Export schema", factTextOf(facts, "nsys_schema"));
    contents.software.emplace_back("GPU driver", factTextOf(facts, "gpu_driver_version"));
    contents.software.emplace_back("CUDA driver", cudaVersion(factTextOf(facts, "cuda_driver_version")));
    contents.software.emplace_back("Operating system", factTextOf(facts, "os"));
    std::string gpus = deviceNames(trace);
    contents.software.emplace_back("GPU", gpus.empty() ? factTextOf(facts, "gpu") : std::move(gpus));
    const std::string list = factTextOf(facts, "tables_not_read");
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find(", ", at), list.size());
        contents.tablesNotShown.push_back(list.substr(at, end - at));
        at = end + 2;
    }
}

} // namespace

CaptureContents captureContents(const Trace& trace, DetailReader* details, JobControl& job) {
    CaptureContents contents;
    const std::string& format = trace.facts().format;
    if (format == "kineto-json") {
        addTorchItems(trace, details, job, contents.items);
        addTorchSoftware(trace, contents);
    } else if (format.starts_with("nsys")) {
        addNsightItems(trace, contents.items);
        addNsightSoftware(trace, contents);
    } else {
        contents.software.emplace_back("Writer", trace.facts().writer);
    }
    return contents;
}

std::string_view heldName(std::optional<bool> held) {
    return !held ? "unknown" : *held ? "yes" : "no";
}

} // namespace lacuna
