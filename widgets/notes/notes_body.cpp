#include "widgets/notes/notes_body.h"

#include "core/base/text_format.h"
#include "widgets/notes/note_texts.h"
#include "widgets/terms.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>
#include <utility>
#include <vector>

namespace lacuna::ui {

namespace {

constexpr int kPadding = 16, kCountWidth = 52, kLinkHeight = 24;
constexpr double kBodySize = 12.5, kSmallSize = 11.5;

// Of an error the colour of gaps, of a warning that of marks; the word stands below in any case.
Ink inkOfCount(Severity severity) {
    return severity == Severity::Error     ? Ink::Gap
           : severity == Severity::Warning ? Ink::NoteMark
                                           : Ink::TextSecondary;
}

QString detailOf(const Issue& note) {
    QStringList parts{text(note.code), severityText(note.severity)};
    if (note.dropsRows)
        parts << NotesBody::tr("rows left out");
    if (const QString place = placeText(note.first); !place.isEmpty())
        parts << NotesBody::tr("first at %1").arg(place);
    return parts.join(u" · "_s);
}

// The kinds that are no rows of a lane say what they are instead.
QString kindText(EventKind kind) {
    const QString name = term(kindName(kind));
    switch (kind) {
    case EventKind::Counter:
        return NotesBody::tr("%1, drawn as curves").arg(name);
    case EventKind::Flow:
        return NotesBody::tr("%1, drawn as arrows").arg(name);
    case EventKind::Metadata:
        return NotesBody::tr("%1, not drawn").arg(name);
    default:
        return name;
    }
}

} // namespace

NotesBody::NotesBody(const Document& document, const ThemePalette& palette,
                     std::function<void(const Issue&)> showPlace,
                     std::function<void(const ReadAs&)> readAgain)
    : m_palette(palette), m_showPlace(std::move(showPlace)), m_readAgain(std::move(readAgain)),
      m_readAs(readAsOf(document.trace().report())), m_grid(new QGridLayout(this)) {
    setObjectName(u"notesBody"_s);
    setLayoutDirection(Qt::LeftToRight); // figures, whose grouped digits would change places
    m_grid->setContentsMargins(kPadding, 4, kPadding, 12);
    m_grid->setHorizontalSpacing(14);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnMinimumWidth(0, kCountWidth);
    m_grid->setColumnStretch(1, 1);
    for (const Issue& note : document.notes)
        addNote(note);
    addContents(document.completeness.contents);
    addRows(document);
    m_grid->setRowStretch(m_row, 1);
}

QLabel* NotesBody::add(const QString& content, int column, int span, double size, Ink ink) {
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setFont(uiFont(Face::Regular, size));
    label->setText(content);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setStyleSheet(u"color: %1"_s.arg(m_palette.color(ink).name()));
    m_grid->addWidget(label, m_row, column, 1, span);
    return label;
}

void NotesBody::addHeading(const QString& title) {
    m_grid->setRowMinimumHeight(m_row++, 14);
    add(title, 0, 3, kBodySize)->setFont(uiFont(Face::SemiBold, kBodySize));
    ++m_row;
}

void NotesBody::addNote(const Issue& note) {
    m_grid->setRowMinimumHeight(m_row++, 8);
    QLabel* count = add(text(formatCount(note.count)), 0, 1, kBodySize, inkOfCount(note.severity));
    count->setObjectName(u"noteCount"_s);
    count->setFont(uiFont(Face::SemiBold, kBodySize));
    count->setWordWrap(false);
    count->setAlignment(Qt::AlignTop | Qt::AlignRight);
    QLabel* message = add(text(note.message), 1, hasPlace(note) ? 1 : 2, kBodySize);
    message->setObjectName(u"noteMessage"_s);
    message->setFont(uiFont(Face::Medium, kBodySize));
    if (hasPlace(note)) {
        auto* link = new QPushButton(tr("Show in file"));
        link->setObjectName(u"notePlace"_s);
        link->setFlat(true);
        link->setAutoDefault(true); // Enter clicks it, as in a dialog
        link->setMinimumHeight(kLinkHeight);
        link->setAccessibleDescription(text(note.message));
        connect(link, &QPushButton::clicked, this, [this, note] { m_showPlace(note); });
        m_grid->addWidget(link, m_row, 2, 2, 1, Qt::AlignTop | Qt::AlignRight);
    }
    ++m_row;
    add(detailOf(note), 1, 1, kSmallSize, Ink::TextSecondary)->setObjectName(u"noteDetail"_s);
    ++m_row;
    if (const QString remedy = text(remedyOf(note)); !remedy.isEmpty()) {
        add(remedy, 1, 2, kSmallSize)->setObjectName(u"noteRemedy"_s);
        ++m_row;
    }
    addOffer(note);
}

// Where another reading of the file may be the right one, it can be had here, and taken back.
void NotesBody::addOffer(const Issue& note) {
    QString title;
    ReadAs how = m_readAs;
    if (note.code == kDoubtfulTimeUnit || note.code == kTimesReadAsNs) {
        how.timesAreNs = !m_readAs.timesAreNs;
        title = how.timesAreNs ? tr("Read times as ns") : tr("Read times as µs again");
    } else if (note.code == (m_readAs.withoutOverruns ? kOverrunsLeftOut : kOverruns)) {
        how.withoutOverruns = !m_readAs.withoutOverruns;
        title = how.withoutOverruns ? tr("Leave them out of busy and idle") : tr("Take them in again");
    } else {
        return;
    }
    auto* button = new QPushButton(title);
    button->setObjectName(u"noteOffer"_s);
    button->setAutoDefault(true);
    button->setMinimumHeight(kLinkHeight);
    button->setAccessibleDescription(text(note.message));
    connect(button, &QPushButton::clicked, this, [this, how] { m_readAgain(how); });
    m_grid->addWidget(button, m_row, 1, 1, 2, Qt::AlignTop | Qt::AlignLeft);
    ++m_row;
}

void NotesBody::addContents(const CaptureContents& contents) {
    if (!contents.items.empty())
        addHeading(tr("What this capture holds"));
    for (const CaptureItem& item : contents.items) {
        add(term(heldName(item.held)), 0, 1, kBodySize, item.held.value_or(false) ? Ink::Text : Ink::NoteMark)
            ->setAlignment(Qt::AlignTop | Qt::AlignRight);
        add(text(item.title), 1, 2, kBodySize)->setObjectName(u"heldItem"_s);
        ++m_row;
        if (item.held.value_or(false))
            continue;
        add(text(item.howTo), 1, 2, kSmallSize, Ink::TextSecondary)->setFont(uiFont(Face::Mono, kSmallSize));
        ++m_row;
    }
    if (contents.software.empty())
        return;
    addHeading(tr("Software"));
    for (const auto& [name, version] : contents.software) {
        add(version.empty() ? tr("%1: unknown").arg(text(name)) : tr("%1: %2").arg(text(name), text(version)),
            0, 3, kBodySize, version.empty() ? Ink::TextSecondary : Ink::Text);
        ++m_row;
    }
}

void NotesBody::addFigure(const QString& what, std::uint64_t rows) {
    add(what, 0, 2, kBodySize, Ink::TextSecondary)->setObjectName(u"rowsOf"_s);
    QLabel* figure = add(text(formatCount(rows)), 2, 1, kBodySize);
    figure->setObjectName(u"rowsFigure"_s);
    figure->setAlignment(Qt::AlignTop | Qt::AlignRight);
    ++m_row;
}

void NotesBody::addRows(const Document& document) {
    const ImportReport& report = document.trace().report();
    addHeading(tr("Account of the rows"));
    add(tr("%1 read = %2 kept + %3 left out")
            .arg(text(formatCount(report.rowsRead())), text(formatCount(report.rowsKept())),
                 text(formatCount(report.rowsDropped()))),
        0, 3, kBodySize)
        ->setObjectName(u"rowsSum"_s);
    ++m_row;
    std::vector<std::pair<std::uint64_t, EventKind>> kinds; // most rows first
    for (std::size_t k = 0; k < kEventKinds; ++k)
        if (const auto kind = static_cast<EventKind>(k); report.kept(kind) > 0)
            kinds.emplace_back(report.kept(kind), kind);
    std::stable_sort(kinds.begin(), kinds.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [rows, kind] : kinds)
        addFigure(kindText(kind), rows);
    addFigure(tr("events in the lanes"), document.trace().events().size());
}

} // namespace lacuna::ui
