// An archive with several traces: the window asks which one, opens it, and reloads the same.

#include "tests/support/archives.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/states/member_dialog.h"

#include <QTreeWidget>

#include <fstream>

namespace tst_archives {

using namespace lacuna;
using namespace lacuna::ui;
using test::PackedFile;
using test::WindowFixture;

namespace {

std::filesystem::path archive(const WindowFixture& fixture, const std::vector<PackedFile>& files) {
    const std::filesystem::path file = fixture.folder().toStdString() + "/ranks.zip";
    std::ofstream(file, std::ios::binary) << test::zipOf(files);
    return file;
}

std::vector<PackedFile> ranks() {
    const std::string trace = test::readFile(test::fixture("micro/M1.json"));
    return {{"rank10.json", trace, {}}, {"rank2.json", trace, {}}, {"README.md", "text", {}}};
}

MemberDialog* dialogOf(WindowFixture& fixture) {
    MemberDialog* dialog = nullptr;
    (void)QTest::qWaitFor(
        [&] {
            dialog = fixture.window().findChild<MemberDialog*>();
            return dialog != nullptr && dialog->isVisible();
        },
        10'000);
    return dialog;
}

bool waitForDocument(WindowFixture& fixture) {
    return QTest::qWaitFor(
        [&] { return fixture.session().document() != nullptr && !fixture.session().isLoading(); }, 60'000);
}

} // namespace

class TstArchives : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void severalTraces_areOffered_andEnterOpensTheFirst() {
        WindowFixture fixture;
        QVERIFY(!fixture.open(archive(fixture, ranks())));
        MemberDialog* dialog = dialogOf(fixture);
        QVERIFY(dialog != nullptr);
        auto* list = dialog->findChild<QTreeWidget*>(QStringLiteral("memberList"));
        QCOMPARE(list->topLevelItemCount(), 2);
        QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("rank2.json"));
        QCOMPARE(list->topLevelItem(1)->text(0), QStringLiteral("rank10.json"));
        QVERIFY(!list->topLevelItem(0)->text(1).isEmpty());
        QCOMPARE(list->currentItem(), list->topLevelItem(0));
        QTest::keyClick(dialog, Qt::Key_Return);
        QVERIFY(waitForDocument(fixture));
        QCOMPARE(fixture.session().document()->member, QStringLiteral("rank2.json"));
        QVERIFY(fixture.session().document()->trace().report().find("archive_member") != nullptr);
        fixture.session().reload();
        QVERIFY(waitForDocument(fixture));
        QVERIFY(!fixture.session().failure());
        QCOMPARE(fixture.session().document()->member, QStringLiteral("rank2.json"));
    }
    void arrowKeys_chooseAnother() {
        WindowFixture fixture;
        QVERIFY(!fixture.open(archive(fixture, ranks())));
        MemberDialog* dialog = dialogOf(fixture);
        QVERIFY(dialog != nullptr);
        QTest::keyClick(dialog->findChild<QTreeWidget*>(), Qt::Key_Down);
        QTest::keyClick(dialog, Qt::Key_Return);
        QVERIFY(waitForDocument(fixture));
        QCOMPARE(fixture.session().document()->member, QStringLiteral("rank10.json"));
    }
    void escape_leavesTheMessage() {
        WindowFixture fixture;
        QVERIFY(!fixture.open(archive(fixture, ranks())));
        MemberDialog* dialog = dialogOf(fixture);
        QVERIFY(dialog != nullptr);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(fixture.session().document() == nullptr);
        QVERIFY(fixture.session().failure().has_value());
    }
    void oneTrace_isOpenedAtOnce() {
        WindowFixture fixture;
        const std::string trace = test::readFile(test::fixture("micro/M1.json"));
        QVERIFY(fixture.open(archive(fixture, {{"rank0.json", trace, {}}, {"README.md", "text", {}}})));
        QVERIFY(fixture.window().findChild<MemberDialog*>() == nullptr);
    }
};
LACUNA_TEST(TstArchives, "tst_archives")

} // namespace tst_archives

#include "tst_archives.moc"
