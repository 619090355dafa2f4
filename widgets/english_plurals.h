#pragma once
// The English plural forms of the program's own texts. A text that counts is written once, with both forms in
// it: "%1 event(s)", "%1 rank(s) (is|are) not." This picks the form; other languages have theirs in their
// files of translations, where such texts are marked as numerus.

#include <QString>
#include <QTranslator>

class QCoreApplication;

namespace lacuna::ui {

// "(s)" and "(is|are)": for one the first alternative, nothing in the former.
QString englishForm(QString text, int count);

class EnglishPlurals : public QTranslator {
    Q_OBJECT
public:
    using QTranslator::QTranslator;
    QString translate(const char* context, const char* source, const char* disambiguation,
                      int count) const override;
    bool isEmpty() const override { return false; }
};

// For the whole program, before translations: what is installed later is asked first.
void installEnglishPlurals(QCoreApplication& application);

} // namespace lacuna::ui
