#include "core/output/library_versions.h"

#include <openssl/crypto.h>
#include <sqlite3.h>
#include <zlib.h>

namespace lacuna {

std::vector<std::pair<std::string, std::string>> libraryVersions() {
    return {{"SQLite", sqlite3_libversion()},
            {"zlib", zlibVersion()},
            {"OpenSSL", OpenSSL_version(OPENSSL_VERSION_STRING)}};
}

} // namespace lacuna
