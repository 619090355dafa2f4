#include "tests/support/pseudo_translator.h"

#include <QRegularExpression>
#include <QTextDocumentFragment>

namespace lacuna::test {

QString PseudoTranslator::translate(const char* context, const char* source, const char*, int) const {
    const QString where = QString::fromUtf8(context), text = QString::fromUtf8(source);
    // Names of keys and the direction of writing are Qt's own business.
    if (text.isEmpty() || where == QLatin1String("QShortcut") || where == QLatin1String("QGuiApplication"))
        return {};
    m_asked.emplace(where, text);
    const QString longer(qRound(0.4 * static_cast<double>(text.size())), u'~');
    // Filters of file dialogs are read by Qt: text (patterns);;text (patterns).
    if (text.contains(QLatin1String(" (*")))
        return text;
    const bool isRich = Qt::mightBeRichText(text);
    return u'«' + text + (isRich ? QString() : longer) + u'»';
}

QString outsideOfMarks(const QString& text) {
    const QString plain =
        Qt::mightBeRichText(text) ? QTextDocumentFragment::fromHtml(text).toPlainText() : text;
    QString outside;
    int depth = 0;
    for (const QChar c : plain) {
        if (c == u'«') {
            ++depth;
        } else if (c == u'»') {
            if (depth == 0)
                outside.clear(); // its begin was cut off
            else
                --depth;
            outside += u'\n';
        } else if (depth == 0) {
            outside += c;
        }
    }
    return outside;
}

} // namespace lacuna::test
