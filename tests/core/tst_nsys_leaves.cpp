// Tables decoded from their pages hold what SQLite answers, row by row, and what pages cannot tell is left to
// SQLite. The reference is a statement over the same file.

#include "core/import/nsys/leaf_table.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"

#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace tst_nsys_leaves {

using namespace lacuna;
using namespace lacuna::nsys;
using namespace lacuna::test;

namespace {

using Wanted = std::vector<std::string_view>;

const Wanted kColumns{"a", "", "t", "c", "late"};
constexpr std::size_t kText = 2; // place of t in kColumns

TableQuery queryOf(const Wanted& wanted) {
    TableQuery query{"SELECT rowid", {}};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        query.isText.push_back(i == kText);
        query.sql.append(", ").append(wanted[i].empty() ? "NULL" : wanted[i]);
    }
    query.sql += " FROM T";
    return query;
}

// One row as text: numbers, quoted text, "null" and "other".
std::string rowText(const RowBatch& batch, std::size_t row, const TableQuery& query) {
    std::string text = std::to_string(batch.rowid(row)) + ":";
    for (std::size_t c = 0; c < query.isText.size(); ++c) {
        if (batch.isNull(row, c))
            text += " null";
        else if (query.isText[c])
            text.append(" '").append(batch.text(row, c)).append("'");
        else
            text += batch.isInteger(row, c) ? " " + std::to_string(batch.integer(row, c)) : " other";
    }
    return text;
}

struct Rows {
    std::vector<std::string> rows;
    std::size_t fromPages = 0;
    bool isComplete = true;
};

void addRows(TableScan& scan, const TableQuery& query, Rows& into) {
    RowBatch batch;
    TableScan::State state{};
    do {
        state = scan.fill(batch, query);
        for (std::size_t row = 0; row < batch.rows(); ++row)
            into.rows.push_back(rowText(batch, row, query));
    } while (state == TableScan::State::More);
    into.isComplete = into.isComplete && state == TableScan::State::Done;
}

// As SQLite alone reads the table.
Rows bySqlite(SqliteDb& db, const TableQuery& query) {
    Rows result;
    auto scan = TableScan::all(db, query);
    if (scan)
        addRows(*scan, query, result);
    return result;
}

std::unique_ptr<const LeafTable> leavesOf(SqliteDb& db, const SqlitePages& pages,
                                          const Wanted& wanted = kColumns) {
    const JobControl job;
    return LeafTable::find(db, pages, *db.table("T"), wanted, queryOf(wanted), job, 1);
}

// Piece by piece, what is left of one by SQLite, as the pool does it.
Rows byPages(SqliteDb& db, const LeafTable& table, const TableQuery& query) {
    Rows result;
    RowBatch batch;
    std::vector<unsigned char> buffer;
    for (std::size_t piece = 0; piece < table.pieces(); ++piece) {
        const auto rest = table.read(piece, batch, buffer);
        for (std::size_t row = 0; row < batch.rows(); ++row)
            result.rows.push_back(rowText(batch, row, query));
        result.fromPages += batch.rows();
        if (!rest)
            continue;
        auto scan = TableScan::ranges(db, query);
        if (!scan)
            break;
        scan->setRange(rest->first, rest->last);
        addRows(*scan, query, result);
    }
    return result;
}

// Values of every kind that a record knows; b is never asked for.
std::string randomValue(std::mt19937& random) {
    switch (random() % 12) {
    case 0:
        return "NULL";
    case 1:
        return "0";
    case 2:
        return "1";
    case 3:
        return std::to_string(random() % 1000) + ".0"; // a whole number, stored as such or as a double
    case 4:
        return "2.5";
    case 5:
        return "'12'"; // the column's type makes a number of it, or not
    case 6:
        return "x'00ff'";
    default:
        break;
    }
    const auto bits = static_cast<int>(random() % 63);
    const auto number =
        static_cast<std::int64_t>((std::uint64_t{random()} << 32 | random()) >> (63 - bits) >> 1);
    return std::to_string(random() % 2 == 0 ? number : -number);
}

std::string randomText(std::mt19937& random) {
    const std::size_t length =
        random() % 50 == 0 ? random() % 9000 : random() % 40; // some lie on several pages
    return random() % 9 == 0 ? "NULL"
                             : "'" + std::string(length, static_cast<char>('a' + random() % 26)) + "'";
}

// columns: the declaration of table T.
SqliteFixture randomTable(int pageSize, std::string_view columns, std::uint32_t seed, int rows) {
    std::mt19937 random(seed);
    std::string sql =
        "PRAGMA page_size = " + std::to_string(pageSize) + "; CREATE TABLE T(" + std::string(columns) + ");";
    std::int64_t rowid = -500;
    for (int i = 0; i < rows; ++i) {
        rowid += random() % 100 == 0 ? 1'000'000 : static_cast<std::int64_t>(1 + random() % 2);
        sql += "INSERT INTO T (rowid, a, b, t, c) VALUES (" + std::to_string(rowid) + ", " +
               randomValue(random) + ", " + randomValue(random) + ", " + randomText(random) + ", " +
               randomValue(random) + ");";
    }
    sql += "DELETE FROM T WHERE rowid % 7 = 3; ALTER TABLE T ADD COLUMN late INTEGER;"
           "UPDATE T SET late = rowid * 3 WHERE rowid % 5 = 0";
    return SqliteFixture(sql);
}

} // namespace

class TstNsysLeaves : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rows_areThoseOfAStatement_data() {
        QTest::addColumn<int>("pageSize");
        QTest::addColumn<QByteArray>("columns");
        for (const int pageSize : {512, 1024, 4096, 65536})
            for (const char* columns : {"a INTEGER, b INTEGER, t TEXT, c INTEGER", "a, b, t, c",
                                        "a TEXT, b REAL, t TEXT, c NUMERIC",
                                        "id INTEGER PRIMARY KEY, a INT, b TEXT, t VARCHAR(9), c BLOB"})
                QTest::addRow("%d: %s", pageSize, columns) << pageSize << QByteArray(columns);
    }
    void rows_areThoseOfAStatement() {
        QFETCH(int, pageSize);
        QFETCH(QByteArray, columns);
        const SqliteFixture file =
            randomTable(pageSize, columns.toStdString(), 7u + static_cast<unsigned>(pageSize), 4000);
        auto db = SqliteDb::open(file.file());
        QVERIFY(bool(db));
        const auto pages = SqlitePages::open(*db);
        QVERIFY(pages.has_value());
        QCOMPARE(pages->pageSize(), static_cast<std::size_t>(pageSize));
        const auto table = leavesOf(*db, *pages);
        QVERIFY(table != nullptr);
        const TableQuery query = queryOf(kColumns);
        const Rows expected = bySqlite(*db, query);
        const Rows got = byPages(*db, *table, query);
        QCOMPARE(got.rows.size(), expected.rows.size());
        for (std::size_t row = 0; row < got.rows.size(); ++row)
            QCOMPARE(got.rows[row], expected.rows[row]);
        QVERIFY(got.fromPages > 0); // else it proves nothing
    }

    // Nothing unusual in it: not one row is left to SQLite, whatever the size of the numbers.
    void plainTable_isReadFromPagesAlone() {
        const SqliteFixture file(
            "CREATE TABLE T(a INTEGER, b INTEGER, t TEXT, c INTEGER, late REAL);"
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
            "INSERT INTO T SELECT 1 << (i % 63), -i, 'text ' || i, -(1 << (i % 63)), 1.5 FROM n");
        auto db = SqliteDb::open(file.file());
        const auto pages = SqlitePages::open(*db);
        const Wanted wanted{"a", "b", "t", "c"};
        const auto table = leavesOf(*db, *pages, wanted);
        QVERIFY(table != nullptr && table->pieces() > 1);
        const Rows got = byPages(*db, *table, queryOf(wanted));
        QCOMPARE(got.fromPages, std::size_t{20'000});
        QCOMPARE(got.rows[61], std::string("62: 4611686018427387904 -62 'text 62' -4611686018427387904"));
        QVERIFY(got.rows == bySqlite(*db, queryOf(wanted)).rows);
    }

    void tables_thatPagesCannotTell_areLeftToSqlite_data() {
        QTest::addColumn<QByteArray>("sql");
        const auto row = [](const char* name, const char* sql) { QTest::newRow(name) << QByteArray(sql); };
        row("no rowid", "CREATE TABLE T(a INTEGER PRIMARY KEY, t, c, late) WITHOUT ROWID");
        row("wanted key", "CREATE TABLE T(a INTEGER PRIMARY KEY, t, c, late)");
        row("computed", "CREATE TABLE T(a INTEGER, t, c, x INTEGER AS (a + 1), late)");
        row("default", "CREATE TABLE T(a INTEGER, t, c); INSERT INTO T VALUES (1, 2, 3);"
                       "ALTER TABLE T ADD COLUMN late INTEGER DEFAULT 5");
        row("doubles", "CREATE TABLE T(a DOUBLE, t, c, late)");
        row("column rowid", "CREATE TABLE T(a, t, c, late, rowid)");
        row("UTF-16", "PRAGMA encoding = 'UTF-16'; CREATE TABLE T(a, t, c, late)");
        row("no such column", "CREATE TABLE T(a, t, c)");
    }
    void tables_thatPagesCannotTell_areLeftToSqlite() {
        QFETCH(QByteArray, sql);
        const SqliteFixture file(sql.toStdString());
        auto db = SqliteDb::open(file.file());
        QVERIFY(bool(db));
        const auto pages = SqlitePages::open(*db);
        QVERIFY(!pages || leavesOf(*db, *pages) == nullptr);
    }

    void changesBesideTheFile_areLeftToSqlite() {
        SqliteFixture file("CREATE TABLE T(a, t, c, late); INSERT INTO T VALUES (1, 2, 3, 4)");
        file.runIntoLog("UPDATE T SET a = 9");
        auto db = SqliteDb::open(file.file());
        QVERIFY(bool(db));
        QVERIFY(!SqlitePages::open(*db));
        QVERIFY(bySqlite(*db, queryOf(kColumns)).rows.front().starts_with("1: 9"));
    }

    // A leaf that is overwritten: the rows before it come from pages, those after it too.
    void damagedPage_isLeftToSqlite() {
        SqliteFixture file = randomTable(4096, "a INTEGER, b INTEGER, t TEXT, c INTEGER", 3, 4000);
        Rows whole;
        {
            auto db = SqliteDb::open(file.file());
            whole = bySqlite(*db, queryOf(kColumns));
        }
        const auto middle = std::filesystem::file_size(file.file()) / 4096 / 2;
        {
            std::fstream out(file.file(), std::ios::in | std::ios::out | std::ios::binary);
            out.seekp(static_cast<std::streamoff>(middle * 4096));
            out << std::string(4096, '\xff');
        }
        auto db = SqliteDb::open(file.file());
        const auto pages = SqlitePages::open(*db);
        const auto table = leavesOf(*db, *pages);
        QVERIFY(table != nullptr);
        const Rows sqlite = bySqlite(*db, queryOf(kColumns)), got = byPages(*db, *table, queryOf(kColumns));
        QVERIFY(!sqlite.isComplete && !got.isComplete);
        QVERIFY(got.rows.size() > sqlite.rows.size() && got.rows.size() < whole.rows.size());
        QVERIFY(std::equal(sqlite.rows.begin(), sqlite.rows.end(), got.rows.begin()));
        QVERIFY(std::includes(
            whole.rows.begin(), whole.rows.end(), got.rows.begin(), got.rows.end(),
            [](const std::string& a, const std::string& b) { return std::stoll(a) < std::stoll(b); }));
    }

    // Whatever bytes a file holds: the rows ascend and no memory is touched that is not ours (sanitizers
    // tell).
    void randomDamage_isSurvived() {
        std::size_t fromPages = 0;
        for (unsigned seed = 0; seed < 40; ++seed) {
            const SqliteFixture file = randomTable(512, "a INTEGER, b INTEGER, t TEXT, c INTEGER", seed, 150);
            const auto size = static_cast<unsigned>(std::filesystem::file_size(file.file()));
            {
                std::mt19937 random(seed);
                std::fstream out(file.file(), std::ios::in | std::ios::out | std::ios::binary);
                for (int i = 0; i < 12; ++i) {
                    out.seekp(static_cast<std::streamoff>(512 + random() % (size - 512)));
                    out.put(static_cast<char>(random()));
                }
            }
            auto db = SqliteDb::open(file.file());
            if (!db || db->table("T") == nullptr)
                continue;
            const auto pages = SqlitePages::open(*db);
            const auto table = pages ? leavesOf(*db, *pages) : nullptr;
            if (table == nullptr)
                continue;
            RowBatch batch;
            std::vector<unsigned char> buffer;
            std::int64_t before = INT64_MIN;
            for (std::size_t piece = 0; piece < table->pieces(); ++piece) {
                const auto rest = table->read(piece, batch, buffer);
                const RowRange bounds = table->bounds(piece);
                for (std::size_t row = 0; row < batch.rows(); ++row) {
                    QVERIFY(batch.rowid(row) > before && batch.rowid(row) <= bounds.last);
                    before = batch.rowid(row);
                }
                QVERIFY(!rest || rest->last == bounds.last);
                QVERIFY(!rest || rest->first > before || batch.rows() == 0);
                fromPages += batch.rows();
            }
        }
        QVERIFY(fromPages > 500);
    }
};

LACUNA_TEST(TstNsysLeaves, "tst_nsys_leaves")

} // namespace tst_nsys_leaves

#include "tst_nsys_leaves.moc"
