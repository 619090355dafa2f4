// Whole columns read again from an export: from the pages of the file where many rows are wanted, else by
// SQLite.

#include "core/import/load_trace.h"
#include "core/import/table_columns.h"
#include "tests/support/sqlite_fixture.h"
#include "tests/support/test_main.h"

#include <array>
#include <memory>

namespace tst_table_columns {

using namespace lacuna;
using namespace lacuna::test;

namespace {

constexpr std::int64_t kRows = 20'000;
constexpr std::array<std::string_view, 3> kAsked = {"returnValue", "noSuchColumn", "correlationId"};

using Seen = std::vector<std::array<std::int64_t, 4>>; // row and values

// Row n: return value n * 3, NULL for every seventh; correlation id n.
Seen expected(const std::vector<TableColumns::RowSpan>& spans) {
    Seen rows;
    for (const auto& span : spans)
        for (std::int64_t n = span.first; n <= span.last && n <= kRows; ++n)
            rows.push_back({n, n % 7 == 0 ? TableColumns::kNoValue : n * 3, TableColumns::kNoValue, n});
    return rows;
}

} // namespace

class TstTableColumns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void rows_areThoseOfTheSpans_data();
    void rows_areThoseOfTheSpans();
    void missingTable_hasNoRows();
    void cancel_stops();

private:
    std::unique_ptr<SqliteFixture> m_fixture;
    std::shared_ptr<DetailReader> m_details;
    TableColumns* m_tables = nullptr;
};

void TstTableColumns::initTestCase() {
    m_fixture = std::make_unique<SqliteFixture>(
        std::string(nsysSchema()) +
        "INSERT INTO StringIds VALUES (1, 'cudaMalloc');"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT i * 10, i * 10 + 5, 0, 281483348541939, i, 1, "
        "CASE WHEN i % 7 = 0 THEN NULL ELSE i * 3 END, NULL FROM n;");
    JobControl job;
    const auto loaded = loadTrace(m_fixture->file(), builtinImporters(), job);
    QVERIFY(loaded);
    m_details = loaded->details;
    m_tables = dynamic_cast<TableColumns*>(m_details.get());
    QVERIFY(m_tables != nullptr);
    QCOMPARE(m_tables->tableName(0), std::string("CUPTI_ACTIVITY_KIND_RUNTIME"));
    QCOMPARE(m_tables->tableName(10'000), std::string());
}

void TstTableColumns::rows_areThoseOfTheSpans_data() {
    using Spans = std::vector<TableColumns::RowSpan>;
    QTest::addColumn<Spans>("spans");
    QTest::newRow("few, by SQLite") << Spans{{5, 9}, {11, 11}, {19'999, 30'000}};
    QTest::newRow("many, from pages") << Spans{{5, 9}, {100, 15'000}, {15'002, 15'002}, {19'990, 30'000}};
    QTest::newRow("beyond the end") << Spans{{20'001, 40'000}};
    QTest::newRow("all") << Spans{};
}

void TstTableColumns::rows_areThoseOfTheSpans() {
    QFETCH(std::vector<TableColumns::RowSpan>, spans);
    Seen seen;
    JobControl job;
    const Status done = m_tables->scan(
        "CUPTI_ACTIVITY_KIND_RUNTIME", kAsked, spans,
        [&seen](std::int64_t row, std::span<const std::int64_t> values) {
            seen.push_back({row, values[0], values[1], values[2]});
        },
        job);
    QVERIFY(done);
    if (spans.empty())
        spans.push_back({1, kRows});
    QVERIFY(seen == expected(spans));
}

void TstTableColumns::missingTable_hasNoRows() {
    JobControl job;
    QVERIFY(m_tables->scan(
        "NO_SUCH_TABLE", kAsked, {}, [](std::int64_t, std::span<const std::int64_t>) { QFAIL("a row"); },
        job));
}

void TstTableColumns::cancel_stops() {
    JobControl job;
    job.cancelAtPoll(3);
    std::int64_t rows = 0;
    const Status done = m_tables->scan(
        "CUPTI_ACTIVITY_KIND_RUNTIME", kAsked, {},
        [&rows](std::int64_t, std::span<const std::int64_t>) { ++rows; }, job);
    QVERIFY(!done);
    QCOMPARE(done.error().code, Errc::Cancelled);
    QVERIFY(rows < kRows);
}

LACUNA_TEST(TstTableColumns, "tst_table_columns")

} // namespace tst_table_columns

#include "tst_table_columns.moc"
