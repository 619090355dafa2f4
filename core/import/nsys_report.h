#pragma once
// Importer of Nsight Systems reports (.nsys-rep, .qdrep, .qdstrm): they are private to nsys, so the user's
// own nsys exports them into the cache folder and the export is read.

#include "core/import/importer.h"

namespace lacuna {

std::unique_ptr<const Importer> makeNsysReportImporter();

} // namespace lacuna
