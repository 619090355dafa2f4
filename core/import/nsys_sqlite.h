#pragma once

#include "core/import/importer.h"

#include <memory>

namespace lacuna {

// SQLite exports of Nsight Systems: format id "nsys-sqlite".
std::unique_ptr<const Importer> makeNsysSqliteImporter();

} // namespace lacuna
