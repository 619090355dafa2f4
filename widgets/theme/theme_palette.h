#pragma once
// Roles -> colours (ux.md section 12). A value type; the one table of colour literals is in
// theme_palette.cpp.

#include "core/analysis/gap_cause.h"
#include "core/trace/trace.h"

#include <QColor>
#include <QPalette>

namespace lacuna::ui {

enum class Theme : std::uint8_t { Light, Dark, Print, HighContrast };

enum class Ink : std::uint8_t {
    // Surfaces and text
    Ground,    // lane background, base of tables and fields
    RowAlt,    // alternate table row
    Window,    // window, lane heads, headers
    Border,    // line around panels
    InnerLine, // line between rows, grid of the ruler
    Text,
    TextSecondary,
    SelectedRow, // table row
    Button,
    NoteMark,
    // Kinds of events; labelOn() gives the text colour on each
    Operator, // operators and Python frames
    Api,
    Wait, // waiting API call
    Kernel,
    Communication,
    Memcpy,
    Memset,
    Range, // steps, annotations, NVTX
    // Marks
    Gap, // frame, hatch, letter
    Selection,
    Annotation,
    Count
};

class ThemePalette {
public:
    static ThemePalette of(Theme theme);
    // Light or dark, from the lightness of window and text (Qt 6.4 has no colour-scheme query).
    static Theme systemTheme(const QPalette& palette);

    Theme theme() const { return m_theme; }
    bool isDark() const { return m_theme == Theme::Dark || m_theme == Theme::HighContrast; }
    QRgb ink(Ink role) const; // opaque
    QColor color(Ink role) const { return QColor::fromRgb(ink(role)); }
    // Text on a fill of that role; #111418 or white. Also for the numbers on pins (role Gap, Annotation).
    QRgb labelOn(Ink fill) const;
    // For widgets: window, base, text, button, highlight, disabled and link colours.
    QPalette widgetPalette() const;

private:
    explicit ThemePalette(Theme theme) : m_theme(theme) {}
    Theme m_theme;
};

// `share` of `top` over `bottom`, per channel, rounded; both opaque.
QRgb mixed(QRgb top, QRgb bottom, double share);
// WCAG 2 contrast ratio, 1 to 21.
double contrastRatio(QRgb a, QRgb b);

// Role of an event: by kind, with communication kernels and waiting calls told apart by name.
Ink inkOf(const Trace& trace, EventId event);
Ink inkOfKind(EventKind kind);
// A host call that waits for the device: its name contains "Synchronize".
bool isWaitingCall(const Trace& trace, EventId event);
// "compute kernel", "waiting call": names of the legend.
QString inkTitle(Ink role);

} // namespace lacuna::ui
