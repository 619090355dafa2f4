// The lane heads of the timeline under the pointer: folding, carrying to another place, pulling to another
// height. What comes of it is told by signals; the plan is changed with undo by their owner.

#include "widgets/timeline/timeline_view.h"

#include <QContextMenuEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lacuna::ui {

namespace {
constexpr double kRowEdgePx = 3.0;  // a row's lower edge is caught this far above it
constexpr double kMarkWidth = 24.0; // triangle and star
constexpr double kGripX = 4.0, kGripDot = 2.0, kGripStep = 4.0;
} // namespace

bool TimelineView::isAtRowEdge(QPointF at) const {
    if (at.x() >= Measures::kHeadWidth || at.y() < Measures::kRulerHeight)
        return false;
    const TimelineRow* row = m_model.rowAt(toLanes(at).y());
    return row != nullptr && row->kind == RowKind::Lane && row->stripCount > 0 &&
           m_model.topOf(*row) + row->height - toLanes(at).y() <= kRowEdgePx;
}

void TimelineView::clickHead(QPointF at) {
    if (at.y() < Measures::kRulerHeight) {
        Q_EMIT timeBaseMenuRequested(viewport()->mapToGlobal(QPoint(0, Measures::kRulerHeight)));
        return;
    }
    const TimelineRow* found = m_model.rowAt(toLanes(at).y());
    if (found == nullptr)
        return;
    const TimelineRow row = *found; // a copy: the layout may be rebuilt
    if (row.kind == RowKind::Note) {
        Q_EMIT noteClicked(row.key);
        return;
    }
    m_model.setCurrentRow(row.key);
    if (row.pinned && at.x() < kMarkWidth)
        Q_EMIT starClicked(row.key);
    else if (row.foldable)
        m_model.toggleFold(row);
}

void TimelineView::dragHead(const DragHead& drag) {
    m_dropY.reset();
    viewport()->update();
    const TimelineRow* row = m_model.rowAt(toLanes(drag.from).y());
    if (row == nullptr || drag.from.y() < Measures::kRulerHeight)
        return;
    const std::string key = row->key;
    const auto y = m_model.contentY(static_cast<int>(std::lround(toLanes(drag.at).y())));
    const DropPlace place = dropPlaceOf(m_model.layout().rows(), key, y);
    if (!place.n)
        return;
    if (!drag.last)
        m_dropY = place.y;
    else
        Q_EMIT rowDropped(key, *place.n);
}

void TimelineView::resizeHead(const ResizeHead& drag) {
    if (!m_planBefore)
        m_planBefore = m_model.lanePlan();
    const LanePlan before = *m_planBefore;
    m_model.setLanePlan(before); // percentages are of the height at the press
    const TimelineRow* row = m_model.rowAt(toLanes(drag.from).y());
    if (row == nullptr || row->kind != RowKind::Lane || row->stripCount == 0) {
        m_planBefore.reset();
        return;
    }
    const auto at = before.percent.find(row->key);
    const int percent = at == before.percent.end() ? 100 : at->second;
    const double factor = (row->height + drag.at.y() - drag.from.y()) / std::max(1, row->height);
    const int next = std::clamp(static_cast<int>(std::lround(percent * factor)), kLeastPercent, kMostPercent);
    const std::string key = row->key;
    if (drag.last) {
        m_planBefore.reset();
        Q_EMIT rowResized(key, next);
        return;
    }
    LanePlan plan = before;
    plan.percent[key] = next;
    m_model.setLanePlan(plan);
}

// Over the base picture: the grip of the head under the pointer, and where a carried one would go.
void TimelineView::paintHeadMarks(QPainter& painter) {
    const ThemePalette& palette = m_renderer.palette();
    const QRect heads(0, lanesRect().top(), Measures::kHeadWidth, lanesRect().height());
    painter.save();
    painter.setClipRect(heads);
    if (m_dropY) {
        const double y = heads.top() + m_model.screenY(*m_dropY);
        crispFill(painter, QRectF(0, std::max<double>(y - 1, heads.top()), heads.width(), 2),
                  palette.ink(Ink::Selection));
    } else if (m_pointer && heads.contains(m_pointer->toPoint())) {
        const TimelineRow* row = m_model.rowAt(toLanes(*m_pointer).y());
        if (row != nullptr && row->kind != RowKind::Note) {
            const double middle = heads.top() + m_model.topOf(*row) + std::min(row->height, 23) / 2.0;
            for (int line = -1; line <= 1; ++line)
                for (int column = 0; column < 2; ++column)
                    crispFill(painter,
                              QRectF(kGripX - 1 + column * kGripStep - 1, middle + line * kGripStep - 1,
                                     kGripDot, kGripDot),
                              palette.ink(Ink::TextSecondary));
        }
    }
    painter.restore();
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
    if (m_model.trace() == nullptr)
        return;
    if (event->reason() == QContextMenuEvent::Keyboard) {
        const TimelineRow* row = m_model.currentRow();
        const int y = row == nullptr ? 0 : std::clamp(m_model.topOf(*row), 0, lanesRect().height());
        Q_EMIT menuRequested(viewport()->mapToGlobal(lanesRect().topLeft() + QPoint(0, y)), false);
        return;
    }
    const QPointF at(viewport()->mapFromGlobal(event->globalPos()));
    if (at.y() < Measures::kRulerHeight)
        return;
    const bool onHeads = at.x() < Measures::kHeadWidth;
    if (!onHeads) {
        const Selection hit = m_model.at(toLanes(at));
        if (std::holds_alternative<EventId>(hit) || std::holds_alternative<GapId>(hit))
            m_model.session().selection().set(hit, Origin::Timeline);
    }
    if (const TimelineRow* row = m_model.rowAt(toLanes(at).y()); row != nullptr && row->kind != RowKind::Note)
        m_model.setCurrentRow(std::string(row->key));
    Q_EMIT menuRequested(event->globalPos(), onHeads);
    event->accept();
}

} // namespace lacuna::ui
