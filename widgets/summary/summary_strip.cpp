#include "widgets/summary/summary_strip.h"

#include "core/base/text_format.h"
#include "widgets/notes/note_texts.h"
#include "widgets/terms.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/timeline_renderer.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

#include <algorithm>
#include <array>

namespace lacuna::ui {

namespace {
constexpr int kHeight = 30;
constexpr std::size_t kMaxClasses = 3;
constexpr double kMinClassShare = 0.01;        // of idle
constexpr int kMarkSide = 14, kMarkWidth = 18; // with the space before the words

QPixmap warningMark(const QColor& colour, double ratio) {
    QPixmap picture(QSize(kMarkWidth, kMarkSide) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1.4));
    painter.drawPolygon(QPolygonF({{7, 1.2}, {13.2, 12.4}, {0.8, 12.4}}));
    painter.drawLine(QPointF(7, 5.2), QPointF(7, 8.4));
    painter.drawPoint(QPointF(7, 10.4));
    return picture;
}

} // namespace

SummaryStrip::SummaryStrip(AnalysisSession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_palette(ThemePalette::of(Theme::Light)),
      m_notes(new QPushButton) {
    setObjectName(u"summary"_s);
    setLayoutDirection(Qt::LeftToRight); // figures, whose grouped digits would change places
    setFixedHeight(kHeight);
    m_notes->setObjectName(u"notesButton"_s);
    m_notes->setIconSize(QSize(kMarkWidth, kMarkSide));
    m_notes->setFixedHeight(24);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 0, 12, 1);
    layout->addStretch(1);
    layout->addWidget(m_notes);
    connect(m_notes, &QPushButton::clicked, this, &SummaryStrip::notesRequested);
    for (const auto signal : {&AnalysisSession::documentChanged, &AnalysisSession::previewChanged})
        connect(&session, signal, this, &SummaryStrip::rebuild);
    connect(&session.selection(), &SelectionModel::changed, this, [this] {
        if (m_session.selection().range() != m_range)
            rebuild();
    });
}

void SummaryStrip::setThemePalette(const ThemePalette& palette) {
    m_palette = palette;
    m_notes->setStyleSheet(u"QPushButton { min-height: 0; padding: 1px 10px; }"_s);
    showMark();
    update();
}

void SummaryStrip::setAxis(const TimeAxis& axis) {
    m_axis = axis;
    if (m_range)
        rebuild();
}

void SummaryStrip::rebuild() {
    m_parts.clear();
    m_range = m_session.selection().range();
    const Document* document = m_session.document();
    m_notes->setVisible(document != nullptr);
    if (document == nullptr) {
        if (m_session.isPreview()) // no figure before the whole trace is read
            m_parts.push_back({tr("Loading..."), false, false, false, {}});
        setAccessibleName(plainText());
        update();
        return;
    }
    const NoteCounts counts = NoteCounts::of(document->notes);
    m_notes->setText(badgeText(counts));
    m_notes->setToolTip(countsText(counts));
    m_notes->setAccessibleDescription(tr("Opens the list of what was noticed about this trace"));
    showMark();
    const Steps& steps = document->steps;
    if (m_range) { // what follows is of the range alone, and says so
        m_parts.push_back({tr("Range "), false, false, false, {}});
        m_parts.push_back({text(formatDuration(m_range->length())), true, false, false, {}});
        m_parts.push_back(
            {tr(" from %1").arg(text(timeText(m_range->begin, m_axis))), false, false, false, {}});
        m_parts.push_back({{}, false, false, true, {}});
    } else if (!steps.events.empty()) {
        m_parts.push_back({text(formatDuration({steps.medianNs})), true, false, false, {}});
        m_parts.push_back({tr(" per step, median of %1").arg(steps.events.size()), false, false, false, {}});
        m_parts.push_back({{}, false, false, true, {}});
    }
    addDevices(*document);
    setAccessibleName(plainText());
    update();
}

void SummaryStrip::addDevices(const Document& document) {
    std::int64_t idle = 0, busy = 0, window = 0;
    std::array<std::int64_t, kGapClasses> byClass{};
    std::size_t devices = 0;
    std::int64_t ordinal = 0;
    for (const DeviceBusy& device : document.busy) {
        if (device.ops == 0)
            continue;
        const GapTotals totals =
            m_range ? document.gaps->totals(device.device, *m_range) : document.gaps->totals(device.device);
        ++devices;
        ordinal = document.trace().devices()[device.device.v].ordinal;
        idle += totals.idleNs;
        busy += totals.busyNs;
        window += totals.windowNs;
        for (std::size_t c = 0; c < kGapCauses; ++c)
            byClass[static_cast<std::size_t>(classOf(static_cast<GapCause>(c)))] += totals.partNs[c];
    }
    if (devices == 0) {
        m_parts.push_back({document.trace().report().isPartial() ? tr("no GPU work in what is read")
                                                                 : tr("no GPU work in this trace"),
                           false,
                           false,
                           false,
                           {}});
        return;
    }
    const double share = window == 0 ? 0.0 : static_cast<double>(busy) / static_cast<double>(window);
    m_parts.push_back(
        {devices == 1 ? tr("GPU %1 busy ").arg(ordinal) : tr("%n GPU(s) busy ", nullptr, pluralOf(devices)),
         false,
         false,
         false,
         {}});
    m_parts.push_back({text(formatPercent(share)), true, false, false, {}});
    m_parts.push_back({{}, false, false, true, {}});
    m_parts.push_back({tr("idle "), false, false, false, {}});
    m_parts.push_back({text(formatDuration({idle})), true, true, false, {}});
    m_parts.push_back({devices == 1 ? tr(" of %1").arg(text(formatDuration({window})))
                                    : tr(" of %1 in all").arg(text(formatDuration({window}))),
                       false,
                       false,
                       false,
                       {}});
    // The parts of rule S: they sum to the idle time. Small classes are one sum at the end.
    std::array<std::size_t, kGapClasses> order{};
    for (std::size_t c = 0; c < kGapClasses; ++c)
        order[c] = c;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return byClass[a] > byClass[b]; });
    std::int64_t rest = idle;
    const TimeUnit unit = unitFor({idle}); // one unit, so that the parts compare
    const auto inUnit = [unit](std::int64_t ns) {
        return text(formatIn({ns}, unit, 3)) + u' ' + text(unitName(unit));
    };
    for (std::size_t i = 0; i < kMaxClasses; ++i) {
        const std::int64_t ns = byClass[order[i]];
        if (ns == 0 || static_cast<double>(ns) < kMinClassShare * static_cast<double>(idle))
            break;
        const auto cls = static_cast<GapClass>(order[i]);
        m_parts.push_back({{}, false, false, false, cls});
        m_parts.push_back({term(classTitle(cls)) + u' ', false, false, false, {}});
        m_parts.push_back({inUnit(ns), true, false, false, {}});
        rest -= ns;
    }
    if (rest > 0) {
        m_parts.push_back({tr("   other "), false, false, false, {}});
        m_parts.push_back({inUnit(rest), true, false, false, {}});
    }
}

// Beside the words a triangle where something is missing or wrong.
void SummaryStrip::showMark() {
    const Document* document = m_session.document();
    const NoteCounts counts = document == nullptr ? NoteCounts{} : NoteCounts::of(document->notes);
    m_notes->setIcon(!counts.isSerious()
                         ? QIcon()
                         : QIcon(warningMark(m_palette.color(counts.errors > 0 ? Ink::Gap : Ink::NoteMark),
                                             devicePixelRatioF())));
}

QString SummaryStrip::plainText() const {
    QString line;
    for (const Part& part : m_parts)
        line += part.separator ? u"; "_s : part.swatch ? u", "_s : part.text;
    return line;
}

void SummaryStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setLayoutDirection(layoutDirection());
    painter.fillRect(rect(), m_palette.color(Ink::Ground));
    painter.fillRect(QRect(0, height() - 1, width(), 1), m_palette.color(Ink::Border));
    const double end = (m_notes->isVisible() ? m_notes->x() : width()) - 12;
    double x = 12;
    for (const Part& part : m_parts) {
        if (part.separator) {
            x += 12;
            painter.fillRect(QRectF(x, 8, 1, 14), m_palette.color(Ink::Border));
            x += 13;
            continue;
        }
        if (part.swatch) {
            if (x + 54 > end)
                return;
            x += 18;
            paintGapSwatch(painter, QRectF(x, 8, 24, 14), *part.swatch, m_palette);
            x += 32;
            continue;
        }
        painter.setFont(uiFont(part.strong ? Face::SemiBold : Face::Regular, 12.5));
        const double width = QFontMetricsF(painter.font()).horizontalAdvance(part.text);
        if (x + width > end)
            return;
        painter.setPen(m_palette.color(part.gap ? Ink::Gap : part.strong ? Ink::Text : Ink::TextSecondary));
        painter.drawText(QRectF(x, 0, width + 2, kHeight - 1), Qt::AlignLeft | Qt::AlignVCenter, part.text);
        x += width;
    }
}

} // namespace lacuna::ui
