// whatif: what the replay says would be saved by taking one thing away, worst first.

#include "core/analysis/what_if.h"
#include "core/report/builtin.h"

#include <memory>
#include <string>

namespace lacuna::reports {

namespace {

constexpr std::size_t kAskedPerKind = 8; // one replay each
constexpr std::size_t kAskedOfASite = 200;

void addWhatIfAnswer(ReportTable::Row& row, const WhatIfAnswer& answer) {
    row.ns(answer.attributedNs).ns(answer.boundNs).ns(answer.replayNs).ns(answer.modelNs);
    if (const auto& period = answer.stepPeriod)
        row.ns(period->recordedNs).ns(period->predictedNs);
    else
        row.empty().empty();
}

void addWhatIfRow(ReportTable& table, const WhatIfRow& asked) {
    const WhatIfQuestion& question = asked.question;
    ReportTable::Row row = table.addRow();
    if (question.isRange)
        row.empty().text(question.where);
    else
        row.text(question.where).empty();
    row.text(whatIfName(question.kind)).integer(static_cast<std::int64_t>(question.times()));
    addWhatIfAnswer(row, asked.answer);
}

void addWhatIfNotes(ReportTable& table, const WhatIf& whatIf, const WhatIfTable& answers) {
    bool pins = false;
    for (const WhatIfRow& row : answers.rows)
        pins = pins || row.question.kind == WhatIfKind::PinCopy;
    if (pins && whatIf.pinnedBandwidth() == 0)
        table.addNote("pin_copy: no copy of the trace is pinned and --pinned-bandwidth is not given, so that "
                      "copies last as recorded.");
    if (answers.notAsked != 0)
        table.addNote(std::to_string(answers.notAsked) +
                      " call sites and ranges of less time were not asked; --site TEXT asks those that hold "
                      "TEXT.");
    table.addNote(
        "Replay is what the model says, for one thing alone at most the attributed time; Model is the "
        "same without that cap.");
    for (const std::string_view limit : replayLimits())
        table.addNote(std::string(limit));
}

} // namespace

Result<ReportTable> whatIf(const ReportInput& input, JobControl& job) {
    // Not owned: the analyses end with this function.
    const std::shared_ptr<const Trace> trace(std::shared_ptr<const Trace>(), &input.trace);
    const auto gaps = GapAnalysis::run(trace, {}, job);
    if (!gaps)
        return gaps.error();
    const auto model = ReplayModel::build((*gaps)->index(), job);
    if (!model)
        return model.error();
    const auto asked = WhatIf::build(*gaps, *model, {input.options.pinnedBytesPerSecond}, job);
    if (!asked)
        return asked.error();
    WhatIfSelection selection;
    selection.texts = input.options.sites;
    selection.window = input.options.range;
    selection.perKind = input.options.sites.empty() ? kAskedPerKind : kAskedOfASite;
    selection.together = input.options.together;
    const auto answers = whatIfTable(**asked, selection, job);
    if (!answers)
        return answers.error();
    ReportTable table({textColumn("Call Site"), textColumn("Range"), textColumn("Change"),
                       integerColumn("Times"), nsColumn("Attributed (ns)"), nsColumn("Bound (ns)"),
                       nsColumn("Replay (ns)"), nsColumn("Model (ns)"), nsColumn("Step Recorded (ns)"),
                       nsColumn("Step Predicted (ns)")});
    if ((*model)->ops().empty()) {
        table.addNote("The trace has no device work.");
        return table;
    }
    if (answers->together) {
        ReportTable::Row row = table.addRow();
        row.text("all that is asked, without removed copies").empty().text("together").empty();
        addWhatIfAnswer(row, *answers->together);
    }
    for (const WhatIfRow& row : answers->rows)
        addWhatIfRow(table, row);
    addWhatIfNotes(table, **asked, *answers);
    return table;
}

} // namespace lacuna::reports
