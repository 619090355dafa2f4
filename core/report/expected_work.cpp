// expected_work: what operators lead one to expect beside what they launched, and work_questions: what
// changed on the way (core/analysis/expected_work.h).

#include "core/analysis/expected_work.h"

#include "core/report/work_reports.h"
#include "core/view/short_name.h"

#include <algorithm>
#include <string>

namespace lacuna::reports {

namespace {

constexpr std::size_t kNamedKernels = 3;

// "vectorized_elementwise_kernel 12, 2 more": as the trace has them, in short.
std::string launchedNames(const Trace& trace, const NameCounts& kernels) {
    std::string text;
    for (std::size_t i = 0; i < std::min(kernels.size(), kNamedKernels); ++i) {
        const auto names = shortNames(trace.strings().view(kernels[i].first), EventKind::Kernel);
        text.append(i == 0 ? "" : ", ").append(names.front());
        if (kernels.size() > 1)
            text.append(" ").append(std::to_string(kernels[i].second));
    }
    if (kernels.size() > kNamedKernels)
        text += ", " + std::to_string(kernels.size() - kNamedKernels) + " more";
    return text;
}

Result<ExpectedWork> workOf(const ReportInput& input, JobControl& job) {
    const auto tree = HostTree::build(input.trace, {false, false}, job);
    if (!tree)
        return tree.error();
    return expectedWork(input.trace, *tree, input.details, input.options.range, job);
}

void addNotes(ReportTable& table, const ExpectedWork& work) {
    if (work.items.empty())
        table.addNote("No operator is recorded here, and no kernel is named after operators: nothing is "
                      "expected.");
    if (work.isByDevice)
        table.addNote("No operator began in the range: those that launched the device work in it are shown.");
    if (work.withoutOperator > 0)
        table.addNote(std::to_string(work.withoutOperator) + " of " + std::to_string(work.operations) +
                      " device operations have no operator (CUDA graphs, calls outside of operators).");
    if (work.shapesAreCut)
        table.addNote("Shapes of the first " + std::to_string(kMostShapesRead) + " GEMMs were read.");
    if (std::any_of(work.items.begin(), work.items.end(),
                    [](const ExpectedItem& item) { return item.work == "fused"; }))
        table.addNote("A generated name lists each operator once, so more may be in it.");
}

void addItem(ReportTable& table, const Trace& trace, const ExpectedItem& item) {
    ReportTable::Row row = table.addRow();
    if (const EventId event = item.kernel ? item.kernel : item.operation)
        row.about(event);
    row.text(item.title()).text(item.work).text(item.shape);
    row.integer(static_cast<std::int64_t>(item.calls));
    row.integer(item.expected ? std::optional(static_cast<std::int64_t>(*item.expected)) : std::nullopt);
    row.integer(static_cast<std::int64_t>(item.seen)).text(launchedNames(trace, item.kernels));
    row.ns(item.deviceNs);
    item.calls == 0 ? row.empty() : row.ratio(item.deviceNs, static_cast<std::int64_t>(item.calls));
    item.flop > 0 ? row.decimal(item.flop / 1e6) : row.empty();
    row.text(item.verdict());
}

} // namespace

Result<ReportTable> expectedWorkTable(const ReportInput& input, JobControl& job) {
    const auto work = workOf(input, job);
    if (!work)
        return work.error();
    ReportTable table({textColumn("Expected"), textColumn("Work"), textColumn("Shape"),
                       integerColumn("Calls"), integerColumn("Expected Operations"),
                       integerColumn("Launched"), textColumn("Kernels"), nsColumn("Total (ns)"),
                       decimalColumn("Each (ns)", 1), decimalColumn("Each (MFLOP)", 3),
                       textColumn("Verdict")});
    for (const ExpectedItem& item : work->items)
        addItem(table, input.trace, item);
    addNotes(table, *work);
    return table;
}

Result<ReportTable> workQuestions(const ReportInput& input, JobControl& job) {
    const auto work = workOf(input, job);
    if (!work)
        return work.error();
    ReportTable table({textColumn("Question"), textColumn("Answer"), textColumn("Why")});
    if (work->items.empty() && work->operations == 0) {
        table.addNote("There are no operators and no device work here: nothing to ask about.");
        return table;
    }
    for (const WorkQuestion& question : work->questions) {
        ReportTable::Row row = table.addRow();
        if (!question.evidence.empty())
            row.about(question.evidence.front());
        row.text(question.question).text(workAnswerName(question.answer)).text(question.why);
    }
    return table;
}

} // namespace lacuna::reports
