// The English plural forms that stand in the program's own texts.

#include "tests/support/test_main.h"
#include "widgets/english_plurals.h"
#include "widgets/text.h"

#include <QCoreApplication>

namespace tst_english_plurals {

using namespace lacuna::ui;

class TstEnglishPlurals : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void forms_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("one");
        QTest::addColumn<QString>("many");
        QTest::newRow("s") << u"%n event(s)"_s << u"%n event"_s << u"%n events"_s;
        QTest::newRow("es") << u"%1 launch(es)"_s << u"%1 launch"_s << u"%1 launches"_s;
        QTest::newRow("verb") << u"%1 rank(s) (is|are) not."_s << u"%1 rank is not."_s
                              << u"%1 ranks are not."_s;
        QTest::newRow("a word of the trace")
            << u"%n whole %1(s)."_s << u"%n whole %1."_s << u"%n whole %1s."_s;
        QTest::newRow("none") << u"(A) of %1"_s << u"(A) of %1"_s << u"(A) of %1"_s;
    }
    void forms() {
        QFETCH(QString, text);
        QFETCH(QString, one);
        QFETCH(QString, many);
        QCOMPARE(englishForm(text, 1), one);
        QCOMPARE(englishForm(text, 2), many);
        QCOMPARE(englishForm(text, 0), many);
    }
    void throughTheApplication() {
        QCOMPARE(QCoreApplication::translate("Any", "%n event(s)", nullptr, 1), u"1 event"_s);
        QCOMPARE(QCoreApplication::translate("Any", "%n event(s)", nullptr, 7), u"7 events"_s);
        QCOMPARE(QCoreApplication::translate("Any", "note(s) as they are"), u"note(s) as they are"_s);
    }
    void largeCounts() {
        QCOMPARE(pluralOf(0), 0);
        QCOMPARE(pluralOf(999'999), 999'999);
        QCOMPARE(pluralOf(10'000'000'001), 1'000'001); // not one, but ends like it
    }
};

LACUNA_TEST(TstEnglishPlurals, "tst_english_plurals")

} // namespace tst_english_plurals

#include "tst_english_plurals.moc"
