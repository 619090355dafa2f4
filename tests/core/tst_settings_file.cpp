// A settings file that is changed one key at a time, the list of settings for editors, and the list of what
// reports take.

#include "core/report/report_options.h"
#include "core/settings/settings_file.h"
#include "tests/support/event_text.h"
#include "tests/support/report_table_access.h"
#include "tests/support/test_main.h"

#include <set>

namespace tst_settings_file {

using namespace lacuna;
using namespace lacuna::test;

namespace {

QString changed(const char* file, const char* key, const char* value) {
    return QString::fromStdString(
        withSetting(file, key, value == nullptr ? std::nullopt : std::optional<std::string>(value)));
}

} // namespace

class TstSettingsFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void change_keepsEverythingElse_data();
    void change_keepsEverythingElse();
    void entries_areAllSettingsWithAGroup();
    void entries_defaultsAreTheDefaults();
    void texts_ofAWorkspaceGoOverTheUsers();
    void report_hasTheValueOfEverySetting();
    void options_areRefusedWhereTheyAreNotTaken();
    void options_takeWhatTheCommandLineTakes();
    void options_refuseWrongValues_data();
    void options_refuseWrongValues();
};

void TstSettingsFile::change_keepsEverythingElse_data() {
    QTest::addColumn<QString>("now");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const QString& now, const char* expected) {
        QTest::newRow(name) << now << QString::fromLatin1(expected);
    };
    row("into an empty file", changed("", "gaps.share", "7%"), "gaps.share = 7%\n");
    row("at the end", changed("# mine\nwarm_up = include", "gaps.share", "7%"),
        "# mine\nwarm_up = include\ngaps.share = 7%\n");
    row("in its place", changed("gaps.share=1%\n\n# why\nwarm_up = include\n", "gaps.share", "7%"),
        "gaps.share = 7%\n\n# why\nwarm_up = include\n");
    row("the last of two counts", changed("gaps.share = 1%\na = b\ngaps.share = 2%\n", "gaps.share", "7%"),
        "a = b\ngaps.share = 7%\n");
    row("a comment is no setting", changed("# gaps.share = 1%\n", "gaps.share", "7%"),
        "# gaps.share = 1%\ngaps.share = 7%\n");
    row("out", changed("a = b\r\ngaps.share = 1%\nc = d\n", "gaps.share", nullptr), "a = b\r\nc = d\n");
    row("out of a file without it", changed("a = b\n", "gaps.share", nullptr), "a = b\n");
    row("a longer key is another one", changed("gaps.shared = 1%\n", "gaps.share", nullptr),
        "gaps.shared = 1%\n");
}

void TstSettingsFile::change_keepsEverythingElse() {
    QFETCH(QString, now);
    QFETCH(QString, expected);
    QCOMPARE(now, expected);
}

void TstSettingsFile::entries_areAllSettingsWithAGroup() {
    const std::vector<SettingEntry> entries = settingEntries();
    QCOMPARE(entries.size(), settingTable().size() + thresholdTable().size());
    std::set<std::string_view> groups;
    for (const SettingEntry& entry : entries) {
        QVERIFY(!entry.meaning.empty());
        groups.insert(entry.group);
        QVERIFY2(entry.group != "Steps" || entry.key.find("step") != std::string_view::npos ||
                     entry.key.ends_with("_up") || entry.key == "schedule" || entry.key == "modes.share",
                 std::string(entry.key).c_str()); // nothing falls into the rest by accident
    }
    QCOMPARE(groups.size(), std::size_t{7});
}

void TstSettingsFile::entries_defaultsAreTheDefaults() {
    for (const SettingEntry& entry : settingEntries()) {
        AnalysisSettings settings;
        if (!entry.standard.empty())
            QVERIFY2(changeSetting(settings, entry.key, entry.standard), std::string(entry.key).c_str());
        QVERIFY2(settings == AnalysisSettings{}, std::string(entry.key).c_str());
        QCOMPARE(settingText(settings, entry.key), entry.standard);
    }
    QCOMPARE(settingText({}, "no.such.key"), std::string());
}

void TstSettingsFile::texts_ofAWorkspaceGoOverTheUsers() {
    AnalysisSettings user;
    QVERIFY(changeSetting(user, "samples_per_step", "32"));
    QVERIFY(changeSetting(user, "gaps.share", "7%"));
    const AnalysisSettings both = withSettingTexts(
        user, {{"samples_per_step", "128"}, {"steps.pattern", "token:2"}, {"of.the.future", "1"}});
    QCOMPARE(*both.samplesPerStep, 128.0);
    QCOMPARE(both.thresholds.text(Threshold::GapShare), std::string("7%"));
    QCOMPARE(both.pattern->meaning, std::string("token"));
    QCOMPARE(both.pattern->number, std::size_t{2});
}

void TstSettingsFile::report_hasTheValueOfEverySetting() {
    const auto trace = traceOfText({rowText("kernel", "k", 0, 1, "{'device':0,'stream':7}", 7)});
    auto settings = std::make_shared<AnalysisSettings>();
    QVERIFY(changeSetting(*settings, "tiny_kernels.length", "5us"));
    ReportOptions options;
    options.settings = settings;
    const ReportTable table = reportOf(*trace, "settings", options);
    const std::vector<SettingEntry> entries = settingEntries();
    QCOMPARE(table.rows(), entries.size());
    for (std::size_t row = 0; row < entries.size(); ++row) {
        QCOMPARE(cellOf(table, row, "Setting"), std::string(entries[row].key));
        QCOMPARE(cellOf(table, row, "Value"), settingText(*settings, entries[row].key));
        QCOMPARE(cellOf(table, row, "Default"), entries[row].standard);
    }
}

// takes() says what runReport() accepts: for each report and option, one that is not taken is refused.
void TstSettingsFile::options_areRefusedWhereTheyAreNotTaken() {
    const auto trace = traceOfText({rowText("kernel", "k", 0, 1, "{'device':0,'stream':7}", 7)});
    const std::map<ReportOption, std::string> values{
        {ReportOption::Device, "0"},     {ReportOption::Definition, "hta"},
        {ReportOption::Corrected, "on"}, {ReportOption::GroupBy, "thread"},
        {ReportOption::Operator, "mm"},  {ReportOption::Sites, "item"},
        {ReportOption::Together, "on"},  {ReportOption::PinnedBandwidth, "55"}};
    for (const ReportSpec& report : builtinReports())
        for (const auto& [option, value] : values) {
            ReportQuery query;
            query.name = report.name;
            QVERIFY(setOption(query, option, value));
            JobControl job;
            const auto table = runReport(*trace, nullptr, query, job);
            const bool isRefused = !table && table.error().code == Errc::Unsupported;
            QVERIFY2(takes(report, option) || isRefused,
                     (std::string(report.name) + " " + std::string(reportOption(option).name)).c_str());
        }
}

void TstSettingsFile::options_takeWhatTheCommandLineTakes() {
    ReportQuery query;
    QVERIFY(setOption(query, ReportOption::Device, "3"));
    QVERIFY(setOption(query, ReportOption::Definition, "hta"));
    QVERIFY(setOption(query, ReportOption::Corrected, "on"));
    QVERIFY(setOption(query, ReportOption::GroupBy, "stream"));
    QVERIFY(setOption(query, ReportOption::Operator, " aten::mm "));
    QVERIFY(setOption(query, ReportOption::Sites, "item"));
    QVERIFY(setOption(query, ReportOption::Together, "on"));
    QVERIFY(setOption(query, ReportOption::PinnedBandwidth, "55"));
    QVERIFY(setOption(query, ReportOption::Sort, "count"));
    QVERIFY(setOption(query, ReportOption::Limit, "30"));
    QCOMPARE(*query.options.device, std::int64_t{3});
    QVERIFY(query.options.definition == ReportDefinition::Hta);
    QVERIFY(query.options.corrected && query.options.together);
    QVERIFY(query.options.groupBy == AverageGroup::Stream);
    QCOMPARE(query.options.operatorName, std::string("aten::mm"));
    QCOMPARE(query.options.sites, std::vector<std::string>{"item"});
    QCOMPARE(query.options.pinnedBytesPerSecond, 55e9);
    QCOMPARE(query.sort, std::string("count"));
    QCOMPARE(*query.limit, std::size_t{30});
    for (const ReportOptionInfo& info : reportOptions())
        QVERIFY(setOption(query, info.id, "")); // back to the defaults
    QVERIFY(!query.options.device && !query.options.corrected && !query.options.together && !query.limit);
    QVERIFY(query.options.groupBy == AverageGroup::Name && query.options.sites.empty());
    QCOMPARE(query.options.pinnedBytesPerSecond, 0.0);
}

void TstSettingsFile::options_refuseWrongValues_data() {
    QTest::addColumn<int>("option");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("says");
    const auto row = [](ReportOption option, const char* value, const char* says) {
        QTest::newRow(value) << static_cast<int>(option) << QString::fromLatin1(value)
                             << QString::fromLatin1(says);
    };
    row(ReportOption::Device, "x", "the number of a device");
    row(ReportOption::Limit, "-1", "a number of rows");
    row(ReportOption::GroupBy, "size", "one of name, shape, stack, range, stream, thread");
    row(ReportOption::Definition, "mine", "one of lacuna, hta");
    row(ReportOption::PinnedBandwidth, "0", "a number above 0");
    row(ReportOption::Corrected, "maybe", "on or off");
}

void TstSettingsFile::options_refuseWrongValues() {
    QFETCH(int, option);
    QFETCH(QString, value);
    QFETCH(QString, says);
    ReportQuery query;
    const Status set = setOption(query, static_cast<ReportOption>(option), value.toStdString());
    QVERIFY(!set);
    QVERIFY2(QString::fromStdString(set.error().detail).endsWith(says), set.error().detail.c_str());
}

LACUNA_TEST(TstSettingsFile, "tst_settings_file")

} // namespace tst_settings_file

#include "tst_settings_file.moc"
