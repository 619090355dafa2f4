#include "core/import/byte_source.h"
#include "core/import/detail/chrome_details.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <string>
#include <utility>
#include <vector>

using namespace lacuna;
using namespace lacuna::test;

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

Fields detailsAt(const std::string& text, std::uint64_t offset) {
    const auto reader = chrome::makeDetailReader(openMemory(text));
    auto details = reader->read(SourceRef::offset(offset));
    return details ? details->fields : Fields{{"error", details.error().detail}};
}

} // namespace

class TstJsonDetails : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void values_areExactAsRecorded() {
        const std::string event = q(
            "{'ph': 'X', 'name': 'a \\'b\\' \\u00e9', 'ts': 1712195495508068.310, 'dur': '2.50', 'args': {\n"
            "  'Comms Id': 18446744073709551615, 'bandwidth': N/A, 'r': 1.0, 'grid': [32,\n   8, 1], "
            "'empty': [ ],\n"
            "  'occupancy': {\n    'limit': 2147483647,\n    'why': ' a  b '\n  }, 'stream': 7, 'stream': "
            "'user'\n}, 'x': null}");
        const Fields expected{{"ph", "X"},
                              {"name", "a \"b\" \xC3\xA9"},
                              {"ts", "1712195495508068.310"},
                              {"dur", "2.50"},
                              {"args.Comms Id", "18446744073709551615"},
                              {"args.bandwidth", "N/A"},
                              {"args.r", "1.0"},
                              {"args.grid", "[32, 8, 1]"},
                              {"args.empty", "[]"},
                              {"args.occupancy", q("{'limit': 2147483647, 'why': ' a  b '}")},
                              {"args.stream", "7"},
                              {"args.stream", "user"},
                              {"x", "null"}};
        QVERIFY(detailsAt("  [" + event + "]", 3) == expected);
    }
    void event_largerThanOneRead_isReadWhole() {
        const std::string big(100'000, 'x');
        const Fields fields = detailsAt("[" + q("{'ph':'X','args':{'s':'" + big + "','t':1}}]"), 1);
        QVERIFY(fields == (Fields{{"ph", "X"}, {"args.s", big}, {"args.t", "1"}}));
    }
    void damagedEvent_isShownAsText() {
        const std::string broken = q("{'ph': 'X', 'name': 'f('b')', 'pid': 1}");
        const Fields fields = detailsAt("[" + broken + ",\n" + q("{'ph':'i'}]"), 1);
        QVERIFY(fields == (Fields{{"damaged event", broken}}));
    }
    void cutEvent_andWrongPlace_areNoCrash() {
        QCOMPARE(detailsAt(q("[{'ph':'X','na"), 1).at(0).first, std::string("damaged event"));
        QCOMPARE(detailsAt(q("[{'ph':'X'}]"), 3).at(0).first, std::string("error"));
        QCOMPARE(detailsAt(q("[{'ph':'X'}]"), 500).at(0).first, std::string("error"));
    }
    void everyRow_ofACapture_hasItsOwnDetails_packedOrNot() {
        const std::string stored = readFile(fixture("captured/torch/item_sync.pt.trace.json.gz"));
        auto packed = loadText(stored);
        QVERIFY(packed);
        const auto source = openMemory(stored);
        std::string text(std::size_t{32} << 20, '\0');
        std::size_t size = 0;
        for (;;) {
            const auto got = source->read(std::as_writable_bytes(std::span(text).subspan(size)));
            QVERIFY(got);
            if (*got == 0)
                break;
            size += *got;
        }
        text.resize(size);
        auto plain = loadText(text);
        QVERIFY(plain);
        const EventTable& events = packed->trace->events();
        QVERIFY(events.size() > 4000);
        for (std::uint32_t i = 0; i < events.size(); i += 37) {
            QCOMPARE(plain->trace->events().source[i], events.source[i]);
            const auto a = packed->details->read({events.source[i]});
            const auto b = plain->details->read({events.source[i]});
            QVERIFY(a && b);
            QVERIFY(a->fields == b->fields);
            const auto name = std::find_if(a->fields.begin(), a->fields.end(),
                                           [](const auto& f) { return f.first == "name"; });
            QVERIFY(name != a->fields.end());
            QVERIFY(name->second == packed->trace->nameOf({i}));
        }
    }
};
LACUNA_TEST(TstJsonDetails, "tst_json_details")

#include "tst_json_details.moc"
