#include "widgets/plot/memory_plot.h"

#include "core/base/text_format.h"
#include "widgets/plot/plot_axes.h"
#include "widgets/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lacuna::ui {

namespace {

using Anchor = PlotText::Anchor;
constexpr double kRoomRight = 8, kRoomTop = 26, kDot = 3.5;

struct Column { // of one curve
    double most = 0;
    TimeNs at;
    bool isKnown = false;
};

// What holds in each column of time; unknown before the first sample.
std::vector<Column> columnsOf(const CounterTrack& track, TimeRange range, std::size_t count) {
    std::vector<Column> columns(count);
    const auto begin = track.timeNs.begin(), end = track.timeNs.end();
    const auto edge = [&](std::size_t c) {
        return range.begin.v + static_cast<std::int64_t>(static_cast<double>(range.length().v) *
                                                         static_cast<double>(c) / static_cast<double>(count));
    };
    auto next = std::upper_bound(begin, end, range.begin.v);
    for (std::size_t c = 0; c < count; ++c) {
        Column& column = columns[c];
        column.at = {edge(c)};
        if (next != begin) { // what holds at its left edge
            column.isKnown = true;
            column.most = track.value[static_cast<std::size_t>(next - begin) - 1];
        }
        for (; next != end && *next < edge(c + 1); ++next) {
            const double value = track.value[static_cast<std::size_t>(next - begin)];
            if (column.isKnown && value <= column.most)
                continue;
            column = {value, {*next}, true};
        }
    }
    return columns;
}

QString bytesText(double bytes) {
    return text(formatBytes(static_cast<std::uint64_t>(std::max(0.0, bytes))));
}

// "allocated" of "GPU 0 memory allocated".
QString partOf(const CounterTrack& track, const QString& title) {
    const QString name = text(track.name);
    return name.startsWith(title) && name != title ? name.mid(title.size()).trimmed() : name;
}

struct ByteUnit {
    const char* name;
    double bytes;
};
ByteUnit byteUnitFor(double most) {
    constexpr double kKiB = 1024;
    return most >= kKiB * kKiB * kKiB ? ByteUnit{"GiB", kKiB * kKiB * kKiB}
           : most >= kKiB * kKiB      ? ByteUnit{"MiB", kKiB * kKiB}
           : most >= kKiB             ? ByteUnit{"KiB", kKiB}
                                      : ByteUnit{"B", 1};
}

// Steps: a value holds until the next one.
std::vector<std::vector<QPointF>> stepsOf(const std::vector<Column>& columns, double left, double pitch,
                                          const LinearAxis& y, double unit) {
    std::vector<std::vector<QPointF>> lines;
    bool isOpen = false;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (!std::exchange(isOpen, columns[c].isKnown) && columns[c].isKnown)
            lines.emplace_back();
        if (!columns[c].isKnown)
            continue;
        const double x = left + pitch * static_cast<double>(c), at = y.at(columns[c].most / unit);
        lines.back().push_back({x, at});
        lines.back().push_back({x + pitch, at});
    }
    return lines;
}

} // namespace

MemoryPlot memoryPlot(const MemoryPlotInput& input, const ThemePalette& palette, QSize size,
                      const FigureFonts& fonts) {
    MemoryPlot plot;
    ScenePen pen(palette, fonts, size);
    const double foot = size.height() - kPlotBottom, left = kPlotLeft + 12, right = size.width() - kRoomRight;
    const auto count = static_cast<std::size_t>(std::max(2.0, right - left));
    const double pitch = (right - left) / static_cast<double>(count);
    std::vector<std::vector<Column>> curves;
    double most = 1;
    for (const CounterTrack* track : input.tracks) {
        curves.push_back(columnsOf(*track, input.range, count));
        for (const Column& column : curves.back())
            most = std::max(most, column.isKnown ? column.most : 0);
    }
    const ByteUnit unit = byteUnitFor(most);
    const LinearAxis y(0, most / unit.bytes * 1.1, foot, kRoomTop);
    valueAxis(pen, y, 26);
    pen.text({2, kRoomTop - 12}, QString::fromLatin1(unit.name));
    double legend = left;
    for (std::size_t k = curves.size(); k-- > 0;) { // the first on top
        const Ink ink = k == 0 ? Ink::Kernel : Ink::TextSecondary;
        for (auto& line : stepsOf(curves[k], left, pitch, y, unit.bytes))
            pen.line(std::move(line), ink, k == 0 ? 1.5 : 1, k != 0);
    }
    for (std::size_t k = 0; k < curves.size(); ++k) {
        const QString name = partOf(*input.tracks[k], input.title);
        pen.line({{legend, kRoomTop - 15}, {legend + 16, kRoomTop - 15}},
                 k == 0 ? Ink::Kernel : Ink::TextSecondary, k == 0 ? 1.5 : 1, k != 0);
        pen.textAt(legend + 21, kRoomTop - 15, name, Anchor::Left);
        legend += 21 + pen.widthOf(name) + 18;
    }
    const auto& first = curves.front();
    const auto peak = std::max_element(first.begin(), first.end(), [](const Column& a, const Column& b) {
        return (a.isKnown ? a.most : -1) < (b.isKnown ? b.most : -1);
    });
    const double perUnit = nsPerUnit(unitFor({input.range.end.v}));
    timeAxis(pen,
             LinearAxis(static_cast<double>(input.range.begin.v) / perUnit,
                        static_cast<double>(input.range.end.v) / perUnit, left, right),
             text(unitName(unitFor({input.range.end.v}))), foot);
    if (peak->isKnown) {
        const double x = left + pitch * (static_cast<double>(peak - first.begin()) + 0.5);
        const QString label = u"peak %1"_s.arg(bytesText(peak->most));
        pen.dot({x, y.at(peak->most / unit.bytes)}, kDot, Ink::Gap);
        const bool isLeft = x + pen.widthOf(label) + 10 > right;
        pen.textAt(isLeft ? x - 8 : x + 8, y.at(peak->most / unit.bytes) - 8, label,
                   isLeft ? Anchor::Right : Anchor::Left, Ink::Gap);
    }
    for (std::size_t c = 0; c < count; ++c) {
        QStringList parts;
        for (std::size_t k = 0; k < curves.size(); ++k)
            if (curves[k][c].isKnown)
                parts << partOf(*input.tracks[k], input.title) + u' ' + bytesText(curves[k][c].most);
        const double x = left + pitch * static_cast<double>(c);
        plot.at.push_back(first[c].at);
        plot.made.picks.push_back({QRectF(x, kRoomTop, pitch, foot - kRoomTop), c,
                                   text(formatDuration(first[c].at - TimeNs{0})) + u": "_s +
                                       (parts.isEmpty() ? u"not recorded"_s : parts.join(u", "_s))});
    }
    pen.scene.title = u"%1 over time"_s.arg(input.title);
    pen.scene.description =
        peak->isKnown ? u"%1: most in use %2 at %3"_s.arg(input.title, bytesText(peak->most),
                                                          text(formatDuration(peak->at - TimeNs{0})))
                      : u"%1: nothing is known here"_s.arg(input.title);
    plot.made.scene = std::move(pen.scene);
    return plot;
}

} // namespace lacuna::ui
