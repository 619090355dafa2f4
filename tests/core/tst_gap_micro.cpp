// M1..M15 of analysis.md section 6: cuts, pieces and headlines against the reference's answers, and the
// causes that the text names, with everything switched on. (Self times and unions of M15..M18:
// tst_micro_reference, tst_host_tree.)

#include "core/import/load_trace.h"
#include "tests/support/gap_reference.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

namespace tst_gap_micro {

using namespace lacuna;
using namespace lacuna::test;
using nlohmann::json;

namespace {

std::shared_ptr<const Trace> loadMicro(const std::string& name) {
    JobControl job;
    const auto loaded = loadTrace(fixture("micro/" + name + ".json"), builtinImporters(), job);
    return loaded ? loaded->trace : nullptr;
}

struct Case {
    std::shared_ptr<const GapAnalysis> analysis;
    Gap gap; // the only one
    GapStory story;

    explicit Case(const std::string& name) {
        JobControl job;
        analysis = *GapAnalysis::run(loadMicro(name), {}, job);
        if (analysis->gaps().size() == 1) {
            gap = analysis->gaps().front();
            story = analysis->explain(gap);
        }
    }
    std::int64_t partNs(GapCause cause) const {
        for (const GapPart& part : story.parts)
            if (part.cause == cause)
                return part.ns;
        return 0;
    }
    bool hasEvidence(std::string_view code) const {
        return std::any_of(story.evidence.begin(), story.evidence.end(),
                           [&](const GapNote& note) { return note.code == code; });
    }
};

} // namespace

class TstGapMicro : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void reference_agrees_data();
    void reference_agrees();
    void m1_hostWork();
    void m2_syncDrain();
    void m3_blockingCopy();
    void m4_slowLaunch();
    void m5_queued();
    void m6_dependency();
    void m7_insideOneLaunch();
    void m8_otherStream();
    void m9_touching();
    void m10_zeroLength();
    void m11_tie();
    void m12_beforeCapture();
    void m13_handOff();
    void m14_clockAnomaly();
};

void TstGapMicro::reference_agrees_data() {
    QTest::addColumn<QString>("name");
    for (int i = 1; i <= 15; ++i)
        QTest::addRow("M%d", i) << QStringLiteral("M%1").arg(i);
}

void TstGapMicro::reference_agrees() {
    QFETCH(QString, name);
    const std::string stem = name.toStdString();
    const auto analysis = analyseAsReference(loadMicro(stem));
    QVERIFY(analysis);
    const json reference = json::parse(readFile(fixture("micro/" + stem + ".gapref.out.json")));
    QVERIFY(!reference.at("devices").empty());
    for (const json& expected : reference.at("devices")) {
        const DeviceId device = deviceOfOrdinal(analysis->trace(), expected.at("device").get<std::int64_t>());
        QVERIFY(device);
        Differences differences;
        compareGapReference(*analysis, device, expected, 0, differences);
        QVERIFY2(differences.isEmpty(), qPrintable(differences.text()));
    }
}

void TstGapMicro::m1_hostWork() {
    const Case m("M1");
    QCOMPARE(m.gap.cause, GapCause::HostWork);
    QCOMPARE(m.story.heldBy.name, std::string("aten::add"));
    QVERIFY(!m.gap.drainedBy);
    QCOMPARE(m.gap.role, BlockingRole::HeldBy);
    QCOMPARE(m.gap.boundNs, std::int64_t{13'000});
}

void TstGapMicro::m2_syncDrain() {
    const Case m("M2");
    QCOMPARE(m.gap.cause, GapCause::SyncDrain);
    QCOMPARE(m.story.drainedBy.name, std::string("cudaStreamSynchronize"));
    QCOMPARE(m.analysis->trace().nameOf(m.story.drainedBy.operatorEvent), std::string_view("aten::item"));
    QCOMPARE(m.gap.lostRunAheadNs, std::int64_t{50'000});
    QCOMPARE(m.gap.syncPartNs, std::int64_t{22'000});
    QCOMPARE(m.gap.confidence, GapConfidence::High);
}

void TstGapMicro::m3_blockingCopy() {
    const Case m("M3");
    QCOMPARE(m.gap.cause, GapCause::SyncDrain);
    QCOMPARE(m.story.drainedBy.name, std::string("cudaMemcpyAsync"));
    QCOMPARE(m.gap.syncPartNs, std::int64_t{17'000});
    QVERIFY(m.story.pieces.front().cls == PieceClass::BlockingCopy);
}

void TstGapMicro::m4_slowLaunch() { // rule I, first use of the kernel
    const Case m("M4");
    QCOMPARE(m.gap.cause, GapCause::ModuleLoad);
    QCOMPARE(m.gap.role, BlockingRole::Launch);
    QCOMPARE(m.gap.insideNs, std::int64_t{2'995'000});
}

void TstGapMicro::m5_queued() {
    const Case m("M5");
    QCOMPARE(m.gap.cause, GapCause::LaunchLatency);
    QCOMPARE(m.gap.role, BlockingRole::None);
}

void TstGapMicro::m6_dependency() {
    const Case m("M6");
    QCOMPARE(m.gap.cause, GapCause::StreamDependency);
    QCOMPARE(m.gap.confidence, GapConfidence::Medium); // no sync rows
    const auto source = std::find_if(m.story.evidence.begin(), m.story.evidence.end(),
                                     [](const GapNote& note) { return note.code == "event_wait_source"; });
    QVERIFY(source != m.story.evidence.end());
    QCOMPARE(m.analysis->trace().nameOf(source->event), std::string_view("K1"));
    for (std::uint32_t i = 0; i < m.analysis->trace().lanes().size(); ++i)
        if (const Lane& lane = m.analysis->trace().lanes()[i];
            lane.kind == LaneKind::GpuStream && lane.sourceId == 7) {
            JobControl job;
            const std::vector<Gap> gaps = *m.analysis->streamGaps(LaneId{i}, job);
            QCOMPARE(gaps.size(), std::size_t{1});
            QCOMPARE(gaps.front().length().v, std::int64_t{64'000});
            QCOMPARE(gaps.front().cause, GapCause::StreamDependency);
        }
}

void TstGapMicro::m7_insideOneLaunch() {
    const Case m("M7");
    QCOMPARE(m.gap.cause, GapCause::InsideOneLaunch);
    QCOMPARE(m.partNs(GapCause::InsideOneLaunch), std::int64_t{3'000});
}

void TstGapMicro::m8_otherStream() {
    const Case m("M8");
    QVERIFY(m.analysis->gaps().empty());
    for (std::uint32_t i = 0; i < m.analysis->trace().lanes().size(); ++i)
        if (const Lane& lane = m.analysis->trace().lanes()[i];
            lane.kind == LaneKind::GpuStream && lane.sourceId == 7) {
            JobControl job;
            const std::vector<Gap> gaps = *m.analysis->streamGaps(LaneId{i}, job);
            QCOMPARE(gaps.size(), std::size_t{1});
            QCOMPARE(gaps.front().length().v, std::int64_t{5'000});
            QCOMPARE(gaps.front().cause, GapCause::OtherStreamRunning);
            QCOMPARE(m.analysis->partsOfStreamGap(gaps.front()).front().cause, GapCause::OtherStreamRunning);
            QVERIFY(!m.analysis->explain(gaps.front()).verdict.empty());
        }
}

void TstGapMicro::m9_touching() {
    QVERIFY(Case("M9").analysis->gaps().empty());
}

void TstGapMicro::m10_zeroLength() {
    const Case m("M10");
    QCOMPARE(m.gap.length().v, std::int64_t{5'000});
    QCOMPARE(m.analysis->trace().events().duration(m.gap.next).v, std::int64_t{5'000});
}

void TstGapMicro::m11_tie() {
    const Case m("M11");
    QCOMPARE(m.gap.length().v, std::int64_t{5'000});
    const EventTable& events = m.analysis->trace().events();
    for (EventId other{0}; other.v < events.size(); ++other.v)
        if (isDeviceOp(events.kind[other.v]) && events.beginNs[other.v] == m.gap.range.end.v)
            QVERIFY(events.source[m.gap.next.v] <= events.source[other.v]);
}

void TstGapMicro::m12_beforeCapture() {
    const Case m("M12");
    QCOMPARE(m.gap.cause, GapCause::QueuedBeforeCapture);
    QCOMPARE(m.gap.unknownNs(), std::int64_t{4'000});
    QCOMPARE(m.gap.confidence, GapConfidence::Medium);
    QVERIFY(m.hasEvidence("switch_cost"));
}

void TstGapMicro::m13_handOff() {
    const Case m("M13");
    QCOMPARE(m.gap.cause, GapCause::HostWork);
    QCOMPARE(m.analysis->trace().threads()[m.gap.viaThread.v].tid, std::int64_t{1});
    QStringList pieces;
    for (const GapPiece& piece : m.story.pieces)
        pieces << QStringLiteral("%1 %2")
                      .arg(QString::fromStdString(piece.name))
                      .arg(piece.range.length().v / 1000);
    QCOMPARE(pieces, (QStringList{QStringLiteral("aten::loss 8"), QStringLiteral(" 2"),
                                  QStringLiteral("autograd::engine::evaluate_function 10"),
                                  QStringLiteral("cudaLaunchKernel 3"), QStringLiteral(" 3")}));
    QCOMPARE(m.partNs(GapCause::HostWork), std::int64_t{18'000});
}

void TstGapMicro::m14_clockAnomaly() {
    const Case m("M14");
    QVERIFY(m.gap.clockAnomaly);
    QCOMPARE(m.gap.beforeNs, std::int64_t{8'000});
    QCOMPARE(m.gap.insideNs + m.gap.afterNs, std::int64_t{0});
    QCOMPARE(m.gap.confidence, GapConfidence::Low);
    QVERIFY(m.hasEvidence("clock_anomaly"));
}

LACUNA_TEST(TstGapMicro, "tst_gap_micro")

} // namespace tst_gap_micro

#include "tst_gap_micro.moc"
