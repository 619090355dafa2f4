#pragma once
// What an Nsight Compute file holds: profiled launches of kernels with their metrics. A plain value, the same
// from a CSV page and from a .ncu-rep report. Values are in base units (ns, byte, hz, per second), whatever
// the file prints; an absent metric is absent, never 0.
//
// Nsight Compute serialises kernels, replays them and by default fixes the clocks: its durations belong
// beside times of a timeline, never into a sum with them.

#include "core/base/string_pool.h"
#include "core/trace/import_report.h"
#include "core/trace/launch_config.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

struct NcuMetric {
    StringId name; // "sm__throughput.avg.pct_of_peak_sustained_elapsed"; "Section: Label" where a page of
                   // labels has one that stands for no known metric
    StringId unit; // base unit: "ns", "byte/s", "%"; empty: none, or not told
    StringId text; // a word instead of a number ("CachePreferNone"); none for numbers
    double value = 0;
};

struct NcuKernel {
    std::int64_t id = 0;   // as the file numbers launches
    std::uint32_t run = 0; // files put together hold several runs; ids are unique in a run only
    StringId name;         // as the file has it: demangled with arguments, or the bare function
    StringId mangledName;  // reports only
    StringId processName, computeCapability;
    std::optional<std::int64_t> process, context, stream, device;
    LaunchConfig config;            // from the row, else from the launch metrics
    std::uint64_t invocations = 1;  // more: a summary page, values are averages over them
    std::vector<NcuMetric> metrics; // by name id, each name once
};

enum class NcuFormat : std::uint8_t { RawCsv, DetailsCsv, SummaryCsv, Report };
std::string_view ncuFormatName(NcuFormat format); // "ncu-raw-csv", …

class NcuFile {
public:
    std::string path, fileName;
    NcuFormat format = NcuFormat::RawCsv;
    StringPool strings;
    std::vector<NcuKernel> kernels; // in the order of the file
    ImportReport report;            // notes only; isPartial(): a part could not be read

    std::string_view text(StringId id) const { return strings.view(id); }
    std::string_view nameOf(const NcuKernel& kernel) const { return strings.view(kernel.name); }
    // Null where the kernel has no such metric. O(log metrics).
    const NcuMetric* find(const NcuKernel& kernel, std::string_view metric) const;
    // Of a number; none for words and absent metrics.
    std::optional<double> value(const NcuKernel& kernel, std::string_view metric) const;
    // The first of several names that the kernel has a number for.
    std::optional<double> firstValue(const NcuKernel& kernel,
                                     std::span<const std::string_view> metrics) const;
};

// Limits that hostile files meet; a file beyond them is read up to them, with a note.
inline constexpr std::size_t kMaxNcuMetrics = 8'000'000; // of all kernels: 200 MB
inline constexpr std::size_t kMaxNcuNameBytes = std::size_t{64} << 20;

// For the readers: sorts the metrics of every kernel, keeps the first of equal names (a note counts those
// with another value), fills configurations from the launch metrics and notes replay passes.
void finishNcuFile(NcuFile& file);

} // namespace lacuna
