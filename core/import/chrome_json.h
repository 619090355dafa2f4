#pragma once
// Chrome trace event JSON, PyTorch/Kineto first: the importer behind builtinImporters().

#include "core/import/importer.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace lacuna {

inline constexpr std::string_view kChromeJsonId = "chrome-json";

// Of ts and dur. The format has microseconds, whatever displayTimeUnit says; some writers had it wrong.
enum class TimeUnitOfFile : std::uint8_t { Us, Ns };
std::unique_ptr<const Importer> makeChromeJsonImporter(TimeUnitOfFile unit = TimeUnitOfFile::Us);

} // namespace lacuna
