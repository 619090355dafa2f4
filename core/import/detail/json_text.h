#pragma once
// What the text of a JSON value means: strings unescaped to valid UTF-8, decimal microseconds as exact ns,
// integers. All accept a quoted number like a bare one, and answer "none" for words such as NaN or N/A.

#include "core/import/detail/json_scan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna::json {

// Appends the meaning of the text between two quotes. Never fails: an escape that JSON does not know stays as
// it stands, a lone surrogate and every byte that is no UTF-8 become U+FFFD. Control characters are kept.
void appendUnescaped(std::string_view text, std::string& out);
// Of any value: strings unescaped, everything else as recorded.
std::string meaning(const Value& value);
// As meaning(), without a copy where the text is plain; else `scratch` holds the result.
std::string_view meaning(const Value& value, std::string& scratch);

// Times beyond this are damage: it keeps every difference of two times in 64 bits. About 127 years.
inline constexpr std::int64_t kMaxTimeNs = 4'000'000'000'000'000'000;

// [-]I[.F][e+-N] microseconds as ns, exact, rounded half to even (analysis.md section 1; chrome_json.md 10.2
// says half up, which differs only for text with more than three decimals that ends in exactly 5). None for
// anything else, and beyond +-kMaxTimeNs. Never through a double.
std::optional<std::int64_t> microsAsNs(std::string_view text);

// Decimal or 0x-hexadecimal; a fraction of zeros is allowed ("7.0"). None when it does not fit.
std::optional<std::int64_t> asInteger(std::string_view text);
std::optional<std::uint64_t> asUnsigned(std::string_view text);
std::optional<double> asReal(std::string_view text);

} // namespace lacuna::json
