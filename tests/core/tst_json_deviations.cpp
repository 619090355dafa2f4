// One function per row of the table of lexical deviations in chrome_json.md 1.3, numbered as they stand
// there: what is read, and what of it is shown.

#include "tests/support/json_trace.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

namespace tst_json_deviations {

using namespace lacuna;
using namespace lacuna::test;

namespace {

const std::string kZ = "{'ph':'X','name':'z','pid':1,'tid':1,'ts':1000,'dur':1}";

// Rows in order of lane and time, "name begin..end"; times begin with the first row.
std::string rowsOf(const Trace& trace) {
    std::string all;
    for (std::uint32_t i = 0; i < trace.events().size(); ++i)
        all.append(i == 0 ? "" : "|")
            .append(trace.nameOf({i}))
            .append(" ")
            .append(std::to_string(trace.events().beginNs[i]))
            .append("..")
            .append(std::to_string(trace.events().endNs[i]));
    return all;
}

std::string rowsIn(const std::string& text) {
    const auto trace = jsonTrace(text);
    return trace == nullptr ? std::string("not read") : rowsOf(*trace);
}

std::string rows(std::string_view events) {
    return rowsIn(objectForm(q(events)));
}

std::uint64_t count(const Trace& trace, std::string_view code) {
    const Issue* issue = trace.report().find(code);
    return issue == nullptr ? 0 : issue->count;
}

// What the inspector shows of a field of the first row.
std::string shown(std::string_view events, std::string_view field) {
    auto loaded = loadText(objectForm(q(events)));
    if (!loaded || loaded->details == nullptr)
        return "not read";
    const auto details = loaded->details->read({loaded->trace->events().source[0]});
    if (!details)
        return "no details";
    std::string all;
    for (const auto& [key, value] : details->fields)
        if (key == field)
            all += (all.empty() ? "" : "|") + value;
    return all;
}

std::string withArgs(std::string_view args) {
    return "{'ph':'X','name':'a','pid':1,'tid':1,'ts':0,'dur':1,'args':" + std::string(args) + "}," + kZ;
}

} // namespace

class TstJsonDeviations : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void deviation01_numbersAsStrings() {
        const auto trace = jsonTrace(objectForm(
            q("{'ph':'X','name':'a','pid':'3','tid':'4','ts':'1712195495505123.500','dur':'2'},"
              "{'ph':'X','name':'b','pid':3,'tid':4,'ts':1712195495505126.5,'dur':1},"
              "{'ph':'b','cat':'c','name':'n','id':'12','pid':3,'tid':4,'ts':'1712195495505127'},"
              "{'ph':'e','cat':'c','name':'n','id':'12','pid':'3','tid':'4','ts':1712195495505128},"
              "{'ph':'M','name':'process_sort_index','pid':'3','args':{'sort_index':'-7'}}")));
        QVERIFY(trace);
        QCOMPARE(rowsOf(*trace), std::string("a 0..2000|b 3000..4000|n 3500..4500"));
        QCOMPARE(trace->threads().size(), std::size_t{1});
        QCOMPARE(trace->processes().size(), std::size_t{1});
        QCOMPARE(trace->processes()[0].sortIndex, std::int64_t{-7});
    }
    void deviation02_fractionDigits() {
        QCOMPARE(rows("{'ph':'X','name':'a','ts':0,'dur':.84},{'ph':'X','name':'b','ts':1.8,'dur':0.25},"
                      "{'ph':'X','name':'c','ts':5.123,'dur':1.500000000000},"
                      "{'ph':'X','name':'d','ts':20.12345678901234567,'dur':1e-06}"),
                 std::string("a 0..840|b 1800..2050|c 5123..6623|d 20123..20123"));
    }
    void deviation03_exponents() {
        QCOMPARE(rows("{'ph':'X','name':'a','ts':1.7e15,'dur':1E0},"
                      "{'ph':'X','name':'b','ts':1.700000000000005e+15,'dur':250e-2}"),
                 std::string("a 0..1000|b 5000..7500"));
    }
    void deviation04_integersBeyond63Bits() {
        const std::string event = withArgs("{'Comms Id':18446744073709551615,'x':-9223372036854775809}");
        QCOMPARE(shown(event, "args.Comms Id"), std::string("18446744073709551615"));
        QCOMPARE(shown(event, "args.x"), std::string("-9223372036854775809"));
    }
    // As arguments they stand as written; as a time they are none.
    void deviation05_bareWords() {
        for (const char* const word :
             {"NaN", "Infinity", "-Infinity", "nan", "inf", "-inf", "N/A", "None", "True"}) {
            const std::string text(word);
            QCOMPARE(shown(withArgs("{'w':" + text + ",'n':5}"), "args.n"), std::string("5"));
            QCOMPARE(rows(withArgs("{'w':" + text + ",'n':5}")), std::string("a 0..1000|z 1000000..1001000"));
            const auto trace = jsonTrace(objectForm(
                q("{'ph':'X','name':'t','ts':" + text +
                  ",'dur':1},{'ph':'X','name':'d','pid':1,'tid':1,'ts':1001,'dur':" + text + "}," + kZ)));
            QVERIFY(trace);
            QCOMPARE(rowsOf(*trace), std::string("z 0..1000|d 1000..1000"));
            QCOMPARE(count(*trace, "missing_time"), std::uint64_t{1});
        }
    }
    void deviation06_hexAndIdentifiers() {
        const std::string event = withArgs("{'p':0x262ca50,'t':ncclFloat32,'n':5}");
        QCOMPARE(rows(event), std::string("a 0..1000|z 1000000..1001000"));
        QCOMPARE(shown(event, "args.p"), std::string("0x262ca50"));
        QCOMPARE(shown(event, "args.t"), std::string("ncclFloat32"));
        QCOMPARE(shown(event, "args.n"), std::string("5"));
    }
    void deviation07_unescapedBackslash() {
        QCOMPARE(rows("{'ph':'X','name':'C:\\dir\\_x.py(3): f','ts':0,'dur':1}," + kZ),
                 std::string("C:\\dir\\_x.py(3): f 0..1000|z 1000000..1001000"));
    }
    void deviation08_unescapedQuote() {
        QCOMPARE(
            rows("{'ph':'X', 'cat':'cpu_op', 'name': 'f('b')', 'pid': 1, 'tid': 1,\n'ts': 0, 'dur': 2},\n" +
                 kZ),
            std::string("f(\"b\") 0..2000|z 1000000..1001000"));
    }
    void deviation09_controlCharacters() {
        QCOMPARE(rows("{'ph':'X','name':'a\n\t\x01','ts':0,'dur':1}," + kZ),
                 std::string("a\n\t\x01 0..1000|z 1000000..1001000"));
    }
    void deviation10_invalidUtf8() {
        QCOMPARE(rows("{'ph':'X','name':'a\xFF\xC3','ts':0,'dur':1}," + kZ),
                 std::string("a\xEF\xBF\xBD\xEF\xBF\xBD 0..1000|z 1000000..1001000"));
    }
    void deviation11_loneSurrogate() {
        QCOMPARE(rows("{'ph':'X','name':'a\\ud83d','ts':0,'dur':1}," + kZ),
                 std::string("a\xEF\xBF\xBD 0..1000|z 1000000..1001000"));
        QCOMPARE(rows("{'ph':'X','name':'\\ud83d\\ude00','ts':0,'dur':1}," + kZ),
                 std::string("\xF0\x9F\x98\x80 0..1000|z 1000000..1001000"));
    }
    void deviation12_commasAndEmptyEvents() {
        const auto trace =
            jsonTrace(objectForm(q("{'ph':'X','name':'a','ts':0,'dur':1,},,\n{}," + kZ + ",")));
        QVERIFY(trace);
        QCOMPARE(rowsOf(*trace), std::string("a 0..1000|z 1000000..1001000"));
        QVERIFY(trace->report().issues().empty());
    }
    void deviation13_equalKeys() {
        const std::string event = "{'ph':'i','ph':'X','name':'b','name':'a','ts':7,'ts':0,'dur':1,'args':{'"
                                  "stream':1,'stream':2}}," +
                                  kZ;
        QCOMPARE(rows(event), std::string("a 0..1000|z 1000000..1001000")); // the last one counts
        QCOMPARE(shown(event, "args.stream"), std::string("1|2"));          // both are shown
    }
    void deviation14_noArguments() {
        for (const char* const args : {"", ",'args':null", ",'args':{}"})
            QCOMPARE(rows("{'ph':'X','cat':'kernel','name':'a','pid':0,'tid':7,'ts':0,'dur':1" +
                          std::string(args) + "}," + kZ),
                     std::string("a 0..1000|z 1000000..1001000"));
    }
    void deviation15_missingEnd() {
        const std::string whole = "{'traceEvents':[" + kZ + ",{'ph':'X','name':'b','ts':2,'dur':1}";
        for (const std::size_t cut : {std::size_t{0}, std::size_t{1}, std::size_t{9}}) {
            const auto trace = jsonTrace(q(whole.substr(0, whole.size() - cut)));
            QVERIFY(trace);
            QCOMPARE(trace->events().size(), std::size_t{cut == 0 ? 2u : 1u});
            QVERIFY(trace->report().isPartial());
            const Issue* note = trace->report().find("truncated");
            QVERIFY(note != nullptr && note->first.offset.has_value());
            QVERIFY(*note->first.offset <= whole.size() - cut);
        }
    }
    void deviation16_dataAfterTheRoot() {
        const std::string z = "{'traceEvents':[" + kZ + "]}",
                          a = "{'traceEvents':[{'ph':'X','name':'a','ts':0,'dur':1}]}";
        QCOMPARE(rowsIn(q(a + z)), std::string("a 0..1000|z 1000000..1001000")); // a further document
        const auto other = jsonTrace(q(z + " and more"));
        QVERIFY(other);
        QCOMPARE(rowsOf(*other), std::string("z 0..1000"));
        const Issue* note = other->report().find("data_after_end");
        QVERIFY(note != nullptr && note->severity == Severity::Warning);
        QCOMPARE(note->first.offset.value_or(0), std::uint64_t{z.size() + 1});
    }
    void deviation17_longString() {
        const std::string text(3'000'000, 'x');
        const std::string event = withArgs("{'s':'" + text + "','n':5}");
        QCOMPARE(rows(event), std::string("a 0..1000|z 1000000..1001000"));
        QCOMPARE(shown(event, "args.n"), std::string("5"));
    }
};

LACUNA_TEST(TstJsonDeviations, "tst_json_deviations")

} // namespace tst_json_deviations

#include "tst_json_deviations.moc"
