#include "widgets/summary/notes_popover.h"

#include "core/base/text_format.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace lacuna::ui {

namespace {

constexpr int kWidth = 500, kMaxHeight = 560;

QLabel* label(const QString& content, Face face, double size, QColor colour) {
    auto* made = new QLabel;
    made->setTextFormat(Qt::PlainText);
    made->setFont(uiFont(face, size));
    made->setText(content);
    made->setWordWrap(true);
    made->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    made->setStyleSheet(u"color: %1"_s.arg(colour.name()));
    return made;
}

QString placeText(const IssuePlace& place) {
    if (place.offset)
        return NotesPopover::tr("first at byte %1").arg(text(formatCount(*place.offset)));
    if (!place.table.empty())
        return NotesPopover::tr("first in table %1, row %2").arg(text(place.table)).arg(place.row);
    return {};
}

} // namespace

NotesPopover::NotesPopover(const Document& document, const ThemePalette& palette, QWidget* parent)
    : QFrame(parent, Qt::Popup) {
    setObjectName(u"notesPopover"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setFixedWidth(kWidth);
    setStyleSheet(
        u"#notesPopover { background: %1; border: 1px solid %2; } #notesBody { background: %1; }"_s.arg(
            palette.color(Ink::Ground).name(), palette.color(Ink::TextSecondary).name()));
    const Trace& trace = document.trace();
    const ImportReport& report = trace.report();
    const QColor ink = palette.color(Ink::Text), secondary = palette.color(Ink::TextSecondary);
    auto* body = new QWidget;
    body->setObjectName(u"notesBody"_s);
    auto* grid = new QGridLayout(body);
    grid->setContentsMargins(16, 14, 16, 14);
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(1, 1);
    int row = 0;
    grid->addWidget(label(tr("What was noticed while reading"), Face::SemiBold, 13, ink), row++, 0, 1, 3);
    grid->addWidget(label(text(trace.facts().fileName), Face::Regular, 12, secondary), row++, 0, 1, 3);
    for (const Issue& issue : report.issues()) {
        grid->setRowMinimumHeight(row++, 8);
        auto* count = label(text(formatCount(issue.count)), Face::SemiBold, 13,
                            palette.color(issue.severity == Severity::Error ? Ink::Gap : Ink::NoteMark));
        count->setAlignment(Qt::AlignTop | Qt::AlignRight);
        count->setMinimumWidth(44);
        count->setWordWrap(false);
        grid->addWidget(count, row, 0);
        grid->addWidget(label(text(issue.message), Face::Medium, 12.5, ink), row++, 1, 1, 2);
        QString detail = issue.dropsRows ? tr("rows left out; ") : QString();
        detail += placeText(issue.first);
        if (!detail.isEmpty())
            grid->addWidget(label(detail, Face::Regular, 11.5, secondary), row++, 1, 1, 2);
    }
    grid->setRowMinimumHeight(row++, 12);
    grid->addWidget(label(tr("Account of the rows"), Face::SemiBold, 13, ink), row++, 0, 1, 3);
    const auto line = [&](const QString& what, const QString& value) {
        grid->addWidget(label(what, Face::Regular, 12, secondary), row, 0, 1, 2);
        auto* right = label(value, Face::Regular, 12, ink);
        right->setAlignment(Qt::AlignTop | Qt::AlignRight);
        grid->addWidget(right, row++, 2);
    };
    line(tr("rows read"), text(formatCount(report.rowsRead())));
    line(tr("kept + left out"),
         text(formatCount(report.rowsKept())) + u" + "_s + text(formatCount(report.rowsDropped())));
    line(tr("events in the lanes"), text(formatCount(trace.events().size())));
    if (!trace.facts().writer.empty())
        line(tr("written by"), text(trace.facts().writer));
    grid->setRowStretch(row, 1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(body);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->addWidget(scroll);
    const int wanted = body->heightForWidth(kWidth - 2);
    setFixedHeight(std::min(kMaxHeight, std::max(wanted, body->sizeHint().height()) + 4));
    scroll->setFocus();
}

} // namespace lacuna::ui
