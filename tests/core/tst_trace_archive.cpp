// A trace written to a cache file and read again is the same trace; a damaged file is none.

#include "core/analysis/gap_analysis.h"
#include "core/cache/checksum.h"
#include "core/cache/trace_archive.h"
#include "core/import/load_trace.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_compare.h"

namespace tst_trace_archive {

using namespace lacuna;
using namespace lacuna::test;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kKey = "key of the source";

std::string archived(const Trace& trace, std::string_view key = kKey) {
    std::string bytes;
    JobControl job;
    const bool isWritten = TraceArchive::write(
        trace, key,
        [&](std::span<const std::byte> piece) {
            bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
            return true;
        },
        job);
    return isWritten ? bytes : std::string();
}

std::shared_ptr<const Trace> restored(std::string bytes, TraceArchive::ReadOptions options = {},
                                      std::string_view key = kKey) {
    JobControl job;
    return TraceArchive::read(*storedMemory(std::move(bytes)), key, job, options);
}

std::shared_ptr<const Trace> smallTrace() {
    JobControl job;
    auto loaded = loadTrace(fixture("micro/M12.json"), builtinImporters(), job);
    return loaded ? loaded->trace : nullptr;
}

// The whole of what a hostile file could reach: nothing here may crash or run away.
void use(const std::shared_ptr<const Trace>& trace) {
    JobControl job;
    QVERIFY(GapAnalysis::run(trace, {}, job));
    QVERIFY(!dumpTrace(*trace).empty());
}

} // namespace

class TstTraceArchive : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyFile_comesBackEqual_data();
    void everyFile_comesBackEqual();
    void randomTraces_comeBackEqual();
    void emptyTrace_comesBackEqual();
    void largeGroups_comeBackEqual();
    void otherKey_isNotServed();
    void otherPath_isInTheFacts();
    void flippedByte_isFoundOrHarmless();
    void shortenedFile_isRejected();
    void hostileFile_givesNoTraceOrAValidOne();
    void cancelled_givesNothing();
    void checksum_findsOneWord();
};

void TstTraceArchive::everyFile_comesBackEqual_data() {
    QTest::addColumn<QString>("file");
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(fixture("")))
        if (entry.is_regular_file() && entry.path().filename().string().find("ref.out") == std::string::npos)
            files.push_back(entry.path());
    for (const char* const folder : {"traces/public", "traces/captured"})
        for (const fs::path& file : sharedFiles(folder))
            files.push_back(file);
    if (!shared("traces"))
        QTest::newRow("shared traces are missing") << QString();
    for (const fs::path& file : files)
        QTest::newRow(file.filename().c_str()) << QString::fromStdString(file.string());
}

void TstTraceArchive::everyFile_comesBackEqual() {
    QFETCH(QString, file);
    if (file.isEmpty())
        LACUNA_SKIP("the shared traces are not here");
    JobControl job;
    const auto loaded = loadTrace(file.toStdString(), builtinImporters(), job);
    if (!loaded)
        return; // no trace
    for (const unsigned threads : {1u, 3u}) {
        const auto again = restored(archived(*loaded->trace), {{}, threads, {}});
        QVERIFY(again != nullptr);
        QCOMPARE(firstDifference(*loaded->trace, *again), std::string());
    }
}

void TstTraceArchive::randomTraces_comeBackEqual() {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const RandomTrace random = makeRandomTrace(seed);
        const auto again = restored(archived(*random.trace));
        QVERIFY2(again != nullptr, qPrintable(random.note()));
        QCOMPARE(firstDifference(*random.trace, *again), std::string());
    }
}

void TstTraceArchive::emptyTrace_comesBackEqual() {
    JobControl job;
    const auto empty = TraceBuilder().finish(job);
    QVERIFY(empty);
    const auto again = restored(archived(**empty));
    QVERIFY(again != nullptr);
    QCOMPARE(firstDifference(**empty, *again), std::string());
}

// Correlated rows are kept in two forms: one for calls with few operations, one for all else.
void TstTraceArchive::largeGroups_comeBackEqual() {
    TraceBuilder builder;
    const ProcessId process = builder.process("1");
    builder.process(process).mpiRank = 3;
    const LaneId calls = builder.lane({LaneKind::CudaApi, process, builder.thread(process, "2"), {}, 2, {}});
    const LaneId stream = builder.lane({LaneKind::GpuStream, {}, {}, builder.device(process, 0), 7, {}});
    std::uint64_t row = 0;
    for (std::uint64_t id = 1; id <= 100; ++id) {
        const auto begin = static_cast<std::int64_t>(1'000 * id);
        builder.add(
            {calls, begin, begin + 1, StringId{0}, EventKind::RuntimeApi, id, SourceRef::offset(row++)});
        for (std::int64_t op = 0; op < (id == 40 ? 300 : 1); ++op)
            builder.add({stream, begin + 2 * op + 2, begin + 2 * op + 3, StringId{0}, EventKind::Kernel, id,
                         SourceRef::offset(row++)});
    }
    JobControl job;
    const auto trace = std::move(builder).finish(job);
    QVERIFY(trace);
    QCOMPARE((*trace)->correlations().deviceOps(40).size(), std::size_t{300});
    const std::string bytes = archived(**trace);
    const auto again = restored(bytes);
    QVERIFY(again != nullptr);
    QCOMPARE(firstDifference(**trace, *again), std::string());
    for (std::size_t i = 0; i < bytes.size(); i += 5) { // where the blocks stand, above all
        std::string damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x21);
        if (const auto other = restored(std::move(damaged), {{}, 1, ArchiveFileReader::Sums::Ignored}))
            use(other);
    }
}

void TstTraceArchive::otherKey_isNotServed() {
    const std::string bytes = archived(*smallTrace());
    for (const std::string_view key : {"", "key of the sourc", "key of the sourcf", "key of the source "})
        QVERIFY(restored(bytes, {}, key) == nullptr);
    QVERIFY(restored(bytes) != nullptr);
}

void TstTraceArchive::otherPath_isInTheFacts() {
    const auto again = restored(archived(*smallTrace()), {"/elsewhere/copy.json", 1, {}});
    QVERIFY(again != nullptr);
    QCOMPARE(again->facts().path, std::string("/elsewhere/copy.json"));
    QCOMPARE(again->facts().fileName, std::string("copy.json"));
}

void TstTraceArchive::flippedByte_isFoundOrHarmless() {
    const auto trace = smallTrace();
    const std::string bytes = archived(*trace);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        for (const char flip : {'\x01', '\x80', '\xff'}) {
            std::string damaged = bytes;
            damaged[i] = static_cast<char>(damaged[i] ^ flip);
            if (const auto again = restored(std::move(damaged))) // padding
                QVERIFY2(firstDifference(*trace, *again).empty(), qPrintable(QString::number(i)));
        }
}

void TstTraceArchive::shortenedFile_isRejected() {
    const std::string bytes = archived(*smallTrace());
    for (std::size_t size = 0; size < bytes.size(); ++size)
        QVERIFY2(restored(bytes.substr(0, size)) == nullptr, qPrintable(QString::number(size)));
    QVERIFY(restored(bytes + "x") == nullptr);
}

// As the above, with sums that fit: what a forger would write.
void TstTraceArchive::hostileFile_givesNoTraceOrAValidOne() {
    const std::string bytes = archived(*smallTrace());
    int accepted = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        for (const char flip : {'\x01', '\x80', '\xff'}) {
            std::string damaged = bytes;
            damaged[i] = static_cast<char>(damaged[i] ^ flip);
            if (const auto again = restored(std::move(damaged), {{}, 1, ArchiveFileReader::Sums::Ignored})) {
                use(again);
                ++accepted;
            }
        }
    QVERIFY(accepted > 0); // or the test tests nothing
}

void TstTraceArchive::cancelled_givesNothing() {
    const auto trace = smallTrace();
    const std::string bytes = archived(*trace);
    JobControl reading, writing;
    reading.requestCancel();
    writing.requestCancel();
    QVERIFY(TraceArchive::read(*storedMemory(bytes), kKey, reading, {}) == nullptr);
    QVERIFY(!TraceArchive::write(
        *trace, kKey, [](auto) { return true; }, writing));
    JobControl job;
    QVERIFY(!TraceArchive::write(
        *trace, kKey, [](auto) { return false; }, job)); // disk full
}

void TstTraceArchive::checksum_findsOneWord() {
    std::vector<std::byte> bytes(100);
    const std::uint64_t before = checksumOf(bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        for (int bit = 0; bit < 8; ++bit) {
            bytes[i] ^= std::byte(1 << bit);
            QVERIFY(checksumOf(bytes) != before);
            bytes[i] ^= std::byte(1 << bit);
        }
    QVERIFY(checksumOf(std::span(bytes).first(99)) != before);
    Checksum pieces;
    pieces.add(std::span(bytes).first(64));
    pieces.add(std::span(bytes).subspan(64));
    QCOMPARE(pieces.value(), before);
}

LACUNA_TEST(TstTraceArchive, "tst_trace_archive")

} // namespace tst_trace_archive

#include "tst_trace_archive.moc"
