// Choosing an importer, foreign files, cancelling, hashes.

#include "core/import/load_trace.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <string>

namespace tst_load_trace {

using namespace lacuna;
using namespace lacuna::test;
using namespace std::string_literals;

namespace {

std::string someEvents(int count) {
    std::string events = "[";
    for (int i = 0; i < count; ++i)
        events += q("{'ph':'X','name':'n','pid':1,'tid':1,'ts':") + std::to_string(i) +
                  q(",'dur':0.5,'args':{'text':'") + std::string(200, 'x') + q("'}},\n");
    return events + "]";
}

} // namespace

class TstLoadTrace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void foreignFiles_areNamedWithARemedy_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("fileName");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("word");
        const auto row = [](const char* name, const std::string& bytes, const char* fileName, Errc code,
                            const char* word) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << QByteArray(fileName) << int(code)
                                << QByteArray(word);
        };
        const std::string noise = "\x01\x02\x03 something binary";
        row("empty", "", "t.json", Errc::Malformed, "empty");
        row("blanks", std::string(4096, '\0'), "t.json", Errc::Malformed, "blanks");
        row("gzip header only", "\x1F\x8B\x08\0"s, "t.json.gz", Errc::Truncated, "compressed");
        row("gzip of nothing", gzipped(""), "t.json.gz", Errc::Truncated, "compressed");
        row("nsys report", noise, "run.nsys-rep", Errc::Unsupported, "exported first");
        row("old nsys report", noise, "run.QDREP", Errc::Unsupported, "exported first");
        row("raw capture", noise, "run.qdstrm", Errc::Unsupported, "raw capture");
        row("ncu report", noise, "k.ncu-rep", Errc::Unsupported, "Nsight Compute");
        row("ncu table", "\"ID\",\"Process ID\",\"Process Name\"\n", "k.csv", Errc::Unsupported,
            "table of Nsight Compute");
        row("ncu output", "==PROF== Connected to process 7\n", "k.txt", Errc::Unsupported,
            "table of Nsight Compute");
        row("zip", "PK\x03\x04rest", "t.json", Errc::Truncated, "zip archive");
        row("tar", std::string(257, 'a') + "ustar", "t", Errc::Truncated, "tar archive");
        row("tar.gz", gzipped(std::string(257, 'a') + "ustar"), "t.tar.gz", Errc::Truncated, "tar archive");
        row("zstd", "\x28\xB5\x2F\xFD....", "t.json", Errc::Truncated, "nothing that can be unpacked");
        row("xz",
            "\xFD"
            "7zXZ\0..."s,
            "t", Errc::Truncated, "nothing that can be unpacked");
        row("html", "\n<!DOCTYPE html><html>", "t.html", Errc::Unsupported, "web page");
        row("pickle", "\x80\x04\x95\x10\0\0\0\0\0\0\0}"s, "s.pickle", Errc::Unsupported, "pickle");
        row("perfetto", "\x0A\x10\x08\x01\x12\x03"s, "t.pftrace", Errc::Unsupported, "Perfetto");
        row("bzip2", "BZh91AY", "t.json", Errc::Unsupported, "bzip2");
        row("lz4", "\x04\x22\x4D\x18@", "t.json", Errc::Unsupported, "LZ4");
        row("rar", "Rar!\x1A\x07", "t.json", Errc::Unsupported, "RAR");
        row("chakra", q("{'schema': '1.0', 'pid': 1, 'nodes': []}"), "et.json", Errc::NotRecognised,
            "execution trace");
        row("rocprofv3", q("{'rocprofiler-sdk-tool': [{}]}"), "r.json", Errc::NotRecognised, "rocprofv3");
        row("speedscope", q("{'$schema':'https://www.speedscope.app/file-format-schema.json'}"), "s.json",
            Errc::NotRecognised, "speedscope");
        row("cpuprofile", q("{'nodes':[],'startTime':1,'samples':[]}"), "c.cpuprofile", Errc::NotRecognised,
            "V8 CPU profile");
        row("hatchet", q("[{'frame':{'name':'ROOT'},'metrics':{}}]"), "h.hatchet", Errc::NotRecognised,
            "Proton");
        row("memory timeline", "[[1695835, 1695836], [[0, 1]]]", "m.json", Errc::NotRecognised,
            "memory timeline");
        row("raw memory timeline", "[[-1, 1, 37888, 7]]", "m.json", Errc::NotRecognised, "memory timeline");
        row("memory snapshot", q("{'segments': [], 'device_traces': []}"), "m.json", Errc::NotRecognised,
            "memory snapshot");
        row("other JSON", q("{'a': 1}"), "a.json", Errc::NotRecognised, "no traceEvents");
        row("words", "hello world", "a.txt", Errc::NotRecognised, "hello");
        row("no events", q("{'traceEvents': []}"), "a.json", Errc::Malformed, "no events");
        row("empty array", "[]", "a.json", Errc::Malformed, "no events");
        row("metadata only", q("[{'ph':'M','name':'process_name','args':{'name':'p'}}]"), "a.json",
            Errc::Malformed, "only metadata");
        row("nothing usable",
            q("[{'ph':'X','cat':'kernel','ts':1},{'ph':'X','name':'a','ts':1,'dur':-1},{'ph':'X','name':'a'}"
              "]"),
            "a.json", Errc::Malformed, "None of the 3");
        row("cut before the first event", q("{'traceEvents': [{'ph': 'X', 'na"), "a.json", Errc::Truncated,
            "first complete event");
    }
    void foreignFiles_areNamedWithARemedy() {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, fileName);
        QFETCH(int, code);
        QFETCH(QByteArray, word);
        const auto loaded = loadText(bytes.toStdString(), 0, fileName.toStdString());
        QVERIFY(!loaded);
        QVERIFY2(loaded.error().detail.find(word.toStdString()) != std::string::npos,
                 loaded.error().detail.c_str());
        // What is refused is not advised: rocprofv3's own JSON, and Perfetto's binary form as the last step.
        const std::string& remedy = loaded.error().remedy;
        QVERIFY2(remedy.find("output-format json") == std::string::npos, remedy.c_str());
        QVERIFY2(remedy.find("pftrace") == std::string::npos ||
                     remedy.find("traceconv json") != std::string::npos,
                 remedy.c_str());
        QCOMPARE(int(loaded.error().code), code);
        QVERIFY(loaded.error().place.starts_with(fileName.toStdString()));
        QVERIFY(!loaded.error().remedy.empty());
    }
    void exportCommand_namesTheFile() {
        const auto loaded = loadText("x", 0, "my run.nsys-rep");
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().remedy,
                 std::string("nsys export --type=sqlite -o 'my run.sqlite' 'my run.nsys-rep'"));
    }
    void contentDecides_notTheName() {
        for (const char* name : {"trace.nsys-rep", "trace.zip", "trace", "trace.sqlite"})
            QVERIFY(loadText(someEvents(3), 0, name));
    }
    void missingFile_andFolder_areErrorsWithTheName() {
        JobControl job;
        const auto missing = loadTrace("/nonexistent/trace.json", builtinImporters(), job);
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, Errc::Io);
        QVERIFY(missing.error().place.starts_with("trace.json"));
        QVERIFY(!loadTrace(inSource({}), builtinImporters(), job));
        QVERIFY(!sha256OfFile("/nonexistent/trace.json", job));
    }

    void cancel_stopsAtThePoll_data() {
        QTest::addColumn<int>("poll");
        for (const int poll : {1, 2, 3, 5, 8})
            QTest::addRow("poll %d", poll) << poll;
    }
    void cancel_stopsAtThePoll() {
        QFETCH(int, poll);
        JobControl job;
        job.cancelAtPoll(static_cast<std::uint64_t>(poll));
        const auto loaded = loadTraceFromMemory(someEvents(20'000), "t.json", builtinImporters(), job);
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, Errc::Cancelled);
        QCOMPARE(job.polls(), std::uint64_t(poll));
    }
    void load_pollsOften() {
        for (const bool isPacked : {false, true}) {
            JobControl job;
            const std::string text = someEvents(60'000);
            QVERIFY(loadTraceFromMemory(isPacked ? gzipped(text) : text, "t.json", builtinImporters(), job));
            QVERIFY(job.maxBytesBetweenPolls() <= (1u << 20));
            QVERIFY(job.maxEventsBetweenPolls() <= 4096);
            QVERIFY(job.polls() > 60'000 / 4096);
            QCOMPARE(job.events(), std::uint64_t{60'000});
            QCOMPARE(job.bytesDone(), job.bytesTotal());
        }
    }

    void facts_tellTheFile() {
        const std::filesystem::path file = fixture("micro/M1.json");
        JobControl job;
        auto loaded = loadTrace(file, builtinImporters(), job);
        QVERIFY(loaded);
        const TraceFacts& facts = loaded->trace->facts();
        QCOMPARE(facts.fileName, std::string("M1.json"));
        QCOMPARE(facts.path, file.string());
        QCOMPARE(facts.fileSize, std::uint64_t{std::filesystem::file_size(file)});
        QVERIFY(loaded->details != nullptr);
    }
    void sha256_isThatOfTheBytes() {
        QTemporaryDir folder;
        const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "abc";
        std::ofstream(file) << "abc";
        JobControl job;
        const auto hash = sha256OfFile(file, job);
        QVERIFY(hash);
        QCOMPARE(*hash, std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    }
};
LACUNA_TEST(TstLoadTrace, "tst_load_trace")

} // namespace tst_load_trace

#include "tst_load_trace.moc"
