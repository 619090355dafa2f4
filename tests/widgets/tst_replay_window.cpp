// The replay in the window: the critical path is a switch, and a gap says what removing its call would save.
#include "core/base/text_format.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/panels/inspector_widgets.h"
#include "widgets/panels/panel.h"
#include "widgets/session/replay_results.h"

namespace tst_replay_window {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

class TstReplayWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        QVERIFY(m_fixture->open(test::itemSync()));
    }
    void cleanup() { m_fixture.reset(); }

    void criticalPath_isASwitch() {
        const QString id = QStringLiteral("view.criticalPath");
        QVERIFY(m_fixture->view().path() == nullptr);
        QVERIFY(m_fixture->window().commands().run(id));
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->view().path() != nullptr, 60'000);
        QVERIFY(m_fixture->view().scene().path == m_fixture->view().path());
        QVERIFY(m_fixture->window().commands().action(id)->isChecked());
        QVERIFY(m_fixture->window().commands().run(id));
        QVERIFY(m_fixture->view().path() == nullptr);
        // It stays on for the next trace, with that trace's path.
        QVERIFY(m_fixture->window().commands().run(id));
        const CriticalPath* first = m_fixture->view().path();
        QVERIFY(first != nullptr);
        QVERIFY(m_fixture->open(test::fixture("captured/torch/multi_stream.pt.trace.json.gz")));
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->view().path() != nullptr, 60'000);
        const TimeRange range = m_fixture->view().path()->range();
        QCOMPARE(intersection(range, m_fixture->view().trace()->window()), range);
    }

    // Three waits of loss.item(): the page names them and the three figures, and says that a model speaks.
    void gap_tellsWhatItsCallCosts() {
        const GapAnalysis& gaps = *m_fixture->session().document()->gaps;
        GapId drained;
        for (const GapId gap : gaps.byRank())
            if (!drained && gaps.gap(gap).drainedBy)
                drained = gap;
        QVERIFY(drained);
        m_fixture->session().selection().set(drained, Origin::Table);
        const auto label = [this](const char* name) {
            const auto labels = m_fixture->window().findChildren<QLabel*>(QString::fromLatin1(name));
            return labels.isEmpty() ? nullptr : labels.last();
        };
        QTRY_VERIFY_WITH_TIMEOUT(label("whatIf") != nullptr, 60'000);
        QVERIFY2(label("whatIf")->text().contains(QStringLiteral("reads at cudaStreamSynchronize")),
                 qPrintable(label("whatIf")->text()));
        for (const std::string_view limit : replayLimits())
            QVERIFY(label("whatIfLimits")
                        ->text()
                        .contains(QString::fromUtf8(limit.data(), static_cast<qsizetype>(limit.size()))));
        const ReplayResults::Saving saving = m_fixture->session().replay().savingOf(drained);
        QVERIFY(saving.isReady && saving.question != nullptr);
        QCOMPARE(saving.question->kind, WhatIfKind::RemoveRead);
        QVERIFY(saving.answer.replayNs > 0 && saving.answer.boundNs <= saving.answer.attributedNs);
    }

    void closing_dropsIt() {
        QVERIFY(m_fixture->window().commands().run(QStringLiteral("view.criticalPath")));
        m_fixture->session().close();
        QVERIFY(m_fixture->view().path() == nullptr);
        QTest::qWait(50);
        QVERIFY(m_fixture->view().path() == nullptr);
    }

private:
    std::unique_ptr<WindowFixture> m_fixture;
};

LACUNA_TEST(TstReplayWindow, "tst_replay_window")

} // namespace tst_replay_window

#include "tst_replay_window.moc"
