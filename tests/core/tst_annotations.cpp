#include "core/document/annotations.h"
#include "tests/support/test_main.h"

#include <random>

namespace tst_annotations {

using namespace lacuna;

class TstAnnotations : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void add_givesIdAndSmallestFreeNumber();
    void anchorTime_ofARange_isItsMiddle();
    void remove_thenInverse_restoresPlaceIdAndNumber();
    void replace_keepsTheNumber_andInverseRestores();
    void editOfUnknownId_changesNothing();
    void ids_areNeverReused();
    void randomEdits_undoneInReverse_restoreEveryState();
};

static Callout note(const char* text) {
    Callout callout;
    callout.laneKey = "lane/gpu_stream/0/7";
    callout.time = {1'000};
    callout.text = text;
    return callout;
}

void TstAnnotations::add_givesIdAndSmallestFreeNumber() {
    AnnotationSet set;
    set.apply(AnnotationEdit::add(note("a")));
    set.apply(AnnotationEdit::add(note("b")));
    set.apply(AnnotationEdit::remove(set.callouts()[0].id));
    set.apply(AnnotationEdit::add(note("c")));
    QCOMPARE(set.callouts().size(), 2u);
    QCOMPARE(set.callouts()[0].number, 2);
    QCOMPARE(set.callouts()[1].number, 1);
    QVERIFY(set.callouts()[0].id != set.callouts()[1].id);
}

void TstAnnotations::anchorTime_ofARange_isItsMiddle() {
    Callout callout = note("a");
    QCOMPARE(callout.anchorTime().v, 1'000);
    callout.end = TimeNs{4'001};
    QCOMPARE(callout.anchorTime().v, 2'500);
}

void TstAnnotations::remove_thenInverse_restoresPlaceIdAndNumber() {
    AnnotationSet set;
    for (const char* text : {"a", "b", "c"})
        set.apply(AnnotationEdit::add(note(text)));
    const AnnotationSet before = set;
    const AnnotationEdit inverse = set.apply(AnnotationEdit::remove(set.callouts()[1].id));
    QCOMPARE(set.callouts().size(), 2u);
    QCOMPARE(set.callouts()[1].text, std::string("c"));
    const AnnotationEdit again = set.apply(inverse);
    QVERIFY(set == before);
    set.apply(again);
    QCOMPARE(set.callouts().size(), 2u);
}

void TstAnnotations::replace_keepsTheNumber_andInverseRestores() {
    AnnotationSet set;
    set.apply(AnnotationEdit::add(note("a")));
    const AnnotationSet before = set;
    Callout changed = set.callouts()[0];
    changed.text = "changed";
    changed.number = 0;
    const AnnotationEdit inverse = set.apply(AnnotationEdit::replace(changed));
    QCOMPARE(set.callouts()[0].text, std::string("changed"));
    QCOMPARE(set.callouts()[0].number, 1);
    set.apply(inverse);
    QVERIFY(set == before);
}

void TstAnnotations::editOfUnknownId_changesNothing() {
    AnnotationSet set;
    set.apply(AnnotationEdit::add(note("a")));
    const AnnotationSet before = set;
    QVERIFY(set.apply(AnnotationEdit::remove(99)).kind == AnnotationEdit::Kind::Nothing);
    Callout stranger = note("b");
    stranger.id = 99;
    QVERIFY(set.apply(AnnotationEdit::replace(stranger)).kind == AnnotationEdit::Kind::Nothing);
    QVERIFY(set == before);
    QVERIFY(set.find(99) == nullptr);
}

void TstAnnotations::ids_areNeverReused() {
    AnnotationSet set;
    set.apply(AnnotationEdit::add(note("a")));
    const std::uint32_t first = set.callouts()[0].id;
    set.apply(AnnotationEdit::remove(first));
    set.apply(AnnotationEdit::add(note("b")));
    QVERIFY(set.callouts()[0].id > first);
}

void TstAnnotations::randomEdits_undoneInReverse_restoreEveryState() {
    for (unsigned seed = 0; seed < 40; ++seed) {
        std::mt19937 random(seed);
        AnnotationSet set;
        std::vector<AnnotationSet> states;
        std::vector<AnnotationEdit> inverses;
        for (int i = 0; i < 60; ++i) {
            states.push_back(set);
            const std::size_t count = set.callouts().size();
            const unsigned what = static_cast<unsigned>(random()) % 3;
            if (what == 0 || count == 0) {
                inverses.push_back(set.apply(AnnotationEdit::add(note("n"))));
                continue;
            }
            Callout callout = set.callouts()[static_cast<std::size_t>(random()) % count];
            callout.time.v = static_cast<std::int64_t>(random());
            inverses.push_back(
                set.apply(what == 1 ? AnnotationEdit::remove(callout.id) : AnnotationEdit::replace(callout)));
        }
        while (!inverses.empty()) {
            set.apply(inverses.back());
            inverses.pop_back();
            QVERIFY2(set == states.back(), qPrintable(QStringLiteral("seed %1").arg(seed)));
            states.pop_back();
        }
    }
}

LACUNA_TEST(TstAnnotations, "tst_annotations")

} // namespace tst_annotations

#include "tst_annotations.moc"
