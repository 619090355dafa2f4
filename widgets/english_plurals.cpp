#include "widgets/english_plurals.h"

#include "widgets/text.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace lacuna::ui {

QString englishForm(QString text, int count) {
    static const QRegularExpression kForms(u"\\((?:([a-z]+)\\|)?([a-z]+)\\)"_s);
    qsizetype from = 0;
    for (auto form = kForms.match(text); form.hasMatch(); form = kForms.match(text, from)) {
        const QString chosen = form.captured(count == 1 ? 1 : 2); // the first is missing in "(s)"
        from = form.capturedStart() + chosen.size();
        text.replace(form.capturedStart(), form.capturedLength(), chosen);
    }
    return text;
}

QString EnglishPlurals::translate(const char*, const char* source, const char*, int count) const {
    return count < 0 ? QString() : englishForm(QString::fromUtf8(source), count);
}

void installEnglishPlurals(QCoreApplication& application) {
    QCoreApplication::installTranslator(new EnglishPlurals(&application)); // owned by the application
}

} // namespace lacuna::ui
