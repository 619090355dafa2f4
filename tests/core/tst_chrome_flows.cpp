// Arrows that a Chrome trace records: what each end binds to (chrome_json.md 2.4). The expected links are
// worked out by hand from the times in the text.

#include "core/trace/flow_index.h"
#include "tests/support/json_trace.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tst_chrome_flows {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::string slice(std::string_view name, int tid, int ts, int dur, std::string_view more = {}) {
    return "{'ph':'X','name':'" + std::string(name) + "','pid':1,'tid':" + std::to_string(tid) +
           ",'ts':" + std::to_string(ts) + ",'dur':" + std::to_string(dur) + std::string(more) + "},";
}

std::string end(char phase, int id, int tid, int ts, std::string_view more = {}) {
    return std::string("{'ph':'") + phase + "','cat':'c','name':'n','id':" + std::to_string(id) +
           ",'pid':1,'tid':" + std::to_string(tid) + ",'ts':" + std::to_string(ts) + std::string(more) + "},";
}

std::shared_ptr<const Trace> load(const std::string& events) {
    return jsonTrace(objectForm(q(events + "{}")));
}

// "a>b c>d", in order of the text.
std::string links(const Trace& trace) {
    std::vector<std::string> all;
    for (const FlowLink& link : trace.flows().links())
        all.push_back(std::string(trace.nameOf(link.from)).append(">").append(trace.nameOf(link.to)));
    std::sort(all.begin(), all.end());
    std::string text;
    for (const std::string& link : all)
        text.append(text.empty() ? "" : " ").append(link);
    return text;
}

std::uint64_t unbound(const Trace& trace) {
    const Issue* issue = trace.report().find("flow_ends_unbound");
    return issue == nullptr ? 0 : issue->count;
}

} // namespace

class TstChromeFlows : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ends_bindToTheirRows_data() {
        QTest::addColumn<QByteArray>("events");
        QTest::addColumn<QByteArray>("links");
        QTest::addColumn<int>("unbound");
        const auto row = [](const char* name, const std::string& events, const char* links, int unbound) {
            QTest::newRow(name) << QByteArray::fromStdString(events) << QByteArray(links) << unbound;
        };
        const std::string nested = slice("a", 1, 0, 100) + slice("b", 1, 10, 50) + slice("c", 1, 20, 10);
        const std::string other = slice("x", 2, 200, 50) + slice("y", 2, 210, 10);
        row("innermost that contains the time",
            nested + other + end('s', 1, 1, 25) + end('f', 1, 2, 212, ",'bp':'e'"), "c>y", 0);
        row("between two children", nested + other + end('s', 1, 1, 35) + end('f', 1, 2, 230, ",'bp':'e'"),
            "b>x", 0);
        row("a begin is inside, an end is not",
            slice("a", 1, 0, 10) + slice("b", 1, 10, 10) + other + end('s', 1, 1, 10) +
                end('f', 1, 2, 200, ",'bp':'e'"),
            "b>x", 0);
        row("equal begins: the shorter is inside",
            slice("long", 1, 0, 100) + slice("short", 1, 0, 10) + other + end('s', 1, 1, 0) +
                end('f', 1, 2, 200, ",'bp':'e'"),
            "short>x", 0);
        row("without bp: the next slice", nested + other + end('s', 1, 1, 25) + end('f', 1, 2, 150), "c>x",
            0);
        row("without bp: at its begin", nested + other + end('s', 1, 1, 25) + end('f', 1, 2, 210), "c>y", 0);
        row("without bp: none follows", nested + other + end('s', 1, 1, 25) + end('f', 1, 2, 211), "", 2);
        row("crossing slices: the one that began last",
            slice("a", 1, 0, 30) + slice("b", 1, 20, 40) + other + end('s', 1, 1, 25) +
                end('f', 1, 2, 212, ",'bp':'e'") + end('s', 2, 1, 40) + end('f', 2, 2, 205, ",'bp':'e'"),
            "b>x b>y", 0);
        row("steps on several threads",
            nested + other + slice("z", 3, 300, 10) + end('s', 7, 1, 5) + end('t', 7, 2, 215) +
                end('f', 7, 3, 305, ",'bp':'e'"),
            "a>y y>z", 0);
        row("file order does not matter",
            end('f', 7, 3, 305, ",'bp':'e'") + end('t', 7, 2, 215) + slice("z", 3, 300, 10) + other + nested +
                end('s', 7, 1, 5),
            "a>y y>z", 0);
        row("two ends",
            nested + other + end('s', 1, 1, 25) + end('f', 1, 2, 205, ",'bp':'e'") +
                end('f', 1, 2, 215, ",'bp':'e'"),
            "c>x c>y", 0);
        row("an id used twice",
            nested + other + end('s', 1, 1, 5) + end('f', 1, 1, 15, ",'bp':'e'") + end('s', 1, 1, 25) +
                end('f', 1, 2, 205, ",'bp':'e'"),
            "a>b c>x", 0);
        row("end before its start: clocks",
            nested + other + end('s', 1, 2, 215) + end('f', 1, 1, 25, ",'bp':'e'"), "y>c", 0);
        row("only one end", nested + end('f', 1, 1, 25, ",'bp':'e'") + end('s', 2, 1, 25), "", 2);
        row("no slice there", nested + other + end('s', 1, 1, 150) + end('f', 1, 2, 205, ",'bp':'e'"), "", 2);
        row("to its own slice", nested + end('s', 1, 1, 21) + end('f', 1, 1, 25, ",'bp':'e'"), "", 2);
        row("ids as text and number, hexadecimal too",
            nested + other + end('s', 31, 1, 25) +
                "{'ph':'f','bp':'e','cat':'c','name':'n','id':'0x1f','pid':1,'tid':2,'ts':205},",
            "c>x", 0);
        row("other name, other flow",
            nested + other + end('s', 1, 1, 25) +
                "{'ph':'f','bp':'e','cat':'c','name':'m','id':1,'pid':1,'tid':2,'ts':205},",
            "", 2);
        row("ids of a process",
            nested + other +
                "{'ph':'s','cat':'c','name':'n','id2':{'local':1},'pid':1,'tid':1,'ts':25},"
                "{'ph':'f','bp':'e','cat':'c','name':'n','id2':{'local':1},'pid':1,'tid':2,'ts':205},"
                "{'ph':'X','name':'far','pid':9,'tid':9,'ts':300,'dur':9},"
                "{'ph':'f','bp':'e','cat':'c','name':'n','id2':{'local':1},'pid':9,'tid':9,'ts':301},",
            "c>x", 1);
        row("ids beyond 53 bits",
            nested + other +
                "{'ph':'s','cat':'c','name':'n','id':9007199254740993,'pid':1,'tid':1,'ts':25},"
                "{'ph':'f','bp':'e','cat':'c','name':'n','id':9007199254740992,'pid':1,'tid':2,'ts':205},"
                "{'ph':'f','bp':'e','cat':'c','name':'n','id':9007199254740993,'pid':1,'tid':2,'ts':215},",
            "c>y", 1);
        row("slices of B and E",
            "{'ph':'B','name':'a','pid':1,'tid':1,'ts':0},{'ph':'E','pid':1,'tid':1,'ts':30}," + other +
                end('s', 1, 1, 25) + end('f', 1, 2, 205, ",'bp':'e'"),
            "a>x", 0);
        row("version 2",
            slice("a", 1, 0, 10, ",'bind_id':'0x5','flow_out':true") +
                slice("b", 2, 20, 10, ",'bind_id':'0x5','flow_in':true,'flow_out':true") +
                slice("c", 3, 40, 10, ",'bind_id':'0x5','flow_in':true"),
            "a>b b>c", 0);
        row("version 2, nothing said",
            slice("a", 1, 0, 10, ",'bind_id':1") + slice("b", 2, 20, 10, ",'bind_id':1"), "", 0);
        row("version 2 on B",
            "{'ph':'B','name':'a','pid':1,'tid':1,'ts':0,'bind_id':3,'flow_out':true},"
            "{'ph':'E','pid':1,'tid':1,'ts':30}," +
                slice("b", 2, 20, 10, ",'bind_id':3,'flow_in':true"),
            "a>b", 0);
        row("version 2 on E: of the slice that it ends",
            "{'ph':'B','name':'a','pid':1,'tid':1,'ts':0},{'ph':'B','name':'inner','pid':1,'tid':1,'ts':5},"
            "{'ph':'E','pid':1,'tid':1,'ts':9},"
            "{'ph':'E','pid':1,'tid':1,'ts':30,'bind_id':3,'flow_out':true},"
            "{'ph':'E','pid':1,'tid':1,'ts':40,'bind_id':3,'flow_in':true}," + // ends nothing
                slice("b", 2, 20, 10, ",'bind_id':3,'flow_in':true"),
            "a>b", 1);
        row("version 2 on marks and asynchronous operations",
            "{'ph':'i','name':'mark','pid':1,'tid':1,'ts':0,'bind_id':3,'flow_out':true},"
            "{'ph':'b','cat':'c','name':'async','id':7,'pid':1,'tid':1,'ts':5,"
            "'bind_id':3,'flow_in':true,'flow_out':true},"
            "{'ph':'n','cat':'c','name':'step','id':7,'pid':1,'tid':1,'ts':10,"
            "'bind_id':3,'flow_in':true,'flow_out':true},"
            "{'ph':'e','cat':'c','name':'async','id':7,'pid':1,'tid':1,'ts':20,'bind_id':4,'flow_out':true}"
            "," +
                slice("b", 2, 30, 10, ",'bind_id':3,'flow_in':true") +
                slice("d", 2, 50, 10, ",'bind_id':4,'flow_in':true"),
            "async>d async>step mark>async step>b", 0);
    }
    void ends_bindToTheirRows() {
        QFETCH(QByteArray, events);
        QFETCH(QByteArray, links);
        QFETCH(int, unbound);
        const auto trace = load(events.toStdString());
        QVERIFY(trace);
        QCOMPARE(QByteArray::fromStdString(tst_chrome_flows::links(*trace)), links);
        QCOMPARE(tst_chrome_flows::unbound(*trace), std::uint64_t(unbound));
        for (const FlowLink& link : trace->flows().links()) {
            const auto incoming = trace->flows().incoming(link.to);
            QVERIFY(std::any_of(incoming.begin(), incoming.end(),
                                [&](std::uint32_t i) { return trace->flows().links()[i] == link; }));
            const auto outgoing = trace->flows().outgoing(link.from);
            QVERIFY(std::find(outgoing.begin(), outgoing.end(), link) != outgoing.end());
        }
    }

    void launchFlows_areLeftOut_whereCorrelationJoins() {
        const std::string rows =
            "{'ph':'X','cat':'cpu_op','name':'op','pid':9,'tid':1,'ts':0,'dur':20},"
            "{'ph':'X','cat':'cuda_runtime','name':'launch','pid':9,'tid':1,'ts':5,'dur':5@},"
            "{'ph':'s','cat':'ac2g','name':'ac2g','id':3,'pid':9,'tid':1,'ts':5},"
            "{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':30,'dur':5@},"
            "{'ph':'f','bp':'e','cat':'ac2g','name':'ac2g','id':3,'pid':0,'tid':7,'ts':30},"
            "{'ph':'X','cat':'cpu_op','name':'backward','pid':9,'tid':2,'ts':40,'dur':5},"
            "{'ph':'s','cat':'fwdbwd','name':'fwdbwd','id':3,'pid':9,'tid':1,'ts':0},"
            "{'ph':'f','bp':'e','cat':'fwdbwd','name':'fwdbwd','id':3,'pid':9,'tid':2,'ts':40},";
        const auto with = [&](std::string_view args) {
            std::string text = rows;
            for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@'))
                text.replace(at, 1, args);
            return load(text);
        };
        const auto joined = with(",'args':{'correlation':3}");
        QVERIFY(joined);
        QCOMPARE(links(*joined), std::string("op>backward"));
        QCOMPARE(joined->report().kept(EventKind::Flow), std::uint64_t{4});
        QCOMPARE(unbound(*joined), std::uint64_t{0});
        const auto plain = with("");
        QVERIFY(plain);
        QCOMPARE(links(*plain), std::string("launch>k op>backward"));
    }

    void flowIdsOfMergedRanks_stayInTheirRank() {
        const auto trace =
            load("{'ph':'X','name':'a0','pid':'[TP00] 83','tid':1,'ts':0,'dur':5},"
                 "{'ph':'X','name':'b0','pid':'[TP00] 83','tid':2,'ts':10,'dur':5},"
                 "{'ph':'X','name':'a1','pid':'[TP01] 84','tid':1,'ts':0,'dur':5},"
                 "{'ph':'X','name':'b1','pid':'[TP01] 84','tid':2,'ts':10,'dur':5},"
                 "{'ph':'s','cat':'fwdbwd','name':'f','id':1,'pid':'[TP00] 83','tid':1,'ts':1},"
                 "{'ph':'s','cat':'fwdbwd','name':'f','id':1,'pid':'[TP01] 84','tid':1,'ts':1},"
                 "{'ph':'f','bp':'e','cat':'fwdbwd','name':'f','id':1,'pid':'[TP01] 84','tid':2,'ts':11},"
                 "{'ph':'f','bp':'e','cat':'fwdbwd','name':'f','id':1,'pid':'[TP00] 83','tid':2,'ts':11},");
        QVERIFY(trace);
        QCOMPARE(links(*trace), std::string("a0>b0 a1>b1"));
    }

    void binding_canBeCancelled() {
        std::string events;
        for (int i = 0; i < 20'000; ++i)
            events +=
                slice("a", 1, 2 * i, 1) + end('s', i, 1, 2 * i) + end('f', i, 1, 2 * i + 2, ",'bp':'e'");
        const std::string text = objectForm(q(events + "{}"));
        JobControl whole;
        QVERIFY(loadTraceFromMemory(text, "t.json", builtinImporters(), whole));
        JobControl job;
        job.cancelAtPoll(whole.polls() - 2);
        const auto loaded = loadTraceFromMemory(text, "t.json", builtinImporters(), job);
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, Errc::Cancelled);
    }
};
LACUNA_TEST(TstChromeFlows, "tst_chrome_flows")

} // namespace tst_chrome_flows

#include "tst_chrome_flows.moc"
