#include "widgets/figure/figure_composition.h"

#include "core/view/build_frame.h"
#include "widgets/figure/figure_notes.h"
#include "widgets/figure/figure_rows.h"
#include "widgets/figure/figure_text.h"
#include "widgets/timeline/annotation_painter.h"
#include "widgets/timeline/head_painter.h"
#include "widgets/timeline/ruler_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

// Vertical measures of mock/figure_export.png, logical pixels.
constexpr double kTitleBaseline = 54, kSubtitleBaseline = 79, kTitlePx = 23, kSubtitlePx = 13.5;
constexpr double kHeadedAxis = 127, kBareAxis = 67, kAxisToLanes = 5, kLanesToLine = 5;
constexpr double kLineToLegend = 18, kLegendToRule = 16, kLegendToNotes = 16, kRuleToText = 24,
                 kTextLine = 19, kBottom = 33;

double lanesTop(const FigureInput& input) {
    const double axis = input.showTitle ? kHeadedAxis : kBareAxis;
    return (input.showAxis ? axis : axis - 40) + kAxisToLanes;
}

double footHeight(const FigureInput& input, double legendHeight, double notesHeight) {
    double height = kLanesToLine + 1;
    if (input.showLegend)
        height += kLineToLegend + legendHeight;
    if (notesHeight > 0)
        height += kLegendToNotes + notesHeight;
    if (input.showProvenance)
        height += kLegendToRule + kRuleToText + kTextLine;
    return height + kBottom;
}

TimelineScene sceneOf(const FigureInput& input, const FigurePlan& plan, const Frame& frame) {
    TimelineScene scene;
    scene.trace = input.trace;
    scene.layout = &plan.layout;
    scene.frame = &frame;
    scene.gaps = input.gaps;
    scene.annotations = input.showCallouts ? input.annotations : nullptr;
    scene.look = &input.look;
    scene.axis = input.axis;
    if (input.gaps != nullptr && input.gap) {
        const Gap& gap = input.gaps->gap(input.gap);
        scene.emphasis.gap = input.gap;
        scene.emphasis.drainedBy = gap.drainedBy;
        scene.emphasis.time = gap.range;
        scene.emphasis.timeIsGap = true;
    }
    return scene;
}

Frame frameOf(const FigureInput& input, const FigurePlan& plan) {
    const int width = std::max(1, static_cast<int>(std::lround(plan.lanes.width() * input.scale)));
    FrameOptions options;
    options.heightPx = static_cast<std::int32_t>(std::lround(plan.lanes.height() * input.scale));
    options.scrollPx = static_cast<std::int32_t>(std::lround(input.scrollPx * input.scale));
    options.scale = input.scale;
    options.gaps = input.gaps;
    return buildFrame(*input.trace, plan.layout, Viewport::fitting(input.range, width), options);
}

FigurePlan planOf(const FigureInput& input, double legendHeight, double notesHeight) {
    FigurePlan plan;
    plan.size = input.size;
    const double margin = Measures::kFigureMargin, left = margin + Measures::kFigureHeadWidth;
    const double width = input.size.width() - margin - left, top = lanesTop(input);
    const double foot = footHeight(input, legendHeight, notesHeight);
    const double room = input.size.height() > 0 ? std::max(1.0, input.size.height() - top - foot) : 0;
    FittedRows rows = fitRows(input, room);
    plan.layout = std::move(rows.layout);
    plan.leftOut = rows.leftOut;
    const double height = rows.height;
    if (room <= 0)
        plan.size.setHeight(static_cast<int>(std::ceil(top + height + foot)));
    plan.axis = QRectF(left, top - kAxisToLanes - 40, width, 40);
    // The lanes are an image: its corner stands on whole device pixels, or it would be resampled.
    const auto snapped = [&input](double v) { return std::round(v * input.scale) / input.scale; };
    plan.lanes = QRectF(snapped(left), snapped(top), snapped(width), std::max(1.0, height));
    plan.line = plan.lanes.bottom() + kLanesToLine;
    plan.legend =
        QRectF(margin, plan.line + 1 + kLineToLegend, input.size.width() - 2 * margin, legendHeight);
    const double legendEnd = input.showLegend ? plan.legend.bottom() : plan.line + 1;
    plan.notes = QRectF(margin, legendEnd + kLegendToNotes, plan.legend.width(), notesHeight);
    if (input.showProvenance)
        plan.rule = plan.size.height() - kBottom - kTextLine - kRuleToText;
    return plan;
}

void paintTitles(QPainter& painter, const FigureInput& input, const FigurePlan& plan,
                 const ThemePalette& palette, const FigureFonts& fonts, const HiddenNames& hidden) {
    const double width = plan.size.width() - 2.0 * Measures::kFigureMargin;
    const TextStyle title = fonts.style(Face::SemiBold, kTitlePx),
                    sub = fonts.style(Face::Regular, kSubtitlePx);
    title.draw(painter, {Measures::kFigureMargin, kTitleBaseline},
               title.elided(figureTitle(input, hidden), width), palette.ink(Ink::Text));
    sub.draw(painter, {Measures::kFigureMargin, kSubtitleBaseline},
             sub.elided(figureSubtitle(input, hidden), width), palette.ink(Ink::TextSecondary));
}

void paintProvenance(QPainter& painter, const FigureInput& input, const FigurePlan& plan,
                     const ThemePalette& palette, const FigureFonts& fonts) {
    const double left = Measures::kFigureMargin, right = plan.size.width() - left;
    crispFill(painter, QRectF(left, plan.rule, right - left, 1), palette.ink(Ink::Border));
    const TextStyle style = fonts.style(Face::Regular, 12.5);
    const QString name = QStringLiteral("Lacuna " LACUNA_VERSION);
    double y = plan.rule + kRuleToText;
    for (const QString& line : provenanceLines(input)) {
        style.draw(painter, {left, y}, style.elided(line, right - left - style.width(name) - 24),
                   palette.ink(Ink::TextSecondary));
        y += kTextLine;
    }
    style.drawRight(painter, {right, y - kTextLine}, name, palette.ink(Ink::Text));
}

// Left of the axis, unless it counts from the trace's start as the provenance does.
void paintAxisTitle(QPainter& painter, const FigureInput& input, const FigurePlan& plan,
                    const ThemePalette& palette, const FigureFonts& fonts) {
    if (input.axis.base == TimeBase::TraceStart)
        return;
    const TextStyle style = fonts.style(Face::Regular, 12);
    const QString title = QString::fromStdString(axisTitle(input.axis));
    style.draw(painter, {Measures::kFigureMargin, plan.axis.bottom() - 15},
               style.elided(title, Measures::kFigureHeadWidth - 12.0), palette.ink(Ink::TextSecondary));
}

// Under the lanes, at the right: what the height had no room for.
void paintLeftOut(QPainter& painter, const FigurePlan& plan, const ThemePalette& palette,
                  const FigureFonts& fonts) {
    const TextStyle style = fonts.style(Face::Regular, 11);
    const QString text = plan.leftOut == 1
                             ? QStringLiteral("1 lane left out for its height")
                             : QStringLiteral("%1 lanes left out for their height").arg(plan.leftOut);
    style.drawRight(painter, {plan.axis.right(), plan.line + 13}, text, palette.ink(Ink::TextSecondary));
}

// The tint of the selected time joins lanes, axis line and lower line.
void paintTintMargins(QPainter& painter, const PaintContext& context, const FigurePlan& plan) {
    const auto [x0, x1] = context.selectedPixels();
    if (x0 >= x1)
        return;
    const double left = plan.lanes.left() + x0 / context.scale(), width = (x1 - x0) / context.scale();
    crispFill(painter, QRectF(left, plan.axis.bottom(), width, plan.lanes.top() - plan.axis.bottom()),
              context.tintedGround());
    crispFill(painter, QRectF(left, plan.lanes.bottom(), width, plan.line - plan.lanes.bottom()),
              context.tintedGround());
}

} // namespace

FigureComposition::FigureComposition(const FigureInput& input, const FigureFonts& fonts)
    : m_input(input), m_fonts(fonts), m_palette(ThemePalette::of(input.theme)),
      m_renderer(m_palette, fonts, {RendererStyle::Rows::Figure, 12, false}), m_hidden(input),
      m_look(m_hidden.look()) {
    // The legend's height depends on what is in view, and what is in view on the legend's height: one line is
    // assumed first.
    if (m_input.annotations != nullptr)
        m_notes = m_hidden.in(*m_input.annotations);
    constexpr double kOneLine = 14, kMinLanes = 100;
    compose(input.showLegend ? kOneLine : 0, 0);
    double legendHeight =
        input.showLegend ? layLegend(nullptr, m_legend, m_plan.legend, m_palette, fonts) : 0;
    if (m_plan.lanes.height() - (legendHeight - kOneLine) < kMinLanes)
        legendHeight = kOneLine; // a small picture: lanes before a complete legend
    m_listed = listedNotes(m_scene, fonts);
    const double notesHeight = layNotes(nullptr, m_listed, m_plan.legend, m_palette, fonts);
    if (legendHeight > kOneLine || notesHeight > 0)
        compose(legendHeight, notesHeight); // less may be in view now; the heights stay
}

void FigureComposition::compose(double legendHeight, double notesHeight) {
    m_plan = planOf(m_input, legendHeight, notesHeight);
    m_frame = frameOf(m_input, m_plan);
    m_scene = sceneOf(m_input, m_plan, m_frame);
    m_scene.look = &m_look;
    if (m_scene.annotations != nullptr)
        m_scene.annotations = &m_notes;
    m_legend = legendOf(m_scene);
    for (EventGroup& group : m_legend.groups)
        group.title = m_hidden.in(QString::fromStdString(group.title)).toStdString();
}

void FigureComposition::paint(QPainter& painter) const {
    if (m_input.showTitle)
        paintTitles(painter, m_input, m_plan, m_palette, m_fonts, m_hidden);
    painter.drawImage(m_plan.lanes.topLeft(), m_renderer.paintLanes(m_scene));
    paintAround(painter);
}

void FigureComposition::draw(QPainter& painter, double overlapPx) const {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF(QPointF(), QSizeF(m_plan.size)), m_palette.color(Ink::Ground));
    if (m_input.showTitle)
        paintTitles(painter, m_input, m_plan, m_palette, m_fonts, m_hidden);
    painter.save();
    painter.translate(m_plan.lanes.topLeft());
    m_renderer.drawLanes(painter, m_scene, overlapPx);
    painter.restore();
    paintAround(painter);
}

void FigureComposition::paintAround(QPainter& painter) const {
    const PaintContext context = m_renderer.contextFor(m_scene);
    paintTintMargins(painter, context, m_plan);
    if (m_input.showAxis) {
        paintFigureAxis(painter, context, m_plan.axis);
        paintAxisTitle(painter, m_input, m_plan, m_palette, m_fonts);
    }
    painter.save();
    painter.translate(Measures::kFigureMargin, m_plan.lanes.top());
    paintFigureHeads(painter, context, Measures::kFigureHeadWidth, Measures::kFigureHeadWidth);
    painter.restore();
    crispFill(
        painter,
        QRectF(Measures::kFigureMargin, m_plan.line, m_plan.size.width() - 2.0 * Measures::kFigureMargin, 1),
        m_palette.ink(Ink::TextSecondary));
    if (m_input.showLegend)
        layLegend(&painter, m_legend, m_plan.legend, m_palette, m_fonts);
    layNotes(&painter, m_listed, m_plan.notes, m_palette, m_fonts);
    if (m_plan.leftOut > 0)
        paintLeftOut(painter, m_plan, m_palette, m_fonts);
    if (m_input.showProvenance)
        paintProvenance(painter, m_input, m_plan, m_palette, m_fonts);
}

} // namespace lacuna::ui
