#pragma once
// Comma-separated values as RFC 4180 has them, with plain line feeds like the vendor's reports.

#include "core/output/text_sink.h"

#include <span>
#include <string>
#include <string_view>

namespace lacuna {

// The field as it stands in a row: quoted where it holds a comma, a quote, a line end or outer blanks.
std::string csvField(std::string_view text);
void writeCsvRow(TextSink& sink, std::span<const std::string> fields);

} // namespace lacuna
