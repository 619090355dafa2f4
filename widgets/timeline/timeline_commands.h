#pragma once
// The commands of the timeline: movement, walking events, arrows and gaps, callouts.

#include "core/view/selection.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace lacuna::ui {

class AnalysisSession;
class Callouts;
class CommandRegistry;
class TimelineView;
class TimelineViewModel;

class TimelineCommands : public QObject {
    Q_OBJECT
public:
    TimelineCommands(TimelineView& view, Callouts& callouts, AnalysisSession& session,
                     CommandRegistry& registry);

    // Where a key leads from the present selection; none: nowhere.
    std::optional<Selection> eventInLane(int direction) const;
    std::optional<Selection> alongArrow(int direction) const;
    std::optional<Selection> gapByRank(int direction) const;
    std::optional<Selection> gapInTime(int direction) const;

private:
    void addMovement(CommandRegistry& registry);
    void addWalks(CommandRegistry& registry);
    void addArrows(CommandRegistry& registry);
    std::vector<EventId> arrowEndsOf(int direction) const;
    bool hasArrow(int direction) const;
    void chooseArrow(int direction);
    void addAnnotations(CommandRegistry& registry);
    void go(const std::optional<Selection>& target);
    void escape();
    EventId firstInView() const;

    TimelineView& m_view;
    TimelineViewModel& m_model;
    Callouts& m_callouts;
    AnalysisSession& m_session;
};

} // namespace lacuna::ui
