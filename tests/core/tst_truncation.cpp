// Files of ten kinds, cut at every byte: each piece opens with what is in it, or says what is wrong.

#include "tests/fuzz/check_model.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"

#include <zlib.h>

#include <string>

namespace tst_truncation {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::string kineto() {
    return q("{'schemaVersion': 1, 'traceEvents': [\n"
             "{'ph': 'X', 'cat': 'cpu_op', 'name': 'aten::add', 'pid': 1, 'tid': 1, 'ts': 10.5, 'dur': 30},\n"
             "{'ph': 'X', 'cat': 'cuda_runtime', 'name': 'cudaLaunchKernel', 'pid': 1, 'tid': 1, 'ts': 12, "
             "'dur': 3, 'args': {'correlation': 9}},\n"
             "{'ph': 'X', 'cat': 'kernel', 'name': 'k', 'pid': 0, 'tid': 7, 'ts': 20.125, 'dur': 5, "
             "'args': {'device': 0, 'stream': 7, 'correlation': 9}}\n], 'traceName': 'a \\u0041'}\n");
}

std::string array() {
    return q(
        "[{'ph': 'B', 'name': 'a', 'pid': 1, 'tid': 1, 'ts': 1}, {'ph': 'E', 'pid': 1, 'tid': 1, 'ts': 9},\n"
        "{'ph': 'C', 'name': 'm', 'pid': 1, 'ts': 2, 'args': {'v': 3}},\n"
        "{'ph': 'X', 'name': 'caf\xC3\xA9', 'pid': 1, 'tid': 2, 'ts': 3, 'dur': 4}]");
}

std::string lines() {
    return q("{'ph': 'X', 'name': 'a', 'pid': 1, 'tid': 1, 'ts': 1, 'dur': 1}\n"
             "{'ph': 'X', 'name': 'b', 'pid': 1, 'tid': 1, 'ts': 5, 'dur': 1}\n");
}

std::string zlibbed(const std::string& text) {
    uLongf size = compressBound(static_cast<uLong>(text.size()));
    std::string out(size, '\0');
    compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
             static_cast<uLong>(text.size()));
    out.resize(size);
    return out;
}

std::string utf16(const std::string& text) {
    std::string out = "\xFF\xFE";
    for (const char c : text)
        out.append({c, '\0'});
    return out;
}

std::string database() {
    const SqliteFixture file(
        "PRAGMA page_size = 512; CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, streamId "
        "INTEGER,"
        "correlationId INTEGER, shortName INTEGER);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, globalTid INTEGER, "
        "correlationId "
        "INTEGER, nameId INTEGER); INSERT INTO StringIds VALUES(1, 'k'), (2, 'cudaLaunchKernel');"
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(20, 30, 0, 7, 9, 1), (40, 50, 0, 7, 10, 1);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(5, 10, 281476318527588, 9, 2);");
    return readFile(file.file());
}

std::string fuzzSeed(const std::string& name) {
    return readFile(inSource("tests/fuzz/corpus/inflate") / name).substr(3);
}

} // namespace

class TstTruncation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cutAnywhere_opensOrSaysWhy_data();
    void cutAnywhere_opensOrSaysWhy();
};

void TstTruncation::cutAnywhere_opensOrSaysWhy_data() {
    QTest::addColumn<QByteArray>("file");
    const auto add = [](const char* name, const std::string& bytes) {
        QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()));
    };
    const std::string text = kineto();
    add("kineto", text);
    add("array", array());
    add("lines", lines());
    add("utf-16", utf16(array()));
    add("gzip", gzipped(text));
    add("gzip of two members", gzipped(text.substr(0, 100)) + gzipped(text.substr(100)));
    add("zlib", zlibbed(text));
    add("zstd", fuzzSeed("zstd"));
    add("xz", fuzzSeed("xz"));
    add("zip", fuzzSeed("zip_two_stored"));
    add("sqlite", database());
}

void TstTruncation::cutAnywhere_opensOrSaysWhy() {
    QFETCH(QByteArray, file);
    QVERIFY(file.size() > 20 && file.size() <= 16384);
    for (qsizetype size = 0; size <= file.size(); ++size) {
        const auto loaded = loadText(file.left(size).toStdString(), 0, "trace");
        if (loaded) {
            fuzz::requireModel(loaded->trace, true);
            continue;
        }
        const Error& error = loaded.error();
        QVERIFY2(
            !error.detail.empty() && !error.place.empty() && !error.remedy.empty(),
            qPrintable(QString::number(size) + QStringLiteral(": ") + QString::fromStdString(error.detail)));
    }
}

LACUNA_TEST(TstTruncation, "tst_truncation")

} // namespace tst_truncation

#include "tst_truncation.moc"
