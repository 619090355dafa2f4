#pragma once
// Containers around a text, written by their own libraries (never by the code under test).

#include <string>
#include <string_view>
#include <vector>

namespace lacuna::test {

struct PackedFile {
    std::string name, content;
    std::string linkTo; // not empty: a symbolic link
};

std::string zipOf(const std::vector<PackedFile>& files, bool isCompressed = true);
std::string tarOf(const std::vector<PackedFile>& files);
std::string zstdOf(std::string_view text);
std::string xzOf(std::string_view text);
std::string zlibOf(std::string_view text);
// ASCII text as UTF-16 with a byte order mark.
std::string utf16Of(std::string_view ascii, bool isBigEndian);

} // namespace lacuna::test
