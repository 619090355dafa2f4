#pragma once
// Times of writers that put nanoseconds where the format has microseconds (chrome_json.md, fault 11).

#include <cstdint>
#include <optional>
#include <string_view>

namespace lacuna::json {

// As microsAsNs() (json_text.h), of nanoseconds.
std::optional<std::int64_t> nanosAsNs(std::string_view text);

} // namespace lacuna::json
