#include "widgets/timeline/time_base_control.h"

#include "widgets/command/command_registry.h"
#include "widgets/text.h"

#include <QMenu>

namespace lacuna::ui {

namespace {

QString titleOf(TimeBase base) {
    switch (base) {
    case TimeBase::StepStart:
        return TimeBaseControl::tr("Time since the st&ep's start");
    case TimeBase::SelectionStart:
        return TimeBaseControl::tr("Time since the &selection");
    case TimeBase::WallClock:
        return TimeBaseControl::tr("&Wall clock");
    case TimeBase::TraceStart:
        break;
    }
    return TimeBaseControl::tr("Time since &trace start");
}

QString reasonOf(TimeBase base) {
    switch (base) {
    case TimeBase::StepStart:
        return TimeBaseControl::tr("no steps were found");
    case TimeBase::SelectionStart:
        return TimeBaseControl::tr("nothing is selected");
    case TimeBase::WallClock:
        return TimeBaseControl::tr("this trace does not record it");
    case TimeBase::TraceStart:
        break;
    }
    return TimeBaseControl::tr("no trace is open");
}

} // namespace

QString TimeBaseControl::commandOf(TimeBase base) {
    switch (base) {
    case TimeBase::StepStart:
        return u"view.timeSinceStep"_s;
    case TimeBase::SelectionStart:
        return u"view.timeSinceSelection"_s;
    case TimeBase::WallClock:
        return u"view.timeWallClock"_s;
    case TimeBase::TraceStart:
        break;
    }
    return u"view.timeSinceTrace"_s;
}

TimeBaseControl::TimeBaseControl(TimelineView& view, CommandRegistry& registry)
    : QObject(&view), m_view(view), m_model(view.model()), m_registry(registry) {
    for (const TimeBase base : kTimeBases)
        registry.add({commandOf(base),
                      tr("Window"),
                      titleOf(base),
                      {},
                      [this, base] { m_model.setTimeBase(base); },
                      [this, base] { return m_model.hasTimeBase(base); },
                      nullptr,
                      false,
                      [this, base] { return m_model.trace() != nullptr && m_model.axis().base == base; }});
    connect(&view, &TimelineView::timeBaseMenuRequested, this, &TimeBaseControl::showMenu);
    const auto refresh = [this] {
        showReasons();
        m_registry.refresh();
    };
    AnalysisSession& session = m_model.session();
    for (const auto signal : {&AnalysisSession::documentChanged, &AnalysisSession::previewChanged})
        connect(&session, signal, this, refresh);
    connect(&session.selection(), &SelectionModel::changed, this, &TimeBaseControl::showReasons);
    connect(&m_model, &TimelineViewModel::axisChanged, this, refresh);
    showReasons();
}

void TimeBaseControl::showReasons() {
    for (const TimeBase base : kTimeBases)
        m_registry.action(commandOf(base))
            ->setText(m_model.hasTimeBase(base) ? titleOf(base)
                                                : tr("%1 (%2)").arg(titleOf(base), reasonOf(base)));
}

void TimeBaseControl::showMenu(QPoint global) {
    m_registry.refresh();
    auto* menu = new QMenu(&m_view);
    menu->setObjectName(u"timeBaseMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const TimeBase base : kTimeBases)
        menu->addAction(m_registry.action(commandOf(base)));
    menu->popup(global);
}

} // namespace lacuna::ui
