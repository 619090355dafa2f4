#include "core/analysis/steps.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

namespace tst_steps {

using namespace lacuna;
using namespace lacuna::test;

namespace {

RandomRow range(std::int64_t begin, std::int64_t end, std::string name, int thread = 0) {
    RandomRow row;
    row.kind = EventKind::Range;
    row.beginNs = begin;
    row.endNs = end;
    row.name = std::move(name);
    row.thread = thread;
    return row;
}

QString namesOf(const Trace& trace, const Steps& steps) {
    QStringList names;
    for (const EventId e : steps.events)
        names << QString::fromUtf8(trace.nameOf(e).data(), static_cast<qsizetype>(trace.nameOf(e).size()));
    return names.join(QStringLiteral(", "));
}

QString stepsOf(const std::vector<RandomRow>& rows) {
    const auto trace = traceOfRows(rows);
    const Steps steps = findSteps(*trace);
    return QString::fromStdString(steps.source) + QStringLiteral(": ") + namesOf(*trace, steps);
}

} // namespace

class TstSteps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void profilerSteps_comeFirst();
    void profilerSteps_mayOverlapALittle();
    void countedRanges_areSteps_data();
    void countedRanges_areSteps();
    void otherRanges_areNoSteps_data();
    void otherRanges_areNoSteps();
    void plainNames_mustRepeatAtTheTop();
    void mostRows_win();
    void durations_areSummarised();
    void noRanges_noSteps();
};

void TstSteps::profilerSteps_comeFirst() {
    QCOMPARE(stepsOf({range(0, 10, "step 1"), range(10, 20, "step 2"), range(20, 30, "step 3"),
                      range(0, 10, "ProfilerStep#7"), range(12, 20, "ProfilerStep #8"),
                      range(0, 30, "Iteration Start: PyTorch Profiler")}),
             QStringLiteral("ProfilerStep: ProfilerStep#7, ProfilerStep #8"));
    QCOMPARE(stepsOf({range(0, 10, "ProfilerStep#7")}), QStringLiteral("ProfilerStep: ProfilerStep#7"));
}

void TstSteps::profilerSteps_mayOverlapALittle() {
    QCOMPARE(stepsOf({range(0, 105, "ProfilerStep#1"), range(100, 205, "ProfilerStep#2"),
                      range(200, 300, "ProfilerStep#3")}),
             QStringLiteral("ProfilerStep: ProfilerStep#1, ProfilerStep#2, ProfilerStep#3"));
}

void TstSteps::countedRanges_areSteps_data() {
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    const char* const names[][2] = {{"step 1", "step 2"},
                                    {"iteration_3", "iteration_4"},
                                    {"Step:9", "Step:10"},
                                    {"iter12", "iter13"},
                                    {"worker B step 9", "worker B step 10"},
                                    {"train_step/5", "train_step/6"},
                                    {"Step 10 to 20", "Step 20 to 30"}};
    for (const auto& pair : names)
        QTest::newRow(pair[0]) << QString::fromLatin1(pair[0]) << QString::fromLatin1(pair[1]);
}

void TstSteps::countedRanges_areSteps() {
    QFETCH(QString, first);
    QFETCH(QString, second);
    // Inside an outer range, in reversed order of the file.
    QCOMPARE(stepsOf({range(50, 90, second.toStdString()), range(10, 40, first.toStdString()),
                      range(0, 100, "training"), range(12, 20, "forward"), range(52, 60, "forward")}),
             QStringLiteral("annotation: %1, %2").arg(first, second));
}

void TstSteps::otherRanges_areNoSteps_data() {
    QTest::addColumn<QString>("name");
    for (const char* const name : {"Optimizer.step#SGD.step", "forward", "footstep", "stepper 1",
                                   "iterator 3", "aten::to, op_id = 31", "layer_3", "epoch 2", "substep2"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TstSteps::otherRanges_areNoSteps() {
    QFETCH(QString, name);
    const std::string text = name.toStdString();
    QCOMPARE(stepsOf({range(0, 10, text), range(10, 20, text), range(30, 40, text)}), QStringLiteral(": "));
}

void TstSteps::plainNames_mustRepeatAtTheTop() {
    QCOMPARE(stepsOf({range(0, 10, "train_step"), range(10, 20, "train_step")}),
             QStringLiteral("annotation: train_step, train_step"));
    QCOMPARE(stepsOf({range(0, 10, "train_step")}), QStringLiteral(": "));
    QCOMPARE(stepsOf({range(0, 30, "loop"), range(0, 10, "step"), range(10, 20, "step")}),
             QStringLiteral(": "));
    // On two threads: nothing repeats.
    QCOMPARE(stepsOf({range(0, 10, "step"), range(10, 20, "step", 1)}), QStringLiteral(": "));
}

void TstSteps::mostRows_win() {
    QCOMPARE(stepsOf({range(0, 10, "warmup step 0"), range(10, 20, "warmup step 1"), range(20, 30, "step 0"),
                      range(30, 40, "step 1"), range(40, 50, "step 2"), range(41, 42, "step 2")}),
             QStringLiteral("annotation: step 0, step 1, step 2")); // the inner "step 2" is part of its step
}

void TstSteps::durations_areSummarised() {
    std::vector<RandomRow> rows;
    std::int64_t at = 0;
    for (std::int64_t k = 1; k <= 40; ++k) {
        rows.push_back(range(at, at + k * 10, "step " + std::to_string(k)));
        at += k * 10;
    }
    const Steps steps = findSteps(*traceOfRows(rows));
    QCOMPARE(steps.events.size(), std::size_t{40});
    QCOMPARE(steps.minNs, 10);
    QCOMPARE(steps.medianNs, 200); // lower median: the 20th of 40
    QCOMPARE(steps.p95Ns, 380);    // nearest rank: the 38th
    QCOMPARE(steps.maxNs, 400);
}

void TstSteps::noRanges_noSteps() {
    QCOMPARE(stepsOf({}), QStringLiteral(": "));
}

LACUNA_TEST(TstSteps, "tst_steps")

} // namespace tst_steps

#include "tst_steps.moc"
