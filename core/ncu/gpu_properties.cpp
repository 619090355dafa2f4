#include "core/ncu/gpu_properties.h"

#include <array>

namespace lacuna {

namespace {

constexpr std::uint64_t kKiB = 1024;

// What the compute capability decides.
constexpr GpuProperties ofCapability(std::string_view name, int major, int minor, int multiprocessors) {
    GpuProperties gpu;
    gpu.name = name;
    gpu.computeMajor = major;
    gpu.computeMinor = minor;
    gpu.multiprocessors = multiprocessors;
    const int capability = major * 10 + minor;
    const bool isSmall = capability == 86 || capability == 89 || major == 12;
    gpu.maxThreadsPerSm = capability == 75 ? 1024 : isSmall ? 1536 : 2048;
    gpu.sharedPerSm = (capability == 70   ? 96
                       : capability == 75 ? 64
                       : capability == 80 ? 164
                       : isSmall          ? 100
                                          : 228) *
                      kKiB;
    gpu.reservedSharedPerBlock = major >= 8 ? kKiB : 0;
    gpu.sharedPerBlockOptin = gpu.sharedPerSm - gpu.reservedSharedPerBlock;
    return gpu;
}

constexpr std::array kGpus{
    ofCapability("V100", 7, 0, 80),       ofCapability("TITAN V", 7, 0, 80),
    ofCapability("T4", 7, 5, 40),         ofCapability("RTX 2080 Ti", 7, 5, 68),
    ofCapability("A100", 8, 0, 108),      ofCapability("A30", 8, 0, 56),
    ofCapability("A10", 8, 6, 72),        ofCapability("A40", 8, 6, 84),
    ofCapability("RTX A6000", 8, 6, 84),  ofCapability("RTX 3080", 8, 6, 68),
    ofCapability("RTX 3090", 8, 6, 82),   ofCapability("L4", 8, 9, 58),
    ofCapability("L40", 8, 9, 142),       ofCapability("L40S", 8, 9, 142),
    ofCapability("RTX 4080", 8, 9, 76),   ofCapability("RTX 4090", 8, 9, 128),
    ofCapability("H100 PCIe", 9, 0, 114), ofCapability("H100", 9, 0, 132),
    ofCapability("H800", 9, 0, 132),      ofCapability("H20", 9, 0, 78),
    ofCapability("H200", 9, 0, 132),      ofCapability("GH200", 9, 0, 132),
    ofCapability("B200", 10, 0, 148),     ofCapability("GB200", 10, 0, 148),
    ofCapability("RTX 5090", 12, 0, 170),
};

bool isWordEnd(char c) {
    return c == ' ' || c == '-' || c == '_' || c == '/';
}

// The name as whole words of the reported one: "A10" is not in "NVIDIA A100".
bool isNamed(std::string_view reported, std::string_view name) {
    for (std::size_t at = reported.find(name); at != std::string_view::npos;
         at = reported.find(name, at + 1)) {
        const bool begins = at == 0 || isWordEnd(reported[at - 1]);
        const std::size_t end = at + name.size();
        if (begins && (end == reported.size() || isWordEnd(reported[end])))
            return true;
    }
    return false;
}

} // namespace

std::span<const GpuProperties> knownGpus() {
    return kGpus;
}

std::optional<GpuProperties> knownGpu(std::string_view reportedName) {
    const GpuProperties* best = nullptr; // the longest name that fits: "H100 PCIe" before "H100"
    for (const GpuProperties& gpu : kGpus)
        if (isNamed(reportedName, gpu.name) && (best == nullptr || gpu.name.size() > best->name.size()))
            best = &gpu;
    // A 3080 Ti is no 3080, and laptop parts carry the names of larger ones.
    const bool isOther =
        reportedName.find("Laptop") != std::string_view::npos ||
        reportedName.find("Max-Q") != std::string_view::npos ||
        reportedName.find("SUPER") != std::string_view::npos ||
        (reportedName.ends_with(" Ti") && (best == nullptr || !best->name.ends_with(" Ti"))) ||
        reportedName.find(" MIG ") != std::string_view::npos;
    return best == nullptr || isOther ? std::nullopt : std::optional(*best);
}

} // namespace lacuna
