#include "widgets/plot/step_plots.h"

#include "core/base/text_format.h"
#include "widgets/plot/plot_axes.h"
#include "widgets/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lacuna::ui {

namespace {

using Anchor = PlotText::Anchor;
constexpr double kRight = 6, kInset = 8;

QString duration(double ns) {
    return text(formatDuration({std::llround(ns)}));
}

struct Foot {
    double y, left, right;
};
Foot footOf(QSize size) {
    return {size.height() - kPlotBottom, kPlotLeft + kInset, size.width() - kRight};
}

// A dashed line from top to foot with its name; names that would meet go a line lower.
class MarkLines {
public:
    MarkLines(ScenePen& pen, double foot) : m_pen(pen), m_foot(foot) {}
    void add(double x, const QString& name) {
        const double width = m_pen.widthOf(name);
        const bool isRight = x + width + 8 > m_pen.scene.size.width();
        const double left = isRight ? x - width - 4 : x + 4;
        const double y = left < m_end ? kPlotTop + 16 : kPlotTop + 4;
        if (y == kPlotTop + 4)
            m_end = left + width + 6;
        m_pen.line({{x, kPlotTop - 4}, {x, m_foot}}, Ink::Selection, 1, true);
        m_pen.text({left, y}, name, Ink::Selection);
    }

private:
    ScenePen& m_pen;
    double m_foot, m_end = 0;
};

QString modesSentence(const std::vector<DurationMode>& modes) {
    if (modes.size() < 2)
        return u"one mode"_s;
    QStringList centres;
    for (const DurationMode& mode : modes)
        centres << duration(static_cast<double>(mode.medianNs));
    return u"%1 modes: %2"_s.arg(modes.size()).arg(centres.join(u", "_s));
}

// The bars that are drawn: all, or of each pixel the longest.
std::vector<const StepBar*> drawnBars(const StepCourse& input, double width) {
    std::vector<const StepBar*> drawn;
    const auto columns = static_cast<std::size_t>(std::max(1.0, width));
    if (input.bars.size() <= columns) {
        for (const StepBar& bar : input.bars)
            drawn.push_back(&bar);
        return drawn;
    }
    for (std::size_t c = 0; c < columns; ++c) {
        const std::size_t from = c * input.bars.size() / columns, to = (c + 1) * input.bars.size() / columns;
        const auto longest =
            std::max_element(input.bars.begin() + static_cast<std::ptrdiff_t>(from),
                             input.bars.begin() + static_cast<std::ptrdiff_t>(std::max(to, from + 1)),
                             [](const StepBar& a, const StepBar& b) { return a.ns < b.ns; });
        drawn.push_back(&*longest);
    }
    return drawn;
}

Ink inkOfBar(const StepBar& bar) {
    return bar.isWarmUp ? Ink::Border : bar.isUnusual ? Ink::Gap : Ink::Range;
}

QString tipOfBar(const StepBar& bar) {
    QString tip = u"%1: %2"_s.arg(bar.title, text(formatDuration({bar.ns})));
    if (bar.dataNs > 0)
        tip += u", data %1, both %2"_s.arg(text(formatDuration({bar.dataNs})),
                                           text(formatDuration({bar.ns + bar.dataNs})));
    return tip + (bar.isWarmUp ? u", warm-up"_s : bar.isUnusual ? u", unusual"_s : QString());
}

} // namespace

PickScene stepHistogramScene(const StepHistogram& input, const ThemePalette& palette, QSize size,
                             const FigureFonts& fonts) {
    PickScene made;
    ScenePen pen(palette, fonts, size);
    const Foot foot = footOf(size);
    std::size_t highest = 1, count = 0;
    for (const HistogramBin& bin : input.bins) {
        highest = std::max(highest, bin.count);
        count += bin.count;
    }
    const std::int64_t least = input.bins.front().begin, most = input.bins.back().end;
    const TimeUnit unit = unitFor({most});
    const double perUnit = nsPerUnit(unit);
    const LinearAxis x(static_cast<double>(least) / perUnit, static_cast<double>(most) / perUnit, foot.left,
                       foot.right);
    const LinearAxis y(0, static_cast<double>(highest) * 1.3, foot.y, kPlotTop); // room for names of lines
    countAxis(pen, y, 26);
    for (std::size_t b = 0; b < input.bins.size(); ++b) {
        const HistogramBin& bin = input.bins[b];
        const bool isOnly = input.bins.size() == 1; // all values are equal
        const double from = isOnly ? foot.left : x.at(static_cast<double>(bin.begin) / perUnit);
        const double to = isOnly ? foot.left + 24 : x.at(static_cast<double>(bin.end) / perUnit);
        if (bin.count == 0)
            continue;
        const QRectF bar(QPointF(from + 0.5, y.at(static_cast<double>(bin.count))),
                         QPointF(std::max(to - 0.5, from + 1.5), foot.y));
        pen.rect(bar, input.current == b ? Ink::Selection : Ink::Range);
        made.picks.push_back(
            {QRectF(QPointF(from, kPlotTop), QPointF(to, foot.y)), b,
             u"%1 – %2: %3"_s.arg(text(formatDuration({bin.begin})), text(formatDuration({bin.end})),
                                  QString::number(bin.count))});
    }
    timeAxis(pen, x, text(unitName(unit)), foot.y);
    MarkLines lines(pen, foot.y);
    if (input.modes.size() > 1) {
        for (std::size_t m = 0; m < input.modes.size(); ++m)
            lines.add(x.at(static_cast<double>(input.modes[m].medianNs) / perUnit), u"mode %1"_s.arg(m + 1));
    } else {
        lines.add(x.at(input.median / perUnit), u"median"_s);
        if (input.p95 > input.median)
            lines.add(x.at(input.p95 / perUnit), u"p95"_s);
    }
    pen.scene.title = u"Histogram: %1"_s.arg(input.quantity);
    pen.scene.description = u"%1 values from %2 to %3, median %4, 95th percentile %5, %6"_s.arg(
        QString::number(count), text(formatDuration({least})), text(formatDuration({most})),
        duration(input.median), duration(input.p95), modesSentence(input.modes));
    made.scene = std::move(pen.scene);
    return made;
}

PickScene stepCourseScene(const StepCourse& input, const ThemePalette& palette, QSize size,
                          const FigureFonts& fonts) {
    PickScene made;
    ScenePen pen(palette, fonts, size);
    const Foot foot = footOf(size);
    std::int64_t most = 1;
    for (const StepBar& bar : input.bars)
        most = std::max(most, bar.ns + bar.dataNs);
    const TimeUnit unit = unitFor({most});
    const double perUnit = nsPerUnit(unit);
    const LinearAxis y(0, static_cast<double>(most) / perUnit * 1.08, foot.y, kPlotTop);
    valueAxis(pen, y, 26);
    pen.text({kPlotLeft + 2, kPlotTop - 2}, text(unitName(unit)));
    const double all = static_cast<double>(input.bars.size());
    const double pitch = std::min(64.0, (foot.right - foot.left) / all); // few steps: no slabs
    const auto bars = drawnBars(input, foot.right - foot.left);
    const double drawnPitch = bars.size() == input.bars.size() ? pitch : 1.0;
    const double air = drawnPitch >= 4 ? 1 : 0;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const StepBar& bar = *bars[i];
        const double left = foot.left + drawnPitch * static_cast<double>(i);
        const double right = left + drawnPitch;
        const double top = y.at(static_cast<double>(bar.ns) / perUnit);
        const Ink ink = input.current == bar.step ? Ink::Selection : inkOfBar(bar);
        pen.rect(QRectF(QPointF(left, top), QPointF(right - air, foot.y)), ink);
        if (bar.dataNs > 0)
            pen.rect(QRectF(QPointF(left, y.at(static_cast<double>(bar.ns + bar.dataNs) / perUnit)),
                            QPointF(right - air, top)),
                     Ink::Memcpy);
        made.picks.push_back(
            {QRectF(QPointF(left, kPlotTop), QPointF(right, foot.y)), bar.step, tipOfBar(bar)});
    }
    const double end = foot.left + pitch * all;
    if (input.median > 0) {
        const double at = y.at(input.median / perUnit);
        pen.line({{foot.left, at}, {end, at}}, Ink::Selection, 1, true);
    }
    if (input.drift) {
        const double from = foot.left + pitch * (static_cast<double>(input.firstMeasured) + 0.5);
        pen.line({{from, y.at(input.drift->first / perUnit)},
                  {end - pitch / 2, y.at(input.drift->last / perUnit)}},
                 Ink::Text, 1.5);
    }
    const double number = foot.y + 16;
    pen.text({foot.left, number}, QString::number(input.bars.front().step + 1));
    if (input.bars.size() > 1)
        pen.text({end, number}, QString::number(input.bars.back().step + 1), Ink::TextSecondary,
                 Anchor::Right);
    pen.scene.title = u"%1 by step"_s.arg(input.quantity);
    pen.scene.description = u"%1 steps, the longest %2, median %3%4"_s.arg(
        QString::number(input.bars.size()), text(formatDuration({most})), duration(input.median),
        input.drift ? u", with a drift"_s : QString());
    made.scene = std::move(pen.scene);
    return made;
}

} // namespace lacuna::ui
