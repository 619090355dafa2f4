#include "widgets/search/hit_table_model.h"

#include "core/base/text_format.h"
#include "widgets/terms.h"
#include "widgets/text.h"

#include <algorithm>
#include <utility>

namespace lacuna::ui {

QString laneTitle(const Trace& trace, LaneId id) {
    const lacuna::Lane& lane = trace.lane(id);
    if (lane.kind == LaneKind::GpuStream || lane.kind == LaneKind::GpuSync || lane.kind == LaneKind::GpuRange)
        return HitTableModel::tr("GPU %1, stream %2")
            .arg(lane.device ? trace.devices()[lane.device.v].ordinal : 0)
            .arg(lane.sourceId);
    if (lane.thread)
        return text(trace.threadTitle(lane.thread));
    if (lane.process)
        return text(trace.processes()[lane.process.v].name);
    return text(trace.strings().view(lane.title));
}

void HitTableModel::setRows(std::shared_ptr<const Trace> trace, std::vector<EventId> rows) {
    beginResetModel();
    m_trace = std::move(trace);
    m_rows = std::move(rows);
    endResetModel();
}

void HitTableModel::setAxis(const TimeAxis& axis) {
    if (axis == m_axis)
        return;
    m_axis = axis;
    Q_EMIT headerDataChanged(Qt::Horizontal, Start, Start);
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, Start), index(rowCount() - 1, Start));
}

EventId HitTableModel::eventAt(int row) const {
    return row >= 0 && static_cast<std::size_t>(row) < m_rows.size() ? m_rows[static_cast<std::size_t>(row)]
                                                                     : EventId{};
}

int HitTableModel::rowOf(EventId event) const {
    const auto at = std::find(m_rows.begin(), m_rows.end(), event);
    return at == m_rows.end() ? -1 : static_cast<int>(at - m_rows.begin());
}

int HitTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int HitTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant HitTableModel::data(const QModelIndex& index, int role) const {
    const EventId event = eventAt(index.row());
    if (!event || m_trace == nullptr)
        return {};
    const TimeRange range = m_trace->events().range(event);
    if (role == Qt::TextAlignmentRole)
        return index.column() >= Start ? int(Qt::AlignRight | Qt::AlignVCenter)
                                       : int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        if (index.column() == Name)
            return text(m_trace->nameOf(event));
        if (index.column() == Start)
            return text(exactTimeText(range.begin, m_axis));
        if (index.column() == Length)
            return text(formatExact(range.length()));
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Name:
        return text(m_trace->nameOf(event)).simplified();
    case Category:
        return term(kindName(m_trace->events().kind[event.v]));
    case Lane:
        return laneTitle(*m_trace, m_trace->laneOf(event));
    case Start:
        return text(timeInUnit(range.begin, m_axis, TimeUnit::Ms, 6));
    case Length:
        return text(formatIn(range.length(), TimeUnit::Us, 3));
    default:
        return {};
    }
}

QVariant HitTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section >= Start ? int(Qt::AlignRight | Qt::AlignVCenter)
                                : int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("name");
    case Category:
        return tr("category");
    case Lane:
        return tr("where");
    case Start:
        return m_axis.isWall() ? tr("start") : tr("start, ms");
    case Length:
        return tr("length, µs");
    default:
        return {};
    }
}

void HitTableModel::sort(int column, Qt::SortOrder order) {
    if (m_trace == nullptr)
        return;
    const EventTable& events = m_trace->events();
    const auto sortBy = [&](auto key) {
        const auto less = [&](EventId a, EventId b) {
            const auto x = key(a), y = key(b);
            if (x != y)
                return order == Qt::AscendingOrder ? x < y : y < x;
            return std::pair(events.beginNs[a.v], a.v) < std::pair(events.beginNs[b.v], b.v);
        };
        Q_EMIT layoutAboutToBeChanged();
        const QModelIndexList before = persistentIndexList();
        std::vector<EventId> kept;
        for (const QModelIndex& index : before)
            kept.push_back(eventAt(index.row()));
        std::sort(m_rows.begin(), m_rows.end(), less);
        QModelIndexList after;
        for (qsizetype i = 0; i < before.size(); ++i)
            after << createIndex(rowOf(kept[static_cast<std::size_t>(i)]), before[i].column());
        changePersistentIndexList(before, after);
        Q_EMIT layoutChanged();
    };
    switch (column) {
    case Name:
        sortBy([&](EventId e) { return m_trace->nameOf(e); });
        break;
    case Category:
        sortBy([&](EventId e) { return kindName(events.kind[e.v]); });
        break;
    case Lane:
        sortBy([&](EventId e) { return m_trace->laneOf(e); });
        break;
    case Length:
        sortBy([&](EventId e) { return events.duration(e).v; });
        break;
    default:
        sortBy([&](EventId e) { return events.beginNs[e.v]; });
    }
}

} // namespace lacuna::ui
