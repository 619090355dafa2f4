#pragma once
// The roofline of profiled kernels: work per byte against work per second, below the ceilings of arithmetic
// and of each memory level. Formulas: nsys.md section 10.3 and the vendor's own section definitions.
//
//   work     FP32 flop/s = (fadd + fmul + 2 ffma per cycle) x clock of the SM sub-partitions; FP64 alike;
//   FP16
//            counts instructions of two lanes: 2 hadd + 2 hmul + 4 hfma; tensor: operations as counted
//   ceiling  2 x ffma (4 x hfma) of all SMs per cycle x SM clock; bytes per cycle of a level x its clock
//   traffic  DRAM dram__bytes; L2 bytes from L2 to the crossbar; L1 bytes written back by the load/store unit
//   point    x = work per second / traffic per second, y = work per second
//
// Clocks and rates are those of each launch under the profiler.

#include "core/ncu/ncu_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

enum class RoofLevel : std::uint8_t { Dram, L2, L1 };
inline constexpr std::size_t kRoofLevels = 3;
std::string_view roofLevelName(RoofLevel level); // "DRAM", "L2", "L1"

struct RooflinePoint {
    std::size_t kernel = 0; // of NcuFile::kernels
    std::string precision;  // "FP64", "FP32", "FP16", "tensor fp16", …
    RoofLevel level = RoofLevel::Dram;
    double flopPerByte = 0, flopPerSecond = 0; // both > 0
    double peakFlopPerSecond = 0, peakBytesPerSecond = 0;
    // What the kernel could reach at its intensity: the lower of the two roofs.
    double attainable() const;
    bool isMemoryRoof() const { return flopPerByte * peakBytesPerSecond < peakFlopPerSecond; }
    double headroom() const { return attainable() / flopPerSecond; } // times; 1: at the roof
};

struct Roofline {
    std::vector<RooflinePoint> points;       // by kernel, precision, level
    std::vector<std::string> precisions;     // of the points, in the order FP64, FP32, FP16, tensor
    std::vector<std::size_t> withoutWork;    // kernels that do no floating-point work
    std::vector<std::size_t> withoutMetrics; // kernels whose file lacks what a point needs
};

Roofline rooflineOf(const NcuFile& file);

// Points of one precision and level, most headroom first (features.md D42); equal ones by kernel.
std::vector<RooflinePoint> byHeadroom(const Roofline& roofline, std::string_view precision, RoofLevel level);
// The precision that most kernels use; empty without points.
std::string mainPrecision(const Roofline& roofline);

} // namespace lacuna
