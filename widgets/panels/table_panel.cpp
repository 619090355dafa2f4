#include "widgets/panels/table_panel.h"

#include "widgets/tables/table_tools.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QLabel>

namespace lacuna::ui {

QLabel* makeTableNotes(const QString& name) {
    auto* notes = new QLabel;
    notes->setObjectName(name);
    notes->setFont(uiFont(Face::Regular, 12));
    notes->setTextFormat(Qt::PlainText);
    notes->setWordWrap(true);
    notes->setContentsMargins(10, 3, 10, 4);
    notes->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return notes;
}

QString notesOf(const ReportTable& table) {
    QStringList notes;
    for (const std::string& note : table.notes())
        notes << text(note);
    return notes.join(u' ');
}

TablePanel::TablePanel(const PanelContext& context, const QString& name, const QString& toolsName,
                       QWidget* parent)
    : Panel(parent), m_context(context), m_table(new ReportTableView),
      m_tools(new TableTools(context.view, context.commands, *m_table, toolsName, this)),
      m_notes(makeTableNotes(name + u"Notes"_s)) {
    m_table->setObjectName(name + u"Table"_s);
    connect(m_table, &ReportTableView::stateChanged, this, [this] { m_state = m_table->state(); });
    connect(m_table, &ReportTableView::exportDone, this, [this](const QString& message) {
        m_notes->setText(message);
        m_notes->show();
    });
}

QWidget* TablePanel::tabTools() {
    return m_tools;
}

void TablePanel::takeFocus() {
    m_table->setFocus(Qt::TabFocusReason);
}

void TablePanel::setThemePalette(const ThemePalette& palette) {
    m_table->setThemePalette(palette);
    m_notes->setStyleSheet(u"color: %1"_s.arg(palette.color(Ink::TextSecondary).name()));
}

QVariantMap TablePanel::kept() const {
    QVariantMap kept = Panel::kept();
    kept[u"table"_s] = QVariant::fromValue(m_state);
    return kept;
}

void TablePanel::restore(const QVariantMap& kept) {
    if (kept.isEmpty())
        return;
    Panel::restore(kept);
    m_state = kept.value(u"table"_s).value<ReportViewState>();
}

void TablePanel::showTable(ShownReport report, const QString& why, const QString& before) {
    m_tools->clear();
    const bool isEmpty = report.table == nullptr || report.table->rows() == 0;
    QString notes = report.table == nullptr ? QString() : notesOf(*report.table);
    if (!before.isEmpty())
        notes = notes.isEmpty() ? before : before + u' ' + notes;
    m_table->showPlaceholder(!isEmpty ? QString() : why.isEmpty() ? notes : why);
    m_notes->setText(isEmpty ? QString() : notes);
    m_notes->setVisible(!isEmpty && !notes.isEmpty());
    ReportViewState state = m_state;
    state.arrangement.filter = m_tools->filter().toStdString();
    m_table->showReport(std::move(report), state);
}

} // namespace lacuna::ui
