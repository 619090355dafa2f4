#include "widgets/tables/annotation_table_model.h"

#include "core/base/text_format.h"
#include "widgets/session/annotation_commands.h"
#include "widgets/text.h"
#include "widgets/timeline/callout_text.h"

namespace lacuna::ui {

QString annotationTitle(AnnotationKind kind) {
    switch (kind) {
    case AnnotationKind::Callout:
        return AnnotationTableModel::tr("Callout");
    case AnnotationKind::Bracket:
        return AnnotationTableModel::tr("Bracket");
    case AnnotationKind::Arrow:
        return AnnotationTableModel::tr("Arrow");
    case AnnotationKind::Pin:
        return AnnotationTableModel::tr("Pin");
    case AnnotationKind::Highlight:
        return AnnotationTableModel::tr("Highlight");
    case AnnotationKind::Redaction:
        return AnnotationTableModel::tr("Redaction");
    }
    return {};
}

AnnotationTableModel::AnnotationTableModel(AnalysisSession& session, QObject* parent)
    : QAbstractTableModel(parent), m_session(session) {
    const auto reset = [this] {
        beginResetModel();
        m_rows = static_cast<int>(m_session.annotations().callouts().size());
        endResetModel();
    };
    connect(&session, &AnalysisSession::annotationsChanged, this, [this, reset] {
        const auto now = static_cast<int>(m_session.annotations().callouts().size());
        if (now != m_rows)
            reset();
        else if (m_rows > 0) // a row changed: the selection stays
            Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, Columns - 1));
    });
    connect(&session, &AnalysisSession::documentChanged, this, reset);
    reset();
}

int AnnotationTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int AnnotationTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : Columns;
}

std::uint32_t AnnotationTableModel::idAt(int row) const {
    return noteAt(row).id;
}

int AnnotationTableModel::rowOf(std::uint32_t id) const {
    // The annotations may be fewer already than the rows that views know of.
    const int rows = std::min(m_rows, static_cast<int>(m_session.annotations().callouts().size()));
    for (int row = 0; row < rows; ++row)
        if (noteAt(row).id == id)
            return row;
    return -1;
}

QString AnnotationTableModel::textOf(const Callout& note, int column) const {
    switch (column) {
    case Kind:
        return note.isNumbered() ? tr("%1 %2").arg(annotationTitle(note.kind)).arg(note.number)
                                 : annotationTitle(note.kind);
    case Says:
        return text(note.title) + (note.title.empty() || note.text.empty() ? QString() : u": "_s) +
               (note.isLive ? text(note.text) : plainCalloutText(text(note.text)));
    case Lane: {
        const Document* document = m_session.document();
        if (document == nullptr)
            return {};
        const RowLayout layout = RowLayout::build(document->trace(), {});
        for (const TimelineRow& row : layout.rows())
            if (row.key == note.laneKey)
                return text(row.title);
        return text(note.laneKey);
    }
    case Time:
        return note.end
                   ? tr("%1, %2 long")
                         .arg(text(formatExact({note.time.v})), text(formatDuration(*note.end - note.time)))
                   : text(formatExact({note.time.v}));
    default:
        return {};
    }
}

QVariant AnnotationTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= m_rows)
        return {};
    const Callout& note = noteAt(index.row());
    if (index.column() == Shown && role == Qt::CheckStateRole)
        return note.isShown ? Qt::Checked : Qt::Unchecked;
    if (index.column() == Shown && role == Qt::AccessibleTextRole)
        return note.isShown ? tr("shown") : tr("hidden");
    if (role == Qt::DisplayRole && index.column() != Shown)
        return textOf(note, index.column()).simplified();
    if (role == Qt::ToolTipRole && index.column() == Says) {
        QString tip = note.isLive ? text(note.text) : plainCalloutText(text(note.text));
        if (!note.author.empty())
            tip +=
                u'\n' + (note.written.empty() ? tr("by %1").arg(text(note.author))
                                              : tr("by %1, %2").arg(text(note.author), text(note.written)));
        return tip;
    }
    return {};
}

QVariant AnnotationTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Shown:
        return tr("show");
    case Kind:
        return tr("kind");
    case Says:
        return tr("says");
    case Lane:
        return tr("lane");
    default:
        return tr("time");
    }
}

Qt::ItemFlags AnnotationTableModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == Shown ? flags | Qt::ItemIsUserCheckable : flags;
}

bool AnnotationTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || index.column() != Shown || role != Qt::CheckStateRole)
        return false;
    Callout note = noteAt(index.row());
    const bool shown = value.toInt() == Qt::Checked;
    if (note.isShown == shown)
        return false;
    note.isShown = shown;
    m_session.undoStack().push(new EditAnnotations(m_session, AnnotationEdit::replace(note),
                                                   shown ? tr("Show note") : tr("Hide note")));
    return true;
}

} // namespace lacuna::ui
