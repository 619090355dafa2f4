#include "core/import/load_trace.h"

#include "core/base/large_blocks.h"
#include "core/import/byte_source.h"
#include "core/import/detail/foreign_file.h"
#include "core/import/detail/unpack.h"
#include "core/import/open_details.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace lacuna {

namespace {

constexpr std::size_t kSniffedHead = std::size_t{64} << 10;

Error inFile(Error error, std::string_view fileName) {
    error.place = std::string(fileName) + (error.place.empty() ? "" : ", " + error.place);
    return error;
}

// The importer that is surest; the first of equals.
std::pair<const Importer*, Confidence> choose(const ImporterList& importers, const SniffInput& input) {
    std::pair<const Importer*, Confidence> best{nullptr, Confidence::No};
    for (const auto& importer : importers) {
        const Confidence confidence = importer->sniff(input);
        if (confidence > best.second)
            best = {importer.get(), confidence};
    }
    return best;
}

// The source polls the job for as long as this lives.
struct Watch {
    Watch(ByteSource& source, JobControl& job) : bytes(source) { bytes.watch(&job); }
    ~Watch() { bytes.watch(nullptr); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ByteSource& bytes;
};

Result<LoadedTrace> load(const std::shared_ptr<ByteSource>& bytes, const std::filesystem::path& file,
                         std::string_view fileName, const ImporterList& importers, JobControl& job,
                         const LoadOptions& options) {
    mapLargeBlocks();
    const Watch watch(*bytes, job);
    job.setTotal(bytes->storedSize());
    std::vector<std::byte> head(kSniffedHead);
    const auto got = bytes->readAt(0, head);
    if (!got)
        return got.error();
    head.resize(*got);
    const std::string_view member = bytes->member();
    const std::string_view name =
        member.empty() ? fileName : member.substr(member.find_last_of('/') + 1); // npos + 1 is 0
    const SniffInput input{name, head};
    const auto [importer, confidence] = choose(importers, input);
    if (confidence != Confidence::Certain)
        if (auto foreign = recogniseForeign({name, head, bytes->isCompressed(), bytes->storedSize()}))
            return *foreign;
    if (importer == nullptr)
        return unknownFormat(head);

    TraceBuilder builder;
    TraceFacts& facts = builder.facts();
    facts.path = file.string();
    facts.fileName = fileName;
    facts.fileSize = bytes->storedSize();
    facts.format = importer->id();
    builder.setChoice(options.choice);
    if (options.onSnapshot)
        builder.setSnapshotReceiver(options.onSnapshot, job);
    if (const Status status = importer->load(*bytes, file, builder, job, options); !status)
        return status.error();
    facts.fileSize = std::max(bytes->storedSize(), bytes->storedDone()); // of a pipe it is known only now
    for (const SourceNote& note : bytes->notes())
        builder.report().note(note.code, note.message, {},
                              note.isWarning ? Severity::Warning : Severity::Info, note.count);
    auto trace = std::move(builder).finish(job, options.threads);
    if (!trace)
        return trace.error();
    LoadedTrace loaded{std::move(*trace), nullptr};
    if (auto details = importer->details(bytes, file))
        loaded.details = std::move(*details);
    job.setPhase(JobControl::Phase::Done);
    return loaded;
}

} // namespace

Result<LoadedTrace> loadTrace(const std::filesystem::path& file, const ImporterList& importers,
                              JobControl& job, const LoadOptions& options) {
    const std::string fileName = shownName(file);
    auto bytes = openFile(file, options.member, &job);
    if (!bytes)
        return inFile(bytes.error(), fileName);
    // Standard input has no path that could be opened again.
    auto loaded =
        load(std::shared_ptr<ByteSource>(std::move(*bytes)),
             isStandardInput(file) ? std::filesystem::path() : file, fileName, importers, job, options);
    if (!loaded)
        return inFile(loaded.error(), fileName);
    return loaded;
}

Result<LoadedTrace> loadTraceFromMemory(std::string bytes, std::string_view fileName,
                                        const ImporterList& importers, JobControl& job, std::size_t chunk,
                                        const LoadOptions& options) {
    auto loaded =
        load(openMemory(std::move(bytes), chunk, options.member), {}, fileName, importers, job, options);
    if (!loaded)
        return inFile(loaded.error(), fileName);
    return loaded;
}

Result<std::unique_ptr<DetailReader>> openDetails(const std::filesystem::path& file,
                                                  const ImporterList& importers, const LoadOptions& options) {
    auto bytes = openFile(file, options.member);
    if (!bytes)
        return bytes.error();
    std::vector<std::byte> head(kSniffedHead);
    const auto got = (*bytes)->readAt(0, head);
    if (!got)
        return got.error();
    head.resize(*got);
    const Importer* const importer = choose(importers, {file.filename().string(), head}).first;
    if (importer == nullptr)
        return unknownFormat(head);
    return importer->details(std::move(*bytes), file);
}

Result<std::string> sha256OfFile(const std::filesystem::path& file, JobControl& job) {
    const std::string fileName = shownName(file);
    const auto stored = openStored(file, &job);
    if (!stored)
        return inFile(stored.error(), fileName);
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1)
        return Error{Errc::Unsupported, "The system's cryptography library offers no SHA-256.", {}, {}};
    std::vector<std::byte> piece(std::size_t{1} << 20);
    for (std::uint64_t offset = 0;;) {
        const auto got = (*stored)->readAt(offset, piece);
        if (!got)
            return inFile(got.error(), fileName);
        if (*got == 0)
            break;
        EVP_DigestUpdate(context.get(), piece.data(), *got);
        offset += *got;
        job.advance(*got);
        if (job.cancelled())
            return cancelledError();
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_DigestFinal_ex(context.get(), digest.data(), &size);
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < size; ++i) {
        text.push_back(kHex[digest[i] >> 4]);
        text.push_back(kHex[digest[i] & 15u]);
    }
    return text;
}

} // namespace lacuna
