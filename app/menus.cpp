#include "app/menus.h"

#include "widgets/command/command_registry.h"
#include "widgets/text.h"

#include <QCoreApplication>

#include <vector>

namespace lacuna::ui {

namespace {

constexpr const char* kLine = "-";
constexpr const char* kRecent = "recent";

struct MenuTable {
    const char* title;
    std::vector<const char*> entries;
};

std::vector<MenuTable> tables() {
    return {
        {QT_TRANSLATE_NOOP("Menus", "&File"),
         {"file.open", "file.openFolder", "file.openNcu", kRecent, "file.reload", "file.close", kLine,
          "file.save", "file.saveAs", kLine, "file.export", "file.report", kLine, "file.nsys",
          "file.clearCache", kLine, "file.quit"}},
        {QT_TRANSLATE_NOOP("Menus", "&Edit"),
         {"edit.undo", "edit.redo", kLine, "find.search", "find.next", "find.previous", "find.results",
          "find.compiled", kLine, "edit.copyReport", kLine, "edit.settings"}},
        {QT_TRANSLATE_NOOP("Menus", "&View"),
         {"view.inspector",
          "view.bottom",
          "view.kernel",
          "view.notes",
          "view.criticalPath",
          kLine,
          "steps.panel",
          "steps.enter",
          "view.stepStrip",
          "steps.includeWarmUp",
          "steps.startUpIsTarget",
          kLine,
          "timeline.zoomIn",
          "timeline.zoomOut",
          "timeline.panLeft",
          "timeline.panRight",
          "timeline.focusSelection",
          "timeline.showWhole",
          kLine,
          "view.colourByKind",
          "view.colourByName",
          "view.colourByFamily",
          "view.colourByStream",
          "view.colourByRange",
          "view.colourByDuration",
          "view.fullNames",
          kLine,
          "view.timeSinceTrace",
          "view.timeSinceStep",
          "view.timeSinceSelection",
          "view.timeWallClock",
          kLine,
          "view.themeFollow",
          "view.themeLight",
          "view.themeDark",
          "view.themeContrast",
          kLine,
          "view.textLarger",
          "view.textSmaller",
          "view.reducedMotion",
          "view.plainWheelZooms",
          kLine,
          "view.fullScreen"}},
        {QT_TRANSLATE_NOOP("Menus", "&Go"),
         {"find.place",
          "find.lane",
          kLine,
          "gaps.next",
          "gaps.previous",
          "gaps.nextInTime",
          "gaps.previousInTime",
          kLine,
          "events.next",
          "events.previous",
          "events.followArrow",
          "events.followArrowBack",
          kLine,
          "timeline.back",
          "timeline.forward",
          kLine,
          "ranges.fromSelection",
          "ranges.measure",
          "ranges.alike",
          "ranges.nextAlike",
          "ranges.previousAlike",
          kLine,
          "view.focusInspector",
          "view.nextRegion",
          "timeline.escape"}},
        {QT_TRANSLATE_NOOP("Menus", "&Lanes"),
         {"lanes.next",       "lanes.previous",     kLine,          "lanes.fold",
          "lanes.foldGroups", "lanes.unfoldGroups", kLine,          "lanes.pin",
          "lanes.hide",       "lanes.showHidden",   kLine,          "lanes.moveUp",
          "lanes.moveDown",   "lanes.taller",       "lanes.lower",  kLine,
          "lanes.rename",     "lanes.renameEvents", "lanes.filter", kLine,
          "lanes.reset"}},
        {QT_TRANSLATE_NOOP("Menus", "&Annotate"),
         {"annotate.add", "annotate.tool", "annotate.addVerdict", "annotate.pin", "ranges.keep",
          "annotate.arrow", "annotate.highlight", "annotate.redact", kLine, "annotate.edit",
          "annotate.remove"}},
        {QT_TRANSLATE_NOOP("Menus", "&Help"),
         {"help.keys", "help.concepts", "help.covers", "find.commands", kLine, "help.sample0", "help.sample1",
          "help.sample2", kLine, "help.about"}},
    };
}

} // namespace

void buildMenus(QMenuBar& bar, const CommandRegistry& commands, std::function<void(QMenu&)> fillRecent) {
    for (const MenuTable& table : tables()) {
        QMenu* menu = bar.addMenu(QCoreApplication::translate("Menus", table.title));
        for (const char* entry : table.entries) {
            const QString id = QString::fromLatin1(entry);
            if (id == QLatin1String(kLine)) {
                menu->addSeparator();
            } else if (id == QLatin1String(kRecent)) {
                QMenu* recent = menu->addMenu(QCoreApplication::translate("Menus", "Open &recent"));
                QObject::connect(recent, &QMenu::aboutToShow, recent, [recent, fillRecent] {
                    recent->clear();
                    fillRecent(*recent);
                });
            } else if (QAction* action = commands.action(id)) {
                menu->addAction(action);
            }
        }
    }
}

} // namespace lacuna::ui
