#pragma once
// What rows of key_averages can be grouped by beside their names: input shapes, Python stack, range, stream,
// thread.

#include "core/analysis/key_averages.h"
#include "core/base/string_pool.h"
#include "core/report/report.h"

#include <optional>

namespace lacuna {

struct AverageLabelTexts {
    AverageLabels labels;
    StringPool texts; // by label; 0: none
};

// None of the trace's rows has such a label: Unsupported, and the detail says how it is recorded. Further
// errors: Cancelled, and those of reading the source again (for shapes). `tree` as for keyAverages(); it must
// outlive the labels.
Result<AverageLabelTexts> averageLabels(const ReportInput& input, const HostTree& tree, AverageGroup group,
                                        JobControl& job);
std::string_view averageLabelTitle(AverageGroup group); // "Input Shapes"

// Marks of the allocator, by time; empty where none were recorded or the source is gone.
Result<std::vector<MemoryChange>> memoryChanges(const ReportInput& input, JobControl& job);

} // namespace lacuna
