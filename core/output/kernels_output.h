#pragma once
// What `lacuna kernels` prints: kernels of a trace, of an Nsight Compute file, or both joined. Times of the
// timeline and durations of the profiler stand in members and columns of their own.

#include "core/analysis/kernel_groups.h"
#include "core/ncu/kernel_diagnosis.h"
#include "core/ncu/kernel_join.h"
#include "core/ncu/ncu_file.h"
#include "core/ncu/occupancy.h"
#include "core/output/text_sink.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lacuna {

// One row: a group of the timeline, a profiled launch, or both where they were joined.
struct KernelRow {
    std::optional<std::size_t> group, launch; // of KernelsReport::timeline and ::ncu; at least one
    NcuJoin join;                             // where there are both files
};

struct KernelsReport {
    std::optional<KernelGroups> timeline;
    std::shared_ptr<const NcuFile> ncu;
    std::vector<KernelDiagnosis> diagnoses; // beside ncu->kernels
    // Groups by total time, one row for each launch that was joined to them; then launches that were not, in
    // the order of their file.
    std::vector<KernelRow> rows;
    std::string traceSha256; // of the bytes as stored; only for JSON
};

// Either may be missing, not both.
KernelsReport reportKernels(std::optional<KernelGroups> timeline, std::shared_ptr<const NcuFile> ncu);

std::string_view rowName(const KernelsReport& report, const KernelRow& row);
const LaunchConfig& rowConfig(const KernelsReport& report, const KernelRow& row);
// The command that would collect counters of the row; empty where it has them.
std::string rowCommand(const KernelsReport& report, const KernelRow& row);
// Theoretical occupancy of a row of the timeline; none where the toolkit was not there at build time, the GPU
// is not one of knownGpus(), or the file does not tell registers and block.
std::optional<Occupancy> rowOccupancy(const KernelsReport& report, const KernelRow& row);
// What the file does not tell, for people; may be empty.
std::vector<std::string> remarksOf(const KernelsReport& report);

void writeKernelsJson(const KernelsReport& report, TextSink& sink);
void writeKernelsCsv(const KernelsReport& report, TextSink& sink);
void writeKernelsTable(const KernelsReport& report, TextSink& sink, std::size_t width);

} // namespace lacuna
