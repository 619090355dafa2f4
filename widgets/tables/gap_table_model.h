#pragma once
// Groups of idle gaps and their members as a tree: worst first, then a row for the gaps below the threshold,
// one for what the filter hides, and the total. What is listed, hidden and below the threshold sums to the
// idle time of all devices, to the ns. Restricted to a range, all of this is of the range.
//
// Of more than kAtOnce gaps the rows are made in the background: until they are there those of before stay,
// with the texts of what they are of; after another analysis there are none. The last call counts.

#include "core/base/text_format.h"
#include "core/view/time_axis.h"
#include "widgets/session/job_slot.h"
#include "widgets/tables/gap_rows.h"
#include "widgets/tables/gap_strips.h"

#include <QAbstractItemModel>

#include <cstdint>
#include <memory>
#include <vector>

namespace lacuna::ui {

class GapTableModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Number, Cause, Where, Count, Each, Total, Share, Bound, Strip, ColumnCount };
    enum class RowKind : std::uint8_t { Group, Member, Micro, Filtered, Totals };
    enum Role {
        KindRole = Qt::UserRole, // RowKind as int
        PinRole,                 // 1..3 for the groups that carry a pin, else 0
        ClassRole,               // GapClass as int; groups and members
        ShareRole,               // 0..1 of idle
    };
    static constexpr std::uint32_t kPins = 3;
    static constexpr std::int64_t kDefaultThresholdNs = GapRows::kDefaultThresholdNs;
    static constexpr std::size_t kAtOnce = 20'000; // gaps whose rows are made within a millisecond

    explicit GapTableModel(QObject* parent = nullptr);

    // Null: empty. ready: the rows for the default threshold without filter, where they are known already.
    void setAnalysis(std::shared_ptr<const GapAnalysis> analysis,
                     std::shared_ptr<const GapRows> ready = nullptr);
    void setThreshold(std::int64_t ns);
    void setFilter(const QString& filter);
    void setRange(const std::optional<TimeRange>& range); // none: the whole trace
    const std::optional<TimeRange>& range() const { return m_range; }
    void setAxis(const TimeAxis& axis); // what times count from
    QString thresholdText() const;      // "1 µs"

    const GapAnalysis* analysis() const { return m_analysis.get(); }
    // Gaps behind a row: the members, or the one gap.
    std::vector<GapId> gapsOf(const QModelIndex& index) const;
    // The same for the strip of a row of many gaps: null while they are being made, and for few gaps.
    const GapStrips::Cells* cellsOf(const QModelIndex& index) const;
    bool hasFewGaps(const QModelIndex& index) const;
    // The gap that a click on the row selects: the worst member of a group, the first of the lines below,
    // none for the totals.
    GapId gapAt(const QModelIndex& index) const;
    QModelIndex indexOf(GapId gap) const;
    QModelIndex groupIndex(std::uint32_t group) const;
    std::int64_t idleNs() const { return m_content->idle.ns; }
    std::int64_t listedNs() const { return m_content->listed.ns; }
    std::int64_t microNs() const { return m_content->micro.ns; }
    std::int64_t filteredNs() const { return m_content->filtered.ns; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    using Sum = GapRows::Sum;
    using Row = GapRows::Row;
    void rebuild();
    void replace(std::shared_ptr<const GapRows> rows);
    void show(std::shared_ptr<const GapRows> rows);
    void startStrips();
    void orderRows();
    const Row& rowAt(std::size_t place) const { return m_content->rows[m_order[place]]; }
    const Sum& sumOf(const QModelIndex& index) const; // of a group or a line below
    void chooseUnits();
    RowKind kindOf(const QModelIndex& index) const;
    const Sum& lineOf(RowKind kind) const;
    QString display(const QModelIndex& index) const;
    QString groupText(const Row& row, int column) const;
    QString memberText(GapId gap, int column) const;
    QString lineText(RowKind kind, int column) const;
    QString memberWhere(GapId gap) const;
    QString inUnit(std::int64_t ns, TimeUnit unit) const;
    QString share(std::int64_t ns) const;
    QString statisticsText(const std::vector<GapId>& gaps) const;
    DurationNs lengthOf(GapId gap) const { return m_content->partOf(m_analysis->gap(gap)).length(); }

    std::shared_ptr<const GapAnalysis> m_analysis;
    std::int64_t m_thresholdNs = kDefaultThresholdNs;
    QString m_filter;
    std::optional<TimeRange> m_range;
    TimeAxis m_axis;
    std::shared_ptr<const GapRows> m_content = std::make_shared<const GapRows>(); // shared: they are large
    std::vector<std::uint32_t> m_order; // of the table: places in the rows of m_content
    std::vector<RowKind> m_lines;       // below the groups
    std::shared_ptr<const GapStrips> m_strips;
    TimeUnit m_eachUnit = TimeUnit::Us, m_totalUnit = TimeUnit::Ms;
    int m_sortColumn = Number;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    JobSlot m_rowsJob, m_stripJob;
};

} // namespace lacuna::ui
