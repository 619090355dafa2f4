// A load that is asked to end early: the trace is that of the elements read so far, and says so.

#include "core/import/reading_stop.h"
#include "core/trace/read_part.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <string>
#include <vector>

namespace tst_reading_stop {

using namespace lacuna;
using namespace lacuna::test;

namespace {

constexpr int kRows = 10'000;
constexpr std::uint64_t kPoll = 2048; // elements between two looks at the job

std::string row(int i) {
    return q("{'ph':'X','name':'op " + std::to_string(i % 7) +
             "','pid':1,'tid':13,'ts':" + std::to_string(10 * i) + ",'dur':2}");
}

std::vector<std::string> rows() {
    std::vector<std::string> all;
    for (int i = 0; i < kRows; ++i)
        all.push_back(row(i));
    return all;
}

std::string joined(const std::vector<std::string>& events, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += (i == 0 ? "" : ",\n") + events[i];
    return text;
}

Result<LoadedTrace> stopped(const std::string& text, unsigned threads) {
    JobControl job;
    LoadOptions options;
    options.stop = std::make_shared<ReadingStop>();
    options.stop->ask();
    options.threads = threads;
    return loadTraceFromMemory(text, "trace.json", builtinImporters(), job, 0, options);
}

std::string withoutStop(std::string dump) {
    const std::string line = "issue reading_stopped 1\n";
    const std::size_t at = dump.find(line);
    return at == std::string::npos ? "no such issue" : dump.erase(at, line.size());
}

} // namespace

class TstReadingStop : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsReadIsTheTrace_data() {
        QTest::addColumn<bool>("isPacked");
        QTest::addColumn<unsigned>("threads");
        QTest::newRow("plain, 1 thread") << false << 1u;
        QTest::newRow("plain, 3 threads") << false << 3u;
        QTest::newRow("gzip, 1 thread") << true << 1u;
        QTest::newRow("gzip, 3 threads") << true << 3u;
    }
    void whatIsReadIsTheTrace() {
        QFETCH(bool, isPacked);
        QFETCH(unsigned, threads);
        const std::vector<std::string> all = rows();
        const std::string text = objectForm(joined(all, all.size()));
        const auto loaded = stopped(isPacked ? gzipped(text) : text, threads);
        QVERIFY(loaded);
        const Trace& trace = *loaded->trace;
        QCOMPARE(trace.report().rowsRead(), kPoll);
        QVERIFY(trace.report().isPartial());
        const Issue* issue = trace.report().find(kReadingStopped);
        QVERIFY(issue != nullptr);
        QCOMPARE(issue->severity, Severity::Error);
        QCOMPARE(issue->first.offset.value_or(0), text.find(all[kPoll - 1]));
        const auto wanted = jsonTrace(objectForm(joined(all, kPoll)));
        QCOMPARE(withoutStop(dumpTrace(trace)), dumpTrace(*wanted));
        // The row read last begins 10 us after the one before it; the first at 0.
        QCOMPARE(readUntil(trace)->v, std::int64_t{10'000} * static_cast<std::int64_t>(kPoll - 1));
        QVERIFY(!readUntil(*wanted).has_value());
    }
    // A name that comes late makes rows device work: the second pass ends at the same element.
    void secondPass() {
        std::vector<std::string> all = rows();
        all.insert(
            all.begin() + 1500,
            {q("{'ph':'M','name':'process_name','pid':1,'tid':0,'args':{'name':'/device:GPU:0'}}"),
             q("{'ph':'M','name':'thread_name','pid':1,'tid':13,'args':{'name':'Stream #13(Compute)'}}")});
        const auto loaded = stopped(objectForm(joined(all, all.size())), 2);
        QVERIFY(loaded);
        QCOMPARE(loaded->trace->report().kept(EventKind::Kernel), kPoll - 2);
        const auto wanted = jsonTrace(objectForm(joined(all, kPoll)));
        QCOMPARE(withoutStop(dumpTrace(*loaded->trace)), dumpTrace(*wanted));
    }
    // A request that comes too late changes nothing.
    void fewerElementsThanALook() {
        const std::vector<std::string> all = rows();
        const std::string text = objectForm(joined(all, 100));
        const auto loaded = stopped(text, 1);
        QVERIFY(loaded);
        QVERIFY(!loaded->trace->report().isPartial());
        QCOMPARE(dumpTrace(*loaded->trace), dumpTrace(*jsonTrace(text)));
    }
    void byItself_afterSoManyBytes() {
        const std::vector<std::string> all = rows();
        const std::string text = objectForm(joined(all, all.size()));
        JobControl job;
        LoadOptions options;
        options.stop = std::make_shared<ReadingStop>();
        options.stop->askAfter(text.size() / 2);
        options.threads = 1;
        const auto loaded = loadTraceFromMemory(text, "trace.json", builtinImporters(), job, 4096, options);
        QVERIFY(loaded);
        QVERIFY(loaded->trace->report().find(kReadingStopped) != nullptr);
        QVERIFY(job.bytesDone() >= text.size() / 2);
        QVERIFY(loaded->trace->report().rowsRead() < static_cast<std::uint64_t>(kRows));
    }
    // Tables of a database are read one after the other: without the last one there would be gaps that are
    // none, so reading goes on to the end.
    void onlyWhereItIsOffered() {
        const auto load = [](const char* file, ReadingStop& stop) {
            JobControl job;
            LoadOptions options;
            options.stop = std::shared_ptr<ReadingStop>(&stop, [](ReadingStop*) {});
            stop.ask();
            return loadTrace(fixture(file), builtinImporters(), job, options);
        };
        ReadingStop ofJson, ofTables;
        QVERIFY(load("captured/torch/item_sync.pt.trace.json.gz", ofJson));
        QVERIFY(ofJson.isOffered());
        const auto whole = load("captured/nsys/stall.sqlite", ofTables);
        QVERIFY(whole);
        QVERIFY(!ofTables.isOffered());
        QVERIFY(!whole->trace->report().isPartial());
    }
};

LACUNA_TEST(TstReadingStop, "tst_reading_stop")

} // namespace tst_reading_stop

#include "tst_reading_stop.moc"
