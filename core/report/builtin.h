#pragma once
// The list of reports. A new one declares its function here and adds a line to the list in builtin.cpp.

#include "core/report/report.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lacuna {

namespace reports {
ReportFunction cudaApiGpuSum, cudaApiSum, cudaApiTrace, cudaGpuKernGbSum, cudaGpuKernSum, cudaGpuMemSizeSum,
    cudaGpuMemTimeSum, cudaGpuSum, cudaGpuTrace, cudaKernExecSum, cudaKernExecTrace, nvtxGpuProjSum,
    nvtxGpuProjTrace, nvtxKernSum, nvtxPushpopSum, nvtxPushpopTrace, nvtxStartendSum, nvtxSum, osrtSum;
// The vendor's expert rules.
ReportFunction cudaApiSync, cudaMemcpyAsync, cudaMemcpySync, cudaMemsetSync, gpuGaps, gpuTimeUtil;
ReportFunction api, candidateSteps, collectives, copies, eventSum, criticalPath, criticalPathTrace, findings,
    idle, kernelExposure, kernelShapes, keyAverages, launch, limiters, ops, overlap, phases, schedule,
    settings, stepHistogram, stepStats, steps, streams, threads, whatIf, windows;
// Under the names of Holistic Trace Analysis.
ReportFunction commCompOverlap, cudaKernelLaunchStats, cuptiCounters, frequentCudaKernelSequences,
    gpuKernelBreakdown, gpuKernelBreakdownNames, gpuUserAnnotationBreakdown, idleTimeBreakdown,
    memoryBwSummary, memoryBwTimeSeries, profilerSteps, queueLengthSummary, queueLengthTimeSeries,
    temporalBreakdown, userAnnotationBreakdown;
} // namespace reports

std::span<const ReportSpec> builtinReports(); // by name
const ReportSpec* findReport(std::string_view name);

struct ReportQuery {
    std::string name;
    ReportOptions options;
    std::string sort; // name of a column; empty: the report's own order
    std::optional<std::size_t> limit;
};

// Runs a report, sorts and cuts it. Errors beside the report's own: Unsupported for what the caller got wrong
// (no such report, device, column or definition); the detail names what there is.
Result<ReportTable> runReport(const Trace& trace, DetailReader* details, const ReportQuery& query,
                              JobControl& job);

} // namespace lacuna
