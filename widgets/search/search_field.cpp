#include "widgets/search/search_field.h"

#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>

namespace lacuna::ui {

namespace {
constexpr int kGlassRoom = 24, kNotePad = 10, kFieldWidth = 500, kPageRows = 10;
} // namespace

SearchField::SearchField(const ThemePalette& palette, QWidget* parent)
    : QLineEdit(parent), m_palette(palette) {
    setObjectName(u"searchField"_s);
    setLayoutDirection(Qt::LeftToRight); // names and signs that begin a command are typed
    setPlaceholderText(tr("Search, or type > for commands, : for a time, @ for a lane"));
    setAccessibleName(tr("Search"));
    setAccessibleDescription(
        tr("Names, cat:kernel, range:name, args:text or key:value. Enter goes to the next hit, "
           "Shift+Enter to the previous one. > lists commands, : goes to a time or step, @ "
           "lists lanes."));
    setFont(uiFont(Face::Regular, 12));
    setTextMargins(kGlassRoom - 6, 0, 0, 0);
}

QSize SearchField::sizeHint() const {
    return {kFieldWidth, 24};
}

void SearchField::setThemePalette(const ThemePalette& palette) {
    m_palette = palette;
    update();
}

void SearchField::setNote(const QString& note, bool isProblem) {
    m_note = note;
    m_isProblem = isProblem;
    const QFontMetricsF metrics(font());
    setTextMargins(kGlassRoom - 6, 0, note.isEmpty() ? 0 : int(metrics.horizontalAdvance(note)) + kNotePad,
                   0);
    update();
}

// These keys are the field's while it has the keyboard, whatever commands they stand for elsewhere.
bool SearchField::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Escape:
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
            event->accept();
            return true;
        default:
            break;
        }
    }
    return QLineEdit::event(event);
}

void SearchField::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        Q_EMIT entered((event->modifiers() & Qt::ShiftModifier) != 0);
        return;
    case Qt::Key_Escape:
        Q_EMIT left();
        return;
    case Qt::Key_Up:
    case Qt::Key_Down:
        Q_EMIT moved(event->key() == Qt::Key_Up ? -1 : 1);
        return;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        Q_EMIT moved(event->key() == Qt::Key_PageUp ? -kPageRows : kPageRows);
        return;
    default:
        QLineEdit::keyPressEvent(event);
    }
}

void SearchField::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    QPainter painter(this);
    painter.setLayoutDirection(layoutDirection());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_palette.color(Ink::TextSecondary), 1.4));
    const QPointF glass(13.5, height() / 2.0 - 1);
    painter.drawEllipse(glass, 4, 4);
    painter.drawLine(glass + QPointF(3, 3), glass + QPointF(6.5, 6.5));
    painter.setFont(font());
    painter.setPen(m_palette.color(m_isProblem ? Ink::Gap : Ink::TextSecondary));
    painter.drawText(QRectF(rect()).adjusted(0, 0, -kNotePad, 0), Qt::AlignRight | Qt::AlignVCenter, m_note);
}

} // namespace lacuna::ui
