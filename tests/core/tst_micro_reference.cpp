// M1..M18 of analysis.md section 6 against the answers of the independent reference (M*.ref.out.json): every
// member of those files. Causes, cuts and pieces: tst_gap_micro.

#include "tests/support/oracles.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <set>

namespace tst_micro_reference {

using namespace lacuna;
using namespace lacuna::test;
using nlohmann::json;

namespace {

json membersOf(const json& object, std::initializer_list<const char*> keys) {
    json part = json::object();
    for (const char* const key : keys)
        if (object.contains(key))
            part[key] = object.at(key);
    return part;
}

const std::initializer_list<const char*> kInventory{
    "n_trace_events",  "ph_counts",       "X_cat_counts",
    "max_decimals_us", "X_unusable",      "host_partial_overlaps",
    "gpu_ops",         "last_end_rel_ns", "gpu_ops_without_host_launch"};
const std::initializer_list<const char*> kTimeline{"ops",
                                                   "first_start_rel_ns",
                                                   "last_end_rel_ns",
                                                   "span_ns",
                                                   "sum_durations_ns",
                                                   "busy_union_ns",
                                                   "idle_ns",
                                                   "compute_union_ns",
                                                   "compute_ops",
                                                   "comm_union_ns",
                                                   "comm_ops",
                                                   "memcpy_union_ns",
                                                   "memcpy_ops",
                                                   "memset_union_ns",
                                                   "memset_ops",
                                                   "memory_union_ns",
                                                   "comm_and_compute_ns",
                                                   "memory_and_compute_ns",
                                                   "memory_and_comm_ns",
                                                   "exposed_comm_ns",
                                                   "exposed_memory_ns"};
const std::initializer_list<const char*> kGaps{"gaps",          "gaps_ge_1us",  "gaps_ge_10us",
                                               "gaps_ge_100us", "largest_gaps", "idle_split"};

void compareDevice(const OracleTrace& loaded, const json& expected, Differences& differences) {
    const DeviceId device = deviceOfOrdinal(*loaded.trace, expected.at("device").get<std::int64_t>());
    if (!device)
        return differences.add(QStringLiteral("device is missing"));
    compareDeviceTimeline(loaded, device, membersOf(expected, kTimeline), differences);
    compareDeviceGaps(loaded, device, membersOf(expected, kGaps), differences);
    compareStreams(loaded, device, expected.at("streams"), differences);
    compareKernels(loaded, device, expected, differences);
}

} // namespace

class TstMicroReference : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cases_agree_data();
    void cases_agree();
};

void TstMicroReference::cases_agree_data() {
    QTest::addColumn<int>("number");
    for (int k = 1; k <= 18; ++k)
        QTest::newRow(qPrintable(QStringLiteral("M%1").arg(k))) << k;
}

void TstMicroReference::cases_agree() {
    QFETCH(int, number);
    const std::string base = "micro/M" + std::to_string(number);
    const json expected = json::parse(readFile(fixture(base + ".ref.out.json")));
    const OracleTrace& loaded = oracleTrace(fixture(base + ".json"));
    QVERIFY2(loaded.trace && loaded.tree, qPrintable(loaded.error));
    Differences differences;
    compareInventory(loaded, membersOf(expected, kInventory), differences);
    compareHostThreads(loaded, expected.at("threads"), differences);
    compareOperators(loaded, OperatorOrder::HostSelf, expected.at("ops_by_self_host"), differences);
    compareOperators(loaded, OperatorOrder::DeviceSelf, expected.at("ops_by_self_device"), differences);
    compareOperatorTotals(loaded, expected.at("cpu_op_totals"), differences);
    compareOutsideOperators(loaded, expected, differences);
    if (expected.contains("launch"))
        compareLaunchPairs(loaded, expected.at("launch"), differences);
    for (const json& device : expected.at("devices"))
        compareDevice(loaded, device, differences);
    differences.compare(QStringLiteral("devices"), static_cast<std::int64_t>(loaded.trace->devices().size()),
                        json(expected.at("devices").size()));
    QVERIFY2(differences.isEmpty(), qPrintable(differences.text()));
}

LACUNA_TEST(TstMicroReference, "tst_micro_reference")

} // namespace tst_micro_reference

#include "tst_micro_reference.moc"
