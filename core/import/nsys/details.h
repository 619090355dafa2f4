#pragma once
// All recorded details of one row of an Nsight Systems export, read from the database again when asked for.

#include "core/import/importer.h"

#include <filesystem>
#include <memory>

namespace lacuna::nsys {

Result<std::unique_ptr<DetailReader>> makeDetails(std::shared_ptr<ByteSource> bytes,
                                                  const std::filesystem::path& file);

} // namespace lacuna::nsys
