#include "tests/support/paths.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace lacuna::test {

namespace fs = std::filesystem;

fs::path inSource(const std::string& relative) {
    return fs::path(LACUNA_SOURCE_DIR) / relative;
}

fs::path fixture(const std::string& relative) {
    return inSource("tests/fixtures") / relative;
}

fs::path golden(const std::string& relative) {
    return inSource("tests/golden") / relative;
}

std::optional<fs::path> shared(const std::string& relative) {
    const fs::path path = fs::path(LACUNA_SHARED_DIR) / relative;
    std::error_code error;
    if (!fs::exists(path, error))
        return std::nullopt;
    return path;
}

std::vector<fs::path> sharedFiles(const std::string& relative) {
    std::vector<fs::path> files;
    if (const auto folder = shared(relative))
        for (const auto& entry : fs::recursive_directory_iterator(*folder))
            if (entry.is_regular_file())
                files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::string readFile(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace lacuna::test
