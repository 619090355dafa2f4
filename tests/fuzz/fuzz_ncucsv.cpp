#include "tests/fuzz/check_ncu.h"
#include "tests/fuzz/targets.h"

#include <array>
#include <string>

namespace lacuna::fuzz {

namespace {

constexpr std::array<std::size_t, 4> kChunks{0, 1, 7, 61};

// What most inputs begin with: the fuzzer need not find it.
constexpr std::string_view kRaw = "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",";
constexpr std::string_view kLong = "\"ID\",\"Process ID\",\"Kernel Name\",\"Section Name\",\"Metric Name\","
                                   "\"Metric Unit\",\"Metric Value\"\n";

} // namespace

// The last byte says in which pieces the text is read, and which header stands before it.
void fuzzNcuCsv(std::span<const std::byte> data) {
    if (data.empty())
        return;
    const auto how = std::to_integer<unsigned>(data.back());
    std::string text((how & 4) == 0 ? std::string_view{} : (how & 8) == 0 ? kRaw : kLong);
    text.append(reinterpret_cast<const char*>(data.data()), data.size() - 1);
    requireNcu(text, kChunks[how & 3]);
}

} // namespace lacuna::fuzz
