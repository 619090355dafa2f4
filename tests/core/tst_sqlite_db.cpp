#include "core/import/detail/sqlite_db.h"
#include "tests/support/paths.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace tst_sqlite_db {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::int64_t countRows(SqliteDb& db, const std::string& table) {
    auto rows = db.prepare("SELECT count(*) FROM " + table);
    return rows && rows->step() == SqliteStatement::Step::Row ? rows->integer(0).value_or(-1) : -1;
}

constexpr std::string_view kThousandRows = "CREATE TABLE t (a INTEGER, b TEXT); WITH RECURSIVE n(i) AS "
                                           "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
                                           "1000) INSERT INTO t SELECT i, 'row ' || i FROM n;";

} // namespace

class TstSqliteDb : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void open_listsRealTablesWithColumns() {
        const SqliteFixture fixture("CREATE TABLE Names (Id INTEGER PRIMARY KEY, value TEXT);"
                                    "CREATE VIEW v AS SELECT 1 AS x; CREATE VIRTUAL TABLE f USING fts5(y);");
        auto db = SqliteDb::open(fixture.file());
        QVERIFY(bool(db));
        const SqliteTable* names = db->table("names"); // without case, as SQLite
        QVERIFY(names != nullptr);
        QCOMPARE(names->columns.size(), std::size_t{2});
        QVERIFY(names->column("ID") != nullptr && names->column("id")->isPrimaryKey &&
                names->column("id")->isInteger);
        QVERIFY(!names->column("value")->isPrimaryKey && names->column("other") == nullptr);
        QVERIFY(db->table("v") == nullptr);
        QVERIFY(db->table("f") == nullptr);
    }

    void integer_isAWholeNumberOrNothing_data() {
        QTest::addColumn<QByteArray>("sql");
        QTest::addColumn<bool>("known");
        QTest::addColumn<qint64>("value");
        QTest::newRow("integer") << QByteArray("9223372036854775807") << true << qint64{9223372036854775807};
        QTest::newRow("negative") << QByteArray("-1900000000") << true << qint64{-1900000000};
        QTest::newRow("whole real") << QByteArray("1234567890.0") << true << qint64{1234567890};
        QTest::newRow("fraction") << QByteArray("1.5") << false << qint64{0};
        QTest::newRow("real beyond 2^53") << QByteArray("9007199254740992.0") << false << qint64{0};
        QTest::newRow("infinity") << QByteArray("9e999") << false << qint64{0};
        QTest::newRow("text") << QByteArray("'12'") << false << qint64{0};
        QTest::newRow("blob") << QByteArray("x'31'") << false << qint64{0};
        QTest::newRow("null") << QByteArray("NULL") << false << qint64{0};
    }
    void integer_isAWholeNumberOrNothing() {
        QFETCH(QByteArray, sql);
        QFETCH(bool, known);
        QFETCH(qint64, value);
        const SqliteFixture fixture("CREATE TABLE t (a)");
        auto db = SqliteDb::open(fixture.file());
        QVERIFY(bool(db));
        auto rows = db->prepare("SELECT " + sql.toStdString());
        QVERIFY(bool(rows));
        QCOMPARE(rows->step(), SqliteStatement::Step::Row);
        QCOMPARE(rows->integer(0).has_value(), known);
        QCOMPARE(rows->integer(0).value_or(0), std::int64_t{value});
    }

    void text_isExact() {
        const SqliteFixture fixture(
            "CREATE TABLE t (a); INSERT INTO t VALUES ('a\"b'), (9223372036854775807), (NULL)");
        auto db = SqliteDb::open(fixture.file());
        QVERIFY(bool(db));
        auto rows = db->prepare("SELECT a FROM t");
        QVERIFY(rows && rows->step() == SqliteStatement::Step::Row);
        QCOMPARE(rows->text(0), std::string_view("a\"b"));
        QCOMPARE(rows->step(), SqliteStatement::Step::Row);
        QCOMPARE(rows->text(0), std::string_view("9223372036854775807"));
        QCOMPARE(rows->step(), SqliteStatement::Step::Row);
        QVERIFY(rows->isNull(0));
        QCOMPARE(rows->text(0), std::string_view());
        QCOMPARE(rows->step(), SqliteStatement::Step::Done);
    }

    void quoteIdentifier_doublesQuotes() { QCOMPARE(quoteIdentifier("a\"b"), std::string("\"a\"\"b\"")); }

    void open_takesAnyFileName() {
        const SqliteFixture fixture(kThousandRows, "a b%20?#&'.sqlite");
        auto db = SqliteDb::open(fixture.file());
        QVERIFY(bool(db));
        QCOMPARE(countRows(*db, "t"), std::int64_t{1000});
        QCOMPARE(fixture.folder().size(), std::size_t{1});
    }

    void open_ofAPlainFile_isReadOnlyAndLeavesNothing() {
        const SqliteFixture fixture(kThousandRows);
        {
            auto db = SqliteDb::open(fixture.file());
            QVERIFY(bool(db));
            auto write = db->prepare("DELETE FROM t");
            QVERIFY(!write || write->step() == SqliteStatement::Step::Failed);
            QCOMPARE(countRows(*db, "t"), std::int64_t{1000});
            QCOMPARE(fixture.folder(), std::vector<std::string>{"trace.sqlite"});
        }
        QCOMPARE(fixture.folder(), std::vector<std::string>{"trace.sqlite"});
    }

    // Plain mode=ro would make -shm and -wal files here.
    void open_ofAWalFileWithoutLog_leavesNothingBeside() {
        SqliteFixture fixture(kThousandRows);
        fixture.runIntoLog("DELETE FROM t WHERE a > 10; PRAGMA wal_checkpoint(TRUNCATE)");
        std::filesystem::remove(fixture.file().string() + "-wal");
        auto db = SqliteDb::open(fixture.file());
        QVERIFY(bool(db));
        QCOMPARE(countRows(*db, "t"), std::int64_t{10});
        QCOMPARE(fixture.folder(), std::vector<std::string>{"trace.sqlite"});
    }

    void open_ofAWalFileWithEmptyLog_leavesNothingBeside() {
        SqliteFixture fixture(kThousandRows);
        fixture.runIntoLog("DELETE FROM t WHERE a > 10; PRAGMA wal_checkpoint(TRUNCATE)");
        const std::vector<std::string> before = fixture.folder();
        QCOMPARE(before, (std::vector<std::string>{"trace.sqlite", "trace.sqlite-wal"}));
        auto db = SqliteDb::open(fixture.file());
        QVERIFY(bool(db));
        QCOMPARE(countRows(*db, "t"), std::int64_t{10});
        QCOMPARE(fixture.folder(), before);
    }

    void open_ofAWalFileWithLog_readsItThroughACopy() {
        SqliteFixture fixture(kThousandRows);
        fixture.runIntoLog("DELETE FROM t WHERE a > 10");
        const std::vector<std::string> before = fixture.folder();
        const std::string bytes = readFile(fixture.file());
        const std::string log = readFile(fixture.file().string() + "-wal");
        QVERIFY(!log.empty());
        {
            auto db = SqliteDb::open(fixture.file());
            QVERIFY(bool(db));
            QCOMPARE(countRows(*db, "t"), std::int64_t{10}); // 1000 without the log
            QCOMPARE(fixture.folder(), before);
        }
        QCOMPARE(fixture.folder(), before);
        QVERIFY(readFile(fixture.file()) == bytes);
        QVERIFY(readFile(fixture.file().string() + "-wal") == log);
    }

    void open_withAStrayJournal_leavesItAlone() {
        const SqliteFixture fixture(kThousandRows);
        std::ofstream(fixture.file().string() + "-journal") << "no journal at all";
        auto db = SqliteDb::open(fixture.file());
        QVERIFY(bool(db));
        QCOMPARE(countRows(*db, "t"), std::int64_t{1000});
        QCOMPARE(fixture.folder(), (std::vector<std::string>{"trace.sqlite", "trace.sqlite-journal"}));
    }

    // A program that was killed while it wrote: the journal undoes the half-done change, in a copy.
    void open_withAHotJournal_rollsBackInTheCopy() {
        SqliteFixture fixture(kThousandRows);
        const std::int64_t sum = fixture.number("SELECT sum(length(b)) FROM t");
        fixture.runIntoJournal("UPDATE t SET b = 'x' WHERE a < 990");
        QVERIFY(fixture.number("SELECT sum(length(b)) FROM t") != sum); // as the main file alone reads
        const std::vector<std::string> before = fixture.folder();
        const std::string bytes = readFile(fixture.file());
        auto db = SqliteDb::open(fixture.file());
        QVERIFY(bool(db));
        auto rows = db->prepare("SELECT sum(length(b)) FROM t");
        QVERIFY(rows && rows->step() == SqliteStatement::Step::Row);
        QCOMPARE(rows->integer(0).value_or(0), sum);
        QCOMPARE(fixture.folder(), before);
        QVERIFY(readFile(fixture.file()) == bytes);
    }

    void open_ofATruncatedFile_readsWhatIsThere() {
        const SqliteFixture fixture(kThousandRows);
        std::filesystem::resize_file(fixture.file(), 3 * 4096);
        auto db = SqliteDb::open(fixture.file());
        QVERIFY(bool(db));
        QVERIFY(db->isTruncated());
        auto rows = db->prepare("SELECT a FROM t");
        QVERIFY(bool(rows));
        std::int64_t count = 0;
        SqliteStatement::Step step{};
        while ((step = rows->step()) == SqliteStatement::Step::Row)
            ++count;
        QCOMPARE(step, SqliteStatement::Step::Failed);
        QVERIFY(count > 0 && count < 1000);
        QVERIFY(!db->lastError().empty());
    }

    void open_ofAWholeFile_isNotTruncated() {
        const SqliteFixture fixture(kThousandRows);
        auto db = SqliteDb::open(fixture.file());
        QVERIFY(db && !db->isTruncated());
        QCOMPARE(db->fileSize(), std::uint64_t{std::filesystem::file_size(fixture.file())});
    }

    void open_ofNoDatabase_isAnErrorWithRemedy_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("short") << QByteArray("SQLite format 3\0", 16);
        QTest::newRow("text") << QByteArray(5000, 'x');
        QTest::newRow("magic and noise") << QByteArray("SQLite format 3\0", 16) + QByteArray(8000, '\x7f');
    }
    void open_ofNoDatabase_isAnErrorWithRemedy() {
        QFETCH(QByteArray, bytes);
        const SqliteFixture fixture("CREATE TABLE t (a)");
        std::ofstream(fixture.file(), std::ios::binary).write(bytes.constData(), bytes.size());
        const auto db = SqliteDb::open(fixture.file());
        QVERIFY(!db);
        QVERIFY(!db.error().detail.empty() && !db.error().place.empty() && !db.error().remedy.empty());
    }

    void open_ofAMissingFileOrFolder_isAnError() {
        const SqliteFixture fixture("CREATE TABLE t (a)");
        QCOMPARE(SqliteDb::open(fixture.file().parent_path()).error().code, Errc::Io);
        QCOMPARE(SqliteDb::open(fixture.file().string() + ".none").error().code, Errc::Io);
        QCOMPARE(fixture.folder().size(), std::size_t{1}); // and none was made
    }

    void job_stopsALongStatement() {
        const SqliteFixture fixture(kThousandRows);
        JobControl job;
        auto db = SqliteDb::open(fixture.file(), &job);
        QVERIFY(bool(db));
        job.requestCancel();
        auto rows = db->prepare("SELECT count(*) FROM t a, t b, t c");
        QVERIFY(bool(rows));
        QCOMPARE(rows->step(), SqliteStatement::Step::Failed);
        QVERIFY(db->wasInterrupted());
    }

    void openUnpacked_readsAStream() {
        const SqliteFixture fixture(kThousandRows);
        const std::string bytes = readFile(fixture.file());
        std::size_t at = 0;
        auto db = SqliteDb::openUnpacked([&](std::span<std::byte> buffer) -> Result<std::size_t> {
            const std::size_t count = std::min({buffer.size(), bytes.size() - at, std::size_t{1000}});
            std::memcpy(buffer.data(), bytes.data() + at, count);
            at += count;
            return count;
        });
        QVERIFY(bool(db));
        QCOMPARE(countRows(*db, "t"), std::int64_t{1000});
    }
};

LACUNA_TEST(TstSqliteDb, "tst_sqlite_db")

} // namespace tst_sqlite_db

#include "tst_sqlite_db.moc"
