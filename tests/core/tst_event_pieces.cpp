// Reading on several threads: whatever the pieces, the sink is told the same as by one thread.

#include "core/import/byte_source.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/sink_log.h"
#include "tests/support/test_main.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tst_event_pieces {

using namespace lacuna;
using namespace lacuna::test;

namespace {

QByteArray differenceOf(const SinkLog& got, const SinkLog& expected) {
    return QByteArray::fromStdString(difference(got, expected));
}

json::PieceSizes pieces(std::size_t first, std::size_t usual) {
    return {first, usual, 0};
}

// Elements of every sort: strings that hold what looks like the end of an element and the begin of another,
// lists of objects with an event's keys, damage of every kind.
std::string trickyElements() {
    const std::vector<std::string> kinds{
        "{'ph':'X','name':'a','ts':1,'dur':1,'args':{'x':[1,{'name':2},{'ph':'X'}]}}",
        "\n  {\n    'ph': 'X', 'cat': 'kernel', 'name': 'void f<\\'x\\'>(\\u00e9)},\\n  {\\'ph\\'', 'pid': "
        "0,\n"
        "    'tid': 7, 'ts': 2.123, 'dur': 10\n  }",
        "{'ph':'i','name':'s }, { \\'ph\\': ','ts':3}",
        "{}",
        "{'args':{'text':'},\n  {\n    '},'ph':'i','ts':4}",
        "{'name':'},{','ph':'i','ts':5,'id':'0x1','id2':{'local':'}'},'scope':'q','s':'g','cat':'a,b'}",
        "{'ph':'M','name':'thread_name','args':{'name':'" + std::string(150, 'n') + "'}}",
        "{'ph':'X','name':'f('a', b)', 'pid': 1, 'tid': 2, 'ts': 5, 'dur': 1}",
        "5",
        "{'ph' 'X'}",
        "[{'ph':'i'},\n{'ph':'i'}]",
        "oops",
    };
    std::string text;
    for (std::size_t i = 0; i < 120; ++i)
        text += kinds[i % kinds.size()] + (i % 5 == 0 ? ",\n" : i % 7 == 0 ? ",,\n" : " , ");
    return q(text);
}

// Of a list of objects in every event, each of which looks like an event: most guesses are wrong.
std::string misleadingElements(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += "{'ph':'X','name':'a','ts':" + std::to_string(i) +
                ",'dur':1,'args':{'list':[{'name':1},{'name':2}, {'ph':3}]}},\n";
    return q(text);
}

std::string plainElements(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += q("  {\n    'ph': 'X', 'name': 'op', 'pid': 1, 'tid': 2, 'ts': ") + std::to_string(i) +
                q(", 'dur': 1\n  },\n");
    return text;
}

std::vector<std::string> documents() {
    const std::string tricky = trickyElements(), misleading = misleadingElements(60),
                      plain = plainElements(60);
    return {
        q("{'schemaVersion':1,'traceEvents':[") + tricky + q("{}],'traceName':'t'}"),
        "[\n" + tricky,
        "[" + tricky + q("{'ph':'i'"),
        q("{'traceEvents':[") + misleading + q("],'INFO':[") + misleading + q("{}], 'z':1}"),
        q("{'traceEvents':[") + misleading + "{}}",
        "[" + plain + "]]x",
        q("{'traceEvents':[") + plain + q("]}\n{'a':2,'traceEvents':[") + misleading + "{}]}\n[" + plain +
            "]",
        q("{'ph':'i','ts':1}\n{'ph':'i','ts':2}\n") + "[" + plain + "] further words",
        q("{'a': 'x/'y',\n  'b': 2,\n  'traceEvents': [") + plain + "]\n}",
        q("{'traceEvents': {'ph':'i'}}"),
        "[" + std::string(700, ' ') + q("{'ph':'i'}") + std::string(700, ',') + q("{'ph':'i','a':'") +
            std::string(3000, 'x') + q("'}") + std::string(700, '\n') + "]",
        "\xEF\xBB\xBF[" + plain + "]",
        "[" + plain + std::string(10, '}'),
        "",
        "[",
        "no json",
    };
}

} // namespace

class TstEventPieces : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anyPieces_tellTheSinkTheSame() {
        for (const std::string& text : documents()) {
            const SinkLog expected = readIntoLog(text, 1);
            for (std::size_t size = 1; size < 600; size += size < 24 ? 1 : 29)
                QCOMPARE(differenceOf(readIntoLog(text, 2, pieces(size, size)), expected), QByteArray());
            for (const unsigned threads : {3u, 8u})
                QCOMPARE(differenceOf(readIntoLog(text, threads, pieces(40, 1000)), expected), QByteArray());
        }
    }
    void anyChunks_andPacked_tellTheSinkTheSame() {
        for (const std::string& text : documents())
            for (const std::string& stored : {text, gzipped(text)}) {
                const SinkLog expected = readIntoLog(stored, 1);
                for (const std::size_t chunk : {1u, 3u, 700u})
                    QCOMPARE(differenceOf(readIntoLog(stored, 2, pieces(16, 400), chunk), expected),
                             QByteArray());
            }
    }
    void cutAnywhere_tellsTheSinkTheSame() {
        const std::string text = documents()[0];
        for (std::size_t size = 0; size < text.size(); size += 17) {
            const std::string cut = text.substr(0, size);
            QCOMPARE(differenceOf(readIntoLog(cut, 2, pieces(100, 500)), readIntoLog(cut, 1)), QByteArray());
        }
        const std::string packed = gzipped(text);
        for (std::size_t size = 20; size < packed.size(); size += 31) {
            const std::string cut = packed.substr(0, size);
            QCOMPARE(differenceOf(readIntoLog(cut, 2, pieces(100, 500)), readIntoLog(cut, 1)), QByteArray());
        }
    }
    void damagedAnywhere_tellsTheSinkTheSame() {
        std::mt19937_64 random(5);
        const std::vector<std::string> whole = documents();
        const std::string steering("\"\\{}[],: \n\x01\xFFx0", 15);
        for (int i = 0; i < 300; ++i) {
            std::string text = whole[random() % 9];
            for (int k = 0; k < 3; ++k)
                text[random() % text.size()] = steering[random() % steering.size()];
            const std::size_t size = 1 + random() % 900;
            QCOMPARE(differenceOf(readIntoLog(text, 2, pieces(size, size)), readIntoLog(text, 1)),
                     QByteArray());
        }
    }
    void captures_tellTheSinkTheSame() {
        const std::string stored = readFile(fixture("captured/torch/multi_stream.pt.trace.json.gz"));
        QVERIFY(!stored.empty());
        const SinkLog expected = readIntoLog(stored, 1);
        QVERIFY(expected.calls.size() > 100);
        for (const auto sizes : {pieces(1000, 3001), pieces(37, 20'011), json::PieceSizes{}})
            for (const unsigned threads : {2u, 4u})
                QCOMPARE(differenceOf(readIntoLog(stored, threads, sizes), expected), QByteArray());
    }

    void cancel_stopsEveryThread_atThePoll() {
        class Nothing final : public json::EventSink {
            void event(const json::Event&) override {}
            void rootValue(std::string_view, const json::Value&) override {}
            void trouble(json::Trouble, std::uint64_t) override {}
        } nothing;
        const std::string text = "[" + plainElements(20'000) + "{}]";
        for (std::uint64_t poll = 1; poll < 40; ++poll) {
            JobControl job;
            job.cancelAtPoll(poll);
            const auto source = openMemory(text);
            json::EventReader reader(*source, nothing, job, {}, 4, pieces(1000, 20'000));
            const auto result = reader.run();
            QVERIFY(!result);
            QCOMPARE(result.error().code, Errc::Cancelled);
            QCOMPARE(job.polls(), poll);
        }
    }
};
LACUNA_TEST(TstEventPieces, "tst_event_pieces")

} // namespace tst_event_pieces

#include "tst_event_pieces.moc"
