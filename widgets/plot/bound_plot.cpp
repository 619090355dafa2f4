#include "widgets/plot/bound_plot.h"

#include "core/ncu/kernel_diagnosis.h"
#include "widgets/plot/linear_axis.h"
#include "widgets/plot/scene_pen.h"
#include "widgets/text.h"

#include <algorithm>

namespace lacuna::ui {

PlotScene boundScene(const BoundPlot& input, const ThemePalette& palette, QSize size,
                     const FigureFonts& fonts) {
    using Anchor = PlotText::Anchor;
    constexpr double kLeft = 44, kTop = 6, kBottom = 36;
    ScenePen pen(palette, fonts, size);
    const double bottom = size.height() - kBottom, right = size.width() - 8.0;
    const LinearAxis x(0, 100, kLeft, right), y(0, 100, bottom, kTop);
    for (const double share : {0.0, kHighPct, 100.0}) {
        const bool isAxis = share == 0;
        pen.line({{x.at(share), kTop}, {x.at(share), bottom}}, isAxis ? Ink::TextSecondary : Ink::InnerLine);
        pen.line({{kLeft, y.at(share)}, {right, y.at(share)}}, isAxis ? Ink::TextSecondary : Ink::InnerLine);
        pen.text({x.at(share), bottom + 15}, QString::number(share, 'f', 0), Ink::TextSecondary,
                 share == 100 ? Anchor::Right : Anchor::Middle);
        pen.textAt(kLeft - 6, y.at(share) + (share == 100 ? 5 : 0), QString::number(share, 'f', 0),
                   Anchor::Right);
    }
    pen.text({(kLeft + right) / 2, bottom + 30}, u"DRAM, % of peak"_s, Ink::TextSecondary, Anchor::Middle);
    pen.scene.items.emplace_back(PlotText{{12, (kTop + bottom) / 2},
                                          u"SM, % of peak"_s,
                                          Face::Regular,
                                          11.5,
                                          palette.ink(Ink::TextSecondary),
                                          Anchor::Middle,
                                          -90});
    // Names of the fields, in their upper left corners.
    for (const double sm : {0.0, kHighPct})
        for (const double dram : {0.0, kHighPct})
            pen.text({x.at(dram) + 6, y.at(sm + kHighPct) + 15},
                     text(boundName(*boundOf(sm + kHighPct / 2, dram + kHighPct / 2))));
    const auto at = [&](const BoundPoint& point) {
        return QPointF(x.at(std::clamp(point.dramPct, 0.0, 100.0)),
                       y.at(std::clamp(point.smPct, 0.0, 100.0)));
    };
    for (const BoundPoint& point : input.others)
        pen.scene.items.emplace_back(PlotDot{
            at(point), 3, mixed(palette.ink(Ink::Kernel), palette.ink(Ink::Ground), 0.5), true, point.name});
    if (input.here) {
        pen.dot(at(*input.here), 5, Ink::Selection, input.here->name);
        const auto bound = boundOf(input.here->smPct, input.here->dramPct);
        pen.scene.description = u"SM %1 %, DRAM %2 %: %3"_s.arg(input.here->smPct, 0, 'f', 1)
                                    .arg(input.here->dramPct, 0, 'f', 1)
                                    .arg(bound ? text(boundName(*bound)) : QString());
    }
    pen.scene.title = u"What bounds the kernel"_s;
    return std::move(pen.scene);
}

} // namespace lacuna::ui
