#pragma once
// A raw page of `ncu --csv` read in the plainest way, to compare our readers with: no ragged rows, no program
// output between rows, decimal points.

#include <map>
#include <string>
#include <vector>

namespace lacuna::test {

struct NcuTable {
    std::vector<std::string> header, units;
    std::vector<std::vector<std::string>> rows;
    // Field of a row by column; empty where there is no such column.
    std::string at(std::size_t row, const std::string& column) const;
};

NcuTable readNcuTable(const std::string& text);
// "4,963,609,951.19" -> 4963609951.19 and the size of one unit in the last printed place; NaN for words.
struct PrintedNumber {
    double value = 0, lastPlace = 1;
};
PrintedNumber printedNumber(const std::string& text);
// Base units per printed unit; the whole table of units in the captures, written by hand.
double captureScale(const std::string& unit);

} // namespace lacuna::test
