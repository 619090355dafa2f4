#include "core/import/nsys/table_list.h"

#include <algorithm>
#include <array>

namespace lacuna::nsys {

namespace {

// New tables go to the end: the index cache and details know tables by their place.
constexpr std::array<std::string_view, 38> kEventTables = {
    "CUPTI_ACTIVITY_KIND_RUNTIME",
    "CUPTI_ACTIVITY_KIND_KERNEL",
    "CUPTI_ACTIVITY_KIND_MEMCPY",
    "CUPTI_ACTIVITY_KIND_MEMSET",
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
    "NVTX_EVENTS",
    "OSRT_API",
    "SYSCALL",
    "CUPTI_ACTIVITY_KIND_OVERHEAD",
    "PROFILER_OVERHEAD",
    "CUBLAS_EVENTS",
    "CUDNN_EVENTS",
    "MPI_P2P_EVENTS",
    "MPI_START_WAIT_EVENTS",
    "MPI_COLLECTIVES_EVENTS",
    "MPI_OTHER_EVENTS",
    "UCP_SUBMIT_EVENTS",
    "UCP_PROGRESS_EVENTS",
    "UCP_EVENTS",
    "CUPTI_ACTIVITY_KIND_OPENACC_DATA",
    "CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH",
    "CUPTI_ACTIVITY_KIND_OPENACC_OTHER",
    "CUDA_GRAPH_NODE_EVENTS",
    "CUDA_GRAPH_EVENTS",
    "CUDA_GPU_MEMORY_USAGE_EVENTS",
    "GPU_METRICS",
    "GENERIC_EVENTS",
    "SCHED_EVENTS",
    "COMPOSITE_EVENTS",
    "CUDA_UM_CPU_PAGE_FAULT_EVENTS",
    "CUDA_UM_GPU_PAGE_FAULT_EVENTS",
    "CUDA_GPU_MEMORY_POOL_EVENTS",
    "OSRT_FILE_ACCESS_EVENTS",
    "NET_NIC_METRIC",
    "NET_IB_SWITCH_METRIC",
    "NVTXT_EVENTS",
};

constexpr std::array<std::string_view, 11> kDescriptionPrefixes = {"ENUM_",
                                                                   "TARGET_INFO_",
                                                                   "META_DATA_",
                                                                   "EXPORT_META",
                                                                   "ANALYSIS_",
                                                                   "NVTX_PAYLOAD",
                                                                   "NVTX_SCOPE",
                                                                   "DYNAMIC_NVTXPAYLOAD",
                                                                   "sqlite_",
                                                                   "GENERIC_EVENT_",
                                                                   "OSRT_FILE_ACCESS_DESCRIPTORS"};
constexpr std::array<std::string_view, 12> kDescriptions = {
    "StringIds",        "PROCESSES",        "ThreadNames",       "ProcessStreams",
    "DIAGNOSTIC_EVENT", "UnwindMethodType", "MPI_COMMUNICATORS", "MPI_RANKS",
    "UCP_WORKERS",      "NIC_ID_MAP",       "NVTXT_META_EVENTS", "NVTX_EVENTS_PAYLOAD_SCHEMAS"};

constexpr std::array<std::string_view, 20> kGraphics = {"DX11_",
                                                        "DX12_",
                                                        "D3D11_",
                                                        "D3D12_",
                                                        "VULKAN_",
                                                        "OPENGL_",
                                                        "KHR_DEBUG",
                                                        "WDDM_",
                                                        "ETW_",
                                                        "DXGI_",
                                                        "DX_",
                                                        "OPENXR_",
                                                        "GPU_CONTEXT_SWITCH",
                                                        "GPU_VIDEO",
                                                        "NVVIDEO_",
                                                        "NV_LOAD_BALANCE",
                                                        "FECS_",
                                                        "SLI_",
                                                        "LIBRARY_MODULES",
                                                        "SLOW_FRAMES"};

bool isOpenMpTable(std::string_view name) {
    return name.substr(0, 18) == "OPENMP_EVENT_KIND_";
}

template <std::size_t N>
bool startsWithAny(std::string_view name, const std::array<std::string_view, N>& list) {
    return std::any_of(list.begin(), list.end(), [&](std::string_view p) { return name.starts_with(p); });
}

template <std::size_t N> bool isOneOf(std::string_view name, const std::array<std::string_view, N>& list) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

} // namespace

std::vector<std::string> eventTables(const SqliteDb& db) {
    std::vector<std::string> names(kEventTables.begin(), kEventTables.end());
    const auto fixed = static_cast<std::ptrdiff_t>(names.size());
    for (const SqliteTable& table : db.tables())
        if (isOpenMpTable(table.name))
            names.push_back(table.name);
    std::sort(names.begin() + fixed, names.end());
    return names;
}

std::string_view fixedEventTable(std::uint32_t table) {
    return table < kEventTables.size() ? kEventTables[table] : std::string_view();
}

TableUse useOf(std::string_view table) {
    if (isOneOf(table, kEventTables) || isOpenMpTable(table))
        return TableUse::Events;
    if (startsWithAny(table, kDescriptionPrefixes) || isOneOf(table, kDescriptions) ||
        table.find("CALLCHAINS") != std::string_view::npos)
        return TableUse::Description;
    return startsWithAny(table, kGraphics) ? TableUse::Graphics : TableUse::Unknown;
}

} // namespace lacuna::nsys
