#include "app/menus.h"

#include "widgets/command/command_registry.h"
#include "widgets/text.h"

#include <QCoreApplication>

#include <vector>

namespace lacuna::ui {

namespace {

constexpr const char* kLine = "-";
constexpr const char* kRecent = "recent";

struct Entry {
    const char* id;                        // of a command; kLine, kRecent; of a submenu none
    const char* title = nullptr;           // of a submenu
    std::vector<const char*> entries = {}; // of a submenu: command ids
};

struct MenuTable {
    const char* title;
    std::vector<Entry> entries;
};

std::vector<MenuTable> tables() {
    return {
        {QT_TRANSLATE_NOOP("Menus", "&File"),
         {{"file.open"},
          {"file.openFolder"},
          {"file.openNcu"},
          {kRecent},
          {"file.reload"},
          {"file.close"},
          {kLine},
          {"file.save"},
          {"file.saveAs"},
          {kLine},
          {"file.export"},
          {"file.report"},
          {kLine},
          {"file.quit"}}},
        {QT_TRANSLATE_NOOP("Menus", "&Edit"),
         {{"edit.undo"},
          {"edit.redo"},
          {kLine},
          {"find.search"},
          {"find.next"},
          {"find.previous"},
          {"find.results"},
          {kLine},
          {"edit.copyReport"},
          {kLine},
          {"edit.settings"}}},
        {QT_TRANSLATE_NOOP("Menus", "&View"),
         {{"view.inspector"},
          {"view.bottom"},
          {"view.stepStrip"},
          {kLine},
          {"timeline.zoomIn"},
          {"timeline.zoomOut"},
          {"timeline.panLeft"},
          {"timeline.panRight"},
          {"timeline.focusSelection"},
          {"timeline.showWhole"},
          {kLine},
          {nullptr,
           QT_TRANSLATE_NOOP("Menus", "&Lanes"),
           {"lanes.next",       "lanes.previous",     kLine,          "lanes.fold",
            "lanes.foldGroups", "lanes.unfoldGroups", kLine,          "lanes.pin",
            "lanes.hide",       "lanes.showHidden",   kLine,          "lanes.moveUp",
            "lanes.moveDown",   "lanes.taller",       "lanes.lower",  kLine,
            "lanes.rename",     "lanes.renameEvents", "lanes.filter", kLine,
            "lanes.reset"}},
          {nullptr,
           QT_TRANSLATE_NOOP("Menus", "A&rrows"),
           {"arrows.off", "arrows.selection", "arrows.range", kLine, "arrows.moreHops", "arrows.oneHop"}},
          {nullptr,
           QT_TRANSLATE_NOOP("Menus", "Colo&urs"),
           {"view.colourByKind", "view.colourByName", "view.colourByFamily", "view.colourByStream",
            "view.colourByRange", "view.colourByDuration"}},
          {"view.fullNames"},
          {nullptr,
           QT_TRANSLATE_NOOP("Menus", "&Times count from"),
           {"view.timeSinceTrace", "view.timeSinceStep", "view.timeSinceSelection", "view.timeWallClock"}},
          {kLine},
          {nullptr,
           QT_TRANSLATE_NOOP("Menus", "The&me"),
           {"view.themeFollow", "view.themeLight", "view.themeDark", "view.themeContrast"}},
          {"view.textLarger"},
          {"view.textSmaller"},
          {"view.reducedMotion"},
          {"view.plainWheelZooms"},
          {kLine},
          {"view.fullScreen"}}},
        {QT_TRANSLATE_NOOP("Menus", "&Go"),
         {{"find.place"},
          {"find.lane"},
          {kLine},
          {"gaps.next"},
          {"gaps.previous"},
          {"gaps.nextInTime"},
          {"gaps.previousInTime"},
          {kLine},
          {"events.next"},
          {"events.previous"},
          {"events.followArrow"},
          {"events.followArrowBack"},
          {"events.chooseArrow"},
          {"events.chooseArrowBack"},
          {kLine},
          {"timeline.back"},
          {"timeline.forward"},
          {kLine},
          {"ranges.nextAlike"},
          {"ranges.previousAlike"},
          {kLine},
          {"view.focusInspector"},
          {"view.nextRegion"},
          {"timeline.escape"}}},
        {QT_TRANSLATE_NOOP("Menus", "Anal&yse"),
         {{"panels.gaps"},
          {"panels.operators"},
          {"panels.kernels"},
          {"panels.api"},
          {"panels.copies"},
          {"panels.phases"},
          {"steps.panel"},
          {"panels.memory"},
          {"panels.streams"},
          {"panels.log"},
          {"panels.ranks"},
          {"panels.reports"},
          {"panels.flame"},
          {kLine},
          {"view.kernel"},
          {"view.criticalPath"},
          {"view.notes"},
          {kLine},
          {"ranges.fromSelection"},
          {"ranges.measure"},
          {"ranges.alike"},
          {"find.compiled"},
          {kLine},
          {"steps.enter"},
          {"steps.log"},
          {"steps.includeWarmUp"},
          {"steps.startUpIsTarget"}}},
        {QT_TRANSLATE_NOOP("Menus", "&Annotate"),
         {{"annotate.add"},
          {"annotate.tool"},
          {"annotate.addVerdict"},
          {"annotate.pin"},
          {"ranges.keep"},
          {"annotate.arrow"},
          {"annotate.highlight"},
          {"annotate.redact"},
          {kLine},
          {"annotate.edit"},
          {"annotate.remove"},
          {kLine},
          {"panels.annotations"}}},
        {QT_TRANSLATE_NOOP("Menus", "&Tools"),
         {{"find.commands"},
          {"help.keys"},
          {kLine},
          {"view.frameTimes"},
          {kLine},
          {"file.nsys"},
          {"file.clearCache"}}},
        {QT_TRANSLATE_NOOP("Menus", "&Help"),
         {{"help.keys"},
          {"help.concepts"},
          {"help.covers"},
          {"help.sums"},
          {kLine},
          {"help.sample0"},
          {"help.sample1"},
          {"help.sample2"},
          {kLine},
          {"help.about"}}},
    };
}

void addEntry(QMenu& menu, const CommandRegistry& commands, const QString& id) {
    if (id == QLatin1String(kLine))
        menu.addSeparator();
    else if (QAction* action = commands.action(id))
        menu.addAction(action);
}

} // namespace

void buildMenus(QMenuBar& bar, const CommandRegistry& commands, std::function<void(QMenu&)> fillRecent) {
    for (const MenuTable& table : tables()) {
        QMenu* menu = bar.addMenu(QCoreApplication::translate("Menus", table.title));
        for (const Entry& entry : table.entries) {
            if (entry.title != nullptr) {
                QMenu* sub = menu->addMenu(QCoreApplication::translate("Menus", entry.title));
                for (const char* id : entry.entries)
                    addEntry(*sub, commands, QString::fromLatin1(id));
            } else if (QLatin1String(entry.id) == QLatin1String(kRecent)) {
                QMenu* recent = menu->addMenu(QCoreApplication::translate("Menus", "Open &recent"));
                QObject::connect(recent, &QMenu::aboutToShow, recent, [recent, fillRecent] {
                    recent->clear();
                    fillRecent(*recent);
                });
            } else {
                addEntry(*menu, commands, QString::fromLatin1(entry.id));
            }
        }
    }
}

} // namespace lacuna::ui
