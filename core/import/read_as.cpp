#include "core/import/read_as.h"

#include "core/import/chrome_json.h"
#include "core/import/forwarding_importer.h"

#include <utility>

namespace lacuna {

namespace {

// Reads by another importer, and asks for the rows to be left out.
class WithoutOverruns final : public ForwardingImporter {
public:
    using ForwardingImporter::ForwardingImporter;

    Status load(ByteSource& bytes, const std::filesystem::path& file, TraceBuilder& into, JobControl& job,
                const LoadOptions& options) const override {
        auto status = importer().load(bytes, file, into, job, options);
        into.report().note(kOverrunsLeftOut,
                           "Device rows that last more than 1 ms beyond the start of the next row of their "
                           "stream are left out of busy and idle time, as asked.",
                           {}, Severity::Info);
        return status;
    }
};

} // namespace

ReadAs readAsOf(const ImportReport& report) {
    return {report.find(kTimesReadAsNs) != nullptr, report.find(kOverrunsLeftOut) != nullptr};
}

Result<LoadedTrace> loadTraceAs(const std::filesystem::path& file, const ReadAs& how, JobControl& job,
                                const LoadOptions& options) {
    ImporterList importers = builtinImporters();
    for (auto& importer : importers) {
        if (how.timesAreNs && importer->id() == kChromeJsonId)
            importer = makeChromeJsonImporter(TimeUnitOfFile::Ns);
        if (how.withoutOverruns)
            importer = std::make_unique<WithoutOverruns>(std::move(importer));
    }
    return loadTrace(file, importers, job, options);
}

} // namespace lacuna
