// The dialog of a folder of traces: features.md C10.

#include "tests/support/test_main.h"
#include "widgets/states/folder_dialog.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTreeWidget>

namespace tst_folder_dialog {

using namespace lacuna;
using namespace lacuna::ui;

namespace {

FolderTrace trace(const char* relative, std::int64_t step) {
    FolderTrace one;
    one.path = std::filesystem::path("/traces") / relative;
    one.relative = relative;
    one.name.step = step;
    one.size = 2'048;
    return one;
}

TraceFolder twoWorkersOfTwoCycles() {
    TraceFolder folder;
    folder.workers.push_back(
        {"worker0", {trace("worker0/trace-5.json", 5), trace("worker0/trace-11.json", 11)}});
    folder.workers.push_back(
        {"worker1", {trace("worker1/trace-5.json", 5), trace("worker1/trace-11.json", 11)}});
    folder.otherFiles = 1;
    return folder;
}

} // namespace

class TstFolderDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void c10_treeOfTwoWithTwoEach() {
        FolderDialog dialog(QStringLiteral("traces"), twoWorkersOfTwoCycles());
        const auto* tree = dialog.findChild<QTreeWidget*>(QStringLiteral("folderTree"));
        QVERIFY(tree != nullptr);
        QCOMPARE(tree->topLevelItemCount(), 2);
        for (int worker = 0; worker < 2; ++worker) {
            QCOMPARE(tree->topLevelItem(worker)->text(0), QStringLiteral("worker%1").arg(worker));
            QCOMPARE(tree->topLevelItem(worker)->text(1), QStringLiteral("2 traces"));
            QCOMPARE(tree->topLevelItem(worker)->childCount(), 2);
            QCOMPARE(tree->topLevelItem(worker)->child(0)->text(0), QStringLiteral("step 5"));
            QCOMPARE(tree->topLevelItem(worker)->child(1)->text(0), QStringLiteral("step 11"));
        }
        const auto* question = dialog.findChild<QLabel*>();
        QCOMPARE(question->text(), QStringLiteral("traces holds 4 traces from 2 workers. Which one is to be "
                                                  "opened? 1 other file is not listed."));
    }

    void doubleClick_opensATrace_andFoldsAWorker() {
        FolderDialog dialog(QStringLiteral("traces"), twoWorkersOfTwoCycles());
        QSignalSpy chosen(&dialog, &FolderDialog::chosen);
        auto* tree = dialog.findChild<QTreeWidget*>(QStringLiteral("folderTree"));
        tree->setCurrentItem(tree->topLevelItem(1));
        Q_EMIT tree->itemDoubleClicked(tree->topLevelItem(1), 0);
        QCOMPARE(chosen.count(), 0);
        tree->setCurrentItem(tree->topLevelItem(1)->child(1));
        Q_EMIT tree->itemDoubleClicked(tree->topLevelItem(1)->child(1), 0);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.at(0).at(0).toString(), QStringLiteral("/traces/worker1/trace-11.json"));
    }
};

LACUNA_TEST(TstFolderDialog, "tst_folder_dialog")

} // namespace tst_folder_dialog

#include "tst_folder_dialog.moc"
