#include "core/import/detail/chrome_category.h"

#include <array>

namespace lacuna::chrome {

namespace {

struct Entry {
    std::string_view name;
    Category category;
};

// Most frequent first: the table is searched from the front.
constexpr std::array<Entry, 29> kCategories{{
    {"cpu_op", {EventKind::CpuOp, LaneKind::CpuThread, true}},
    {"python_function", {EventKind::Python, LaneKind::Python, true}},
    {"cuda_runtime", {EventKind::RuntimeApi, LaneKind::CudaApi, true}},
    {"kernel", {EventKind::Kernel, LaneKind::GpuStream}},
    {"user_annotation", {EventKind::Range, LaneKind::Range, true}},
    {"gpu_memcpy", {EventKind::Memcpy, LaneKind::GpuStream, true}},
    {"gpu_memset", {EventKind::Memset, LaneKind::GpuStream, true}},
    {"cuda_driver", {EventKind::DriverApi, LaneKind::CudaApi, true}},
    {"gpu_user_annotation", {EventKind::GpuRange, LaneKind::GpuRange, true}},
    {"cuda_sync", {EventKind::Sync, LaneKind::GpuSync, true}},
    {"cuda_event", {EventKind::Sync, LaneKind::GpuSync, true}},
    {"overhead", {EventKind::Overhead, LaneKind::Overhead}},
    {"xpu_sync", {EventKind::Sync, LaneKind::GpuSync, true}},
    {"cuda_profiler_range", {EventKind::GpuRange, LaneKind::GpuRange, true}},
    {"gpu_user_Annotation", {EventKind::GpuRange, LaneKind::GpuRange, true, true}},
    {"Operator", {EventKind::CpuOp, LaneKind::CpuThread, true, true}},
    {"Runtime", {EventKind::RuntimeApi, LaneKind::CudaApi, false, true}},
    {"Kernel", {EventKind::Kernel, LaneKind::GpuStream, false, true}},
    {"Memcpy", {EventKind::Memcpy, LaneKind::GpuStream, false, true}},
    {"Memset", {EventKind::Memset, LaneKind::GpuStream, false, true}},
    {"User", {EventKind::GpuRange, LaneKind::GpuRange, false, true}},
    {"cuda_api", {EventKind::RuntimeApi, LaneKind::CudaApi}}, // nsys2json, as the next two
    {"nvtx", {EventKind::Range, LaneKind::Range}},
    {"nvtx-kernel", {EventKind::Range, LaneKind::Range}},
    {"fee", {EventKind::Python, LaneKind::Python}}, // viztracer
    {"FEE", {EventKind::Python, LaneKind::Python}},
    {"cpu_instant_event", {EventKind::Instant, LaneKind::Marks, true}},
    // Of files that were converted from Nsight exports.
    {"os_runtime", {EventKind::OsRuntime, LaneKind::OsRuntime}},
    {"gpu_graph", {EventKind::GraphLaunch, LaneKind::GpuStream}},
}};

} // namespace

Category categoryOf(std::string_view cat) {
    for (const Entry& entry : kCategories)
        if (entry.name == cat)
            return entry.category;
    if (cat.ends_with("_runtime"))
        return {EventKind::RuntimeApi, LaneKind::CudaApi};
    if (cat.ends_with("_driver"))
        return {EventKind::DriverApi, LaneKind::CudaApi};
    return {};
}

} // namespace lacuna::chrome
