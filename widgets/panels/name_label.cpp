#include "widgets/panels/name_label.h"

#include "widgets/text.h"

#include <QMimeData>
#include <QTextDocument>
#include <QTextDocumentFragment>

#include <cmath>

namespace lacuna::ui {

namespace {

constexpr QChar kMayBreak(0x200b); // a blank of no width
constexpr qsizetype kShort = 28;   // characters that fit beside the label of a field

QString breakable(const QString& name) {
    QString shown;
    shown.reserve(name.size() * 2);
    for (qsizetype i = 0; i < name.size(); ++i) {
        const QChar c = name[i];
        shown += c;
        const bool isScope = c == u':' && i > 0 && name[i - 1] == u':';
        if (isScope || u",<(_/"_s.contains(c))
            shown += kMayBreak;
    }
    return shown;
}

} // namespace

NameLabel::NameLabel(const QString& name, const QFont& font, QWidget* parent)
    : QTextEdit(parent), m_name(name) {
    setReadOnly(true);
    setAcceptDrops(false);
    setUndoRedoEnabled(false);
    setTabChangesFocus(true);
    setFocusPolicy(Qt::StrongFocus); // the text is chosen and copied by keys
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    document()->setDocumentMargin(0);
    document()->setDefaultFont(font);
    setPlainText(breakable(name));
    setFixedHeight(static_cast<int>(std::ceil(document()->size().height())) + 2);
}

bool NameLabel::isNeededFor(const QString& name) {
    qsizetype run = 0;
    for (const QChar c : name) {
        run = c.isSpace() ? 0 : run + 1;
        if (run > kShort)
            return true;
    }
    return false;
}

QMimeData* NameLabel::createMimeDataFromSelection() const {
    auto* mime = new QMimeData; // the caller owns it
    QString chosen = textCursor().selection().toPlainText();
    mime->setText(chosen.remove(kMayBreak));
    return mime;
}

void NameLabel::resizeEvent(QResizeEvent* event) {
    QTextEdit::resizeEvent(event);
    const int around = height() - viewport()->height();
    setFixedHeight(static_cast<int>(std::ceil(document()->size().height())) + around);
}

} // namespace lacuna::ui
