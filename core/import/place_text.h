#pragma once
// The bytes or the row that a note points to, read from the file again, for people.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/import/load_options.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lacuna {

struct PlaceText {
    // Of a byte: a part of the unpacked file as it stands, [begin, begin + text.size()), and in it the bytes
    // [mark, markEnd) that the note names: the whole event where one begins there, else one byte. Empty when
    // the note names the end of the file.
    std::string text;
    std::uint64_t begin = 0;
    std::size_t mark = 0, markEnd = 0;
    // Of a row: column and value, all columns; blobs by their size, long values cut.
    std::vector<std::pair<std::string, std::string>> columns;
    // What events made of this place carry; none where no event is.
    std::optional<SourceRef> source;
};

// A few KiB around the byte, or the whole row. Compressed files are unpacked up to the place: polls the job
// once per MiB. The place must be known. `options`: member of an archive, cache folder of exported reports,
// as they were for the load. Errors: the file cannot be read, the place is not there any more, cancelled.
Result<PlaceText> readPlace(const std::filesystem::path& file, const IssuePlace& place, JobControl& job,
                            const LoadOptions& options = {});

// The first event that was made of a place in the file; none where it was not kept. O(rows).
EventId eventAtSource(const Trace& trace, SourceRef source, JobControl& job);

} // namespace lacuna
