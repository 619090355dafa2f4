#pragma once
// Values of a tolerantly read JSON text as strict JSON with the same meaning: white space goes, numbers keep
// their digits, order and equal keys stay. Python's True, False and None become JSON's; every other bare word
// (NaN, N/A, 0x1f, .5) becomes a string of the same letters; control characters are escaped; bytes that are
// no UTF-8 and lone surrogates become U+FFFD; commas and brackets are made to fit.

#include "core/import/detail/json_scan.h"

#include <string>
#include <string_view>

namespace lacuna {

void appendStrict(const json::Value& value, std::string& out);
// The text between two quotes as it stands in a file, with quotes.
void appendStrictString(std::string_view recorded, std::string& out);
// Any text as a JSON string, with quotes; bytes that are no UTF-8 become U+FFFD.
void appendQuotedText(std::string_view text, std::string& out);
// [-]digits[.digits][e[+-]digits] without leading zeros.
bool isStrictNumber(std::string_view text);

} // namespace lacuna
