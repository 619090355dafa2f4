// A paragraph of the inspector is as high as a plain label would be, however often it is asked.

#include "tests/support/test_main.h"
#include "widgets/panels/wrapped_label.h"

#include <QFont>

namespace tst_wrapped_label {

using namespace lacuna::ui;

class TstWrappedLabel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void height_isThatOfAPlainLabel_data();
    void height_isThatOfAPlainLabel();
};

void TstWrappedLabel::height_isThatOfAPlainLabel_data() {
    QTest::addColumn<Qt::TextFormat>("format");
    QTest::newRow("plain") << Qt::PlainText;
    QTest::newRow("rich") << Qt::RichText;
}

void TstWrappedLabel::height_isThatOfAPlainLabel() {
    QFETCH(Qt::TextFormat, format);
    WrappedLabel wrapped;
    QLabel plain;
    plain.setWordWrap(true);
    for (QLabel* label : {static_cast<QLabel*>(&wrapped), &plain})
        label->setTextFormat(format);
    const auto compare = [&] {
        for (int round = 0; round < 2; ++round) // known by then
            for (const int width : {40, 90, 91, 200, 320, 352, 1000, 0, 320})
                QCOMPARE(wrapped.heightForWidth(width), plain.heightForWidth(width));
    };
    const auto both = [&](const auto& change) {
        change(wrapped);
        change(plain);
        compare();
    };
    both([](QLabel& label) {
        label.setText(QStringLiteral("The GPU <b>waits</b> for the host. ").repeated(6));
    });
    const int before = wrapped.heightForWidth(320);
    both([](QLabel& label) { label.setText(label.text().repeated(2)); });
    QVERIFY(wrapped.heightForWidth(320) > before);
    both([](QLabel& label) {
        QFont font = label.font();
        font.setPointSizeF(font.pointSizeF() * 2);
        label.setFont(font);
    });
    both([](QLabel& label) { label.setContentsMargins(7, 11, 0, 3); });
    both([](QLabel& label) { label.setStyleSheet(QStringLiteral("font-size: 31px; padding: 5px")); });
    both([](QLabel& label) {
        label.ensurePolished();
        label.setText(QStringLiteral("short"));
    });
}

LACUNA_TEST(TstWrappedLabel, "tst_wrapped_label")

} // namespace tst_wrapped_label

#include "tst_wrapped_label.moc"
