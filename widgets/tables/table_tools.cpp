#include "widgets/tables/table_tools.h"

#include "widgets/command/command_registry.h"
#include "widgets/tables/instance_walk.h"
#include "widgets/tables/range_chip.h"
#include "widgets/tables/report_table_view.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>

namespace lacuna::ui {

namespace {

QPushButton* exportButton(ReportTableView& table) {
    auto* button = new QPushButton(TableTools::tr("Copy, export"));
    button->setFont(uiFont(Face::Regular, 12));
    button->setStyleSheet(u"QPushButton { padding: 1px 26px 1px 10px; min-height: 20px; }"_s);
    auto* menu = new QMenu(button);
    QObject::connect(menu, &QMenu::aboutToShow, &table, [&table, menu] {
        menu->clear();
        table.fillMenu(*menu);
    });
    button->setMenu(menu);
    return button;
}

} // namespace

TableTools::TableTools(TimelineViewModel& view, CommandRegistry& commands, ReportTableView& table,
                       const QString& name, QWidget* panel)
    : QWidget(panel), m_view(view), m_commands(commands), m_layout(new QHBoxLayout(this)),
      m_walk(new InstanceWalk(commands, panel)), m_range(new RangeChip(view, this)), m_filter(new QLineEdit) {
    m_layout->setContentsMargins(0, 0, 12, 0);
    m_layout->setSpacing(10);
    m_range->setObjectName(name + u"Range"_s);
    m_filter->setObjectName(name + u"Filter"_s);
    m_filter->setPlaceholderText(tr("filter"));
    m_filter->setAccessibleName(tr("Filter of the table"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(200);
    m_layout->addWidget(m_walk);
    m_layout->addWidget(m_range);
    m_layout->addWidget(m_filter);
    m_layout->addWidget(exportButton(table));
    SelectionModel& selection = view.session().selection();
    connect(m_filter, &QLineEdit::textChanged, &table, [this, &table](const QString& now) {
        if (!m_isQuiet)
            table.setFilter(now);
    });
    connect(m_filter, &QLineEdit::returnPressed, &table, [&table] { table.setFocus(Qt::TabFocusReason); });
    connect(m_walk, &InstanceWalk::wanted, this, &TableTools::step);
    connect(&selection, &SelectionModel::changed, this, &TableTools::showPlace);
    showPlace();
}

void TableTools::dropRange() {
    delete std::exchange(m_range, nullptr);
}

void TableTools::addFirst(QWidget* widget) {
    m_layout->insertWidget(0, widget);
}

QString TableTools::filter() const {
    return m_filter->text().trimmed();
}

void TableTools::showFilter(const QString& filter) {
    m_isQuiet = true;
    m_filter->setText(filter);
    m_isQuiet = false;
}

void TableTools::showPlace() {
    m_walk->showPlace(m_view.session().selection().event());
}

void TableTools::open(std::uint32_t row, bool again, const ReportEvidence& evidence,
                      std::vector<EventId> instances) {
    const Document* document = m_view.session().document();
    if (document == nullptr)
        return;
    if ((QGuiApplication::keyboardModifiers() & Qt::ControlModifier) != 0 && instances.size() > 1) {
        m_row = row;
        m_view.session().selection().setEvents(instances, Origin::Table); // all of them, outlined
        m_walk->setInstances(document->loaded.trace, std::move(instances));
        m_commands.refresh();
        return;
    }
    if (again && row == m_row && !m_walk->instances().empty())
        return step(1);
    m_row = row;
    const bool isWalk = instances.size() > 1;
    m_walk->setInstances(document->loaded.trace, isWalk ? std::move(instances) : std::vector<EventId>());
    m_commands.refresh();
    if (isWalk)
        step(1);
    else if (evidence.event || !instances.empty())
        m_view.goTo(evidence.event ? evidence.event : instances.front(), Origin::Table);
    else if (evidence.time)
        m_view.fit(*evidence.time, 1.0);
}

void TableTools::clear() {
    m_walk->setInstances(nullptr, {});
}

void TableTools::step(int direction) {
    if (const EventId next = m_walk->next(m_view.session().selection().event(), direction))
        m_view.goTo(next, Origin::Table);
}

} // namespace lacuna::ui
