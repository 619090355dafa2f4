#pragma once
// A report: a named question about a trace whose answer is a table. To add one, see core/README.md.

#include "core/analysis/key_averages.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/report/report_table.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

class DetailReader;
struct AnalysisSettings;

// Whose meaning of a figure: ours, or that of Holistic Trace Analysis with what analysis.md 2.1 says of it.
enum class ReportDefinition : std::uint8_t { Lacuna, Hta };

// What key_averages groups by beside the name.
enum class AverageGroup : std::uint8_t { Name, Shape, Stack, Range, Stream, Thread };

struct ReportOptions {
    std::optional<std::int64_t> device; // CUDA ordinal; none: all
    std::optional<TimeRange> range;     // rows that overlap it, uncut; none: all
    ReportDefinition definition = ReportDefinition::Lacuna;
    bool corrected = false; // vendor rules: with our corrections, else to the vendor's letter
    // What-if: only call sites and ranges whose name holds one of these, and all of those at once; pinned
    // copies at this bandwidth, 0: the best of the trace.
    std::vector<std::string> sites;
    bool together = false;
    double pinnedBytesPerSecond = 0;
    AverageGroup groupBy = AverageGroup::Name;
    std::vector<AverageParent> inside; // key_averages: only what stands in these; empty: all
    std::string operatorName;          // only operators with this in their names; empty: all
    // Thresholds, and what the user says about steps (core/settings); null: the defaults.
    std::shared_ptr<const AnalysisSettings> settings;
};

struct ReportInput {
    const Trace& trace;
    // For columns that are not kept in memory (core/import/arg_columns.h); null: the source is gone, and
    // those columns stay empty.
    DetailReader* details = nullptr;
    ReportOptions options;
};

// Pure and free of state. Polls the job at least every 4,096 rows. Errors: Cancelled, and those of reading
// the source again. A trace without such rows is no error: the table is empty and has a note.
using ReportFunction = Result<ReportTable>(const ReportInput& input, JobControl& job);

struct ReportSpec {
    std::string_view name;    // "cuda_api_sum"
    std::string_view summary; // for lists of reports, one line
    ReportFunction* run = nullptr;
    bool byDevice = false;       // device selects something in it
    bool hasDefinitions = false; // ReportDefinition::Hta differs
    bool isRule = false;         // of the vendor: has a corrected form, and 50 rows unless told otherwise
    bool asksWhatIf = false;     // heeds the options of what-if
    bool hasGroups = false;      // ReportOptions::groupBy
    bool byOperator = false;     // ReportOptions::operatorName
    bool isProse = false;        // rows are sentences: terminals show paragraphs
};

} // namespace lacuna
