#pragma once
// Writes a trace as Chrome trace event JSON (object form, strict JSON, one event a line) that Perfetto and
// chrome://tracing open, and that Lacuna opens again with the same rows, lanes, counters and launches.
//
// A Chrome trace is written from its own text, element by element, so that everything it records stays,
// shown by Lacuna or not. Other sources are written from the rows and their recorded details, in Kineto's
// layout. The root member "lacuna" (core/import/detail/chrome_written.h) says what the file was made from.
// Times are microseconds with three decimals on the axis of the source's time zero where the source counts
// from 1970 or a part is cut out; else as recorded.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/import/load_trace.h"
#include "core/output/text_sink.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lacuna {

struct ChromeExport {
    std::string sha256; // of the source's bytes
    // Only what touches [begin, end): rows of no length inside count; of every counter also the last sample
    // before. Names and metadata stay. Times stay on the axis of the source.
    std::optional<TimeRange> cut;
    std::string member; // of the source when it is an archive, as asked for when it was loaded
};

struct ChromeExported {
    std::uint64_t rows = 0;           // rows of the timeline
    std::uint64_t withoutDetails = 0; // rows whose recorded details could not be read again
};

// Memory: a few MiB beside the trace; with a cut about 40 bytes per flow mark near it, and where ends of
// slices have arguments what chrome_end_args.h says. Reads the source again, in its order. Errors: Cancelled;
// Io when the source changed. Failures of the sink are the sink's to tell.
Result<ChromeExported> writeChrome(const LoadedTrace& source, const ChromeExport& options, TextSink& sink,
                                   JobControl& job);

} // namespace lacuna
