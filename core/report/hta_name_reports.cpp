// Reports of Holistic Trace Analysis by name: kernels, annotations, steps, sequences of kernels.

#include "core/analysis/kernel_sequences.h"
#include "core/report/builtin.h"
#include "core/report/hta_input.h"
#include "core/report/report_rows.h"

#include <string>
#include <string_view>

namespace lacuna::reports {

namespace {

std::string_view kernelTypeName(HtaClass cls) {
    return cls == HtaClass::Communication ? "COMMUNICATION"
           : cls == HtaClass::Memory      ? "MEMORY"
                                          : "COMPUTATION";
}

std::vector<ReportColumn> sumColumns(std::vector<ReportColumn> first) {
    for (const char* title : {"Sum (ns)", "Max (ns)", "Min (ns)"})
        first.push_back(nsColumn(title));
    first.push_back(decimalColumn("StdDev (ns)", 1));
    first.push_back(decimalColumn("Mean (ns)", 1));
    first.push_back(integerColumn("Count"));
    return first;
}

void addSums(ReportTable::Row& row, const HtaKernel& kernel) {
    row.ns(kernel.sumNs)
        .ns(kernel.maxNs)
        .ns(kernel.minNs)
        .decimal(kernel.deviationNs)
        .ratio(kernel.sumNs, kernel.count)
        .integer(kernel.count);
}

Result<ReportTable> annotationBreakdown(const ReportInput& input, bool onDevice, const char* whenEmpty,
                                        JobControl& job) {
    const auto rows = htaAnnotations(input.trace, onDevice, htaOptionsOf(input), job);
    if (!rows)
        return rows.error();
    ReportTable table(sumColumns({textColumn("Name")}));
    const std::vector<HtaKernel> kernels = htaKernels(input.trace, *rows, job);
    if (job.cancelled())
        return cancelledError();
    for (const HtaKernel& kernel : kernels) {
        ReportTable::Row row = table.addRow();
        row.text(input.trace.strings().view(kernel.name));
        addSums(row, kernel);
    }
    addHtaNote(table, input, whenEmpty);
    return table;
}

} // namespace

Result<ReportTable> gpuKernelBreakdownNames(const ReportInput& input, JobControl& job) {
    const auto rows = htaRows(input.trace, htaOptionsOf(input), job);
    if (!rows)
        return rows.error();
    ReportTable table(sumColumns({textColumn("Name"), textColumn("Kernel Type")}));
    const std::vector<HtaKernel> kernels = htaKernels(input.trace, *rows, job);
    if (job.cancelled())
        return cancelledError();
    for (const HtaKernel& kernel : kernels) {
        ReportTable::Row row = table.addRow();
        row.text(input.trace.strings().view(kernel.name)).text(kernelTypeName(kernel.cls));
        addSums(row, kernel);
    }
    addHtaNote(table, input, "The trace has no device work.");
    return table;
}

Result<ReportTable> userAnnotationBreakdown(const ReportInput& input, JobControl& job) {
    return annotationBreakdown(input, false, "The trace has no annotations.", job);
}

Result<ReportTable> gpuUserAnnotationBreakdown(const ReportInput& input, JobControl& job) {
    return annotationBreakdown(input, true, "The trace has no annotations on the device.", job);
}

Result<ReportTable> profilerSteps(const ReportInput& input, JobControl& job) {
    ReportTable table({integerColumn("Step")});
    for (const std::int64_t step : htaProfilerSteps(input.trace, htaOptionsOf(input), job))
        table.addRow().integer(step);
    if (job.cancelled())
        return cancelledError();
    addHtaNote(table, input, "The trace has no ProfilerSteps.");
    return table;
}

// With HTA's definition only operators at the least depth of all count, else the outermost of each call.
Result<ReportTable> frequentCudaKernelSequences(const ReportInput& input, JobControl& job) {
    const auto tree = HostTree::build(input.trace, {false, false}, job);
    if (!tree)
        return tree.error();
    KernelSequenceOptions options;
    options.contains = input.options.operatorName;
    options.shallowestOnly = input.options.definition == ReportDefinition::Hta;
    options.window = input.options.range;
    const auto sequences = kernelSequences(input.trace, *tree, options, job);
    if (!sequences)
        return sequences.error();
    ReportTable table({integerColumn("Count"), nsColumn("GPU Kernel Duration (ns)"),
                       nsColumn("CPU Op Duration (ns)"), integerColumn("Kernels"), textColumn("Operator"),
                       textColumn("Pattern")});
    for (const KernelSequence& sequence : *sequences) {
        std::string pattern;
        for (const StringId name : sequence.names)
            pattern.append(pattern.empty() ? "" : "|").append(input.trace.strings().view(name));
        table.addRow()
            .about(sequence.first)
            .integer(sequence.count)
            .ns(sequence.deviceNs)
            .ns(sequence.hostNs)
            .integer(static_cast<std::int64_t>(sequence.names.size()) - 1)
            .text(input.trace.strings().view(sequence.names.front()))
            .text(pattern);
    }
    if (table.rows() == 0)
        table.addNote("No such operator launched at least " + std::to_string(options.atLeast) +
                      " operations of the device.");
    return table;
}

} // namespace lacuna::reports
