#include "core/import/memory_need.h"

#include "core/import/byte_source.h"
#include "core/import/detail/sqlite_db.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lacuna {

namespace {

constexpr std::size_t kLook = std::size_t{4} << 20; // of the text
// Rows, indexes, what a load and the analyses need beside them. Of JSON it is 0.15 where events have many
// arguments (738 MB of a training run) and about 0.8 where they have none.
constexpr double kOfJson = 0.45, kOfTables = 1.0; // bytes of memory a byte of text
constexpr std::uint64_t kMostMemoryAByte = 40;    // of the file: no compression of a trace is so good
constexpr std::uint64_t kProgram = std::uint64_t{60} << 20;

} // namespace

bool mayNeed(std::uint64_t fileBytes, std::uint64_t memory) {
    return fileBytes > (memory - std::min(memory, kProgram)) / kMostMemoryAByte;
}

std::optional<MemoryNeed> memoryNeed(const std::filesystem::path& file, const std::string& member,
                                     const JobControl& job) {
    if (isStandardInput(file))
        return std::nullopt;
    const auto source = openFile(file, member, &job);
    if (!source)
        return std::nullopt;
    ByteSource& bytes = **source;
    std::vector<std::byte> head(kLook);
    std::size_t got = 0;
    while (got < head.size()) {
        const auto more = bytes.read(std::span(head).subspan(got));
        if (!more)
            return std::nullopt;
        if (*more == 0)
            break;
        got += *more;
    }
    if (got == 0 || bytes.storedDone() == 0)
        return std::nullopt;
    const auto* const text = static_cast<const char*>(static_cast<const void*>(head.data()));
    const bool isDatabase = SqliteDb::looksLike(std::string_view(text, got));
    const std::size_t begin = std::string_view(text, got).find_first_not_of("\xEF\xBB\xBF \t\r\n");
    if (!isDatabase && (begin == std::string_view::npos || (text[begin] != '{' && text[begin] != '[')))
        return std::nullopt; // no trace, or one in a form of its own
    const double unpacked =
        bytes.isCompressed() ? static_cast<double>(got) / static_cast<double>(bytes.storedDone()) : 1.0;
    const double textBytes = static_cast<double>(bytes.storedSize()) * std::max(1.0, unpacked);
    MemoryNeed need;
    need.storedBytes = bytes.storedSize();
    need.bytes = kProgram + static_cast<std::uint64_t>(textBytes * (isDatabase ? kOfTables : kOfJson));
    need.canBePart = !isDatabase;
    return need;
}

} // namespace lacuna
