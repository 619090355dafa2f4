// The replay of analysis.md section 5. With nothing removed it gives back what was recorded; with something
// removed it gives the figures that were worked out by hand (micro cases) or that the changed program showed
// (captured pairs).

#include "core/analysis/replay_changes.h"
#include "core/import/load_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <algorithm>

namespace tst_replay {

using namespace lacuna;
using namespace lacuna::test;

namespace {

struct Model {
    std::shared_ptr<const ReplayModel> model;
    std::optional<ReplayChanges> changes;

    explicit Model(std::shared_ptr<const Trace> trace) {
        JobControl job;
        auto built = ReplayModel::build(std::move(trace), job);
        if (!built)
            qFatal("no model");
        model = *built;
        auto made = ReplayChanges::build(*model, job);
        if (!made)
            qFatal("no changes");
        changes = std::move(*made);
    }
    const Trace& trace() const { return model->trace(); }
    ReplayResult run(const ReplayChange& change) const {
        JobControl job;
        return *replay(*model, change, job);
    }
    std::int64_t saved(const ReplayChange& change) const { return run(change).savedNs(); }
    std::vector<std::uint32_t> waitsNamed(std::string_view api) const {
        std::vector<std::uint32_t> found;
        for (std::uint32_t i = 0; i < model->waits().size(); ++i)
            if (trace().nameOf(model->waits()[i].event) == api)
                found.push_back(i);
        return found;
    }
    std::vector<std::uint32_t> pageable() const {
        std::vector<std::uint32_t> found;
        for (std::uint32_t i = 0; i < model->ops().size(); ++i)
            if (changes->isPageable(i))
                found.push_back(i);
        return found;
    }
    std::vector<EventId> rowsNamed(std::string_view name) const {
        std::vector<EventId> found;
        for (EventId e{0}; e.v < trace().events().size(); ++e.v)
            if (trace().nameOf(e) == name)
                found.push_back(e);
        return found;
    }
};

Model load(const std::string& file) {
    JobControl job;
    const auto loaded = loadTrace(fixture(file), builtinImporters(), job);
    if (!loaded)
        qFatal("%s cannot be read", file.c_str());
    return Model(loaded->trace);
}

std::size_t wrongOps(const Model& m) {
    const ReplayResult result = m.run({});
    const EventTable& events = m.trace().events();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < m.model->ops().size(); ++i) {
        const EventId op = m.model->ops()[i].event;
        const bool right = result.startNs[i] == events.beginNs[op.v] && result.endNs[i] == events.endNs[op.v];
        wrong += right ? 0u : 1u;
    }
    return wrong;
}

// Measured saving of a pair: difference of the recorded step periods.
std::int64_t measured(const std::string& before, const std::string& after) {
    const auto period = [](const std::string& name) {
        return load("captured/pairs/" + name + ".pt.trace.json.gz").run({}).stepPeriod->recordedNs;
    };
    return period(before) - period(after);
}

bool isWithinTenPercent(std::int64_t is, std::int64_t should) {
    return std::abs(is - should) * 10 <= should;
}

} // namespace

class TstReplay : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void d29_nothingRemoved_data();
    void d29_nothingRemoved();
    void m2_withoutTheSync();
    void m3_withoutTheBlockingCopy();
    void d29_logItem();
    void d29_copyPageable();
    void d29_whatChangesNothing();
    void d29_savingsDoNotAddUp();
    void rangeBetweenLaunches();
    void rangeAroundALaunch();
    void rangeInFrontOfAWait();
    void launchLatency();
    void copyThatGoes();
    void copyThatIsPinned();
    void pinnedBandwidthOfTheTrace();
    void eventWait_holds();
    void eventWait_byOrderOfCalls();
    void threadsThatLaunchNothing();
    void processesAreApart();
    void cancels();
};

void TstReplay::d29_nothingRemoved_data() {
    QTest::addColumn<QString>("file");
    for (const char* folder : {"micro", "captured/torch", "captured/pairs", "captured/nsys"})
        for (const auto& entry : std::filesystem::directory_iterator(fixture(folder)))
            if (const std::string name = entry.path().filename().string();
                name.find(".out.") == std::string::npos)
                QTest::newRow(name.c_str()) << QString::fromStdString(std::string(folder) + "/" + name);
}

void TstReplay::d29_nothingRemoved() {
    QFETCH(QString, file);
    JobControl job;
    const auto loaded = loadTrace(fixture(file.toStdString()), builtinImporters(), job);
    if (!loaded)
        return; // figures beside the traces
    const Model m(loaded->trace);
    QCOMPARE(wrongOps(m), std::size_t{0});
    QCOMPARE(m.saved({}), std::int64_t{0});
}

void TstReplay::m2_withoutTheSync() {
    const Model m = load("micro/M2.json");
    QCOMPARE(m.model->waits().size(), std::size_t{1});
    QCOMPARE(m.saved(m.changes->withoutWaits(m.waitsNamed("cudaStreamSynchronize"))), std::int64_t{18'000});
}

void TstReplay::m3_withoutTheBlockingCopy() {
    const Model m = load("micro/M3.json");
    QCOMPARE(m.saved(m.changes->withoutWaits(m.waitsNamed("cudaMemcpyAsync"))), std::int64_t{12'000});
}

// loss.item() before 2 ms of host work: 11.70 ms a step, 9.90 in the program without it.
void TstReplay::d29_logItem() {
    const Model m = load("captured/pairs/log_item.pt.trace.json.gz");
    QCOMPARE(m.model->lambda50Ns(), std::int64_t{18'343});
    QCOMPARE(m.model->delta50Ns(), std::optional<std::int64_t>(1'568));
    const auto waits = m.waitsNamed("cudaStreamSynchronize");
    QCOMPARE(waits.size(), std::size_t{6});
    QCOMPARE(m.trace().nameOf(m.changes->readAround(waits.front())), std::string_view("aten::item"));
    QCOMPARE(m.saved(m.changes->withoutWaits(waits)), std::int64_t{7'063'377});
    const ReplayResult reads = m.run(m.changes->withoutReads(waits));
    QVERIFY(std::abs(reads.savedNs() - 7'456'000) < 1'000);
    QVERIFY(reads.stepPeriod);
    QCOMPARE(reads.stepPeriod->recordedNs / 10'000, std::int64_t{1170});
    QCOMPARE(reads.stepPeriod->predictedNs / 10'000, std::int64_t{1006});
    const std::int64_t saving = measured("log_item", "log_no_item");
    QCOMPARE(saving / 10'000, std::int64_t{180});
    QVERIFY(isWithinTenPercent(reads.stepPeriod->recordedNs - reads.stepPeriod->predictedNs, saving));
}

// A copy of pageable memory, pinned at the bandwidth that the pinned copy has: 11.97 ms a step, 9.43 changed.
void TstReplay::d29_copyPageable() {
    const Model m = load("captured/pairs/copy_pageable.pt.trace.json.gz");
    QCOMPARE(m.pageable().size(), std::size_t{6});
    QCOMPARE(m.changes->pinnedBandwidth(CopyKind::HtoD), 0.0);
    const ReplayResult pinned = m.run(m.changes->withPinned(m.pageable(), 55e9));
    QVERIFY(pinned.stepPeriod);
    QCOMPARE(pinned.stepPeriod->recordedNs / 10'000, std::int64_t{1196});
    QCOMPARE(pinned.stepPeriod->predictedNs / 10'000, std::int64_t{941});
    QCOMPARE(pinned.savedNs() / 100'000, std::int64_t{156});
    const std::int64_t saving = measured("copy_pageable", "copy_pinned");
    QCOMPARE(saving / 10'000, std::int64_t{253});
    QVERIFY(isWithinTenPercent(pinned.stepPeriod->recordedNs - pinned.stepPeriod->predictedNs, saving));
    const double best =
        load("captured/pairs/copy_pinned.pt.trace.json.gz").changes->pinnedBandwidth(CopyKind::HtoD);
    QVERIFY(best > 54e9 && best < 57e9);
}

// copy_pinned keeps the GPU busy throughout: whatever its host does less of, the period stays. log_no_item
// waits once, behind its last step.
void TstReplay::d29_whatChangesNothing() {
    const Model pinned = load("captured/pairs/copy_pinned.pt.trace.json.gz");
    for (const char* range : {"data", "forward", "backward", "optimizer"}) {
        const ReplayResult r = pinned.run(pinned.changes->withoutHostTime(pinned.rowsNamed(range)));
        QCOMPARE(r.stepPeriod->predictedNs, r.stepPeriod->recordedNs);
    }
    const Model noItem = load("captured/pairs/log_no_item.pt.trace.json.gz");
    const auto waits = noItem.waitsNamed("cudaDeviceSynchronize");
    QCOMPARE(waits.size(), std::size_t{2});
    const ReplayResult r = noItem.run(noItem.changes->withoutWaits(waits));
    QCOMPARE(r.savedNs(), std::int64_t{0});
    QCOMPARE(r.stepPeriod->predictedNs, r.stepPeriod->recordedNs);
}

// A [0, 100), a wait to 102, B [120, 220) launched at 110, a wait 115..222, host work, C [390, 400) launched
// at 380. Without the first wait B runs 10 us earlier. Without the second the host is 107 us earlier and C
// with it. Without both the host is 204 us earlier, and C starts as B has ended.
void TstReplay::d29_savingsDoNotAddUp() {
    const Model m(traceOf("main call cudaLaunchKernel -10..-5 #1\ns7 kernel A 0..100 #1\n"
                          "main call cudaStreamSynchronize 5..102\n"
                          "main call cudaLaunchKernel 110..114 #2\ns7 kernel B 120..220 #2\n"
                          "main call cudaStreamSynchronize 115..222\n"
                          "main call cudaLaunchKernel 380..384 #3\ns7 kernel C 390..400 #3\n"));
    const auto without = [&](std::vector<std::uint32_t> waits) {
        return m.saved(m.changes->withoutWaits(waits));
    };
    QCOMPARE(without({0}), us(10));
    QCOMPARE(without({1}), us(107));
    QCOMPARE(without({0, 1}), us(170));
}

namespace {

// A [0, 100), then K, launched by a call at 170 that takes 10 us to start it.
constexpr const char* kLateLaunch = "main call cudaLaunchKernel -10..-5 #1\n"
                                    "s7 kernel A 0..100 #1\n"
                                    "main call cudaLaunchKernel 170..175 #2\n"
                                    "s7 kernel K 180..200 #2\n";

Model model(const std::string& text) {
    return Model(traceOf(text));
}

} // namespace

void TstReplay::rangeBetweenLaunches() {
    const Model m = model(std::string(kLateLaunch) + "main range work 110..160\n");
    QCOMPARE(m.saved(m.changes->withoutHostTime(m.rowsNamed("work"))), us(50));
}

// The call in it stays: 110..170 goes before it, 175..178 behind it.
void TstReplay::rangeAroundALaunch() {
    const Model m = model(std::string(kLateLaunch) + "main range work 110..178\n");
    QCOMPARE(m.saved(m.changes->withoutHostTime(m.rowsNamed("work"))), us(60));
}

// Without the range the thread comes to the wait earlier and waits longer.
void TstReplay::rangeInFrontOfAWait() {
    const Model m = model(std::string(kLateLaunch) + "main range work 10..60\n"
                                                     "main call cudaStreamSynchronize 70..105\n");
    QCOMPARE(m.saved(m.changes->withoutHostTime(m.rowsNamed("work"))), us(0));
    // K's call comes 35 us earlier.
    QCOMPARE(m.saved(m.changes->withoutWaits(m.waitsNamed("cudaStreamSynchronize"))), us(35));
    auto both = m.changes->withoutHostTime(m.rowsNamed("work"));
    both.waits[0] = ReplayChange::Wait::Goes;
    // Both: the launch reaches 85, but A holds K to 100 and the launch latency to 110.
    QCOMPARE(m.saved(both), us(70));
}

// 10, 10 and 40 us from the call to a start into an empty queue: the median is 10.
void TstReplay::launchLatency() {
    const Model m = model("main call cudaLaunchKernel 0..5 #1\ns7 kernel A 10..20 #1\n"
                          "main call cudaLaunchKernel 30..35 #2\ns7 kernel B 40..50 #2\n"
                          "main call cudaLaunchKernel 60..65 #3\ns7 kernel C 100..110 #3\n");
    QCOMPARE(m.model->lambda50Ns(), us(10));
    QCOMPARE(m.saved(m.changes->withoutLaunchLatency()), us(30));
}

// The call took 20 us of the host and the copy 30 of the device; the last kernel ended at 210.
void TstReplay::copyThatGoes() {
    const Model m = model("main call cudaLaunchKernel -10..-5 #1\ns7 kernel A 0..100 #1\n"
                          "main call cudaMemcpyAsync 80..100 #2\ns7 copy HtoD pinned 110..140 #2 bytes=4096\n"
                          "main call cudaLaunchKernel 101..106 #3\ns7 kernel K 142..210 #3\n");
    std::vector<std::uint32_t> copies{1};
    const ReplayResult r = m.run(m.changes->withoutCopies(copies));
    // K: call at 81 + 10 (the latency of A); behind A at 100 + the 2 us of a switch.
    QCOMPARE(r.startNs[2], us(102));
    QCOMPARE(r.savedNs(), us(40));
}

void TstReplay::copyThatIsPinned() {
    // 1 MB of pageable memory in 100 us, a wait behind it in the same operator, then host work and K.
    const std::string text = "main call cudaLaunchKernel -10..-5 #1\ns7 kernel A 0..20 #1\n"
                             "main op aten::copy_ 25..145\n"
                             "main call cudaMemcpyAsync 30..128 #2\n"
                             "s7 copy HtoD pageable 40..140 #2 bytes=1000000\n"
                             "main call cudaStreamSynchronize 130..142\n"
                             "main call cudaLaunchKernel 150..155 #3\ns7 kernel K 160..200 #3\n";
    const Model m = model(text);
    QCOMPARE(m.model->waits().size(), std::size_t{2});
    QCOMPARE(m.changes->medianLaunchNs(), us(5));
    // At 50 GB/s: 20 us from 40 on. The host is through the call at 35 and without the wait at K's call
    // at 45.
    const ReplayResult r = m.run(m.changes->withPinned(m.pageable(), 50e9));
    QCOMPARE(r.startNs[1], us(40));
    QCOMPARE(r.endNs[1], us(60));
    QCOMPARE(r.startNs[2], us(70));
}

void TstReplay::pinnedBandwidthOfTheTrace() {
    const Model m =
        model("main call cudaMemcpyAsync -20..-15 #1\ns7 copy HtoD pinned 0..20 #1 bytes=1000000\n"
              "main call cudaMemcpyAsync 30..128 #2\n"
              "s7 copy HtoD pageable 40..140 #2 bytes=1000000\n");
    QCOMPARE(m.changes->pinnedBandwidth(CopyKind::HtoD), 50e9);
    QCOMPARE(m.changes->pinnedBandwidth(CopyKind::DtoH), 0.0);
    const ReplayResult own = m.run(m.changes->withPinned(m.pageable(), 0));
    QCOMPARE(own.endNs[1] - own.startNs[1], us(20));
    const ReplayResult given = m.run(m.changes->withPinned(m.pageable(), 25e9));
    QCOMPARE(given.endNs[1] - given.startNs[1], us(40));
}

namespace {

// K1 [0, 100) on stream 20; K2 on stream 7 was launched at 60, behind 75 us of host work, and waits for it.
constexpr const char* kOtherStream = "main call cudaLaunchKernel -30..-28 #1\ns20 kernel K1 0..100 #1\n"
                                     "main call cudaEventRecord -26..-25 #11\n"
                                     "main call cudaStreamWaitEvent -24..-23 #12\n"
                                     "main range slow -20..55\n"
                                     "main call cudaLaunchKernel 60..62 #2\ns7 kernel K2 104..110 #2\n";

} // namespace

void TstReplay::eventWait_holds() {
    const Model m =
        model(std::string(kOtherStream) +
              "! sync\ns20 record -26..-25 #11\ns7 wait -24..-23 #12 stream=7 from=20 record=11\n");
    QCOMPARE(m.model->ops()[1].source, 0u);
    QCOMPARE(m.saved(m.changes->withoutHostTime(m.rowsNamed("slow"))), us(0));
}

// Without the marker: the next launch waits for what was submitted before the last record.
void TstReplay::eventWait_byOrderOfCalls() {
    const Model m = model(kOtherStream);
    QCOMPARE(m.model->ops()[1].source, 0u);
    std::string text = kOtherStream;
    text.erase(text.find("main call cudaStreamWaitEvent"),
               std::string("main call cudaStreamWaitEvent -24..-23 #12\n").size());
    const Model without = model(text);
    QCOMPARE(without.model->ops()[1].source, kNoReplayItem);
    // Then K2 starts 44 us after its call, 75 us earlier; K1 ends last.
    QCOMPARE(without.run(without.changes->withoutHostTime(without.rowsNamed("slow"))).startNs[1], us(29));
}

// A thread that only watches (a watchdog) holds nobody.
void TstReplay::threadsThatLaunchNothing() {
    const Model m = model(std::string(kLateLaunch) + "watch call cudaEventSynchronize 10..101\n"
                                                     "watch range watching 5..160\n");
    QVERIFY(m.model->waits().empty());
    QCOMPARE(m.saved(m.changes->withoutHostTime(m.rowsNamed("watching"))), us(0));
}

void TstReplay::processesAreApart() {
    const Model m = model(std::string(kLateLaunch) + "main range work 110..160\n"
                                                     "p2/main call cudaLaunchKernel 165..168 #5\n"
                                                     "p2/s7 kernel other 190..400 #5\n");
    const ReplayResult r = m.run(m.changes->withoutHostTime(m.rowsNamed("work")));
    QCOMPARE(r.savedNs(), us(0)); // the other process ends last, and as before
    QCOMPARE(r.startNs[1], us(130));
    QCOMPARE(r.startNs[2], us(190));
}

void TstReplay::cancels() {
    JobControl job;
    job.requestCancel();
    const auto built = ReplayModel::build(traceOf(kLateLaunch), job);
    QVERIFY(!built && built.error().code == Errc::Cancelled);
}

LACUNA_TEST(TstReplay, "tst_replay")

} // namespace tst_replay

#include "tst_replay.moc"
