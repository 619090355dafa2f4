// The faults of chrome_json.md 1.3, 8 and 11.1 in pieces and packed: each is accepted or stepped over, and
// the events around it stay.

#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tst_json_faults {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::string names(const Trace& trace) {
    std::string all;
    for (std::uint32_t i = 0; i < trace.events().size(); ++i)
        all.append(i == 0 ? "" : "|").append(trace.nameOf({i}));
    return all;
}

// A little of everything, in Kineto's own layout.
std::string kinetoText() {
    return q(
        "\n{\n  'schemaVersion': 1,\n  'deviceProperties': [\n    {'id': 0, 'name': 'NVIDIA H200'}\n  ],\n"
        "  'baseTimeNanoseconds': 1711929600000000000,\n  'traceEvents': [\n"
        "  {\n    'ph': 'X', 'cat': 'cpu_op', 'name': 'aten::add', 'pid': 483, 'tid': 483,\n"
        "    'ts': 5093486355320.316, 'dur': 47.044,\n    'args': {\n      'External id': 2, 'Input Dims': "
        "[[2, 3], []]\n    }\n  },\n"
        "  {\n    'ph': 'X', 'cat': 'cuda_runtime', 'name': 'cudaLaunchKernel', 'pid': 483, 'tid': 483,\n"
        "    'ts': 5093486355330.000, 'dur': 5.000,\n    'args': {\n      'cbid': 211, 'correlation': 2\n    "
        "}\n  },\n"
        "  {\n    'ph': 'X', 'cat': 'kernel', 'name': 'void f<\\'x\\'>(\\u00e9)', 'pid': 0, 'tid': 7,\n"
        "    'ts': 5093486355340.123, 'dur': 10.000,\n    'args': {\n      'device': 0, 'stream': 7, "
        "'correlation': 2\n    }\n  },\n"
        "  {\n    'ph': 's', 'id': 2, 'pid': 483, 'tid': 483, 'ts': 5093486355330.000,\n    'cat': 'ac2g', "
        "'name': 'ac2g'\n  },\n"
        "  {\n    'name': 'process_name', 'ph': 'M', 'ts': 5093486355320.316, 'pid': 483, 'tid': 0,\n    "
        "'args': {\n      'name': 'python3'\n    }\n  },\n"
        "  {\n    'name': '[memory]', 'ph': 'i', 's': 't', 'pid': 483, 'tid': 483, 'ts': 5093486355335.000,\n"
        "    'args': {'Device Type': 1, 'Device Id': 0, 'Bytes': 8, 'Total Allocated': 8, 'Total Reserved': "
        "16}\n  },\n"
        "  {\n    'ph': 'B', 'name': 'slice', 'pid': 483, 'tid': 1, 'ts': 5093486355321.000\n  },\n"
        "  {\n    'ph': 'E', 'pid': 483, 'tid': 1, 'ts': 5093486355322.000\n  },\n"
        "  {\n    'ph': 'C', 'name': 'counter', 'pid': 483, 'ts': 5093486355322.000, 'args': {'a': 1}\n  }\n"
        "  ],\n  'traceName': 'trace.json'\n}\n");
}

} // namespace

class TstJsonFaults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void faults_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("names"); // in order of lane and time
        const auto row = [](const char* name, const std::string& events, const char* expected) {
            QTest::newRow(name) << QByteArray::fromStdString(objectForm(q(events))) << QByteArray(expected);
        };
        const std::string a = "{'ph':'X','name':'a','ts':1,'dur':1}",
                          z = "{'ph':'X','name':'z','ts':9,'dur':1}";
        row("numbers as text", "{'ph':'X','name':'a','ts':'1.5','dur':'2','pid':'3','tid':'4'}," + z, "a|z");
        row("bare words",
            "{'ph':'X','name':'a','ts':1,'dur':1,'args':{'x':NaN,'y':-Infinity,'z':N/A,'u':None,'v':True}}," +
                z,
            "a|z");
        row("hex and identifiers",
            "{'ph':'X','name':'a','ts':1,'dur':1,'args':{'x':0x262ca50,'y':ncclFloat32}}," + z, "a|z");
        row("integers beyond 63 bits",
            "{'ph':'X','name':'a','ts':1,'dur':1,'args':{'Comms Id':18446744073709551615}}," + z, "a|z");
        row("trailing comma", a + "," + z + ",", "a|z");
        row("doubled commas", a + ",,\n," + z, "a|z");
        row("empty event last", a + "," + z + ",{}", "a|z");
        row("windows path", "{'ph':'X','name':'C:\\work\\new.py(3): f','ts':1,'dur':1}," + z,
            "C:\\work\new.py(3): f|z");
        row("unknown escape", "{'ph':'X','name':'C:\\work\\_x','ts':1,'dur':1}," + z, "C:\\work\\_x|z");
        row("quote in a name",
            "{'ph':'X', 'cat':'python_function', 'name': 'a.py(1): f('x')', 'pid': 1, 'tid': 1,\n'ts': 1, "
            "'dur': 1,\n'args': {'Python id': 3}},\n" +
                z,
            "a.py(1): f(\"x\")|z");
        row("line break and 0x01 in a name", "{'ph':'X','name':'a\n\x01','ts':1,'dur':1}," + z, "a\n\x01|z");
        row("invalid utf-8", "{'ph':'X','name':'a\xFF\xC3','ts':1,'dur':1}," + z,
            "a\xEF\xBF\xBD\xEF\xBF\xBD|z");
        row("lone surrogate", "{'ph':'X','name':'a\\ud83d','ts':1,'dur':1}," + z, "a\xEF\xBF\xBD|z");
        row("keys in any order",
            "{'args':{},'dur':1,'tid':1,'name':'a','ts':1,'pid':1,'cat':'c','ph':'X'}," + z, "a|z");
        row("equal keys", "{'ph':'i','ph':'X','name':'b','name':'a','ts':7,'ts':1,'dur':1}," + z, "a|z");
        row("no arguments", "{'ph':'X','name':'a','ts':1,'dur':1,'args':null}," + z, "a|z");
        row("arguments are text", "{'ph':'X','name':'a','ts':1,'dur':1,'args':'x'}," + z, "a|z");
        row("no name", "{'ph':'X','ts':1,'dur':1},{'ph':'X','name':null,'ts':3,'dur':1}," + z,
            "[no name]|[no name]|z");
        row("empty name", "{'ph':'X','name':'','ts':1,'dur':1}," + z, "|z");
        row("long text",
            "{'ph':'X','name':'a','ts':1,'dur':1,'args':{'s':'" + std::string(2'000'000, 'x') + "'}}," + z,
            "a|z");
        row("picoseconds", "{'ph':'X','name':'a','ts':1,'dur':1e-06}," + z, "a|z");
        row("unknown phase", "{'ph':'Q','ts':1}," + a + "," + z, "a|z");
        row("not in order of time", z + "," + a, "a|z");
        row("number in an element's place", a + ",5," + z, "a|z");
        row("garbage in an element's place", a + ", oops ," + z, "a|z");
        row("brace too many", a + "}," + z, "a|z");
    }
    void faults() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, names);
        for (const std::size_t chunk : {std::size_t{0}, std::size_t{1021}}) {
            const auto trace = jsonTrace(text.toStdString(), chunk);
            QVERIFY(trace);
            QCOMPARE(QByteArray::fromStdString(tst_json_faults::names(*trace)), names);
        }
        const auto unpacked = jsonTrace(text.toStdString());
        const auto packed = jsonTrace(gzipped(text.toStdString()), 100);
        QVERIFY(packed);
        QCOMPARE(dumpTrace(*packed), dumpTrace(*unpacked));
    }

    // 1.3: numbers with any count of fraction digits, exponents, and words where a time should stand.
    void times_inAnyNotation() {
        const auto trace = jsonTrace(objectForm(
            q("{'ph':'X','name':'zero','ts':0,'dur':0},"
              "{'ph':'X','name':'two digits','ts':1.84,'dur':.5},"
              "{'ph':'X','name':'17 digits','ts':2.12345678901234567,'dur':1e-06},"
              "{'ph':'X','name':'exponent','ts':1.7e3,'dur':2E0},"
              "{'ph':'X','name':'no end','ts':3,'dur':NaN},"
              "{'ph':'X','name':'no time','ts':inf,'dur':1},{'ph':'X','name':'none','ts':None,'dur':1}")));
        QVERIFY(trace);
        QCOMPARE(trace->report().find("missing_time")->count, std::uint64_t{2});
        QCOMPARE(trace->report().find("unfinished")->count, std::uint64_t{1});
        std::map<std::string, std::pair<std::int64_t, std::int64_t>> rows;
        for (std::uint32_t i = 0; i < trace->events().size(); ++i)
            rows[std::string(trace->nameOf({i}))] = {trace->events().beginNs[i], trace->events().endNs[i]};
        QCOMPARE(rows.size(), std::size_t{5});
        QVERIFY(rows["two digits"] == std::pair(std::int64_t{1840}, std::int64_t{2340}));
        QVERIFY(rows["17 digits"] == std::pair(std::int64_t{2123}, std::int64_t{2123}));
        QVERIFY(rows["exponent"] == std::pair(std::int64_t{1'700'000}, std::int64_t{1'702'000}));
        QVERIFY(rows["no end"] == std::pair(std::int64_t{3000}, std::int64_t{1'702'000}));
    }
    void damagedEvent_isCountedAndPlaced() {
        const std::string events = q("{'ph':'X','name':'a','ts':1,'dur':1},\n{'ph':'X', 'name': 'f('b')', "
                                     "'pid': 1, 'tid': 1, 'ts': 3, 'dur': 1},\n"
                                     "{'ph' 'X'},\n{'ph':'X','name':'z','ts':9,'dur':1}");
        const std::string text = objectForm(events);
        const auto trace = jsonTrace(text);
        QVERIFY(trace);
        const Issue* damaged = trace->report().find("damaged_event");
        QVERIFY(damaged != nullptr && damaged->count == 1 && !damaged->dropsRows);
        QCOMPARE(damaged->first.offset.value_or(0), std::uint64_t{text.find(q("{'ph':'X', 'name': 'f("))});
        const Issue* lost = trace->report().find("unreadable_event");
        QVERIFY(lost != nullptr && lost->count == 1 && lost->dropsRows);
        QCOMPARE(trace->report().rowsRead(), std::uint64_t{4});
    }

    void cutAnywhere_keepsEveryCompleteEvent() {
        const std::string text = kinetoText();
        // The byte after each element's closing brace, counted by its indentation.
        std::vector<std::size_t> ends;
        for (std::size_t at = text.find("\n  {\n"); at != std::string::npos;
             at = text.find("\n  {\n", at + 1))
            ends.push_back(text.find("\n  }", at) + 4);
        QCOMPARE(ends.size(), std::size_t{9});
        for (std::size_t size = 0; size < text.size(); ++size) {
            const auto loaded = loadText(text.substr(0, size));
            const auto complete = static_cast<std::uint64_t>(
                std::count_if(ends.begin(), ends.end(), [&](std::size_t end) { return end <= size; }));
            if (!loaded) {
                QVERIFY2(complete == 0, std::to_string(size).c_str());
                QVERIFY(!loaded.error().detail.empty() && !loaded.error().remedy.empty());
                continue;
            }
            const ImportReport& report = loaded->trace->report();
            QCOMPARE(report.rowsRead(), complete);
            const bool lacksOnlyTheLineEnd = size == text.size() - 1;
            QCOMPARE(report.isPartial(), !lacksOnlyTheLineEnd);
            QCOMPARE(report.find("truncated") != nullptr, !lacksOnlyTheLineEnd);
        }
    }
    void cutCompressedFile_keepsWhatCameBefore() {
        std::string events;
        for (int i = 0; i < 20'000; ++i)
            events += q("{'ph':'X','name':'n") + std::to_string(i * 7919 % 10007) + q("','ts':") +
                      std::to_string(i) + q(",'dur':1},\n");
        const std::string stored = gzipped(objectForm(events + "{}"));
        const auto trace = jsonTrace(stored.substr(0, stored.size() / 2));
        QVERIFY(trace);
        QVERIFY(trace->events().size() > 5'000 && trace->events().size() < 15'000);
        QVERIFY(trace->report().isPartial());
        QVERIFY(trace->report().find("damaged_compression") != nullptr);
        QVERIFY(trace->report().find("truncated") != nullptr);
    }
    void wrongChecksum_isAWarning() {
        std::string stored = gzipped(kinetoText());
        stored[stored.size() - 8] = static_cast<char>(stored[stored.size() - 8] ^ 1);
        const auto trace = jsonTrace(stored);
        QVERIFY(trace);
        QCOMPARE(trace->report().rowsRead(), std::uint64_t{9});
        QVERIFY(!trace->report().isPartial());
        QVERIFY(trace->report().find("compression_warning") != nullptr);
    }

    void chunks_gzip_andMembers_giveTheSameTrace() {
        const std::string text = kinetoText();
        const auto whole = jsonTrace(text);
        QVERIFY(whole);
        QCOMPARE(whole->report().rowsRead(), std::uint64_t{9});
        const std::string expected = dumpTrace(*whole);
        QVERIFY(expected.find("void f<\"x\">(\xC3\xA9)") != std::string::npos);
        for (const std::size_t chunk : {1u, 2u, 3u, 64u}) {
            QCOMPARE(dumpTrace(*jsonTrace(text, chunk)), expected);
            QCOMPARE(dumpTrace(*jsonTrace(gzipped(text), chunk)), expected);
        }
        const std::string members = gzipped(text.substr(0, 700)) + gzipped(text.substr(700));
        QCOMPARE(dumpTrace(*jsonTrace(members)), expected);
        QCOMPARE(dumpTrace(*jsonTrace("\xEF\xBB\xBF \n" + text)), expected);
        auto misnamed = loadText(gzipped(text), 0, "picture.png");
        QVERIFY(misnamed);
        QCOMPARE(dumpTrace(*misnamed->trace), expected);
    }
    void captures_inChunksAndUnpacked_giveTheSameTrace() {
        const std::string stored = readFile(fixture("captured/torch/multi_stream.pt.trace.json.gz"));
        QVERIFY(!stored.empty());
        const auto whole = jsonTrace(stored);
        QVERIFY(whole);
        QVERIFY(dumpTrace(*jsonTrace(stored, 1)) == dumpTrace(*whole));
        QVERIFY(dumpTrace(*jsonTrace(stored, 4097)) == dumpTrace(*whole));
    }

    void severalDocuments_areOneTrace() {
        const auto trace = jsonTrace(q("{'displayTimeUnit':'us','traceEvents':[{'name':'a','cat':'kernel','"
                                       "ph':'X','ts':1,'dur':1,'tid':3}]}\n"
                                       "{'displayTimeUnit':'us','traceEvents':[{'name':'b','cat':'kernel','"
                                       "ph':'X','ts':2,'dur':1,'tid':4}]}\n"));
        QVERIFY(trace);
        QCOMPARE(names(*trace), std::string("a|b"));
        QCOMPARE(trace->devices().size(), std::size_t{1});
        const auto lines =
            jsonTrace(q("{'name':'a','ph':'X','ts':1,'dur':1}\n{'ph':'X','ts':2,'name':'b','dur':1}\n"));
        QVERIFY(lines);
        QCOMPARE(names(*lines), std::string("a|b"));
    }
    void kernelBeforeItsLaunch_isKept() {
        const auto trace = jsonTrace(objectForm(q("{'ph':'X','cat':'cuda_runtime','name':'launch','pid':9,'"
                                                  "tid':1,'ts':100,'dur':1,'args':{'correlation':1}},"
                                                  "{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':"
                                                  "90,'dur':1,'args':{'correlation':1}}")));
        QVERIFY(trace);
        QCOMPARE(trace->report().rowsDropped(), std::uint64_t{0});
        QCOMPARE(trace->correlations().groups(), std::size_t{2});
    }
    void metadata_repeatedAHundredThousandTimes_isOneName() {
        std::string events;
        for (int i = 0; i < 100'000; ++i)
            events += q("{'ph':'M','name':'thread_name','pid':9,'tid':17,'args':{'name':'n") +
                      std::to_string(i) + q("'}},");
        const auto trace =
            jsonTrace(objectForm(events + q("{'ph':'X','name':'a','pid':9,'tid':17,'ts':1,'dur':1}")));
        QVERIFY(trace);
        QCOMPARE(trace->threads()[0].name, std::string("n99999"));
        QCOMPARE(trace->report().kept(EventKind::Metadata), std::uint64_t{100'000});
    }
};
LACUNA_TEST(TstJsonFaults, "tst_json_faults")

} // namespace tst_json_faults

#include "tst_json_faults.moc"
