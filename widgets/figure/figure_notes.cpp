#include "widgets/figure/figure_notes.h"

#include "widgets/timeline/callout_painter.h"
#include "widgets/timeline/callout_text.h"
#include "widgets/timeline/note_ink.h"
#include "widgets/timeline/timeline_renderer.h"

#include <algorithm>

namespace lacuna::ui {

namespace {
constexpr double kPin = 10, kNoteTitlePx = 13.5, kTextPx = 12.5, kTitleLine = 20, kNoteLine = 18,
                 kBetween = 8;
constexpr std::size_t kMostLines = 8; // as a box has
} // namespace

std::vector<Callout> listedNotes(const TimelineScene& scene, const FigureFonts& fonts) {
    std::vector<Callout> notes;
    for (const CalloutPlace& place : calloutPlaces(scene, fonts))
        if (place.edge == 2)
            notes.push_back(*scene.annotations->find(place.id));
    std::ranges::sort(notes, {}, &Callout::number);
    return notes;
}

double layNotes(QPainter* painter, const std::vector<Callout>& notes, const QRectF& area,
                const ThemePalette& palette, const FigureFonts& fonts) {
    const TextStyle title = fonts.style(Face::SemiBold, kNoteTitlePx);
    const double left = area.left() + 2 * kPin + 8, width = area.right() - left;
    double y = area.top();
    for (const Callout& note : notes) {
        const CalloutLines lines(QString::fromStdString(note.text), note.isLive, fonts, kTextPx, width,
                                 kMostLines);
        const double middle = y + kTitleLine / 2;
        if (painter != nullptr)
            paintPin(*painter, {area.left() + kPin, middle}, kPin, note.number, palette, fonts,
                     noteInk(note.colour));
        if (!note.title.empty()) {
            if (painter != nullptr)
                title.draw(*painter, {left, title.baselineCentredOn(middle)},
                           title.elided(QString::fromStdString(note.title), width), palette.ink(Ink::Text));
            y += kTitleLine;
        }
        for (std::size_t line = 0; line < lines.count(); ++line) {
            if (painter != nullptr)
                lines.draw(*painter, line, left, y + kNoteLine / 2, palette.ink(Ink::Text));
            y += kNoteLine;
        }
        y = std::max(y, middle + kTitleLine / 2) + kBetween;
    }
    return std::max(0.0, y - kBetween - area.top());
}

} // namespace lacuna::ui
