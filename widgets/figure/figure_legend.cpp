#include "widgets/figure/figure_legend.h"

#include "core/analysis/launch_density.h"
#include "widgets/theme/group_colours.h"
#include "widgets/timeline/arrow_painter.h"
#include "widgets/timeline/builtin_painters.h"
#include "widgets/timeline/gap_painter.h"
#include "widgets/timeline/note_ink.h"
#include "widgets/timeline/timeline_renderer.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

namespace lacuna::ui {

namespace {

constexpr std::size_t kMostGroups = 12;
constexpr double kMostGroupWidth = 220;
constexpr double kSwatchW = 16, kSwatchH = 14, kGapSwatchW = 24, kTextGap = 7, kEntryGap = 25,
                 kLineHeight = 26;

struct Entry {
    QString text;
    double swatchWidth = kSwatchW;
    std::function<void(QPainter&, const QRectF&)> paint;
};

std::vector<Entry> entriesOf(const Legend& legend, const ThemePalette& palette, const TextStyle& style) {
    std::vector<Entry> entries;
    for (const Ink kind : legend.kinds)
        entries.push_back({inkTitle(kind), kSwatchW, [kind, &palette](QPainter& p, const QRectF& r) {
                               paintKindSwatch(p, r, kind, palette);
                           }});
    for (const EventGroup& group : legend.groups)
        entries.push_back({style.elided(QString::fromStdString(group.title), kMostGroupWidth), kSwatchW,
                           [colour = groupColour(group, palette.theme())](QPainter& p, const QRectF& r) {
                               p.fillRect(r, QColor::fromRgb(colour));
                           }});
    if (legend.moreGroups > 0)
        entries.push_back(
            {QStringLiteral("%1 more").arg(legend.moreGroups), 0, [](QPainter&, const QRectF&) {}});
    if (legend.launchRate)
        entries.push_back(
            {QStringLiteral("launches per ms, strong above %1").arg(kDenseLaunches), kSwatchW,
             [&palette](QPainter& p, const QRectF& r) {
                 const double half = r.width() / 2;
                 p.fillRect(QRectF(r.left(), r.top(), half, r.height()), palette.color(Ink::Api));
                 p.fillRect(
                     QRectF(r.left() + half, r.top() + r.height() * 2 / 3, half, r.height() / 3),
                     QColor::fromRgb(mixed(palette.ink(Ink::Api), palette.ink(Ink::Ground), kThinRate)));
             }});
    for (const GapClass cls : legend.classes) {
        const std::string_view title = classTitle(cls);
        entries.push_back({QStringLiteral("GPU idle: %1 %2")
                               .arg(QString(QLatin1Char(classLetter(cls))),
                                    QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()))),
                           kGapSwatchW, [cls, &palette](QPainter& p, const QRectF& r) {
                               paintGapSwatch(p, r, cls, palette);
                           }});
    }
    const auto line = [&](const QString& text, ArrowStyle arrow) {
        entries.push_back({text, kGapSwatchW, [arrow, &palette](QPainter& p, const QRectF& r) {
                               p.setRenderHint(QPainter::Antialiasing, true);
                               paintArrowSample(p, r, arrow, palette);
                           }});
    };
    if (legend.ownershipArrows)
        line(QStringLiteral("launch %1 kernel").arg(QChar(0x2192)), ArrowStyle::Ownership);
    if (legend.dependencyArrows)
        line(QStringLiteral("dependency"), ArrowStyle::Dependency);
    if (!legend.notes.empty())
        entries.push_back({inkTitle(Ink::Annotation), kSwatchH * static_cast<double>(legend.notes.size()),
                           [notes = legend.notes, &palette](QPainter& p, const QRectF& r) {
                               p.setRenderHint(QPainter::Antialiasing, true);
                               p.setPen(Qt::NoPen);
                               QPointF centre(r.left() + kSwatchH / 2, r.center().y());
                               for (const Ink ink : notes) {
                                   p.setBrush(palette.color(ink));
                                   p.drawEllipse(centre, kSwatchH / 2, kSwatchH / 2);
                                   centre.rx() += kSwatchH;
                               }
                           }});
    return entries;
}

// Groups of what is in view, by the number of bars; equal ones by title.
void addGroups(const std::map<std::uint32_t, int>& bars, const EventGroups& groups, Legend& legend) {
    std::vector<std::pair<int, std::uint32_t>> order;
    order.reserve(bars.size());
    for (const auto& [number, count] : bars)
        order.emplace_back(-count, number);
    std::sort(order.begin(), order.end(), [&groups](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first
                                  : groups.group(a.second).title < groups.group(b.second).title;
    });
    for (const auto& [count, number] : order)
        if (legend.groups.size() < kMostGroups)
            legend.groups.push_back(groups.group(number));
        else
            ++legend.moreGroups;
}

} // namespace

Legend legendOf(const TimelineScene& scene) {
    const ColourBy by = scene.look == nullptr ? ColourBy::Kind : scene.look->colourBy;
    EventGroups groups(*scene.trace, by);
    std::map<std::uint32_t, int> bars;
    const auto roleOf = [&scene](EventId event) {
        return event == scene.emphasis.drainedBy ? Ink::Wait : inkOf(*scene.trace, event);
    };
    std::array<bool, static_cast<std::size_t>(Ink::Count)> seen{};
    for (const LaneFrame& lane : scene.frame->lanes)
        for (const Bar& bar : lane.bars) {
            const int y = lane.stripY(bar.strip);
            if (y >= scene.frame->heightPx || y + lane.heightOf(bar.strip) <= 0)
                continue;
            const auto mark = [&](EventId event) {
                if (by == ColourBy::Kind)
                    seen[static_cast<std::size_t>(roleOf(event))] = true;
                else
                    ++bars[groups.groupOf(event)];
            };
            mark(bar.count > 1 ? bar.longest : bar.first);
            for (std::uint32_t k = bar.firstPart; k < bar.firstPart + bar.partCount; ++k)
                mark(lane.parts[k].event);
        }
    Legend legend;
    legend.launchRate = std::ranges::any_of(scene.frame->lanes, [&scene](const LaneFrame& lane) {
        const int top = lane.y + lane.rateTop;
        return lane.rateHeight > 0 && top < scene.frame->heightPx && top + lane.rateHeight > 0;
    });
    addGroups(bars, groups, legend);
    for (const Ink kind : {Ink::Range, Ink::Operator, Ink::Api, Ink::Wait, Ink::Kernel, Ink::Communication,
                           Ink::Memcpy, Ink::Memset, Ink::TextSecondary})
        if (seen[static_cast<std::size_t>(kind)])
            legend.kinds.push_back(kind);
    for (const GapMark& mark : scene.frame->gaps)
        if (mark.cls != GapClass::Edge && showsHatch(mark, scene.frame->scale))
            legend.classes.push_back(mark.cls);
    std::sort(legend.classes.begin(), legend.classes.end());
    legend.classes.erase(std::unique(legend.classes.begin(), legend.classes.end()), legend.classes.end());
    if (scene.annotations != nullptr)
        for (const Callout& note : scene.annotations->callouts())
            if (const Ink ink = noteInk(note.colour);
                std::ranges::find(legend.notes, ink) == legend.notes.end())
                legend.notes.push_back(ink);
    for (const Arrow& arrow : scene.frame->arrows)
        (arrow.style == ArrowStyle::Ownership ? legend.ownershipArrows : legend.dependencyArrows) = true;
    return legend;
}

double layLegend(QPainter* painter, const Legend& legend, QRectF area, const ThemePalette& palette,
                 const FigureFonts& fonts) {
    const TextStyle style = fonts.style(Face::Regular, 12.5);
    double x = area.left(), y = area.top();
    for (const Entry& entry : entriesOf(legend, palette, style)) {
        const double width = entry.swatchWidth + kTextGap + style.width(entry.text);
        if (x > area.left() && x + width > area.right()) {
            if (painter != nullptr && y + kLineHeight + kSwatchH > area.bottom() + 1)
                break; // the caller gave less room than asked for
            x = area.left();
            y += kLineHeight;
        }
        if (painter != nullptr) {
            entry.paint(*painter, QRectF(x, y, entry.swatchWidth, kSwatchH));
            style.draw(*painter,
                       {x + entry.swatchWidth + kTextGap, style.baselineCentredOn(y + kSwatchH / 2)},
                       entry.text, palette.ink(Ink::Text));
        }
        x += width + kEntryGap;
    }
    return y + kSwatchH - area.top();
}

} // namespace lacuna::ui
