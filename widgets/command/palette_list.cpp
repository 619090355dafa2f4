#include "widgets/command/palette_list.h"

#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace lacuna::ui {

namespace {

constexpr int kRowHeight = 26, kMostVisible = 14, kPad = 12, kBetween = 10;
enum Role { GroupRole = Qt::UserRole, DetailRole };

class EntryDelegate final : public QStyledItemDelegate {
public:
    EntryDelegate(const ThemePalette& palette, QObject* parent)
        : QStyledItemDelegate(parent), m_palette(palette) {}
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {100, kRowHeight};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const bool chosen = (option.state & QStyle::State_Selected) != 0;
        const bool enabled = (index.flags() & Qt::ItemIsEnabled) != 0;
        const QRect row = option.rect;
        painter->fillRect(row, m_palette.color(chosen ? Ink::SelectedRow : Ink::Ground));
        if (chosen)
            painter->fillRect(QRect(row.left(), row.top(), 3, row.height()), m_palette.color(Ink::Selection));
        const QFont plain = uiFont(Face::Regular, 12.5), strong = uiFont(Face::Medium, 12);
        const auto textOf = [&index](int role) { return index.data(role).toString(); };
        const QFontMetrics plainMetrics(plain), strongMetrics(strong);
        QRect room = row.adjusted(kPad, 0, -kPad, 0);
        const auto drawRight = [&](const QFont& font, const QFontMetrics& metrics, const QString& text,
                                   Ink ink) {
            if (text.isEmpty())
                return;
            painter->setFont(font);
            painter->setPen(m_palette.color(ink));
            painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, text);
            room.setRight(room.right() - metrics.horizontalAdvance(text) - kBetween);
        };
        drawRight(strong, strongMetrics, textOf(DetailRole), enabled ? Ink::Text : Ink::TextSecondary);
        drawRight(plain, plainMetrics, textOf(GroupRole), Ink::TextSecondary);
        painter->setFont(plain);
        painter->setPen(m_palette.color(enabled ? Ink::Text : Ink::TextSecondary));
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          plainMetrics.elidedText(textOf(Qt::DisplayRole), Qt::ElideRight, room.width()));
    }

private:
    const ThemePalette& m_palette;
};

} // namespace

PaletteList::PaletteList(const ThemePalette& palette, QWidget* window)
    : QFrame(window), m_view(new QListView), m_model(new QStandardItemModel(this)), m_palette(palette) {
    setObjectName(u"paletteList"_s);
    setAutoFillBackground(true);
    m_view->setModel(m_model);
    m_view->setItemDelegate(new EntryDelegate(m_palette, this));
    m_view->setUniformItemSizes(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setAccessibleName(tr("What can be chosen"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    layout->addWidget(m_view);
    connect(m_view, &QListView::clicked, this, [this] { Q_EMIT chosen(); });
    setThemePalette(palette);
    hide();
}

void PaletteList::setThemePalette(const ThemePalette& palette) {
    m_palette = palette;
    setStyleSheet(
        u"#paletteList { background: %1; border: 1px solid %2; } QListView { background: %1; }"_s.arg(
            palette.color(Ink::Ground).name(), palette.color(Ink::Border).name()));
}

void PaletteList::showEntries(std::vector<PaletteEntry> entries, const QRect& below, const QString& ifNone) {
    if (entries.empty() && !ifNone.isEmpty())
        entries.push_back({ifNone, {}, {}, false, {}});
    if (entries.size() > kMostRows)
        entries.resize(kMostRows);
    m_entries = std::move(entries);
    m_model->clear();
    int first = -1;
    for (const PaletteEntry& entry : m_entries) {
        auto* item = new QStandardItem(entry.title);
        item->setData(entry.group, GroupRole);
        item->setData(entry.detail, DetailRole);
        item->setAccessibleText(QStringList{entry.title, entry.group, entry.detail}.join(u", "_s));
        item->setEnabled(entry.isEnabled);
        if (first < 0 && entry.isEnabled)
            first = m_model->rowCount();
        m_model->appendRow(item);
    }
    const int rows = std::min(kMostVisible, m_model->rowCount());
    setGeometry(below.left(), below.bottom() + 2, below.width(), rows * kRowHeight + 4);
    choose(first);
    setVisible(rows > 0);
    raise();
}

int PaletteList::current() const {
    return m_view->currentIndex().row();
}

void PaletteList::choose(int row) {
    m_view->setCurrentIndex(row < 0 ? QModelIndex() : m_model->index(row, 0));
}

// To the enabled row nearest to where the step ends, in its direction.
void PaletteList::move(int rows) {
    const int count = m_model->rowCount();
    if (count == 0)
        return;
    const int direction = rows < 0 ? -1 : 1;
    for (int row = std::clamp(current() + rows, 0, count - 1); row >= 0 && row < count; row += direction)
        if (m_entries[static_cast<std::size_t>(row)].isEnabled) {
            choose(row);
            return;
        }
}

bool PaletteList::runCurrent() {
    const int row = current();
    if (row < 0 || !m_entries[static_cast<std::size_t>(row)].isEnabled)
        return false;
    const auto run = m_entries[static_cast<std::size_t>(row)].run;
    hide();
    if (run)
        run();
    return true;
}

} // namespace lacuna::ui
