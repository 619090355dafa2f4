// Other keys for commands: set, taken, swapped, kept, and reset; the dialog that does it.

#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/command/keys_dialog.h"

#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

namespace tst_keys {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

namespace {

struct Registry {
    QWidget window;
    CommandRegistry commands{&window};
    QStringList ran;

    Registry() {
        add(QStringLiteral("a"), Qt::Key_A);
        add(QStringLiteral("b"), Qt::Key_B);
    }
    void add(const QString& id, Qt::Key key) {
        commands.add({id,
                      QStringLiteral("group"),
                      id.toUpper(),
                      {key},
                      [this, id] { ran << id; },
                      {},
                      nullptr,
                      false,
                      {}});
    }
    static QKeySequence key(Qt::Key one) { return QKeySequence(one); }
};

QTreeWidgetItem* itemOf(QTreeWidget& list, const QString& title) {
    for (int i = 0; i < list.topLevelItemCount(); ++i)
        if (list.topLevelItem(i)->text(0).trimmed() == title)
            return list.topLevelItem(i);
    return nullptr;
}

} // namespace

class TstKeys : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aKeyBelongsToOneCommand() {
        Registry r;
        QSignalSpy changed(&r.commands, &CommandRegistry::keysChanged);
        QCOMPARE(r.commands.holderOf(Registry::key(Qt::Key_B)), QStringLiteral("b"));
        QVERIFY(r.commands.holderOf(Registry::key(Qt::Key_B), QStringLiteral("b")).isEmpty());
        r.commands.setKeys(QStringLiteral("a"), {Qt::Key_B, Qt::Key_C});
        QCOMPARE(changed.size(), 1);
        QCOMPARE(r.commands.keyText(QStringLiteral("a")), QStringLiteral("B,  C"));
        QVERIFY(r.commands.keys(QStringLiteral("b")).isEmpty());
        QCOMPARE(r.commands.action(QStringLiteral("a"))->shortcuts(),
                 (QList<QKeySequence>{Qt::Key_B, Qt::Key_C}));
        QVERIFY(r.commands.action(QStringLiteral("b"))->shortcuts().isEmpty());
        r.commands.resetKeys(QStringLiteral("b"));
        QCOMPARE(r.commands.keys(QStringLiteral("a")), (QList<QKeySequence>{Qt::Key_C}));
        QCOMPARE(r.commands.keys(QStringLiteral("b")), (QList<QKeySequence>{Qt::Key_B}));
        r.commands.resetAllKeys();
        QVERIFY(r.commands.keyChanges().isEmpty());
    }

    void changesSurviveAndSwapsToo() {
        Registry r;
        r.commands.setKeys(QStringLiteral("a"), {Qt::Key_B});
        r.commands.setKeys(QStringLiteral("b"), {Qt::Key_A});
        const auto changes = r.commands.keyChanges();
        QCOMPARE(changes.size(), 2);
        Registry other;
        other.commands.applyKeyChanges(changes);
        QCOMPARE(other.commands.keys(QStringLiteral("a")), (QList<QKeySequence>{Qt::Key_B}));
        QCOMPARE(other.commands.keys(QStringLiteral("b")), (QList<QKeySequence>{Qt::Key_A}));
        // Of settings that make no sense nothing is taken over that would.
        other.commands.applyKeyChanges({{QStringLiteral("unknown"), QStringLiteral("X")},
                                        {QStringLiteral("a"), QStringLiteral("B; B; F5")}});
        QCOMPARE(other.commands.keys(QStringLiteral("a")), (QList<QKeySequence>{Qt::Key_F5})); // b has B
        QCOMPARE(other.commands.keys(QStringLiteral("b")), (QList<QKeySequence>{Qt::Key_B}));
    }

    void theDialogShowsTheConflictAndTakesTheKey() {
        Registry r;
        KeysDialog dialog(r.commands);
        dialog.show();
        auto* list = dialog.findChild<QTreeWidget*>(QStringLiteral("keysList"));
        auto* key = dialog.findChild<QKeySequenceEdit*>(QStringLiteral("keysKey"));
        auto* set = dialog.findChild<QPushButton*>(QStringLiteral("keysSet"));
        auto* conflict = dialog.findChild<QLabel*>(QStringLiteral("keysConflict"));
        QVERIFY(!set->isEnabled());
        list->setCurrentItem(itemOf(*list, QStringLiteral("A")));
        key->setKeySequence(Registry::key(Qt::Key_C));
        QVERIFY(conflict->text().isEmpty());
        key->setKeySequence(Registry::key(Qt::Key_B));
        QVERIFY2(conflict->text().contains(QStringLiteral("“B”")), qPrintable(conflict->text()));
        set->click();
        QCOMPARE(r.commands.keys(QStringLiteral("a")), (QList<QKeySequence>{Qt::Key_B}));
        QCOMPARE(itemOf(*list, QStringLiteral("A"))->text(1), QStringLiteral("B"));
        QCOMPARE(itemOf(*list, QStringLiteral("A"))->text(2), QStringLiteral("A")); // the default
        QCOMPARE(itemOf(*list, QStringLiteral("B"))->text(1), QString());
        dialog.findChild<QPushButton*>(QStringLiteral("keysReset"))->click();
        QCOMPARE(r.commands.keys(QStringLiteral("a")), (QList<QKeySequence>{Qt::Key_A}));
        dialog.findChild<QPushButton*>(QStringLiteral("keysAllDefaults"))->click();
        QVERIFY(r.commands.keyChanges().isEmpty());
        dialog.findChild<QLineEdit*>(QStringLiteral("keysFilter"))->setText(QStringLiteral("zoom at"));
        QVERIFY(itemOf(*list, QStringLiteral("A"))->isHidden());
        QVERIFY(!itemOf(*list, QStringLiteral("Zoom at the pointer"))->isHidden());
    }

    void theWindowKeepsThem() {
        WindowFixture fixture;
        fixture.window().commands().setKeys(QStringLiteral("gaps.next"), {Qt::Key_J});
        MainWindow again(fixture.state(), fixture.theme());
        QCOMPARE(again.commands().keys(QStringLiteral("gaps.next")), (QList<QKeySequence>{Qt::Key_J}));
        QCOMPARE(again.commands().action(QStringLiteral("gaps.next"))->shortcut(), QKeySequence(Qt::Key_J));
        fixture.window().commands().resetAllKeys();
        QVERIFY(fixture.state().keys().isEmpty());
    }
};

LACUNA_TEST(TstKeys, "tst_keys")

} // namespace tst_keys

#include "tst_keys.moc"
