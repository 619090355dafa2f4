#include "tests/fuzz/check_ncu.h"
#include "tests/fuzz/targets.h"

#include <array>
#include <string>

namespace lacuna::fuzz {

namespace {

constexpr std::array<std::size_t, 4> kReportChunks{0, 1, 7, 61};
constexpr std::string_view kHead("NVR\0\2\0\0\0\x08\7", 10); // magic, and a header of version 7

} // namespace

// The last byte says in which pieces the report is read; one without the magic gets it.
void fuzzNcuReport(std::span<const std::byte> data) {
    if (data.empty())
        return;
    const auto how = std::to_integer<unsigned>(data.back());
    std::string text(reinterpret_cast<const char*>(data.data()), data.size() - 1);
    if (!text.starts_with("NVR"))
        text.insert(0, kHead);
    requireNcu(text, kReportChunks[how & 3]);
}

} // namespace lacuna::fuzz
