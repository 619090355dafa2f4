#pragma once
// Records of comma-separated text in the middle of a program's own output: lines are read one by one, a
// record goes on over a line end only inside quotes and only while the next line does not look like a fresh
// record, so that one stray quote of the program costs a line and not the rest of the file.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/import/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::ncu {

// Fields of a record; false when its last quote does not close.
bool splitCsvRecord(std::string_view text, char separator, std::vector<std::string>& fields);

class CsvRecords {
public:
    // Longest line and longest record; a longer one is skipped and counted.
    static constexpr std::size_t kMaxRecord = std::size_t{8} << 20;
    static constexpr std::size_t kMaxLines = 4096; // of a record

    CsvRecords(ByteSource& source, JobControl& job) : m_source(source), m_job(job) {}

    // For what follows; ',' at first.
    void setSeparator(char separator) { m_separator = separator; }
    // The next record or line. False at the end. Errors: Io, Cancelled.
    Result<bool> next(std::vector<std::string>& fields);
    // Of the record that next() gave: the text of its first line, and where it begins in the stream.
    const std::string& firstLine() const { return m_record; }
    std::uint64_t offset() const { return m_offset; }
    // Its quotes close.
    bool isComplete() const { return m_isComplete; }
    // The text ended without a line end after this record.
    bool isLastWithoutEnd() const { return m_hasEnded && !m_hadLineEnd; }
    std::uint64_t skippedLong() const { return m_skippedLong; }

private:
    Result<bool> nextLine(std::string& line);
    Result<bool> fill();
    Result<bool> appendRest(std::vector<std::string>& fields);
    bool looksFresh(std::string_view line) const;

    ByteSource& m_source;
    JobControl& m_job;
    char m_separator = ',';
    std::vector<char> m_buffer;
    std::size_t m_at = 0, m_end = 0;
    std::uint64_t m_position = 0; // in the stream, of the next byte
    std::uint64_t m_offset = 0, m_lineOffset = 0, m_storedDone = 0;
    std::string m_record, m_line, m_pending; // m_pending: a line read ahead
    std::uint64_t m_pendingOffset = 0;
    bool m_hasPending = false, m_hasEnded = false, m_hadLineEnd = true, m_isComplete = true;
    std::uint64_t m_skippedLong = 0;
};

} // namespace lacuna::ncu
