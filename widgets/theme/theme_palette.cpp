#include "widgets/theme/theme_palette.h"

#include "core/analysis/device_busy.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace lacuna::ui {

namespace {

constexpr QRgb kWhite = 0xffffffff, kBlackInk = 0xff111418;

struct InkRow {
    Ink role;
    QRgb light, dark, print;
    QRgb labelLight, labelDark, labelPrint;
};

// ux.md section 12 and the mock-ups. Print: light on white, but no fill darker than 70 % (L* 30 at least).
constexpr std::array<InkRow, static_cast<std::size_t>(Ink::Count)> kInks{{
    {Ink::Ground, 0xffffffff, 0xff16191d, 0xffffffff, 0xff1b1f24, 0xffe6e9ed, 0xff1b1f24},
    {Ink::RowAlt, 0xfff8f9fa, 0xff1a1e23, 0xffffffff, 0xff1b1f24, 0xffe6e9ed, 0xff1b1f24},
    {Ink::Window, 0xfff2f3f5, 0xff20242a, 0xffffffff, 0xff1b1f24, 0xffe6e9ed, 0xff1b1f24},
    {Ink::Border, 0xffc9ced5, 0xff3d444d, 0xffc9ced5, 0xff1b1f24, 0xffe6e9ed, 0xff1b1f24},
    {Ink::InnerLine, 0xffe4e7eb, 0xff2b3138, 0xffe4e7eb, 0xff1b1f24, 0xffe6e9ed, 0xff1b1f24},
    {Ink::Text, 0xff1b1f24, 0xffe6e9ed, 0xff1b1f24, kWhite, kBlackInk, kWhite},
    {Ink::TextSecondary, 0xff57606a, 0xffa3acb8, 0xff57606a, kWhite, kBlackInk, kWhite},
    {Ink::SelectedRow, 0xffdce7f9, 0xff3a3729, 0xffdce7f9, 0xff1b1f24, 0xffe6e9ed, 0xff1b1f24},
    {Ink::Button, 0xffffffff, 0xff2a2f36, 0xffffffff, 0xff1b1f24, 0xffe6e9ed, 0xff1b1f24},
    {Ink::NoteMark, 0xff8a5a00, 0xffe5b454, 0xff8a5a00, kWhite, kBlackInk, kWhite},
    {Ink::Operator, 0xff295dac, 0xff6ba4ec, 0xff295dac, kWhite, kBlackInk, kWhite},
    {Ink::Api, 0xff15a2ad, 0xffa5e3e6, 0xff15a2ad, kBlackInk, kBlackInk, kBlackInk},
    {Ink::Wait, 0xffbf7352, 0xfffa8560, 0xffbf7352, kBlackInk, kBlackInk, kBlackInk},
    {Ink::Kernel, 0xff186143, 0xff43d886, 0xff186143, kWhite, kBlackInk, kWhite},
    {Ink::Communication, 0xffee38e0, 0xffdc62c4, 0xffee38e0, kBlackInk, kBlackInk, kBlackInk},
    {Ink::Memcpy, 0xff67440e, 0xfff0a51e, 0xff6c4a14, kWhite, kBlackInk, kWhite},
    {Ink::Memset, 0xff89830e, 0xffeff07a, 0xff89830e, kBlackInk, kBlackInk, kBlackInk},
    {Ink::Range, 0xff353b44, 0xff7c8797, 0xff4b525d, kWhite, kBlackInk, kWhite},
    {Ink::Gap, 0xffb42318, 0xffff9b8a, 0xffb42318, kWhite, kBlackInk, kWhite},
    {Ink::Selection, 0xff0b57d0, 0xffffd866, 0xff0b57d0, kWhite, kBlackInk, kWhite},
    {Ink::Annotation, 0xff6e3fa3, 0xffc8a6f5, 0xff6e3fa3, kWhite, kBlackInk, kWhite},
}};

struct ContrastRow {
    Ink role;
    QRgb fill;
};

// High contrast: on black, every text and every fill 7 : 1 and more from it; labels are black or white, so
// they are as far from their fill. What is not named here is as in the dark theme.
constexpr QRgb kBlack = 0xff000000;
constexpr std::array<ContrastRow, 17> kContrastInks{{
    {Ink::Ground, kBlack},
    {Ink::RowAlt, kBlack},
    {Ink::Window, kBlack},
    {Ink::Border, 0xffc3cbd6},
    {Ink::InnerLine, 0xff5b6570},
    {Ink::Text, kWhite},
    {Ink::TextSecondary, 0xffd5dbe3},
    {Ink::SelectedRow, 0xff3a3729},
    {Ink::Button, kBlack},
    {Ink::Operator, 0xffae8bf9},
    {Ink::Api, 0xff5ff5e1},
    {Ink::Wait, 0xffcaa897},
    {Ink::Kernel, 0xff26d271},
    {Ink::Communication, 0xfff38feb},
    {Ink::Memcpy, 0xffebc810},
    {Ink::Memset, 0xfff0fb81},
    {Ink::Range, 0xffa0aaaf},
}};

constexpr bool inOrder() {
    for (std::size_t i = 0; i < kInks.size(); ++i)
        if (static_cast<std::size_t>(kInks[i].role) != i)
            return false;
    return true;
}
static_assert(inOrder());

double linear(int channel) {
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(QRgb rgb) {
    return 0.2126 * linear(qRed(rgb)) + 0.7152 * linear(qGreen(rgb)) + 0.0722 * linear(qBlue(rgb));
}

} // namespace

ThemePalette ThemePalette::of(Theme theme) {
    return ThemePalette(theme);
}

Theme ThemePalette::systemTheme(const QPalette& palette) {
    const bool dark =
        palette.color(QPalette::Window).lightnessF() < palette.color(QPalette::WindowText).lightnessF();
    return dark ? Theme::Dark : Theme::Light;
}

QRgb ThemePalette::ink(Ink role) const {
    const InkRow& row = kInks[static_cast<std::size_t>(role)];
    if (m_theme == Theme::HighContrast) {
        for (const ContrastRow& contrast : kContrastInks)
            if (contrast.role == role)
                return contrast.fill;
        return row.dark;
    }
    return m_theme == Theme::Light ? row.light : m_theme == Theme::Dark ? row.dark : row.print;
}

QRgb ThemePalette::labelOn(Ink fill) const {
    const InkRow& row = kInks[static_cast<std::size_t>(fill)];
    if (m_theme == Theme::HighContrast)
        return contrastRatio(kBlack, ink(fill)) >= contrastRatio(kWhite, ink(fill)) ? kBlack : kWhite;
    return m_theme == Theme::Light ? row.labelLight : m_theme == Theme::Dark ? row.labelDark : row.labelPrint;
}

QPalette ThemePalette::widgetPalette() const {
    QPalette palette;
    palette.setColor(QPalette::Window, color(Ink::Window));
    palette.setColor(QPalette::WindowText, color(Ink::Text));
    palette.setColor(QPalette::Base, color(Ink::Ground));
    palette.setColor(QPalette::AlternateBase, color(Ink::RowAlt));
    palette.setColor(QPalette::Text, color(Ink::Text));
    palette.setColor(QPalette::PlaceholderText, color(Ink::TextSecondary));
    palette.setColor(QPalette::Button, color(Ink::Button));
    palette.setColor(QPalette::ButtonText, color(Ink::Text));
    palette.setColor(QPalette::BrightText, color(Ink::Gap));
    palette.setColor(QPalette::Highlight, color(Ink::Selection));
    palette.setColor(QPalette::HighlightedText, QColor::fromRgb(labelOn(Ink::Selection)));
    palette.setColor(QPalette::Link, color(Ink::Selection));
    palette.setColor(QPalette::ToolTipBase, color(Ink::Ground));
    palette.setColor(QPalette::ToolTipText, color(Ink::Text));
    palette.setColor(QPalette::Light, color(Ink::Ground));
    palette.setColor(QPalette::Midlight, color(Ink::InnerLine));
    palette.setColor(QPalette::Mid, color(Ink::Border));
    palette.setColor(QPalette::Dark, color(Ink::Border));
    palette.setColor(QPalette::Shadow, color(Ink::Border));
    const QColor disabled = QColor::fromRgb(mixed(ink(Ink::TextSecondary), ink(Ink::Window), 0.6));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, disabled);
    return palette;
}

QRgb mixed(QRgb top, QRgb bottom, double share) {
    // As lround() of a number that is not negative, without the call: a frame mixes some 100,000.
    const auto channel = [share](int a, int b) {
        const double value = b + (a - b) * share;
        const int whole = static_cast<int>(value);
        return whole + (value - whole >= 0.5 ? 1 : 0);
    };
    return qRgb(channel(qRed(top), qRed(bottom)), channel(qGreen(top), qGreen(bottom)),
                channel(qBlue(top), qBlue(bottom)));
}

double contrastRatio(QRgb a, QRgb b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Ink inkOfKind(EventKind kind) {
    switch (kind) {
    case EventKind::RuntimeApi:
    case EventKind::DriverApi:
        return Ink::Api;
    case EventKind::Kernel:
    case EventKind::GraphLaunch:
        return Ink::Kernel;
    case EventKind::Memcpy:
        return Ink::Memcpy;
    case EventKind::Memset:
        return Ink::Memset;
    case EventKind::Sync:
        return Ink::Wait;
    case EventKind::Range:
    case EventKind::GpuRange:
    case EventKind::Async:
    case EventKind::Instant:
        return Ink::Range;
    case EventKind::CpuOp:
    case EventKind::Python:
    case EventKind::Other:
        return Ink::Operator;
    case EventKind::OsRuntime:
    case EventKind::Overhead:
    case EventKind::Counter:
    case EventKind::Metadata:
    case EventKind::Flow:
        return Ink::TextSecondary;
    }
    return Ink::Operator;
}

bool isWaitingCall(const Trace& trace, EventId event) {
    return isHostCall(trace.events().kind[event.v]) &&
           trace.nameOf(event).find("Synchronize") != std::string_view::npos;
}

Ink inkOf(const Trace& trace, EventId event) {
    const EventKind kind = trace.events().kind[event.v];
    if (isHostCall(kind) && isWaitingCall(trace, event))
        return Ink::Wait;
    if (kind == EventKind::Kernel && isCommunicationName(trace.nameOf(event)))
        return Ink::Communication;
    return inkOfKind(kind);
}

QString inkTitle(Ink role) {
    switch (role) {
    case Ink::Operator:
        return QStringLiteral("Python, operator");
    case Ink::Api:
        return QStringLiteral("CUDA API");
    case Ink::Wait:
        return QStringLiteral("waiting call");
    case Ink::Kernel:
        return QStringLiteral("compute kernel");
    case Ink::Communication:
        return QStringLiteral("communication kernel");
    case Ink::Memcpy:
        return QStringLiteral("copy");
    case Ink::Memset:
        return QStringLiteral("memset");
    case Ink::Range:
        return QStringLiteral("step, range");
    case Ink::TextSecondary:
        return QStringLiteral("OS call, overhead");
    case Ink::Annotation:
        return QStringLiteral("note");
    case Ink::Selection:
        return QStringLiteral("selection");
    case Ink::Gap:
        return QStringLiteral("GPU idle");
    case Ink::Ground:
    case Ink::RowAlt:
    case Ink::Window:
    case Ink::Border:
    case Ink::InnerLine:
    case Ink::Text:
    case Ink::SelectedRow:
    case Ink::Button:
    case Ink::NoteMark:
    case Ink::Count:
        break;
    }
    return {};
}

} // namespace lacuna::ui
