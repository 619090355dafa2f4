// One trace of its own per rule of analysis.md section 4.4, and a second one in which the rule must not fire.
// Times in us. K is the operation after the gap that is asked about.

#include "core/analysis/gap_analysis.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <algorithm>

namespace tst_gap_rules {

using namespace lacuna;
using namespace lacuna::test;

namespace {

struct Judged {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const GapAnalysis> analysis;
    Gap gap; // in front of K
    GapStory story;

    explicit Judged(const std::string& text, const GapOptions& options = {}) {
        trace = traceOf(text);
        JobControl job;
        analysis = *GapAnalysis::run(trace, options, job);
        const auto found = std::find_if(analysis->gaps().begin(), analysis->gaps().end(),
                                        [this](const Gap& g) { return trace->nameOf(g.next) == "K"; });
        if (found == analysis->gaps().end())
            qFatal("no gap in front of K");
        gap = *found;
        story = analysis->explain(gap);
    }
    std::int64_t partNs(GapCause cause) const {
        const auto at = std::find_if(story.parts.begin(), story.parts.end(),
                                     [cause](const GapPart& part) { return part.cause == cause; });
        return at == story.parts.end() ? 0 : at->ns;
    }
    const GapNote* note(std::string_view code) const {
        for (const auto* notes : {&story.evidence, &story.against})
            for (const GapNote& n : *notes)
                if (n.code == code)
                    return &n;
        return nullptr;
    }
    std::string via() const { return gap.viaThread ? trace->threads()[gap.viaThread.v].name : std::string(); }
};

GapCause causeOf(const std::string& text) {
    return Judged(text).gap.cause;
}

std::string range(double begin, double end) {
    return " " + std::to_string(begin) + ".." + std::to_string(end) + " ";
}

// A first kernel [0, 100) launched in time; `host` is what thread main does; K starts 1 us after its launch
// call [200, 205), 106 us after the GPU ran dry.
std::string lateLaunch(const std::string& host, const std::string& launch = "cudaLaunchKernel") {
    return "main call cudaLaunchKernel -10..-5 #1\n"
           "s7 kernel A 0..100 #1\n" +
           host + "\nmain call " + launch + " 200..205 #2\ns7 kernel K 206..300 #2\n";
}

// A [0, 100), and K after a launch call of 100 us that began as the GPU ran dry. The name K has run before
// and eleven calls of 5 us are the usual ones.
std::string longLaunch(const std::string& more, const std::string& launch = "cudaLaunchKernel",
                       const std::string& op = "kernel K", double length = 100) {
    std::string text;
    for (int i = 0; i < 11; ++i) {
        const double at = -1000 + 50 * i;
        text += "main call " + launch + range(at, at + 5) + "#" + std::to_string(10 + i) + "\n";
        text += "s7 " + (op == "kernel K" ? std::string("kernel warm") : op) + range(at + 6, at + 50) + "#" +
                std::to_string(10 + i) + "\n";
    }
    text += "s7 kernel K -450..-440 #9\nmain call cudaLaunchKernel -470..-465 #9\n";
    text += "main call cudaLaunchKernel -10..-5 #1\ns7 kernel A 0..100 #1\n";
    text += more + "\nmain call " + launch + range(100, 100 + length) + "#2\ns7 " + op +
            range(101 + length, 120 + length) + "#2\n";
    return text;
}

// The gap in front of the second K (or of the copy named K) of longLaunch.
Gap lastGap(const std::string& text) {
    const Judged judged("s9 kernel K -5000..-4990 #900\nmain call cudaLaunchKernel -5100..-5095 #900\n"
                        "s9 kernel Z -6000..-5990 #901\nmain call cudaLaunchKernel -6100..-6095 #901\n" +
                        text);
    return judged.analysis->gaps().back();
}

// Both operations queued long before; K starts `gapUs` after A ended at 100.
std::string queued(double gapUs, const std::string& more = {}) {
    return "main call cudaLaunchKernel -20..-15 #1\n"
           "main call cudaLaunchKernel -10..-5 #3\n" +
           more + "\ns7 kernel A 0..100 #1\ns7 kernel K" + range(100 + gapUs, 200 + gapUs) + "#3\n";
}

// `gaps` launches by main, one every `stepUs`, of kernels of 1 us that start when their call returns; each
// call takes 4 us. The last kernel is K.
std::string launchLoop(int gaps, double stepUs = 6) {
    std::string text;
    for (int i = 0; i <= gaps; ++i) {
        const double at = stepUs * i;
        text += "main call cudaLaunchKernel" + range(at, at + 4) + "#" + std::to_string(i + 1) + "\n";
        text += std::string("s7 kernel ") + (i == gaps ? "K" : "tiny") + range(at + 4.5, at + 5.5) + "#" +
                std::to_string(i + 1) + "\n";
    }
    return text;
}

// main waits for a condition over [110, 195), then launches; the other thread is up to the caller.
std::string condWait(const std::string& other) {
    return "! os\n" + lateLaunch("main os pthread_cond_wait 110..195\n" + other);
}

} // namespace

class TstGapRules : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ruleE_edgesAreApart();
    void ruleE_notAGapThatTheWindowCuts();
    void ruleU1_queuedBeforeCapture();
    void ruleU1_notAboveTheSmallestId();
    void ruleU2_bracketed();
    void ruleU2_notWhenTheLaterLaunchIsLate();
    void ruleU3_deviceOnly();
    void ruleU3_notWithHostCalls();
    void ruleC_clockAnomaly();
    void ruleC_notWhenLaunchedBefore();
    void ruleG_insideOneLaunch();
    void ruleG_notAcrossLaunches();
    void ruleD1_markers();
    void ruleD1_markersByEventId();
    void ruleD1_notWhenTheSourceEndedEarlier();
    void ruleD1_byOrderOfCalls();
    void ruleD1_byOrder_notWhenRecordedBefore();
    void ruleD1_notWhenSwitchedOff();
    void ruleD2_hostCallback();
    void ruleD2_notForPollingThreads();
    void ruleD3_switchCost();
    void ruleD3_learnsFromTheFile();
    void ruleD3_notAboveTheLimit();
    void ruleD4_missingOperation();
    void ruleD4_incompleteGraph();
    void ruleD4_notWhenEverythingIsThere();
    void ruleD5_unexplained();
    void ruleS_workLongerThanTheWait();
    void ruleS_workShorterThanTheWait();
    void ruleS_sleepThatWouldHaveFitted();
    void ruleS_chainOverPageableCopy();
    void ruleS_chainEndsAtASubmission();
    void ruleS_waitThatReturnedAtOnceHidesNothing();
    void ruleS_epsilon();
    void ruleS_freeThatWaited();
    void ruleS_notWithALaunchBetween();
    void ruleS_notWhenItEndedEarlier();
    void ruleS_notForPinnedAsyncCopies();
    void ruleI0_pageableCopy();
    void ruleI0_notForPinned();
    void ruleI1_lazyLoading();
    void ruleI1_firstUse();
    void ruleI1_notTheSecondUse();
    void ruleI2_profilerOverhead();
    void ruleI2_notBelowHalf();
    void ruleI3_driverLock();
    void ruleI3_notBelowShare();
    void ruleI4_firstGraphLaunch();
    void ruleI4_laterGraphLaunch();
    void ruleI4_slowGraphLaunch();
    void ruleI5_slowCall();
    void ruleI5_notBelowFactor();
    void ruleA_data();
    void ruleA();
    void ruleA_headlineIsTheLargestCause();
    void ruleA_freeThenMallocInOneOperator_isAnAllocatorRetry();
    void evidence_launchesOnAnotherDeviceAreNamed();
    void ruleA_moduleOverheadByOverlap();
    void ruleA_moduleOverhead_notBelowHalf();
    void ruleB_launchBound();
    void ruleB_notBelowEightGaps();
    void ruleB_notWithLongIntervals();
    void ruleB_notBehindAQueue();
    void ruleB_drainedGapOnlyBegins();
    void ruleB_queuedGapsArePassedOver();
    void ruleH_signalled();
    void ruleH_rowThatEndsNear();
    void ruleH_recursion();
    void ruleH_notForSleeps();
    void ruleH_notForRanges();
    void ruleH_notForTheWatchdog();
    void ruleH_notWhenItEndedLongBefore();
    void ruleH_notWhenHalfIsRecorded();
    void ruleH_switchedOff();
    void otherProcess_isCounterEvidence();
    void otherProcess_notOnAnotherGpu();
    void osRow_insideACallIsItsDetail();
    void stepMark_holdsNothing();
    void ranks_interleaveGroups();
    void callSite_leavesNumbersOut();
    void verdicts_fit();
    void run_pollsAndCancels();
};

// E
void TstGapRules::ruleE_edgesAreApart() {
    const Judged e(lateLaunch("main step ProfilerStep#1 310..350\nmain op aten::add 310..330"));
    const TimeRange window{{us(-50)}, {us(400)}};
    const GapTotals totals = e.analysis->totals(DeviceId{0}, window);
    QCOMPARE(totals.edgeStartNs, us(50));
    QCOMPARE(totals.edgeEndNs, us(100));
    QCOMPARE(totals.idleNs, us(106));
    QCOMPARE(totals.busyNs + totals.idleNs + totals.edgeStartNs + totals.edgeEndNs, totals.windowNs);
    const std::vector<Gap> edges = e.analysis->edgeGaps(DeviceId{0}, window);
    QCOMPARE(edges.size(), std::size_t{2});
    QCOMPARE(edges[0].cause, GapCause::EdgeStart);
    QCOMPARE(edges[1].cause, GapCause::EdgeEnd);
    QCOMPARE(edges[1].length().v, us(100));
    const GapStory tail = e.analysis->explain(edges[1]);
    QCOMPARE(tail.evidence.front().code, std::string("step_boundary"));
    QCOMPARE(tail.pieces.size(), std::size_t{4}); // uncovered, aten::add, step, uncovered
}
void TstGapRules::ruleE_notAGapThatTheWindowCuts() {
    const Judged e(lateLaunch("main op aten::add 100..200"));
    const TimeRange window{{us(150)}, {us(250)}};
    QVERIFY(e.analysis->edgeGaps(DeviceId{0}, window).empty());
    const GapTotals totals = e.analysis->totals(DeviceId{0}, window);
    QCOMPARE(totals.idleNs, us(56));
    QCOMPARE(totals.segmentNs[static_cast<std::size_t>(PieceClass::Operator)], us(50));
    QCOMPARE(totals.causeNs[static_cast<std::size_t>(GapCause::HostWork)], us(56)); // inherited
    QCOMPARE(totals.partNs[static_cast<std::size_t>(GapCause::HostWork)], us(50));
}

// U
void TstGapRules::ruleU1_queuedBeforeCapture() {
    const Judged u("s7 kernel A 0..10 #5\ns7 kernel K 14..20 #6\nmain call cudaLaunchKernel 30..35 #100\n"
                   "s7 kernel B 40..50 #100");
    QCOMPARE(u.gap.cause, GapCause::QueuedBeforeCapture);
    QCOMPARE(u.gap.confidence, GapConfidence::Medium);
    QVERIFY(u.note("switch_cost") != nullptr);
}
void TstGapRules::ruleU1_notAboveTheSmallestId() {
    QCOMPARE(causeOf("s7 kernel A 0..10 #5\ns7 kernel K 14..20 #200\nmain call cudaLaunchKernel 30..35 #100\n"
                     "s7 kernel B 40..50 #100"),
             GapCause::LaunchNotRecorded);
}
void TstGapRules::ruleU2_bracketed() {
    const Judged u("main call cudaLaunchKernel -20..-15 #1\nmain call cudaLaunchKernel -9..-5 #3\n"
                   "s7 kernel A 0..10 #1\ns7 kernel K 13..20 #2\ns7 kernel B 20..30 #3");
    QCOMPARE(u.gap.cause, GapCause::LaunchLatency);
    QCOMPARE(u.gap.confidence, GapConfidence::Medium);
    QCOMPARE(u.gap.unknownNs(), us(3));
}
void TstGapRules::ruleU2_notWhenTheLaterLaunchIsLate() {
    const Judged u("main call cudaLaunchKernel -20..-15 #1\nmain call cudaLaunchKernel 11..12 #3\n"
                   "s7 kernel A 0..10 #1\ns7 kernel K 13..20 #2\ns7 kernel B 20..30 #3");
    QCOMPARE(u.gap.cause, GapCause::LaunchNotRecorded);
    QCOMPARE(u.gap.confidence, GapConfidence::Low);
}
void TstGapRules::ruleU3_deviceOnly() {
    const Judged u("s7 kernel A 0..10 #1\ns7 kernel K 14..20 #2");
    QCOMPARE(u.gap.cause, GapCause::LaunchNotRecorded);
    QCOMPARE(u.gap.confidence, GapConfidence::Low);
    QVERIFY(u.story.verdict.find("No host events were recorded") != std::string::npos);
}
void TstGapRules::ruleU3_notWithHostCalls() {
    const Judged u("main call cudaLaunchKernel -9..-5 #1\ns7 kernel A 0..10 #1\ns7 kernel K 14..20 #2");
    QVERIFY(u.story.verdict.find("No host events were recorded") == std::string::npos);
}

// C
void TstGapRules::ruleC_clockAnomaly() {
    const Judged c("main call cudaLaunchKernel -9..-5 #1\ns7 kernel A 0..10 #1\n"
                   "main call cudaLaunchKernel 20..24 #2\ns7 kernel K 18..25 #2");
    QVERIFY(c.gap.clockAnomaly);
    QCOMPARE(c.gap.beforeNs, us(8));
    QCOMPARE(c.gap.confidence, GapConfidence::Low);
    QVERIFY(c.note("clock_anomaly") != nullptr);
}
void TstGapRules::ruleC_notWhenLaunchedBefore() {
    const Judged c(lateLaunch(""));
    QVERIFY(!c.gap.clockAnomaly);
    QVERIFY(c.note("clock_anomaly") == nullptr);
}

// G
void TstGapRules::ruleG_insideOneLaunch() {
    // Also when the call ends after the gap: inside is reported as it is.
    const Judged g("main call cudaGraphLaunch 0..32 #1\ns7 kernel A 20..30 #1\ns7 kernel K 33..40 #1");
    QCOMPARE(g.gap.cause, GapCause::InsideOneLaunch);
    QCOMPARE(g.gap.insideNs, us(2));
    QCOMPARE(g.partNs(GapCause::InsideOneLaunch), us(3));
}
void TstGapRules::ruleG_notAcrossLaunches() {
    QCOMPARE(
        causeOf(
            "main call cudaGraphLaunch 0..5 #1\nmain call cudaGraphLaunch 6..9 #2\ns7 kernel A 20..30 #1\n"
            "s7 kernel K 33..40 #2"),
        GapCause::LaunchLatency);
}

// D
const char* const kMarkers = "! sync\n"
                             "main call cudaLaunchKernel -30..-28 #1\n"
                             "main call cudaEventRecord  -26..-25 #11\n"
                             "main call cudaStreamWaitEvent -24..-23 #12\n"
                             "main call cudaLaunchKernel -20..-18 #2\n"
                             "s20 kernel source 0..100 #1\n"
                             "s7 kernel K 140..150 #2\n";
void TstGapRules::ruleD1_markers() {
    const Judged d(std::string(kMarkers) + "s7 wait wait -24..-23 #12 stream=7 from=20 record=11\n");
    QCOMPARE(d.gap.cause, GapCause::StreamDependency);
    QCOMPARE(d.gap.confidence, GapConfidence::High);
    QCOMPARE(d.trace->nameOf(d.note("event_wait_source")->event), std::string_view("source"));
    QVERIFY(d.note("event_record_call") != nullptr);
}
void TstGapRules::ruleD1_markersByEventId() { // Nsight: the record row tells stream and event
    const Judged d(std::string(kMarkers) + "s7 wait wait -24..-23 #12 stream=7 event=5\n"
                                           "s20 record record -26..-25 #11 stream=20 event=5\n");
    QCOMPARE(d.gap.cause, GapCause::StreamDependency);
    QCOMPARE(d.gap.confidence, GapConfidence::High);
}
void TstGapRules::ruleD1_notWhenTheSourceEndedEarlier() {
    const Judged d(std::string(kMarkers) +
                   "s7 wait wait -24..-23 #12 stream=7 from=20 record=11\n"
                   "main call cudaLaunchKernel -40..-38 #3\ns21 kernel longer 0..120 #3\n");
    QCOMPARE(d.gap.length().v, us(20)); // the source ended 20 us before it
    QCOMPARE(d.gap.cause, GapCause::DeviceUnexplained);
}
void TstGapRules::ruleD1_byOrderOfCalls() {
    const Judged d(kMarkers);
    QCOMPARE(d.gap.cause, GapCause::StreamDependency);
    QCOMPARE(d.gap.confidence, GapConfidence::Medium);
}
void TstGapRules::ruleD1_byOrder_notWhenRecordedBefore() {
    // The record came before the launch: nothing on another stream was waited for.
    QCOMPARE(causeOf("main call cudaEventRecord -36..-35 #11\nmain call cudaLaunchKernel -30..-28 #1\n"
                     "main call cudaStreamWaitEvent -24..-23 #12\nmain call cudaLaunchKernel -20..-18 #2\n"
                     "s20 kernel source 0..100 #1\ns7 kernel K 140..150 #2\n"),
             GapCause::DeviceUnexplained);
}
void TstGapRules::ruleD1_notWhenSwitchedOff() {
    GapOptions options;
    options.markerDependencies = false;
    QCOMPARE(Judged(kMarkers, options).gap.cause, GapCause::DeviceUnexplained);
}
void TstGapRules::ruleD2_hostCallback() {
    const Judged d(queued(50, "cuda-EvtHandlr range my_host_function 100..145"));
    QCOMPARE(d.gap.cause, GapCause::HostCallback);
    QVERIFY(d.story.verdict.find("my_host_function") != std::string::npos);
}
void TstGapRules::ruleD2_notForPollingThreads() {
    QCOMPARE(causeOf(queued(50, "cuda-EvtHandlr os poll 0..145")), GapCause::DeviceUnexplained);
}
void TstGapRules::ruleD3_switchCost() {
    const Judged d(queued(3));
    QCOMPARE(d.gap.cause, GapCause::LaunchLatency);
    QCOMPARE(d.partNs(GapCause::LaunchLatency), us(3));
    QCOMPARE(causeOf(queued(10)), GapCause::LaunchLatency); // nothing known: up to 10 us
}
// 21 queued gaps of 2 us behind kernels: 4 x 2 us is the limit, more than the floor and less than 10 us.
std::string manySwitches(double lastUs) {
    std::string text = "main call cudaLaunchKernel -9..-8 #1\ns7 kernel first 0..10 #1\n";
    for (int i = 0; i < 21; ++i)
        text += "main call cudaLaunchKernel" + range(-7 + 0.1 * i, -6.95 + 0.1 * i) + "#" +
                std::to_string(i + 2) + "\ns7 kernel A" + range(12 * (i + 1), 12 * (i + 1) + 10) + "#" +
                std::to_string(i + 2) + "\n";
    return text + "main call cudaLaunchKernel -2..-1 #50\ns7 kernel K" + range(262 + lastUs, 300) + "#50\n";
}
void TstGapRules::ruleD3_learnsFromTheFile() {
    QCOMPARE(causeOf(manySwitches(7.5)), GapCause::LaunchLatency);
    QCOMPARE(causeOf(manySwitches(8.5)), GapCause::DeviceUnexplained);
}
void TstGapRules::ruleD3_notAboveTheLimit() {
    QCOMPARE(causeOf(queued(11)), GapCause::DeviceUnexplained);
}
void TstGapRules::ruleD4_missingOperation() {
    const Judged d(queued(60, "main call cudaLaunchKernel -14..-12 #2"));
    QCOMPARE(d.gap.cause, GapCause::PossiblyUnrecordedWork);
    QCOMPARE(d.gap.boundNs, std::int64_t{0}); // not counted as waste
    QVERIFY(d.note("missing_rows") != nullptr);
}
void TstGapRules::ruleD4_incompleteGraph() {
    const std::string graphs = "main call cudaGraphLaunch -90..-85 #20\ns9 kernel n1 -80..-70 #20 graph=4\n"
                               "s9 kernel n2 -70..-60 #20 graph=4\n"
                               "main call cudaGraphLaunch -14..-12 #21\ns9 kernel n1 20..30 #21 graph=4\n";
    QCOMPARE(causeOf(queued(60, graphs)), GapCause::PossiblyUnrecordedWork);
}
void TstGapRules::ruleD4_notWhenEverythingIsThere() {
    QCOMPARE(causeOf(queued(60, "main call cudaLaunchKernel -14..-12 #2\ns9 kernel other 20..30 #2")),
             GapCause::DeviceUnexplained);
    // A host function leaves no row on the device.
    QCOMPARE(causeOf(queued(60, "main call cudaLaunchHostFunc -14..-12 #2")), GapCause::DeviceUnexplained);
}
void TstGapRules::ruleD5_unexplained() {
    const Judged d(queued(60));
    QCOMPARE(d.gap.cause, GapCause::DeviceUnexplained);
    QCOMPARE(d.gap.confidence, GapConfidence::Low);
    QVERIFY(d.note("candidates") != nullptr);
    QVERIFY(!d.gap.blockingCall()); // never an invented host cause
}

// S: a kernel of 200 us, a wait until it ends, host work, the next launch.
std::string waitThenWork(double workUs, const std::string& more = {}) {
    const double launch = 203 + workUs;
    return "main call cudaLaunchKernel -10..-5 #1\ns7 kernel A 0..200 #1\n"
           "main call cudaStreamSynchronize 0..203 #8\nmain range work" +
           range(203, launch) + "\n" + more + "\nmain call cudaLaunchKernel" + range(launch, launch + 5) +
           "#2\ns7 kernel K" + range(launch + 6, launch + 50) + "#2\n";
}
void TstGapRules::ruleS_workLongerThanTheWait() {
    const Judged s(waitThenWork(500));
    QCOMPARE(s.gap.cause, GapCause::HostWork);
    QCOMPARE(s.gap.lostRunAheadNs, us(200));
    QCOMPARE(s.gap.syncPartNs, us(200));
    QCOMPARE(s.partNs(GapCause::SyncDrain), us(200));
    QCOMPARE(s.partNs(GapCause::HostWork), us(303)); // 500 of work less what the wait would have hidden
    QCOMPARE(s.story.drainedBy.name, std::string("cudaStreamSynchronize"));
    QVERIFY(s.note("sync_part") != nullptr);
    QCOMPARE(s.gap.boundNs, us(200)); // a launch queued in time would have hidden the wait's part only
}
void TstGapRules::ruleS_workShorterThanTheWait() {
    const Judged s(waitThenWork(100));
    QCOMPARE(s.gap.cause, GapCause::SyncDrain);
    QCOMPARE(s.gap.syncPartNs, us(108)); // before 103 and inside 5
    QCOMPARE(s.gap.boundNs, us(108));
}
void TstGapRules::ruleS_sleepThatWouldHaveFitted() {
    const Judged s("main call cudaLaunchKernel -10..-5 #1\ns7 kernel A 0..4000 #1\n"
                   "main call cudaStreamSynchronize 0..4003 #8\nmain os usleep 4010..7700\n"
                   "main call cudaLaunchKernel 7705..7710 #2\ns7 kernel K 7711..7800 #2");
    QCOMPARE(s.gap.cause, GapCause::SyncDrain);
    QVERIFY(std::any_of(s.story.pieces.begin(), s.story.pieces.end(),
                        [](const GapPiece& piece) { return piece.name == "usleep"; }));
}
std::string pageableChain(const std::string& between) {
    // The copy call lasts over 90 of its operation's 100 us and returns before it ends; the sync takes the
    // rest.
    return "main call cudaMemcpyAsync 0..95 #1\ns7 copy HtoD pageable 5..105 #1\n" + between +
           "\nmain call cudaStreamSynchronize 97..108 #8\nmain op aten::mul 110..200\n"
           "main call cudaLaunchKernel 200..205 #2\ns7 kernel K 206..300 #2\n";
}
void TstGapRules::ruleS_chainOverPageableCopy() {
    const Judged s(pageableChain(""));
    QCOMPARE(s.gap.lostRunAheadNs, us(95 + 8)); // both calls up to the end of the copy
    QCOMPARE(s.gap.syncPartNs, us(100));
    QCOMPARE(s.gap.cause, GapCause::SyncDrain);
}
void TstGapRules::ruleS_chainEndsAtASubmission() {
    const Judged s(pageableChain("main call cudaLaunchKernel 95.5..96.5 #3\ns9 kernel other 98..104 #3"));
    QCOMPARE(s.gap.lostRunAheadNs, us(8)); // the sync alone
    QCOMPARE(s.gap.cause, GapCause::HostWork);
}
void TstGapRules::ruleS_waitThatReturnedAtOnceHidesNothing() {
    const Judged s(waitThenWork(100, "main call cudaStreamSynchronize 210..211 #9"));
    QCOMPARE(s.trace->events().beginNs[s.gap.drainedBy.v], std::int64_t{0});
    QCOMPARE(s.gap.cause, GapCause::SyncDrain);
}
std::string waitEndsBy(double endUs) {
    return "main call cudaLaunchKernel -10..-5 #1\ns7 kernel A 0..200 #1\nmain call cudaStreamSynchronize" +
           range(0, endUs) + "#8\nmain call cudaLaunchKernel 250..255 #2\ns7 kernel K 256..300 #2\n";
}
void TstGapRules::ruleS_epsilon() {
    const Judged s(waitEndsBy(199.5));
    QVERIFY(s.gap.drainedBy);
    QCOMPARE(s.gap.confidence, GapConfidence::Medium);
}
void TstGapRules::ruleS_freeThatWaited() {
    const std::string text =
        "main call cudaLaunchKernel -10..-5 #1\ns7 kernel A 0..200 #1\nmain call cudaFree 0..200.8\n"
        "main op aten::add 201..250\nmain call cudaLaunchKernel 250..255 #2\n"
        "s7 kernel K 256..300 #2\n";
    const Judged s(text);
    QCOMPARE(s.story.drainedBy.name, std::string("cudaFree"));
    QVERIFY(s.note("device_sync_in_effect") != nullptr);
    // One that went on for long after the device was idle took its time by itself.
    const Judged longer(
        "main call cudaLaunchKernel -10..-5 #1\ns7 kernel A 0..200 #1\nmain call cudaFree 0..240\n"
        "main call cudaLaunchKernel 250..255 #2\ns7 kernel K 256..300 #2\n");
    QVERIFY(!longer.gap.drainedBy);
    QCOMPARE(longer.gap.cause, GapCause::Allocation);
}
void TstGapRules::ruleS_notWithALaunchBetween() {
    const Judged s(waitThenWork(100, "main call cudaLaunchKernel 220..225 #3\ns9 kernel other 330..340 #3"));
    QVERIFY(!s.gap.drainedBy);
    QCOMPARE(s.gap.cause, GapCause::HostWork);
    QVERIFY(s.note("run_ahead_reset") != nullptr); // still told why there was no lead
}
void TstGapRules::ruleS_notWhenItEndedEarlier() {
    QVERIFY(!Judged(waitEndsBy(198.5)).gap.drainedBy);
}
void TstGapRules::ruleS_notForPinnedAsyncCopies() {
    // It returned after its operation ended, but only because the copy was tiny.
    const std::string text =
        "main call cudaMemcpyAsync 0..20 #1\ns7 copy DtoH pinned 5..15 #1\n"
        "main op aten::add 20..50\nmain call cudaLaunchKernel 50..55 #2\ns7 kernel K 56..60 #2\n";
    QVERIFY(!Judged(text).gap.drainedBy);
    std::string synchronous = text;
    synchronous.replace(synchronous.find("Async"), 5, "");
    QVERIFY(Judged(synchronous).gap.drainedBy);
}

// I
void TstGapRules::ruleI0_pageableCopy() {
    const Gap gap = lastGap(longLaunch("", "cudaMemcpyAsync", "copy HtoD pageable"));
    QCOMPARE(gap.cause, GapCause::PageableCopy);
    QCOMPARE(gap.role, BlockingRole::Launch);
}
void TstGapRules::ruleI0_notForPinned() {
    QCOMPARE(lastGap(longLaunch("", "cudaMemcpyAsync", "copy HtoD pinned")).cause, GapCause::SlowLaunchCall);
}
void TstGapRules::ruleI1_lazyLoading() {
    QCOMPARE(lastGap(longLaunch("p0/cupti overhead Lazy Function Loading 110..190")).cause,
             GapCause::ModuleLoad);
}
void TstGapRules::ruleI1_firstUse() {
    std::string text = longLaunch("");
    text.replace(text.rfind("kernel K"), 8, "kernel new");
    QCOMPARE(lastGap(text).cause, GapCause::ModuleLoad);
}
void TstGapRules::ruleI1_notTheSecondUse() {
    QCOMPARE(lastGap(longLaunch("")).cause, GapCause::SlowLaunchCall);
    // Loading that is not within the call tells nothing about it.
    QCOMPARE(lastGap(longLaunch("p0/cupti overhead Lazy Function Loading 20..90")).cause,
             GapCause::SlowLaunchCall);
}
void TstGapRules::ruleI2_profilerOverhead() {
    QCOMPARE(lastGap(longLaunch("p0/cupti overhead Buffer Flush 110..165")).cause,
             GapCause::ProfilerArtifact);
}
void TstGapRules::ruleI2_notBelowHalf() {
    QCOMPARE(lastGap(longLaunch("p0/cupti overhead Buffer Flush 110..155")).cause, GapCause::SlowLaunchCall);
}
void TstGapRules::ruleI3_driverLock() {
    QCOMPARE(lastGap(longLaunch("worker call cudaMalloc 105..190")).cause, GapCause::DriverLock);
}
void TstGapRules::ruleI3_notBelowShare() {
    QCOMPARE(lastGap(longLaunch("worker call cudaMalloc 105..180")).cause, GapCause::SlowLaunchCall);
    QCOMPARE(lastGap(longLaunch("worker call cudaEventQuery 105..190")).cause, GapCause::SlowLaunchCall);
}
std::string graphLaunches(int earlier, double lastUs) {
    std::string text = "main call cudaLaunchKernel -10..-5 #1\ns7 kernel A 0..100 #1\n";
    for (int i = 0; i < earlier; ++i) {
        const double at = -1000 + 50 * i;
        text += "main call cudaGraphLaunch" + range(at, at + 20) + "#" + std::to_string(10 + i) +
                "\ns7 kernel node" + range(at + 21, at + 30) + "#" + std::to_string(10 + i) + " graph=3\n";
    }
    return text + "main call cudaGraphLaunch" + range(100, 100 + lastUs) + "#2\ns7 kernel node" +
           range(101 + lastUs, 120 + lastUs) + "#2 graph=3\n";
}
void TstGapRules::ruleI4_firstGraphLaunch() {
    QCOMPARE(lastGap(graphLaunches(0, 25)).cause, GapCause::GraphUpload);
}
void TstGapRules::ruleI4_laterGraphLaunch() {
    QCOMPARE(lastGap(graphLaunches(5, 25)).cause, GapCause::GraphLaunch);
}
void TstGapRules::ruleI4_slowGraphLaunch() {
    QCOMPARE(lastGap(graphLaunches(5, 45)).cause, GapCause::GraphUpload);
}
void TstGapRules::ruleI5_slowCall() {
    const Gap gap = lastGap(longLaunch("", "cudaLaunchKernel", "kernel K", 51));
    QCOMPARE(gap.cause, GapCause::SlowLaunchCall);
    QCOMPARE(gap.boundNs, us(51));
}
void TstGapRules::ruleI5_notBelowFactor() {
    QCOMPARE(lastGap(longLaunch("", "cudaLaunchKernel", "kernel K", 49)).cause, GapCause::LaunchLatency);
}

// A
void TstGapRules::ruleA_data() {
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("cause");
    const auto row = [](const char* name, const char* host, GapCause cause) {
        QTest::newRow(name) << QString::fromUtf8(host) << static_cast<int>(cause);
    };
    row("allocation", "main call cudaMalloc 110..195", GapCause::Allocation);
    row("allocation: driver", "main driver cuMemCreate 110..195", GapCause::Allocation);
    row("allocation: not a memset", "main call cudaMemsetAsync 110..195", GapCause::HostWork);
    row("module: library load", "main driver cuLibraryLoadData 110..195", GapCause::ModuleLoad);
    row("module: not a query", "main driver cuModuleGetFunction 110..195", GapCause::HostWork);
    row("link", "main driver cuLinkComplete 110..195", GapCause::Compile);
    row("compile: range", "main range dynamo_timed 105..198\nmain op aten::add 110..195", GapCause::Compile);
    row("compile: frame", "main py torch/_inductor/codecache.py(20): compile_file 110..195",
        GapCause::Compile);
    row("compile: not a path", "main py torch/compiler/__init__.py(20): forward 110..195",
        GapCause::HostWork);
    row("compile: not compiled code", "main op Torch-Compiled Region: 0/0 110..195", GapCause::HostWork);
    row("compile: not a triton kernel", "main op triton_poi_fused_add_0 110..195", GapCause::HostWork);
    row("compile: waits stay waits", "main range compile 105..198\nmain call cudaDeviceSynchronize 110..195",
        GapCause::HostBlockedOther);
    row("data loading", "main op enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__ 110..195",
        GapCause::DataLoading);
    row("data loading: not by half a name", "main op DataLoader 110..195", GapCause::HostWork);
    row("blocked: sync", "main call cudaDeviceSynchronize 110..195", GapCause::HostBlockedOther);
    row("blocked: not a query", "main call cudaEventQuery 110..195", GapCause::HostWork);
    row("OS wait", "main os usleep 110..195", GapCause::OsWait);
    row("collection", "main py gc.collect 110..195", GapCause::Gc);
    row("profiler overhead", "main overhead Buffer Flush 110..195", GapCause::ProfilerArtifact);
    row("module overhead on the thread", "main overhead Lazy Function Loading 110..195",
        GapCause::ModuleLoad);
    row("operator", "main op aten::add 110..195", GapCause::HostWork);
    row("range", "main range forward 110..195", GapCause::HostWork);
    row("python", "main py model.py(7): forward 110..195", GapCause::HostWork);
    row("other call", "main call cudaEventRecord 110..195", GapCause::HostWork);
    row("nothing", "", GapCause::HostUnrecorded);
}
void TstGapRules::ruleA() {
    QFETCH(QString, host);
    QFETCH(int, cause);
    const Judged a(lateLaunch(host.toStdString()));
    QCOMPARE(QString::fromUtf8(causeName(a.gap.cause).data()),
             QString::fromUtf8(causeName(static_cast<GapCause>(cause)).data()));
    // The part is the row's own time.
    if (a.gap.cause != GapCause::HostUnrecorded)
        QCOMPARE(a.partNs(a.gap.cause) >= us(85), true);
}
void TstGapRules::ruleA_headlineIsTheLargestCause() {
    const Judged a(
        lateLaunch("main call cudaMalloc 100..140\nmain op aten::add 140..165\nmain range forward 165..190"));
    QCOMPARE(a.gap.cause, GapCause::HostWork); // 25 + 25 of it against 40
    QCOMPARE(a.partNs(GapCause::Allocation), us(40));
    QCOMPARE(a.partNs(GapCause::HostWork), us(50));
    QCOMPARE(a.partNs(GapCause::HostUnrecorded), us(10));
}
void TstGapRules::ruleA_freeThenMallocInOneOperator_isAnAllocatorRetry() {
    const Judged retry(lateLaunch("main op aten::empty 105..195\nmain call cudaFree 110..140\n"
                                  "main call cudaMalloc 140..190"));
    QCOMPARE(retry.gap.cause, GapCause::Allocation);
    QVERIFY(retry.note("allocator_retry") != nullptr);
    QCOMPARE(retry.note("allocator_retry")->ns, us(90));
    // In two operators it is no retry, and neither is the other order.
    const Judged apart(lateLaunch("main op aten::a 105..140\nmain call cudaFree 110..140\n"
                                  "main op aten::b 140..195\nmain call cudaMalloc 140..190"));
    QVERIFY(apart.note("allocator_retry") == nullptr);
    const Judged order(lateLaunch("main op aten::empty 105..195\nmain call cudaMalloc 110..140\n"
                                  "main call cudaFree 140..190"));
    QVERIFY(order.note("allocator_retry") == nullptr);
}
void TstGapRules::evidence_launchesOnAnotherDeviceAreNamed() {
    const Judged served(lateLaunch("main call cudaLaunchKernel 120..135 #7\nd1s7 kernel B 140..150 #7"));
    QVERIFY(served.note("launch_on_other_device") != nullptr);
    QCOMPARE(served.note("launch_on_other_device")->ns, us(15));
    const Judged own(lateLaunch("main op aten::add 120..135"));
    QVERIFY(own.note("launch_on_other_device") == nullptr);
}
void TstGapRules::ruleA_moduleOverheadByOverlap() {
    const Judged a(
        lateLaunch("main op aten::add 100..200\np0/cupti overhead Lazy Function Loading 120..180"));
    QCOMPARE(a.gap.cause, GapCause::ModuleLoad);
    QCOMPARE(a.partNs(GapCause::HostWork), us(100)); // the parts stay with the pieces
}
void TstGapRules::ruleA_moduleOverhead_notBelowHalf() {
    QCOMPARE(
        causeOf(lateLaunch("main op aten::add 100..200\np0/cupti overhead Lazy Function Loading 120..165")),
        GapCause::HostWork);
    QCOMPARE(causeOf(lateLaunch(
                 "main call cudaMalloc 100..200\np0/cupti overhead Lazy Function Loading 120..180")),
             GapCause::Allocation);
}

// B
void TstGapRules::ruleB_launchBound() {
    const Judged b(launchLoop(8));
    QCOMPARE(b.gap.cause, GapCause::LaunchBound);
    QVERIFY(b.gap.launchBound);
    QCOMPARE(b.gap.confidence, GapConfidence::Medium);
    QCOMPARE(b.analysis->totals(DeviceId{0}).causeGaps[static_cast<std::size_t>(GapCause::LaunchBound)], 8u);
    QVERIFY(b.note("run_length") != nullptr);
}
void TstGapRules::ruleB_notBelowEightGaps() {
    QVERIFY(causeOf(launchLoop(7)) != GapCause::LaunchBound);
}
void TstGapRules::ruleB_notWithLongIntervals() {
    QVERIFY(causeOf(launchLoop(8, 99)) == GapCause::LaunchBound);
    QVERIFY(causeOf(launchLoop(8, 101)) != GapCause::LaunchBound);
}
void TstGapRules::ruleB_notBehindAQueue() {
    // Three operations of the stream have not started when each launch begins.
    std::string text;
    for (int i = 0; i <= 9; ++i) {
        const double at = 6.0 * i;
        text += "main call cudaLaunchKernel" + range(at, at + 4) + "#" + std::to_string(i + 1) + "\n";
        text += std::string("s7 kernel ") + (i == 9 ? "K" : "tiny") + range(at + 22, at + 23) + "#" +
                std::to_string(i + 1) + "\n";
    }
    QVERIFY(!Judged(text).gap.launchBound);
}
void TstGapRules::ruleB_drainedGapOnlyBegins() {
    // A wait in the middle of eight gaps leaves two runs that are too short.
    std::string text = launchLoop(8);
    text += "main call cudaStreamSynchronize 22.1..23.9 #90\n"; // ends behind the kernel of the fourth launch
    QVERIFY(!Judged(text).gap.launchBound);
    QVERIFY(Judged(launchLoop(8) + "main call cudaEventQuery 22.1..23.9 #90\n").gap.launchBound);
}
void TstGapRules::ruleB_queuedGapsArePassedOver() {
    // A second kernel right behind the fifth, launched in time: its gap is neither in the run nor its end.
    std::string text = launchLoop(9);
    text += "main call cudaMemsetAsync 28.1..28.15 #70\ns7 set set 29.8..29.9 #70\n";
    const Judged b(text);
    QCOMPARE(b.gap.cause, GapCause::LaunchBound);
    QCOMPARE(b.analysis->gaps().size(), std::size_t{10});
    QCOMPARE(b.analysis->totals(DeviceId{0}).causeGaps[static_cast<std::size_t>(GapCause::LaunchBound)], 9u);
}

// H
void TstGapRules::ruleH_signalled() {
    const Judged h(condWait("producer range prepare 105..170\nproducer os usleep 112..165\n"
                            "producer os pthread_cond_signal 168..169"));
    QCOMPARE(h.via(), std::string("producer"));
    QCOMPARE(h.gap.cause, GapCause::OsWait); // what the other thread did: it slept
    QVERIFY(h.partNs(GapCause::OsWait) == us(53 + 1));
    QVERIFY(h.story.verdict.find("waiting for thread producer") != std::string::npos);
    QVERIFY(std::any_of(h.story.pieces.begin(), h.story.pieces.end(), [&](const GapPiece& piece) {
        return piece.name == "usleep" && h.trace->threads()[piece.thread.v].name == "producer";
    }));
    // The segments keep the launching thread's own classes.
    QCOMPARE(h.analysis->totals(DeviceId{0}).segmentNs[static_cast<std::size_t>(PieceClass::OsWait)], us(85));
}
void TstGapRules::ruleH_rowThatEndsNear() {
    const Judged h(lateLaunch("worker op aten::loss 100..190"));
    QCOMPARE(h.via(), std::string("worker"));
    QCOMPARE(h.gap.cause, GapCause::HostWork);
    QCOMPARE(h.gap.confidence, GapConfidence::Medium);
}
void TstGapRules::ruleH_recursion() {
    const Judged h(condWait("middle os pthread_cond_wait 105..180\nmiddle os pthread_cond_signal 182..183\n"
                            "source op work 100..175\nsource os pthread_cond_signal 176..177"));
    QCOMPARE(h.via(), std::string("middle"));
    QCOMPARE(h.gap.cause, GapCause::HostWork);
    QCOMPARE(h.partNs(GapCause::HostWork) >= us(60), true);
}
void TstGapRules::ruleH_notForSleeps() {
    // A sleep ends by itself, whoever else is busy.
    const Judged h("! os\n" + lateLaunch("main os usleep 110..195\nworker op aten::add 100..190"));
    QVERIFY(h.via().empty());
    QCOMPARE(h.gap.cause, GapCause::OsWait);
}
void TstGapRules::ruleH_notForRanges() {
    QVERIFY(Judged(lateLaunch("worker range step 100..190")).via().empty());
}
void TstGapRules::ruleH_notForTheWatchdog() {
    QVERIFY(Judged(lateLaunch("pt_nccl_watchdg op poll 100..190")).via().empty());
}
void TstGapRules::ruleH_notWhenItEndedLongBefore() {
    QVERIFY(Judged(lateLaunch("worker op aten::loss 100..170")).via().empty());
    // A signal more than 100 us before the end of the wait woke nobody.
    QVERIFY(Judged("! os\nmain call cudaLaunchKernel -10..-5 #1\ns7 kernel A 0..100 #1\n"
                   "main os pthread_cond_wait 110..395\nproducer op work 100..290\n"
                   "producer os pthread_cond_signal 291..292\n"
                   "main call cudaLaunchKernel 400..405 #2\ns7 kernel K 406..500 #2\n")
                .via()
                .empty());
}
void TstGapRules::ruleH_notWhenHalfIsRecorded() {
    QVERIFY(Judged(lateLaunch("main op aten::add 100..151\nworker op aten::loss 151..190")).via().empty());
}
void TstGapRules::ruleH_switchedOff() {
    GapOptions options;
    options.handOff = false;
    const Judged h(lateLaunch("worker op aten::loss 100..190"), options);
    QVERIFY(h.via().empty());
    QCOMPARE(h.gap.cause, GapCause::HostUnrecorded);
}

// Around the rules
void TstGapRules::otherProcess_isCounterEvidence() {
    const Judged o(lateLaunch("main op aten::add 100..200") +
                   "p2/main call cudaLaunchKernel 90..95 #1\np2/s7 kernel theirs 100..180 #1\n");
    QCOMPARE(o.note("other_process")->ns, us(80));
    QVERIFY(o.story.verdict.find("Process 2") != std::string::npos);
}
void TstGapRules::otherProcess_notOnAnotherGpu() {
    const Judged o(lateLaunch("main op aten::add 100..200") +
                   "p2/main call cudaLaunchKernel 90..95 #1\np2/d1s7 kernel theirs 100..180 #1\n");
    QVERIFY(o.note("other_process") == nullptr);
}
void TstGapRules::osRow_insideACallIsItsDetail() {
    const Judged o("! os\n" + lateLaunch("main call cudaMalloc 110..195\nmain os ioctl 115..190"));
    QCOMPARE(o.gap.cause, GapCause::Allocation);
    QCOMPARE(o.story.heldBy.name, std::string("cudaMalloc"));
    QCOMPARE(o.analysis->totals(DeviceId{0}).segmentNs[static_cast<std::size_t>(PieceClass::Allocation)],
             us(85));
}
void TstGapRules::stepMark_holdsNothing() {
    const Judged o(lateLaunch("main step ProfilerStep#5 90..310"));
    QVERIFY(!o.gap.heldBy);
    QCOMPARE(o.gap.cause, GapCause::HostWork);
    QVERIFY(o.story.verdict.find("between operators") != std::string::npos);
}
void TstGapRules::ranks_interleaveGroups() {
    // Two sites: aten::a with gaps of 100 and 60 us, aten::b with 90 us; loading a module comes last.
    std::string text = "main call cudaLaunchKernel -10..-5 #1\ns7 kernel k0 0..100 #1\n";
    const std::vector<std::pair<std::string, double>> gaps{
        {"op aten::a", 100}, {"op aten::b", 90}, {"op aten::a", 60}, {"driver cuLibraryLoadData", 500}};
    double at = 100;
    for (std::size_t i = 0; i < gaps.size(); ++i) {
        const std::string id = std::to_string(i + 2);
        text += "main " + gaps[i].first + range(at, at + gaps[i].second - 10) + "\n";
        text += "main call cudaLaunchKernel" + range(at + gaps[i].second - 9, at + gaps[i].second - 4) + "#" +
                id + "\n";
        at += gaps[i].second;
        text += "s7 kernel " + std::string(i == 0 ? "K" : "k") + range(at, at + 50) + "#" + id + "\n";
        at += 50;
    }
    const Judged r(text);
    QCOMPARE(r.analysis->groups().size(), std::size_t{3});
    QCOMPARE(r.analysis->groups()[0].where, std::string("aten::a"));
    QCOMPARE(r.analysis->groups()[0].totalNs, us(160));
    QCOMPARE(r.analysis->groups()[0].medianNs, us(60));
    QCOMPARE(r.analysis->groups()[2].cause, GapCause::ModuleLoad);
    std::vector<std::int64_t> lengths;
    for (const GapId id : r.analysis->byRank())
        lengths.push_back(r.analysis->gap(id).length().v / 1000);
    QCOMPARE(lengths, (std::vector<std::int64_t>{100, 90, 500, 60}));
}
void TstGapRules::callSite_leavesNumbersOut() {
    std::string text = "main call cudaLaunchKernel -10..-5 #1\ns7 kernel k0 0..100 #1\n";
    for (int i = 0; i < 2; ++i) {
        const double at = 100 + 200 * i;
        const std::string id = std::to_string(i + 2);
        text += "main step ProfilerStep#" + id + range(at - 1, at + 160) + "\n";
        text += "main range layer " + id + range(at, at + 99) + "\nmain op aten::mm" +
                range(at + 1, at + 90) + "\n";
        text += "main call cudaLaunchKernel" + range(at + 91, at + 95) + "#" + id + "\ns7 kernel K" +
                range(at + 96, at + 200) + "#" + id + "\n";
    }
    const Judged c(text);
    QCOMPARE(c.analysis->groups().size(), std::size_t{1});
    QCOMPARE(c.analysis->groups()[0].where, std::string("aten::mm < \u2039layer #\u203a"));
}
void TstGapRules::verdicts_fit() {
    const std::string name(400, 'x');
    for (const std::string& text :
         {lateLaunch("main op " + name + " 100..200"), waitThenWork(100, "main range " + name + " -1..320"),
          condWait(name + " op work 100..190"), queued(50, "cuda" + name + " range " + name + " 100..150")}) {
        const Judged v(text);
        const auto chars = QString::fromStdString(v.story.verdict).toUcs4().size();
        QVERIFY2(chars <= 200 && chars > 20, v.story.verdict.c_str());
        QVERIFY(v.story.tries.size() <= 3);
        QVERIFY(!v.story.confidenceReason.empty());
    }
}
void TstGapRules::run_pollsAndCancels() {
    const auto trace = traceOf(launchLoop(9000, 20));
    JobControl job;
    QVERIFY(GapAnalysis::run(trace, {}, job));
    QVERIFY2(job.maxEventsBetweenPolls() <= 4'096, qPrintable(QString::number(job.maxEventsBetweenPolls())));
    for (std::uint64_t poll = 1; poll <= job.polls(); ++poll) {
        JobControl stopped;
        stopped.cancelAtPoll(poll);
        const auto result = GapAnalysis::run(trace, {}, stopped);
        QVERIFY2(!result && result.error().code == Errc::Cancelled, qPrintable(QString::number(poll)));
    }
}

LACUNA_TEST(TstGapRules, "tst_gap_rules")

} // namespace tst_gap_rules

#include "tst_gap_rules.moc"
