#pragma once
// Chrome trace event JSON, PyTorch/Kineto first: the importer behind builtinImporters().

#include "core/import/importer.h"

#include <memory>

namespace lacuna {

std::unique_ptr<const Importer> makeChromeJsonImporter();

} // namespace lacuna
