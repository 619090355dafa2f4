// One next action per note, for people. Notes that are normal, or about which nothing can be done, have none.

#include "core/document/completeness.h"

#include <algorithm>
#include <array>

namespace lacuna {

namespace {

struct Remedy {
    std::string_view code, text;
};

constexpr std::string_view kCopyAgain = "Copy the file again, or export it again.";
constexpr std::string_view kRecordAgain =
    "Record again with a current profiler; if it stays so, report the rows to its makers.";

constexpr std::array<Remedy, 36> kRemedies = {{
    // completeness
    {"device_activity_missing", "The capture may have ended early or lacked permission for GPU tracing: let "
                                "the profiler stop before the "
                                "program ends, and see the profiler's messages."},
    {"launches_without_work",
     "Look for dropped records in the profiler's messages; a smaller capture drops fewer."},
    {"launches_at_end", "Synchronise before the profiler stops, if the last operations matter."},
    {"work_without_launch",
     "Record CUDA calls for the whole capture; gaps before this work stay unexplained."},
    {"work_queued_before",
     "Start the capture between steps, after a synchronisation, if the first gaps matter."},
    {"host_rows_missing", "Record host activity too: ProfilerActivity.CPU, or nsys --trace=cuda,nvtx,osrt."},
    {"calls_missing", "Record CUDA calls: ProfilerActivity.CUDA with CPU, or nsys --trace=cuda."},
    {"work_before_launch", "Read gaps around these operations with care, or record again."},
    {"unknown_tables", "A newer Lacuna may show them; everything else of the export is shown."},
    // reading
    {"truncated", "Copy the file again; if the original ends here too, let the profiler finish writing it."},
    {"reading_stopped",
     "Open the file again and let it be read to its end: work that is not read may fill gaps."},
    {"damaged_compression", "Copy the file again, or compress the original again."},
    {"compression_warning", "Copy the file again to be sure."},
    {"damaged_gzip", "Copy the file again, or compress the original again."},
    {"damaged_table", kCopyAgain},
    {"unreadable_table", kCopyAgain},
    {"damaged_event", "See the place in the file; the writer of the trace did not escape its text."},
    {"unreadable_event", "See the place in the file; the writer of the trace broke this event."},
    {"oversized_event", "See the place in the file; no event is meant to be that large."},
    {"not_an_event", "See the place in the file."},
    {"damaged_value", "See the place in the file."},
    {"missing_phase", "See the place in the file; the writer of the trace left out ph."},
    {"missing_time", "See the place in the file; the writer of the trace left out ts."},
    {"missing_duration", "See the place in the file; the writer of the trace left out dur."},
    {"negative_duration", kRecordAgain},
    {"implausible_duration", kRecordAgain},
    {"impossible_duration", kRecordAgain},
    {"zero_gpu_record", "Record again with a newer CUPTI; these operations are not in any figure."},
    {"device_time_zero", "Record again with a newer CUPTI; these operations are not in any figure."},
    {"doubtful_time_unit", "If so, the list of notes in the window can read them as nanoseconds."},
    {"overrunning_device_row", "The list of notes in the window can leave them out of busy and idle time."},
    {"graph_kernels_hidden", "Capture with nsys profile --cuda-graph-trace=node."},
    {"profiler_errors", "Read the message: it tells what the profiler could not record."},
    {"profiler_warnings", "Read the message: it tells what the profiler could not record."},
    {"nsys_diagnostics", "Open the report in Nsight Systems for all of its messages."},
    {"shifted_times", "Export again without --ts-normalize and --ts-shift to keep the clock time."},
}};

} // namespace

std::string_view remedyOf(const Issue& note) {
    const auto* const at = std::find_if(kRemedies.begin(), kRemedies.end(),
                                        [&](const Remedy& remedy) { return remedy.code == note.code; });
    if (at != kRemedies.end())
        return at->text;
    return note.code.starts_with("nsys_diagnostic_") && note.severity != Severity::Info
               ? "Read the message: it tells what Nsight Systems could not record."
               : std::string_view();
}

} // namespace lacuna
