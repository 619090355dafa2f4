#include "core/report/builtin.h"

#include "core/report/kernel_table.h"
#include "core/report/memory_reports.h"
#include "core/report/work_reports.h"

#include <algorithm>
#include <array>
#include <set>

namespace lacuna {

namespace {

// By name. Name, summary, function; then what options it heeds.
constexpr std::array kReports = {
    ReportSpec{"api", "CUDA API calls: layer, blocking, times", reports::api},
    ReportSpec{"candidate_steps", "Repeats that may be steps", reports::candidateSteps},
    ReportSpec{"collectives", "Collectives: size, time and bandwidth", reports::collectives, true},
    ReportSpec{"comm_comp_overlap", "HTA: communication under compute", reports::commCompOverlap, true, true},
    ReportSpec{"compiled_code", "Compiled code: guards, AOTAutograd, Inductor, Triton, external",
               reports::compiledCode},
    ReportSpec{"copies", "Copies and sets: bytes, bandwidth, pageable", reports::copies, true},
    ReportSpec{"critical_path", "What decided when the last operation ended, by kind", reports::criticalPath,
               false, true},
    ReportSpec{"critical_path_trace", "Every piece of the critical path", reports::criticalPathTrace},
    ReportSpec{"cuda_api_gpu_sum", "API calls and device work together", reports::cudaApiGpuSum, true},
    ReportSpec{"cuda_api_sum", "CUDA API calls by name", reports::cudaApiSum},
    ReportSpec{"cuda_api_sync", "Rule: calls that wait", reports::cudaApiSync, false, false, true},
    ReportSpec{"cuda_api_trace", "Every CUDA API call", reports::cudaApiTrace},
    ReportSpec{"cuda_gpu_kern_gb_sum", "Kernels by name, grid and block", reports::cudaGpuKernGbSum, true},
    ReportSpec{"cuda_gpu_kern_sum", "Kernels by name", reports::cudaGpuKernSum, true},
    ReportSpec{"cuda_gpu_mem_size_sum", "Bytes of copies and memsets", reports::cudaGpuMemSizeSum, true},
    ReportSpec{"cuda_gpu_mem_time_sum", "Times of copies and memsets", reports::cudaGpuMemTimeSum, true},
    ReportSpec{"cuda_gpu_sum", "Kernels, copies and memsets", reports::cudaGpuSum, true},
    ReportSpec{"cuda_gpu_trace", "Every kernel, copy and memset", reports::cudaGpuTrace, true},
    ReportSpec{"cuda_kern_exec_sum", "Launch, queue and kernel times", reports::cudaKernExecSum, true},
    ReportSpec{"cuda_kern_exec_trace", "Every launch with its kernel", reports::cudaKernExecTrace, true},
    ReportSpec{"cuda_kernel_launch_stats", "HTA: call, operation and delay of every launch",
               reports::cudaKernelLaunchStats, true, true},
    ReportSpec{"cuda_memcpy_async", "Rule: pageable copies", reports::cudaMemcpyAsync, true, false, true},
    ReportSpec{"cuda_memcpy_sync", "Rule: blocking copies", reports::cudaMemcpySync, true, false, true},
    ReportSpec{"cuda_memset_sync", "Rule: blocking memsets", reports::cudaMemsetSync, true, false, true},
    ReportSpec{"cupti_counters", "HTA: counters of CUPTI's range profiler", reports::cuptiCounters, true},
    ReportSpec{"event_sum", "Every kind of event by name: sum and union", reports::eventSum, true},
    ReportSpec{"expected_work", "What operators lead to expect, and what they launched",
               reports::expectedWorkTable},
    ReportSpec{.name = "findings",
               .summary = "What to look at, with what speaks for and against it",
               .run = reports::findings,
               .byDevice = true,
               .isProse = true},
    ReportSpec{.name = "frequent_cuda_kernel_sequences",
               .summary = "HTA: kernels launched in the same order",
               .run = reports::frequentCudaKernelSequences,
               .hasDefinitions = true,
               .byOperator = true},
    ReportSpec{"gpu_gaps", "Rule: times without work", reports::gpuGaps, true, false, true},
    ReportSpec{"gpu_kernel_breakdown", "HTA: time by set of kernel types", reports::gpuKernelBreakdown, true,
               true},
    ReportSpec{"gpu_kernel_breakdown_names", "HTA: device work by name", reports::gpuKernelBreakdownNames,
               true, true},
    ReportSpec{"gpu_time_util", "Rule: times of little work", reports::gpuTimeUtil, true, false, true},
    ReportSpec{"gpu_user_annotation_breakdown", "HTA: ranges on the device by name",
               reports::gpuUserAnnotationBreakdown, true, true},
    ReportSpec{"idle", "Idle time by cause", reports::idle, true},
    ReportSpec{"idle_time_breakdown", "HTA: idle time of streams by category", reports::idleTimeBreakdown,
               true, true},
    ReportSpec{"kernel_exposure", "Kernels: on the critical path, exposed, overlapped",
               reports::kernelExposure, true},
    ReportSpec{"kernel_shapes", "Kernels by name, shape and launch configuration", reports::kernelShapes,
               true},
    ReportSpec{"kernels", "Kernels by launch configuration: equality, callers, exposed time",
               reports::kernelTotals, true},
    ReportSpec{.name = "key_averages",
               .summary = "PyTorch's table of names",
               .run = reports::keyAverages,
               .hasGroups = true},
    ReportSpec{"launch", "Launch latency and queues by stream", reports::launch, true},
    ReportSpec{"launch_density", "Launches per ms by thread, and how busy the GPU was",
               reports::launchDensity, true},
    ReportSpec{"limiters", "Kernels, communication, copies, idle: 100 %", reports::limiters, true},
    ReportSpec{"memory", "Memory in use: the peak, its start and duration, first and last", reports::memory,
               true},
    ReportSpec{"memory_bw_summary", "HTA: bandwidth of copies and sets", reports::memoryBwSummary, true,
               true},
    ReportSpec{"memory_bw_time_series", "HTA: bandwidth of copies and sets over time",
               reports::memoryBwTimeSeries, true, true},
    ReportSpec{"memory_peak", "What was in use at the memory peak, by operator", reports::memoryPeak, true},
    ReportSpec{"nvtx_gpu_proj_sum", "Device time of ranges by name", reports::nvtxGpuProjSum, true},
    ReportSpec{"nvtx_gpu_proj_trace", "Device time of every range", reports::nvtxGpuProjTrace, true},
    ReportSpec{"nvtx_kern_sum", "Kernels by range", reports::nvtxKernSum, true},
    ReportSpec{"nvtx_pushpop_sum", "Push/pop ranges by name", reports::nvtxPushpopSum},
    ReportSpec{"nvtx_pushpop_trace", "Every push/pop range", reports::nvtxPushpopTrace},
    ReportSpec{"nvtx_startend_sum", "Start/end ranges by name", reports::nvtxStartendSum},
    ReportSpec{"nvtx_sum", "Ranges by name and style", reports::nvtxSum},
    ReportSpec{"ops", "Operators: host and device time", reports::ops},
    ReportSpec{"osrt_sum", "OS runtime calls by name", reports::osrtSum},
    ReportSpec{"overlap", "What ran together: sums, unions, exposed time", reports::overlap, true},
    ReportSpec{"phases", "Ranges inside each step", reports::phases},
    ReportSpec{"profiler_steps", "HTA: numbers of the ProfilerSteps", reports::profilerSteps, false, true},
    ReportSpec{"queue_length_summary", "HTA: operations in the queue of each stream",
               reports::queueLengthSummary, true, true},
    ReportSpec{"queue_length_time_series", "HTA: queue of each stream over time",
               reports::queueLengthTimeSeries, true, true},
    ReportSpec{"schedule", "Steps that the profiler waited, warmed up and recorded", reports::schedule},
    ReportSpec{"settings", "Thresholds and settings of steps and findings", reports::settings},
    ReportSpec{"step_histogram", "Histograms of the quantities of the steps", reports::stepHistogram, true},
    ReportSpec{"step_stats", "Statistics of the quantities of the steps", reports::stepStats, true},
    ReportSpec{"steps", "Steps: duration, GPU busy and idle", reports::steps, true},
    ReportSpec{"streams", "Streams: busy, overlapped and communication time", reports::streams, true},
    ReportSpec{"temporal_breakdown", "HTA: idle, compute and other time", reports::temporalBreakdown, true,
               true},
    ReportSpec{"threads", "Host threads: busy time and calls", reports::threads},
    ReportSpec{"user_annotation_breakdown", "HTA: ranges of the host by name",
               reports::userAnnotationBreakdown, false, true},
    ReportSpec{"whatif", "What would be saved without a wait, read, copy or range", reports::whatIf, false,
               false, false, true},
    ReportSpec{"windows", "The same figures in several windows, and their spread", reports::windows, true},
    ReportSpec{"work_questions", "Did a view materialise, a copy appear, operators fuse, a GEMM change",
               reports::workQuestions},
};

static_assert(std::is_sorted(kReports.begin(), kReports.end(),
                             [](const ReportSpec& a, const ReportSpec& b) { return a.name < b.name; }));

constexpr std::size_t kRowsOfRule = 50;

Error misused(std::string detail) {
    return {Errc::Unsupported, std::move(detail), {}, {}};
}

std::string reportNames() {
    std::string names;
    for (const ReportSpec& report : kReports)
        names.append(names.empty() ? "" : ", ").append(report.name);
    return names;
}

std::string columnNames(const ReportTable& table) {
    std::string names;
    for (const ReportColumn& column : table.columns())
        names.append(names.empty() ? "" : ", ").append(column.title);
    return names;
}

// Empty when the device is there.
std::string missingDevice(const Trace& trace, std::int64_t ordinal) {
    std::set<std::int64_t> known;
    for (const Device& device : trace.devices())
        known.insert(device.ordinal);
    if (known.contains(ordinal))
        return {};
    std::string list;
    for (const std::int64_t number : known)
        list.append(list.empty() ? "" : ", ").append(std::to_string(number));
    return "there is no device " + std::to_string(ordinal) + "; the file has " +
           (list.empty() ? "none" : list);
}

// Empty when the report heeds every option that is set.
std::string unheededOption(const ReportSpec& report, const Trace& trace, const ReportOptions& options) {
    const std::string name = "report " + std::string(report.name);
    if (options.device && !report.byDevice)
        return name + " is not by device";
    if (options.definition != ReportDefinition::Lacuna && !report.hasDefinitions)
        return name + " has one definition only";
    if (options.corrected && !report.isRule)
        return name + " has no corrected form";
    if ((!options.sites.empty() || options.together || options.pinnedBytesPerSecond != 0) &&
        !report.asksWhatIf)
        return name + " is no what-if";
    if (options.groupBy != AverageGroup::Name && !report.hasGroups)
        return name + " has one grouping only";
    if (!options.inside.empty() && !report.hasGroups)
        return name + " has no rows that stand in others";
    if (!options.operatorName.empty() && !report.byOperator)
        return name + " is not by operator";
    return options.device ? missingDevice(trace, *options.device) : std::string();
}

} // namespace

std::span<const ReportSpec> builtinReports() {
    return kReports;
}

const ReportSpec* findReport(std::string_view name) {
    const auto at = std::find_if(kReports.begin(), kReports.end(),
                                 [name](const ReportSpec& report) { return report.name == name; });
    return at == kReports.end() ? nullptr : &*at;
}

Result<ReportTable> runReport(const Trace& trace, DetailReader* details, const ReportQuery& query,
                              JobControl& job) {
    const ReportSpec* report = findReport(query.name);
    if (report == nullptr)
        return misused("there is no report '" + query.name + "'; there are " + reportNames());
    if (std::string wrong = unheededOption(*report, trace, query.options); !wrong.empty())
        return misused(std::move(wrong));
    auto table = report->run({trace, details, query.options}, job);
    if (!table)
        return table.error();
    if (job.cancelled()) // what a report was in the middle of is no report
        return cancelledError();
    const ReportOptions& options = query.options;
    if (table->rows() == 0 && (options.range || options.device))
        table->setOnlyNote("There are no rows in this part of the trace.");
    else if (table->rows() == 0 && table->notes().empty())
        table->setOnlyNote("The trace has no rows for this report.");
    if (!query.sort.empty()) {
        const auto column = table->findColumn(query.sort);
        if (!column)
            return misused("report " + query.name + " has no column '" + query.sort + "'; it has " +
                           columnNames(*table));
        if (!table->sortBy(*column, job))
            return cancelledError();
    }
    if (query.limit)
        table->limitTo(*query.limit);
    else if (report->isRule && table->rows() > kRowsOfRule) { // as the vendor
        table->addNote("The first " + std::to_string(kRowsOfRule) + " of " + std::to_string(table->rows()) +
                       " rows; --limit changes that.");
        table->limitTo(kRowsOfRule);
    }
    return table;
}

} // namespace lacuna
