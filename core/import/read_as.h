#pragma once
// How a person wants a file to be read where what it says of itself is doubtful. Both stand in the notes of
// the trace, so that every result of it tells them. Files that are read so are not cached.

#include "core/import/load_trace.h"
#include "core/trace/stream_checks.h"

#include <string_view>

namespace lacuna {

struct ReadAs {
    // Chrome JSON: ts and dur are nanoseconds, though the format has microseconds (chrome_json.md, fault 11).
    bool timesAreNs = false;
    // Device rows that last more than 1 ms beyond the start of the next row of their stream are no device
    // work: neither busy nor between gaps (chrome_json.md, fault 17). They are drawn all the same.
    bool withoutOverruns = false;
    friend bool operator==(const ReadAs&, const ReadAs&) = default;
};

// Codes of the notes that tell it, and that give reason to ask for it; of overruns:
// core/trace/stream_checks.h.
inline constexpr std::string_view kTimesReadAsNs = "times_read_as_ns",
                                  kDoubtfulTimeUnit = "doubtful_time_unit";

// How a trace with this report was read.
ReadAs readAsOf(const ImportReport& report);

// As loadTrace() with the builtin importers.
Result<LoadedTrace> loadTraceAs(const std::filesystem::path& file, const ReadAs& how, JobControl& job,
                                const LoadOptions& options = {});

} // namespace lacuna
