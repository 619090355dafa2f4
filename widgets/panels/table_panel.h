#pragma once
// What panels around one table of a report share: its tools in the tab bar, notes below it, and what a person
// has set in it, which outlives the widgets.

#include "widgets/panels/panel.h"
#include "widgets/tables/report_table_view.h"

class QLabel;

namespace lacuna::ui {

class TableTools;

QLabel* makeTableNotes(const QString& name); // for below a table, with nothing in it yet
QString notesOf(const ReportTable& table);   // one after the other

class TablePanel : public Panel {
    Q_OBJECT
public:
    QWidget* tabTools() override;
    void takeFocus() override;
    void setThemePalette(const ThemePalette& palette) override;
    QVariantMap kept() const override;
    void restore(const QVariantMap& kept) override;

protected:
    // `name` begins the object names of table and notes, `toolsName` those of the tools. Where the parts
    // stand is up to the panel.
    TablePanel(const PanelContext& context, const QString& name, const QString& toolsName, QWidget* parent);

    // As a person has arranged it, notes below. Without rows `why` in their place, or else the notes.
    // `before` stands before the notes.
    void showTable(ShownReport report, const QString& why = {}, const QString& before = {});

    void forgetArrangement() { m_state = {}; } // of other columns

    PanelContext m_context;
    ReportTableView* m_table;
    TableTools* m_tools;
    QLabel* m_notes;

private:
    ReportViewState m_state;
};

} // namespace lacuna::ui
