// Every exact row of the independent reference whose trace is stored here: 117 rows, 106 of them with their
// file. Rows of gap_attribution run in tst_gap_oracles; here they are only counted.

#include "tests/support/oracles.h"
#include "tests/support/test_main.h"

#include <algorithm>

namespace tst_oracles {

using namespace lacuna;
using namespace lacuna::test;

namespace {

constexpr std::size_t kExactRows = 117;
constexpr std::size_t kStoredRows = 106;
constexpr std::string_view kGapAttribution = "gap_attribution"; // tst_gap_oracles

// Rows with their file, those of one file together.
std::vector<OracleRow> storedRows() {
    std::vector<OracleRow> rows = exactOracles();
    std::erase_if(rows, [](const OracleRow& row) { return !oracleFiles().contains(row.sha256); });
    std::stable_sort(rows.begin(), rows.end(),
                     [](const OracleRow& a, const OracleRow& b) { return a.sha256 < b.sha256; });
    return rows;
}

// False when no comparison knows the analysis.
bool compareRow(const OracleRow& row, const OracleTrace& loaded, Differences& differences) {
    if (row.analysis == "inventory")
        compareInventory(loaded, row.expected, differences);
    else if (row.analysis == "host_threads")
        compareHostThreads(loaded, row.expected, differences);
    else if (row.analysis == "op_attribution_by_host_self") {
        compareOperators(loaded, OperatorOrder::HostSelf, row.expected.at("top"), differences);
        compareOperatorTotals(loaded, row.expected.at("totals"), differences);
    } else if (row.analysis == "op_attribution_by_device_self") {
        compareOperators(loaded, OperatorOrder::DeviceSelf, row.expected.at("top"), differences);
        compareOutsideOperators(loaded, row.expected, differences);
    } else if (row.analysis == "launch_pairs")
        compareLaunchPairs(loaded, row.expected, differences);
    else {
        const auto ordinal = row.parameters.at("device").get<std::int64_t>();
        const DeviceId device = deviceOfOrdinal(*loaded.trace, ordinal);
        if (!device)
            differences.add(QStringLiteral("no device %1").arg(ordinal));
        else if (row.analysis == "device_timeline")
            compareDeviceTimeline(loaded, device, row.expected, differences);
        else if (row.analysis == "device_gaps")
            compareDeviceGaps(loaded, device, row.expected, differences);
        else if (row.analysis == "streams")
            compareStreams(loaded, device, row.expected, differences);
        else if (row.analysis == "kernels")
            compareKernels(loaded, device, row.expected, differences);
        else
            return false;
    }
    return true;
}

} // namespace

class TstOracles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fixture_holdsEveryRow();
    void rows_agree_data();
    void rows_agree();
    void everyStoredRow_ran();

private:
    std::size_t m_ran = 0;
};

void TstOracles::fixture_holdsEveryRow() {
    QCOMPARE(exactOracles().size(), kExactRows);
}

void TstOracles::rows_agree_data() {
    QTest::addColumn<int>("index");
    const std::vector<OracleRow> rows = storedRows();
    if (!haveOracleFiles())
        QTest::newRow("public traces are missing") << -1;
    for (std::size_t k = 0; k < rows.size(); ++k)
        if (rows[k].analysis != kGapAttribution)
            QTest::newRow((rows[k].id + " " + rows[k].file).c_str()) << static_cast<int>(k);
}

void TstOracles::rows_agree() {
    QFETCH(int, index);
    if (index < 0)
        LACUNA_SKIP("the public traces are not here");
    static const std::vector<OracleRow> rows = storedRows();
    const OracleRow& row = rows[static_cast<std::size_t>(index)];
    const OracleTrace& loaded = oracleTrace(oracleFiles().at(row.sha256));
    QVERIFY2(loaded.trace && loaded.tree, qPrintable(loaded.error));
    Differences differences;
    QVERIFY2(compareRow(row, loaded, differences), row.analysis.c_str());
    ++m_ran;
    QVERIFY2(differences.isEmpty(), qPrintable(differences.text()));
}

void TstOracles::everyStoredRow_ran() {
    if (!haveOracleFiles())
        LACUNA_SKIP("the public traces are not here");
    const std::vector<OracleRow> rows = storedRows();
    const auto gapRows = static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(), [](const OracleRow& row) { return row.analysis == kGapAttribution; }));
    QVERIFY2(rows.size() >= kStoredRows,
             qPrintable(QStringLiteral("%1 rows have their file").arg(rows.size())));
    QCOMPARE(m_ran + gapRows, rows.size());
}

LACUNA_TEST(TstOracles, "tst_oracles")

} // namespace tst_oracles

#include "tst_oracles.moc"
