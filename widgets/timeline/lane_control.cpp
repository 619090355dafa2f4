#include "widgets/timeline/lane_control.h"

#include "widgets/command/command_registry.h"
#include "widgets/text.h"

#include <QInputDialog>
#include <QMenu>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lacuna::ui {

namespace {

constexpr double kTaller = 1.25;

const TimelineRow* rowOf(const TimelineViewModel& model, const std::string& key) {
    const auto rows = model.layout().rows();
    const auto at = std::ranges::find(rows, key, &TimelineRow::key);
    return at == rows.end() ? nullptr : &*at;
}

QString colouringTitle(ColourBy by) {
    switch (by) {
    case ColourBy::Kind:
        return LaneControl::tr("Colours: &kind");
    case ColourBy::Name:
        return LaneControl::tr("Colours: &name");
    case ColourBy::Family:
        return LaneControl::tr("Colours: &family");
    case ColourBy::Stream:
        return LaneControl::tr("Colours: &stream or thread");
    case ColourBy::Range:
        return LaneControl::tr("Colours: &range");
    case ColourBy::Duration:
        return LaneControl::tr("Colours: &duration");
    }
    return {};
}

// "view.colourByName"
QString colouringId(ColourBy by) {
    QString name = text(colourByName(by));
    name[0] = name[0].toUpper();
    return u"view.colourBy"_s + name;
}

} // namespace

// --- EditLanes

EditLanes::EditLanes(TimelineViewModel& model, LanePlan plan, EventLook look, const QString& text)
    : QUndoCommand(text), m_model(model), m_plan(std::move(plan)), m_look(std::move(look)) {}

void EditLanes::swap() {
    const LanePlan plan = m_model.lanePlan();
    const EventLook look = m_model.look();
    m_model.setLanePlan(m_plan);
    m_model.setLook(m_look);
    m_plan = plan;
    m_look = look;
}

// --- LaneControl

LaneControl::LaneControl(TimelineView& view, CommandRegistry& registry)
    : QObject(&view), m_view(view), m_model(view.model()), m_registry(registry) {
    m_ask = [this](const QString& title, const QString& label, const QString& value) {
        bool accepted = false;
        const QString answer =
            QInputDialog::getText(m_view.window(), title, label, QLineEdit::Normal, value, &accepted);
        return accepted ? std::optional(answer.trimmed()) : std::nullopt;
    };
    connect(&view, &TimelineView::rowDropped, this, &LaneControl::moveTo);
    connect(&view, &TimelineView::rowResized, this, &LaneControl::resize);
    connect(&view, &TimelineView::starClicked, this, &LaneControl::togglePin);
    connect(&view, &TimelineView::noteClicked, this, [this](const std::string& key) {
        if (key == "note/hidden")
            showHidden();
        else if (key == "note/filter")
            setFilter({});
    });
    connect(&view, &TimelineView::menuRequested, this, &LaneControl::showMenu);
    connect(&m_model.session().undoStack(), &QUndoStack::indexChanged, this, &LaneControl::edited);
    for (const auto signal : {&TimelineViewModel::lanesChanged, &TimelineViewModel::currentRowChanged})
        connect(&m_model, signal, &registry, &CommandRegistry::refresh);
    registerLanes();
    registerLooks();
}

void LaneControl::change(const LanePlan& plan, const EventLook& look, const QString& text) {
    if (plan == m_model.lanePlan() && look == m_model.look())
        return;
    m_model.session().undoStack().push(new EditLanes(m_model, plan, look, text));
}

void LaneControl::togglePin(const std::string& key) {
    const TimelineRow* row = rowOf(m_model, key);
    if (row == nullptr)
        return;
    LanePlan plan = m_model.lanePlan();
    if (row->pinned) {
        if (std::erase(plan.pinned, key) == 0)
            plan.unpinned.insert(key); // it is on top by itself
    } else if (plan.unpinned.erase(key) == 0) {
        plan.pinned.push_back(key);
    }
    changePlan(plan, row->pinned ? tr("Unpin lane") : tr("Pin lane"));
    m_model.setCurrentRow(key);
    m_model.revealRow(key);
}

void LaneControl::hide(const std::string& key) {
    const auto rows = m_model.layout().rows();
    const auto at = std::ranges::find(rows, key, &TimelineRow::key);
    if (at == rows.end() || at->kind == RowKind::Note)
        return;
    // The next row that stays is the current one then.
    const int indent = at->indent;
    auto next =
        std::find_if(at + 1, rows.end(), [&](const TimelineRow& row) { return row.indent <= indent; });
    if (next == rows.end() || next->kind == RowKind::Note)
        next = at == rows.begin() ? rows.end() : at - 1;
    const std::string nextKey = next == rows.end() ? std::string() : next->key;
    LanePlan plan = m_model.lanePlan();
    plan.hidden.insert(key);
    changePlan(plan, tr("Hide lane"));
    m_model.setCurrentRow(nextKey);
}

void LaneControl::showHidden() {
    LanePlan plan = m_model.lanePlan();
    plan.hidden.clear();
    changePlan(plan, tr("Show hidden lanes"));
}

void LaneControl::moveTo(const std::string& key, std::size_t place) {
    changePlan(movedTo(m_model.lanePlan(), m_model.layout().rows(), key, place), tr("Move lane"));
    m_model.setCurrentRow(key);
    m_model.revealRow(key);
}

void LaneControl::resize(const std::string& key, int percent) {
    LanePlan plan = m_model.lanePlan();
    if (percent == 100)
        plan.percent.erase(key);
    else
        plan.percent[key] = std::clamp(percent, kLeastPercent, kMostPercent);
    changePlan(plan, tr("Change height"));
}

void LaneControl::rename(const std::string& key, const QString& name) {
    LanePlan plan = m_model.lanePlan();
    if (name.isEmpty())
        plan.names.erase(key);
    else
        plan.names[key] = name.toStdString();
    changePlan(plan, tr("Rename lane"));
}

void LaneControl::renameEvents(const QString& recorded, const QString& name) {
    EventLook look = m_model.look();
    if (name.isEmpty() || name == recorded)
        look.names.erase(recorded.toStdString());
    else
        look.names[recorded.toStdString()] = name.toStdString();
    change(m_model.lanePlan(), look, tr("Rename events"));
}

void LaneControl::setFilter(const QString& text) {
    LanePlan plan = m_model.lanePlan();
    plan.filter = text.toStdString();
    changePlan(plan, tr("Filter lanes"));
}

void LaneControl::colourBy(ColourBy by) {
    EventLook look = m_model.look();
    look.colourBy = by;
    change(m_model.lanePlan(), look, tr("Change colours"));
}

void LaneControl::step(int direction) {
    const auto rows = m_model.layout().rows();
    const TimelineRow* now = current();
    auto place = now == nullptr
                     ? (direction > 0 ? std::ptrdiff_t{-1} : static_cast<std::ptrdiff_t>(rows.size()))
                     : now - rows.data();
    do {
        place += direction;
    } while (place >= 0 && place < static_cast<std::ptrdiff_t>(rows.size()) &&
             rows[static_cast<std::size_t>(place)].kind == RowKind::Note);
    if (place < 0 || place >= static_cast<std::ptrdiff_t>(rows.size()))
        return;
    const std::string key = rows[static_cast<std::size_t>(place)].key;
    m_model.setCurrentRow(key);
    m_model.revealRow(key);
}

void LaneControl::moveBy(int direction) {
    const auto rows = m_model.layout().rows();
    const std::string key = current()->key;
    const std::vector<std::size_t> siblings = siblingsOf(rows, key);
    const auto at = std::ranges::find_if(siblings, [&](std::size_t row) { return rows[row].key == key; });
    const auto place = at - siblings.begin() + (direction > 0 ? 2 : -1);
    if (at != siblings.end() && place >= 0 && place <= static_cast<std::ptrdiff_t>(siblings.size()))
        moveTo(key, static_cast<std::size_t>(place));
}

void LaneControl::resizeBy(double factor) {
    const std::string key = current()->key;
    const auto& percent = m_model.lanePlan().percent;
    const auto at = percent.find(key);
    const int now = at == percent.end() ? 100 : at->second;
    resize(key, static_cast<int>(std::lround(now * factor)));
}

bool LaneControl::isLane() const {
    const TimelineRow* row = current();
    return row != nullptr && row->kind == RowKind::Lane && row->stripCount > 0;
}

void LaneControl::askForRowName() {
    const TimelineRow row = *current();
    const QString recorded = text(row.recordedTitle.empty() ? row.title : row.recordedTitle);
    if (const auto name =
            m_ask(tr("Rename lane"), tr("Name of %1 (empty: as recorded)").arg(recorded), text(row.title)))
        rename(row.key, *name == recorded ? QString() : *name);
}

void LaneControl::askForEventName() {
    const QString recorded = text(m_model.trace()->nameOf(m_model.session().selection().event()));
    const auto given = m_model.look().names.find(recorded.toStdString());
    const QString now = given == m_model.look().names.end() ? recorded : text(given->second);
    if (const auto name =
            m_ask(tr("Rename events"), tr("Name of all events of this name (empty: as recorded)"), now))
        renameEvents(recorded, *name);
}

void LaneControl::registerLanes() {
    const QString group = tr("Lanes");
    const auto open = [this] { return m_model.trace() != nullptr; };
    const auto any = [this] { return m_model.trace() != nullptr && current() != nullptr; };
    const auto lane = [this] { return m_model.trace() != nullptr && isLane(); };
    const auto add = [&](const char* id, const QString& title, QKeySequence key, std::function<void()> run,
                         std::function<bool()> available, bool repeats = false) {
        const QList<QKeySequence> keys = key.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{key};
        m_registry.add({QLatin1String(id),
                        group,
                        title,
                        keys,
                        std::move(run),
                        std::move(available),
                        nullptr,
                        repeats,
                        {}});
    };
    add(
        "lanes.next", tr("&Next lane"), QKeySequence(Qt::CTRL | Qt::Key_Down), [this] { step(1); }, open,
        true);
    add(
        "lanes.previous", tr("&Previous lane"), QKeySequence(Qt::CTRL | Qt::Key_Up), [this] { step(-1); },
        open, true);
    add(
        "lanes.fold", tr("&Fold or unfold"), Qt::Key_X,
        [this] { m_model.toggleFold(TimelineRow(*current())); },
        [this, any] { return any() && current()->foldable; });
    add(
        "lanes.foldGroups", tr("Fold all &groups"), {}, [this] { m_model.foldGroups(true); }, open);
    add(
        "lanes.unfoldGroups", tr("&Unfold all groups"), {}, [this] { m_model.foldGroups(false); }, open);
    add(
        "lanes.pin", tr("Pin to the &top, or let go"), Qt::Key_P,
        [this] { togglePin(std::string(current()->key)); }, any);
    add(
        "lanes.hide", tr("&Hide"), Qt::Key_H, [this] { hide(std::string(current()->key)); }, any);
    add(
        "lanes.showHidden", tr("&Show hidden lanes"), QKeySequence(Qt::SHIFT | Qt::Key_H),
        [this] { showHidden(); }, [this, open] { return open() && !m_model.lanePlan().hidden.empty(); });
    add(
        "lanes.moveUp", tr("Move up"), QKeySequence(Qt::ALT | Qt::Key_Up), [this] { moveBy(-1); }, any, true);
    add(
        "lanes.moveDown", tr("Move down"), QKeySequence(Qt::ALT | Qt::Key_Down), [this] { moveBy(1); }, any,
        true);
    add(
        "lanes.taller", tr("Higher"), QKeySequence(Qt::ALT | Qt::Key_Plus), [this] { resizeBy(kTaller); },
        lane, true);
    add(
        "lanes.lower", tr("Lower"), QKeySequence(Qt::ALT | Qt::Key_Minus), [this] { resizeBy(1 / kTaller); },
        lane, true);
    add(
        "lanes.rename", tr("&Rename lane..."), QKeySequence(Qt::SHIFT | Qt::Key_F2),
        [this] { askForRowName(); }, any);
    add(
        "lanes.renameEvents", tr("Rename &events of this name..."), QKeySequence(Qt::CTRL | Qt::Key_F2),
        [this] { askForEventName(); },
        [this, open] { return open() && static_cast<bool>(m_model.session().selection().event()); });
    add(
        "lanes.filter", tr("F&ilter lanes..."), Qt::Key_L,
        [this] {
            if (const auto wanted =
                    m_ask(tr("Filter lanes"), tr("Text in the name of the lane or its group (empty: all)"),
                          text(m_model.lanePlan().filter)))
                setFilter(*wanted);
        },
        open);
    add(
        "lanes.reset", tr("Lanes as &usual"), {}, [this] { changePlan({}, tr("Lanes as usual")); },
        [this, open] { return open() && !m_model.lanePlan().isEmpty(); });
}

void LaneControl::registerLooks() {
    const QString group = tr("Window");
    const auto open = [this] { return m_model.trace() != nullptr; };
    for (const ColourBy by : {ColourBy::Kind, ColourBy::Name, ColourBy::Family, ColourBy::Stream,
                              ColourBy::Range, ColourBy::Duration})
        m_registry.add({colouringId(by),
                        group,
                        colouringTitle(by),
                        {},
                        [this, by] { colourBy(by); },
                        open,
                        nullptr,
                        false,
                        [this, by] { return m_model.look().colourBy == by; }});
    m_registry.add({u"view.fullNames"_s,
                    group,
                    tr("Names as &recorded"),
                    {},
                    [this] {
                        EventLook look = m_model.look();
                        look.fullNames = !look.fullNames;
                        change(m_model.lanePlan(), look, tr("Change names"));
                    },
                    open,
                    nullptr,
                    false,
                    [this] { return m_model.look().fullNames; }});
}

void LaneControl::fillMenu(QMenu& menu, bool onHeads) const {
    static constexpr std::array kOfEvents{
        "timeline.focusSelection", "annotate.add", "annotate.addVerdict", "ranges.fromSelection",
        "ranges.measure",          "ranges.alike", "lanes.renameEvents",  "-"};
    static constexpr std::array kOfLanes{
        "lanes.fold",   "lanes.pin",      "lanes.hide",   "lanes.showHidden", "-",
        "lanes.moveUp", "lanes.moveDown", "lanes.taller", "lanes.lower",      "-",
        "lanes.rename", "lanes.filter",   "lanes.reset"};
    const auto add = [&](const char* id) {
        if (QLatin1String(id) == u"-"_s)
            menu.addSeparator();
        else if (QAction* action = m_registry.action(QLatin1String(id));
                 action != nullptr && action->isEnabled())
            menu.addAction(action);
    };
    if (!onHeads)
        for (const char* id : kOfEvents)
            add(id);
    for (const char* id : kOfLanes)
        add(id);
    QMenu* colours = menu.addMenu(tr("&Colours"));
    for (const ColourBy by : {ColourBy::Kind, ColourBy::Name, ColourBy::Family, ColourBy::Stream,
                              ColourBy::Range, ColourBy::Duration})
        colours->addAction(m_registry.action(colouringId(by)));
    add("view.fullNames");
}

void LaneControl::showMenu(QPoint global, bool onHeads) {
    m_registry.refresh();
    auto* menu = new QMenu(&m_view);
    menu->setObjectName(u"timelineMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(*menu, onHeads);
    menu->popup(global);
}

} // namespace lacuna::ui
