// The annotations of the open trace: a row goes to its place, a tick shows or hides it, Delete removes it.

#include "widgets/panels/annotations_panel.h"

#include "core/document/live_notes.h"
#include "widgets/panels/panel.h"
#include "widgets/session/annotation_commands.h"
#include "widgets/tables/annotation_table_model.h"
#include "widgets/tables/plain_table.h"
#include "widgets/text.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QTableView>
#include <QVBoxLayout>

namespace lacuna::ui {

namespace {

constexpr int kRowHeight = 22, kShownWidth = 56, kKindWidth = 110, kLaneWidth = 180, kTimeWidth = 250;

class AnnotationsPanel final : public Panel {
    Q_DECLARE_TR_FUNCTIONS(lacuna::ui::AnnotationsPanel)
public:
    AnnotationsPanel(const PanelContext& context, QWidget* parent)
        : Panel(parent), m_context(context), m_model(new AnnotationTableModel(context.session, this)),
          m_table(new QTableView) {
        setAccessibleName(title());
        m_table->setObjectName(u"annotationsTable"_s);
        m_table->setAccessibleName(tr("Annotations"));
        m_table->setModel(m_model);
        setUpPlainTable(*m_table, kRowHeight);
        QHeaderView* header = m_table->horizontalHeader();
        header->setSectionResizeMode(AnnotationTableModel::Says, QHeaderView::Stretch);
        header->resizeSection(AnnotationTableModel::Shown, kShownWidth);
        header->resizeSection(AnnotationTableModel::Kind, kKindWidth);
        header->resizeSection(AnnotationTableModel::Lane, kLaneWidth);
        header->resizeSection(AnnotationTableModel::Time, kTimeWidth);
        m_table->installEventFilter(this);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(m_table);
        const auto go = [this](const QModelIndex& index) {
            if (index.isValid() && index.column() != AnnotationTableModel::Shown)
                goTo(m_model->idAt(index.row()));
        };
        connect(m_table, &QTableView::clicked, this, go);
        connect(m_table, &QTableView::activated, this, go);
        connect(&context.view, &TimelineViewModel::invalidated, this, [this] {
            if (const int row = m_model->rowOf(m_context.view.selectedCallout());
                row >= 0 && row != m_table->currentIndex().row())
                m_table->selectRow(row);
        });
    }

    QString title() const override { return tr("Annotations"); }
    void setThemePalette(const ThemePalette&) override {}
    void takeFocus() override { m_table->setFocus(Qt::TabFocusReason); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::KeyPress) {
            const auto* key = static_cast<QKeyEvent*>(event);
            const QModelIndex index = m_table->currentIndex();
            if (key->key() == Qt::Key_Delete && index.isValid()) {
                AnalysisSession& session = m_context.session;
                session.undoStack().push(new EditAnnotations(
                    session, AnnotationEdit::remove(m_model->idAt(index.row())), tr("Delete note")));
                return true;
            }
            if (key->key() == Qt::Key_Space && index.isValid()) { // from any column
                const QModelIndex box = index.siblingAtColumn(AnnotationTableModel::Shown);
                const bool shown = m_model->data(box, Qt::CheckStateRole).toInt() == Qt::Checked;
                return m_model->setData(box, shown ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
            }
        }
        return Panel::eventFilter(watched, event);
    }

private:
    void goTo(std::uint32_t id) {
        const Callout* note = m_context.session.annotations().find(id);
        const Trace* trace = m_context.view.trace();
        if (note == nullptr || trace == nullptr)
            return;
        // What it is about comes with it: the inspector says what there is to say.
        SelectionModel& selection = m_context.session.selection();
        const Document* document = m_context.session.document();
        if (const EventId event = eventOfNote(*trace, *note))
            selection.set(event, Origin::Table);
        else if (const auto gap =
                     document != nullptr ? gapOfNote(*trace, *document->gaps, *note) : std::nullopt)
            selection.set(*gap, Origin::Table);
        m_context.view.setSelectedCallout(id);
        m_context.view.reveal({note->time, note->end.value_or(note->time)}, laneOfKey(*trace, note->laneKey));
    }

    PanelContext m_context;
    AnnotationTableModel* m_model;
    QTableView* m_table;
};

} // namespace

Panel* makeAnnotationsPanel(const PanelContext& context, QWidget* parent) {
    return new AnnotationsPanel(context, parent);
}

} // namespace lacuna::ui
