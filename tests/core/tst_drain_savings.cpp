// What the call sites of draining waits cost by the replay: the worked numbers of analysis.md section 6, and
// what is said where nothing was computed.

#include "core/analysis/drain_savings.h"
#include "core/import/load_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

namespace tst_drain_savings {

using namespace lacuna;
using namespace lacuna::test;

namespace {

struct Drained {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const GapAnalysis> gaps;
    std::optional<DrainSavings> model;

    explicit Drained(std::shared_ptr<const Trace> of) : trace(std::move(of)) {
        JobControl job;
        gaps = *GapAnalysis::run(trace, {}, job);
        model = *DrainSavings::build(gaps, job);
    }
    std::vector<DrainSaving> savings(std::optional<TimeRange> window = {},
                                     const DrainSavingLimits& limits = {}, DeviceId device = {0}) const {
        JobControl job;
        return *model->of(device, window, totals(window, device).drainingWaits, limits, job);
    }
    GapTotals totals(std::optional<TimeRange> window = {}, DeviceId device = {0}) const {
        return gaps->totals(device, window.value_or(gaps->deviceWindow(device)));
    }
};

std::shared_ptr<const Trace> traceOfMicro(const char* name) {
    JobControl job;
    return loadTrace(fixture(std::string("micro/") + name), builtinImporters(), job)->trace;
}

// Kernels of 100 us, one after another, each waited for from its launch on: the next launch comes 40 us after
// the wait. Without the waits the launches run ahead.
std::string waitedKernels(int count, const char* stream, const char* thread, int firstId, double from) {
    std::string text;
    for (int k = 0; k < count; ++k) {
        const auto at = [&](double begin, double end) {
            return " " + std::to_string(from + 150 * k + begin) + ".." + std::to_string(from + 150 * k + end);
        };
        const std::string id = " #" + std::to_string(firstId + k) + "\n";
        text += std::string(thread) + " call cudaLaunchKernel" + at(0, 5) + id;
        text += std::string(stream) + " kernel K" + at(10, 110) + id;
        text += std::string(thread) + " op site " + (k % 2 == 0 ? "even" : "odd") + at(6, 112) + "\n";
        text += std::string(thread) + " call cudaStreamSynchronize" + at(7, 111) + "\n";
    }
    return text;
}

} // namespace

class TstDrainSavings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void m2_waitInsideAnOperatorThatCopiesNothing();
    void m3_blockingCopyIsNoScalarRead();
    void sites_eachWithAllItsWaits();
    void windows_onlyTheirWaitsGo();
    void devices_eachByItsOwnEnd();
    void limits_theRestIsUnknown();
    void cancelled_atAnyPoll();
};

void TstDrainSavings::m2_waitInsideAnOperatorThatCopiesNothing() {
    const Drained m(traceOfMicro("M2.json"));
    const auto savings = m.savings();
    QCOMPARE(savings.size(), std::size_t{1});
    QCOMPARE(savings[0].ns, std::optional(us(18)));
    QVERIFY(savings[0].unknown.empty());
}

// aten::to [5, 70) holds nothing but the copy, yet it is no scalar read: its waits go, not the operator.
void TstDrainSavings::m3_blockingCopyIsNoScalarRead() {
    const Drained m(traceOfMicro("M3.json"));
    QCOMPARE(m.savings()[0].ns, std::optional(us(12)));
}

// Four kernels: launches at 0, 150, 300, 450, kernels [10, 110) and so on. With one of the two sites gone a
// launch follows the one before after 46 us (150 less the wait of 104), so that its kernel queues: three
// launches follow a wait, the last of them is of no use. Even waits: behind the first and the third kernel.
void TstDrainSavings::sites_eachWithAllItsWaits() {
    const Drained m(traceOf(waitedKernels(4, "s7", "main", 1, 0)));
    const GapTotals totals = m.totals();
    QCOMPARE(totals.drainingWaits.size(), std::size_t{2});
    QCOMPARE(totals.drainingWaits[0].operatorName, std::string("site even")); // two gaps, the odd one has one
    QCOMPARE(totals.drainingWaits[0].gaps, 2u);
    const auto savings = m.savings();
    // Kernel 2 (of 4) starts behind kernel 1 after the latency of 10 us, as no queued launch is known: at 120
    // instead of 160, 40 us earlier; so does the fourth behind the third: 80 us.
    QCOMPARE(savings[0].ns, std::optional(us(80)));
    QCOMPARE(savings[1].ns, std::optional(us(40)));
}

void TstDrainSavings::windows_onlyTheirWaitsGo() {
    const Drained m(traceOf(waitedKernels(4, "s7", "main", 1, 0)));
    const TimeRange second{{us(150)}, {us(420)}}; // the wait behind the third kernel begins at 307
    const auto savings = m.savings(second);
    const GapTotals totals = m.totals(second);
    QCOMPARE(savings.size(), totals.drainingWaits.size());
    for (std::size_t i = 0; i < savings.size(); ++i)
        QCOMPARE(savings[i].ns, std::optional(std::min(us(40), totals.drainingWaits[i].gapNs)));
}

// Two processes: the one that ends later has no such wait; the saving of the other is its own.
void TstDrainSavings::devices_eachByItsOwnEnd() {
    const Drained m(traceOf(waitedKernels(2, "s7", "main", 1, 0) +
                            "main call cudaLaunchKernel 800..805 #90\nd1s7 kernel Late 810..2000 #90\n"));
    QCOMPARE(m.savings()[0].ns, std::optional(us(40)));
    QVERIFY(m.savings({}, {}, {1}).empty());
}

void TstDrainSavings::limits_theRestIsUnknown() {
    const Drained m(traceOf(waitedKernels(4, "s7", "main", 1, 0)));
    DrainSavingLimits one;
    one.sites = 1;
    const auto savings = m.savings({}, one);
    QVERIFY(savings[0].ns && !savings[1].ns);
    QCOMPARE(savings[1].unknown, std::string_view("only the call sites with most gap time are replayed"));
    DrainSavingLimits few;
    few.points = 1; // less than one replay: the first is made all the same
    QVERIFY(m.savings({}, few)[0].ns && !m.savings({}, few)[1].ns);
}

void TstDrainSavings::cancelled_atAnyPoll() {
    const Drained m(traceOf(waitedKernels(40, "s7", "main", 1, 0)));
    JobControl counting;
    QVERIFY(DrainSavings::build(m.gaps, counting));
    QVERIFY(m.model->of({0}, {}, m.totals().drainingWaits, {}, counting));
    for (std::uint64_t poll = 1; poll <= counting.polls(); ++poll) {
        JobControl job;
        job.cancelAtPoll(poll);
        auto model = DrainSavings::build(m.gaps, job);
        if (model)
            QVERIFY(!model->of({0}, {}, m.totals().drainingWaits, {}, job));
        else
            QVERIFY(model.error().code == Errc::Cancelled);
    }
}

LACUNA_TEST(TstDrainSavings, "tst_drain_savings")

} // namespace tst_drain_savings

#include "tst_drain_savings.moc"
