#include "widgets/notes/place_dialog.h"

#include "core/base/text_format.h"
#include "core/cache/index_cache.h"
#include "widgets/notes/note_texts.h"
#include "widgets/notes/place_view.h"
#include "widgets/plain_tip.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTextBlock>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace lacuna::ui {

namespace {

constexpr int kColumnWidth = 180;
constexpr QSize kDialogSize(760, 520);
constexpr double kMarkShare = 0.30; // of the mark's colour over the ground

// At the beginning of a title or sentence.
QString placeTitle(const IssuePlace& place) {
    QString title = placeText(place);
    return title.isEmpty() ? title : QString(title.at(0).toUpper() + title.mid(1));
}

QLabel* paragraph(const char* name, Face face, double size) {
    auto* label = new QLabel;
    label->setObjectName(QString::fromLatin1(name));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setFont(uiFont(face, size));
    return label;
}

} // namespace

PlaceDialog::PlaceDialog(const AnalysisSession& session, const Issue& note, const ThemePalette& palette,
                         QWidget* parent)
    : QDialog(parent), m_note(note), m_palette(palette), m_where(paragraph("placeWhere", Face::Regular, 12)),
      m_state(paragraph("placeState", Face::Regular, 12.5)),
      m_event(paragraph("placeEvent", Face::Regular, 12)), m_pages(new QStackedWidget),
      m_bytes(new QPlainTextEdit), m_row(new QTreeWidget), m_copy(nullptr) {
    setObjectName(u"placeDialog"_s);
    setWindowTitle(tr("%1 of %2").arg(placeTitle(note.first), displayName(session.document()->path)));
    QLabel* message = paragraph("placeMessage", Face::SemiBold, 12.5);
    message->setText(text(note.message));
    const QString secondary = u"color: %1"_s.arg(palette.color(Ink::TextSecondary).name());
    for (QLabel* label : {m_where, m_event})
        label->setStyleSheet(secondary);
    m_where->setText(placeTitle(note.first));
    m_bytes->setObjectName(u"placeBytes"_s);
    m_bytes->setAccessibleName(tr("Text of the file around the place"));
    m_bytes->setReadOnly(true);
    m_bytes->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_bytes->setTabChangesFocus(true);
    m_bytes->setFont(uiFont(Face::Mono, 12));
    m_bytes->setWordWrapMode(QTextOption::WrapAnywhere);
    m_row->setObjectName(u"placeRow"_s);
    m_row->setAccessibleName(tr("Columns of the row"));
    m_row->setHeaderLabels({tr("Column"), tr("Value")});
    m_row->setRootIsDecorated(false);
    m_row->header()->resizeSection(0, kColumnWidth);
    m_row->setTextElideMode(Qt::ElideMiddle);
    m_state->setText(tr("Reading the file..."));
    m_state->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    for (QWidget* page :
         {static_cast<QWidget*>(m_state), static_cast<QWidget*>(m_bytes), static_cast<QWidget*>(m_row)})
        m_pages->addWidget(page);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_copy = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
    m_copy->setObjectName(u"placeCopy"_s);
    m_copy->setEnabled(false);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_copied); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(8);
    for (QWidget* part : {static_cast<QWidget*>(message), static_cast<QWidget*>(m_where)})
        layout->addWidget(part);
    layout->addWidget(m_pages, 1);
    layout->addWidget(m_event);
    layout->addWidget(buttons);
    buttons->button(QDialogButtonBox::Close)->setDefault(true); // only now it belongs to this dialog
    resize(kDialogSize);
    connect(&session, &AnalysisSession::documentChanged, this, &QDialog::reject);
    read(*session.document());
}

void PlaceDialog::read(const Document& document) {
    LoadOptions options;
    options.member = document.member.toStdString();
    options.cacheFolder = defaultCacheFolder();
    const auto work = [file = document.path.toStdString(), place = m_note.first, options,
                       trace = document.loaded.trace](JobControl& job) -> Result<Found> {
        auto text = readPlace(file, place, job, options);
        if (!text)
            return text.error();
        Found found{std::move(*text), {}};
        if (found.place.source)
            found.event = eventAtSource(*trace, *found.place.source, job);
        return found;
    };
    m_reading.start<Found>(work, [this](const Result<Found>& found) {
        if (found)
            showFound(*found);
        else
            showError(found.error());
    });
}

void PlaceDialog::showFound(const Found& found) {
    if (found.place.columns.empty())
        showBytes(found.place);
    else
        showRow(found.place);
    m_copy->setEnabled(!m_copied.isEmpty());
    if (found.event) {
        m_event->setText(tr("The event made of it is selected in the timeline."));
        Q_EMIT eventFound(found.event);
    } else if (m_note.dropsRows) {
        m_event->setText(tr("It was left out, so no event of the timeline shows it."));
    } else {
        m_event->setText(tr("No event of the timeline was made of it."));
    }
    m_pages->currentWidget()->setFocus();
}

void PlaceDialog::showBytes(const PlaceText& place) {
    const ShownBytes shown = shownBytes(place);
    const std::uint64_t last = place.begin + place.text.size();
    m_where->setText(
        place.mark == place.text.size()
            ? tr("%1, where the file ends. Shown from byte %2.")
                  .arg(placeTitle(m_note.first), text(formatCount(place.begin)))
            : tr("%1 is marked. Shown are bytes %2 to %3 of the unpacked file.")
                  .arg(placeTitle(m_note.first), text(formatCount(place.begin)), text(formatCount(last))));
    m_copied = shown.text;
    if (!shown.isText)
        m_bytes->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_bytes->setPlainText(shown.text);
    QTextCursor cursor = m_bytes->textCursor();
    cursor.setPosition(shown.mark);
    cursor.setPosition(shown.markEnd, QTextCursor::KeepAnchor);
    QTextEdit::ExtraSelection mark;
    mark.cursor = cursor;
    mark.format.setBackground(
        QColor::fromRgb(mixed(m_palette.ink(Ink::NoteMark), m_palette.ink(Ink::Ground), kMarkShare)));
    m_bytes->setExtraSelections({mark});
    m_pages->setCurrentWidget(m_bytes);
    cursor.setPosition(shown.mark);
    m_bytes->setTextCursor(cursor);
    m_bytes->centerCursor();
}

void PlaceDialog::showRow(const PlaceText& place) {
    QStringList lines;
    for (const auto& [column, value] : place.columns) {
        auto* item = new QTreeWidgetItem(m_row, {text(column), text(value)});
        item->setToolTip(1, plainTip(text(value).left(2000)));
        lines << text(column) + u" = "_s + text(value);
    }
    m_row->setCurrentItem(m_row->topLevelItem(0));
    m_copied = lines.join(u'\n') + u'\n';
    m_pages->setCurrentWidget(m_row);
}

void PlaceDialog::showError(const Error& error) {
    QStringList parts{text(error.detail), text(error.remedy)};
    parts.removeAll(QString());
    m_state->setText(parts.join(u' '));
}

} // namespace lacuna::ui
