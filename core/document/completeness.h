#pragma once
// What an open trace lacks, as notes beside those of the import report: launches without device work, device
// work without launch, clocks that disagree. A check that the file does not decide says nothing.
//
// What each rests on:
// - Only calls that submit a kernel or a graph are asked for device work, and only those with a correlation
//   id. Not asked: calls during a stream capture of their process (they run nothing) and, where the export
//   keeps return values, calls that failed.
// - A launch whose id is above every id with device work of its process was submitted when the capture ended;
//   device work whose id is below every id of a call was submitted before it began. Both are normal at the
//   edges of a capture, hence of severity Info.
// - Unified-memory copies have no launch and are not asked for one.
// - Of a partly read file (ImportReport::isPartial) what is missing may stand in the part that is lost:
//   launches without work and work without launch are then told as unknown (Info), and nothing is called
//   missing.
// - Clocks: device work that starts before its launch call did. Up to 1 us is rounding (Info).

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/document/capture_contents.h"
#include "core/import/importer.h"
#include "core/trace/trace.h"

#include <string_view>
#include <vector>

namespace lacuna {

struct Completeness {
    std::vector<Issue> notes; // dropsRows is never set
    CaptureContents contents;
};

// O(rows), plus a bounded number of reads through `details`, which may be null: then the
// flags that only arguments tell stay unknown and failed calls count as launches. Error: Cancelled.
Result<Completeness> checkCompleteness(const Trace& trace, DetailReader* details, JobControl& job);

// The notes of the import report, then those of the checks.
std::vector<Issue> allNotes(const ImportReport& report, const Completeness& completeness);
// No note above Info.
bool isComplete(const ImportReport& report, const Completeness& completeness);
// One next action for a note; empty where there is nothing to do about it.
std::string_view remedyOf(const Issue& note);

} // namespace lacuna
