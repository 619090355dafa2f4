// Nothing is selected: where the GPU is idle, worst first, and all findings. This is what a trace opens with.

#include "core/base/text_format.h"
#include "widgets/panels/finding_cards.h"
#include "widgets/panels/inspector_pages.h"
#include "widgets/panels/limiter_bar.h"
#include "widgets/row_button.h"
#include "widgets/tables/gap_table_model.h"
#include "widgets/terms.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/timeline_renderer.h"

#include <QPainter>

namespace lacuna::ui {

namespace {

constexpr std::size_t kMaxFindings = 5;

// Pin, letter, class and total of a group; a button that selects its worst gap.
class FindingHead final : public RowButton {
public:
    FindingHead(const GapRows::Row& row, GapCause cause, const ThemePalette& palette)
        : RowButton(palette), m_number(static_cast<int>(row.group) + 1), m_cls(classOf(cause)),
          m_fonts(FigureFonts::load()) {
        m_title = term(classTitle(m_cls));
        m_total = ui::text(formatDuration({row.sum.ns}));
        m_count = InspectorPage::tr("%1 gap(s)", nullptr, pluralOf(row.sum.gaps.size()))
                      .arg(ui::text(formatCount(row.sum.gaps.size())));
        setFixedHeight(26);
        setFocusPolicy(Qt::TabFocus);
        setCursor(Qt::PointingHandCursor);
        setAccessibleName(
            InspectorPage::tr("Finding %1: %2, %3 in %4").arg(m_number).arg(m_title, m_total, m_count));
    }
    QSize sizeHint() const override { return {200, 26}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setLayoutDirection(layoutDirection());
        paintPointed(painter, rect());
        paintFocus(painter);
        if (m_number <= static_cast<int>(GapTableModel::kPins)) {
            paintPin(painter, QPointF(9, 13), 9, m_number, m_palette, m_fonts);
        } else {
            painter.setFont(uiFont(Face::Regular, 12.5));
            painter.setPen(m_palette.color(Ink::Text));
            painter.drawText(QRectF(0, 0, 18, 26), Qt::AlignCenter, QString::number(m_number));
        }
        paintLetterBox(painter, QRectF(26, 5, 16, 16), m_cls, m_palette, m_fonts);
        painter.setFont(uiFont(Face::SemiBold, 13));
        painter.setPen(m_palette.color(Ink::Text));
        painter.drawText(QRectF(50, 0, width() - 50, 26), Qt::AlignLeft | Qt::AlignVCenter, m_total);
        const double after = 50 + QFontMetricsF(painter.font()).horizontalAdvance(m_total) + 8;
        painter.setFont(uiFont(Face::Regular, 12));
        painter.drawText(QRectF(after, 0, width() - after, 26), Qt::AlignLeft | Qt::AlignVCenter, m_title);
        painter.setPen(m_palette.color(Ink::TextSecondary));
        painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, m_count);
    }

private:
    int m_number;
    GapClass m_cls;
    QString m_title, m_total, m_count;
    FigureFonts m_fonts;
};

// Launch calls whose operation is not in the file.
std::uint64_t launchesWithoutWork(const Trace& trace) {
    std::uint64_t count = 0;
    const EventTable& events = trace.events();
    for (std::uint32_t e = 0; e < events.size(); ++e) {
        const EventId id{e};
        if (!isHostCall(events.kind[e]) || trace.nameOf(id).find("LaunchKernel") == std::string_view::npos)
            continue;
        const std::uint32_t group = events.correlation[e];
        if (group == 0 || trace.correlations().deviceOps(group).empty())
            ++count;
    }
    return count;
}

QString emptyText(const Document& document) {
    std::int64_t busy = 0, span = 0;
    for (const DeviceBusy& device : document.busy) {
        busy += device.busyNs;
        span += device.span.length().v;
    }
    if (span > 0)
        return InspectorPage::tr("No idle gap of 1 µs or more. GPU busy %1 of this range.")
            .arg(text(formatPercent(static_cast<double>(busy) / static_cast<double>(span))));
    if (document.trace().report().isPartial()) // it may stand in the part that is not there
        return InspectorPage::tr(
            "No GPU work is in the part of the file that was read, so there is no idle time "
            "to explain yet.");
    if (const std::uint64_t launches = launchesWithoutWork(document.trace()); launches > 0)
        return InspectorPage::tr(
                   "Device activity is missing: %1 launches have no kernel. The capture may have ended "
                   "early or lacked permission for GPU tracing.")
            .arg(text(formatCount(launches)));
    return InspectorPage::tr("This trace records no GPU work, so there is no idle time to explain. Record "
                             "CUDA activity to see it.");
}

constexpr std::size_t kMaxBars = 4; // devices

// What limits each device, as one bar and its parts; a part opens the time that it is of.
void addLimiters(InspectorPage& page, const PageContext& context, const Document& document) {
    std::size_t shown = 0;
    for (const DeviceBusy& device : document.busy) {
        if (device.ops == 0 || device.span.isEmpty() || shown == kMaxBars)
            continue;
        ++shown;
        const std::int64_t ordinal = document.trace().devices()[device.device.v].ordinal;
        page.addHeading(InspectorPage::tr("What limits GPU %1").arg(ordinal),
                        InspectorPage::tr("of %1").arg(text(formatDuration(device.span.length()))));
        const DeviceParts parts = devicePartsOf(device);
        page.addWidget(new LimiterBar(parts, context.palette), 2);
        for (std::size_t k = 0; k < kDeviceParts; ++k) {
            const auto part = static_cast<DevicePart>(k);
            if (parts.ns[k] == 0)
                continue;
            page.addRow({inkOfPart(part),
                         term(devicePartName(part)),
                         false,
                         false,
                         false,
                         false,
                         {text(formatDuration({parts.ns[k]})), shareText(parts.tenths[k])},
                         {}},
                        [mark = context.mark, span = device.span] { mark(span, {}); });
        }
    }
}

} // namespace

QWidget* makeFindingsPage(const PageContext& context) {
    auto* page = new InspectorPage(context.palette);
    const Document& document = *context.session.document();
    const auto groups = document.gaps->groups();
    QLabel* title = page->addText(InspectorPage::tr("Where the GPU is idle"), Qt::PlainText, 15);
    title->setFont(uiFont(Face::SemiBold, 15));
    std::size_t shown = 0;
    for (const GapRows::Row& row : document.gapRows->rows) {
        if (shown == kMaxFindings)
            break;
        const GapId worst = row.sum.gaps.front();
        auto* head = new FindingHead(row, groups[row.group].cause, context.palette);
        QObject::connect(head, &QAbstractButton::clicked, page, [go = context.go, worst] { go(worst); });
        page->addWidget(head, shown == 0 ? 6 : 10);
        page->addText(text(document.gaps->explain(document.gaps->gap(worst)).verdict), Qt::PlainText, 12);
        ++shown;
    }
    page->addText(
            shown == 0
                ? emptyText(document)
                : InspectorPage::tr(
                      "Each sentence is about the longest gap of its group. G walks the gaps, worst first."),
            Qt::PlainText, 11.5, true)
        ->setContentsMargins(0, 10, 0, 0);
    addLimiters(*page, context, document);
    if (context.findings != nullptr)
        addFindingCards(*page, context, *context.findings);
    else
        page->addText(InspectorPage::tr("Looking for findings..."), Qt::PlainText, 12, true);
    page->finish();
    return page;
}

} // namespace lacuna::ui
