// The five mistakes of hand-written GPU timing: which of them the trace shows, and which no trace can show.

#include "core/findings/builtin.h"

namespace lacuna::findings {

namespace {

void addLint(Finding& finding, const Finding& lint, std::string_view name) {
    std::string text(name);
    switch (lint.state) {
    case FindingState::Found:
        text += ": yes. " + (lint.supports.empty() ? lint.suggests : lint.supports.front().text);
        break;
    case FindingState::Unknown:
        text += ": not known. " + lint.suggests;
        break;
    case FindingState::Clear:
    case FindingState::Note:
        text += ": no.";
        break;
    }
    Evidence evidence = plainEvidence(std::move(text));
    if (lint.state == FindingState::Found && !lint.supports.empty()) {
        evidence.rows = lint.supports.front().rows; // the lint's own sum stands first
        evidence.of = lint.supports.front().of;
        for (const Evidence& one : lint.supports)
            if (one.opens()) {
                evidence.event = one.event;
                evidence.range = one.range;
                break;
            }
    }
    finding.state = lint.state == FindingState::Found ? FindingState::Found : finding.state;
    finding.supports.push_back(std::move(evidence));
}

} // namespace

Finding benchmarkHygiene(const FindingContext& context, JobControl& job) {
    Finding finding;
    addLint(finding, waitsInLoop(context, job), "Sync inside the loop");
    addLint(finding, noWarmUp(context, job), "No warm-up");
    addLint(finding, allocations(context, job), "Allocation in the loop");
    finding.supports.push_back(
        plainEvidence("Host timer around asynchronous work: cannot be seen in a trace."));
    finding.supports.push_back(
        plainEvidence("Only a mean is reported: cannot be seen in a trace; here are median and p95 too."));
    finding.suggests = finding.state == FindingState::Found
                           ? "A timing of this loop measures more than the work."
                           : "None of the mistakes that a trace can show.";
    finding.tests.emplace_back(
        "Time with CUDA events or one wait at the end, after warm-up, and report median and p95.");
    return finding;
}

} // namespace lacuna::findings
