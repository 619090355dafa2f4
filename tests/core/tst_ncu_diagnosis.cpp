// What is said of the six captured kernels, with the figures of the vendor's CSV, and the rules one by one.

#include "core/ncu/kernel_diagnosis.h"
#include "core/ncu/read_ncu.h"
#include "tests/support/ncu_table.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace tst_ncu_diagnosis {

using namespace lacuna;
using namespace lacuna::test;

namespace {

enum Captured : std::size_t { Coalesced, Strided, FmaLoop, PointerChase, BankConflict, LowOccupancy };

std::shared_ptr<const NcuFile> capture(const char* name) {
    JobControl job;
    const auto file = readNcu(fixture(std::string("captured/ncu/") + name), job);
    return file ? *file : nullptr;
}

// A file of one kernel with these metrics.
NcuFile made(const std::vector<std::pair<std::string, double>>& metrics) {
    NcuFile file;
    NcuKernel& kernel = file.kernels.emplace_back();
    for (const auto& [name, value] : metrics)
        kernel.metrics.push_back({file.strings.intern(name), {}, {}, value});
    finishNcuFile(file);
    return file;
}

bool has(const KernelDiagnosis& of, FindingCode code) {
    return std::any_of(of.findings.begin(), of.findings.end(),
                       [code](const KernelFinding& f) { return f.code == code; });
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

const std::string kSm = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
const std::string kDram = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";

} // namespace

class TstNcuDiagnosis : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sixKernels_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("raw page") << "ncu_raw.csv";
        QTest::newRow("report") << "kern.ncu-rep.gz";
    }
    void sixKernels() {
        QFETCH(QString, file);
        const auto ncu = capture(file.toUtf8());
        QVERIFY(ncu);
        const auto of = [&](Captured k) { return diagnose(*ncu, ncu->kernels[k]); };

        const KernelDiagnosis coalesced = of(Coalesced); // at the memory roof, its float4 loads are fine
        QCOMPARE(*coalesced.bound, Bound::Memory);
        QVERIFY(has(coalesced, FindingCode::MemoryRoof) && !has(coalesced, FindingCode::PoorCoalescing));
        QVERIFY(contains(coalesced.verdict, "near the memory roof"));
        QVERIFY(contains(coalesced.action, "fewer bytes"));

        const KernelDiagnosis strided = of(Strided);
        QCOMPARE(*strided.bound, Bound::Memory);
        QCOMPARE(strided.findings.front().code, FindingCode::PoorCoalescing);
        QVERIFY(contains(strided.action, "32.0 sectors per request"));
        QVERIFY(contains(strided.action, "88 % of the sectors are excess")); // the vendor's rule says 88 %
        QVERIFY(contains(strided.action, "neighbouring"));

        const KernelDiagnosis fma = of(FmaLoop);
        QCOMPARE(*fma.bound, Bound::Compute);
        QVERIFY(fma.findings.empty());
        QVERIFY(contains(fma.action, "lower precision"));
        QCOMPARE(fma.stalls.reasons.front().id, std::string_view("not_selected")); // largest, but no stall
        QCOMPARE(fma.stalls.top()->id, std::string_view("wait"));

        const KernelDiagnosis chase = of(PointerChase);
        QCOMPARE(*chase.bound, Bound::Latency);
        QCOMPARE(chase.stalls.top()->id, std::string_view("long_scoreboard"));
        QVERIFY(has(chase, FindingCode::SmallGrid) && has(chase, FindingCode::TopStall));
        QVERIFY(contains(chase.action, "1 block for 132 multiprocessors"));
        QVERIFY(contains(chase.action, "Long Scoreboard, 12.42 cycles per issued instruction"));

        const KernelDiagnosis conflict = of(BankConflict);
        QCOMPARE(*conflict.bound, Bound::Latency);
        QCOMPARE(conflict.stalls.top()->id, std::string_view("short_scoreboard"));
        QCOMPARE(conflict.findings.front().code, FindingCode::BankConflicts);
        QVERIFY(contains(conflict.action, "97 % of the shared-memory wavefronts"));
        QVERIFY(contains(conflict.action, "Short Scoreboard"));

        const KernelDiagnosis low = of(LowOccupancy);
        QCOMPARE(*low.bound, Bound::Latency);
        QCOMPARE(low.findings.front().code, FindingCode::LowOccupancy);
        QCOMPARE(low.numbers.limits.limiter(), std::string("shared memory"));
        QVERIFY(contains(low.action, "limited to 3.12 % by shared memory"));
    }

    // The figures are those of the CSV.
    void figures() {
        const auto ncu = capture("ncu_raw.csv");
        const NcuTable table = readNcuTable(readFile(fixture("captured/ncu/ncu_raw.csv")));
        const auto at = [&](std::size_t k, const std::string& column) {
            return printedNumber(table.at(k, column)).value;
        };
        const std::string stall = "smsp__average_warps_issue_stalled_";
        for (std::size_t k = 0; k < 6; ++k) {
            const KernelDiagnosis of = diagnose(*ncu, ncu->kernels[k]);
            QCOMPARE(*of.numbers.smPct, at(k, kSm));
            QCOMPARE(*of.numbers.dramPct, at(k, kDram));
            QCOMPARE(*of.numbers.occupancyPct, at(k, "sm__warps_active.avg.pct_of_peak_sustained_active"));
            QCOMPARE(*of.numbers.theoreticalOccupancyPct, at(k, "sm__maximum_warps_per_active_cycle_pct"));
            QCOMPARE(static_cast<double>(*of.numbers.durationNs),
                     std::round(at(k, "gpu__time_duration.sum") * 1e6));
            const double requests = at(k, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
            QCOMPARE(of.numbers.loadSectorsPerRequest.has_value(), requests > 0);
            if (requests > 0)
                QCOMPARE(*of.numbers.loadSectorsPerRequest,
                         at(k, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") / requests);
            QCOMPARE(of.stalls.measure, StallMeasure::CyclesPerIssue);
            QCOMPARE(of.stalls.reasons.size(), 19u);
            double sum = 0;
            for (const Stall& reason : of.stalls.reasons) {
                QVERIFY2(reason.reason != nullptr, std::string(reason.id).c_str());
                QCOMPARE(reason.value, at(k, stall + std::string(reason.id) + "_per_issue_active.ratio"));
                sum += reason.value;
            }
            // nsys.md 10.3: they add up to about the warp cycles per issued instruction.
            const double whole = at(k, "smsp__average_warp_latency_per_inst_issued.ratio");
            QVERIFY(std::abs(sum - whole) < 0.35 * whole);
        }
        QVERIFY(missingNumbers(*ncu).empty());
    }

    void otherPages() {
        const auto five = capture("ncu_five_metrics.csv");
        const KernelDiagnosis coalesced = diagnose(*five, five->kernels[Coalesced]);
        QCOMPARE(*coalesced.bound, Bound::Memory);
        QCOMPARE(*coalesced.numbers.loadSectorsPerRequest, 16.0);
        QVERIFY(has(coalesced, FindingCode::WideAccesses)); // nothing in these metrics tells how wide
        QVERIFY(has(diagnose(*five, five->kernels[Strided]), FindingCode::PoorCoalescing));
        QCOMPARE(missingNumbers(*five), std::string("Not in the file: stall reasons."));
        const auto brief = capture("ncu_default_page.csv");
        const std::array<Bound, 6> expected{Bound::Memory,  Bound::Memory,  Bound::Compute,
                                            Bound::Latency, Bound::Latency, Bound::Latency};
        for (std::size_t k = 0; k < 6; ++k) {
            QCOMPARE(*diagnose(*brief, brief->kernels[k]).bound, expected[k]);
            QCOMPARE(*diagnose(*five, five->kernels[k]).bound, expected[k]);
        }
        QVERIFY(contains(missingNumbers(*brief), "achieved occupancy, sectors per request, stall reasons"));
    }

    // features.md D21 to D23.
    void table_data() {
        QTest::addColumn<double>("sm");
        QTest::addColumn<double>("dram");
        QTest::addColumn<QString>("bound");
        QTest::addColumn<QString>("action");
        QTest::newRow("D21") << 85.0 << 30.0 << "compute bound"
                             << "lower precision";
        QTest::newRow("D22") << 30.0 << 85.0 << "memory bound"
                             << "fewer bytes";
        QTest::newRow("D23 low") << 20.0 << 20.0 << "latency bound"
                                 << "Look at the stall reasons";
        QTest::newRow("D23 high") << 85.0 << 85.0 << "balanced"
                                  << "Well balanced";
        QTest::newRow("D30") << 12.0 << 71.0 << "memory bound"
                             << "Near the memory roof";
    }
    void table() {
        QFETCH(double, sm);
        QFETCH(double, dram);
        QFETCH(QString, bound);
        QFETCH(QString, action);
        const NcuFile file = made({{kSm, sm}, {kDram, dram}});
        const KernelDiagnosis of = diagnose(file, file.kernels[0]);
        QCOMPARE(std::string(boundName(*of.bound)), bound.toStdString());
        QVERIFY2(contains(of.action, action.toStdString()), of.action.c_str());
    }

    void unknownBound() {
        const NcuFile file = made({{kSm, 85}});
        const KernelDiagnosis of = diagnose(file, file.kernels[0]);
        QVERIFY(!of.bound);
        QVERIFY(of.action.empty());
        QVERIFY(contains(of.verdict, "No diagnosis"));
    }

    // features.md D20 and D30.
    void sectors() {
        const auto ratio = [](double sectors, double requests) {
            const NcuFile file = made({{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", sectors},
                                       {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", requests}});
            return numbersOf(file, file.kernels[0]);
        };
        QCOMPARE(*ratio(400, 100).loadSectorsPerRequest, 4.0);
        QVERIFY(contains(coalescingText(ratio(400, 100)), "4.0 sectors per request, ideal"));
        QCOMPARE(*ratio(1600, 100).loadSectorsPerRequest, 16.0);
        QVERIFY(contains(coalescingText(ratio(1600, 100)), "ideal for accesses of 16 bytes"));
        QVERIFY(isPoorlyCoalesced(ratio(3200, 100)));
        QVERIFY(!ratio(0, 0).loadSectorsPerRequest);
    }

    // Six reasons, the last two are no problems.
    void d25_stallTable() {
        for (const char* id : {"long_scoreboard", "short_scoreboard", "barrier", "mio_throttle"}) {
            const StallReason* const reason = findStallReason(id);
            QVERIFY(reason != nullptr && !reason->isHealthy && reason->isStall);
            QVERIFY(!reason->meaning.empty() && !reason->action.empty());
        }
        QVERIFY(findStallReason("math_pipe_throttle")->isHealthy);
        QVERIFY(findStallReason("not_selected")->isHealthy);
        QVERIFY(findStallReason("selected")->isHealthy && !findStallReason("selected")->isStall);
        QVERIFY(findStallReason("never_heard_of") == nullptr);
    }

    void otherStallForms() {
        const NcuFile samples = made({{"smsp__pcsamp_warps_issue_stalled_wait", 30},
                                      {"smsp__pcsamp_warps_issue_stalled_selected", 60},
                                      {"smsp__pcsamp_warps_issue_stalled_brand_new", 10},
                                      {"smsp__pcsamp_warps_issue_stalled_wait_not_issued", 25}});
        const Stalls sampled = stallsOf(samples, samples.kernels[0]);
        QCOMPARE(sampled.measure, StallMeasure::Samples);
        QCOMPARE(sampled.reasons.size(), 3u);
        QCOMPARE(sampled.top()->id, std::string_view("wait"));
        QCOMPARE(sampled.top()->value, 30.0);
        QVERIFY(sampled.reasons[2].reason == nullptr); // kept under its own name
        // Sampled metrics write one reason in the plural: it is the same reason.
        const NcuFile plural = made({{"smsp__pcsamp_warps_issue_stalled_no_instructions", 5}});
        QCOMPARE(stallsOf(plural, plural.kernels[0]).reasons[0].reason, findStallReason("no_instruction"));
        QVERIFY(findStallReason("no_instruction") != nullptr);
        const NcuFile shares = made({{"smsp__warp_issue_stalled_barrier_per_warp_active.pct", 40}});
        QCOMPARE(stallsOf(shares, shares.kernels[0]).measure, StallMeasure::ShareOfCycles);
        QCOMPARE(stallsOf(made({}), NcuKernel{}).measure, StallMeasure::None);
    }

    void limiters() {
        OccupancyLimits limits;
        QVERIFY(limits.limiter().empty() && !limits.least());
        limits = {8, 4, 16, 32, {}};
        QCOMPARE(limits.limiter(), std::string("shared memory"));
        limits = {8, 16, 8, 32, {}};
        QCOMPARE(limits.limiter(), std::string("registers and warps"));
    }
};

LACUNA_TEST(TstNcuDiagnosis, "tst_ncu_diagnosis")

} // namespace tst_ncu_diagnosis

#include "tst_ncu_diagnosis.moc"
