#include "widgets/theme/style_sheet.h"

#include "widgets/text.h"

namespace lacuna::ui {

namespace {

// %window and so on are replaced by the theme's colours.
constexpr const char* kSheet = R"(
QMenuBar { background: %window; border: 0; padding: 2px 6px; }
QMenuBar::item { padding: 5px 10px; background: transparent; border-radius: 3px; color: %text; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: %hover; }
QMenu { background: %ground; border: 1px solid %border; padding: 4px 0; color: %text; }
QMenu::item { padding: 5px 28px 5px 26px; }
QMenu::item:selected { background: %row; }
QMenu::item:disabled { color: %faint; }
QMenu::separator { height: 1px; background: %inner; margin: 4px 0; }
QToolTip { background: %ground; color: %text; border: 1px solid %border; padding: 4px 6px; }
QPushButton { background: %button; border: 1px solid %border; border-radius: 3px; padding: 4px 14px; min-height: 16px; color: %text; }
QPushButton:hover { background: %hover; }
QPushButton:pressed { background: %row; }
QPushButton:disabled { color: %faint; }
QPushButton:focus, QPushButton:default { border: 1px solid %selection; }
QPushButton[flat="true"] { background: transparent; border: 1px solid transparent; color: %selection; padding: 2px 4px; min-height: 18px; }
QPushButton::menu-indicator { subcontrol-origin: padding; subcontrol-position: center right; width: 16px; height: 16px; right: 5px; }
QPushButton[flat="true"]:hover { text-decoration: underline; }
QPushButton[flat="true"]:focus { border: 1px solid %selection; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 3px; color: %text; padding: 1px 5px; }
QToolButton:hover { background: %hover; }
QToolButton#morePanels { padding-right: 20px; }
QToolButton::menu-indicator { subcontrol-origin: padding; subcontrol-position: center right; width: 16px; height: 16px; right: 2px; }
QToolButton:focus { border: 1px solid %selection; }
QToolButton:disabled { color: %faint; }
QLineEdit, QPlainTextEdit { background: %ground; border: 1px solid %border; border-radius: 3px; padding: 2px 6px; min-height: 18px; color: %text; selection-background-color: %selection; selection-color: %ground; }
QLineEdit:focus, QPlainTextEdit:focus { border: 1px solid %selection; }
lacuna--ui--NameLabel { background: transparent; border: 1px solid transparent; padding: 0; color: %text; selection-background-color: %selection; selection-color: %ground; }
lacuna--ui--NameLabel:focus { border: 1px solid %selection; }
QHeaderView { background: %window; border: 0; }
QHeaderView::section { background: %window; color: %secondary; border: 0; border-right: 1px solid %inner; border-bottom: 1px solid %inner; padding: 0 8px; }
QTabBar { background: %window; }
QTabBar::tab { background: transparent; color: %secondary; padding: 0 14px; height: 27px; border: 0; border-right: 1px solid transparent; border-left: 1px solid transparent; }
QTabBar::tab:selected { background: %ground; color: %text; border-top: 2px solid %selection; border-right: 1px solid %border; border-left: 1px solid %border; }
QTabBar::tab:focus { color: %selection; }
QTabWidget::pane { border: 0; }
QTreeView, QTableView { background: %ground; border: 0; color: %text; outline: 0; selection-background-color: %row; selection-color: %text; }
QTreeWidget::item { min-height: 22px; padding: 0 6px; border: 0; }
QTreeWidget::item:selected { background: %row; color: %text; }
QTreeView:focus, QTableView:focus { border: 1px solid %selection; }
QScrollArea { background: %ground; border: 0; }
QSplitter::handle { background: %border; }
QSplitter::handle:hover { background: %selection; }
QStatusBar { background: %window; border-top: 1px solid %border; color: %secondary; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QStatusBar::item { border: 0; }
QScrollBar:vertical { background: %window; width: 12px; margin: 0; border: 0; }
QScrollBar:horizontal { background: %window; height: 12px; margin: 0; border: 0; }
QScrollBar::handle { background: %scroll; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: %secondary; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSlider { min-height: 24px; }
QSlider::groove:horizontal { height: 2px; background: %border; }
QSlider::sub-page:horizontal { background: %selection; }
QSlider::handle:horizontal { width: 8px; height: 8px; margin: -4px 0; border-radius: 5px; background: %ground; border: 1px solid %selection; }
QSlider::handle:horizontal:focus { background: %selection; }
)";

QString hex(QRgb colour) {
    return QColor::fromRgb(colour).name();
}

} // namespace

QString styleSheet(const ThemePalette& palette) {
    const QRgb window = palette.ink(Ink::Window), shade = palette.ink(Ink::Text);
    QString sheet = QString::fromLatin1(kSheet);
    const std::pair<QString, QRgb> colours[] = {
        {u"%window"_s, window},
        {u"%ground"_s, palette.ink(Ink::Ground)},
        {u"%border"_s, palette.ink(Ink::Border)},
        {u"%inner"_s, palette.ink(Ink::InnerLine)},
        {u"%text"_s, palette.ink(Ink::Text)},
        {u"%secondary"_s, palette.ink(Ink::TextSecondary)},
        {u"%selection"_s, palette.ink(Ink::Selection)},
        {u"%row"_s, palette.ink(Ink::SelectedRow)},
        {u"%button"_s, palette.ink(Ink::Button)},
        {u"%hover"_s, mixed(shade, window, 0.08)},
        {u"%faint"_s, mixed(shade, window, 0.40)},
        {u"%scroll"_s, mixed(shade, window, 0.25)},
    };
    for (const auto& [name, colour] : colours)
        sheet.replace(name, hex(colour));
    return sheet;
}

} // namespace lacuna::ui
