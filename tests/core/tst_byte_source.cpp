#include "core/import/byte_source.h"
#include "tests/support/json_trace.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <algorithm>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace tst_byte_source {

using namespace lacuna;
using lacuna::test::gzipped;

namespace {

// Compressible, but no two places alike.
std::string sampleText(std::size_t size) {
    std::string text;
    text.reserve(size + 64);
    for (std::size_t i = 0; text.size() < size; ++i)
        text += "{\"event\": " + std::to_string(i * 7919) + ", \"name\": \"kernel\"},\n";
    text.resize(size);
    return text;
}

std::string readAll(ByteSource& source, std::size_t piece) {
    std::string all, buffer(piece, '\0');
    for (;;) {
        const auto got = source.read(std::as_writable_bytes(std::span(buffer)));
        if (!got || *got == 0)
            return all;
        all.append(buffer, 0, *got);
    }
}

std::string readAt(ByteSource& source, std::uint64_t offset, std::size_t size) {
    std::string buffer(size, '\0');
    const auto got = source.readAt(offset, std::as_writable_bytes(std::span(buffer)));
    buffer.resize(got ? *got : 0);
    return buffer;
}

} // namespace

class TstByteSource : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void read_inAnyPieces_givesTheText_data() {
        QTest::addColumn<int>("chunk");
        QTest::addColumn<int>("piece");
        QTest::addColumn<bool>("isGzip");
        for (const bool isGzip : {false, true})
            for (const int chunk : {0, 1, 7, 4096})
                for (const int piece : {1, 100, 65536})
                    QTest::addRow("%s chunk %d piece %d", isGzip ? "gzip" : "plain", chunk, piece)
                        << chunk << piece << isGzip;
    }
    void read_inAnyPieces_givesTheText() {
        QFETCH(int, chunk);
        QFETCH(int, piece);
        QFETCH(bool, isGzip);
        const std::string text = sampleText(50'000);
        const auto source = openMemory(isGzip ? gzipped(text) : text, static_cast<std::size_t>(chunk));
        QCOMPARE(source->isCompressed(), isGzip);
        QVERIFY(readAll(*source, static_cast<std::size_t>(piece)) == text);
        QVERIFY(source->damage().empty());
        QCOMPARE(source->storedDone(), source->storedSize());
    }

    void readAt_anywhere_equalsTheText() {
        const std::string text = sampleText(std::size_t{24} << 20); // several snapshots
        const auto source = openMemory(gzipped(text));
        QVERIFY(readAll(*source, std::size_t{1} << 20) == text);
        std::mt19937_64 random(7);
        for (int i = 0; i < 40; ++i) {
            const std::size_t at = random() % text.size();
            QVERIFY(readAt(*source, at, 3000) == text.substr(at, 3000));
        }
        QVERIFY(readAt(*source, 0, 10) == text.substr(0, 10));
        QVERIFY(readAt(*source, text.size() - 5, 100) == text.substr(text.size() - 5));
        QVERIFY(readAt(*source, text.size() + 5, 100).empty());
    }
    // Details of an event near the end must not unpack the file from its start: the start is destroyed on
    // disk after the first pass, so only a decoder snapshot can give the text.
    void readAt_farInside_startsAtASnapshot() {
        QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("trace.json.gz")).toStdString();
        const std::string text = sampleText(std::size_t{24} << 20), packed = gzipped(text);
        std::ofstream(file, std::ios::binary) << packed;
        auto source = openFile(file);
        QVERIFY(bool(source));
        QCOMPARE(readAll(**source, std::size_t{1} << 20).size(), text.size());
        {
            std::fstream damaged(file, std::ios::binary | std::ios::in | std::ios::out);
            damaged.seekp(64);
            damaged << std::string(packed.size() / 4, '\0');
        }
        const std::size_t offset = (std::size_t{20} << 20) + 17;
        QCOMPARE(readAt(**source, offset, 100), text.substr(offset, 100));
    }

    // Also where nothing was read in order, as after a hit of the index cache: the first call unpacks from
    // the start, the later ones do not.
    void readAt_farInside_withoutARead_leavesSnapshots() {
        QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("trace.json.gz")).toStdString();
        const std::string text = sampleText(std::size_t{24} << 20), packed = gzipped(text);
        std::ofstream(file, std::ios::binary) << packed;
        auto source = openFile(file);
        QVERIFY(bool(source));
        const std::size_t offset = (std::size_t{20} << 20) + 17;
        QCOMPARE(readAt(**source, offset, 100), text.substr(offset, 100));
        {
            std::fstream damaged(file, std::ios::binary | std::ios::in | std::ios::out);
            damaged.seekp(64);
            damaged << std::string(packed.size() / 4, '\0');
        }
        QCOMPARE(readAt(**source, offset + 5000, 100), text.substr(offset + 5000, 100));
    }

    void readAt_beforeAnyRead_givesTheBeginning() {
        const std::string text = sampleText(100'000);
        for (const std::string& stored : {text, gzipped(text)}) {
            const auto source = openMemory(stored);
            QVERIFY(readAt(*source, 0, 65536) == text.substr(0, 65536));
            QVERIFY(readAll(*source, 5000) == text); // and moves nothing
        }
    }

    void gzip_ofSeveralMembers_isOneText() {
        const std::string a = sampleText(9000), b = "second", c = sampleText(300);
        const auto source = openMemory(gzipped(a) + gzipped(b) + std::string(100, '\0') + gzipped(c), 11);
        QVERIFY(readAll(*source, 1000) == a + b + c);
        QVERIFY(source->damage().empty());
        QVERIFY(readAt(*source, 8990, 30) == (a + b + c).substr(8990, 30));
    }
    void gzip_withWrongChecksum_givesAllAndSaysSo() {
        const std::string text = sampleText(20'000);
        for (const std::size_t fromEnd : {8u, 4u}) { // CRC, length
            std::string stored = gzipped(text);
            stored[stored.size() - fromEnd] = static_cast<char>(stored[stored.size() - fromEnd] ^ 0x55);
            const auto source = openMemory(stored + gzipped("next"));
            QVERIFY(readAll(*source, 1000) == text + "next");
            QVERIFY(source->damage().find("is wrong") != std::string::npos);
            QVERIFY(!source->isCut());
        }
    }
    void gzip_cutAnywhere_keepsWhatCameBefore() {
        const std::string text = sampleText(3000), stored = gzipped(text);
        for (std::size_t size = 2; size < stored.size(); ++size) {
            const auto source = openMemory(stored.substr(0, size));
            const std::string got = readAll(*source, 100);
            QVERIFY(text.starts_with(got));
            QVERIFY2(source->isCut(), std::to_string(size).c_str());
            QVERIFY(source->damage().find("ends early") != std::string::npos);
        }
    }
    void gzip_damagedInside_keepsWhatCameBefore() {
        const std::string text = sampleText(200'000);
        std::string stored = gzipped(text);
        for (std::size_t i = stored.size() / 2; i < stored.size() / 2 + 40; ++i)
            stored[i] = '\xFF';
        const auto source = openMemory(stored);
        const std::string got = readAll(*source, 1000);
        const std::size_t before = text.size() / 4; // surely ahead of the damage
        QVERIFY(got.size() > before && got.size() < text.size());
        QVERIFY(got.substr(0, before) == text.substr(0, before));
        QVERIFY(source->isCut());
    }
    void gzip_followedByOtherData_ignoresIt() {
        const auto source = openMemory(gzipped("text") + "garbage");
        QCOMPARE(readAll(*source, 100), std::string("text"));
        QVERIFY(!source->isCut());
        QVERIFY(source->damage().find("ignored") != std::string::npos);
    }

    void open_whatIsNoFile_saysWhy() {
        const auto missing = openFile("/nonexistent/trace.json");
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, Errc::Io);
        QVERIFY(!missing.error().remedy.empty());
        const auto folder = openFile("/");
        QVERIFY(!folder);
        QCOMPARE(folder.error().code, Errc::Unsupported);
        QVERIFY(folder.error().detail.find("folder") != std::string::npos);
    }

    // The library does not tell what a call unpacked before it met damage.
    void zstd_behindDamage_allGoodBlocksAreGiven() {
        std::string packed("\x28\xb5\x2f\xfd\0\x58", 6), text; // a frame of unknown size, 2 MiB of history
        for (std::size_t i = 0; i < 5; ++i) {
            const std::string block = sampleText(1000).substr(i, 900);
            const auto header = static_cast<unsigned>(block.size()) << 3; // a raw block that is not the last
            packed += {static_cast<char>(header), static_cast<char>(header >> 8), '\0'};
            packed += block;
            text += block;
        }
        packed += "\x06 a kind of block that does not exist";
        for (const std::size_t piece : {std::size_t{1}, std::size_t{100}, std::size_t{65'536}}) {
            const auto source = openMemory(packed);
            QCOMPARE(readAll(*source, piece).size(), text.size());
            QVERIFY(source->isCut());
            QVERIFY(!source->damage().empty());
        }
        const auto source = openMemory(packed, 7);
        QVERIFY(readAll(*source, 65'536) == text);
    }
};
LACUNA_TEST(TstByteSource, "tst_byte_source")

} // namespace tst_byte_source

#include "tst_byte_source.moc"
