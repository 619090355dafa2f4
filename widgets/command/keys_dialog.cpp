#include "widgets/command/keys_dialog.h"

#include "widgets/command/command_registry.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace lacuna::ui {

namespace {

struct Gesture {
    const char* what;
    const char* how;
};

// What TimelineInput and the arrow keys of the timeline do; everything else is a command.
constexpr std::array kGestures{
    Gesture{"Scroll lanes", "wheel, ↑ ↓, PgUp PgDn"},
    Gesture{"Pan", "Shift+wheel, ← → (Shift: faster)"},
    Gesture{"Zoom at the pointer", "Ctrl+wheel"},
    Gesture{"Whole trace", "Home"},
    Gesture{"Select", "click"},
    Gesture{"Mark a time range", "drag; drag its edges"},
    Gesture{"Pan by hand", "Shift+drag, middle drag, Space+drag"},
    Gesture{"Zoom to a range", "Alt+drag, drag on the ruler"},
    Gesture{"Fit an event or gap", "double click"},
    Gesture{"Fold or unfold", "click on a lane head"},
    Gesture{"Move a callout, edit it", "drag its box, double click"},
    Gesture{"Overview: pan, zoom, jump", "drag the window, its edges, click"},
};

struct Line {
    QString what, how;
};
struct Section {
    QString title;
    std::vector<Line> lines;
};

QString keyText(const QList<QKeySequence>& keys) {
    QStringList all;
    for (const QKeySequence& key : keys)
        all << key.toString(QKeySequence::NativeText);
    return all.join(u",  "_s);
}

std::vector<Section> sectionsOf(const CommandRegistry& commands) {
    std::vector<Section> sections;
    for (const Command& command : commands.commands()) {
        if (command.keys.isEmpty())
            continue;
        auto section = std::find_if(sections.begin(), sections.end(),
                                    [&](const Section& s) { return s.title == command.group; });
        if (section == sections.end())
            section = sections.insert(sections.end(), Section{command.group, {}});
        section->lines.push_back(
            {QString(command.title).remove(u'&').remove(u"..."_s), keyText(command.keys)});
    }
    Section mouse{KeysDialog::tr("Mouse and arrow keys in the timeline"), {}};
    for (const Gesture& gesture : kGestures)
        mouse.lines.push_back({KeysDialog::tr(gesture.what), QString::fromUtf8(gesture.how)});
    sections.push_back(std::move(mouse));
    return sections;
}

QWidget* column(const std::vector<Section>& sections, std::size_t first, std::size_t last) {
    auto* widget = new QWidget;
    auto* grid = new QGridLayout(widget);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(20);
    grid->setVerticalSpacing(3);
    int row = 0;
    for (std::size_t s = first; s < last; ++s) {
        auto* title = new QLabel(sections[s].title);
        title->setFont(uiFont(Face::SemiBold, 12.5));
        title->setContentsMargins(0, row == 0 ? 0 : 10, 0, 2);
        grid->addWidget(title, row++, 0, 1, 2);
        for (const Line& line : sections[s].lines) {
            auto* how = new QLabel(line.how);
            how->setFont(uiFont(Face::Medium, 12));
            grid->addWidget(new QLabel(line.what), row, 0);
            grid->addWidget(how, row++, 1);
        }
    }
    grid->setRowStretch(row, 1);
    grid->setColumnStretch(1, 1);
    return widget;
}

} // namespace

KeysDialog::KeysDialog(const CommandRegistry& commands, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Keys and mouse"));
    const std::vector<Section> sections = sectionsOf(commands);
    std::size_t lines = 0, half = 0, split = 0;
    for (const Section& section : sections)
        lines += section.lines.size() + 2;
    while (split < sections.size() && half < lines / 2)
        half += sections[split++].lines.size() + 2;

    auto* content = new QWidget;
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(20, 16, 20, 16);
    columns->setSpacing(40);
    columns->addWidget(column(sections, 0, split), 1);
    columns->addWidget(column(sections, split, sections.size()), 1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 12);
    layout->addWidget(scroll, 1);
    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(20, 0, 20, 0);
    bottom->addWidget(buttons);
    layout->addLayout(bottom);
    resize(940, 600);
}

} // namespace lacuna::ui
