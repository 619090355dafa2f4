// Metadata behind the rows that it is about (chrome_json.md 2.2: "order in file is free"): the trace is that
// of the same events with their metadata in front.

#include "tests/support/json_trace.h"
#include "tests/support/test_main.h"

#include <string>
#include <string_view>
#include <vector>

namespace tst_chrome_late {

using namespace lacuna;
using namespace lacuna::test;

namespace {

using Events = std::vector<std::string>;

std::string meta(std::string_view what, std::string_view pid, std::string_view tid, std::string_view arg) {
    return q("{'ph':'M','name':'" + std::string(what) + "','pid':" + std::string(pid) +
             ",'tid':" + std::string(tid) + ",'args':{" + std::string(arg) + "}}");
}

std::string named(std::string_view what, std::string_view pid, std::string_view tid, std::string_view name) {
    return meta(what, pid, tid, "'name':'" + std::string(name) + "'");
}

std::string row(std::string_view name, std::string_view pid, std::string_view tid, std::string_view ts,
                std::string_view more = {}) {
    return q("{'ph':'X','name':'" + std::string(name) + "','pid':" + std::string(pid) + ",'tid':" +
             std::string(tid) + ",'ts':" + std::string(ts) + ",'dur':'2'" + std::string(more) + "}");
}

std::string joined(const Events& first, const Events& then) {
    std::string text;
    for (const Events* list : {&first, &then})
        for (const std::string& event : *list)
            text += (text.empty() ? "" : ",\n") + event;
    return text;
}

// The first events of every row kind before the names, in between, and behind them: all the same trace.
void compare(const Events& names, const Events& rows) {
    const auto first = jsonTrace(objectForm(joined(names, rows)));
    QVERIFY(first);
    const std::string wanted = dumpTrace(*first);
    const auto last = jsonTrace(objectForm(joined(rows, names)));
    QVERIFY(last);
    QCOMPARE(dumpTrace(*last), wanted);
    QCOMPARE(last->report().rowsRead(), first->report().rowsRead());
    for (std::size_t split = 1; split < rows.size(); ++split) {
        const auto at = rows.begin() + static_cast<std::ptrdiff_t>(split);
        const auto between =
            jsonTrace(objectForm(joined({rows.begin(), at}, {}) + ",\n" + joined(names, {at, rows.end()})));
        QVERIFY(between);
        QCOMPARE(dumpTrace(*between), wanted);
    }
}

const Events kXlaNames{
    named("process_name", "1", "0", "/device:GPU:0"), named("thread_name", "1", "13", "Stream #13(Compute)"),
    named("thread_name", "1", "2", "XLA Ops"), named("process_name", "701", "0", "/host:CPU"),
    meta("process_sort_index", "701", "0", "'sort_index':5")};
const Events kXlaRows{row("cuLaunchKernel", "701", "5", "1", ",'args':{'correlation_id':'7'}"),
                      row("fusion.1", "1", "13", "5", ",'args':{'correlation_id':'7'}"),
                      row("MemcpyH2D", "1", "13", "9"),
                      row("op line", "1", "2", "5"),
                      row("no name", "1", "99", "5"),
                      q("{'ph':'X','name':'no end','pid':1,'tid':13,'ts':20}"),
                      q("{'ph':'X','name':'no time','pid':1,'tid':13,'ts':0,'dur':0}"),
                      q("{'ph':'B','name':'begin','pid':1,'tid':13,'ts':30}"),
                      q("{'ph':'E','pid':1,'tid':13,'ts':31}"),
                      row("python", "701", "6", "1")};

} // namespace

class TstChromeLate : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void xla() { compare(kXlaNames, kXlaRows); }
    void rocmProfileData() {
        compare({named("process_name", "'2'", "'0'", "GPU2"), named("thread_name", "'9'", "'9'", "Hip 9")},
                {row("CopyHostToDevice", "'2'", "'0'", "'50'"), row("hipMemcpy", "'9'", "'9'", "'10'"),
                 q("{'pid':'9','tid':'9','cat':'api_op','name':'api_op','ts':'10','id':'1','ph':'s'}"),
                 q("{'pid':'2','tid':'0','cat':'api_op','name':'api_op','ts':'50','id':'1','ph':'f',"
                   "'bp':'e'}")});
    }
    void tensorFlow1_summaryAndStreams() {
        const std::string gpu = "/job:localhost/replica:0/task:0/device:GPU:1";
        compare({named("process_name", "1", "0", gpu + "/stream:all Compute"),
                 named("process_name", "2", "0", gpu + "/stream:7 Compute")},
                {row("MatMul all", "1", "0", "1"), row("MatMul", "2", "0", "1")});
        // The summary counts as work until the stream's name comes.
        const Events first{named("process_name", "1", "0", gpu + "/stream:all Compute"),
                           row("MatMul all", "1", "0", "1")};
        const auto trace =
            jsonTrace(objectForm(joined(first, {named("process_name", "2", "0", gpu + "/stream:7 Compute"),
                                                row("MatMul", "2", "0", "1")})));
        QVERIFY(trace);
        QCOMPARE(trace->report().kept(EventKind::Kernel), std::uint64_t{1});
        QCOMPARE(trace->report().kept(EventKind::Range), std::uint64_t{1});
    }
    void lastNameOfAProcessWins() {
        const std::string device = named("process_name", "1", "0", "/device:GPU:0");
        const std::string host = named("process_name", "1", "0", "/host:CPU");
        const std::string stream = named("thread_name", "1", "13", "Stream #13(Compute)");
        const std::string work = row("fusion", "1", "13", "5");
        const auto isKernel = [](const Events& events) {
            const auto trace = jsonTrace(objectForm(joined(events, {})));
            return trace && trace->report().kept(EventKind::Kernel) > 0;
        };
        QVERIFY(isKernel({work, host, stream, device}));
        QVERIFY(!isKernel({device, stream, work, host}));
        QVERIFY(isKernel({host, device, stream, work}));
        // A device for a while: rows of that while are host rows as well.
        QVERIFY(!isKernel({work, stream, device, work, host}));
    }
    void namesAndSortIndexOfHostThreads() {
        compare({named("process_name", "5", "0", "train"), named("thread_name", "5", "6", "worker"),
                 meta("process_sort_index", "5", "0", "'sort_index':'-3'")},
                {row("a", "5", "6", "1", ",'cat':'cpu_op'"), row("b", "5", "7", "2")});
        const auto trace =
            jsonTrace(objectForm(row("a", "5", "6", "1") + "," + named("thread_name", "5", "6", "worker") +
                                 "," + meta("process_sort_index", "5", "0", "'sort_index':'-3'")));
        QVERIFY(trace);
        QCOMPARE(trace->threads()[0].name, std::string("worker"));
        QCOMPARE(trace->processes()[0].sortIndex, std::int64_t{-3});
    }
    // The second pass unpacks again, reads in pieces on several threads, and passes damage on.
    void packedAndLarge() {
        Events rows;
        for (int i = 0; i < 40'000; ++i)
            rows.push_back(row("fusion." + std::to_string(i % 7), "1", "13", std::to_string(10 * i)));
        const auto wanted = jsonTrace(objectForm(joined(kXlaNames, rows)));
        QVERIFY(wanted);
        QCOMPARE(wanted->report().kept(EventKind::Kernel), std::uint64_t{40'000});
        const std::string packed = gzipped(objectForm(joined(rows, kXlaNames)));
        for (const std::size_t chunk : {std::size_t{0}, std::size_t{100'003}}) {
            const auto trace = jsonTrace(packed, chunk);
            QVERIFY(trace);
            QCOMPARE(dumpTrace(*trace), dumpTrace(*wanted));
        }
        std::string cut = joined(kXlaNames, {}) + ",";
        cut = gzipped("{\"traceEvents\": [" + joined(rows, kXlaNames) + "," + joined(rows, {}));
        cut.resize(cut.size() - 9);
        const auto trace = jsonTrace(cut);
        QVERIFY(trace);
        QVERIFY(trace->report().kept(EventKind::Kernel) > 40'000);
        QVERIFY(trace->report().find("damaged_compression") != nullptr);
        QVERIFY(trace->report().isPartial());
    }
    void cancelled_atEveryPoll() {
        const std::string text = objectForm(joined(kXlaRows, kXlaNames));
        JobControl whole;
        QVERIFY(loadTraceFromMemory(text, "trace.json", builtinImporters(), whole));
        QVERIFY(whole.polls() > 3);
        for (std::uint64_t n = 1; n <= whole.polls(); ++n) {
            JobControl job;
            job.cancelAtPoll(n);
            const auto loaded = loadTraceFromMemory(text, "trace.json", builtinImporters(), job);
            QVERIFY2(!loaded, std::to_string(n).c_str());
            QCOMPARE(loaded.error().code, Errc::Cancelled);
        }
    }
    // A tool that sorted the members of our own file in another way.
    void ownMemberBehindTheEvents() {
        const std::string own = q(R"('lacuna': {'version': 1, 'format': 'chrome-json', 'writer': 'w',
            'processes': [{'id': '5', 'name': 'p'}], 'threads': [{'process': 0, 'id': '9', 'name': 't'}],
            'lanes': [{'kind': 'nvtx', 'process': 0, 'thread': 0, 'id': 9},
                      {'kind': 'range', 'process': 0, 'thread': 0, 'id': 9}]})");
        const std::string rows =
            q("{'ph':'X','name':'a','ts':1,'dur':2,'pid':1,'tid':1,'lane':1,'cat':'nvtx'}");
        const auto first = jsonTrace("{" + own + ", \"traceEvents\": [" + rows + "]}");
        const auto last = jsonTrace("{\"traceEvents\": [" + rows + "], " + own + "}");
        QVERIFY(first && last);
        QCOMPARE(dumpTrace(*last), dumpTrace(*first));
        QCOMPARE(last->processes()[0].idText, std::string("5"));
    }
};
LACUNA_TEST(TstChromeLate, "tst_chrome_late")

} // namespace tst_chrome_late

#include "tst_chrome_late.moc"
