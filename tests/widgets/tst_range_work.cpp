// The page of a marked range: expected work beside what was launched, the four questions, and six figures
// against a reference (features.md C61, C62, C64, C65); the filter of compiled code (C66).

#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/command/command_registry.h"
#include "widgets/panels/inspector_widgets.h"
#include "widgets/panels/panel.h"
#include "widgets/search/search_session.h"
#include "widgets/session/session_settings.h"

#include <QLabel>
#include <QPushButton>

namespace tst_range_work {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

namespace {

class RangeFixture : public WindowFixture {
public:
    QWidget& inspector() { return *window().panel(QStringLiteral("inspector")); }
    // Rows of the page that is shown; the one before may not be deleted yet.
    QList<InspectorRow*> rows() {
        QList<InspectorRow*> shown;
        for (auto* row : inspector().findChildren<InspectorRow*>())
            if (row->isVisible())
                shown << row;
        return shown;
    }
    InspectorRow* row(const QString& start) {
        for (InspectorRow* one : rows())
            if (one->accessibleName().startsWith(start))
                return one;
        return nullptr;
    }
    bool hasText(const QString& part) {
        for (const auto* label : inspector().findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(part))
                return true;
        return false;
    }
    bool mark(TimeRange range) {
        session().selection().set(range, Origin::Timeline);
        return QTest::qWaitFor([&] { return row(QStringLiteral("Did a view")) != nullptr; }, 30'000);
    }
    QPushButton* button(const QString& title) {
        for (auto* one : inspector().findChildren<QPushButton*>())
            if (one->isVisible() && one->text() == title)
                return one;
        return nullptr;
    }
};

std::filesystem::path compiled() {
    return test::fixture("captured/torch/compile_first_call.pt.trace.json.gz");
}

} // namespace

class TstRangeWork : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { qputenv("LACUNA_CACHE", "off"); }

    void c61_expectedBesideLaunched() {
        RangeFixture fixture;
        QVERIFY(fixture.open(compiled()));
        const Trace& trace = fixture.session().document()->trace();
        QVERIFY(fixture.mark(trace.window()));
        InspectorRow* row = fixture.row(QStringLiteral("GeLU, mul and sum, 12, 8"));
        QVERIFY(row != nullptr);
        QVERIFY(fixture.row(QStringLiteral("operators begun in the range, expected, launched")) != nullptr);
        QVERIFY(fixture.hasText(QStringLiteral("GeLU, mul and sum: 2 kernels instead of 3")));
        // A click goes to the first kernel, whose page takes the place of the range's.
        QTest::mouseClick(row, Qt::LeftButton);
        const EventId event = fixture.session().selection().event();
        QVERIFY(event);
        QCOMPARE(trace.nameOf(event), "triton_red_fused_gelu_mul_sum_0");
    }

    void c62_answersLeadToWhatTheyRestOn() {
        RangeFixture fixture;
        QVERIFY(fixture.open(compiled()));
        const Trace& trace = fixture.session().document()->trace();
        QVERIFY(fixture.mark(trace.window()));
        InspectorRow* fused = fixture.row(QStringLiteral("Did operators become one kernel?"));
        QVERIFY(fused != nullptr);
        QVERIFY(fused->accessibleName().endsWith(QStringLiteral(", yes")));
        QVERIFY(fixture.row(QStringLiteral("Did a shape"))
                    ->accessibleName()
                    .endsWith(QStringLiteral(", unknown")));
        QTest::mouseClick(fused, Qt::LeftButton);
        QCOMPARE(trace.events().kind[fixture.session().selection().event().v], EventKind::Kernel);
    }

    // The reference outlives the trace it was taken from.
    void c65_againstAReferenceOfAnotherTrace() {
        RangeFixture fixture;
        QVERIFY(fixture.open(test::itemSync()));
        QVERIFY(fixture.mark(fixture.session().document()->trace().window()));
        QVERIFY(fixture.button(QStringLiteral("Forget the reference")) == nullptr);
        QTest::mouseClick(fixture.button(QStringLiteral("Set as reference")), Qt::LeftButton);
        QVERIFY(fixture.row(QStringLiteral("kernel identity"))
                    ->accessibleName()
                    .endsWith(QStringLiteral(", same")));
        QVERIFY(fixture.open(test::fixture("captured/torch/healthy_train.pt.trace.json.gz")));
        QVERIFY(fixture.mark(fixture.session().document()->trace().window()));
        QVERIFY(fixture.hasText(QStringLiteral("item_sync.pt.trace.json.gz")));
        for (const char* question :
             {"completion", "operators", "launches", "kernel identity", "allocs, copies", "bytes"})
            QVERIFY2(fixture.row(QString::fromLatin1(question)) != nullptr, question);
        QVERIFY(
            fixture.row(QStringLiteral("bytes"))->accessibleName().endsWith(QStringLiteral("not recorded")));
        QTest::mouseClick(fixture.button(QStringLiteral("Forget the reference")), Qt::LeftButton);
        QVERIFY(fixture.row(QStringLiteral("kernel identity")) == nullptr);
    }

    // What was measured without a profiler stands first, or that nothing was.
    void b23_outsideMeasurementStandsFirst() {
        RangeFixture fixture;
        QVERIFY(fixture.open(test::itemSync()));
        QVERIFY(fixture.mark(fixture.session().document()->trace().window()));
        QTest::mouseClick(fixture.button(QStringLiteral("Set as reference")), Qt::LeftButton);
        QVERIFY(fixture.hasText(QStringLiteral("No outside measurement entered")));
        QVERIFY(fixture.row(QStringLiteral("without profiler")) == nullptr);
        QVERIFY(SessionSettings::of(fixture.session()).setOfTrace("outside_step", "11.4ms", {}));
        QVERIFY(QTest::qWaitFor([&] { return fixture.row(QStringLiteral("without profiler")) != nullptr; },
                                30'000));
        QVERIFY(!fixture.hasText(QStringLiteral("No outside measurement entered")));
        QCOMPARE(fixture.row(QStringLiteral("without profiler"))->accessibleName(),
                 QStringLiteral("without profiler, –, 11.40 ms, not recorded"));
        const auto top = [&](const char* row) {
            return fixture.row(QString::fromLatin1(row))->mapTo(&fixture.inspector(), QPoint()).y();
        };
        QVERIFY(top("without profiler") < top("completion"));
        // E13: nothing communicates here, so no row says so.
        QVERIFY(fixture.row(QStringLiteral("exposed comm.")) == nullptr);
    }

    void c66_compiledCodeIsACommand() {
        RangeFixture fixture;
        QVERIFY(fixture.open(compiled()));
        QVERIFY(fixture.window().commands().run(QStringLiteral("find.compiled")));
        const SearchSession& search = fixture.window().search();
        QVERIFY(
            QTest::qWaitFor([&] { return search.hits() != nullptr && !search.hits()->isEmpty(); }, 30'000));
    }
};

LACUNA_TEST(TstRangeWork, "tst_range_work")

} // namespace tst_range_work

#include "tst_range_work.moc"
