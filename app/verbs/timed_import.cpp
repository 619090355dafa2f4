#include "app/verbs/timed_import.h"

#include "core/import/byte_source.h"
#include "core/import/forwarding_importer.h"

#include <utility>

namespace lacuna::ui {

namespace {

// Reads may happen in any thread of the importer, but one at a time, and the importer has joined all when
// load() returns: the counters need no lock.
class TimedSource final : public ByteSource {
public:
    TimedSource(ByteSource& source, ImportTimes& times) : m_source(source), m_times(times) {}

    Result<std::size_t> read(std::span<std::byte> buffer) override {
        const auto start = BenchClock::now();
        auto got = m_source.read(buffer);
        m_times.reading += BenchClock::now() - start;
        m_times.bytes += got ? *got : 0;
        return got;
    }
    Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> buffer) override {
        return m_source.readAt(offset, buffer);
    }
    std::uint64_t storedSize() const override { return m_source.storedSize(); }
    std::uint64_t storedDone() const override { return m_source.storedDone(); }
    const std::string& damage() const override { return m_source.damage(); }
    bool isCut() const override { return m_source.isCut(); }
    bool isCompressed() const override { return m_source.isCompressed(); }

private:
    ByteSource& m_source;
    ImportTimes& m_times;
};

class TimedImporter final : public ForwardingImporter {
public:
    TimedImporter(std::unique_ptr<const Importer> importer, ImportTimes& times)
        : ForwardingImporter(std::move(importer)), m_times(times) {}

    Status load(ByteSource& bytes, const std::filesystem::path& file, TraceBuilder& into, JobControl& job,
                const LoadOptions& options) const override {
        TimedSource timed(bytes, m_times);
        const auto start = BenchClock::now();
        auto status = importer().load(timed, file, into, job, options);
        m_times.importing += BenchClock::now() - start;
        return status;
    }

private:
    ImportTimes& m_times;
};

} // namespace

ImporterList timedImporters(ImportTimes& times) {
    ImporterList timed;
    for (auto& importer : builtinImporters())
        timed.push_back(std::make_unique<TimedImporter>(std::move(importer), times));
    return timed;
}

} // namespace lacuna::ui
