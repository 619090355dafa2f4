#include "widgets/panels/wrapped_label.h"

#include <QEvent>

namespace lacuna::ui {

WrappedLabel::WrappedLabel(QWidget* parent) : QLabel(parent) {
    setWordWrap(true);
}

int WrappedLabel::heightForWidth(int width) const {
    if (m_heightsOf != text()) {
        m_heightsOf = text();
        m_heights = {};
    }
    for (const Height& known : m_heights)
        if (known.width == width)
            return known.height;
    Height& made = m_heights[m_next++ % m_heights.size()];
    made = {width, QLabel::heightForWidth(width)};
    return made.height;
}

QSize WrappedLabel::sizeHint() const {
    return sizePolicy().horizontalPolicy() == QSizePolicy::Ignored ? minimumSizeHint() : QLabel::sizeHint();
}

QSize WrappedLabel::minimumSizeHint() const {
    if (sizePolicy().horizontalPolicy() != QSizePolicy::Ignored)
        return QLabel::minimumSizeHint();
    ensurePolished();
    const QMargins margins = contentsMargins();
    return {margins.left() + margins.right(), fontMetrics().height() + margins.top() + margins.bottom()};
}

bool WrappedLabel::event(QEvent* event) {
    switch (event->type()) {
    case QEvent::Polish:
    case QEvent::FontChange:
    case QEvent::StyleChange:
    case QEvent::ContentsRectChange:
    case QEvent::LayoutDirectionChange:
    case QEvent::ScreenChangeInternal: // another density
        m_heights = {};
        break;
    default:
        break;
    }
    return QLabel::event(event);
}

} // namespace lacuna::ui
