// All thresholds and settings in one dialog: what is changed there is in the file at once, and what is open
// hears of it.

#include "core/settings/settings_file.h"
#include "tests/support/open_session.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "widgets/session/session_settings.h"
#include "widgets/session/settings_store.h"
#include "widgets/session/user_settings.h"
#include "widgets/settings/settings_dialog.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTreeWidget>

namespace tst_settings_dialog {

using namespace lacuna;
using namespace lacuna::ui;
using namespace lacuna::test;

namespace {

struct OpenDialog {
    AnalysisSession session;
    SessionSettings& settings = SessionSettings::of(session);
    SettingsDialog dialog{settings, ThemePalette::of(Theme::Light)};
    QTreeWidget& list = *dialog.findChild<QTreeWidget*>(QStringLiteral("settingList"));

    QString value(const char* key) { return dialog.itemOf(key)->text(SettingsDialog::kValue); }
    void enter(const char* key, const char* value) {
        dialog.itemOf(key)->setText(SettingsDialog::kValue, QString::fromLatin1(value));
    }
    QString message() { return dialog.findChild<QLabel*>(QStringLiteral("settingMessage"))->text(); }
    void choose(const char* key) { list.setCurrentItem(dialog.itemOf(key)); }
    void click(const char* button) {
        QTest::mouseClick(dialog.findChild<QPushButton*>(QString::fromLatin1(button)), Qt::LeftButton);
    }
};

QString fileText() {
    return QString::fromStdString(readConfig(userSettingsFile()));
}

void writeFile(const char* text) {
    QFile file(userSettingsFile());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

} // namespace

class TstSettingsDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_home = std::make_unique<QTemporaryDir>(); // settings of its own, whatever runs beside it
        qputenv("HOME", m_home->path().toUtf8());
    }
    void everySettingIsThereOnce();
    void change_isWrittenAtOnce();
    void wrongValue_isRefusedAndGoesBack();
    void default_andAllToDefault();
    void search_findsByWordKeyAndUnit();
    void brokenFile_isToldAndLeftAlone();
    void commentsAndOrderStay();
    void otherWindowsHearOfIt();
    void ofTheTrace_goesBeforeTheUsers();

private:
    std::unique_ptr<QTemporaryDir> m_home;
};

void TstSettingsDialog::everySettingIsThereOnce() {
    OpenDialog open;
    int items = 0;
    for (int g = 0; g < open.list.topLevelItemCount(); ++g)
        items += open.list.topLevelItem(g)->childCount();
    const auto entries = settingEntries();
    QCOMPARE(static_cast<std::size_t>(items), entries.size());
    for (const SettingEntry& entry : entries) {
        const QTreeWidgetItem* item = open.dialog.itemOf(entry.key);
        QVERIFY(item != nullptr);
        QCOMPARE(item->text(SettingsDialog::kValue), QString::fromStdString(entry.standard));
        QCOMPARE(item->parent()->text(0), QString::fromStdString(std::string(entry.group)));
    }
    QVERIFY(!QFile::exists(userSettingsFile())); // looking changes nothing
}

void TstSettingsDialog::change_isWrittenAtOnce() {
    OpenDialog open;
    QSignalSpy changed(&open.settings, &SessionSettings::changed);
    open.enter("tiny_kernels.length", "5us");
    QCOMPARE(fileText(), QStringLiteral("tiny_kernels.length = 5us\n"));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(open.settings.values()->thresholds.ns(Threshold::TinyKernelNs), 5'000);
    open.enter("gaps.share", "0.5"); // as people write it, shown as the file reads back
    QCOMPARE(open.value("gaps.share"), QStringLiteral("50%"));
    open.enter("gaps.share", "");
    QCOMPARE(open.value("gaps.share"), QStringLiteral("5%"));
    QCOMPARE(fileText(), QStringLiteral("tiny_kernels.length = 5us\n"));
}

void TstSettingsDialog::wrongValue_isRefusedAndGoesBack() {
    OpenDialog open;
    open.enter("gaps.share", "120%");
    QCOMPARE(open.value("gaps.share"), QStringLiteral("5%"));
    QVERIFY(open.message().contains(QStringLiteral("a share such as 50% or 0.5")));
    open.enter("long_waits.length", "soon");
    QVERIFY(open.message().contains(QStringLiteral("a time such as 10us")));
    open.enter("schedule", "often");
    QVERIFY(!open.message().isEmpty());
    QCOMPARE(open.value("schedule"), QString());
    QVERIFY(!QFile::exists(userSettingsFile()));
}

void TstSettingsDialog::default_andAllToDefault() {
    OpenDialog open;
    open.enter("gaps.share", "7%");
    open.enter("steps.unusual_factor", "2");
    open.enter("warm_up", "include");
    open.choose("steps.unusual_factor");
    open.click("settingReset");
    QCOMPARE(open.value("steps.unusual_factor"), QStringLiteral("3"));
    QCOMPARE(fileText(), QStringLiteral("gaps.share = 7%\nwarm_up = include\n"));
    open.click("settingResetAll");
    QCOMPARE(fileText(), QString());
    QVERIFY(*open.settings.values() == AnalysisSettings{});
    QVERIFY(!open.dialog.findChild<QPushButton*>(QStringLiteral("settingResetAll"))->isEnabled());
}

void TstSettingsDialog::search_findsByWordKeyAndUnit() {
    OpenDialog open;
    auto* field = open.dialog.findChild<QLineEdit*>(QStringLiteral("settingFilter"));
    const auto shown = [&] {
        QStringList keys;
        for (const SettingEntry& entry : settingEntries())
            if (QTreeWidgetItem* item = open.dialog.itemOf(entry.key); !item->isHidden())
                keys << item->text(SettingsDialog::kKey);
        return keys;
    };
    field->setText(QStringLiteral("tiny time"));
    QCOMPARE(shown(), QStringList{QStringLiteral("tiny_kernels.length")});
    field->setText(QStringLiteral("batch SIZE"));
    QCOMPARE(shown(), QStringList{QStringLiteral("samples_per_step")});
    field->clear();
    QCOMPARE(static_cast<std::size_t>(shown().size()), settingEntries().size());
}

void TstSettingsDialog::brokenFile_isToldAndLeftAlone() {
    QVERIFY(QDir().mkpath(QFileInfo(userSettingsFile()).absolutePath()));
    writeFile("gaps.share = 7%\nnonsense\n");
    OpenDialog open;
    QVERIFY(open.message().contains(QStringLiteral("line 2")));
    open.enter("gaps.share", "8%");
    QVERIFY(open.message().contains(QStringLiteral("line 2")));
    QCOMPARE(fileText(), QStringLiteral("gaps.share = 7%\nnonsense\n"));
}

void TstSettingsDialog::commentsAndOrderStay() {
    QVERIFY(QDir().mkpath(QFileInfo(userSettingsFile()).absolutePath()));
    writeFile("# ours\ngaps.share = 7%\n\n# why\nwarm_up = include\n");
    OpenDialog open;
    QCOMPARE(open.value("gaps.share"), QStringLiteral("7%"));
    open.enter("gaps.share", "8%");
    QCOMPARE(fileText(), QStringLiteral("# ours\ngaps.share = 8%\n\n# why\nwarm_up = include\n"));
}

void TstSettingsDialog::otherWindowsHearOfIt() {
    QVERIFY(QDir().mkpath(QFileInfo(userSettingsFile()).absolutePath()));
    AnalysisSession other;
    const SessionSettings& heard = SessionSettings::of(other);
    OpenDialog open;
    open.enter("gaps.share", "7%");
    QVERIFY(QTest::qWaitFor([&] { return heard.values()->thresholds.text(Threshold::GapShare) == "7%"; },
                            30'000));
    open.enter("gaps.share", "9%"); // the file is another one now
    QVERIFY(QTest::qWaitFor([&] { return heard.values()->thresholds.text(Threshold::GapShare) == "9%"; },
                            30'000));
}

void TstSettingsDialog::ofTheTrace_goesBeforeTheUsers() {
    OpenDialog open;
    QVERIFY(open.list.isColumnHidden(SettingsDialog::kOfTrace));
    QVERIFY(openAndWait(open.session, fixture("captured/torch/item_sync.pt.trace.json.gz")));
    QVERIFY(open.settings.setOfTrace("samples_per_step", "128", {}));
    open.enter("samples_per_step", "32");
    QCOMPARE(*open.settings.values()->samplesPerStep, 128.0);
    QVERIFY(!open.list.isColumnHidden(SettingsDialog::kOfTrace));
    QCOMPARE(open.dialog.itemOf("samples_per_step")->text(SettingsDialog::kOfTrace), QStringLiteral("128"));
    open.session.undoStack().undo();
    QCOMPARE(*open.settings.values()->samplesPerStep, 32.0);
}

LACUNA_TEST(TstSettingsDialog, "tst_settings_dialog")

} // namespace tst_settings_dialog

#include "tst_settings_dialog.moc"
