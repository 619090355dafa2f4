// Roofline coordinates worked by hand from the figures that the vendor's raw page prints.

#include "core/base/si_text.h"
#include "core/ncu/read_ncu.h"
#include "core/ncu/roofline.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace tst_roofline {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::shared_ptr<const NcuFile> capture(const char* name) {
    JobControl job;
    const auto file = readNcu(fixture(std::string("captured/ncu/") + name), job);
    return file ? *file : nullptr;
}

const RooflinePoint* pointOf(const Roofline& roofline, std::size_t kernel, const char* precision,
                             RoofLevel level) {
    const auto at = std::find_if(roofline.points.begin(), roofline.points.end(), [&](const RooflinePoint& p) {
        return p.kernel == kernel && p.precision == precision && p.level == level;
    });
    return at == roofline.points.end() ? nullptr : &*at;
}

bool near(double value, double expected, double share) {
    return std::abs(value - expected) <= std::abs(expected) * share;
}

NcuFile made(const std::vector<std::vector<std::pair<std::string, double>>>& kernels) {
    NcuFile file;
    for (const auto& metrics : kernels) {
        NcuKernel& kernel = file.kernels.emplace_back();
        for (const auto& [name, value] : metrics)
            kernel.metrics.push_back({file.strings.intern(name), {}, {}, value});
    }
    finishNcuFile(file);
    return file;
}

// A machine of 1 TFLOP/s and 100 GB/s: 500 fused operations a cycle at 1 GHz, 100 bytes a cycle at 1 GHz.
std::vector<std::pair<std::string, double>> kernelWith(double ffmaPerCycle, double bytesPerSecond) {
    return {{"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed", ffmaPerCycle},
            {"sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained", 500},
            {"sm__cycles_elapsed.avg.per_second", 1e9},
            {"dram__bytes.sum.per_second", bytesPerSecond},
            {"dram__bytes.sum.peak_sustained", 100},
            {"dram__cycles_elapsed.avg.per_second", 1e9}};
}

} // namespace

class TstRoofline : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // fma_bound: (0.969708 + 0 + 2 x 15515.334497) a cycle x 1.979077 GHz = 61,414.0 GFLOP/s;
    // peak 2 x 16896 x 1.979077 GHz = 66,877.0 GFLOP/s; 91.8 %, the vendor's rule says 92 %.
    // bank_conflict: 64.855780 x 1.980000 GHz = 128.4144 GFLOP/s.
    // low_occupancy: 2 x 1251.346576 x 1.968029 GHz = 4,925.37 GFLOP/s over DRAM at 0.000388 TB/s.
    void threeByHand_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("raw page") << "ncu_raw.csv";
        QTest::newRow("report") << "kern.ncu-rep.gz";
    }
    void threeByHand() {
        QFETCH(QString, file);
        const auto ncu = capture(file.toUtf8());
        const Roofline roofline = rooflineOf(*ncu);

        const RooflinePoint* const fma = pointOf(roofline, 2, "FP32", RoofLevel::L2);
        QVERIFY(fma != nullptr);
        QVERIFY(near(fma->flopPerSecond, 61'414.0e9, 1e-5));
        QVERIFY(near(fma->peakFlopPerSecond, 66'877.0e9, 1e-5));
        // L2 traffic 0.000882 TB/s (three printed digits): 61414.0 / 0.882.
        QVERIFY(near(fma->flopPerByte, 69'630.4, 6e-4));
        QVERIFY(!fma->isMemoryRoof());
        QVERIFY(near(fma->headroom(), 1.0890, 1e-4));
        QVERIFY(near(100 / fma->headroom(), 92, 0.005));

        const RooflinePoint* const conflict = pointOf(roofline, 4, "FP32", RoofLevel::L1);
        QVERIFY(near(conflict->flopPerSecond, 128.4144e9, 1e-5));
        QVERIFY(near(conflict->flopPerByte, 128.4144 / 0.25682885677, 1e-5)); // 500.0

        const RooflinePoint* const low = pointOf(roofline, 5, "FP32", RoofLevel::Dram);
        QVERIFY(near(low->flopPerSecond, 4'925.37e9, 1e-5));
        QVERIFY(near(low->flopPerByte, 4'925.37 / 0.388, 2e-3));
        QVERIFY(near(low->peakBytesPerSecond, 1504.0 * 3.194341e9, 1e-6)); // 4.804 TB/s

        const RooflinePoint* const strided = pointOf(roofline, 1, "FP32", RoofLevel::Dram);
        QVERIFY(strided->isMemoryRoof());
        QVERIFY(near(strided->flopPerByte, 10.445499 * 1.985864 / 2654.257, 1e-5));
        QVERIFY(near(strided->headroom(), 1504.0 * 3.199461 / 2654.257, 1e-5)); // DRAM at 55 % of its peak

        // Copies and the pointer chase do no floating-point work.
        QCOMPARE(roofline.withoutWork, (std::vector<std::size_t>{0, 3}));
        QVERIFY(roofline.withoutMetrics.empty());
        QCOMPARE(mainPrecision(roofline), std::string("FP32"));
    }

    // features.md D42.
    void headroomOrder() {
        // Attainable: 1 TFLOP/s above 10 FLOP/byte, else 100 GB/s x intensity.
        const NcuFile file = made({kernelWith(450, 1e9), // 0.9 TFLOP/s of 1: 1.11 times
                                   kernelWith(5, 50e9),  // 10 GFLOP/s at 0.2: 20 attainable, 2 times
                                   kernelWith(50, 2e9),  // 0.1 TFLOP/s at 50: 10 times
                                   {{"gpu__time_duration.sum", 5}}});
        const Roofline roofline = rooflineOf(file);
        const auto ranked = byHeadroom(roofline, "FP32", RoofLevel::Dram);
        QCOMPARE(ranked.size(), 3u);
        QCOMPARE(ranked[0].kernel, 2u);
        QCOMPARE(ranked[1].kernel, 1u);
        QCOMPARE(ranked[2].kernel, 0u);
        QVERIFY(near(ranked[0].headroom(), 10, 1e-12));
        QVERIFY(near(ranked[1].headroom(), 2, 1e-12));
        QVERIFY(ranked[1].isMemoryRoof() && !ranked[0].isMemoryRoof());
        QVERIFY(near(ranked[1].flopPerByte, 0.2, 1e-12));
        QCOMPARE(roofline.withoutMetrics, (std::vector<std::size_t>{3}));
        QVERIFY(byHeadroom(roofline, "FP64", RoofLevel::Dram).empty());
    }

    // FP16 instructions work on two lanes; counts and a duration serve where rates are missing.
    void halfPrecisionAndCounts() {
        auto metrics = kernelWith(0, 1e9);
        metrics.push_back({"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 1000});
        metrics.push_back({"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", 10});
        metrics.push_back({"sm__sass_thread_inst_executed_op_hfma_pred_on.sum.peak_sustained", 500});
        metrics.push_back({"gpu__time_duration.sum", 1000});
        const NcuFile file = made({metrics});
        const Roofline roofline = rooflineOf(file);
        const RooflinePoint* const half = pointOf(roofline, 0, "FP16", RoofLevel::Dram);
        QVERIFY(half != nullptr);
        QVERIFY(near(half->flopPerSecond, (4 * 1000 + 2 * 10) / 1e-6, 1e-12));
        QVERIFY(near(half->peakFlopPerSecond, 4 * 500 * 1e9, 1e-12));
        QCOMPARE(roofline.precisions, (std::vector<std::string>{"FP16"}));
    }

    void tensorWork() {
        auto metrics = kernelWith(1, 1e9);
        metrics.push_back({"sm__ops_path_tensor_src_bf16_dst_fp32.sum.per_cycle_elapsed", 100});
        metrics.push_back({"sm__ops_path_tensor_src_bf16_dst_fp32.sum.peak_sustained", 4000});
        metrics.push_back({"sm__ops_path_tensor_src_fp64.sum.per_cycle_elapsed", 0});
        const Roofline roofline = rooflineOf(made({metrics}));
        QCOMPARE(roofline.precisions, (std::vector<std::string>{"FP32", "tensor bf16_dst_fp32"}));
        QVERIFY(
            near(pointOf(roofline, 0, "tensor bf16_dst_fp32", RoofLevel::Dram)->flopPerSecond, 1e11, 1e-12));
    }

    void withoutCounters() {
        const Roofline roofline = rooflineOf(*capture("ncu_default_page.csv"));
        QVERIFY(roofline.points.empty());
        QCOMPARE(roofline.withoutMetrics.size(), 6u);
        QVERIFY(mainPrecision(roofline).empty());
    }

    void numbers() {
        QCOMPARE(siText(66'877.0e9, "FLOP/s"), std::string("66.9 TFLOP/s"));
        QCOMPARE(siText(4.8125e12, "B/s"), std::string("4.81 TB/s"));
        QCOMPARE(siText(999.6, "B"), std::string("1.00 kB"));
        QCOMPARE(siText(0, "B"), std::string("0 B"));
        QCOMPARE(threeDigits(0.00781), std::string("0.0078"));
        QCOMPARE(threeDigits(0.123), std::string("0.123"));
        QCOMPARE(threeDigits(1.0889), std::string("1.09"));
        QCOMPARE(threeDigits(9999), std::string("10\u2009000"));
        QCOMPARE(threeDigits(69'630), std::string("69\u2009600"));
    }
};

LACUNA_TEST(TstRoofline, "tst_roofline")

} // namespace tst_roofline

#include "tst_roofline.moc"
