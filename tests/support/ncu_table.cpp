#include "tests/support/ncu_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace lacuna::test {

namespace {

std::vector<std::string> fieldsOf(const std::string& line) {
    std::vector<std::string> fields{""};
    bool quoted = false;
    for (const char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else
            fields.back() += c;
    }
    return fields;
}

} // namespace

std::string NcuTable::at(std::size_t row, const std::string& column) const {
    const auto found = std::find(header.begin(), header.end(), column);
    return found == header.end() ? std::string()
                                 : rows[row][static_cast<std::size_t>(found - header.begin())];
}

NcuTable readNcuTable(const std::string& text) {
    NcuTable table;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (table.header.empty()) {
            if (line.starts_with("\"ID\""))
                table.header = fieldsOf(line);
        } else if (table.units.empty()) {
            table.units = fieldsOf(line);
        } else if (!line.empty()) {
            table.rows.push_back(fieldsOf(line));
        }
    }
    return table;
}

PrintedNumber printedNumber(const std::string& text) {
    std::string digits = text;
    std::erase(digits, ',');
    std::size_t used = 0;
    PrintedNumber number;
    try {
        number.value = std::stod(digits, &used);
    } catch (const std::exception&) {
        used = 0;
    }
    if (used != digits.size() || digits.empty())
        return {std::numeric_limits<double>::quiet_NaN(), 1};
    const std::size_t point = digits.find('.');
    number.lastPlace =
        point == std::string::npos ? 1 : std::pow(10.0, -static_cast<double>(digits.size() - point - 1));
    return number;
}

double captureScale(const std::string& unit) {
    static const std::map<std::string, double> kScales{
        {"ms", 1e6},          {"us", 1e3},          {"Kbyte", 1e3},   {"Mbyte", 1e6},   {"Gbyte", 1e9},
        {"Tbyte", 1e12},      {"Kbyte/s", 1e3},     {"Mbyte/s", 1e6}, {"Gbyte/s", 1e9}, {"Tbyte/s", 1e12},
        {"Kbyte/cycle", 1e3}, {"Kbyte/block", 1e3}, {"Ghz", 1e9},     {"Mhz", 1e6},     {"sector/ns", 1e9},
        {"sector/us", 1e6},   {"%/Kbyte", 1e3}};
    const auto found = kScales.find(unit);
    return found == kScales.end() ? 1.0 : found->second;
}

} // namespace lacuna::test
