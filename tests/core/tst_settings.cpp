#include "core/report/builtin.h"
#include "core/settings/analysis_settings.h"
#include "core/settings/number_text.h"
#include "tests/support/event_text.h"
#include "tests/support/report_table_access.h"
#include "tests/support/test_main.h"

#include <set>

namespace tst_settings {

using namespace lacuna;
using namespace lacuna::test;

class TstSettings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void table_hasEveryThresholdOnce();
    void thresholds_readTheirUnits();
    void wrongValues_sayWhatIsRight_data();
    void wrongValues_sayWhatIsRight();
    void file_readsBackWhatWasWritten();
    void file_namesTheLine();
    void report_listsAll();
};

void TstSettings::table_hasEveryThresholdOnce() {
    std::set<std::string_view> keys;
    const Thresholds standard;
    for (const ThresholdInfo& info : thresholdTable()) {
        QVERIFY(keys.insert(info.key).second);
        QVERIFY(!info.meaning.empty() && !info.source.empty());
        QCOMPARE(standard[info.id], info.standard);
        // The default as text reads back as itself.
        Thresholds again;
        QVERIFY(again.set(info.id, 0));
        QVERIFY(again.set(info.key, standard.text(info.id)));
        QVERIFY2(again == standard, std::string(info.key).c_str());
    }
    QCOMPARE(keys.size(), kThresholds);
    for (const SettingInfo& info : settingTable())
        QVERIFY(keys.insert(info.key).second);
}

void TstSettings::thresholds_readTheirUnits() {
    Thresholds values;
    QVERIFY(values.set("tiny_kernels.length", "5us"));
    QCOMPARE(values.ns(Threshold::TinyKernelNs), 5'000);
    QVERIFY(values.set("tiny_kernels.length", "750"));
    QCOMPARE(values.ns(Threshold::TinyKernelNs), 750);
    QVERIFY(values.set("input_bound.ratio", " 30 %"));
    QCOMPARE(values[Threshold::InputRatio], 0.3);
    QVERIFY(values.set("input_bound.ratio", "0.07"));
    QCOMPARE(values.text(Threshold::InputRatio), std::string("7%"));
    QVERIFY(values.set("steps.unusual_factor", "2.5"));
    QCOMPARE(values[Threshold::UnusualFactor], 2.5);
    QVERIFY(!values.isDefault(Threshold::UnusualFactor));
    QVERIFY(values.isDefault(Threshold::GapShare));
}

void TstSettings::wrongValues_sayWhatIsRight_data() {
    QTest::addColumn<QString>("assignment");
    QTest::addColumn<QString>("detail");
    const auto row = [](const char* assignment, const char* detail) {
        QTest::newRow(assignment) << QString::fromLatin1(assignment) << QString::fromLatin1(detail);
    };
    row("gaps.share", "'gaps.share' is no KEY=VALUE");
    row("gaps.shares=1", "there is no setting 'gaps.shares'");
    row("gaps.share=110%", "gaps.share cannot be 1.1; it is a share such as 50% or 0.5");
    row("gaps.share=some", "'some' is no value of gaps.share; it is a share such as 50% or 0.5");
    row("long_waits.length=-1", "long_waits.length cannot be -1; it is a time such as 10us");
    row("long_waits.length=3 apples",
        "'3 apples' is no value of long_waits.length; it is a time such as 10us");
    row("warm_up=maybe", "'maybe' is no value of warm_up; it is include or exclude");
    row("samples_per_step=0", "'0' is no value of samples_per_step; it is a number above 0");
    row("peak_flops=inf", "'inf' is no value of peak_flops; it is a number above 0");
    row("steps.pattern=:2", "':2' is no value of steps.pattern; it is a word such as step or token");
    row("steps.pattern=token:0", "'token:0' is no value of steps.pattern; it is a word, or a word and the "
                                 "number of the candidate: token:2");
    row("outside_step=0", "'0' is no value of outside_step; it is a time such as 11.4ms, or a total and its "
                          "iterations: 250ms/100");
}

void TstSettings::wrongValues_sayWhatIsRight() {
    QFETCH(QString, assignment);
    QFETCH(QString, detail);
    AnalysisSettings settings;
    const Status changed = changeSetting(settings, assignment.toStdString());
    QVERIFY(!changed);
    QCOMPARE(changed.error().code, Errc::Unsupported);
    QCOMPARE(QString::fromStdString(changed.error().detail), detail);
    QVERIFY(settings == AnalysisSettings{});
}

void TstSettings::file_readsBackWhatWasWritten() {
    const auto read = readSettings("# thresholds of our cluster\r\n"
                                   "gaps.share = 2%\n\n"
                                   "  steps.range = worker # step #\n"
                                   "steps.pattern = token:2\n"
                                   "samples_per_step=128\n"
                                   "flops_per_sample = 3e11\n"
                                   "peak_flops = 1e15\n"
                                   "outside_step = 11.45ms\n"
                                   "warm_up = include\n"
                                   "start_up = target\n"
                                   "schedule = wait=2,warmup=2,active=5,repeat=1");
    QVERIFY(read);
    QCOMPARE(read->stepRange, std::string("worker # step #"));
    QCOMPARE(read->pattern->meaning, std::string("token"));
    QCOMPARE(read->pattern->number, std::size_t{2});
    QCOMPARE(*read->outsideNs, 11'450'000.0);
    QCOMPARE(read->schedule, std::string("wait=2,warmup=2,active=5,repeat=1"));
    QVERIFY(read->includeWarmUp && read->startUpIsTarget);
    const auto again = readSettings(settingsText(*read));
    QVERIFY(again);
    QVERIFY(*again == *read);
    QCOMPARE(settingsText({}), std::string());
}

void TstSettings::file_namesTheLine() {
    const auto wrong = readSettings("gaps.share = 2%\n# fine\nnonsense = 1\n");
    QVERIFY(!wrong);
    QCOMPARE(wrong.error().place, std::string("line 3"));
    QCOMPARE(wrong.error().detail, std::string("there is no setting 'nonsense'"));
}

void TstSettings::report_listsAll() {
    const auto trace = traceOfText({rowText("kernel", "a", 0, 1, "{'device':0,'stream':7}")});
    AnalysisSettings changed;
    QVERIFY(changeSetting(changed, "gaps.share=2%"));
    QVERIFY(changeSetting(changed, "samples_per_step=128"));
    ReportOptions options;
    options.settings = std::make_shared<AnalysisSettings>(changed);
    const ReportTable table = reportOf(*trace, "settings", options);
    QCOMPARE(table.rows(), thresholdTable().size() + settingTable().size());
    const auto gaps = *rowOf(table, "Setting", "gaps.share");
    QCOMPARE(cellOf(table, gaps, "Value"), std::string("2%"));
    QCOMPARE(cellOf(table, gaps, "Default"), std::string("5%"));
    QCOMPARE(cellOf(table, *rowOf(table, "Setting", "samples_per_step"), "Value"), std::string("128"));
    QCOMPARE(cellOf(table, *rowOf(table, "Setting", "steps.unusual_factor"), "Source"), std::string("C46"));
}

LACUNA_TEST(TstSettings, "tst_settings")

} // namespace tst_settings

#include "tst_settings.moc"
