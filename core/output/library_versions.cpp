#include "core/output/library_versions.h"

#include <openssl/crypto.h>
#include <sqlite3.h>
#include <zlib.h>

#include <archive.h>
#include <isa-l.h>
#include <lzma.h>
#include <string_view>
#include <zstd.h>

namespace lacuna {

namespace {

// "3.6.2" of "libarchive 3.6.2".
std::string lastWord(std::string_view text) {
    return std::string(text.substr(text.find_last_of(' ') + 1)); // npos + 1 is 0
}

// The library has no function that tells it: that of its headers.
std::string isalVersion() {
    return std::to_string(ISAL_MAJOR_VERSION) + "." + std::to_string(ISAL_MINOR_VERSION) + "." +
           std::to_string(ISAL_PATCH_VERSION);
}

} // namespace

std::vector<std::pair<std::string, std::string>> libraryVersions() {
    return {{"SQLite", sqlite3_libversion()},
            {"zlib", zlibVersion()},
            {"ISA-L", isalVersion()},
            {"Zstandard", ZSTD_versionString()},
            {"liblzma", lzma_version_string()},
            {"libarchive", lastWord(archive_version_string())},
            {"OpenSSL", OpenSSL_version(OPENSSL_VERSION_STRING)}};
}

} // namespace lacuna
