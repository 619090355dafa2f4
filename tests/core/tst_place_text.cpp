// What stands where a note points to, read from the file again: bytes in every container, rows of exports.

#include "core/import/nsys/report_export.h"
#include "core/import/place_text.h"
#include "tests/support/archives.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <fstream>

namespace tst_place_text {

using namespace lacuna;
using namespace lacuna::test;

namespace fs = std::filesystem;

namespace {

// moc does not read raw literals with unbalanced brackets.
const std::string kNamed = q("{'ph':'X','name':'}\\'{','pid':1,'tid':1,'ts':5,'dur':1,'args':{'a':[1,{}]}}");

// The named event stands behind 3,000 others, so that what is shown begins and ends inside the file.
std::string trace() {
    std::string events;
    for (int i = 0; i < 3000; ++i)
        events +=
            q("{'ph':'X','name':'op','pid':1,'tid':1,'ts':") + std::to_string(10 + i) + q(",'dur':1},\n");
    events += kNamed;
    for (int i = 0; i < 3000; ++i)
        events +=
            q(",\n{'ph':'X','name':'op','pid':1,'tid':1,'ts':") + std::to_string(5000 + i) + q(",'dur':1}");
    return objectForm(events);
}

IssuePlace at(std::uint64_t offset) {
    return {offset, {}, 0};
}

std::string marked(const PlaceText& place) {
    return place.text.substr(place.mark, place.markEnd - place.mark);
}

std::string exportRows() {
    const std::string thread = std::to_string(globalTid(483, 483));
    return std::string(nsysSchema()) +
           "INSERT INTO StringIds VALUES (1, 'cudaMalloc');"
           "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10, 20, 0, " +
           thread + ", 1, 1, 0, NULL), (30, 45, 0, " + thread + ", 2, 1, 0, 9);" +
           "CREATE TABLE OWN (name TEXT, data BLOB); INSERT INTO OWN VALUES ('é', x'000102');";
}

std::string valueOf(const PlaceText& place, std::string_view column) {
    for (const auto& [name, value] : place.columns)
        if (name == column)
            return value;
    return "no column";
}

} // namespace

class TstPlaceText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bytes_ofTheUnpackedText_data();
    void bytes_ofTheUnpackedText();
    void bytes_firstEvent_beginsAtTheFile();
    void bytes_thatBeginNoEvent_areOneByte();
    void bytes_endOfTheFile();
    void bytes_behindTheEnd_areNotThere();
    void bytes_ofAnArchiveMember();
    void row_ofAnExport_data();
    void row_ofAnExport();
    void row_ofATableWithoutEvents();
    void row_ofAReport_comesFromItsExport();
    void row_thatIsGone();
    void event_madeOfThePlace();
    void cancelled_endsTheReading();

private:
    fs::path write(const std::string& name, const std::string& bytes) const {
        const fs::path file = fs::path(m_folder.path().toStdString()) / name;
        std::ofstream(file, std::ios::binary) << bytes;
        return file;
    }
    QTemporaryDir m_folder;
    JobControl m_job;
};

void TstPlaceText::bytes_ofTheUnpackedText_data() {
    QTest::addColumn<QByteArray>("stored");
    const std::string text = trace();
    const auto row = [](const char* name, const std::string& stored) {
        QTest::newRow(name) << QByteArray::fromStdString(stored);
    };
    row("plain", text);
    row("gzip", gzipped(text));
    row("zlib", zlibOf(text));
    row("zstd", zstdOf(text));
    row("xz", xzOf(text));
    row("zip", zipOf({{"trace.json", text, {}}}));
    row("UTF-16", utf16Of(text, true));
}

void TstPlaceText::bytes_ofTheUnpackedText() {
    QFETCH(QByteArray, stored);
    const std::string text = trace();
    const std::uint64_t offset = text.find(kNamed);
    const auto place = readPlace(write("trace.bin", stored.toStdString()), at(offset), m_job);
    QVERIFY(place);
    QCOMPARE(marked(*place), kNamed);
    QCOMPARE(place->begin, offset - 2048);
    QCOMPARE(place->text, text.substr(place->begin, 8192));
    QCOMPARE(place->source->bits, offset);
    QVERIFY(place->columns.empty());
}

void TstPlaceText::bytes_firstEvent_beginsAtTheFile() {
    const std::string text = objectForm(kNamed);
    const auto place = readPlace(write("small.json", text), at(text.find(kNamed)), m_job);
    QVERIFY(place);
    QCOMPARE(place->begin, std::uint64_t{0});
    QCOMPARE(place->text, text);
    QCOMPARE(marked(*place), kNamed);
}

void TstPlaceText::bytes_thatBeginNoEvent_areOneByte() {
    const std::string text = objectForm("7");
    const auto place = readPlace(write("number.json", text), at(text.find('7')), m_job);
    QVERIFY(place);
    QCOMPARE(marked(*place), std::string("7"));
}

void TstPlaceText::bytes_endOfTheFile() {
    const std::string text = q("{'traceEvents':[{'ph':'X','na");
    const auto place = readPlace(write("cut.json", text), at(text.size()), m_job);
    QVERIFY(place);
    QCOMPARE(place->mark, text.size());
    QCOMPARE(place->markEnd, text.size());
    QVERIFY(!place->source);
    // An event without its end is marked to the end of the file.
    const std::uint64_t event = text.find("{\"ph\"");
    const auto unfinished = readPlace(write("cut.json", text), at(event), m_job);
    QVERIFY(unfinished);
    QCOMPARE(marked(*unfinished), text.substr(event));
}

void TstPlaceText::bytes_behindTheEnd_areNotThere() {
    for (const std::string& stored : {std::string("[1]"), gzipped("[1]")}) {
        const auto place = readPlace(write("short.json", stored), at(100'000), m_job);
        QVERIFY(!place);
        QCOMPARE(place.error().code, Errc::Io);
        QVERIFY(!place.error().remedy.empty());
    }
}

void TstPlaceText::bytes_ofAnArchiveMember() {
    const std::string text = trace();
    const fs::path file =
        write("ranks.zip", zipOf({{"rank0.json", objectForm("7"), {}}, {"rank1.json", text, {}}}));
    LoadOptions options;
    options.member = "rank1.json";
    const auto place = readPlace(file, at(text.find(kNamed)), m_job, options);
    QVERIFY(place);
    QCOMPARE(marked(*place), kNamed);
}

void TstPlaceText::row_ofAnExport_data() {
    QTest::addColumn<bool>("isPacked");
    QTest::newRow("as it is") << false;
    QTest::newRow("gzip") << true;
}

void TstPlaceText::row_ofAnExport() {
    QFETCH(bool, isPacked);
    const SqliteFixture made(exportRows());
    const fs::path file = isPacked ? write("export.sqlite.gz", gzipped(readFile(made.file()))) : made.file();
    const auto place = readPlace(file, {{}, "CUPTI_ACTIVITY_KIND_RUNTIME", 2}, m_job);
    QVERIFY(place);
    QCOMPARE(valueOf(*place, "start"), std::string("30"));
    QCOMPARE(valueOf(*place, "end"), std::string("45"));
    QCOMPARE(valueOf(*place, "correlationId"), std::string("2"));
    QCOMPARE(valueOf(*place, "callchainId"), std::string("9"));
    QVERIFY(place->text.empty());
    QVERIFY(place->source.has_value());
    const auto first = readPlace(file, {{}, "CUPTI_ACTIVITY_KIND_RUNTIME", 1}, m_job);
    QVERIFY(first);
    QCOMPARE(valueOf(*first, "callchainId"), std::string("NULL"));
}

void TstPlaceText::row_ofATableWithoutEvents() {
    const SqliteFixture made(exportRows());
    const auto place = readPlace(made.file(), {{}, "OWN", 1}, m_job);
    QVERIFY(place);
    QCOMPARE(valueOf(*place, "name"), std::string("é"));
    QCOMPARE(valueOf(*place, "data"), std::string("(3 bytes)"));
    QVERIFY(!place->source);
}

void TstPlaceText::row_ofAReport_comesFromItsExport() {
    const SqliteFixture made(exportRows());
    const fs::path report = write("run.nsys-rep", "NVIDIA Tegra Profiler Report 2025@3@2@0.\n");
    LoadOptions options;
    options.cacheFolder = fs::path(m_folder.path().toStdString()) / "cache";
    const fs::path folder = nsys::exportFolder(options.cacheFolder);
    const auto exported = nsys::exportPath(report, folder);
    QVERIFY(exported);
    fs::create_directories(folder);
    fs::copy_file(made.file(), *exported);
    const auto place = readPlace(report, {{}, "CUPTI_ACTIVITY_KIND_RUNTIME", 2}, m_job, options);
    QVERIFY(place);
    QCOMPARE(valueOf(*place, "start"), std::string("30"));
    fs::remove(*exported);
    QVERIFY(!readPlace(report, {{}, "CUPTI_ACTIVITY_KIND_RUNTIME", 2}, m_job, options));
}

void TstPlaceText::row_thatIsGone() {
    const SqliteFixture made(exportRows());
    for (const IssuePlace& gone :
         {IssuePlace{{}, "CUPTI_ACTIVITY_KIND_RUNTIME", 99}, IssuePlace{{}, "NONE", 1}}) {
        const auto place = readPlace(made.file(), gone, m_job);
        QVERIFY(!place);
        QCOMPARE(place.error().code, Errc::Io);
    }
}

void TstPlaceText::event_madeOfThePlace() {
    const std::string text = trace();
    const auto loaded = jsonTrace(text);
    const auto place = readPlace(write("trace.json", text), at(text.find(kNamed)), m_job);
    QVERIFY(place);
    const EventId event = eventAtSource(*loaded, *place->source, m_job);
    QVERIFY(static_cast<bool>(event));
    QCOMPARE(loaded->nameOf(event), std::string_view("}\"{"));
    QVERIFY(!eventAtSource(*loaded, SourceRef::offset(1), m_job));

    const SqliteFixture made(exportRows());
    const auto opened = loadTrace(made.file(), builtinImporters(), m_job);
    QVERIFY(opened);
    const auto row = readPlace(made.file(), {{}, "CUPTI_ACTIVITY_KIND_RUNTIME", 2}, m_job);
    QVERIFY(row);
    const EventId call = eventAtSource(*opened->trace, *row->source, m_job);
    QVERIFY(static_cast<bool>(call));
    QCOMPARE(opened->trace->events().duration(call), DurationNs{15});
}

void TstPlaceText::cancelled_endsTheReading() {
    const std::string text = trace();
    JobControl job;
    job.requestCancel();
    const auto place = readPlace(write("trace.json.gz", gzipped(text)), at(text.size()), job);
    QVERIFY(!place);
    QCOMPARE(place.error().code, Errc::Cancelled);
}

LACUNA_TEST(TstPlaceText, "tst_place_text")

} // namespace tst_place_text

#include "tst_place_text.moc"
