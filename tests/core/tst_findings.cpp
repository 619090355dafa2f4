// Findings on hand-worked traces: the numbers of features.md, each test named by its item. Times in us.

#include "core/analysis/capture_window.h"
#include "core/analysis/step_times.h"
#include "core/base/text_format.h"
#include "core/import/load_trace.h"
#include "core/trace/trace_builder.h"
#include "tests/support/event_text.h"
#include "tests/support/finding_access.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_lookup.h"

#include <map>
#include <set>

namespace tst_findings {

using namespace lacuna;
using namespace lacuna::test;

namespace {

using Rows = std::vector<std::string>;

std::string kernel(double ts, double dur, int correlation = 0, std::string_view name = "gemm",
                   int stream = 7) {
    return rowText("kernel", name, ts, dur,
                   "{'device':0,'stream':" + std::to_string(stream) +
                       ",'correlation':" + std::to_string(correlation) + "}",
                   stream);
}
std::string call(std::string_view name, double ts, double dur, int correlation = 0) {
    return rowText("cuda_runtime", name, ts, dur, "{'correlation':" + std::to_string(correlation) + "}");
}
std::string launchCall(double ts, double dur, int correlation) {
    return call("cudaLaunchKernel", ts, dur, correlation);
}
std::string operatorRow(std::string_view name, double ts, double dur) {
    return rowText("cpu_op", name, ts, dur);
}
std::string annotation(std::string_view name, double ts, double dur) {
    return rowText("user_annotation", name, ts, dur);
}
std::string step(int number, double ts, double dur) {
    return annotation("ProfilerStep#" + std::to_string(number), ts, dur);
}
std::string copyRow(double ts, double dur, int correlation, std::string_view name) {
    return rowText("gpu_memcpy", name, ts, dur,
                   "{'device':0,'stream':7,'bytes':1024,'correlation':" + std::to_string(correlation) + "}",
                   7);
}

// Steps of equal length, back to back; fill(rows, step, begin) adds what is in each.
template <class Fill> Rows stepsOf(int count, double length, const Fill& fill) {
    Rows rows;
    for (int k = 0; k < count; ++k) {
        rows.push_back(step(k, k * length, length));
        fill(rows, k, k * length);
    }
    return rows;
}

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}
#define HOLDS(text, part) QVERIFY2(holds(text, part), (text).c_str())

std::size_t opening(const Finding& finding) {
    return static_cast<std::size_t>(std::count_if(finding.supports.begin(), finding.supports.end(),
                                                  [](const Evidence& one) { return one.opens(); }));
}

} // namespace

class TstFindings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void d17_sixLookForsInTheirOrder();
    void c47_everyFindingSuggestsATest();
    void d11_gaps();
    void d12_d28_longWaitInARange();
    void e09_threeLinks();
    void c41_blockedThreadsAreNoFinding();
    void d08_d13_copiesPerStep();
    void b20_copyWithItsWaitAndCaller();
    void d14_serialisedStreams();
    void d15_b19_dominatingKernel();
    void d16_tinyKernels();
    void a05_waitsInTheLoop();
    void a06_allocations();
    void a10_inputBound();
    void b22_e08_loaderEvidence();
    void a18_eachMistakeAlone_data();
    void a18_eachMistakeAlone();
    void a21_overAnnotation();
    void c44_coverageOfSevenPhases();
    void c45_wideRange();
    void b09_simpleKernels();
    void b10_b18_d24_launchBound();
    void d26_busyAndIdlePerStep();
    void d26_d27_sampleOfDecoding();
    void d09_d27_launchesAndThreadUse();
    void b11_conversions();
    void b17_drift();
    void b21_memoryAndOutOfMemory();
    void b24_e14_limiters_data();
    void b24_e14_limiters();
    void b27_c55_closingWaitIsNoDefect();
    void c14_c35_whatTheWindowHolds();
    void c14_delayedCapture();
    void c46_unusualStepIsNotExplained();
    void c54_startUpClasses();
    void c57_startUpIsMyTarget();
    void a03_warmUpIsLeftOut();
    void range_cutsTheWindow();
    void emptyTrace_isUnknown();
    void cancelled_isAnError();
};

void TstFindings::d17_sixLookForsInTheirOrder() {
    const auto trace = traceOfText({kernel(0, 10), kernel(1000, 10)});
    const FoundAll all = findAllIn(*trace);
    const char* const order[] = {
        "gaps", "long_waits", "copies_in_loop", "serialised_streams", "dominating_kernel", "tiny_kernels"};
    for (std::size_t i = 0; i < std::size(order); ++i) {
        QCOMPARE(std::string(all.findings[i].code), std::string(order[i]));
        QVERIFY(all.findings[i].isLookFor);
    }
    QVERIFY(!all.findings[6].isLookFor);
    QCOMPARE(all.state("gaps"), std::string("found"));
    QCOMPARE(all.state("long_waits"), std::string("clear")); // a clean one keeps its place
}

void TstFindings::c47_everyFindingSuggestsATest() {
    const auto trace = traceOfText(stepsOf(4, 1000, [](Rows& rows, int k, double at) {
        rows.push_back(launchCall(at, 5, 2 * k + 1));
        rows.push_back(kernel(at + 10, 100, 2 * k + 1));
        rows.push_back(call("cudaStreamSynchronize", at + 20, 200));
    }));
    const FoundAll all = findAllIn(*trace);
    for (const Finding& finding : all.findings) {
        QVERIFY2(!finding.suggests.empty(), std::string(finding.code).c_str());
        std::string words = finding.suggests + textOf(finding.supports) + textOf(finding.against);
        if (finding.state == FindingState::Found) {
            QVERIFY2(!finding.supports.empty() && !finding.against.empty() + finding.tests.size() > 0,
                     std::string(finding.code).c_str());
            QVERIFY2(!finding.tests.empty(), std::string(finding.code).c_str());
        }
        for (const std::string& test : finding.tests)
            words += test;
        QVERIFY2(!holds(words, "is caused by"), words.c_str());
    }
}

// Two kernels of 10 with 80 between: one gap of 80, 80 % of 100.
void TstFindings::d11_gaps() {
    const auto trace = traceOfText({kernel(0, 10), kernel(90, 10)});
    const FoundAll all = findAllIn(*trace);
    const Finding& gaps = all["gaps"];
    QCOMPARE(gaps.costNs, 80'000);
    HOLDS(textOf(gaps.supports),
          "1 gap, 80.00 µs in all, 80.0 % of the whole trace; the longest took 80.00 µs.");
    QCOMPARE(gaps.supports.front().range, (TimeRange{{10'000}, {90'000}}));
    QVERIFY(gaps.supports.front().gap);
    // The threshold is the user's.
    QCOMPARE(findAllIn(*trace, {"gaps.share=90%"}).state("gaps"), std::string("clear"));
}

// One wait of 4 ms a step inside the range "sample", under aten::item.
void TstFindings::d12_d28_longWaitInARange() {
    const auto trace = traceOfText(stepsOf(3, 18'000, [](Rows& rows, int k, double at) {
        rows.push_back(launchCall(at + 10, 10, k + 1));
        rows.push_back(kernel(at + 30, 5'000, k + 1));
        rows.push_back(annotation("sample", at + 1'000, 4'200));
        rows.push_back(operatorRow("aten::item", at + 1'010, 4'100));
        rows.push_back(call("cudaStreamSynchronize", at + 1'030, 4'000));
    }));
    const FoundAll all = findAllIn(*trace);
    const Finding& waits = all["long_waits"];
    QCOMPARE(stateName(waits.state), std::string_view("found"));
    HOLDS(textOf(waits.supports), "3 waits of 100.0 µs or more, 12.00 ms in all, 1.0 per step.");
    HOLDS(textOf(waits.supports),
          "3 waits, 12.00 ms in cudaStreamSynchronize < aten::item < ‹sample›; the longest took 4.000 ms.");
    QCOMPARE(all.context->trace.nameOf(waits.supports[1].event), std::string_view("cudaStreamSynchronize"));
    QCOMPARE(findAllIn(*trace, {"long_waits.length=5ms"}).state("long_waits"), std::string("clear"));
}

// The wait drained the GPU: gap, wait, and the line of Python that called it.
void TstFindings::e09_threeLinks() {
    Rows rows{launchCall(0, 10, 1),
              kernel(20, 500, 1),
              launchCall(900, 10, 2),
              kernel(920, 100, 2),
              operatorRow("aten::item", 30, 500),
              call("cudaStreamSynchronize", 40, 485),
              rowText("python_function", "train.py(12): step", 25, 800, "{'Python id':1}"),
              rowText("python_function", "<built-in method item>", 28, 510,
                      "{'Python id':2,'Python parent id':1}")};
    const auto trace = traceOfText(rows);
    const FoundAll all = findAllIn(*trace);
    const Finding& waits = all["long_waits"];
    const auto& chain = waits.supports;
    QCOMPARE(chain.size(), std::size_t{5});
    QCOMPARE(chain[2].range, (TimeRange{{520'000}, {920'000}}));
    QVERIFY(chain[2].gap);
    QCOMPARE(chain[3].event, eventNamed(*trace, "cudaStreamSynchronize"));
    QCOMPARE(chain[4].text, std::string("Called from train.py(12): step."));
    // Without stacks the third link says what is missing.
    rows.resize(6);
    const auto plain = traceOfText(rows);
    HOLDS(findAllIn(*plain)["long_waits"].supports.back().text, "not recorded (with_stack=True");
}

void TstFindings::c41_blockedThreadsAreNoFinding() {
    Rows rows{launchCall(0, 10, 1), kernel(20, 10'000, 1)};
    for (int thread = 2; thread < 10; ++thread)
        rows.push_back(rowText("cpu_op", "poll", 0, 10'000, "{}", thread));
    const auto trace = traceOfText(rows);
    const FoundAll all = findAllIn(*trace);
    QCOMPARE(all.state("long_waits"), std::string("clear"));
    QCOMPARE(all.state("gaps"), std::string("clear"));
}

// 0 copies pass; 1 per step is flagged; fewer than one per step is not.
void TstFindings::d08_d13_copiesPerStep() {
    for (const int copies : {0, 1, 3}) {
        const auto trace = traceOfText(stepsOf(3, 1'000, [copies](Rows& rows, int k, double at) {
            rows.push_back(kernel(at + 100, 800));
            if (k < copies)
                rows.push_back(copyRow(at + 10, 5, 0, "Memcpy HtoD (Pinned -> Device)"));
        }));
        const FoundAll all = findAllIn(*trace);
        QCOMPARE(all.state("copies_in_loop"), std::string(copies == 3 ? "found" : "clear"));
        if (copies == 3) {
            HOLDS(textOf(all["copies_in_loop"].supports), "3 copies host to device (1.0 per step)");
            QCOMPARE(all["copies_in_loop"].costNs, 15'000); // D08: nothing runs beside them
        }
    }
    const auto noSteps = traceOfText({kernel(100, 800), copyRow(10, 5, 0, "Memcpy HtoD (Pinned -> Device)")});
    QCOMPARE(findAllIn(*noSteps).state("copies_in_loop"), std::string("unknown"));
}

// .cpu(): a copy to the host, the wait behind it in the same operator, and who called.
void TstFindings::b20_copyWithItsWaitAndCaller() {
    const auto trace = traceOfText(stepsOf(2, 1'000, [](Rows& rows, int k, double at) {
        const int id = 2 * k + 1;
        rows.push_back(launchCall(at, 10, id));
        rows.push_back(kernel(at + 20, 300, id));
        rows.push_back(annotation("log_loss", at + 30, 400));
        rows.push_back(operatorRow("aten::to", at + 40, 380));
        rows.push_back(operatorRow("aten::copy_", at + 45, 370));
        rows.push_back(call("cudaMemcpyAsync", at + 50, 20, id + 1));
        rows.push_back(copyRow(at + 320, 10, id + 1, "Memcpy DtoH (Device -> Pinned)"));
        rows.push_back(call("cudaStreamSynchronize", at + 75, 265));
    }));
    const FoundAll all = findAllIn(*trace);
    HOLDS(textOf(all["copies_in_loop"].supports),
          "in cudaMemcpyAsync < aten::copy_ < ‹log_loss›; the host waited for 2 of them.");
    const Finding& conversions = all["conversions"];
    HOLDS(textOf(conversions.supports), "2 aten::copy_, 2 aten::to, 0 aten::contiguous");
    HOLDS(textOf(conversions.supports), "2 waits inside them");
    HOLDS(textOf(conversions.supports), "2 called from log_loss");
}

void TstFindings::d14_serialisedStreams() {
    // Two streams, 0 overlap.
    const auto apart = traceOfText({kernel(0, 100), kernel(100, 100, 0, "b", 20), kernel(200, 100)});
    const FoundAll found = findAllIn(*apart);
    QCOMPARE(found.state("serialised_streams"), std::string("found"));
    HOLDS(textOf(found["serialised_streams"].supports),
          "2 streams with work, 0 ns of 100.0 µs overlap (0.0 %).");
    // Half of the smaller one overlaps.
    const auto beside = traceOfText({kernel(0, 150), kernel(100, 100, 0, "b", 20), kernel(200, 100)});
    const FoundAll clear = findAllIn(*beside);
    QCOMPARE(clear.state("serialised_streams"), std::string("clear"));
    HOLDS(textOf(clear["serialised_streams"].supports), "50.00 µs of 100.0 µs overlap (50.0 %)");
    const auto one = traceOfText({kernel(0, 100), kernel(200, 100)});
    QCOMPARE(findAllIn(*one).state("serialised_streams"), std::string("clear"));
}

void TstFindings::d15_b19_dominatingKernel() {
    const auto half =
        traceOfText({kernel(0, 50, 0, "gemm"), kernel(60, 30, 0, "add"), kernel(100, 20, 0, "mul")});
    const FoundAll all = findAllIn(*half);
    const Finding& finding = all["dominating_kernel"];
    QCOMPARE(stateName(finding.state), std::string_view("found"));
    HOLDS(finding.suggests, "50.0 %");
    HOLDS(textOf(finding.supports), "50.0 %: gemm, 1 launch, 50.00 µs.");
    HOLDS(finding.tests.front(), "ncu ");
    const auto less =
        traceOfText({kernel(0, 49, 0, "gemm"), kernel(60, 31, 0, "add"), kernel(100, 20, 0, "mul")});
    const FoundAll clear = findAllIn(*less);
    QCOMPARE(clear.state("dominating_kernel"), std::string("clear"));
    HOLDS(clear["dominating_kernel"].suggests, "the longest takes 49.0 %"); // the share is always printed
}

// Tiny: shorter than 10 us, not 10 us itself.
void TstFindings::d16_tinyKernels() {
    const auto trace = traceOfText({kernel(0, 9), kernel(20, 9), kernel(40, 10), kernel(60, 72)});
    const FoundAll all = findAllIn(*trace);
    HOLDS(textOf(all["tiny_kernels"].supports),
          "2 of 4 kernels (50.0 %) are shorter than 10.00 µs; they hold 18.0 % of the kernels' time.");
    QCOMPARE(all.state("tiny_kernels"), std::string("found"));
    QCOMPARE(findAllIn(*trace, {"tiny_kernels.length=9us"}).state("tiny_kernels"), std::string("clear"));
}

// 30 steps with two cudaDeviceSynchronize each: 60 calls, 0.6 to 3.0 ms in total.
void TstFindings::a05_waitsInTheLoop() {
    const auto trace = traceOfText(stepsOf(30, 100, [](Rows& rows, int k, double at) {
        rows.push_back(call("cudaDeviceSynchronize", at + 1, 2));
        rows.push_back(launchCall(at + 10, 5, k + 1));
        rows.push_back(kernel(at + 20, 50, k + 1));
        rows.push_back(call("cudaDeviceSynchronize", at + 80, 2));
    }));
    const FoundAll all = findAllIn(*trace);
    QCOMPARE(all.state("waits_in_loop"), std::string("found"));
    HOLDS(textOf(all["waits_in_loop"].supports),
          "60 calls in 30 steps, typical cost 600.0 µs to 3.000 ms in total.");
}

// Four cudaMalloc in measured steps: four, each opens; none: no finding. Those of warm-up do not count.
void TstFindings::a06_allocations() {
    for (const int count : {0, 4}) {
        Rows rows = stepsOf(6, 1'000, [count](Rows& into, int k, double at) {
            into.push_back(kernel(at + 100, 800));
            if (k < count)
                into.push_back(call("cudaMalloc", at + 10, 20));
        });
        rows.push_back(call("cudaMalloc", -500, 100)); // before the first step
        const auto trace = traceOfText(rows);
        const FoundAll all = findAllIn(*trace);
        QCOMPARE(all.state("allocations"), std::string(count == 0 ? "clear" : "found"));
        QCOMPARE(opening(all["allocations"]), static_cast<std::size_t>(count));
        QCOMPARE(all["allocations"].costNs, count * 20'000);
    }
}

// data / iteration: 2.0 / 10.0 is no finding, 2.1 / 10.0 is one.
void TstFindings::a10_inputBound() {
    for (const double data : {2'000.0, 2'100.0}) {
        Rows rows;
        for (int k = 0; k < 5; ++k) {
            const double at = k * 20'000;
            rows.push_back(annotation("data", at, data));
            rows.push_back(annotation("step", at + data, 10'000));
            rows.push_back(kernel(at + data + 100, 9'000));
        }
        const auto trace = traceOfText(rows);
        const FoundAll all = findAllIn(*trace);
        QCOMPARE(all.state("input_bound"), std::string(data > 2'000 ? "found" : "clear"));
        HOLDS(textOf(all["input_bound"].supports), data > 2'000 ? "ratio 21.0 %" : "ratio 20.0 %");
        HOLDS(textOf(all["input_bound"].supports), "over 4 steps"); // the first data time is not known (A11)
        QCOMPARE(findAllIn(*trace, {"input_bound.ratio=0.1"}).state("input_bound"), std::string("found"));
    }
    const auto none = traceOfText({annotation("step", 0, 10), annotation("step", 10, 10)});
    QCOMPARE(findAllIn(*none).state("input_bound"), std::string("unknown"));
}

// A gap under the loader's next, and the copy to the device behind it.
void TstFindings::b22_e08_loaderEvidence() {
    const auto trace = traceOfText(stepsOf(3, 10'000, [](Rows& rows, int k, double at) {
        const int id = 2 * k + 1;
        rows.push_back(
            annotation("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", at + 10, 6'000));
        rows.push_back(call("cudaMemcpyAsync", at + 6'020, 10, id));
        rows.push_back(copyRow(at + 6'040, 100, id, "Memcpy HtoD (Pinned -> Device)"));
        rows.push_back(launchCall(at + 6'050, 10, id + 1));
        rows.push_back(kernel(at + 6'200, 3'000, id + 1));
    }));
    const FoundAll all = findAllIn(*trace);
    const Finding& input = all["input_bound"];
    QCOMPARE(stateName(input.state), std::string_view("found"));
    QCOMPARE(input.supports[1].range, (TimeRange{{9'200'000}, {16'040'000}}));
    HOLDS(input.supports[1].text, "The GPU idled 6.840 ms while data was loaded.");
    QCOMPARE(all.context->events().beginNs[input.supports[2].event.v], 16'040'000);
    QCOMPARE(input.tests.size(), std::size_t{3});
    HOLDS(input.tests[0] + input.tests[1] + input.tests[2], "num_workers");
    HOLDS(input.tests[0] + input.tests[1] + input.tests[2], "prefetch");
    HOLDS(input.tests[0] + input.tests[1] + input.tests[2], "pin_memory");
    HOLDS(all["limiter"].suggests, "input-bound");
}

void TstFindings::a18_eachMistakeAlone_data() {
    QTest::addColumn<QString>("mistake");
    QTest::newRow("none") << QString();
    QTest::newRow("sync") << QStringLiteral("Sync inside the loop");
    QTest::newRow("warm-up") << QStringLiteral("No warm-up");
    QTest::newRow("allocation") << QStringLiteral("Allocation in the loop");
}

void TstFindings::a18_eachMistakeAlone() {
    QFETCH(QString, mistake);
    Rows rows;
    double at = 0;
    for (int k = 0; k < 6; ++k) {
        const double length = mistake == QStringLiteral("No warm-up") && k == 0 ? 9'000 : 1'000;
        rows.push_back(step(k, at, length));
        rows.push_back(launchCall(at + 5, 5, k + 1));
        rows.push_back(kernel(at + 20, length - 50, k + 1));
        if (mistake == QStringLiteral("Sync inside the loop"))
            rows.push_back(call("cudaDeviceSynchronize", at + 15, 900));
        if (mistake == QStringLiteral("Allocation in the loop"))
            rows.push_back(call("cudaMalloc", at + 15, 10));
        at += length;
    }
    const auto trace = traceOfText(rows);
    const FoundAll all = findAllIn(*trace);
    const Finding& hygiene = all["benchmark_hygiene"];
    QCOMPARE(hygiene.supports.size(), std::size_t{5});
    std::size_t yes = 0, unseen = 0;
    for (const Evidence& lint : hygiene.supports) {
        const bool isYes = holds(lint.text, ": yes.");
        yes += isYes ? 1U : 0U;
        unseen += holds(lint.text, "cannot be seen in a trace") ? 1U : 0U;
        QVERIFY2(!isYes || (lint.opens() && lint.text.starts_with(mistake.toStdString())), lint.text.c_str());
    }
    QCOMPARE(yes, std::size_t{mistake.isEmpty() ? 0U : 1U});
    QCOMPARE(unseen, std::size_t{2});
    QCOMPARE(stateName(hygiene.state), std::string_view(mistake.isEmpty() ? "clear" : "found"));
}

// More than 1,000 ranges in a step, or a median below 5 us, with the names.
void TstFindings::a21_overAnnotation() {
    const auto build = [](int count, double length) {
        return traceOfText(stepsOf(2, 100'000, [=](Rows& rows, int, double at) {
            for (int r = 0; r < count; ++r)
                rows.push_back(annotation("layer", at + 1 + r * 20, length));
        }));
    };
    const auto many = build(1'001, 6);
    const FoundAll all = findAllIn(*many);
    QCOMPARE(all.state("annotation_health"), std::string("found"));
    HOLDS(textOf(all["annotation_health"].supports), "2002 ranges named layer.");
    HOLDS(textOf(all["annotation_health"].against), "host time, not GPU time");
    const auto shortOnes = build(10, 4);
    QCOMPARE(findAllIn(*shortOnes).state("annotation_health"), std::string("found"));
    const auto fine = build(1'000, 6);
    QCOMPARE(findAllIn(*fine).state("annotation_health"), std::string("note"));
}

// 3 of 7: 4 are missing.
void TstFindings::c44_coverageOfSevenPhases() {
    const auto trace = traceOfText({annotation("forward", 0, 10), annotation("backward", 10, 10),
                                    annotation("optimizer", 20, 10), kernel(0, 30)});
    HOLDS(textOf(findAllIn(*trace)["annotation_health"].supports),
          "3 of 7 phases are named (forward, backward, optimizer); missing: transfer, loss, gradient sync, "
          "checkpoint or logging.");
}

// One range over more than 95 % of the trace without children; with one inside it is fine.
void TstFindings::c45_wideRange() {
    Rows rows{kernel(0, 1'000), annotation("train", 10, 960)};
    const auto wide = traceOfText(rows);
    const FoundAll all = findAllIn(*wide);
    QCOMPARE(all.state("annotation_health"), std::string("found"));
    HOLDS(textOf(all["annotation_health"].supports), "The range train covers 96.0 % of the trace");
    rows.push_back(annotation("epoch", 20, 900));
    const auto nested = traceOfText(rows);
    QCOMPARE(findAllIn(*nested).state("annotation_health"), std::string("note"));
    const auto narrow = traceOfText({kernel(0, 1'000), annotation("train", 10, 950)});
    QCOMPARE(findAllIn(*narrow).state("annotation_health"), std::string("note"));
}

// Elementwise kernels with 40 % of the time are named.
void TstFindings::b09_simpleKernels() {
    const auto trace =
        traceOfText({kernel(0, 60, 0, "ampere_sgemm_128x64_nn"),
                     kernel(70, 40, 0, "void at::native::vectorized_elementwise_kernel<4>(int)")});
    const FoundAll all = findAllIn(*trace);
    QCOMPARE(all.state("kernel_classes"), std::string("found"));
    HOLDS(all["kernel_classes"].suggests, "elementwise");
    HOLDS(textOf(all["kernel_classes"].supports), "elementwise: 40.0 % of the kernels' time");
    QCOMPARE(findAllIn(*trace, {"kernel_class.share=41%"}).state("kernel_classes"), std::string("clear"));
}

// Self CPU 850 ms, self device 240 ms: idle 1 - 240/850 = 71.8 %. Here 85 operators of 10 ms, launching 2.82
// ms.
void TstFindings::b10_b18_d24_launchBound() {
    Rows rows;
    for (int k = 0; k < 80; ++k) {
        const double at = k * 10'625;
        rows.push_back(operatorRow("aten::mm", at, 10'625));
        rows.push_back(launchCall(at + 10'000, 10, k + 1));
        rows.push_back(kernel(at + 10'020, 3'000, k + 1));
    }
    const auto trace = traceOfText(rows);
    const FoundAll all = findAllIn(*trace);
    const Finding& finding = all["launch_bound"];
    QCOMPARE(stateName(finding.state), std::string_view("found"));
    // 80 x (10,625 - 10 of the call) = 849.2 ms, 80 x 3 = 240 ms: 71.7 %; the timeline: 79 gaps of 7,625 of
    // 842.375 ms = 71.5 %.
    HOLDS(textOf(finding.supports),
          "Self CPU 849.2 ms, self device 240.0 ms: idle 1 − device/CPU = 71.7 %; by the "
          "timeline 71.5 %.");
    QCOMPARE(finding.tests.size(), std::size_t{3});
    HOLDS(all["limiter"].suggests, "launch-bound");
}

// 18.0 ms a step: kernels 7.0, gaps 11.0.
void TstFindings::d26_busyAndIdlePerStep() {
    const auto trace = traceOfText(stepsOf(3, 18'000, [](Rows& rows, int, double at) {
        rows.push_back(kernel(at + 1'000, 3'000));
        rows.push_back(kernel(at + 9'000, 4'000));
    }));
    HOLDS(textOf(findAllIn(*trace)["limiter"].supports), "18.0 ms per step: GPU busy 7.0, idle 11.0.");
}

// The sample that ships: each of its 12 steps is 18.0 = 7.0 + 11.0 to the ns, with 350 launches a step.
void TstFindings::d26_d27_sampleOfDecoding() {
    JobControl job;
    const auto loaded =
        loadTrace(inSource("resources/samples/decode_18ms.pt.trace.json.gz"), builtinImporters(), job);
    QVERIFY(loaded);
    const Trace& trace = *loaded->trace;
    const auto times = stepTimes(trace, std::vector<DeviceId>{{0}}, {}, job);
    QVERIFY(times);
    QCOMPARE(times->steps.size(), std::size_t{12});
    for (const StepTime& step : times->steps) {
        QCOMPARE(step.range.length().v, std::int64_t{18'000'000});
        QCOMPARE(step.busyNs, std::int64_t{7'000'000});
        QCOMPARE(step.idleNs(), std::int64_t{11'000'000});
    }
    const FoundAll all = findAllIn(trace);
    HOLDS(textOf(all["limiter"].supports), "18.0 ms per step: GPU busy 7.0, idle 11.0.");
    HOLDS(textOf(all["launch_bound"].supports), "4\u2009200 launches, 350 per step");
    // Between kernels that are launched too slowly 6.10 ms, to prepare inputs 0.88, behind the token 4.02.
    const auto gaps = GapAnalysis::run(loaded->trace, {}, job);
    QVERIFY(gaps);
    std::map<std::int64_t, std::int64_t> byLength;
    for (const Gap& gap : (*gaps)->gaps())
        byLength[gap.length().v] += gap.length().v;
    QCOMPARE(byLength.at(4'020'000), 11 * std::int64_t{4'020'000}); // behind the last one the trace ends
    QCOMPARE(byLength.at(880'000), 12 * std::int64_t{880'000});
    byLength.erase(4'020'000);
    byLength.erase(880'000);
    std::int64_t between = 0;
    for (const auto& [length, sum] : byLength) {
        QVERIFY(length < 20'000);
        between += sum;
    }
    QCOMPARE(between, 12 * std::int64_t{6'100'000});
}

// 350 launches a step, and the launching thread at work in all of the gaps.
void TstFindings::d09_d27_launchesAndThreadUse() {
    const auto trace = traceOfText(stepsOf(2, 35'000, [](Rows& rows, int k, double at) {
        for (int i = 0; i < 350; ++i) {
            const int id = k * 350 + i + 1;
            rows.push_back(launchCall(at + i * 100 + 10, 10, id));
            rows.push_back(kernel(at + i * 100 + 22, 20, id));
        }
    }));
    const FoundAll all = findAllIn(*trace);
    HOLDS(textOf(all["launch_bound"].supports), "700 launches, 350 per step");
    HOLDS(textOf(all["launch_bound"].supports),
          "was in recorded work for 100.0 % of the gaps that it ended.");
}

void TstFindings::b11_conversions() {
    Rows rows;
    const auto add = [&rows](int count, std::string_view name) {
        for (int k = 0; k < count; ++k)
            rows.push_back(operatorRow(name, static_cast<double>(rows.size()) * 100, 50));
    };
    add(12, "aten::copy_");
    add(5, "aten::to");
    add(3, "aten::contiguous");
    add(7, "aten::add");
    rows.push_back(launchCall(10, 5, 1)); // under the first copy_
    rows.push_back(kernel(20, 40, 1));
    rows.push_back(kernel(70, 60)); // of nobody
    const auto trace = traceOfText(rows);
    const FoundAll all = findAllIn(*trace);
    QCOMPARE(all.state("conversions"), std::string("found"));
    HOLDS(textOf(all["conversions"].supports),
          "12 aten::copy_, 5 aten::to, 3 aten::contiguous; they launched "
          "40.00 µs of device work, 40.0 % of the busy time.");
}

// 1.00 to 1.30 ms over 100 launches: +30 %.
void TstFindings::b17_drift() {
    Rows rows, flat;
    for (int k = 0; k < 100; ++k) {
        rows.push_back(kernel(k * 2'000, 1'000 + 300.0 * k / 99));
        flat.push_back(kernel(k * 2'000, 1'000 + (k % 2) * 300));
    }
    const auto rising = traceOfText(rows);
    const FoundAll all = findAllIn(*rising);
    QCOMPARE(all.state("drift"), std::string("found"));
    HOLDS(textOf(all["drift"].supports), "+30 % drift: 1.000 ms to 1.300 ms over 100 launches of gemm.");
    HOLDS(all["drift"].suggests, "clocks or thermals?");
    HOLDS(textOf(all["drift"].against), "does not tell the shapes");
    const auto noisy = traceOfText(flat);
    QCOMPARE(findAllIn(*noisy).state("drift"), std::string("clear"));
}

void TstFindings::b21_memoryAndOutOfMemory() {
    const auto memory = [](double at, int bytes) {
        return "{'ph':'i','s':'t','cat':'cpu_instant_event','name':'[memory]','pid':1,'tid':1,'ts':" +
               std::to_string(at) +
               ",'args':{'Device Type':1,'Device Id':0,'Bytes':1,'Total Allocated':" + std::to_string(bytes) +
               ",'Total Reserved':" + std::to_string(bytes) + "}}";
    };
    for (const bool grows : {false, true}) {
        Rows rows = stepsOf(4, 1'000, [&](Rows& into, int k, double at) {
            into.push_back(kernel(at + 10, 900));
            into.push_back(memory(at + 500, 1'000'000 + (grows ? k * 500'000 : 0)));
        });
        if (grows)
            rows.push_back(
                "{'ph':'i','s':'t','cat':'cpu_instant_event','name':'[OutOfMemory]','pid':1,'tid':1,"
                "'ts':3900,'args':{}}");
        const auto trace = traceOfText(rows);
        const FoundAll all = findAllIn(*trace);
        QCOMPARE(all.state("memory_growth"), std::string(grows ? "found" : "clear"));
        if (grows) {
            HOLDS(textOf(all["memory_growth"].supports), "Out of memory: [OutOfMemory].");
            HOLDS(textOf(all["memory_growth"].supports), "rises at the end of each step");
            HOLDS(all["memory_growth"].tests[0] + all["memory_growth"].tests[1], "Accumulate gradients");
        }
    }
}

void TstFindings::b24_e14_limiters_data() {
    QTest::addColumn<QString>("label");
    QTest::addColumn<double>("compute"); // us of each 1,000
    QTest::addColumn<double>("collective");
    QTest::addColumn<double>("copy");
    // What is left of each 1,000 is idle because the next launch comes late.
    QTest::newRow("launch") << QStringLiteral("launch-bound") << 100.0 << 0.0 << 0.0;
    QTest::newRow("compute") << QStringLiteral("compute-bound") << 950.0 << 0.0 << 0.0;
    QTest::newRow("copy") << QStringLiteral("copy-bound") << 200.0 << 0.0 << 700.0;
    QTest::newRow("communication") << QStringLiteral("communication-bound") << 200.0 << 700.0 << 0.0;
    QTest::newRow("mixed") << QStringLiteral("mixed") << 400.0 << 200.0 << 150.0;
}

void TstFindings::b24_e14_limiters() {
    QFETCH(QString, label);
    QFETCH(double, compute);
    QFETCH(double, collective);
    QFETCH(double, copy);
    Rows rows;
    for (int k = 0; k < 10; ++k) {
        const double at = k * 1'000;
        const int id = 3 * k + 1;
        // Launched just before each 1,000 begins, one behind the other.
        rows.push_back(operatorRow("aten::mm", at - 990, 985));
        rows.push_back(launchCall(at - 15, 4, id));
        rows.push_back(kernel(at, compute, id));
        double next = at + compute;
        if (collective > 0) {
            rows.push_back(launchCall(at - 10, 2, id + 1));
            rows.push_back(kernel(next, collective, id + 1, "ncclDevKernel_AllReduce_Sum_f32"));
            next += collective;
        }
        if (copy > 0) {
            rows.push_back(call("cudaMemcpyAsync", at - 7, 2, id + 2));
            rows.push_back(copyRow(next, copy, id + 2, "Memcpy HtoD (Pinned -> Device)"));
        }
    }
    const auto trace = traceOfText(rows);
    const FoundAll all = findAllIn(*trace);
    const std::string suggests = all["limiter"].suggests;
    QVERIFY2(suggests.starts_with(label.toStdString()), suggests.c_str());
    // Ten of each, and the idle time between them.
    const double span = 9'000 + compute + collective + copy;
    const std::string numbers = textOf(all["limiter"].supports);
    HOLDS(numbers, "compute " + formatPercent(10 * compute / span));
    if (collective > 0)
        HOLDS(numbers, "exposed communication " + formatPercent(10 * collective / span));
    if (copy > 0)
        HOLDS(numbers, "copies " + formatPercent(10 * copy / span));
}

// The wait behind the last launch, outside of steps and operators, is the end of the capture.
void TstFindings::b27_c55_closingWaitIsNoDefect() {
    Rows rows = stepsOf(3, 1'000, [](Rows& into, int k, double at) {
        into.push_back(launchCall(at + 10, 10, k + 1));
        into.push_back(kernel(at + 30, 950, k + 1));
    });
    rows.push_back(call("cudaDeviceSynchronize", 3'010, 500));
    const auto trace = traceOfText(rows);
    const FoundAll all = findAllIn(*trace);
    QCOMPARE(all.state("long_waits"), std::string("clear"));
    QCOMPARE(all.state("waits_in_loop"), std::string("clear"));
    HOLDS(textOf(all["left_out"].supports),
          "End of capture: cudaDeviceSynchronize behind the last launch, 500.0 µs.");
    // With nothing that marks steps too.
    const auto plain =
        traceOfText({launchCall(0, 10, 1), kernel(20, 400, 1), call("cudaDeviceSynchronize", 15, 500)});
    QCOMPARE(findAllIn(*plain).state("long_waits"), std::string("clear"));
    // A .item() at the end of the last step is the program's own.
    rows.back() = operatorRow("aten::item", 2'500, 495);
    rows.push_back(call("cudaStreamSynchronize", 2'510, 480));
    const auto own = traceOfText(rows);
    QCOMPARE(findAllIn(*own).state("long_waits"), std::string("found"));
}

// 0.8 s of 0.2 s steps hold 4; of 0.3 s steps only those that are recorded whole.
void TstFindings::c14_c35_whatTheWindowHolds() {
    Rows rows = stepsOf(4, 200'000, [](Rows& into, int, double at) {
        into.push_back(kernel(at + 10, 150'000));
        into.push_back(annotation("decode", at + 5, 100'000));
    });
    const auto trace = traceOfText(rows);
    const std::string text = textOf(findAllIn(*trace)["left_out"].supports);
    HOLDS(text, "The window holds 4 whole steps; none is warm-up.");
    HOLDS(text, "Window 0 ns to 800.0 ms after time zero. Ranges seen: ProfilerStep#, decode.");
    const auto two = traceOfText({kernel(0, 800'000), step(1, 0, 300'000), step(2, 300'000, 300'000)});
    HOLDS(textOf(findAllIn(*two)["left_out"].supports), "The window holds 2 whole steps");
    const auto bare = traceOfText({kernel(0, 800'000)});
    HOLDS(textOf(findAllIn(*bare)["left_out"].supports), "No ranges: which phase it covers is not verified.");
}

// A capture of 0.8 s that began 10 s after the launch, with and without ranges. Where times begin after the
// delay only, they count from the launch already.
void TstFindings::c14_delayedCapture() {
    const auto delayed = [](std::int64_t beginNs, bool withRanges) {
        TraceBuilder builder;
        builder.facts().metadata.emplace_back("start_delay_ms", "10000");
        LaneKey key;
        key.kind = withRanges ? LaneKind::Range : LaneKind::CudaApi;
        key.process = builder.process("1");
        key.thread = builder.thread(key.process, "1");
        const LaneId lane = builder.lane(key);
        for (int k = 0; k < 4; ++k)
            builder.add({lane,
                         beginNs + k * 200'000'000,
                         beginNs + (k + 1) * 200'000'000,
                         builder.strings().intern("decode " + std::to_string(k)),
                         withRanges ? EventKind::Range : EventKind::RuntimeApi,
                         0,
                         {}});
        JobControl job;
        return *std::move(builder).finish(job);
    };
    for (const std::int64_t begin : {std::int64_t{0}, std::int64_t{10'000'000'000}}) {
        const CaptureWindow window = captureWindow(*delayed(begin, true));
        QVERIFY(window.isDelayed);
        QCOMPARE(captureWindowText(window),
                 std::string("Window 10.0\u201310.8 s after launch. Ranges seen: decode #."));
    }
    QCOMPARE(captureWindowText(captureWindow(*delayed(0, false))),
             std::string("Window 10.0\u201310.8 s after launch. No ranges: phase unverified."));
    QVERIFY(!captureWindow(*traceOfText({kernel(0, 800'000)})).isDelayed);
}

// A step of three times the median is marked and compared; its cause stays a list of candidates.
void TstFindings::c46_unusualStepIsNotExplained() {
    Rows rows;
    for (int k = 0; k < 6; ++k) {
        const double at = k * 1'000 + (k > 3 ? 2'000 : 0);
        rows.push_back(step(k, at, k == 3 ? 3'000 : 1'000));
        rows.push_back(kernel(at + 100, 500));
    }
    const auto trace = traceOfText(rows);
    const FoundAll all = findAllIn(*trace);
    const std::string text = textOf(all["unusual_steps"].supports);
    HOLDS(text,
          "ProfilerStep#3 took 3.000 ms, the median is 1.000 ms; GPU busy +0 ns, idle +2.000 ms against it.");
    HOLDS(text, "Candidates: the application");
    HOLDS(text, "initialisation");
    HOLDS(text, "a profiler event");
    HOLDS(all["unusual_steps"].suggests, "the trace shows that, not why");
    QCOMPARE(findAllIn(*trace, {"steps.unusual_factor=3.1"}).state("unusual_steps"), std::string("clear"));
}

// Eight classes are named; those that rows tell of open.
void TstFindings::c54_startUpClasses() {
    Rows rows{call("cuCtxCreate_v2", 0, 100),
              rowText("overhead", "Lazy Function Loading", 110, 50),
              call("cudaMalloc", 200, 30),
              call("cudnnCreate", 240, 40),
              operatorRow("torch._inductor.codecache compile", 300, 100),
              operatorRow("triton autotune", 500, 50),
              call("cudaGraphInstantiate", 600, 70),
              annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 700, 80)};
    for (int k = 0; k < 4; ++k) {
        rows.push_back(step(k, 1'000 + k * 100, 100));
        rows.push_back(kernel(1'010 + k * 100, 80));
    }
    const auto trace = traceOfText(rows);
    const FoundAll all = findAllIn(*trace);
    const std::string text = textOf(all["left_out"].supports);
    HOLDS(text, "Start-up: 1.000 ms before the first measured step.");
    for (const char* title : {"CUDA initialisation: 1 row, 100.0 µs", "lazy loading of code: 1 row, 50.00 µs",
                              "allocator growth: 1 row, 30.00 µs", "library heuristics: 1 row, 40.00 µs",
                              "just-in-time compilation: 1 row, 100.0 µs", "autotuning: 1 row, 50.00 µs",
                              "graph building: 1 row, 70.00 µs", "input initialisation: 1 row, 80.00 µs"})
        HOLDS(text, title);
    // The allocation of the start-up is no allocation in steady state.
    QCOMPARE(all.state("allocations"), std::string("clear"));
}

// The switch turns the findings to the time before the first measured step.
void TstFindings::c57_startUpIsMyTarget() {
    Rows rows{launchCall(0, 5, 1), kernel(10, 10, 1), call("cudaDeviceSynchronize", 12, 500),
              launchCall(800, 5, 2), kernel(810, 100, 2)};
    for (int k = 0; k < 4; ++k) {
        rows.push_back(step(k, 1'000 + k * 100, 100));
        rows.push_back(kernel(1'000 + k * 100, 100, 0));
    }
    const auto trace = traceOfText(rows);
    QCOMPARE(findAllIn(*trace).state("long_waits"), std::string("clear"));
    const FoundAll target = findAllIn(*trace, {"start_up=target"});
    QCOMPARE(target.context->window, (TimeRange{{0}, {1'000'000}}));
    QCOMPARE(target.state("long_waits"), std::string("found"));
    HOLDS(target["left_out"].suggests, "about the start-up, as set");
}

// Five steps of 100 ms, thirty of 10 ms: the findings are about the thirty.
void TstFindings::a03_warmUpIsLeftOut() {
    Rows rows;
    double at = 0;
    for (int k = 0; k < 35; ++k) {
        const double length = k < 5 ? 100'000 : 10'000;
        rows.push_back(step(k, at, length));
        rows.push_back(kernel(at, 9'900));
        at += length;
    }
    const auto trace = traceOfText(rows);
    const FoundAll all = findAllIn(*trace);
    QCOMPARE(all.context->windowTitle, std::string("30 steps of 35, without warm-up"));
    QCOMPARE(all.context->window.begin.v, 500'000'000);
    QCOMPARE(all.state("gaps"), std::string("clear"));
    QCOMPARE(all.state("no_warm_up"), std::string("found"));
    const FoundAll with = findAllIn(*trace, {"warm_up=include"});
    QCOMPARE(with.context->window.begin.v, 0);
    QCOMPARE(with.state("gaps"), std::string("found"));
}

// A marked range: only what begins in it, against its steps.
void TstFindings::range_cutsTheWindow() {
    const auto trace = traceOfText(stepsOf(6, 1'000, [](Rows& rows, int k, double at) {
        rows.push_back(kernel(at, k < 2 ? 5 : 990));
        rows.push_back(copyRow(at + 991, 5, 0, "Memcpy HtoD (Pinned -> Device)"));
    }));
    JobControl job;
    const auto context =
        makeFindingContext(*trace, nullptr, {}, {{0}}, nullptr, job, TimeRange{{2'000'000}, {4'000'000}});
    QVERIFY(context);
    QCOMPARE((*context)->window, (TimeRange{{2'000'000}, {4'000'000}}));
    QCOMPARE((*context)->measuredSteps(), std::size_t{2});
    const auto found = findAll(**context, job);
    QVERIFY(found);
    QCOMPARE((*found)[5].state, FindingState::Clear); // no tiny kernels there
    HOLDS(textOf((*found)[2].supports), "2 copies host to device (1.0 per step)");
}

void TstFindings::emptyTrace_isUnknown() {
    const auto trace = traceOfText({operatorRow("aten::add", 0, 10)});
    const FoundAll all = findAllIn(*trace);
    for (const char* code :
         {"gaps", "dominating_kernel", "tiny_kernels", "limiter", "launch_bound", "input_bound",
          "waits_in_loop", "allocations", "memory_growth", "drift", "unusual_steps"})
        QCOMPARE(all.state(code), std::string("unknown"));
}

void TstFindings::cancelled_isAnError() {
    const auto trace = traceOfText({kernel(0, 10), kernel(20, 10)});
    JobControl job;
    job.requestCancel();
    const auto context = makeFindingContext(*trace, nullptr, {}, {{0}}, nullptr, job);
    QVERIFY(!context);
    QCOMPARE(context.error().code, Errc::Cancelled);
}

LACUNA_TEST(TstFindings, "tst_findings")

} // namespace tst_findings

#include "tst_findings.moc"
