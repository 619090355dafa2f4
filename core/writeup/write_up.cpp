#include "core/writeup/write_up.h"

#include "core/writeup/write_up_parts.h"

namespace lacuna {

Result<WriteUp> makeWriteUp(const WriteUpInput& input, JobControl& job) {
    auto summary = summarise(input.loaded, input.sha256, job);
    if (!summary)
        return summary.error();
    const auto gaps = reportGaps(input.gaps, input.sha256, {}, job);
    if (!gaps)
        return gaps.error();
    WriteUp document;
    document.title =
        writeup::oneLine(input.loaded.trace->facts().fileName) + ": where the GPU is idle, and why";
    writeup::Blocks blocks(document.blocks);
    blocks.heading(1, document.title);
    writeup::addSummary(*summary, *gaps, blocks);
    if (const Status findings = writeup::addFindings(*gaps, blocks, job); !findings)
        return findings.error();
    if (const Status tables = writeup::addTables(input, blocks, job); !tables)
        return tables.error();
    const auto steps = stepCaption(*input.loaded.trace,
                                   input.settings != nullptr ? *input.settings : AnalysisSettings{}, job);
    if (!steps)
        return steps.error();
    writeup::addSetup(*summary, input.setup, *steps, blocks);
    writeup::addLimits(*summary, blocks);
    writeup::addProvenance(*summary, input.program, blocks);
    return document;
}

} // namespace lacuna
