#include "core/ncu/occupancy.h"

#if LACUNA_OCCUPANCY
#include <cuda.h> // CUDA_VERSION
#include <cuda_occupancy.h>
#endif

#include <climits>

#include <algorithm>
#include <array>

namespace lacuna {

bool occupancyIsBuiltIn() {
    return LACUNA_OCCUPANCY != 0;
}

#if LACUNA_OCCUPANCY

namespace {

cudaOccDeviceProp occupancyDevice(const GpuProperties& gpu) {
    cudaOccDeviceProp device{};
    device.computeMajor = gpu.computeMajor;
    device.computeMinor = gpu.computeMinor;
    device.maxThreadsPerBlock = gpu.maxThreadsPerBlock;
    device.maxThreadsPerMultiprocessor = gpu.maxThreadsPerSm;
    device.regsPerBlock = gpu.registersPerBlock;
    device.regsPerMultiprocessor = gpu.registersPerSm;
    device.warpSize = gpu.warpSize;
    device.sharedMemPerBlock = gpu.sharedPerBlock;
    device.sharedMemPerMultiprocessor = gpu.sharedPerSm;
    device.numSms = gpu.multiprocessors;
    device.sharedMemPerBlockOptin = gpu.sharedPerBlockOptin;
    device.reservedSharedMemPerBlock = gpu.reservedSharedPerBlock;
    return device;
}

std::string occupancyLimiter(unsigned factors) {
    constexpr std::array<std::pair<unsigned, std::string_view>, 4> kFactors{
        {{OCC_LIMIT_REGISTERS, "registers"},
         {OCC_LIMIT_SHARED_MEMORY, "shared memory"},
         {OCC_LIMIT_WARPS, "warps"},
         {OCC_LIMIT_BLOCKS, "blocks"}}};
    std::string text;
    for (const auto& [bit, name] : kFactors)
        if ((factors & bit) != 0)
            text.append(text.empty() ? "" : " and ").append(name);
    return text;
}

} // namespace

std::string occupancySource() {
    return "CUDA " + std::to_string(CUDA_VERSION / 1000) + "." + std::to_string(CUDA_VERSION % 1000 / 10);
}

std::optional<Occupancy> theoreticalOccupancy(const GpuProperties& gpu, const OccupancyInput& launch) {
    if (launch.blockThreads <= 0 || launch.blockThreads > gpu.maxThreadsPerBlock)
        return std::nullopt;
    const cudaOccDeviceProp device = occupancyDevice(gpu);
    cudaOccFuncAttributes function{};
    function.maxThreadsPerBlock = INT_MAX;
    function.numRegs = launch.registersPerThread;
    function.sharedSizeBytes = launch.staticSharedBytes;
    function.partitionedGCConfig = PARTITIONED_GC_OFF;
    function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    function.maxDynamicSharedSizeBytes = gpu.sharedPerBlockOptin;
    const cudaOccDeviceState state{};
    cudaOccResult result{};
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, launch.blockThreads,
                                                launch.dynamicSharedBytes) != CUDA_OCC_SUCCESS)
        return std::nullopt;
    const int warps = (launch.blockThreads + gpu.warpSize - 1) / gpu.warpSize;
    const auto limit = [](int blocks) { return blocks == INT_MAX ? -1 : blocks; };
    return Occupancy{result.activeBlocksPerMultiprocessor,
                     result.activeBlocksPerMultiprocessor * warps,
                     gpu.maxWarpsPerSm(),
                     limit(result.blockLimitWarps),
                     limit(result.blockLimitRegs),
                     limit(result.blockLimitSharedMem),
                     limit(result.blockLimitBlocks),
                     occupancyLimiter(result.limitingFactors)};
}

#else

std::string occupancySource() {
    return "off (built without the CUDA Toolkit)";
}

std::optional<Occupancy> theoreticalOccupancy(const GpuProperties&, const OccupancyInput&) {
    return std::nullopt;
}

#endif

std::vector<std::pair<std::uint64_t, int>> occupancyCurve(const GpuProperties& gpu,
                                                          const OccupancyInput& launch, OccupancyAxis axis) {
    constexpr std::uint64_t kStepBytes = 1024, kMaxRegisters = 255;
    const bool isBlock = axis == OccupancyAxis::BlockThreads, isRegisters = axis == OccupancyAxis::Registers;
    const auto warp = static_cast<std::uint64_t>(gpu.warpSize);
    const std::uint64_t first = isBlock ? warp : isRegisters ? 1 : launch.staticSharedBytes;
    const std::uint64_t last = isBlock       ? static_cast<std::uint64_t>(gpu.maxThreadsPerBlock)
                               : isRegisters ? kMaxRegisters
                                             : std::max(gpu.sharedPerBlockOptin, first);
    const std::uint64_t step = isBlock ? warp : isRegisters ? 1 : kStepBytes;
    std::vector<std::pair<std::uint64_t, int>> curve;
    if (!occupancyIsBuiltIn())
        return curve;
    curve.reserve(static_cast<std::size_t>((last - first) / step + 1));
    for (std::uint64_t x = first; x <= last; x += step) {
        OccupancyInput changed = launch;
        if (isBlock)
            changed.blockThreads = static_cast<int>(x);
        else if (isRegisters)
            changed.registersPerThread = static_cast<int>(x);
        else
            changed.dynamicSharedBytes = x - launch.staticSharedBytes;
        const auto occupancy = theoreticalOccupancy(gpu, changed);
        curve.emplace_back(x, occupancy ? occupancy->warpsPerSm : 0);
    }
    return curve;
}

} // namespace lacuna
