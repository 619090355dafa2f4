// Every gap_attribution row of the independent reference whose trace is stored here, tolerance 0.

#include "tests/support/gap_reference.h"
#include "tests/support/test_main.h"

namespace tst_gap_oracles {

using namespace lacuna;
using namespace lacuna::test;

namespace {

constexpr std::size_t kStoredRows = 9; // of 11: the files of two are not stored

std::vector<OracleRow> storedRows() {
    std::vector<OracleRow> rows = exactOracles();
    std::erase_if(rows, [](const OracleRow& row) {
        return row.analysis != "gap_attribution" || !oracleFiles().contains(row.sha256);
    });
    return rows;
}

// The two files in which ours finds waits that the reference does not: analysis.md 4.4.
std::int64_t hiddenDrainNs(const OracleRow& row) {
    if (row.file.find("/cuda_event_sync/") != std::string::npos)
        return 100'000;
    return row.file.find("negative_queue") != std::string::npos ? 3'223'000 : 0;
}

} // namespace

class TstGapOracles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rows_agree_data();
    void rows_agree();
};

void TstGapOracles::rows_agree_data() {
    QTest::addColumn<int>("index");
    if (!haveOracleFiles())
        LACUNA_SKIP("the public traces are not here");
    const std::vector<OracleRow> rows = storedRows();
    QCOMPARE(rows.size(), kStoredRows);
    for (std::size_t i = 0; i < rows.size(); ++i)
        QTest::newRow(rows[i].id.c_str()) << static_cast<int>(i);
}

void TstGapOracles::rows_agree() {
    QFETCH(int, index);
    const OracleRow row = storedRows()[static_cast<std::size_t>(index)];
    const OracleTrace& file = oracleTrace(oracleFiles().at(row.sha256));
    QVERIFY2(file.trace, qPrintable(file.error));
    const DeviceId device = deviceOfOrdinal(*file.trace, row.parameters.at("device").get<std::int64_t>());
    const auto analysis = analyseAsReference(file.trace);
    QVERIFY(analysis && device);
    Differences differences;
    compareGapReference(*analysis, device, row.expected, hiddenDrainNs(row), differences);
    QVERIFY2(differences.isEmpty(), qPrintable(differences.text()));
}

LACUNA_TEST(TstGapOracles, "tst_gap_oracles")

} // namespace tst_gap_oracles

#include "tst_gap_oracles.moc"
