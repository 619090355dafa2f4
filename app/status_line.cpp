#include "app/status_line.h"

#include "core/base/text_format.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/axis_text.h"
#include "widgets/timeline/timeline_view.h"

#include <QPainter>

#include <cmath>

namespace lacuna::ui {

namespace {
constexpr int kHeight = 24, kMessageMs = 6'000;
constexpr int kMeterMs = 500; // a figure that changes more often cannot be read
} // namespace

StatusLine::StatusLine(TimelineView& timeline, QWidget* parent)
    : QWidget(parent), m_timeline(timeline), m_palette(ThemePalette::of(Theme::Light)) {
    setObjectName(u"statusLine"_s);
    setLayoutDirection(Qt::LeftToRight); // figures, whose grouped digits would change places
    setFixedHeight(kHeight);
    m_messageTimer.setSingleShot(true);
    m_messageTimer.setInterval(kMessageMs);
    connect(&m_messageTimer, &QTimer::timeout, this, [this] {
        m_message.clear();
        update();
    });
    m_meterTimer.setSingleShot(true); // runs only while frames are painted: an idle window does not wake
    m_meterTimer.setInterval(kMeterMs);
    connect(&m_meterTimer, &QTimer::timeout, this, &StatusLine::readMeter);
    connect(&timeline, &TimelineView::framePainted, this, [this] {
        if (m_hasFrameTimes && !m_meterTimer.isActive())
            m_meterTimer.start();
    });
    connect(&timeline, &TimelineView::cursorMoved, this, &StatusLine::refresh);
    connect(&timeline.model(), &TimelineViewModel::viewChanged, this, &StatusLine::refresh);
    connect(&timeline.model(), &TimelineViewModel::arrowsChanged, this, &StatusLine::refresh);
    connect(&timeline.model(), &TimelineViewModel::axisChanged, this, &StatusLine::refresh);
    connect(&timeline.model().session().selection(), &SelectionModel::changed, this, &StatusLine::refresh);
    for (const auto signal : {&AnalysisSession::documentChanged, &AnalysisSession::previewChanged})
        connect(&timeline.model().session(), signal, this, &StatusLine::refresh);
}

void StatusLine::setThemePalette(const ThemePalette& palette) {
    m_palette = palette;
    update();
}

void StatusLine::showMessage(const QString& message) {
    m_message = message;
    m_messageTimer.start();
    refresh();
}

void StatusLine::setFrameTimes(bool shown) {
    m_hasFrameTimes = shown;
    if (!shown)
        m_meterTimer.stop();
    m_frames.reset();
    readMeter();
    refresh();
}

void StatusLine::readMeter() {
    const auto now = m_hasFrameTimes ? m_timeline.meter().facts() : std::nullopt;
    const bool isSame = now.has_value() == m_frames.has_value() &&
                        (!now || (now->frames == m_frames->frames && now->perSecond == m_frames->perSecond));
    if (isSame)
        return;
    m_frames = now;
    setToolTip(!now ? QString()
                    : tr("Last movement: %1 frames; painting one took %2, the longest %3")
                          .arg(QString::number(now->frames), text(formatDuration({now->medianNs})),
                               text(formatDuration({now->longestNs}))));
    update();
}

void StatusLine::refresh() {
    setAccessibleName(parts().join(u", "_s) + (m_message.isEmpty() ? QString() : u". "_s + m_message));
    update();
}

QStringList StatusLine::parts() const {
    QStringList parts;
    TimelineViewModel& model = m_timeline.model();
    const Document* document = model.session().shown();
    if (document == nullptr)
        return parts;
    if (const auto time = m_timeline.cursorTime())
        parts << (model.axis().isWall() ? text(exactTimeText(*time, model.axis()))
                                        : text(timeInUnit(*time, model.axis(), TimeUnit::Ms, 6)) + u" ms"_s +
                                              (model.axis().base == TimeBase::TraceStart
                                                   ? QString()
                                                   : QString(u' ' + axisText(model.axis()))));
    if (const auto selected = model.selectedTime()) { // to the ns, in the unit that a reader would choose
        const TimeUnit unit = unitFor(selected->length());
        const int decimals = unit == TimeUnit::Ns   ? 0
                             : unit == TimeUnit::Us ? 3
                             : unit == TimeUnit::Ms ? 6
                                                    : 9;
        parts << tr("selection %1 %2")
                     .arg(text(formatIn(selected->length(), unit, decimals)), text(unitName(unit)));
    }
    const ImportReport& report = document->trace().report();
    const bool isPreview = model.session().isPreview();
    parts << (isPreview ? tr("%1 event(s) so far", nullptr, pluralOf(document->trace().events().size()))
                              .arg(text(formatCount(document->trace().events().size())))
              : report.rowsDropped() == 0
                  ? tr("%1 event(s), all drawn", nullptr, pluralOf(document->trace().events().size()))
                        .arg(text(formatCount(document->trace().events().size())))
                  : tr("%1 events, %2 row(s) left out", nullptr, pluralOf(report.rowsDropped()))
                        .arg(text(formatCount(document->trace().events().size())),
                             text(formatCount(report.rowsDropped()))));
    parts << tr("ns exact");
    if (!document->steps.events.empty())
        parts << tr("step median %1").arg(text(formatDuration({document->steps.medianNs})));
    parts << tr("view %1 of %2")
                 .arg(text(formatDuration(model.viewport().range().length())),
                      text(formatDuration(model.extent().length())));
    if (model.arrows().scope == ArrowScope::Range && model.isFrameReady() &&
        model.frame().arrows.size() >= kMostArrows)
        parts << tr("the first %1 arrows").arg(kMostArrows);
    if (m_frames)
        parts << tr("%1 fps").arg(std::lround(m_frames->perSecond));
    return parts;
}

QString StatusLine::hint() const {
    const AnalysisSession& session = m_timeline.model().session();
    if (session.isPreview())
        return tr("Gaps, callouts and export come when the whole trace is read");
    return session.document() != nullptr
               ? tr("Esc: drop the selection    G: next gap    N: callout    ?: all keys")
               : tr("Ctrl+O: open    ?: all keys");
}

void StatusLine::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setLayoutDirection(layoutDirection());
    painter.fillRect(rect(), m_palette.color(Ink::Window));
    painter.fillRect(QRect(0, 0, width(), 1), m_palette.color(Ink::Border));
    painter.setFont(uiFont(Face::Regular, 12));
    const QFontMetricsF metrics(painter.font());
    painter.setPen(m_palette.color(m_message.isEmpty() ? Ink::TextSecondary : Ink::Text));
    const QString right = !m_message.isEmpty() ? m_message : hint();
    const double rightWidth = metrics.horizontalAdvance(right);
    painter.drawText(QRectF(width() - 12 - rightWidth, 1, rightWidth + 2, kHeight - 1), Qt::AlignVCenter,
                     right);
    painter.setPen(m_palette.color(Ink::TextSecondary));
    double x = 12;
    const QStringList all = parts();
    for (qsizetype i = 0; i < all.size(); ++i) {
        const double partWidth = metrics.horizontalAdvance(all[i]);
        if (x + partWidth > width() - 24 - rightWidth)
            return;
        painter.drawText(QRectF(x, 1, partWidth + 2, kHeight - 1), Qt::AlignVCenter, all[i]);
        x += partWidth + 12;
        if (i + 1 < all.size())
            painter.fillRect(QRectF(x, 5, 1, kHeight - 9), m_palette.color(Ink::Border));
        x += 13;
    }
}

} // namespace lacuna::ui
