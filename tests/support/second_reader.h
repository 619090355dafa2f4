#pragma once
// A second reader of Chrome JSON (nlohmann's SAX parser, which hands out the text of every number), to
// compare the importer with: all elements of the array are counted, and each X row is in the table with its
// exact times, name and kind. Files with B and E rows are compared by the number of elements only.

#include <QString>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace lacuna::test {

// Empty: agrees. `compared` tells whether the file has rows that both can read; files above 40 MiB of text
// are left out.
QString compareWithSecondReader(const std::filesystem::path& file, bool& compared);
// Microseconds as text -> ns, half to even; none for exponents and what is no number.
std::optional<std::int64_t> nsOfMicroseconds(const std::string& text);

} // namespace lacuna::test
