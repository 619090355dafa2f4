#include "core/ncu/read_ncu.h"

#include "core/import/byte_source.h"
#include "core/ncu/ncu_csv.h"
#include "core/ncu/ncu_report.h"

#include <array>
#include <cstddef>
#include <span>

namespace lacuna {

namespace {

struct NcuWatch {
    NcuWatch(ByteSource& source, JobControl& job) : bytes(source) { bytes.watch(&job); }
    ~NcuWatch() { bytes.watch(nullptr); }
    NcuWatch(const NcuWatch&) = delete;
    NcuWatch& operator=(const NcuWatch&) = delete;
    ByteSource& bytes;
};

Error ncuErrorIn(Error error, std::string_view fileName) {
    error.place = std::string(fileName) + (error.place.empty() ? "" : ", " + error.place);
    return error;
}

Result<std::shared_ptr<const NcuFile>> readNcuBytes(ByteSource& bytes, std::string_view path,
                                                    std::string_view fileName, JobControl& job) {
    const NcuWatch watch(bytes, job);
    job.setTotal(bytes.storedSize());
    std::array<std::byte, 4> head{};
    const auto got = bytes.readAt(0, head);
    if (!got)
        return ncuErrorIn(got.error(), fileName);
    auto file = std::make_shared<NcuFile>();
    file->path = path;
    file->fileName = fileName;
    const bool isReport = looksLikeNcuReport({reinterpret_cast<const char*>(head.data()), *got});
    const Status read = isReport ? readNcuReport(bytes, *file, job) : readNcuCsv(bytes, *file, job);
    if (!read)
        return ncuErrorIn(read.error(), fileName);
    if (bytes.isCut()) {
        file->report.note("truncated", bytes.damage(), {}, Severity::Error);
        file->report.setPartial();
    }
    finishNcuFile(*file);
    job.setPhase(JobControl::Phase::Done);
    return std::shared_ptr<const NcuFile>(std::move(file));
}

} // namespace

Result<std::shared_ptr<const NcuFile>> readNcu(const std::filesystem::path& file, JobControl& job) {
    auto bytes = openFile(file, {}, &job);
    if (!bytes)
        return ncuErrorIn(bytes.error(), shownName(file));
    return readNcuBytes(**bytes, file.string(), shownName(file), job);
}

Result<std::shared_ptr<const NcuFile>> readNcuFromMemory(std::string bytes, std::string_view fileName,
                                                         JobControl& job, std::size_t chunk) {
    const auto source = openMemory(std::move(bytes), chunk);
    return readNcuBytes(*source, {}, fileName, job);
}

} // namespace lacuna
