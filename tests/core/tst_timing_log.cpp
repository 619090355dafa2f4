// Logs of training scripts (features.md A15): what is read out of their lines, and what the capture adds to a
// step by them. Loss and times by hand.

#include "core/analysis/outside_step.h"
#include "core/settings/timing_log.h"
#include "tests/support/event_text.h"
#include "tests/support/report_table_access.h"
#include "tests/support/test_main.h"

#include <memory>

namespace tst_timing_log {

using namespace lacuna;
using namespace lacuna::test;

namespace {

constexpr std::int64_t kMs = 1'000'000;

// Steps by the marks of PyTorch's profiler, each so long.
std::shared_ptr<const Trace> traceOfSteps(int first, const std::vector<double>& ms,
                                          const std::string& name = "ProfilerStep#") {
    std::vector<std::string> rows;
    double at = 0;
    for (std::size_t k = 0; k < ms.size(); ++k) {
        rows.push_back(
            rowText("user_annotation",
                    name.ends_with('#') ? name + std::to_string(first + static_cast<int>(k)) : name, at,
                    1'000 * ms[k]));
        at += 1'000 * ms[k];
    }
    return traceOfText(rows);
}

std::shared_ptr<AnalysisSettings> withLog(const std::string& log) {
    auto settings = std::make_shared<AnalysisSettings>();
    settings->outsideLog = readTimingLog(log).steps;
    return settings;
}

std::string allNotes(const ReportTable& table) {
    std::string text;
    for (const std::string& note : table.notes())
        text += note + "\n";
    return text;
}

// "[i]: iter X ms, fps Y", as the loop template prints it (features.md A08).
std::string loopLines(int count, double ms) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += "[" + std::to_string(i) + "]: iter " + std::to_string(ms) + " ms, fps " +
                std::to_string(128e3 / ms) + "\n";
    return text;
}

} // namespace

class TstTimingLog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a15_thirtyLines();
    void a15_warmUpOfTheLog();
    void a15_matchedByNumber();
    void a15_matchedByOrder();
    void a15_notMatched();
    void lines_data();
    void lines();
    void linesThatSayNoTime_data();
    void linesThatSayNoTime();
    void otherLinesAreCounted();
    void setting_readsBack();
    void setting_refusesOtherText();
};

// 30 lines of 18 ms: mean 18.00 ms; the trace's steps of 19.8 ms are 10 % longer.
void TstTimingLog::a15_thirtyLines() {
    const TimingLog log = readTimingLog(loopLines(30, 18.0));
    QCOMPARE(log.steps.size(), std::size_t{30});
    QCOMPARE(log.steps[29], (LoggedStep{29, 18 * kMs, {}}));
    ReportOptions options;
    options.settings = withLog(loopLines(30, 18.0));
    const auto outside = outsideStep(*options.settings);
    QCOMPARE(outside->meanNs, 18.0 * kMs);
    QCOMPARE(outside->lines, std::size_t{30});
    const std::string notes =
        allNotes(reportOf(*traceOfSteps(3, {19.8, 19.8, 19.8, 19.8}), "steps", options));
    QVERIFY2(
        notes.find("Outside measurement: 18.00 ms, the mean of 30 logged steps; the capture adds +10.0 %.") !=
            std::string::npos,
        notes.c_str());
}

// The first two take 100 ms: left out, and said.
void TstTimingLog::a15_warmUpOfTheLog() {
    ReportOptions options;
    options.settings = withLog(loopLines(2, 100.0) + loopLines(8, 10.0));
    const auto trace = traceOfSteps(0, {11, 11, 11});
    const std::string notes = allNotes(reportOf(*trace, "steps", options));
    QVERIFY2(notes.find(
                 "Outside measurement: 10.00 ms, the mean of 8 logged steps (2 warm-up excluded of 10); the "
                 "capture adds +10.0 %.") != std::string::npos,
             notes.c_str());
    AnalysisSettings with = *options.settings;
    with.includeWarmUp = true;
    QCOMPARE(outsideStep(with)->meanNs, 28.0 * kMs); // (2 * 100 + 8 * 10) / 10
    // A typed value holds against the log.
    with.outsideNs = 12.0 * kMs;
    QCOMPARE(outsideStep(with)->meanNs, 12.0 * kMs);
    QVERIFY(!outsideStep(with)->isFromLog);
}

// ProfilerStep#4 and #5 are lines [4] and [5]; #6 was not printed.
void TstTimingLog::a15_matchedByNumber() {
    ReportOptions options;
    options.settings =
        withLog("step 3 | loss 2.5 | 10 ms\nstep 4 | loss 2.25 | 10 ms\nstep 5 | loss -0.125 | 12.5 ms\n");
    const ReportTable table = reportOf(*traceOfSteps(4, {11, 15, 15}), "steps", options);
    QCOMPARE(table.rows(), std::size_t{3});
    QCOMPARE(numberOf(table, 0, "Logged (ns)"), 10 * kMs);
    QCOMPARE(cellOf(table, 0, "Added (%)"), std::string("10.0"));
    QCOMPARE(cellOf(table, 0, "Loss"), std::string("2.250000"));
    QCOMPARE(numberOf(table, 1, "Logged (ns)"), 12'500'000);
    QCOMPARE(cellOf(table, 1, "Added (%)"), std::string("20.0"));
    QCOMPARE(cellOf(table, 1, "Loss"), std::string("-0.125000"));
    for (const char* column : {"Logged (ns)", "Added (%)", "Loss"})
        QVERIFY(table.isEmpty(2, *table.findColumn(column)));
    QVERIFY(allNotes(table).find("matched by number: 2 of 3 steps of the trace.") != std::string::npos);
    // Without a log the table is as it was.
    QVERIFY(!reportOf(*traceOfSteps(4, {11, 15, 15}), "steps").findColumn("Loss"));
    // A number that was printed twice is nobody's.
    options.settings = withLog("step 4: 10 ms\nstep 4: 20 ms\nstep 5: 12 ms\n");
    const ReportTable twice = reportOf(*traceOfSteps(4, {11, 15, 15}), "steps", options);
    QVERIFY(twice.isEmpty(0, *twice.findColumn("Logged (ns)")));
    QCOMPARE(numberOf(twice, 1, "Logged (ns)"), 12 * kMs);
}

void TstTimingLog::a15_matchedByOrder() {
    ReportOptions options;
    options.settings = withLog("iter 10 ms\niter 20 ms\niter 30 ms\n");
    const ReportTable table = reportOf(*traceOfSteps(0, {11, 22, 33}, "step"), "steps", options);
    QCOMPARE(numberOf(table, 2, "Logged (ns)"), 30 * kMs);
    QCOMPARE(cellOf(table, 2, "Added (%)"), std::string("10.0"));
    QVERIFY(allNotes(table).find("matched by their order") != std::string::npos);
}

// Four lines and three steps without numbers: which is which is not known, and the mean still is.
void TstTimingLog::a15_notMatched() {
    ReportOptions options;
    options.settings = withLog("iter 10 ms\niter 10 ms\niter 10 ms\niter 10 ms\n");
    const ReportTable table = reportOf(*traceOfSteps(0, {11, 11, 11}, "step"), "steps", options);
    for (std::size_t row = 0; row < table.rows(); ++row)
        QVERIFY(table.isEmpty(row, *table.findColumn("Logged (ns)")));
    const std::string notes = allNotes(table);
    QVERIFY(notes.find("the capture adds +10.0 %") != std::string::npos);
    QVERIFY(notes.find("Which of the 4 logged steps is which of the trace is not known") !=
            std::string::npos);
}

void TstTimingLog::lines_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<qint64>("number"); // -1: none
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<double>("loss"); // -1: none
    const auto row = [](const char* line, qint64 number, qint64 ns, double loss = -1) {
        QTest::newRow(line) << QString::fromUtf8(line) << number << ns << loss;
    };
    row("[7]: iter 10.234 ms, fps 12549.0", 7, 10'234'000);
    row("[7]: data 2.0 ms, iter 10.0 ms", 7, 10'000'000);
    row("iter 100: loss 4.2113, time 123.45ms, mfu 12.3%", 100, 123'450'000, 4.2113);
    row("step 12 | train loss: 2.31 | 0.5 s", 12, 500'000'000, 2.31);
    row("Epoch 3 step 20/500: 350 \u00b5s", 20, 350'000);
    row("{\"step\": 5, \"loss\": 1.5e-3, \"step_time_ms\": 18.25}", 5, 18'250'000, 1.5e-3);
    row(" iteration      100/  500000 | elapsed time per iteration (ms): 2034.5 | lm loss: 6.1E+00 |", 100,
        2'034'500'000, 6.1);
    row("2024-05-01 12:00:03,123 INFO step 5 took 18.0 ms on gpu0", 5, 18'000'000);
    row("step=3 1.25s/it", 3, 1'250'000'000);
    row("#3 1,234.5 ms", 3, 1'234'500'000);
    row("18.0 ms", -1, 18'000'000);
}

void TstTimingLog::lines() {
    QFETCH(QString, line);
    QFETCH(qint64, number);
    QFETCH(qint64, ns);
    QFETCH(double, loss);
    const TimingLog log = readTimingLog(line.toStdString());
    QCOMPARE(log.steps.size(), std::size_t{1});
    QCOMPARE(log.steps[0].ns, ns);
    QCOMPARE(log.steps[0].number,
             number < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(number)));
    QCOMPARE(log.steps[0].loss, loss < 0 ? std::nullopt : std::optional(loss));
}

void TstTimingLog::linesThatSayNoTime_data() {
    QTest::addColumn<QString>("line");
    for (const char* line : {"Epoch: [0][10/5005]\tTime 0.184 (0.520)\tLoss 6.9", // no unit
                             "step 5: 10,5 ms",                                   // one number or two
                             "step time 18.0 ms, step time 19.0 ms",              // which?
                             "epoch time 12.0 s", "eta 3 s", "total 12 s", "81.3 it/s", "12 s/epoch",
                             "iter 0 ms", "iter -3 ms", "loss 2.31", "fp16", "hello"})
        QTest::newRow(line) << QString::fromUtf8(line);
}

void TstTimingLog::linesThatSayNoTime() {
    QFETCH(QString, line);
    const TimingLog log = readTimingLog(line.toStdString());
    QCOMPARE(log.steps.size(), std::size_t{0});
    QCOMPARE(log.otherLines, std::size_t{1});
}

void TstTimingLog::otherLinesAreCounted() {
    const TimingLog log =
        readTimingLog("Training starts\r\n\r\n[0]: iter 10 ms\r\n   \r\n[1]: iter 11 ms\rdone");
    QCOMPARE(log.steps.size(), std::size_t{2});
    QCOMPARE(log.otherLines, std::size_t{2});
    QCOMPARE(readTimingLog("").steps.size(), std::size_t{0});
}

void TstTimingLog::setting_readsBack() {
    const std::vector<LoggedStep> steps{{0, 10'200'000, 2.31}, {{}, 1, {}}, {7, 9'000'000'000, -0.5}};
    QCOMPARE(loggedStepsText(steps), std::string("0:10200000ns:2.31,:1ns,7:9000000000ns:-0.5"));
    QCOMPARE(*parseLoggedSteps(loggedStepsText(steps)), steps);
    AnalysisSettings settings;
    QVERIFY(changeSetting(settings, "outside_steps=0:10.2ms:2.31, 1:10.1ms"));
    QCOMPARE(settings.outsideLog, (std::vector<LoggedStep>{{0, 10'200'000, 2.31}, {1, 10'100'000, {}}}));
    QCOMPARE(*readSettings(settingsText(settings)), settings);
    QVERIFY(changeSetting(settings, "outside_steps="));
    QVERIFY(settings.outsideLog.empty());
}

void TstTimingLog::setting_refusesOtherText() {
    AnalysisSettings settings;
    for (const char* wrong :
         {"outside_steps=10.2ms", "outside_steps=x:10.2ms", "outside_steps=1:0ms", "outside_steps=1:2x",
          "outside_steps=-1:2ms", "outside_steps=1.5:2ms", "outside_steps=1:2ms:x"}) {
        const Status changed = changeSetting(settings, wrong);
        QVERIFY2(!changed && changed.error().detail.find("outside_steps") != std::string::npos, wrong);
    }
    QVERIFY(settings.outsideLog.empty());
}

LACUNA_TEST(TstTimingLog, "tst_timing_log")

} // namespace tst_timing_log

#include "tst_timing_log.moc"
