#include "core/import/nsys/recognise.h"

#include <algorithm>
#include <string>

namespace lacuna::nsys {

namespace {

bool hasTable(const SqliteDb& db, std::string_view name) {
    return db.table(name) != nullptr;
}

bool hasTableWith(const SqliteDb& db, std::string_view prefix) {
    return std::any_of(db.tables().begin(), db.tables().end(), [&](const SqliteTable& table) {
        return std::string_view(table.name).substr(0, prefix.size()) == prefix;
    });
}

Error unsupported(std::string what, std::string remedy) {
    return {Errc::Unsupported, std::move(what), {}, std::move(remedy)};
}

std::string tableNames(const SqliteDb& db) {
    constexpr std::size_t kShown = 5;
    std::string list;
    for (std::size_t i = 0; i < std::min(kShown, db.tables().size()); ++i)
        list += (i == 0 ? "" : ", ") + db.tables()[i].name;
    if (db.tables().size() > kShown)
        list += ", and " + std::to_string(db.tables().size() - kShown) + " more";
    return list.empty() ? "no tables at all" : "the tables " + list;
}

} // namespace

std::optional<Error> foreignDatabase(const SqliteDb& db, std::string_view fileName) {
    const bool isExport =
        hasTable(db, "StringIds") &&
        (hasTable(db, "META_DATA_EXPORT") || hasTable(db, "EXPORT_META_DATA") ||
         hasTable(db, "TARGET_INFO_SESSION_START_TIME") || hasTable(db, "CUPTI_ACTIVITY_KIND_RUNTIME"));
    if (isExport)
        return std::nullopt;
    if (hasTable(db, "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL") || hasTable(db, "CUPTI_ACTIVITY_KIND_DRIVER"))
        return unsupported(
            "This is a database of nvprof or the NVIDIA Visual Profiler, not of Nsight Systems.",
            "Capture with nsys profile and export with nsys export --type sqlite.");
    if (hasTable(db, "rocpd_op") || hasTable(db, "rocpd_kernelapi"))
        return unsupported("This is a ROCm trace of rocmProfileData (rpd), not an Nsight Systems export.",
                           "Convert it to a Chrome trace with rpd2tracing.py and open that.");
    if (hasTableWith(db, "rocpd_"))
        return unsupported("This is a ROCm trace of rocprofv3 (rocpd), not an Nsight Systems export.",
                           "Convert it with rocpd2pftrace, and that to JSON: traceconv json FILE FILE.json");
    if (hasTable(db, "device_traces") && hasTable(db, "segments"))
        return unsupported("This is a PyTorch memory snapshot, which has no timeline of events.",
                           "Open the profiler trace of the same run (export_chrome_trace).");
    if (fileName.find("dldb") != std::string_view::npos)
        return unsupported("This is a database of DLProf, which holds its own summary and no timeline.",
                           "Open the nsys_profile.sqlite that DLProf wrote beside it.");
    return Error{Errc::NotRecognised,
                 "This SQLite database is no Nsight Systems export: it has " + tableNames(db) + ".",
                 {},
                 "Export a report with nsys export --type sqlite and open the file that it writes."};
}

} // namespace lacuna::nsys
