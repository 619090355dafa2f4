#pragma once
// The table of kernels: report kernels and the Kernels panel.

#include "core/analysis/kernel_bundles.h"
#include "core/report/report.h"

namespace lacuna {

// One row a bundle, in their order; each row is about its longest launch. Exposed: time of the launches in
// which no other operation ran on the device. Error: Cancelled.
Result<ReportTable> kernelTable(const KernelGroups& kernels, const std::vector<KernelBundle>& bundles,
                                JobControl& job);

namespace reports {
ReportFunction kernelTotals; // one row a launch configuration
} // namespace reports

} // namespace lacuna
