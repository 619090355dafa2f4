#include "widgets/timeline/timeline_accessible.h"

#include "core/base/text_format.h"
#include "widgets/terms.h"
#include "widgets/text.h"

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

constexpr std::size_t kSpokenLength = 120;

class TimelineCell final : public QAccessibleInterface,
                           public QAccessibleTableCellInterface,
                           public QAccessibleActionInterface {
public:
    TimelineCell(const TimelineAccessible& table, int row, int column)
        : m_view(&table.view()), m_row(row), m_column(column) {}

    bool isValid() const override { return m_view != nullptr && cell() != nullptr; }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override {
        return m_view == nullptr ? nullptr : m_view->window()->windowHandle();
    }
    QAccessibleInterface* parent() const override { return table(); }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::Cell; }
    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text t) const override {
        if (!isValid())
            return {};
        if (t == QAccessible::Name)
            return owner()->cellName(m_row, m_column);
        return t == QAccessible::Description ? owner()->cellDescription(m_row, m_column) : QString();
    }
    QRect rect() const override {
        const AccessibleCell* here = cell();
        return here == nullptr
                   ? QRect()
                   : QRect(m_view->viewport()->mapToGlobal(here->rect.topLeft()), here->rect.size());
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        const AccessibleCell* here = cell();
        state.invalid = here == nullptr;
        state.selectable = state.focusable = true;
        if (here != nullptr && owner()->isSelected(*here)) {
            state.selected = true;
            state.focused = m_view->hasFocus();
        }
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::TableCellInterface)
            return static_cast<QAccessibleTableCellInterface*>(this);
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                    : nullptr;
    }

    bool isSelected() const override { return state().selected; }
    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return m_column; }
    int rowIndex() const override { return m_row; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override {
        return m_view == nullptr ? nullptr : QAccessible::queryAccessibleInterface(m_view);
    }

    QStringList actionNames() const override { return {pressAction()}; }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }
    void doAction(const QString& name) override {
        if (const AccessibleCell* here = cell(); here != nullptr && name == pressAction())
            owner()->select(AccessibleCell(*here));
    }

private:
    TimelineAccessible* owner() const { return static_cast<TimelineAccessible*>(table()); }
    const AccessibleCell* cell() const {
        const TimelineAccessible* table = owner();
        if (table == nullptr || m_row >= table->rowCount())
            return nullptr;
        const auto& cells = table->cellsOf(m_row);
        return static_cast<std::size_t>(m_column) < cells.size() ? &cells[static_cast<std::size_t>(m_column)]
                                                                 : nullptr;
    }

    QPointer<TimelineView> m_view;
    int m_row, m_column;
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    auto* view = qobject_cast<TimelineView*>(object);
    return view == nullptr ? nullptr : new TimelineAccessible(view);
}

// The first kMaxCells in time, and the selected one in place of the last.
void limitCells(std::vector<AccessibleCell>& cells, const TimelineAccessible& table) {
    std::ranges::stable_sort(cells, {}, [](const AccessibleCell& cell) { return cell.rect.left(); });
    if (cells.size() <= kMaxCells)
        return;
    const auto selected =
        std::ranges::find_if(cells, [&](const AccessibleCell& cell) { return table.isSelected(cell); });
    if (selected != cells.end() && static_cast<std::size_t>(selected - cells.begin()) >= kMaxCells)
        cells[kMaxCells - 1] = *selected;
    cells.resize(kMaxCells);
}

} // namespace

void TimelineAccessible::install() {
    QAccessible::installFactory(makeInterface);
}

TimelineAccessible::TimelineAccessible(TimelineView* view)
    : QAccessibleWidget(view, QAccessible::Table, TimelineView::tr("Timeline")) {}

TimelineAccessible::~TimelineAccessible() {
    dropCells();
}

void TimelineAccessible::dropCells() const {
    for (const auto& [place, id] : m_made)
        QAccessible::deleteAccessibleInterface(id);
    m_made.clear();
}

void TimelineAccessible::refresh() const {
    TimelineViewModel& model = view().model();
    const Frame& frame = model.frame();
    if (m_frame == model.framesBuilt() && m_trace == model.trace())
        return;
    m_trace = model.trace();
    m_frame = model.framesBuilt();
    dropCells();
    m_rows.clear();
    m_cells.clear();
    if (model.trace() == nullptr)
        return;
    const QPoint origin = view().lanesRect().topLeft();
    const auto inWidget = [&](int x0, int x1, int y, int height) {
        const double scale = frame.scale;
        return QRect(static_cast<int>(x0 / scale), static_cast<int>(y / scale),
                     std::max(1, static_cast<int>((x1 - x0) / scale)), static_cast<int>(height / scale))
            .translated(origin);
    };
    for (std::uint32_t i = 0; i < frame.lanes.size(); ++i) {
        const LaneFrame& lane = frame.lanes[i];
        std::vector<AccessibleCell> cells;
        for (const Bar& bar : lane.bars)
            cells.push_back({bar.count > 1 ? bar.longest : bar.first,
                             bar.count,
                             {},
                             inWidget(bar.x0, bar.x1, lane.stripY(bar.strip), lane.heightOf(bar.strip))});
        for (const GapMark& mark : frame.gaps)
            if (mark.labelled && mark.y >= lane.y && mark.y < lane.y + lane.height)
                cells.push_back({{}, 1, mark.gap, inWidget(mark.x0, mark.x1, mark.y, mark.height)});
        // What is selected is a cell also where it is drawn in one column with others.
        const EventId selected = model.session().selection().event();
        const bool isHere = selected && model.trace()->laneOf(selected) == lane.lane;
        if (isHere &&
            std::ranges::none_of(cells, [this](const AccessibleCell& cell) { return isSelected(cell); })) {
            const TimeRange range = model.trace()->events().range(selected);
            const auto pixel = [&](TimeNs time) {
                return static_cast<int>(
                    std::clamp(frame.viewport.xOf(time), -1.0, frame.viewport.widthPx + 1.0));
            };
            cells.push_back(
                {selected, 1, {}, inWidget(pixel(range.begin), pixel(range.end), lane.y, lane.height)});
        }
        limitCells(cells, *this);
        m_rows.push_back(i);
        m_cells.push_back(std::move(cells));
    }
}

const std::vector<AccessibleCell>& TimelineAccessible::cellsOf(int row) const {
    refresh();
    return m_cells[static_cast<std::size_t>(row)];
}

QString TimelineAccessible::rowTitle(int row) const {
    refresh();
    if (row < 0 || row >= static_cast<int>(m_rows.size()))
        return {};
    TimelineViewModel& model = view().model();
    const TimelineRow& shown =
        model.layout().rows()[model.frame().lanes[m_rows[static_cast<std::size_t>(row)]].row];
    return ui::text(shown.subtitle.empty() ? shown.title : shown.title + ", " + shown.subtitle);
}

QString TimelineAccessible::cellName(int row, int column) const {
    const AccessibleCell& cell = cellsOf(row)[static_cast<std::size_t>(column)];
    const Document& document = *view().model().session().shown();
    const Trace& trace = document.trace();
    const TimeRange range = cell.gap ? document.gaps->gap(cell.gap).range : trace.events().range(cell.event);
    const QString length = ui::text(formatDuration(range.length())),
                  start = ui::text(timeText(range.begin, view().model().axis()));
    if (cell.gap)
        return TimelineView::tr("GPU idle, %1, %2, starts %3")
            .arg(term(classTitle(classOf(document.gaps->gap(cell.gap).cause))), length, start);
    const QString name = ui::text(elideMiddle(trace.nameOf(cell.event), kSpokenLength));
    if (cell.count > 1)
        return TimelineView::tr("%1 event(s), the longest: %2, %3, starts %4", nullptr, pluralOf(cell.count))
            .arg(ui::text(formatCount(cell.count)), name, length, start);
    QString said = TimelineView::tr("%1, %2, %3, starts %4, %5")
                       .arg(name, term(inkTitle(inkOf(trace, cell.event))), length, start, rowTitle(row));
    const std::uint32_t correlation = trace.events().correlation[cell.event.v];
    if (trace.lane(trace.laneOf(cell.event)).device && correlation != 0)
        if (const auto launch = trace.correlations().launchOf(trace.events(), cell.event))
            said = TimelineView::tr("%1, launched by %2")
                       .arg(said, ui::text(elideMiddle(trace.nameOf(*launch), kSpokenLength)));
    return said;
}

QString TimelineAccessible::cellDescription(int row, int column) const {
    const AccessibleCell& cell = cellsOf(row)[static_cast<std::size_t>(column)];
    return cell.gap ? ui::text(view().model().session().story(cell.gap).verdict) : QString();
}

bool TimelineAccessible::isSelected(const AccessibleCell& cell) const {
    const SelectionModel& selection = view().model().session().selection();
    return cell.gap ? selection.gap() == cell.gap : selection.event() && selection.event() == cell.event;
}

void TimelineAccessible::select(const AccessibleCell& cell) {
    view().model().session().selection().set(cell.gap ? Selection(cell.gap) : Selection(cell.event),
                                             Origin::Command);
}

std::pair<int, int> TimelineAccessible::selectedPlace() const {
    refresh();
    for (std::size_t row = 0; row < m_cells.size(); ++row)
        for (std::size_t column = 0; column < m_cells[row].size(); ++column)
            if (isSelected(m_cells[row][column]))
                return {static_cast<int>(row), static_cast<int>(column)};
    return {-1, -1};
}

// --- QAccessibleInterface

void* TimelineAccessible::interface_cast(QAccessible::InterfaceType type) {
    return type == QAccessible::TableInterface ? static_cast<QAccessibleTableInterface*>(this)
                                               : QAccessibleWidget::interface_cast(type);
}

int TimelineAccessible::childCount() const {
    return rowCount() * columnCount();
}

QAccessibleInterface* TimelineAccessible::child(int index) const {
    const int columns = columnCount();
    return columns == 0 || index < 0 ? nullptr : cellAt(index / columns, index % columns);
}

int TimelineAccessible::indexOfChild(const QAccessibleInterface* child) const {
    const auto* cell = dynamic_cast<const TimelineCell*>(child);
    return cell == nullptr ? -1 : cell->rowIndex() * columnCount() + cell->columnIndex();
}

QAccessibleInterface* TimelineAccessible::childAt(int x, int y) const {
    refresh();
    const QPoint at = view().viewport()->mapFromGlobal(QPoint(x, y));
    for (std::size_t row = 0; row < m_cells.size(); ++row)
        for (std::size_t column = 0; column < m_cells[row].size(); ++column)
            if (m_cells[row][column].rect.contains(at))
                return cellAt(static_cast<int>(row), static_cast<int>(column));
    return nullptr;
}

QAccessibleInterface* TimelineAccessible::focusChild() const {
    const auto [row, column] = selectedPlace();
    return row < 0 ? nullptr : cellAt(row, column);
}

QString TimelineAccessible::text(QAccessible::Text t) const {
    if (t != QAccessible::Value || view().model().trace() == nullptr)
        return QAccessibleWidget::text(t);
    const TimeRange range = view().model().viewport().range();
    return TimelineView::tr("%1 to %2")
        .arg(ui::text(timeText(range.begin, view().model().axis())),
             ui::text(timeText(range.end, view().model().axis())));
}

// --- QAccessibleTableInterface

QAccessibleInterface* TimelineAccessible::cellAt(int row, int column) const {
    if (row < 0 || column < 0 || row >= rowCount() || static_cast<std::size_t>(column) >= cellsOf(row).size())
        return nullptr;
    const auto made = m_made.find({row, column});
    if (made != m_made.end())
        return QAccessible::accessibleInterface(made->second);
    auto* cell = new TimelineCell(*this, row, column);
    m_made[{row, column}] = QAccessible::registerAccessibleInterface(cell);
    return cell;
}

int TimelineAccessible::columnCount() const {
    refresh();
    std::size_t most = 0;
    for (const auto& cells : m_cells)
        most = std::max(most, cells.size());
    return static_cast<int>(most);
}

int TimelineAccessible::rowCount() const {
    refresh();
    return static_cast<int>(m_rows.size());
}

int TimelineAccessible::selectedCellCount() const {
    return selectedPlace().first < 0 ? 0 : 1;
}

QList<QAccessibleInterface*> TimelineAccessible::selectedCells() const {
    QAccessibleInterface* cell = focusChild();
    return cell == nullptr ? QList<QAccessibleInterface*>() : QList<QAccessibleInterface*>{cell};
}

void announceSelection(TimelineView& view) {
    if (!QAccessible::isActive())
        return;
    auto* table = dynamic_cast<TimelineAccessible*>(QAccessible::queryAccessibleInterface(&view));
    if (table == nullptr)
        return;
    QAccessibleValueChangeEvent value(&view, table->text(QAccessible::Value));
    QAccessible::updateAccessibility(&value);
    const auto [row, column] = table->selectedPlace();
    if (row < 0)
        return;
    QAccessibleEvent focus(&view, QAccessible::Focus);
    focus.setChild(row * table->columnCount() + column);
    QAccessible::updateAccessibility(&focus);
}

} // namespace lacuna::ui
