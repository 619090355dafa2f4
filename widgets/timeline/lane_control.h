#pragma once
// What a person does with lanes and with the look of events, by command, mouse and menu: pin, hide, move,
// resize, rename, filter, fold; colours and names. Every change is one step of undo. Lane commands act on the
// current row (TimelineViewModel::currentRow).

#include "widgets/timeline/timeline_view.h"

#include <QObject>
#include <QUndoCommand>

#include <functional>
#include <optional>

class QMenu;

namespace lacuna::ui {

class CommandRegistry;

// Holds a plan and a look; redo and undo swap them with those of the model.
class EditLanes final : public QUndoCommand {
public:
    EditLanes(TimelineViewModel& model, LanePlan plan, EventLook look, const QString& text);
    void redo() override { swap(); }
    void undo() override { swap(); }

private:
    void swap();
    TimelineViewModel& m_model;
    LanePlan m_plan;
    EventLook m_look;
};

class LaneControl : public QObject {
    Q_OBJECT
public:
    // Belongs to the view.
    LaneControl(TimelineView& view, CommandRegistry& registry);

    void togglePin(const std::string& key);
    void hide(const std::string& key);
    void showHidden();
    void moveTo(const std::string& key, std::size_t place); // as movedTo()
    void resize(const std::string& key, int percent);
    void rename(const std::string& key, const QString& name); // empty: as recorded
    void renameEvents(const QString& recorded, const QString& name);
    void setFilter(const QString& text);
    void colourBy(ColourBy by);

    // Asks for a text: title, label, present value; none when cancelled. Tests put their own here.
    using Ask = std::function<std::optional<QString>(const QString&, const QString&, const QString&)>;
    void setAsk(Ask ask) { m_ask = std::move(ask); }
    // What a right click offers; every entry is a command.
    void fillMenu(QMenu& menu, bool onHeads) const;

Q_SIGNALS:
    void edited(); // by the user, undo and redo included

private:
    void registerLanes();
    void registerLooks();
    void change(const LanePlan& plan, const EventLook& look, const QString& text);
    void changePlan(const LanePlan& plan, const QString& text) { change(plan, m_model.look(), text); }
    void step(int direction);   // to the next row
    void moveBy(int direction); // the current row among its siblings
    void resizeBy(double factor);
    void askForRowName();
    void askForEventName();
    void showMenu(QPoint global, bool onHeads);
    const TimelineRow* current() const { return m_model.currentRow(); }
    bool isLane() const;

    TimelineView& m_view;
    TimelineViewModel& m_model;
    CommandRegistry& m_registry;
    Ask m_ask;
};

} // namespace lacuna::ui
