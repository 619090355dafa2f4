// Chrome JSON that Lacuna writes: strict, and the same rows when it is opened again.

#include "core/import/load_trace.h"
#include "core/output/chrome_writer.h"
#include "core/output/gzip_stream.h"
#include "core/output/output_file.h"
#include "core/output/strict_json.h"
#include "tests/support/paths.h"
#include "tests/support/round_trip.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <nlohmann/json.hpp>
#include <zlib.h>

namespace tst_chrome_writer {

using namespace lacuna;
using namespace lacuna::test;
namespace fs = std::filesystem;

namespace {

std::string strict(const std::string& value) {
    std::string padded = value + std::string(json::kPadding, '\0');
    json::Scanner scanner(padded.data() + value.size());
    json::Value scanned;
    std::string out;
    if (scanner.value(padded.data(), scanned) != nullptr || scanned)
        appendStrict(scanned, out);
    else
        appendStrict({value, json::ValueType::Scalar, true}, out);
    return out;
}

std::string gunzip(const std::string& packed) {
    z_stream stream{};
    std::string text(1 << 20, '\0');
    if (inflateInit2(&stream, 15 + 16) != Z_OK)
        return {};
    std::string input = packed;
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    const int code = inflate(&stream, Z_FINISH);
    text.resize(stream.total_out);
    inflateEnd(&stream);
    return code == Z_STREAM_END ? text : std::string();
}

// The elements of the event array that was written for a trace given as text.
nlohmann::json written(const fs::path& file, std::optional<TimeRange> cut) {
    JobControl job;
    const auto loaded = loadTrace(file, builtinImporters(), job);
    StringSink sink;
    if (!loaded || !writeChrome(*loaded, {"0", cut, {}}, sink, job))
        return {};
    return nlohmann::json::parse(sink.text(), nullptr, false);
}

fs::path fileIn(const QTemporaryDir& folder, const char* name) {
    return fs::path(folder.path().toStdString()) / name;
}

void save(const fs::path& file, const std::string& text) {
    std::FILE* const out = std::fopen(file.c_str(), "wb");
    std::fwrite(text.data(), 1, text.size(), out);
    std::fclose(out);
}

void addFixtures() {
    QTest::addColumn<QString>("file");
    for (const auto& entry : fs::recursive_directory_iterator(fixture(""))) {
        const std::string name = entry.path().filename().string();
        const bool isTrace = name.ends_with(".sqlite") || name.ends_with(".json.gz") ||
                             (name.starts_with("M") && name.find(".out.") == std::string::npos);
        if (entry.is_regular_file() && isTrace)
            QTest::newRow(name.c_str()) << QString::fromStdString(entry.path().string());
    }
}

} // namespace

class TstChromeWriter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void strictJson_keepsTheMeaning_data();
    void strictJson_keepsTheMeaning();
    void gzip_unpacksToTheSame();
    void sourceWithoutAPath_isWrittenFromWhatWasKept();
    void convert_opensToTheSameRows_data();
    void convert_opensToTheSameRows();
    void trim_opensToTheRowsThatTouch_data();
    void trim_opensToTheRowsThatTouch();
    void oddText_becomesStrict();
    void epochTimes_becomeRelative();
    void trim_keepsArgumentsOfEnds();
    void trim_keepsPairsCountersAndFlows();
    void outputFile_isWholeOrAbsent();
};

void TstChromeWriter::strictJson_keepsTheMeaning_data() {
    QTest::addColumn<QString>("recorded");
    QTest::addColumn<QString>("strict");
    const auto row = [](const char* recorded, const char* expected) {
        QTest::newRow(recorded) << QString::fromLatin1(recorded) << QString::fromLatin1(expected);
    };
    row("12", "12");
    row("-0.50e+7", "-0.50e+7");
    row("18446744073709551615", "18446744073709551615");
    row("012", "\"012\"");
    row(".5", "\".5\"");
    row("0x1f", "\"0x1f\"");
    row("NaN", "\"NaN\"");
    row("True", "true");
    row("None", "null");
    row("\"a\\nb\"", "\"a\\nb\"");
    row("\"C:\\dir\"", "\"C:\\\\dir\"");
    row("\"a\tb\"", "\"a\\tb\"");
    row("\"\\ud83d\"", "\"\xEF\xBF\xBD\"");
    row("{\"a\": 1, \"a\": [1, 2, ], , \"b\": {}}", "{\"a\":1,\"a\":[1,2],\"b\":{}}");
    row("[1 ,, 2]", "[1,2]");
}

void TstChromeWriter::strictJson_keepsTheMeaning() {
    QFETCH(QString, recorded);
    QFETCH(QString, strict);
    QCOMPARE(QByteArray::fromStdString(tst_chrome_writer::strict(recorded.toLatin1().toStdString())),
             strict.toLatin1());
}

void TstChromeWriter::gzip_unpacksToTheSame() {
    std::string text;
    for (int i = 0; i < 20'000; ++i)
        text += "{\"ph\":\"X\",\"ts\":" + std::to_string(i * 17) + "}\n";
    std::string packed;
    GzipStream gzip;
    gzip.add(std::string_view(text).substr(0, 1000), packed);
    gzip.add(std::string_view(text).substr(1000), packed);
    gzip.finish(packed);
    QVERIFY(packed.size() < text.size() / 4);
    QVERIFY(gunzip(packed) == text);
    std::string nothing;
    GzipStream empty;
    empty.finish(nothing);
    QVERIFY(!nothing.empty());
    QCOMPARE(gunzip(nothing), std::string());
}

// Standard input, of which the text was kept for the details.
void TstChromeWriter::sourceWithoutAPath_isWrittenFromWhatWasKept() {
    const fs::path file = fixture("captured/torch/item_sync.pt.trace.json.gz");
    const auto cut = middleOf(file);
    QVERIFY(cut);
    for (const std::optional<TimeRange>& range : {std::optional<TimeRange>(), cut}) {
        JobControl job;
        const auto fromMemory =
            loadTraceFromMemory(readFile(file), file.filename().string(), builtinImporters(), job);
        const auto fromFile = loadTrace(file, builtinImporters(), job);
        QVERIFY(fromMemory && fromFile);
        QVERIFY(fromMemory->trace->facts().path.empty());
        StringSink kept, again;
        QVERIFY(writeChrome(*fromMemory, {"0", range, {}}, kept, job));
        QVERIFY(writeChrome(*fromFile, {"0", range, {}}, again, job));
        QVERIFY(kept.text().size() > 1000);
        QVERIFY(kept.text() == again.text());
    }
}

void TstChromeWriter::convert_opensToTheSameRows_data() {
    addFixtures();
}

void TstChromeWriter::convert_opensToTheSameRows() {
    QFETCH(QString, file);
    const fs::path path(file.toStdString());
    std::string text;
    const QString difference = roundTripOf(path, {}, &text);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
    if (path.extension() != ".sqlite")
        return;
    int arrows = 0;
    const QString broken = brokenArrow(text, arrows);
    QVERIFY2(broken.isEmpty(), qPrintable(broken));
    QVERIFY(arrows > 100);
}

void TstChromeWriter::trim_opensToTheRowsThatTouch_data() {
    addFixtures();
}

void TstChromeWriter::trim_opensToTheRowsThatTouch() {
    QFETCH(QString, file);
    const fs::path path(file.toStdString());
    const auto cut = middleOf(path);
    QVERIFY(cut);
    const QString difference = roundTripOf(path, cut);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

void TstChromeWriter::oddText_becomesStrict() {
    const QTemporaryDir folder;
    const fs::path file = fileIn(folder, "odd.json");
    save(file, "{\"schemaVersion\": 1, \"WARNING\": [\"a\x01"
               "b\"], \"traceEvents\": [\n"
               "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\xFF\x01\", \"pid\": 1, \"tid\": \"2\","
               " \"ts\": \"10.5\", \"dur\": 2, \"args\": {\"x\": NaN, \"y\": 0x1f, \"z\": 1.50, \"u\": "
               "18446744073709551615}},\n"
               "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"b\", \"pid\": 1, \"tid\": 2, \"ts\": 13,"
               " \"dur\": -1},\n{}]}");
    const nlohmann::json json = written(file, {});
    QVERIFY(json.is_object());
    QCOMPARE(json["traceEvents"].size(), std::size_t{3});
    const auto& event = json["traceEvents"][0];
    QCOMPARE(event["name"].get<std::string>(), std::string("a\xEF\xBF\xBD\x01"));
    QCOMPARE(event["args"]["x"].get<std::string>(), std::string("NaN"));
    QCOMPARE(event["args"]["y"].get<std::string>(), std::string("0x1f"));
    QCOMPARE(event["args"]["u"].get<std::uint64_t>(), UINT64_MAX);
    QCOMPARE(json["lacuna"]["notes"][0]["code"].get<std::string>(), std::string("negative_duration"));
    QVERIFY(!json["lacuna"].contains("time_zero_ns"));
    const QString difference = roundTripOf(file, {});
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

void TstChromeWriter::epochTimes_becomeRelative() {
    const QTemporaryDir folder;
    const fs::path file = fileIn(folder, "epoch.json");
    save(file, R"([{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":2,"ts":1700000000000000.25,"dur":5},
                   {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":0,"dur":0},
                   {"ph":"i","name":"m","pid":1,"tid":2,"ts":1699999999999999.250}])");
    const nlohmann::json json = written(file, {});
    QCOMPARE(json["lacuna"]["time_zero_ns"].get<int>(), 0);
    QCOMPARE(json["baseTimeNanoseconds"].get<std::int64_t>(), std::int64_t{1'700'000'000'000'000'250});
    QCOMPARE(json["traceEvents"].size(), std::size_t{2}); // without the record that has no time
    QCOMPARE(json["traceEvents"][0]["ts"].get<double>(), 0.0);
    QCOMPARE(json["traceEvents"][1]["ts"].get<double>(), -1.0);
    const QString difference = roundTripOf(file, {});
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

// Arguments of ends are kept, wherever in the file the end stands; where begin and end name one, the end
// wins.
void TstChromeWriter::trim_keepsArgumentsOfEnds() {
    const QTemporaryDir folder;
    const fs::path file = fileIn(folder, "ends.json");
    // Time zero is 100 us. The cut is [20, 40) us after it: [120, 140) in the file.
    save(file, R"([{"ph":"E","pid":1,"tid":2,"ts":150,"args":{"outer":true}},
                   {"ph":"B","name":"outer","pid":1,"tid":2,"ts":100,"args":{"a":1,"b":"x"}},
                   {"ph":"B","name":"early","pid":1,"tid":2,"ts":105},
                   {"ph":"E","pid":1,"tid":2,"ts":110,"args":{"gone":1}},
                   {"ph":"B","name":"in","pid":1,"tid":2,"ts":130,"args":{"a":1,"both":1}},
                   {"ph":"E","pid":1,"tid":2,"ts":131,"args":{"both":2,"text":"q\"q"}},
                   {"ph":"B","name":"plain","pid":1,"tid":2,"ts":132,"args":{"a":1}},
                   {"ph":"E","pid":1,"tid":2,"ts":133,"args":{}},
                   {"ph":"B","name":"word","pid":1,"tid":2,"ts":134,"args":{"a":1}},
                   {"ph":"E","pid":1,"tid":2,"ts":135,"args":"done"},
                   {"ph":"b","cat":"x","id":1,"name":"async","pid":1,"tid":2,"ts":110,"args":{"i":1}},
                   {"ph":"e","cat":"x","id":1,"name":"async","pid":1,"tid":2,"ts":145,"args":{"o":2}}])");
    const nlohmann::json json = written(file, TimeRange{{20'000}, {40'000}});
    std::map<std::string, nlohmann::json> args; // by phase and name
    for (const nlohmann::json& event : json["traceEvents"])
        if (event.contains("args"))
            args[event["ph"].get<std::string>() + " " + event.value("name", "")] = event["args"];
    const std::map<std::string, nlohmann::json> wanted{
        {"X outer", {{"a", 1}, {"b", "x"}, {"outer", true}}},
        {"X in", {{"a", 1}, {"both", 2}, {"text", "q\"q"}}},
        {"X plain", {{"a", 1}}},
        {"B word", {{"a", 1}}},
        {"E word", "done"},
        {"b async", {{"i", 1}}},
        {"e async", {{"o", 2}}},
    };
    QVERIFY2(args == wanted, qPrintable(QString::fromStdString(nlohmann::json(args).dump())));
    const QString difference = roundTripOf(file, TimeRange{{20'000}, {40'000}});
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

void TstChromeWriter::trim_keepsPairsCountersAndFlows() {
    const QTemporaryDir folder;
    const fs::path file = fileIn(folder, "pairs.json");
    // Time zero is 100 us. The cut is [20, 40) us after it: [120, 140) in the file.
    save(file, R"([{"ph":"B","name":"outer","pid":1,"tid":2,"ts":100,"args":{"a":1}},
                   {"ph":"B","name":"early","pid":1,"tid":2,"ts":105},{"ph":"E","pid":1,"tid":2,"ts":120},
                   {"ph":"B","name":"in","pid":1,"tid":2,"ts":130},{"ph":"E","pid":1,"tid":2,"ts":131},
                   {"ph":"E","pid":1,"tid":2,"ts":150},
                   {"ph":"b","cat":"x","id":1,"name":"async","pid":1,"tid":2,"ts":110},
                   {"ph":"e","cat":"x","id":1,"name":"async","pid":1,"tid":2,"ts":145},
                   {"ph":"b","cat":"x","id":2,"name":"late","pid":1,"tid":2,"ts":140},
                   {"ph":"e","cat":"x","id":2,"name":"late","pid":1,"tid":2,"ts":145},
                   {"ph":"C","name":"c","pid":1,"ts":105,"args":{"v":1}},
                   {"ph":"C","name":"c","pid":1,"ts":115,"args":{"v":2}},
                   {"ph":"C","name":"c","pid":1,"ts":125,"args":{"v":3}},
                   {"ph":"C","name":"c","pid":1,"ts":140,"args":{"v":4}},
                   {"ph":"X","name":"p","pid":1,"tid":3,"ts":110,"dur":5},
                   {"ph":"X","name":"q","pid":1,"tid":3,"ts":118,"dur":5},
                   {"ph":"X","name":"r","pid":1,"tid":3,"ts":139,"dur":5},
                   {"ph":"s","cat":"f","name":"f","id":1,"pid":1,"tid":3,"ts":119},
                   {"ph":"f","cat":"f","name":"f","id":1,"pid":1,"tid":3,"ts":139,"bp":"e"},
                   {"ph":"s","cat":"f","name":"f","id":2,"pid":1,"tid":3,"ts":111},
                   {"ph":"f","cat":"f","name":"f","id":2,"pid":1,"tid":3,"ts":139,"bp":"e"},
                   {"ph":"i","name":"at A","pid":1,"tid":3,"ts":120},
                   {"ph":"i","name":"at B","pid":1,"tid":3,"ts":140},
                   {"ph":"M","name":"thread_name","pid":1,"tid":9,"args":{"name":"other"}}])");
    const TimeRange cut{{20'000}, {40'000}};
    const nlohmann::json json = written(file, cut);
    std::vector<std::string> texts;
    for (const auto& event : json["traceEvents"])
        texts.push_back(event["ph"].get<std::string>() + " " + event["name"].get<std::string>() + " " +
                        (event.contains("ts") ? event["ts"].dump() : "-"));
    const std::vector<std::string> expected{"X outer 0.0", "X in 30.0", "b async 10.0", "e async 45.0",
                                            "C c 15.0",    "C c 25.0",  "X q 18.0",     "X r 39.0",
                                            "s f 19.0",    "f f 39.0",  "i at A 20.0",  "M thread_name -"};
    QVERIFY2(texts == expected, qPrintable(QString::fromStdString(json["traceEvents"].dump())));
    QCOMPARE(json["traceEvents"][0]["dur"].get<double>(), 50.0);
    QCOMPARE(json["traceEvents"][0]["args"]["a"].get<int>(), 1);
    QCOMPARE(json["lacuna"]["cut"]["start_ns"].get<int>(), 20'000);
    QCOMPARE(json["lacuna"]["cut"]["end_ns"].get<int>(), 40'000);
    const QString difference = roundTripOf(file, cut);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

void TstChromeWriter::outputFile_isWholeOrAbsent() {
    const QTemporaryDir folder;
    const fs::path source = fileIn(folder, "source.json"), out = fileIn(folder, "out.json");
    save(source, "source");
    fs::create_symlink(source, fileIn(folder, "link.json"));
    fs::create_hard_link(source, fileIn(folder, "hard.json"));
    OutputFile::Options how;
    how.source = source;
    const auto filesIn = [&] {
        return std::distance(fs::directory_iterator(fs::path(out).parent_path()), {});
    };
    {
        auto file = OutputFile::create(out, how);
        QVERIFY(bool(file));
        (*file)->write("half");
        QVERIFY(!fs::exists(out));
    }
    QCOMPARE(filesIn(), 3); // nothing is left of what was not committed
    {
        auto file = OutputFile::create(out, how);
        QVERIFY(bool(file));
        (*file)->write("whole");
        QVERIFY(bool((*file)->commit()));
    }
    QCOMPARE(readFile(out), std::string("whole"));
    QCOMPARE(filesIn(), 4);
    const auto again = OutputFile::create(out, how);
    QVERIFY(!again);
    QCOMPARE(again.error().detail, std::string("The file exists."));
    how.replace = true;
    for (const char* const name : {"source.json", "link.json", "hard.json"}) {
        const auto same = OutputFile::create(fileIn(folder, name), how);
        QVERIFY2(!same, name);
        QCOMPARE(same.error().detail, std::string("This is the trace itself; a source is never changed."));
    }
    const auto nowhere = OutputFile::create(fileIn(folder, "none/out.json"), how);
    QVERIFY(!nowhere);
    QCOMPARE(nowhere.error().remedy, std::string("Make the folder first, or name another one."));
    auto replaced = OutputFile::create(out, how);
    QVERIFY(bool(replaced));
    (*replaced)->write("new");
    QVERIFY(bool((*replaced)->commit()));
    QCOMPARE(readFile(out), std::string("new"));
}

LACUNA_TEST(TstChromeWriter, "tst_chrome_writer")

} // namespace tst_chrome_writer

#include "tst_chrome_writer.moc"
