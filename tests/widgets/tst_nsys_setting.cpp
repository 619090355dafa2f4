// The program that exports reports, as the window's settings name it: asked for in a dialog, kept, used.

#include "app/nsys_setting.h"
#include "core/import/nsys/report_export.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <string>

namespace tst_nsys_setting {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

namespace {

namespace fs = std::filesystem;

// A stand-in that "exports" a fixture: nsys export ... -o OUT REPORT.
std::string standIn(const fs::path& folder) {
    const fs::path file = folder / "my nsys";
    std::ofstream(file) << "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\n/bin/cp '"
                        << test::fixture("captured/nsys/stall.sqlite").string() << "' \"$2\"\n";
    fs::permissions(file, fs::perms::owner_all);
    return file.string();
}

} // namespace

class TstNsysSetting : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        qputenv("PATH", "/nowhere");
        qputenv("XDG_CACHE_HOME", m_folder.path().toUtf8());
        qunsetenv("LACUNA_NSYS");
        std::ofstream(report()) << "a report";
        if (nsys::findNsys({}))
            LACUNA_SKIP("an nsys is installed in a usual place");
    }

    void program_isAskedForKeptAndUsed() {
        const std::string program = standIn(m_folder.path().toStdString());
        WindowFixture fixture;
        QVERIFY(!fixture.open(report()));
        QVERIFY(fixture.session().failure());

        QVERIFY(fixture.window().commands().run(QStringLiteral("file.nsys")));
        auto* dialog = fixture.window().findChild<QDialog*>(QStringLiteral("nsysDialog"));
        QVERIFY(dialog != nullptr);
        auto* line = dialog->findChild<QLineEdit*>(QStringLiteral("nsysProgram"));
        auto* state = dialog->findChild<QLabel*>(QStringLiteral("nsysState"));
        auto* buttons = dialog->findChild<QDialogButtonBox*>();
        QVERIFY(line != nullptr && state != nullptr && buttons != nullptr);
        QCOMPARE(line->placeholderText(), QStringLiteral("no nsys was found"));
        line->setText(QString::fromStdString(report().string())); // no program
        QVERIFY(!buttons->button(QDialogButtonBox::Ok)->isEnabled());
        QCOMPARE(state->text(), QStringLiteral("This is no program that can be run."));
        line->setText(QString::fromStdString(program));
        QVERIFY(buttons->button(QDialogButtonBox::Ok)->isEnabled());

        QSignalSpy ended(&fixture.session(), &AnalysisSession::loadEnded);
        dialog->accept(); // opens what could not be opened
        QVERIFY(ended.wait(60'000));
        QVERIFY(fixture.session().document() != nullptr);
        QCOMPARE(fixture.session().document()->trace().facts().format, std::string("nsys-sqlite"));
        QCOMPARE(fixture.state().nsysProgram(), QString::fromStdString(program));
        QCOMPARE(fs::file_size(report()), std::uintmax_t{8});

        // The next window starts with it.
        ThemeControl theme;
        MainWindow next(fixture.state(), theme);
        QSignalSpy opened(&next.session(), &AnalysisSession::loadEnded);
        next.open(QString::fromStdString(report().string()));
        QVERIFY(opened.wait(60'000));
        QVERIFY(next.session().document() != nullptr);
    }

    void empty_meansTheOneThatIsFound() {
        WindowFixture fixture;
        fixture.state().setNsysProgram(QStringLiteral("/nowhere/nsys"));
        fixture.state().setNsysProgram({});
        QVERIFY(fixture.state().nsysProgram().isEmpty());
        QVERIFY(!fixture.open(report()));
        QVERIFY(fixture.session().failure()->error.detail.find("must be exported first") !=
                std::string::npos);
    }

private:
    fs::path report() const { return fs::path(m_folder.path().toStdString()) / "run.nsys-rep"; }
    QTemporaryDir m_folder;
};
LACUNA_TEST(TstNsysSetting, "tst_nsys_setting")

} // namespace tst_nsys_setting

#include "tst_nsys_setting.moc"
