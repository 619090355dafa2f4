#include "widgets/tables/gap_table_model.h"

#include "widgets/terms.h"
#include "widgets/text.h"

#include <QCoreApplication>
#include <QFont>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace lacuna::ui {

namespace {

struct ColumnText {
    const char* title;
    const char* tip;
    bool numeric;
};
constexpr std::array<ColumnText, GapTableModel::ColumnCount> kColumns{{
    {"#",
     QT_TRANSLATE_NOOP("GapColumns",
                       "Rank of the group: classes of gaps by their total idle time, worst first"),
     false},
    {QT_TRANSLATE_NOOP("GapColumns", "cause"),
     QT_TRANSLATE_NOOP("GapColumns", "Class of the cause; letter and hatch are those in the lanes"), false},
    {QT_TRANSLATE_NOOP("GapColumns", "where"),
     QT_TRANSLATE_NOOP("GapColumns", "Blocking call, operator around it, range"), false},
    {QT_TRANSLATE_NOOP("GapColumns", "count"), QT_TRANSLATE_NOOP("GapColumns", "Gaps of this group"), true},
    {QT_TRANSLATE_NOOP("GapColumns", "each (median)"),
     QT_TRANSLATE_NOOP("GapColumns", "Median length of the group's gaps"), true},
    {QT_TRANSLATE_NOOP("GapColumns", "total"), QT_TRANSLATE_NOOP("GapColumns", "Sum of the group's gaps"),
     true},
    {QT_TRANSLATE_NOOP("GapColumns", "share of idle"),
     QT_TRANSLATE_NOOP("GapColumns", "Total as a share of the idle time of all devices"), true},
    {QT_TRANSLATE_NOOP("GapColumns", "bound"),
     QT_TRANSLATE_NOOP("GapColumns", "At most this much can be saved by removing the cause"), true},
    {QT_TRANSLATE_NOOP("GapColumns", "where in the trace"),
     QT_TRANSLATE_NOOP("GapColumns", "Place of every gap of the row between the first and the last event"),
     false},
}};

// "1 µs" for a threshold, which is a round number by choice.
QString roundDuration(std::int64_t ns) {
    const TimeUnit unit = unitFor({ns});
    QString number = text(formatIn({ns}, unit, 3));
    while (number.endsWith(u'0'))
        number.chop(1);
    if (number.endsWith(u'.'))
        number.chop(1);
    return number + u' ' + text(unitName(unit));
}

// The core writes a call site in plain signs: "call < operator < <range>" with single guillemets.
QString typeset(std::string_view where) {
    QString line = text(where);
    line.replace(u'‹', u'“').replace(u'›', u'”');
    return line.replace(u" < "_s, u" ‹ "_s);
}

QString column(const char* english) {
    return QCoreApplication::translate("GapColumns", english);
}

} // namespace

QString GapTableModel::thresholdText() const {
    return roundDuration(m_thresholdNs);
}

GapTableModel::GapTableModel(QObject* parent) : QAbstractItemModel(parent) {}

void GapTableModel::setAnalysis(std::shared_ptr<const GapAnalysis> analysis,
                                std::shared_ptr<const GapRows> ready) {
    m_rowsJob.cancel();
    const bool isReady =
        ready != nullptr && m_thresholdNs == kDefaultThresholdNs && m_filter.isEmpty() && !m_range;
    beginResetModel();
    m_analysis = isReady ? std::move(analysis) : nullptr;
    show(isReady ? std::move(ready) : std::make_shared<const GapRows>());
    endResetModel();
    if (isReady || analysis == nullptr)
        return;
    m_analysis = std::move(analysis);
    rebuild();
}

void GapTableModel::setThreshold(std::int64_t ns) {
    if (std::exchange(m_thresholdNs, ns) != ns)
        rebuild();
}

void GapTableModel::setFilter(const QString& filter) {
    if (std::exchange(m_filter, filter) != filter)
        rebuild();
}

void GapTableModel::setRange(const std::optional<TimeRange>& range) {
    if (std::exchange(m_range, range) != range)
        rebuild();
}

void GapTableModel::setAxis(const TimeAxis& axis) {
    if (axis == m_axis)
        return;
    m_axis = axis;
    if (rowCount() > 0) // of the members too: a view asks again for what it shows
        Q_EMIT dataChanged(index(0, Where), index(rowCount() - 1, Where));
}

void GapTableModel::rebuild() {
    using Rows = std::shared_ptr<const GapRows>;
    m_rowsJob.cancel();
    if (m_analysis == nullptr)
        return replace(std::make_shared<const GapRows>());
    const auto work = [analysis = m_analysis, threshold = m_thresholdNs, range = m_range,
                       filter = m_filter](JobControl& job) -> Result<Rows> {
        const auto wants = [&filter](const GapGroup& group) {
            return filter.isEmpty() || typeset(group.where).contains(filter, Qt::CaseInsensitive) ||
                   term(classTitle(classOf(group.cause))).contains(filter, Qt::CaseInsensitive);
        };
        return GapRows::of(*analysis, threshold, wants, range, job);
    };
    const auto done = [this](Result<Rows> rows) {
        if (rows) // only a cancelled job has none
            replace(*std::move(rows));
    };
    if (m_analysis->gaps().size() > kAtOnce)
        return m_rowsJob.start<Rows>(work, done);
    JobControl job;
    done(work(job));
}

void GapTableModel::replace(std::shared_ptr<const GapRows> rows) {
    beginResetModel();
    show(std::move(rows));
    endResetModel();
}

void GapTableModel::show(std::shared_ptr<const GapRows> rows) {
    m_stripJob.cancel();
    m_strips.reset();
    m_stripJob.release(std::exchange(m_content, std::move(rows)));
    m_order.resize(m_content->rows.size());
    std::iota(m_order.begin(), m_order.end(), 0u);
    m_lines.clear();
    if (m_analysis == nullptr)
        return;
    if (!m_content->filtered.gaps.empty())
        m_lines.push_back(RowKind::Filtered);
    if (!m_content->micro.gaps.empty())
        m_lines.push_back(RowKind::Micro);
    m_lines.push_back(RowKind::Totals);
    chooseUnits();
    orderRows();
    if (GapStrips::areNeeded(*m_content))
        startStrips();
}

void GapTableModel::startStrips() {
    using Strips = std::shared_ptr<const GapStrips>;
    m_stripJob.start<Strips>([analysis = m_analysis, content = m_content](
                                 JobControl& job) { return GapStrips::of(*analysis, *content, job); },
                             [this](Result<Strips> strips) {
                                 if (!strips)
                                     return;
                                 m_strips = *std::move(strips);
                                 Q_EMIT dataChanged(index(0, Strip), index(rowCount() - 1, Strip));
                             });
}

// One unit a column, so that numbers compare by their width.
void GapTableModel::chooseUnits() {
    std::int64_t longest = 0;
    for (const Row& row : m_content->rows)
        longest = std::max(longest, row.sum.medianNs);
    m_eachUnit = longest >= 10'000'000'000 ? TimeUnit::Ms : TimeUnit::Us;
    m_totalUnit = m_content->idle.ns >= 100'000'000'000 ? TimeUnit::S : TimeUnit::Ms;
}

void GapTableModel::orderRows() {
    const auto key = [this](const Row& row) -> std::int64_t {
        switch (m_sortColumn) {
        case Count:
            return static_cast<std::int64_t>(row.sum.gaps.size());
        case Each:
            return row.sum.medianNs;
        case Total:
        case Share:
            return row.sum.ns;
        case Bound:
            return row.boundNs;
        default:
            return row.group;
        }
    };
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::uint32_t placeA, std::uint32_t placeB) {
        const Row &a = m_content->rows[placeA], &b = m_content->rows[placeB];
        if (key(a) != key(b))
            return m_sortOrder == Qt::AscendingOrder ? key(a) < key(b) : key(a) > key(b);
        return a.group < b.group;
    });
}

void GapTableModel::sort(int column, Qt::SortOrder order) {
    if (column == m_sortColumn && order == m_sortOrder)
        return;
    m_sortColumn = column;
    m_sortOrder = order;
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::uint32_t> groupOf(m_order.size());
    for (std::size_t i = 0; i < m_order.size(); ++i)
        groupOf[i] = rowAt(i).group;
    orderRows();
    QModelIndexList after;
    for (const QModelIndex& index : before) {
        const bool member = index.internalId() != 0;
        const auto row =
            member ? static_cast<std::size_t>(index.internalId() - 1) : static_cast<std::size_t>(index.row());
        if (row >= groupOf.size()) {
            after.push_back(index); // one of the lines below
            continue;
        }
        const QModelIndex group = groupIndex(groupOf[row]);
        after.push_back(member ? this->index(index.row(), index.column(), group)
                               : this->index(group.row(), index.column()));
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

GapTableModel::RowKind GapTableModel::kindOf(const QModelIndex& index) const {
    if (index.internalId() != 0)
        return RowKind::Member;
    const auto row = static_cast<std::size_t>(index.row());
    return row < m_order.size() ? RowKind::Group : m_lines[row - m_order.size()];
}

const GapTableModel::Sum& GapTableModel::lineOf(RowKind kind) const {
    return kind == RowKind::Micro      ? m_content->micro
           : kind == RowKind::Filtered ? m_content->filtered
                                       : m_content->idle;
}

const GapTableModel::Sum& GapTableModel::sumOf(const QModelIndex& index) const {
    const RowKind kind = kindOf(index);
    return kind == RowKind::Group ? rowAt(static_cast<std::size_t>(index.row())).sum : lineOf(kind);
}

bool GapTableModel::hasFewGaps(const QModelIndex& index) const {
    return kindOf(index) == RowKind::Member || sumOf(index).gaps.size() <= GapStrips::kFew;
}

const GapStrips::Cells* GapTableModel::cellsOf(const QModelIndex& index) const {
    return m_strips == nullptr || kindOf(index) == RowKind::Member ? nullptr
                                                                   : m_strips->cellsOf(sumOf(index));
}

std::vector<GapId> GapTableModel::gapsOf(const QModelIndex& index) const {
    if (!index.isValid())
        return {};
    switch (kindOf(index)) {
    case RowKind::Group:
        return rowAt(static_cast<std::size_t>(index.row())).sum.gaps;
    case RowKind::Member:
        return {gapAt(index)};
    case RowKind::Totals:
        return {};
    default:
        return lineOf(kindOf(index)).gaps;
    }
}

GapId GapTableModel::gapAt(const QModelIndex& index) const {
    if (!index.isValid())
        return {};
    if (index.internalId() != 0)
        return sumOf(index.parent()).gaps[static_cast<std::size_t>(index.row())];
    return kindOf(index) == RowKind::Totals ? GapId{} : sumOf(index).gaps.front();
}

QModelIndex GapTableModel::groupIndex(std::uint32_t group) const {
    for (std::size_t i = 0; i < m_order.size(); ++i)
        if (rowAt(i).group == group)
            return index(static_cast<int>(i), 0);
    return {};
}

QModelIndex GapTableModel::indexOf(GapId gap) const {
    if (m_analysis == nullptr || !gap)
        return {};
    const QModelIndex group = groupIndex(m_analysis->gap(gap).group);
    if (!group.isValid())
        return {};
    const auto& gaps = rowAt(static_cast<std::size_t>(group.row())).sum.gaps;
    const auto at = std::find(gaps.begin(), gaps.end(), gap);
    return at == gaps.end() ? QModelIndex{} : index(static_cast<int>(at - gaps.begin()), 0, group);
}

int GapTableModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid())
        return static_cast<int>(m_order.size() + m_lines.size());
    const RowKind kind = kindOf(parent);
    if (parent.column() != 0 || kind == RowKind::Member || kind == RowKind::Totals)
        return 0;
    return static_cast<int>(sumOf(parent).gaps.size());
}

int GapTableModel::columnCount(const QModelIndex&) const {
    return ColumnCount;
}

QModelIndex GapTableModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : quintptr{0});
}

QModelIndex GapTableModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == 0)
        return {};
    return createIndex(static_cast<int>(index.internalId() - 1), 0, quintptr{0});
}

QVariant GapTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const ColumnText& info = kColumns[static_cast<std::size_t>(section)];
    if (role == Qt::ToolTipRole)
        return column(info.tip);
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter |
                        (info.numeric && section != Share ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    const QString title = column(info.title);
    if (section == Each)
        return QString(title + u", "_s + text(unitName(m_eachUnit)));
    if (section == Total || section == Bound)
        return QString(title + u", "_s + text(unitName(m_totalUnit)));
    return title;
}

QVariant GapTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || m_analysis == nullptr)
        return {};
    const RowKind kind = kindOf(index);
    const GapId gap = gapAt(index);
    switch (role) {
    case Qt::DisplayRole:
        return display(index);
    case Qt::ToolTipRole: {
        if (index.column() == Where)
            return display(index);
        if (kind == RowKind::Member)
            return index.column() == Each || index.column() == Total ? text(formatExact(lengthOf(gap)))
                                                                     : QString();
        if (index.column() == Count || index.column() == Each || index.column() == Total)
            return statisticsText(kind == RowKind::Totals ? m_content->idle.gaps : gapsOf(index));
        return {};
    }
    case Qt::TextAlignmentRole:
        return QVariant(
            Qt::AlignVCenter |
            (kColumns[static_cast<std::size_t>(index.column())].numeric ? Qt::AlignRight : Qt::AlignLeft));
    case KindRole:
        return static_cast<int>(kind);
    case PinRole: {
        const bool group = kind == RowKind::Group;
        const std::uint32_t g = group ? rowAt(static_cast<std::size_t>(index.row())).group : kPins;
        return g < kPins ? static_cast<int>(g + 1) : 0;
    }
    case ClassRole:
        return gap && (kind == RowKind::Group || kind == RowKind::Member)
                   ? QVariant(static_cast<int>(classOf(m_analysis->gap(gap).cause)))
                   : QVariant();
    case ShareRole: {
        const std::int64_t ns = kind == RowKind::Group ? rowAt(static_cast<std::size_t>(index.row())).sum.ns
                                : kind == RowKind::Member ? lengthOf(gap).v
                                                          : lineOf(kind).ns;
        return m_content->idle.ns == 0 ? 0.0
                                       : static_cast<double>(ns) / static_cast<double>(m_content->idle.ns);
    }
    default:
        return {};
    }
}

QString GapTableModel::display(const QModelIndex& index) const {
    const RowKind kind = kindOf(index);
    if (kind == RowKind::Group)
        return groupText(rowAt(static_cast<std::size_t>(index.row())), index.column());
    if (kind == RowKind::Member)
        return memberText(gapAt(index), index.column());
    return lineText(kind, index.column());
}

QString GapTableModel::inUnit(std::int64_t ns, TimeUnit unit) const {
    const QString value = text(formatIn({ns}, unit, 3));
    const bool rounded = ns > 0 && value == u"0.000"_s;
    return rounded ? QStringLiteral("< 0.001") : value;
}

QString GapTableModel::share(std::int64_t ns) const {
    return m_content->idle.ns == 0
               ? QString()
               : text(formatPercent(static_cast<double>(ns) / static_cast<double>(m_content->idle.ns)));
}

// What the columns have no room for, to the ns.
QString GapTableModel::statisticsText(const std::vector<GapId>& gaps) const {
    if (gaps.empty())
        return {};
    const GapRows::Statistics s = m_content->statisticsOf(*m_analysis, gaps);
    const auto exact = [](std::int64_t ns) { return text(formatExact({ns})); };
    const QStringList lines{tr("count %1").arg(text(formatCount(gaps.size()))),
                            tr("sum %1").arg(exact(s.sumNs)),
                            tr("union %1").arg(exact(s.unionNs)),
                            tr("mean %1").arg(exact(s.meanNs)),
                            tr("median %1").arg(exact(s.medianNs)),
                            tr("95th percentile %1").arg(exact(s.p95Ns)),
                            tr("standard deviation %1").arg(exact(s.deviationNs)),
                            tr("shortest %1").arg(exact(s.minNs)),
                            tr("longest %1").arg(exact(s.maxNs))};
    return lines.join(u'\n');
}

QString GapTableModel::groupText(const Row& row, int column) const {
    const GapGroup& group = m_analysis->groups()[row.group];
    switch (column) {
    case Number:
        return QString::number(row.group + 1);
    case Cause:
        return term(classTitle(classOf(group.cause)));
    case Where:
        return typeset(group.where);
    case Count:
        return text(formatCount(row.sum.gaps.size()));
    case Each:
        return inUnit(row.sum.medianNs, m_eachUnit);
    case Total:
        return inUnit(row.sum.ns, m_totalUnit);
    case Share:
        return share(row.sum.ns);
    case Bound:
        return QString(u"≤ "_s + inUnit(row.boundNs, m_totalUnit));
    default:
        return {};
    }
}

QString GapTableModel::memberText(GapId id, int column) const {
    const Gap& gap = m_analysis->gap(id);
    switch (column) {
    case Where:
        return memberWhere(id);
    case Each:
        return inUnit(lengthOf(id).v, m_eachUnit);
    case Total:
        return inUnit(lengthOf(id).v, m_totalUnit);
    case Share:
        return share(lengthOf(id).v);
    case Bound:
        return QString(u"≤ "_s + inUnit(std::min(gap.boundNs, lengthOf(id).v), m_totalUnit));
    default:
        return {};
    }
}

// "12.867 ms: sync 1.205, host work 1.168 ms": when, and the parts by cause that sum to the gap.
QString GapTableModel::memberWhere(GapId id) const {
    const Gap& gap = m_analysis->gap(id);
    QString where = text(timeText(gap.range.begin, m_axis));
    if (m_content->partOf(gap) != gap.range)
        where += tr(", cut, %1 in all").arg(text(formatDuration(gap.length())));
    if (m_analysis->trace().devices().size() > 1)
        where += tr(", GPU %1").arg(m_analysis->trace().devices()[gap.device.v].ordinal);
    std::array<std::int64_t, kGapClasses> byClass{};
    const TimeRange shown = m_content->partOf(gap);
    const bool isCut = shown != gap.range;
    const auto whole = m_analysis->parts(gap);
    for (const GapPart& part :
         isCut ? m_analysis->partsWithin(gap, shown) : std::vector<GapPart>(whole.begin(), whole.end()))
        byClass[static_cast<std::size_t>(classOf(part.cause))] += part.ns;
    const TimeUnit unit = unitFor(gap.length());
    QString parts;
    for (std::size_t c = 0; c < kGapClasses; ++c) {
        if (byClass[c] == 0)
            continue;
        if (!parts.isEmpty())
            parts += QStringLiteral(", ");
        parts += term(classTitle(static_cast<GapClass>(c))) + u' ' + text(formatIn({byClass[c]}, unit, 3));
    }
    return parts.isEmpty() ? where : QString(where + u": "_s + parts + u' ' + text(unitName(unit)));
}

QString GapTableModel::lineText(RowKind kind, int column) const {
    const Sum& sum = lineOf(kind);
    switch (column) {
    case Where: {
        if (kind == RowKind::Micro)
            return tr("micro-gaps below %1").arg(roundDuration(m_content->thresholdNs));
        if (kind == RowKind::Filtered)
            return tr("not shown by the filter");
        const std::size_t devices = m_analysis->trace().devices().size();
        if (const auto& range = m_content->range)
            return tr("idle of the range %1 – %2")
                .arg(text(timeText(range->begin, m_axis)), text(timeText(range->end, m_axis)));
        if (devices != 1)
            return tr("idle of %1 devices").arg(devices);
        const TimeRange window = m_analysis->deviceWindow(DeviceId{0});
        return tr("idle of the window %1 – %2")
            .arg(text(timeText(window.begin, m_axis)), text(timeText(window.end, m_axis)));
    }
    case Count:
        return text(formatCount(sum.gaps.size()));
    case Each:
        return kind == RowKind::Totals || sum.gaps.empty() ? QString() : inUnit(sum.medianNs, m_eachUnit);
    case Total:
        return inUnit(sum.ns, m_totalUnit);
    case Share:
        return kind == RowKind::Totals ? QStringLiteral("100 %") : share(sum.ns);
    case Strip:
        return kind == RowKind::Totals ? tr("listed + micro = idle, to the ns") : QString();
    default:
        return {};
    }
}

} // namespace lacuna::ui
