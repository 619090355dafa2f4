#include "core/cache/source_identity.h"

#include "core/cache/archive_file.h"
#include "core/cache/checksum.h"
#include "core/cache/file_time.h"
#include "core/import/detail/stored_bytes.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <elf.h>
#include <link.h>
#include <sys/stat.h>
#include <vector>

namespace lacuna {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kEnd = std::size_t{64} << 10; // of either end
constexpr std::size_t kSample = std::size_t{4} << 10;
constexpr std::uint64_t kSamples = 64; // in between

std::string hex(std::uint64_t value) {
    char text[17] = {};
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
    return text;
}

std::uint64_t textSum(std::string_view text) {
    return checksumOf(std::as_bytes(std::span(text)));
}

// The linker's hash of the running program, so that no change of an importer can be served an older result.
int findBuildId(dl_phdr_info* object, std::size_t, void* into) {
    auto& id = *static_cast<std::string*>(into);
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const auto& header = object->dlpi_phdr[i];
        if (header.p_type != PT_NOTE)
            continue;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader tells the address as a number
        const auto* at = reinterpret_cast<const unsigned char*>(object->dlpi_addr + header.p_vaddr);
        const auto* const end = at + header.p_memsz;
        while (end - at >= static_cast<std::ptrdiff_t>(sizeof(ElfW(Nhdr)))) {
            const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
            const auto* name = at + sizeof *note;
            const auto* content = name + (note->n_namesz + 3) / 4 * 4;
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4) {
                id.clear();
                for (unsigned k = 0; k < note->n_descsz; ++k) {
                    char byte[3] = {};
                    std::snprintf(byte, sizeof byte, "%02x", content[k]);
                    id += byte;
                }
                return 1;
            }
            at = content + (note->n_descsz + 3) / 4 * 4;
        }
    }
    return 1; // the first object is the program itself
}

const std::string& buildId() {
    static const std::string id = [] {
        std::string text = "none";
        ::dl_iterate_phdr(findBuildId, &text);
        return text;
    }();
    return id;
}

// Empty when there is no such file.
std::string describe(const fs::path& file) {
    struct stat s {};
    if (::stat(file.c_str(), &s) != 0)
        return {};
    std::string text;
    for (const std::int64_t part : {static_cast<std::int64_t>(s.st_dev), static_cast<std::int64_t>(s.st_ino),
                                    static_cast<std::int64_t>(s.st_size), nsOf(s.st_mtim), nsOf(s.st_ctim)})
        text += std::to_string(part) + " ";
    return text;
}

bool addSample(const StoredBytes& stored, std::uint64_t offset, std::vector<std::byte>& buffer,
               std::uint64_t& sum) {
    const auto got = stored.readAt(offset, buffer);
    if (!got)
        return false;
    sum = checksumOf(std::span(buffer).first(*got)) ^ (sum * 0x9E3779B97F4A7C15ull);
    return true;
}

std::optional<std::uint64_t> sampleSum(const StoredBytes& stored) {
    std::vector<std::byte> buffer(kEnd);
    std::uint64_t sum = stored.size();
    if (!addSample(stored, 0, buffer, sum) ||
        !addSample(stored, stored.size() - std::min<std::uint64_t>(stored.size(), kEnd), buffer, sum))
        return std::nullopt;
    buffer.resize(kSample);
    const std::uint64_t step = stored.size() / (kSamples + 1);
    for (std::uint64_t i = 1; i <= kSamples && stored.size() > 2 * kEnd; ++i)
        if (!addSample(stored, i * step, buffer, sum))
            return std::nullopt;
    return sum;
}

} // namespace

std::optional<SourceIdentity> SourceIdentity::of(const fs::path& file, const LoadOptions& options) {
    std::error_code error;
    const fs::path canonical = fs::canonical(file, error);
    struct stat status {};
    if (error || ::stat(canonical.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
        return std::nullopt;
    const auto stored = openStoredFile(canonical);
    if (!stored)
        return std::nullopt;
    const auto sum = sampleSum(**stored);
    if (!sum)
        return std::nullopt;
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);

    SourceIdentity identity;
    identity.file = file;
    identity.options = options;
    identity.options.onSnapshot = nullptr;
    identity.bytes = static_cast<std::uint64_t>(status.st_size);
    identity.ageNs = nsOf(now) - std::max(nsOf(status.st_mtim), nsOf(status.st_ctim));
    std::string name = canonical.string();
    name.append("\n").append(options.member);
    identity.cacheName = hex(textSum(name)) + hex(textSum(name + "\n2"));
    std::string& key = identity.key;
    key = "lacuna " LACUNA_VERSION " build " + buildId() + " format " + std::to_string(kCacheFormatVersion) +
          "\n" + name + "\n" + options.nsysProgram.string() + "\n";
    for (const char* suffix : {"", "-wal", "-journal"}) {
        fs::path part = canonical;
        part += suffix;
        key.append(describe(part)).append("\n");
    }
    key += hex(*sum) + "\n";
    return identity;
}

} // namespace lacuna
