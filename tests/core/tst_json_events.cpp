// The streaming reader by itself, with windows of a few bytes, so that every boundary is met.

#include "core/import/byte_source.h"
#include "core/import/detail/json_events.h"
#include "tests/support/json_trace.h"
#include "tests/support/test_main.h"

#include <string>
#include <utility>
#include <vector>

namespace tst_json_events {

using namespace lacuna;

namespace {

class Recorder final : public json::EventSink {
public:
    void event(const json::Event& event) override {
        log += std::to_string(event.offset) + ":" + std::string(event.ph.text) + "," +
               std::string(event.name.text) + "," + std::string(event.ts.text) +
               (event.isSalvaged ? " salvaged" : "") + "\n";
    }
    void rootValue(std::string_view key, const json::Value& value) override {
        log.append(key).append("=").append(value.text).append("\n");
    }
    void trouble(json::Trouble what, std::uint64_t offset) override {
        log += "trouble " + std::to_string(static_cast<int>(what)) + " at " + std::to_string(offset) + "\n";
        troubles.emplace_back(what, offset);
    }
    std::string log;
    std::vector<std::pair<json::Trouble, std::uint64_t>> troubles;
};

struct Read {
    Recorder recorder;
    json::ReadResult result;
};

Read readText(const std::string& text, json::Limits limits = {}) {
    Read read;
    JobControl job;
    const auto source = openMemory(lacuna::test::q(text));
    json::EventReader reader(*source, read.recorder, job, limits);
    if (const auto result = reader.run())
        read.result = *result;
    return read;
}

const std::string kDocument =
    " {'schemaVersion': 1, 'deviceProperties': [{'id': 0, 'name': 'GPU \\'x\\''}], 'traceEvents': [\n"
    "  {'ph': 'X', 'name': 'a \\\\ \\'b\\'', 'ts': 1.5, 'dur': 2, 'args': {'list': [[1, 2], [']']], 'o': "
    "{'x': {}}}},\n"
    "  {'args': {}, 'ts': '7', 'name': '', 'ph': 'i'},\n"
    "  {},\n"
    "  {'ph': 'X', 'name': 'last', 'ts': 9, 'dur': 1}\n"
    "  ], 'traceName': 't.json'}\n";

} // namespace

class TstJsonEvents : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anyWindow_givesTheSameEvents() {
        const Read whole = readText(kDocument);
        QCOMPARE(whole.result.elements, std::uint64_t{4});
        QVERIFY(whole.recorder.troubles.empty());
        QVERIFY(whole.recorder.log.find("traceName=t.json") != std::string::npos);
        for (std::size_t window = 8; window < 400; ++window) {
            const Read small = readText(kDocument, {window, 4096, 4096});
            QCOMPARE(QByteArray::fromStdString(small.recorder.log),
                     QByteArray::fromStdString(whole.recorder.log));
        }
    }

    void event_largerThanTheLimit_isSkippedAndCounted() {
        const std::string big =
            "{'ph': 'X', 'name': '" + std::string(500, 'n') + "\\'}{', 'ts': 1, 'dur': 1}";
        const std::string text =
            "[" + std::string("{'ph':'i','ts':1}") + ",\n" + big + ",\n" + "{'ph':'i','ts':3}]";
        const Read read = readText(text, {64, 128, 128});
        QCOMPARE(read.result.elements, std::uint64_t{3});
        QCOMPARE(read.recorder.log,
                 std::string("1:i,,1\ntrouble 1 at 20\n") + std::to_string(text.size() - 18) + ":i,,3\n");
    }
    void rootValue_largerThanTheLimit_isSkippedAndNoted() {
        const std::string text =
            "{'INFO': ['" + std::string(500, 'x') + "]}'], 'ok': 1, 'traceEvents': [{'ph':'i','ts':3}]}";
        const Read read = readText(text, {64, 128, 128});
        QCOMPARE(read.recorder.troubles.size(), std::size_t{1});
        QCOMPARE(read.recorder.troubles[0].first, json::Trouble::OversizedValue);
        QVERIFY(read.recorder.log.find("ok=1") != std::string::npos);
        QVERIFY(read.recorder.log.find(":i,,3") != std::string::npos);
    }

    void brokenEvent_isSalvagedOrCounted_andTheNextOneRead_data() {
        QTest::addColumn<QByteArray>("broken");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const char* broken, const char* expected) {
            QTest::newRow(name) << QByteArray(broken) << QByteArray(expected);
        };
        row("quote in the name",
            "{'ph': 'X', 'cat': 'c', 'name': 'f('a', b)', 'pid': 1, 'tid': 2, 'ts': 5, 'dur': 1}",
            "22:X,f(\"a\", b),5 salvaged\n");
        row("quotes in an argument",
            "{'ph': 'X', 'name': 'n', 'pid': 1, 'tid': 2, 'ts': 5, 'dur': 1, 'args': {'s': 'a'b'c'}}",
            "22:X,n,5 salvaged\n");
        row("odd quote in an argument",
            "{'ph': 'X', 'name': 'n', 'pid': 1, 'ts': 5, 'dur': 1, 'args': {'s': 'a'b'}}",
            "22:X,n,5 salvaged\n");
        row("no colon", "{'ph' 'X', 'ts' 5}", "trouble 0 at 22\n");
        row("garbage", "{'ph': 'X', 'ts': 5, ???: }", "22:X,,5 salvaged\n");
    }
    void brokenEvent_isSalvagedOrCounted_andTheNextOneRead() {
        QFETCH(QByteArray, broken);
        QFETCH(QByteArray, expected);
        const std::string before = "[{'ph':'i','ts':1},"
                                   "\n\n ";
        const std::string text = before + broken.toStdString() + ",\n" + "{'ph':'i','ts':3}]";
        for (const std::size_t window : {32u, 50u, 4096u}) {
            const Read read = readText(text, {window, 4096, 4096});
            QCOMPARE(QByteArray::fromStdString(read.recorder.log),
                     QByteArray("1:i,,1\n") + expected + QByteArray::number(qint64(text.size()) - 18) +
                         ":i,,3\n");
            QCOMPARE(read.result.elements, std::uint64_t{3});
        }
    }
    void brokenLastEvent_endsAtTheArray() {
        const Read read = readText("{'traceEvents': [\n{'ph': 'i', 'ts': 1, 'name': 'a'b', 'pid': 1}\n  ],\n"
                                   "  'traceName': 'x'\n}\n");
        QCOMPARE(QByteArray::fromStdString(read.recorder.log),
                 QByteArray("18:i,a\"b,1 salvaged\ntraceName=x\n"));
    }
    void brokenRootValue_isSteppedOver() {
        const Read read = readText("{'a': 'x/'y',\n  'b': 2,\n  'traceEvents': [{'ph':'i','ts':1}]\n}");
        QCOMPARE(QByteArray::fromStdString(read.recorder.log), QByteArray("trouble 3 at 1\nb=2\n42:i,,1\n"));
    }

    void shapes_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("elements");
        QTest::addColumn<int>("troubles");
        const auto row = [](const char* name, const char* text, int elements, int troubles) {
            QTest::newRow(name) << QByteArray(text) << elements << troubles;
        };
        row("array", "[{'ph':'i','ts':1},{'ph':'i','ts':2}]", 2, 0);
        row("array left open", "[{'ph':'i','ts':1},{'ph':'i','ts':2}", 2, 0);
        row("array left open after a comma", "[{'ph':'i','ts':1},\n", 1, 0);
        row("trailing comma", "{'traceEvents':[{'ph':'i','ts':1},]}", 1, 0);
        row("doubled commas", "[{'ph':'i','ts':1},,{'ph':'i',,'ts':2,},]", 2, 0);
        row("byte order mark and space", "\xEF\xBB\xBF\r\n\t [{'ph':'i','ts':1}]", 1, 0);
        row("events last", "{'a':{'b':[1,{}]},'traceEvents':[{'ph':'i','ts':1}]}", 1, 0);
        row("events first", "{'traceEvents':[{'ph':'i','ts':1}],'a':[[['}']]]}", 1, 0);
        row("one event per line", "{'ph':'i','ts':1}\n{'ts':2,'ph':'i'}\n", 2, 0);
        row("one document per line",
            "{'traceEvents':[{'ph':'i','ts':1}]}\n{'traceEvents':[{'ph':'i','ts':2}]}", 2, 0);
        row("arrays in a row", "[{'ph':'i','ts':1}][{'ph':'i','ts':1}]", 2, 0);
        row("data after the root", "{'traceEvents':[{'ph':'i','ts':1}]} trailing words", 1, 1);
        row("no objects", "[1, 'a', [2], {'ph':'i','ts':1}]", 4, 3);
        row("events are no array", "{'traceEvents': {'ph':'i'}}", 0, 1);
        row("missing bracket", "{'traceEvents':[{'ph':'i','ts':1}}", 1, 0);
        row("bracket too many", "{'traceEvents':[{'ph':'i','ts':1}]]}", 1, 1);
        row("missing brace", "{'traceEvents':[{'ph':'i','ts':1}]", 1, 1);
        row("two event arrays", "{'traceEvents':[{'ph':'i','ts':1}],'traceEvents':[{'ph':'i','ts':2}]}", 2,
            0);
        row("raw control characters", "[{'ph':'i','name':'a\x01\nb','ts':1}]", 1, 0);
        row("bare words",
            "[{'ph':'i','ts':1,'args':{'a':NaN,'b':-Infinity,'c':N/A,'d':None,'e':0x1f,'f':ncclFloat32}}]", 1,
            0);
        row("empty values", "[{'ph':'i','ts':1,'dur':,'args':}]", 1, 0);
        row("deep nesting",
            ("[{'ph':'i','ts':1,'args':" + std::string(20000, '[') + std::string(20000, ']') + "}]").c_str(),
            1, 0);
    }
    void shapes() {
        QFETCH(QByteArray, text);
        QFETCH(int, elements);
        QFETCH(int, troubles);
        for (const std::size_t window : {std::size_t{24}, std::size_t{1} << 20}) {
            const Read read =
                readText(text.toStdString(), {window, std::size_t{1} << 20, std::size_t{1} << 20});
            QCOMPARE(int(read.result.elements), elements);
            QCOMPARE(int(read.recorder.troubles.size()), troubles);
        }
    }

    void anyBytes_neverHangOrCrash() {
        // Every byte of the document replaced in turn by each of the characters that steer the reader.
        for (const char c : std::string("\"\\{}[],: \n\x01\xFFx0", 15))
            for (std::size_t i = 0; i < kDocument.size(); ++i) {
                std::string text = kDocument;
                text[i] = c;
                const Read read = readText(text, {48, 256, 256});
                QVERIFY(read.result.elements <= 40);
            }
    }
};
LACUNA_TEST(TstJsonEvents, "tst_json_events")

} // namespace tst_json_events

#include "tst_json_events.moc"
