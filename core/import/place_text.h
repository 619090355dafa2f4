#pragma once
// The bytes or the row that a note points to, read from the file again, for people.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/import_report.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace lacuna {

struct PlaceText {
    std::string text;        // bytes as they stand; of a row one line per column, "name = value"
    std::uint64_t begin = 0; // offset of the first byte of `text` in the unpacked file; 0 for rows
    std::size_t mark = 0;    // index in `text` of the byte that the note names; 0 for rows
};

// A few KiB around the byte, or the whole row (long values are cut). Compressed files are unpacked up to the
// place: polls the job once per MiB. The place must be known.
Result<PlaceText> readPlace(const std::filesystem::path& file, const IssuePlace& place, JobControl& job);

} // namespace lacuna
