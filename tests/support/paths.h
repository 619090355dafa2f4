#pragma once
// Where test data lies. Fixtures are in the repository; everything else is read in place and may be missing.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lacuna::test {

std::filesystem::path inSource(const std::string& relative); // of the checkout that was built
std::filesystem::path fixture(const std::string& relative);  // tests/fixtures/...
std::filesystem::path golden(const std::string& relative);   // tests/golden/...
// A path in the shared folder (CMake variable LACUNA_SHARED_DIR), none where it is missing.
std::optional<std::filesystem::path> shared(const std::string& relative);
// Regular files below a shared folder, sorted by name; empty where it is missing.
std::vector<std::filesystem::path> sharedFiles(const std::string& relative);
std::string readFile(const std::filesystem::path& file);

} // namespace lacuna::test
