#pragma once
// Device lanes of writers that name them in metadata or ids instead of categories (chrome_json.md section 7):
// the XLA profiler (JAX, TensorFlow 2), TensorFlow 1 timelines, rocmProfileData, nsys2json. What cannot be
// recognised is an ordinary row of its thread.

#include "core/trace/event_table.h"
#include "core/trace/hot_args.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lacuna::chrome {

// What a process is by its name.
enum class ProcessRole : std::uint8_t {
    Ordinary,
    XlaDevice, // "/device:GPU:0": threads "Stream #13(Compute)" hold the work, all others say it again
    TfStream,  // "/job:../device:GPU:0/stream:7 Compute"
    TfSummary, // ".. /stream:all Compute", ".. /memcpy Compute": the same work, all streams together
    RpdDevice, // "GPU2" in a file that names its host threads "Hip 4711"
};

struct ProcessName {
    ProcessRole role = ProcessRole::Ordinary;
    std::int64_t device = 0;
    std::optional<std::int64_t> stream; // TfStream
};
ProcessName processNamed(std::string_view name);

// 13 of "Stream #13(Compute)"; none for other lines of an XLA device.
std::optional<std::int64_t> xlaStream(std::string_view threadName);

// Kernel, or Memcpy or Memset by the name that CUPTI, HIP and XLA give those.
EventKind deviceKindByName(std::string_view name);
CopyKind copyKindByName(std::string_view name); // "MemcpyH2D", "MEMCPYHtoD", "CopyHostToDevice"

// RuntimeApi for cudaLaunchKernel and hipMalloc, DriverApi for cuLaunchKernel; Other for the rest.
EventKind callKindByName(std::string_view name);

} // namespace lacuna::chrome
