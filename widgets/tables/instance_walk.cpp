#include "widgets/tables/instance_walk.h"

#include "core/base/text_format.h"
#include "widgets/command/command_registry.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace lacuna::ui {

namespace {

InstanceWalk* visibleWalk(const QWidget* panel) {
    for (auto* walk : panel->window()->findChildren<InstanceWalk*>())
        if (walk->isVisible() && !walk->instances().empty())
            return walk;
    return nullptr;
}

void addCommands(CommandRegistry& commands, QWidget* panel) {
    if (commands.action(u"instances.next"_s) != nullptr)
        return;
    const auto add = [&](const QString& id, const QString& title, const QKeySequence& key, int direction) {
        commands.add({id,
                      InstanceWalk::tr("Events"),
                      title,
                      {key},
                      [panel, direction] {
                          if (InstanceWalk* walk = visibleWalk(panel))
                              walk->step(direction);
                      },
                      [panel] { return visibleWalk(panel) != nullptr; },
                      nullptr,
                      true,
                      {}});
    };
    add(u"instances.next"_s, InstanceWalk::tr("Next event &behind the row of the table"), Qt::Key_J, 1);
    add(u"instances.previous"_s, InstanceWalk::tr("Previous event behin&d the row of the table"),
        QKeySequence(Qt::SHIFT | Qt::Key_J), -1);
}

} // namespace

InstanceWalk::InstanceWalk(CommandRegistry& commands, QWidget* panel)
    : QWidget(panel), m_place(new QLabel), m_sorting(new QToolButton) {
    setObjectName(u"instanceWalk"_s);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    const auto button = [&](const QString& sign, const QString& name, int direction) {
        auto* made = new QToolButton;
        made->setText(sign);
        made->setAccessibleName(name);
        made->setToolTip(name);
        made->setFixedSize(24, 24);
        made->setFocusPolicy(Qt::TabFocus);
        connect(made, &QToolButton::clicked, this, [this, direction] { step(direction); });
        return made;
    };
    m_place->setFont(uiFont(Face::Regular, 12));
    m_place->setTextFormat(Qt::PlainText);
    m_sorting->setFont(uiFont(Face::Regular, 12));
    m_sorting->setFocusPolicy(Qt::TabFocus);
    m_sorting->setToolTip(tr("In which order the events behind the row are gone through"));
    connect(m_sorting, &QToolButton::clicked, this, [this] { setByDuration(!m_isByDuration); });
    layout->addWidget(m_sorting);
    layout->addWidget(button(u"‹"_s, tr("Previous event behind the row (Shift+J)"), -1));
    layout->addWidget(m_place);
    layout->addWidget(button(u"›"_s, tr("Next event behind the row (J)"), 1));
    addCommands(commands, panel);
    setByDuration(false);
    hide();
}

void InstanceWalk::setInstances(std::shared_ptr<const Trace> trace, std::vector<EventId> byTime) {
    m_trace = std::move(trace);
    m_byTime = std::move(byTime);
    sort();
    setVisible(!m_byTime.empty());
}

void InstanceWalk::setByDuration(bool byDuration) {
    m_isByDuration = byDuration;
    m_sorting->setText(byDuration ? tr("longest first") : tr("by time"));
    sort();
}

void InstanceWalk::sort() {
    m_order = m_byTime;
    if (m_isByDuration && m_trace != nullptr) {
        const EventTable& events = m_trace->events();
        std::stable_sort(m_order.begin(), m_order.end(),
                         [&](EventId a, EventId b) { return events.duration(a).v > events.duration(b).v; });
    }
    showPlace(m_here);
}

EventId InstanceWalk::next(EventId here, int direction) const {
    if (m_order.empty())
        return {};
    const auto count = static_cast<std::ptrdiff_t>(m_order.size());
    const auto at = std::find(m_order.begin(), m_order.end(), here);
    if (at != m_order.end())
        return m_order[static_cast<std::size_t>((at - m_order.begin() + direction + count) % count)];
    if (m_isByDuration || !here)
        return m_order.front();
    const Column<std::int64_t>& begins = m_trace->events().beginNs;
    const auto later = std::find_if(m_order.begin(), m_order.end(),
                                    [&](EventId e) { return begins[e.v] >= begins[here.v]; });
    if (direction >= 0)
        return later == m_order.end() ? m_order.front() : *later;
    return later == m_order.begin() ? m_order.back() : *(later - 1);
}

void InstanceWalk::showPlace(EventId here) {
    m_here = here;
    const auto at = std::find(m_order.begin(), m_order.end(), here);
    const QString all = text(formatCount(m_order.size()));
    m_place->setText(
        at == m_order.end()
            ? tr("%1 event(s)", nullptr, pluralOf(m_order.size())).arg(all)
            : tr("%1 of %2")
                  .arg(text(formatCount(static_cast<std::uint64_t>(at - m_order.begin()) + 1)), all));
}

} // namespace lacuna::ui
