// Work of operators from recorded shapes: worked by hand after analysis.md 2.2, read as PyTorch writes them,
// and given to the kernel that did it; launch delays beside.

#include "core/analysis/kernel_work.h"
#include "core/analysis/launch_delays.h"
#include "core/import/load_trace.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_lookup.h"

namespace tst_operator_work {

using namespace lacuna;
using namespace lacuna::test;

namespace {

OperatorShapes shapes(std::string dims, std::string types, std::string values = {}) {
    EventDetails details;
    details.fields = {{"args.Concrete Inputs", std::move(values)},
                      {"args.Input type", std::move(types)},
                      {"args.Input Dims", std::move(dims)}};
    return operatorShapes(details);
}

const char* const kThreeFloats = R"(["float", "float", "float"])";

} // namespace

class TstOperatorWork : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void shapes_asPyTorchWritesThem() {
        const OperatorShapes read =
            shapes("[[512], [2048, 512], [], [0, 3]]",
                   R"(["c10::BFloat16", "c10::BFloat16", "Scalar", "float"])", R"(["", "", "1", ""])");
        QCOMPARE(read.dims, (std::vector<std::vector<std::int64_t>>{{512}, {2048, 512}, {}, {0, 3}}));
        QCOMPARE(read.types[1], "c10::BFloat16");
        QCOMPARE(read.values[2], "1");
        QVERIFY(!operatorShapes({}).isKnown());
        QVERIFY(shapes("[[3, x]]", "[]").dims[0].empty()); // damaged: as if not told
        QCOMPARE(shapes("[]", "[]").dims.size(), std::size_t{0});
        QCOMPARE(shapes("[[]]", "[]").dims.size(), std::size_t{1});
    }

    void gemm() {
        // 2 x 32 x 64 x 16 = 65,536; (32 x 16 + 16 x 64 + 32 x 64) x 4 = 14,336 bytes
        const auto mm = operatorWork("aten::mm", shapes("[[32, 16], [16, 64]]", kThreeFloats));
        QVERIFY(mm);
        QCOMPARE(mm->flop, 65'536.0);
        QCOMPARE(mm->bytes, 14'336.0);
        QCOMPARE(mm->formula, "2 M N K: M 32, N 64, K 16");
        // with a bias: M N more work, N more values
        const auto addmm = operatorWork("aten::addmm", shapes("[[64], [32, 16], [16, 64]]", kThreeFloats));
        QCOMPARE(addmm->flop, 65'536.0 + 2'048.0);
        QCOMPARE(addmm->bytes, 14'336.0 + 256.0);
        const auto linear = operatorWork("aten::linear", shapes("[[2, 16, 16], [64, 16], []]", kThreeFloats));
        QCOMPARE(linear->flop, 65'536.0);
        const auto bmm =
            operatorWork("aten::bmm", shapes("[[8, 32, 16], [8, 16, 64]]", R"(["c10::Half", "c10::Half"])"));
        QCOMPARE(bmm->flop, 8 * 65'536.0);
        QCOMPARE(bmm->bytes, 8 * 14'336.0 / 2);
        // the same weights for every batch
        const auto matmul = operatorWork("aten::matmul", shapes("[[8, 32, 16], [16, 64]]", kThreeFloats));
        QCOMPARE(matmul->flop, 8 * 65'536.0);
        QVERIFY(!operatorWork("aten::mm", shapes("[[32, 16], [17, 64]]", kThreeFloats)));
        QVERIFY(!operatorWork("aten::mm", shapes("[[32, 16]]", kThreeFloats)));
    }

    void convolution() {
        // 1 x 3 x 8 x 8 by 4 x 3 x 3 x 3, stride 2, padding 1: 4 x 4 out; 2 x (4 x 16) x 27 = 3,456
        const auto conv = operatorWork(
            "aten::conv2d",
            shapes("[[1, 3, 8, 8], [4, 3, 3, 3], [], [], [], [], []]",
                   R"(["float", "float", "", "ScalarList", "ScalarList", "ScalarList", "Scalar"])",
                   R"(["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "1"])"));
        QVERIFY(conv);
        QCOMPARE(conv->flop, 3'456.0);
        QCOMPARE(conv->bytes, (192.0 + 108.0 + 64.0) * 4);
        // two groups: half the input channels for each output channel
        const auto grouped =
            operatorWork("aten::convolution",
                         shapes("[[1, 4, 8, 8], [4, 2, 3, 3], [], [], [], [], [], [], []]", "[]",
                                R"(["", "", "", "[1, 1]", "[0, 0]", "[1, 1]", "False", "[0, 0]", "2"])"));
        QCOMPARE(grouped->flop, 2.0 * 4 * 36 * 18);
        QCOMPARE(grouped->bytes, 0.0); // types not recorded
        QVERIFY(
            !operatorWork("aten::convolution",
                          shapes("[[1, 4, 8, 8], [4, 2, 3, 3], [], [], [], [], [], [], []]", "[]",
                                 R"(["", "", "", "[1, 1]", "[0, 0]", "[1, 1]", "True", "[0, 0]", "2"])")));
        QVERIFY(!operatorWork("aten::conv2d", shapes("[[1, 3, 8, 8], [4, 3, 3, 3]]", "[]")));
    }

    void attention() {
        // 2 x B 2 x H 4 x 10 x 10 x (8 + 8) = 25,600; causal: half
        const char* const dims = "[[2, 4, 10, 8], [2, 4, 10, 8], [2, 4, 10, 8], [], [], [], []]";
        const auto full = operatorWork("aten::scaled_dot_product_attention",
                                       shapes(dims, "[]", R"(["", "", "", "", "0.", "False", ""])"));
        QVERIFY(full);
        QCOMPARE(full->flop, 25'600.0);
        const auto causal = operatorWork("aten::_scaled_dot_product_efficient_attention",
                                         shapes(dims, "[]", R"(["", "", "", "", "False", "0.", "True"])"));
        QCOMPARE(causal->flop, 12'800.0);
        QVERIFY(!operatorWork("aten::_scaled_dot_product_flash_attention", shapes("[[2, 4, 10, 8]]", "[]")));
    }

    void trafficOfTheRest() {
        const auto norm =
            operatorWork("aten::native_layer_norm",
                         shapes("[[16, 128, 512], [], [512], [512], []]", R"(["float", "", "float"])"));
        QVERIFY(norm);
        QCOMPARE(norm->flop, 0.0);
        QCOMPARE(norm->bytes, 2.0 * 16 * 128 * 512 * 4);
        const auto softmax = operatorWork("aten::_softmax", shapes("[[10, 20], [], []]", R"(["c10::Half"])"));
        QCOMPARE(softmax->flop, 600.0);
        QCOMPARE(softmax->bytes, 800.0);
        // broadcast: 100 x 200 with 200; one operation for each of the result
        const auto add = operatorWork("aten::add_", shapes("[[100, 200], [200], []]", kThreeFloats));
        QCOMPARE(add->flop, 20'000.0);
        QCOMPARE(add->bytes, (20'000.0 + 200.0 + 20'000.0) * 4);
        QVERIFY(add->isAssumed);
        QVERIFY(!operatorWork("aten::add", shapes("[[3], [4]]", kThreeFloats)));
        QVERIFY(!operatorWork("aten::view", shapes("[[3]]", kThreeFloats)));
        QVERIFY(!operatorWork("mul", shapes("[[3], [3]]", kThreeFloats))); // not of PyTorch
    }

    // The kernel that did it, and how sure that is.
    void ofAKernel() {
        const auto op = [](int ts, int dur, const char* name) {
            return q("{'ph':'X','pid':5,'tid':5,'cat':'cpu_op','name':'") + name + q("','ts':") +
                   std::to_string(ts) + q(",'dur':") + std::to_string(dur) +
                   q(",'args':{'Input Dims':[[1000,1000],[1000,1000]],'Input type':['float','float']}}");
        };
        const auto call = [](int ts, int id) {
            return q("{'ph':'X','pid':5,'tid':5,'cat':'cuda_runtime','name':'cudaLaunchKernel','dur':2,'ts'"
                     ":") +
                   std::to_string(ts) + q(",'args':{'correlation':") + std::to_string(id) + "}}";
        };
        const auto kernel = [](int ts, int dur, int id, const char* name) {
            return q("{'ph':'X','pid':0,'tid':7,'cat':'kernel','name':'") + name + q("','ts':") +
                   std::to_string(ts) + q(",'dur':") + std::to_string(dur) +
                   q(",'args':{'device':0,'stream':7,'correlation':") + std::to_string(id) + "}}";
        };
        JobControl job;
        const auto loaded = loadTraceFromMemory(
            objectForm(op(0, 50, "aten::mm") + "," + call(10, 1) + "," + kernel(20, 100, 1, "alone") + "," +
                       op(60, 50, "aten::mm") + "," + call(70, 2) + "," + call(75, 3) + "," +
                       kernel(130, 200, 2, "main") + "," + kernel(340, 10, 3, "reduction") + "," +
                       call(150, 4) + "," + kernel(400, 10, 4, "nobody's")),
            "t.json", builtinImporters(), job);
        QVERIFY(loaded);
        const Trace& trace = *loaded->trace;
        const auto tree = HostTree::build(trace, {false, false}, job);
        const auto workOf = [&](const char* name) {
            return kernelWork(trace, *tree, loaded->details.get(), test::eventNamed(trace, name));
        };
        const auto alone = workOf("alone");
        QVERIFY(alone);
        QVERIFY(alone->certainty == WorkCertainty::Counted);
        QCOMPARE(alone->flopPerSecond(), 2e9 / 100e-6); // 20 TFLOP/s
        QCOMPARE(alone->bytesPerSecond(), 12e6 / 100e-6);
        const auto main = workOf("main");
        QVERIFY(main);
        QVERIFY(main->certainty == WorkCertainty::Likely);
        QVERIFY(main->why.find("2 kernels") != std::string::npos);
        QVERIFY(!workOf("reduction"));
        QVERIFY(!workOf("nobody's"));
        QVERIFY(!kernelWork(trace, *tree, nullptr, test::eventNamed(trace, "alone")));

        const std::vector<EventId> all{test::eventNamed(trace, "alone"), test::eventNamed(trace, "main"),
                                       test::eventNamed(trace, "nobody's")};
        const LaunchDelays delays = launchDelays(trace, all); // 10, 60, 250 from the call; 8, 58, 248 queued
        QCOMPARE(delays.known, std::uint64_t{3});
        QCOMPARE(delays.latencyNs, std::int64_t{60'000});
        QCOMPARE(delays.queuedNs, std::int64_t{58'000});
        QCOMPARE(delays.longestQueuedNs, std::int64_t{248'000});
        QCOMPARE(launchDelays(trace, {}).known, std::uint64_t{0});
    }

    // GEMMs of a capture with shapes: no faster than the GPU can be (H200: 67 TFLOP/s FP32 and 1 PFLOP/s
    // BF16).
    void ofACapture() {
        JobControl job;
        const auto loaded = loadTrace(fixture("captured/torch/decode_launch_bound.pt.trace.json.gz"),
                                      builtinImporters(), job);
        QVERIFY(loaded);
        const Trace& trace = *loaded->trace;
        const auto tree = HostTree::build(trace, {false, false}, job);
        int counted = 0;
        for (std::uint32_t e = 0; e < trace.events().size() && counted < 200; ++e) {
            if (trace.events().kind[e] != EventKind::Kernel)
                continue;
            const auto work = kernelWork(trace, *tree, loaded->details.get(), EventId{e});
            if (!work || work->work.kind != WorkKind::Gemm)
                continue;
            ++counted;
            QVERIFY(work->flopPerSecond() > 0 && work->flopPerSecond() < 1e15);
            QVERIFY(work->bytesPerSecond() < 20e12); // from caches at most
        }
        QVERIFY(counted > 20);
    }
};

LACUNA_TEST(TstOperatorWork, "tst_operator_work")

} // namespace tst_operator_work

#include "tst_operator_work.moc"
