// What a search found: the hits in time, how they were found, and the switch that reads arguments.

#include "core/base/text_format.h"
#include "widgets/command/command_registry.h"
#include "widgets/panels/panel.h"
#include "widgets/search/hit_table_model.h"
#include "widgets/search/search_session.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/timeline_renderer.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace lacuna::ui {

namespace {

constexpr int kHitRowHeight = 22, kCellPad = 8, kHitSwatch = 10;

class HitDelegate final : public QStyledItemDelegate {
public:
    HitDelegate(const HitTableModel& model, QObject* parent) : QStyledItemDelegate(parent), m_model(model) {}
    void setThemePalette(const ThemePalette& palette) { m_palette = palette; }
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {60, kHitRowHeight};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        painter->setLayoutDirection(option.direction);
        QRect cell = option.rect;
        const bool chosen = (option.state & QStyle::State_Selected) != 0;
        if (chosen)
            painter->fillRect(cell, m_palette.color(Ink::SelectedRow));
        if (index.column() == HitTableModel::Name) {
            if (chosen)
                painter->fillRect(QRect(cell.left(), cell.top(), 3, cell.height()),
                                  m_palette.color(Ink::Selection));
            const Ink role = inkOf(*m_model.trace(), m_model.eventAt(index.row()));
            paintKindSwatch(
                *painter,
                QRectF(cell.left() + 12, cell.center().y() - kHitSwatch / 2 + 1, kHitSwatch, kHitSwatch),
                role, m_palette);
            cell.setLeft(cell.left() + 22);
        }
        const bool mono = index.column() == HitTableModel::Name;
        const QFont font = uiFont(mono ? Face::Mono : Face::Regular, 12);
        const bool quiet = index.column() == HitTableModel::Category || index.column() == HitTableModel::Lane;
        painter->setFont(font);
        painter->setPen(m_palette.color(quiet ? Ink::TextSecondary : Ink::Text));
        const QRect room = cell.adjusted(kCellPad, 0, -kCellPad, 0);
        painter->drawText(
            room, index.data(Qt::TextAlignmentRole).toInt(),
            QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideRight, room.width()));
    }

private:
    const HitTableModel& m_model;
    ThemePalette m_palette = ThemePalette::of(Theme::Light);
};

class SearchPanel final : public Panel {
    Q_DECLARE_TR_FUNCTIONS(lacuna::ui::SearchPanel)
public:
    SearchPanel(const PanelContext& context, QWidget* parent)
        : Panel(parent), m_context(context), m_model(new HitTableModel(this)),
          m_delegate(new HitDelegate(*m_model, this)), m_table(new QTreeView), m_message(new QLabel) {
        setAccessibleName(title());
        setUpTable();
        makeTools();
        m_message->setAlignment(Qt::AlignCenter);
        m_message->setWordWrap(true);
        m_message->setTextFormat(Qt::PlainText);
        m_message->setObjectName(u"searchMessage"_s);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(m_table, 1);
        layout->addWidget(m_message, 1);
        connect(&context.search, &SearchSession::changed, this, [this] { show(); });
        connect(&context.search, &SearchSession::progress, this, [this] { showCount(); });
        connect(&context.session.selection(), &SelectionModel::changed, this, [this] { showSelection(); });
        show();
    }

    QString title() const override { return tr("Search"); }
    QWidget* tabTools() override { return m_tools; }
    void takeFocus() override { m_table->setFocus(Qt::TabFocusReason); }
    void setThemePalette(const ThemePalette& palette) override {
        m_delegate->setThemePalette(palette);
        QPalette quiet = m_message->palette();
        quiet.setColor(QPalette::WindowText, palette.color(Ink::TextSecondary));
        m_message->setPalette(quiet);
        setStyleSheet(u"SearchPanel { background: %1; }"_s.arg(palette.color(Ink::Ground).name()));
        m_table->viewport()->update();
    }
    QVariantMap kept() const override {
        QVariantMap kept = Panel::kept();
        kept[u"sortColumn"_s] = m_table->header()->sortIndicatorSection();
        kept[u"sortOrder"_s] = m_table->header()->sortIndicatorOrder();
        return kept;
    }
    void restore(const QVariantMap& kept) override {
        if (kept.isEmpty())
            return;
        m_table->sortByColumn(kept.value(u"sortColumn"_s).toInt(),
                              kept.value(u"sortOrder"_s).value<Qt::SortOrder>());
        Panel::restore(kept);
    }

private:
    void setUpTable() {
        m_table->setObjectName(u"searchTable"_s);
        m_table->setAccessibleName(tr("Hits of the search, in time"));
        m_model->setAxis(m_context.view.axis());
        connect(&m_context.view, &TimelineViewModel::axisChanged, m_model,
                [this] { m_model->setAxis(m_context.view.axis()); });
        m_table->setModel(m_model);
        m_table->setItemDelegate(m_delegate);
        m_table->setRootIsDecorated(false);
        m_table->setUniformRowHeights(true);
        m_table->setAllColumnsShowFocus(true);
        m_table->setFrameShape(QFrame::NoFrame);
        m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        QHeaderView* header = m_table->header();
        header->setFixedHeight(24);
        header->setFont(uiFont(Face::Regular, 12));
        header->setStretchLastSection(false);
        header->setMinimumSectionSize(60);
        static constexpr std::array<int, HitTableModel::ColumnCount> kWidths{400, 110, 220, 140, 130};
        for (int c = 0; c < HitTableModel::ColumnCount; ++c)
            header->resizeSection(c, kWidths[static_cast<std::size_t>(c)]);
        header->setSectionResizeMode(HitTableModel::Name, QHeaderView::Stretch);
        header->setSectionsClickable(true);
        header->setSortIndicator(HitTableModel::Start, Qt::AscendingOrder);
        m_table->setSortingEnabled(true);
        connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
                [this](const QModelIndex& now) { goTo(now); });
        connect(m_table, &QTreeView::clicked, this, [this](const QModelIndex& index) { goTo(index); });
        connect(m_table, &QTreeView::doubleClicked, this, [this] {
            if (const auto range = m_context.view.selectedTime())
                m_context.view.fit(*range, 1.0 / 3.0);
        });
        connect(m_table, &QTreeView::activated, this,
                [this] { m_context.commands.run(u"view.focusInspector"_s); });
    }

    QToolButton* addSwitch(QLayout& layout, const QString& name, const QString& label, const QString& tip) {
        auto* button = new QToolButton;
        button->setObjectName(name);
        button->setText(label);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setCheckable(true);
        button->setMinimumSize(28, 24);
        layout.addWidget(button);
        return button;
    }

    void makeTools() {
        m_tools = new QWidget(this);
        auto* layout = new QHBoxLayout(m_tools);
        layout->setContentsMargins(0, 0, 12, 0);
        layout->setSpacing(8);
        m_count = new QLabel;
        m_count->setObjectName(u"searchCount"_s);
        m_count->setFont(uiFont(Face::Regular, 12));
        m_args = new QPushButton;
        m_args->setObjectName(u"searchArgs"_s);
        layout->addWidget(m_count);
        layout->addWidget(m_args);
        m_regex = addSwitch(*layout, u"searchRegex"_s, u".*"_s, tr("Regular expression"));
        m_case = addSwitch(*layout, u"searchCase"_s, u"Aa"_s, tr("Upper and lower case differ"));
        m_regex->setChecked(m_context.search.options().isRegex);
        m_case->setChecked(m_context.search.options().caseSensitive);
        for (QToolButton* button : {m_regex, m_case})
            connect(button, &QToolButton::toggled, this, [this] {
                m_context.search.setOptions({m_regex->isChecked(), m_case->isChecked()});
            });
        connect(m_args, &QPushButton::clicked, this, [this] {
            SearchSession& search = m_context.search;
            search.args() == SearchSession::Args::Reading ? search.stopArgs() : search.readArgs();
        });
    }

    void show() {
        SearchSession& search = m_context.search;
        const SearchHits* hits = search.hits();
        if (search.generation() != m_generation) {
            m_generation = search.generation();
            m_shown = hits;
            m_syncing = true;
            if (hits == nullptr)
                m_model->setRows(nullptr, {});
            else
                m_model->setRows(hits->trace(), search.listed());
            m_table->header()->setSortIndicator(HitTableModel::Start, Qt::AscendingOrder);
            m_syncing = false;
            showSelection();
        }
        const bool hasRows = m_model->rowCount() > 0;
        m_table->setVisible(hasRows);
        m_message->setVisible(!hasRows);
        m_message->setText(messageText());
        showCount();
    }

    QString messageText() const {
        const SearchSession& search = m_context.search;
        if (!search.problem().isEmpty())
            return search.problem();
        if (search.typed().trimmed().isEmpty())
            return tr("Type in the field above: a part of a name, /an expression/, cat:kernel, range:name,\n"
                      "args:text or key:value for what the file records of an event.");
        if (search.args() == SearchSession::Args::Waiting)
            return tr("Arguments are read from the file: press Enter in the field, or the button.");
        if (search.args() == SearchSession::Args::Reading)
            return tr("Reading arguments...");
        return search.isRunning() ? QString() : tr("Nothing in this trace matches.");
    }

    void showCount() {
        const SearchSession& search = m_context.search;
        const SearchHits* hits = search.hits();
        QString count;
        if (hits != nullptr && !hits->isEmpty()) {
            count = hits->names().size() == 1
                        ? tr("%1 hit(s) of one name", nullptr, pluralOf(hits->size()))
                              .arg(text(formatCount(hits->size())))
                        : tr("%1 hits of %2 name(s)", nullptr, pluralOf(hits->names().size()))
                              .arg(text(formatCount(hits->size())), text(formatCount(hits->names().size())));
            if (hits->size() > SearchSession::kListed)
                count += tr(", the first %1 are listed").arg(text(formatCount(SearchSession::kListed)));
        }
        if (search.args() == SearchSession::Args::Reading) {
            const ArgSearchState& state = search.argState();
            const std::uint64_t total = std::max<std::uint64_t>(1, state.rowsTotal);
            count = tr("%1 of the events read, %2 hit(s)", nullptr, pluralOf(state.found))
                        .arg(text(formatPercent(static_cast<double>(state.rowsRead) /
                                                static_cast<double>(total))),
                             text(formatCount(state.found)));
        } else if (search.args() == SearchSession::Args::Stopped) {
            count += tr(", stopped early");
        }
        if (search.unreadable() > 0)
            count += tr(", %1 event(s) could not be read again", nullptr, pluralOf(search.unreadable()))
                         .arg(text(formatCount(search.unreadable())));
        m_count->setText(count);
        m_args->setVisible(search.args() == SearchSession::Args::Waiting ||
                           search.args() == SearchSession::Args::Reading);
        m_args->setText(search.args() == SearchSession::Args::Reading ? tr("Stop") : tr("Read arguments"));
    }

    void goTo(const QModelIndex& index) {
        const EventId event = m_model->eventAt(index.row());
        if (m_syncing || !event || m_context.session.selection().event() == event)
            return;
        m_syncing = true;
        m_context.view.goTo(event, Origin::Table);
        m_syncing = false;
    }

    void showSelection() {
        if (m_syncing || m_shown == nullptr)
            return;
        const EventId event = m_context.session.selection().event();
        if (event && m_model->eventAt(m_table->currentIndex().row()) == event)
            return;
        const int row = event && m_shown->holds(event) ? m_model->rowOf(event) : -1;
        m_syncing = true;
        const QModelIndex index = row < 0 ? QModelIndex() : m_model->index(row, 0);
        m_table->setCurrentIndex(index);
        if (row < 0)
            m_table->clearSelection();
        else
            m_table->scrollTo(index);
        m_syncing = false;
    }

    PanelContext m_context;
    HitTableModel* m_model;
    HitDelegate* m_delegate;
    QTreeView* m_table;
    QLabel* m_message;
    QWidget* m_tools = nullptr;
    QLabel* m_count = nullptr;
    QPushButton* m_args = nullptr;
    QToolButton *m_regex = nullptr, *m_case = nullptr;
    const SearchHits* m_shown = nullptr;
    std::uint64_t m_generation = 0;
    bool m_syncing = false;
};

} // namespace

Panel* makeSearchPanel(const PanelContext& context, QWidget* parent) {
    return new SearchPanel(context, parent);
}

} // namespace lacuna::ui
