#include "core/import/byte_source.h"
#include "core/import/detail/chrome_details.h"
#include "core/import/detail/chrome_slice_ends.h"
#include "core/import/slice_details.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tst_json_details {

using namespace lacuna;
using namespace lacuna::test;
using namespace std::string_literals;

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

Fields detailsAt(const std::string& text, std::uint64_t offset) {
    const auto reader = chrome::makeDetailReader(openMemory(text));
    auto details = reader->read(SourceRef::offset(offset));
    return details ? details->fields : Fields{{"error", details.error().detail}};
}

// As the inspector shows them.
Fields rowDetails(const std::string& text, std::string_view name) {
    const auto loaded = loadText(text);
    if (!loaded)
        return {};
    const Trace& trace = *loaded->trace;
    for (std::uint32_t i = 0; i < trace.events().size(); ++i) {
        if (trace.nameOf({i}) != name)
            continue;
        auto details = loaded->details->read({trace.events().source[i]});
        if (!details)
            return {};
        mergeSliceEnd(*details, trace.events().endNs[i] + trace.fileZeroNs());
        return details->fields;
    }
    return {};
}

std::string valueOf(const Fields& fields, std::string_view name) {
    for (const auto& [key, value] : fields)
        if (key == name)
            return value;
    return {};
}

// A source that counts what is read at its places.
class Counted {
public:
    explicit Counted(const std::string& text) : source(std::make_shared<Source>(openMemory(text))) {}
    std::uint64_t read() const { return static_cast<const Source&>(*source).bytes; }
    std::shared_ptr<ByteSource> source;

private:
    struct Source final : ByteSource {
        explicit Source(std::unique_ptr<ByteSource> from) : m_from(std::move(from)) {}
        Result<std::size_t> read(std::span<std::byte> buffer) override { return m_from->read(buffer); }
        Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> buffer) override {
            auto got = m_from->readAt(offset, buffer);
            bytes += got ? *got : 0;
            return got;
        }
        std::uint64_t storedSize() const override { return m_from->storedSize(); }
        std::uint64_t storedDone() const override { return m_from->storedDone(); }
        const std::string& damage() const override { return m_from->damage(); }
        bool isCut() const override { return false; }
        bool isCompressed() const override { return false; }
        std::uint64_t bytes = 0;
        std::unique_ptr<ByteSource> m_from;
    };
};

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
    // chrome_json.md 2.2: "Args of B and E merge (E wins)".
    void beginAndEnd_haveTheArgumentsOfBoth() {
        const std::string text =
            objectForm(q("{'ph':'B','name':'outer','pid':1,'tid':2,'ts':1,'args':{'a':1,'b':2}},\n"
                         "{'ph':'B','name':'inner','pid':1,'tid':2,'ts':2},\n"
                         "{'ph':'E','pid':1,'tid':3,'ts':9,'args':{'other thread':1}},\n"
                         "{'ph':'E','pid':1,'tid':2,'ts':3,'args':{'in':'x'}},\n"
                         "{'ph':'E','args':{'b':'end','c':[1, 2]},'pid':1,'tid':2,'ts':5.5},\n"
                         "{'ph':'B','name':'open','pid':1,'tid':2,'ts':6,'end.x':1}"));
        QVERIFY(rowDetails(text, "outer") == (Fields{{"ph", "B"},
                                                     {"name", "outer"},
                                                     {"pid", "1"},
                                                     {"tid", "2"},
                                                     {"ts", "1"},
                                                     {"args.a", "1"},
                                                     {"args.b", "end"},
                                                     {"end.ts", "5.5"},
                                                     {"args.c", "[1, 2]"}}));
        QVERIFY(valueOf(rowDetails(text, "inner"), "args.in") == "x");
        QVERIFY(rowDetails(text, "open").back() == std::pair("end.x"s, "1"s));
    }
    void endOfAnotherRow_isNotTaken() {
        // In order of time the second end, which stands first in the file, closes "a".
        const std::string text = objectForm(q(
            "{'ph':'B','name':'a','pid':1,'tid':2,'ts':10},{'ph':'E','pid':1,'tid':2,'ts':20,'args':{'x':1}},"
            "{'ph':'E','pid':1,'tid':2,'ts':15,'args':{'x':2}},{'ph':'B','name':'b','pid':1,'tid':2,'ts':"
            "5}"));
        QVERIFY(valueOf(rowDetails(text, "a"), "args.x").empty());
        QVERIFY(valueOf(rowDetails(text, "a"), "end.ts").empty());
    }
    void endFarBehind_isNotLookedFor_andNothingIsReadTwice() {
        std::string events = q("{'ph':'B','name':'far','pid':1,'tid':1,'ts':1},");
        for (int i = 0; i < 60'000; ++i)
            events += q("{'ph':'B','name':'near','pid':1,'tid':2,'ts':") + std::to_string(2 * i) +
                      q("},\n{'ph':'E','pid':1,'tid':2,'ts':") + std::to_string(2 * i + 1) +
                      q(",'args':{'i':") + std::to_string(i) + "}},\n";
        events += q("{'ph':'E','pid':1,'tid':1,'ts':9,'args':{'f':1}}");
        const std::string text = objectForm(events);
        QVERIFY(text.size() > chrome::SliceEnds::kMostBehind);
        const Counted bytes(text);
        const auto reader = chrome::makeDetailReader(bytes.source);
        const auto far = reader->read(SourceRef::offset(text.find("{\"ph\":\"B\",\"name\":\"far")));
        QVERIFY(far);
        QCOMPARE(far->fields.back().first, std::string("end"));
        QVERIFY(bytes.read() < chrome::SliceEnds::kMostBehind + (std::size_t{1} << 20));

        const std::uint64_t before = bytes.read();
        for (std::size_t at = text.find("{\"ph\":\"B\",\"name\":\"near"), i = 0; i < 20'000;
             at = text.find("{\"ph\":\"B\",\"name\":\"near", at + 1), ++i) {
            const auto row = reader->read(SourceRef::offset(at));
            QVERIFY(row);
            QCOMPARE(row->fields.back().second, std::to_string(i));
        }
        // A window of 16 KiB for each begin and each end; the search itself has passed all of it.
        QVERIFY(bytes.read() - before <= std::uint64_t{20'000} * 2 * (16 << 10));
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

} // namespace tst_json_details

#include "tst_json_details.moc"
