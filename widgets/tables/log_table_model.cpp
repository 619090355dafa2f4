#include "widgets/tables/log_table_model.h"

#include "widgets/plain_tip.h"
#include "widgets/text.h"

#include <QFont>

namespace lacuna::ui {

namespace {

QString titleOf(LogState state) {
    switch (state) {
    case LogState::Observed:
        return LogTableModel::tr("Observed");
    case LogState::Hypothesis:
        return LogTableModel::tr("Hypothesis");
    case LogState::Changed:
        return LogTableModel::tr("Changed");
    case LogState::Remeasured:
        return LogTableModel::tr("Re-measured");
    case LogState::Rejected:
        break;
    }
    return LogTableModel::tr("Rejected");
}

// The text of a column that a person writes; null for the others.
std::string LogEntry::*partOf(int column) {
    switch (column) {
    case LogTableModel::Observed:
        return &LogEntry::observed;
    case LogTableModel::Hypothesis:
        return &LogEntry::hypothesis;
    case LogTableModel::Changed:
        return &LogEntry::changed;
    case LogTableModel::Measured:
        return &LogEntry::measured;
    default:
        return nullptr;
    }
}

} // namespace

LogTableModel::LogTableModel(AnalysisSession& session, QObject* parent)
    : QAbstractTableModel(parent), m_log(TraceLog::of(session)) {
    connect(&m_log, &TraceLog::changed, this, &LogTableModel::entriesChanged);
    entriesChanged();
}

// Rows come and go at the end or all at once; a view keeps its place while only texts change.
void LogTableModel::entriesChanged() {
    const int rows = static_cast<int>(m_log.entries().size());
    if (rows == m_rows) {
        if (rows > 0)
            Q_EMIT dataChanged(index(0, 0), index(rows - 1, Columns - 1));
        return;
    }
    beginResetModel();
    m_rows = rows;
    endResetModel();
}

int LogTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int LogTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int{Columns};
}

QVariant LogTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const LogEntry& entry = entryAt(index.row());
    const auto member = partOf(index.column());
    const std::string* part = member == nullptr ? nullptr : &(entry.*member);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return part != nullptr                          ? text(*part)
               : index.column() == LogTableModel::State ? titleOf(entry.state())
                                                        : text(entry.written);
    case Qt::ToolTipRole:
        return part != nullptr && !part->empty() ? plainTip(text(*part)) : QString();
    case Qt::FontRole:
        if (entry.isRejected && part != nullptr) {
            QFont struck;
            struck.setStrikeOut(true);
            return struck;
        }
        return {};
    default:
        return {};
    }
}

QVariant LogTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case State:
        return tr("State");
    case Observed:
        return tr("Observed");
    case Hypothesis:
        return tr("Hypothesis");
    case Changed:
        return tr("Changed");
    case Measured:
        return tr("Re-measured");
    default:
        return tr("Written");
    }
}

Qt::ItemFlags LogTableModel::flags(const QModelIndex& index) const {
    const bool isText = index.isValid() && index.column() != State && index.column() != Written;
    return QAbstractTableModel::flags(index) | (isText ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

bool LogTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::EditRole)
        return false;
    LogEntry entry = entryAt(index.row());
    const auto part = partOf(index.column());
    if (part == nullptr)
        return false;
    entry.*part = value.toString().trimmed().toStdString();
    m_log.replace(static_cast<std::size_t>(index.row()), std::move(entry), tr("Edit the log"));
    return true;
}

} // namespace lacuna::ui
