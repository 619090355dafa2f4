#include "core/import/byte_source.h"
#include "tests/fuzz/check_model.h"
#include "tests/fuzz/targets.h"

#include <algorithm>
#include <string>
#include <vector>

namespace lacuna::fuzz {

namespace {

constexpr std::size_t kMaxText = std::size_t{1} << 18; // a bomb is stopped there

std::string readAll(ByteSource& source, std::size_t piece) {
    std::string text;
    std::vector<std::byte> buffer(piece);
    while (text.size() < kMaxText) {
        const auto got = source.read(buffer);
        if (!got || *got == 0)
            break;
        require(*got <= piece, "no more bytes than asked for");
        text.append(reinterpret_cast<const char*>(buffer.data()), *got);
    }
    return text;
}

} // namespace

// First byte: size of the pieces; the next two: a place to read again.
void fuzzInflate(std::span<const std::byte> data) {
    if (data.size() < 3)
        return;
    const auto at = [&](std::size_t i) { return std::to_integer<std::size_t>(data[i]); };
    const std::string stored(reinterpret_cast<const char*>(data.data()) + 3, data.size() - 3);
    const std::size_t piece = 1 + at(0) * (at(0) % 2 == 0 ? 1 : 257);
    const auto source = openMemory(stored, at(0) % 3 == 0 ? 1 + at(0) : 0);
    const std::string text = readAll(*source, piece);
    const bool isWhole = text.size() < kMaxText;
    require(!source->isCut() || !source->damage().empty(), "a cut stream says what happened");
    require(source->storedDone() <= source->storedSize() + 64, "progress ends at the end");
    const auto whole = openMemory(stored);
    require(!isWhole || readAll(*whole, 65536) == text, "pieces change the text");
    if (text.empty())
        return;
    const std::size_t place = (at(1) * 256 + at(2)) % text.size();
    std::vector<std::byte> buffer(std::min<std::size_t>(text.size() - place, 100));
    const auto got = source->readAt(place, buffer);
    require(bool(got), "text that was there can be read again");
    require(std::string_view(reinterpret_cast<const char*>(buffer.data()), *got) ==
                std::string_view(text).substr(place, buffer.size()),
            "text that was there is there again");
}

} // namespace lacuna::fuzz
