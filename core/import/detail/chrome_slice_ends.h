#pragma once
// The end event (ph E) of a begin event (ph B), for what it records beside its time. Looked for behind the
// begin, in the order of the file, at most kMostBehind bytes on; what was passed is remembered, so that who
// asks for one row after the other reads the text once, and a row that was asked for costs nothing again.
// Files are not in order of time (chrome_json.md 2.3): whether it is the end of the row is for the caller to
// check by its time (slice_details.h).

#include "core/import/byte_source.h"
#include "core/import/detail/json_events.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace lacuna::chrome {

class SliceEnds {
public:
    explicit SliceEnds(ByteSource& bytes) : m_bytes(bytes) {}

    static constexpr std::uint64_t kMostBehind = std::uint64_t{4} << 20;

    enum class Found : std::uint8_t { Yes, No, TooFar };
    struct Answer {
        Found found = Found::No;
        std::uint64_t offset = 0; // of the end event
    };
    // `begin`: offset of a begin event. Reads at most kMostBehind bytes, and no more than is new.
    Answer endOf(std::uint64_t begin);

private:
    bool scan(std::uint64_t limit, std::uint64_t begin);
    void take(const json::Event& event, std::uint64_t offset);
    void startAt(std::uint64_t begin);

    ByteSource& m_bytes;
    std::uint64_t m_from = 0, m_to = 0;                                 // what was passed: whole elements
    bool m_isOver = false;                                              // nothing can be read behind m_to
    std::unordered_map<std::string, std::vector<std::uint64_t>> m_open; // begins of each thread
    std::unordered_map<std::uint64_t, std::uint64_t> m_ends;            // begin -> end
    std::string m_text;
};

} // namespace lacuna::chrome
