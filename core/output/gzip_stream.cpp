#include "core/output/gzip_stream.h"

#include <algorithm>
#include <cstdint>
#include <isa-l/igzip_lib.h>
#include <limits>
#include <vector>

namespace lacuna {

namespace {
constexpr std::uint32_t kLevel = 1;
constexpr std::size_t kStep = std::size_t{256} << 10;
} // namespace

struct GzipStream::State {
    isal_zstream stream{};
    std::vector<std::uint8_t> level = std::vector<std::uint8_t>(ISAL_DEF_LVL1_DEFAULT);
};

GzipStream::GzipStream() : m_state(std::make_unique<State>()) {
    isal_deflate_init(&m_state->stream);
    m_state->stream.level = kLevel;
    m_state->stream.level_buf = m_state->level.data();
    m_state->stream.level_buf_size = static_cast<std::uint32_t>(m_state->level.size());
    m_state->stream.gzip_flag = IGZIP_GZIP;
    m_state->stream.flush = NO_FLUSH;
}

GzipStream::~GzipStream() = default;

void GzipStream::run(std::string_view text, bool isLast, std::string& out) {
    isal_zstream& stream = m_state->stream;
    std::string input(text); // the library takes no pointer to const
    stream.next_in = reinterpret_cast<std::uint8_t*>(input.data());
    stream.avail_in = static_cast<std::uint32_t>(input.size());
    stream.end_of_stream = isLast ? 1 : 0;
    do {
        const std::size_t before = out.size();
        out.resize(before + kStep);
        stream.next_out = reinterpret_cast<std::uint8_t*>(out.data() + before);
        stream.avail_out = static_cast<std::uint32_t>(kStep);
        isal_deflate(&stream);
        out.resize(before + kStep - stream.avail_out);
    } while (stream.avail_out == 0 || stream.avail_in != 0);
}

void GzipStream::add(std::string_view text, std::string& out) {
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    for (; !text.empty(); text.remove_prefix(std::min(kPiece, text.size())))
        run(text.substr(0, kPiece), false, out);
}

void GzipStream::finish(std::string& out) {
    run({}, true, out);
}

} // namespace lacuna
