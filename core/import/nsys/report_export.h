#pragma once
// Turns an Nsight Systems report into a SQLite export with the user's own nsys. Exports are kept in the
// user's cache folder, one per report, and used again while the report is unchanged; nothing is written
// beside it. The folder is safe to delete.

#include "core/base/job_control.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna::nsys {

// Where nsys is: `asked` alone when it is not empty, else LACUNA_NSYS, else PATH, else the usual folders of
// the installer (the newest version first). None when there is no such program.
std::optional<std::filesystem::path> findNsys(const std::filesystem::path& asked);

// cacheFolder/nsys, or lacuna/nsys in the user's cache folder when it is empty.
std::filesystem::path exportFolder(const std::filesystem::path& cacheFolder);

// The export of a report as it is now: a file in the folder that exists, or not yet.
Result<std::filesystem::path> exportPath(const std::filesystem::path& report,
                                         const std::filesystem::path& folder);

bool isRawCapture(std::string_view fileName); // .qdstrm: must be imported before it can be exported

inline constexpr std::uint64_t kExportLimit = std::uint64_t{10} << 30;

// Runs nsys unless the export exists. Progress goes to the first half of storedSize bytes of the job; a
// cancelled job ends nsys at once and leaves no file. The least recently used exports of other reports go
// when all together exceed `limit` bytes.
Result<std::filesystem::path> exportReport(const std::filesystem::path& report,
                                           const std::filesystem::path& program,
                                           const std::filesystem::path& folder, std::uint64_t storedSize,
                                           JobControl& job, std::uint64_t limit = kExportLimit);

} // namespace lacuna::nsys
