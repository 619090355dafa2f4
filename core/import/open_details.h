#pragma once
// Details of a trace whose rows came from the index cache: the source is opened without being read.

#include "core/import/importer.h"

#include <filesystem>
#include <memory>

namespace lacuna {

// Sniffs as loadTrace() does, so that the same importer answers. Defined in load_trace.cpp.
Result<std::unique_ptr<DetailReader>> openDetails(const std::filesystem::path& file,
                                                  const ImporterList& importers, const LoadOptions& options);

} // namespace lacuna
