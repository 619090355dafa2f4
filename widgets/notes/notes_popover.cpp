#include "widgets/notes/notes_popover.h"

#include "core/output/check_output.h"
#include "widgets/notes/notes_body.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace lacuna::ui {

namespace {
constexpr int kPopoverWidth = 580, kLeast = 240;
} // namespace

NotesPopover::NotesPopover(const Document& document, const ThemePalette& palette, int room, QWidget* parent)
    : QFrame(parent, Qt::Popup) {
    setObjectName(u"notesPopover"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setAccessibleName(tr("Notes on this trace"));
    setFixedWidth(kPopoverWidth);
    setStyleSheet(u"#notesPopover, #notesHead, #notesFoot, #notesBody { background: %1; } "
                  "#notesPopover { border: 1px solid %2; } #notesHead { border-bottom: 1px solid %3; } "
                  "#notesFoot { border-top: 1px solid %3; }"_s.arg(palette.color(Ink::Ground).name(),
                                                                   palette.color(Ink::TextSecondary).name(),
                                                                   palette.color(Ink::InnerLine).name()));
    auto* body = new NotesBody(
        document, palette,
        [this](const Issue& note) {
            const Issue shown = note; // the body goes with the popover
            close();
            Q_EMIT placeRequested(shown);
        },
        [this](const ReadAs& how) {
            const ReadAs wanted = how;
            close();
            Q_EMIT readAgainRequested(wanted);
        });
    auto* scroll = new QScrollArea;
    scroll->setObjectName(u"notesScroll"_s);
    scroll->setAccessibleName(tr("Notes"));
    scroll->setWidget(body);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QWidget* head = makeHead(document, palette);
    QWidget* foot = makeFoot();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    layout->addWidget(head);
    layout->addWidget(scroll, 1);
    layout->addWidget(foot);
    const int width = kPopoverWidth - 2;
    const int wanted = head->heightForWidth(width) + foot->sizeHint().height() + body->heightForWidth(width);
    setFixedHeight(std::clamp(wanted + 4, kLeast, std::max(kLeast, room)));
    scroll->setFocus();
}

QWidget* NotesPopover::makeHead(const Document& document, const ThemePalette& palette) const {
    auto* head = new QWidget;
    head->setObjectName(u"notesHead"_s);
    auto* layout = new QVBoxLayout(head);
    layout->setContentsMargins(16, 12, 16, 10);
    layout->setSpacing(3);
    const auto add = [&](const QString& content, Face face, double size, Ink ink) {
        auto* label = new QLabel;
        label->setTextFormat(Qt::PlainText);
        label->setFont(uiFont(face, size));
        label->setText(content);
        label->setWordWrap(true);
        label->setStyleSheet(u"color: %1"_s.arg(palette.color(ink).name()));
        layout->addWidget(label);
        return label;
    };
    add(text(document.trace().facts().fileName), Face::Regular, 12, Ink::TextSecondary);
    add(text(checkVerdict(document.trace(), document.completeness)), Face::SemiBold, 13, Ink::Text)
        ->setObjectName(u"notesVerdict"_s);
    return head;
}

QWidget* NotesPopover::makeFoot() {
    auto* foot = new QWidget;
    foot->setObjectName(u"notesFoot"_s);
    auto* layout = new QHBoxLayout(foot);
    layout->setContentsMargins(16, 8, 16, 8);
    auto* copy = new QPushButton(tr("Copy report"));
    copy->setObjectName(u"notesCopy"_s);
    copy->setAutoDefault(true);
    copy->setAccessibleDescription(tr("Copies what lacuna check prints"));
    connect(copy, &QPushButton::clicked, this, [this, copy] {
        Q_EMIT copyRequested();
        copy->setText(tr("Copied"));
    });
    layout->addStretch(1);
    layout->addWidget(copy);
    return foot;
}

} // namespace lacuna::ui
