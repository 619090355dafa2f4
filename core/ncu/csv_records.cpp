#include "core/ncu/csv_records.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace lacuna::ncu {

namespace {

constexpr std::size_t kCsvBuffer = std::size_t{256} << 10;

} // namespace

bool splitCsvRecord(std::string_view text, char separator, std::vector<std::string>& fields) {
    std::size_t used = 0;
    const auto field = [&]() -> std::string& { // reuses the strings of earlier records
        if (used == fields.size())
            fields.emplace_back();
        fields[used].clear();
        return fields[used++];
    };
    std::size_t at = 0;
    bool isClosed = true;
    for (bool more = true; more;) {
        std::string& out = field();
        if (at < text.size() && text[at] == '"') {
            isClosed = false;
            for (++at; at < text.size(); ++at) {
                if (text[at] != '"') {
                    out += text[at];
                } else if (at + 1 < text.size() && text[at + 1] == '"') {
                    out += text[at++];
                } else {
                    isClosed = true;
                    ++at;
                    break;
                }
            }
        }
        const std::size_t end = std::min(text.find(separator, at), text.size());
        out.append(text.substr(at, end - at)); // text after a closing quote belongs to the field
        more = isClosed && end < text.size();
        at = end + 1;
    }
    fields.resize(used);
    return isClosed;
}

Result<bool> CsvRecords::fill() {
    m_buffer.resize(kCsvBuffer);
    const auto got = m_source.read(std::as_writable_bytes(std::span(m_buffer)));
    if (!got)
        return got.error();
    const std::uint64_t done = m_source.storedDone();
    m_job.advance(done - m_storedDone);
    m_storedDone = done;
    if (m_job.cancelled())
        return cancelledError();
    m_at = 0;
    m_end = *got;
    return *got > 0;
}

// Without its line end. Lines beyond the limit are passed over.
Result<bool> CsvRecords::nextLine(std::string& line) {
    if (m_hasPending) {
        line.swap(m_pending);
        m_lineOffset = m_pendingOffset;
        m_hasPending = false;
        return true;
    }
    line.clear();
    m_lineOffset = m_position;
    bool isTooLong = false;
    while (!m_hasEnded) {
        if (m_at == m_end) {
            const auto more = fill();
            if (!more)
                return more.error();
            if (!*more) {
                m_hasEnded = true;
                m_hadLineEnd = line.empty() && !isTooLong;
                break;
            }
        }
        const char* const from = m_buffer.data() + m_at;
        const void* const found = std::memchr(from, '\n', m_end - m_at);
        const std::size_t size = found == nullptr
                                     ? m_end - m_at
                                     : static_cast<std::size_t>(static_cast<const char*>(found) - from);
        isTooLong = isTooLong || line.size() + size > kMaxRecord;
        if (isTooLong)
            line.clear();
        else
            line.append(from, size);
        m_at += size + (found == nullptr ? 0 : 1);
        m_position += size + (found == nullptr ? 0 : 1);
        if (found == nullptr)
            continue;
        if (!isTooLong) {
            if (m_lineOffset == 0 && line.starts_with("\xEF\xBB\xBF")) // byte order mark
                line.erase(0, 3);
            if (line.ends_with('\r'))
                line.pop_back();
            return true;
        }
        ++m_skippedLong;
        isTooLong = false;
        m_lineOffset = m_position;
    }
    m_skippedLong += isTooLong ? 1 : 0;
    return !line.empty();
}

// "12","… : the beginning of a row of the profiler, whatever quotes stand open before.
bool CsvRecords::looksFresh(std::string_view line) const {
    std::size_t at = 1;
    while (at < line.size() && line[at] >= '0' && line[at] <= '9')
        ++at;
    return line.starts_with('"') && at > 1 && line.substr(at).starts_with('"') && at + 2 < line.size() &&
           line[at + 1] == m_separator && line[at + 2] == '"';
}

// Lines that belong to the record because a quote stands open.
Result<bool> CsvRecords::appendRest(std::vector<std::string>& fields) {
    std::string whole = m_record;
    for (std::size_t lines = 1; lines < kMaxLines && whole.size() < kMaxRecord; ++lines) {
        const auto more = nextLine(m_line);
        if (!more)
            return more.error();
        if (!*more)
            return false;
        if (looksFresh(m_line)) {
            m_pending.swap(m_line);
            m_pendingOffset = m_lineOffset;
            m_hasPending = true;
            return false;
        }
        whole.append("\n").append(m_line);
        // Only a line with a quote can close it: long texts are split once or twice, not once a line.
        if (m_line.find('"') != std::string::npos && splitCsvRecord(whole, m_separator, fields))
            return true;
    }
    return false;
}

Result<bool> CsvRecords::next(std::vector<std::string>& fields) {
    do { // blank lines are none
        const auto more = nextLine(m_record);
        if (!more)
            return more.error();
        if (!*more && m_hasEnded && m_record.empty())
            return false;
    } while (m_record.empty());
    m_offset = m_lineOffset;
    m_isComplete = splitCsvRecord(m_record, m_separator, fields);
    if (m_isComplete || !m_record.starts_with('"'))
        return true;
    const auto closed = appendRest(fields);
    if (!closed)
        return closed.error();
    m_isComplete = *closed;
    return true;
}

} // namespace lacuna::ncu
