// Theoretical occupancy. The header is both the source and, through the limits that the vendor publishes,
// checked: twelve configurations are worked by hand from "Technical Specifications per Compute Capability".
// Without the CUDA Toolkit the answers are none, and these tests are skipped.

#include "core/ncu/occupancy.h"
#include "core/ncu/read_ncu.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QRegularExpression>

#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>
#define HAS_HEADER 1
#else
#define HAS_HEADER 0
#endif

#include <climits>

namespace tst_occupancy {

using namespace lacuna;
using namespace lacuna::test;

class TstOccupancy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void knownGpus_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("multiprocessors"); // 0: not known
        QTest::newRow("A100") << "NVIDIA A100-SXM4-80GB" << 108;
        QTest::newRow("A10 is not A100") << "NVIDIA A10" << 72;
        QTest::newRow("H100") << "NVIDIA H100 80GB HBM3" << 132;
        QTest::newRow("H100 PCIe") << "NVIDIA H100 PCIe" << 114;
        QTest::newRow("H200") << "NVIDIA H200" << 132;
        QTest::newRow("T4") << "Tesla T4" << 40;
        QTest::newRow("V100") << "Tesla V100-SXM2-16GB" << 80;
        QTest::newRow("4090") << "NVIDIA GeForce RTX 4090" << 128;
        QTest::newRow("laptop") << "NVIDIA GeForce RTX 4090 Laptop GPU" << 0;
        QTest::newRow("3080 Ti") << "NVIDIA GeForce RTX 3080 Ti" << 0;
        QTest::newRow("2080 Ti") << "NVIDIA GeForce RTX 2080 Ti" << 68;
        QTest::newRow("slice") << "NVIDIA H100 80GB HBM3 MIG 1g.10gb" << 0;
        QTest::newRow("unknown") << "Radeon" << 0;
    }
    void knownGpus() {
        QFETCH(QString, name);
        QFETCH(int, multiprocessors);
        const auto gpu = knownGpu(name.toStdString());
        QCOMPARE(gpu ? gpu->multiprocessors : 0, multiprocessors);
    }

    // The captured traces tell these properties of an H200.
    void likeTheDriver() {
        const GpuProperties gpu = *knownGpu("NVIDIA H200");
        QCOMPARE(gpu.maxThreadsPerSm, 2048);
        QCOMPARE(gpu.registersPerSm, 65'536);
        QCOMPARE(gpu.sharedPerSm, 233'472u);
        QCOMPARE(gpu.sharedPerBlockOptin, 232'448u);
        QCOMPARE(gpu.sharedPerBlock, 49'152u);
    }

    void off() {
        if (occupancyIsBuiltIn())
            return;
        QVERIFY(!theoreticalOccupancy(*knownGpu("NVIDIA H200"), {256, 32, 0, 0}));
        QVERIFY(occupancyCurve(*knownGpu("NVIDIA H200"), {256, 32, 0, 0}, OccupancyAxis::Registers).empty());
        QVERIFY(occupancySource().starts_with("off"));
    }

    void byHand_data() {
        QTest::addColumn<QString>("gpu");
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("registers");
        QTest::addColumn<int>("staticShared");
        QTest::addColumn<int>("dynamicShared");
        QTest::addColumn<int>("blocks");
        QTest::addColumn<QString>("limiter");
        const auto row = [](const char* name, const char* gpu, int threads, int registers, int fixed,
                            int dynamic, int blocks, const char* limiter) {
            QTest::newRow(name) << gpu << threads << registers << fixed << dynamic << blocks << limiter;
        };
        // Registers are given to a warp in units of 256, shared memory to a block in units of 128 bytes (256
        // before compute capability 8) with 1 KiB for the system from 8 on.
        row("V100, warps", "V100", 256, 32, 0, 0, 8, "warps|registers"); // 64 / 8; 65536 / (8 x 1024) = 8
        row("V100, registers", "V100", 256, 64, 0, 0, 4, "registers");   // 65536 / (8 x 2048)
        row("V100, blocks", "V100", 32, 16, 0, 0, 32, "blocks");         // 32 blocks
        row("V100, shared", "V100", 128, 16, 0, 32'768, 3, "shared");    // 98304 / 32768
        row("T4, warps", "T4", 256, 32, 0, 0, 4, "warps");               // 32 / 8
        row("T4, blocks", "T4", 32, 16, 0, 0, 16, "blocks");             // 16 blocks
        row("A100, registers", "A100", 128, 255, 0, 0, 2, "registers");  // 65536 / (4 x 8192)
        row("A100, shared", "A100", 256, 32, 0, 49'152, 3, "shared");    // 167936 / (49152 + 1024)
        row("A10, warps", "A10", 1024, 32, 0, 0, 1, "warps");            // 48 / 32
        row("H200, bank_conflict", "H200", 256, 16, 4'224, 0, 8,
            "warps"); // the capture's limits: 8, 19, 16, 32
        row("H200, low_occupancy", "H200", 64, 27, 0, 204'800, 1, "shared"); // 233472 / (204800 + 1024)
        row("H200, latency_chase", "H200", 32, 22, 0, 0, 32, "blocks");      // 32 blocks of a warp: 50 %
    }
    void byHand() {
        if (!occupancyIsBuiltIn())
            LACUNA_SKIP("built without the CUDA Toolkit");
        QFETCH(QString, gpu);
        QFETCH(int, threads);
        QFETCH(int, registers);
        QFETCH(int, staticShared);
        QFETCH(int, dynamicShared);
        QFETCH(int, blocks);
        QFETCH(QString, limiter);
        const auto occupancy = theoreticalOccupancy(
            *knownGpu(gpu.toStdString()), {threads, registers, static_cast<std::uint64_t>(staticShared),
                                           static_cast<std::uint64_t>(dynamicShared)});
        QVERIFY(occupancy);
        QCOMPARE(occupancy->blocksPerSm, blocks);
        QVERIFY2(QRegularExpression(limiter).match(QString::fromStdString(occupancy->limiter)).hasMatch(),
                 occupancy->limiter.c_str());
    }

    // What Nsight Compute says of the six captured kernels.
    void likeNsightCompute() {
        if (!occupancyIsBuiltIn())
            LACUNA_SKIP("built without the CUDA Toolkit");
        JobControl job;
        const auto ncu = readNcu(fixture("captured/ncu/kern.ncu-rep.gz"), job);
        QVERIFY(ncu);
        for (const NcuKernel& kernel : (*ncu)->kernels) {
            const auto value = [&](const char* metric) { return (*ncu)->value(kernel, metric).value(); };
            const auto occupancy =
                theoreticalOccupancy(*knownGpu("NVIDIA H200"),
                                     {static_cast<int>(kernel.config.block.count()),
                                      static_cast<int>(*kernel.config.registersPerThread),
                                      *kernel.config.staticSharedBytes, *kernel.config.dynamicSharedBytes});
            QVERIFY(occupancy);
            QCOMPARE(occupancy->share() * 100, value("sm__maximum_warps_per_active_cycle_pct"));
            QCOMPARE(double(occupancy->limitWarps), value("launch__occupancy_limit_warps"));
            QCOMPARE(double(occupancy->limitRegisters), value("launch__occupancy_limit_registers"));
            QCOMPARE(double(occupancy->limitBlocks), value("launch__occupancy_limit_blocks"));
            // The profiler reports the capacity of the carve-out that was chosen, the header of the largest.
            if (value("launch__occupancy_limit_shared_mem") < value("launch__occupancy_limit_blocks") &&
                value("launch__shared_mem_config_size") > 200'000)
                QCOMPARE(double(occupancy->limitSharedMemory), value("launch__occupancy_limit_shared_mem"));
        }
    }

    // 1,000 configurations on four architectures against the header, called with nothing of ours between.
    void directCalls() {
#if HAS_HEADER
        struct Device {
            const char* name;
            int major, minor, threadsPerSm;
            std::size_t sharedPerSm, optin, reserved;
        };
        int compared = 0, runnable = 0;
        for (const Device& d : {Device{"Tesla V100-SXM2-16GB", 7, 0, 2048, 98'304, 98'304, 0},
                                Device{"NVIDIA A100-SXM4-80GB", 8, 0, 2048, 167'936, 166'912, 1024},
                                Device{"NVIDIA L4", 8, 9, 1536, 102'400, 101'376, 1024}, Device {
                                    "NVIDIA H200",
                                    9,
                                    0,
                                    2048,
                                    233'472,
                                    232'448,
                                    1024
                                }}) {
            cudaOccDeviceProp device{};
            device.computeMajor = d.major;
            device.computeMinor = d.minor;
            device.maxThreadsPerBlock = 1024;
            device.maxThreadsPerMultiprocessor = d.threadsPerSm;
            device.regsPerBlock = device.regsPerMultiprocessor = 65'536;
            device.warpSize = 32;
            device.sharedMemPerBlock = 49'152;
            device.sharedMemPerMultiprocessor = d.sharedPerSm;
            device.numSms = 1;
            device.sharedMemPerBlockOptin = d.optin;
            device.reservedSharedMemPerBlock = d.reserved;
            for (const int threads : {1, 32, 64, 96, 128, 192, 256, 384, 512, 1024})
                for (const int registers : {1, 16, 24, 32, 40, 64, 96, 128, 168, 255})
                    for (int step = 0; step < 10; ++step) {
                        const std::size_t dynamic = static_cast<std::size_t>(step) * 11'000,
                                          fixed = static_cast<std::size_t>(step % 3) * 700;
                        cudaOccFuncAttributes function{};
                        function.maxThreadsPerBlock = INT_MAX;
                        function.numRegs = registers;
                        function.sharedSizeBytes = fixed;
                        function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
                        function.maxDynamicSharedSizeBytes = d.optin;
                        cudaOccDeviceState state{};
                        cudaOccResult result;
                        const bool isKnown =
                            cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state,
                                                                    threads, dynamic) == CUDA_OCC_SUCCESS;
                        const auto ours =
                            theoreticalOccupancy(*knownGpu(d.name), {threads, registers, fixed, dynamic});
                        QCOMPARE(ours.has_value(), isKnown);
                        ++compared;
                        if (!isKnown)
                            continue;
                        QCOMPARE(ours->blocksPerSm, result.activeBlocksPerMultiprocessor);
                        QCOMPARE(ours->warpsPerSm,
                                 result.activeBlocksPerMultiprocessor * ((threads + 31) / 32));
                        runnable += ours->blocksPerSm > 0 ? 1 : 0;
                    }
        }
        QCOMPARE(compared, 4000);
        QVERIFY(runnable > 2000);
#else
        LACUNA_SKIP("built without the CUDA Toolkit");
#endif
    }

    void curves() {
        if (!occupancyIsBuiltIn())
            LACUNA_SKIP("built without the CUDA Toolkit");
        const GpuProperties gpu = *knownGpu("NVIDIA A100-SXM4-40GB");
        const OccupancyInput launch{128, 255, 0, 0};
        for (const OccupancyAxis axis : {OccupancyAxis::Registers, OccupancyAxis::SharedBytes}) {
            const auto curve = occupancyCurve(gpu, launch, axis);
            for (std::size_t i = 1; i < curve.size(); ++i)
                QVERIFY(curve[i].second <= curve[i - 1].second); // more of a resource, never more warps
        }
        const auto registers = occupancyCurve(gpu, launch, OccupancyAxis::Registers);
        QCOMPARE(registers.size(), 255u);
        QCOMPARE(registers.back().second, 8); // mock/kernel_panel.png: 8 of 64 warps
        QCOMPARE(occupancyCurve(gpu, launch, OccupancyAxis::BlockThreads).size(), 32u);
    }
};

LACUNA_TEST(TstOccupancy, "tst_occupancy")

} // namespace tst_occupancy

#include "tst_occupancy.moc"
