#pragma once
// Opens what Nsight Compute wrote, a .ncu-rep report or a CSV page, packed or not.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/ncu/ncu_file.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace lacuna {

// "-" is standard input. Errors: not readable, not such a file (NotRecognised; a remedy says how to get one),
// nothing usable in it, Cancelled.
Result<std::shared_ptr<const NcuFile>> readNcu(const std::filesystem::path& file, JobControl& job);
// From memory, for tests; chunk > 0 limits every read.
Result<std::shared_ptr<const NcuFile>> readNcuFromMemory(std::string bytes, std::string_view fileName,
                                                         JobControl& job, std::size_t chunk = 0);

} // namespace lacuna
