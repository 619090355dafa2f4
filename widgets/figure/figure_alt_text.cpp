#include "widgets/figure/figure_alt_text.h"

#include "core/base/text_format.h"
#include "widgets/figure/figure_text.h"
#include "widgets/timeline/callout_text.h"

#include <QStringList>

namespace lacuna::ui {

namespace {

constexpr std::size_t kMostGaps = 3;

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

QString deviceName(const FigureInput& input, DeviceId device) {
    return QStringLiteral("GPU %1").arg(input.trace->devices()[device.v].ordinal);
}

// "In this time GPU 0 is busy 69.1 % (1.724 ms) and idle 0.771 ms." A device without work here says nothing.
void addBusy(const FigureInput& input, QStringList& lines) {
    for (std::uint32_t i = 0; i < input.trace->devices().size(); ++i) {
        const DeviceId device{i};
        const TimeRange window = intersection(input.range, input.gaps->deviceWindow(device));
        if (window.isEmpty())
            continue;
        const GapTotals totals = input.gaps->totals(device, input.range);
        const double share = static_cast<double>(totals.busyNs) / static_cast<double>(input.range.length().v);
        lines << QStringLiteral("In this time %1 is busy %2 (%3) and idle %4.")
                     .arg(deviceName(input, device), qt(formatPercent(share)),
                          qt(formatDuration({totals.busyNs})), qt(formatDuration({totals.idleNs})));
    }
}

void addGap(const FigureInput& input, const HiddenNames& hidden, GapId id, QStringList& lines) {
    const Gap& gap = input.gaps->gap(id);
    const QString verdict = hidden.in(qt(input.gaps->explain(gap).verdict));
    if (lines.contains(verdict))
        return; // it is the subtitle
    lines << QStringLiteral("Idle gap of %1 on %2: %3")
                 .arg(qt(formatDuration(gap.length())), deviceName(input, gap.device), verdict);
}

// The gap that the figure is about, else the worst of those in view.
void addGaps(const FigureInput& input, const HiddenNames& hidden, QStringList& lines) {
    if (input.gap) {
        addGap(input, hidden, input.gap, lines);
        return;
    }
    std::size_t count = 0;
    for (const GapId id : input.gaps->byRank()) {
        if (count == kMostGaps)
            break;
        const Gap& gap = input.gaps->gap(id);
        if (gap.range.begin < input.range.begin || input.range.end < gap.range.end ||
            classOf(gap.cause) == GapClass::Startup)
            continue;
        addGap(input, hidden, id, lines);
        ++count;
    }
}

} // namespace

QString figureTitle(const FigureInput& input) {
    return figureTitle(input, HiddenNames(input));
}

QString figureAltText(const FigureInput& input) {
    const HiddenNames hidden(input);
    QStringList lines;
    const QString subtitle = figureSubtitle(input, hidden);
    lines << figureTitle(input, hidden);
    if (!subtitle.isEmpty())
        lines << subtitle;
    lines << QStringLiteral("Timeline of %1, %2.").arg(shownFileName(input), shownTimeText(input));
    if (input.gaps != nullptr) {
        addBusy(input, lines);
        addGaps(input, hidden, lines);
    }
    const AnnotationSet notes =
        input.showCallouts && input.annotations != nullptr ? hidden.in(*input.annotations) : AnnotationSet();
    if (!notes.isEmpty())
        for (const Callout& callout : notes.callouts()) {
            if (!callout.isNumbered() || !callout.isShown)
                continue;
            const QString said =
                qt(callout.title) +
                (callout.title.empty() || callout.text.empty() ? QString() : QStringLiteral(": ")) +
                (callout.isLive ? qt(callout.text) : plainCalloutText(qt(callout.text))).simplified();
            lines << QStringLiteral("Note %1: %2").arg(callout.number).arg(said);
        }
    return hidden.inOurs(lines.join(QLatin1Char('\n')));
}

} // namespace lacuna::ui
