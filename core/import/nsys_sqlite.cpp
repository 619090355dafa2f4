// Importer of Nsight Systems SQLite exports: finds the database in the file. What reads it is in
// core/import/nsys/.

#include "core/import/nsys_sqlite.h"

#include "core/import/byte_source.h"
#include "core/import/nsys/details.h"
#include "core/import/nsys/load_export.h"

#include <algorithm>

namespace lacuna {

namespace {

constexpr std::string_view kFormat = "nsys-sqlite";

class NsysSqliteImporter final : public Importer {
public:
    std::string_view id() const override { return kFormat; }

    Confidence sniff(const SniffInput& input) const override {
        const std::string_view head(static_cast<const char*>(static_cast<const void*>(input.head.data())),
                                    input.head.size());
        // Also for other SQLite files: load() says what they are.
        return SqliteDb::looksLike(head) ? Confidence::Certain : Confidence::No;
    }

    Status load(ByteSource& bytes, const std::filesystem::path& file, TraceBuilder& into, JobControl& job,
                const LoadOptions& options) const override {
        const std::string fileName = file.filename().string();
        const bool inPlace = !file.empty() && !bytes.isCompressed();
        // Unpacking is half of the work of a compressed file.
        const std::uint64_t unpackBytes = inPlace ? 0 : bytes.storedSize() / 2;
        std::uint64_t advanced = 0;
        auto db = inPlace ? SqliteDb::open(file, &job)
                          : SqliteDb::openUnpacked(
                                [&](std::span<std::byte> buffer) {
                                    auto count = bytes.read(buffer);
                                    const std::uint64_t done = std::min(bytes.storedDone() / 2, unpackBytes);
                                    job.advance(done - std::min(done, advanced));
                                    advanced = std::max(advanced, done);
                                    return count;
                                },
                                &job);
        if (!db) {
            Error error = db.error();
            error.place.clear(); // the whole file; a private copy's name would only confuse
            return error;
        }
        if (auto foreign = nsys::foreignDatabase(*db, fileName))
            return *foreign;
        if (!bytes.damage().empty()) {
            into.report().note("damaged_gzip", "The compressed file is damaged: " + bytes.damage() + ".", {},
                               Severity::Error);
            if (bytes.isCut())
                into.report().setPartial();
        }
        return nsys::loadExport(*db, bytes.storedSize() - advanced, into, job, options.threads);
    }

    Result<std::unique_ptr<DetailReader>> details(std::shared_ptr<ByteSource> bytes,
                                                  const std::filesystem::path& file) const override {
        return nsys::makeDetails(std::move(bytes), file);
    }
};

} // namespace

std::unique_ptr<const Importer> makeNsysSqliteImporter() {
    return std::make_unique<NsysSqliteImporter>();
}

} // namespace lacuna
