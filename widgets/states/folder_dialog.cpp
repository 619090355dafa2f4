#include "widgets/states/folder_dialog.h"

#include "core/base/text_format.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace lacuna::ui {

namespace {

constexpr int kSizeWidth = 90, kFileWidth = 300, kPathRole = Qt::UserRole;
constexpr std::size_t kMostUnfolded = 16; // workers; more stand folded

QString countOfTraces(std::size_t count) {
    return FolderDialog::tr("%n trace(s)", nullptr, pluralOf(count));
}

QString summaryOf(const QString& folder, const TraceFolder& found) {
    const std::size_t workers = found.workers.size();
    QString summary = FolderDialog::tr("%1 holds %2 from %3. Which one is to be opened?")
                          .arg(folder, countOfTraces(found.traces()),
                               FolderDialog::tr("%n worker(s)", nullptr, pluralOf(workers)));
    if (found.otherFiles != 0)
        summary += u' ' + FolderDialog::tr("%n other file(s) (is|are) not listed.", nullptr,
                                           pluralOf(found.otherFiles));
    return summary;
}

} // namespace

FolderDialog::FolderDialog(const QString& folder, const TraceFolder& found, QWidget* parent)
    : QDialog(parent), m_tree(new QTreeWidget) {
    setObjectName(u"folderDialog"_s);
    setWindowTitle(tr("Choose a trace"));
    auto* question = new QLabel(summaryOf(folder, found));
    question->setTextFormat(Qt::PlainText);
    question->setWordWrap(true);
    question->setFont(uiFont(Face::SemiBold, 12.5));

    m_tree->setObjectName(u"folderTree"_s);
    m_tree->setAccessibleName(tr("Traces of the folder, by worker and step"));
    m_tree->setHeaderLabels({tr("Worker, step"), tr("File"), tr("Size")});
    m_tree->setUniformRowHeights(true);
    m_tree->setAllColumnsShowFocus(true);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    for (const FolderWorker& worker : found.workers)
        addWorker(worker);
    m_tree->headerItem()->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter); // as the sizes below it
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_tree->header()->resizeSection(1, kFileWidth);
    m_tree->header()->resizeSection(2, kSizeWidth);
    if (found.workers.size() <= kMostUnfolded)
        m_tree->expandAll();
    if (QTreeWidgetItem* first = m_tree->topLevelItem(0))
        m_tree->setCurrentItem(first->child(0));

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Open)->setDefault(true);
    buttons->button(QDialogButtonBox::Open)->setEnabled(!found.workers.empty());
    connect(buttons, &QDialogButtonBox::accepted, this, &FolderDialog::choose);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_tree, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem* item) {
        if (item->childCount() == 0) // a worker folds and unfolds
            choose();
    });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(question);
    layout->addWidget(m_tree, 1);
    layout->addWidget(buttons);
    resize(720, 460);
    m_tree->setFocus();
}

void FolderDialog::addWorker(const FolderWorker& worker) {
    const QString name = worker.name.empty() ? tr("no worker in the name") : text(worker.name);
    auto* item = new QTreeWidgetItem(m_tree, {name, countOfTraces(worker.traces.size())});
    item->setToolTip(0, name.toHtmlEscaped());
    for (const FolderTrace& trace : worker.traces) {
        const QString step =
            trace.name.step ? tr("step %1").arg(*trace.name.step) : tr("no step in the name");
        auto* row = new QTreeWidgetItem(item, {step, text(trace.relative), text(formatBytes(trace.size))});
        row->setToolTip(1, text(trace.relative).toHtmlEscaped());
        row->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
        row->setData(0, kPathRole, QString::fromStdString(trace.path.string()));
    }
}

// A worker stands for its first trace.
void FolderDialog::choose() {
    const QTreeWidgetItem* item = m_tree->currentItem();
    if (item == nullptr)
        return;
    if (item->childCount() != 0)
        item = item->child(0);
    Q_EMIT chosen(item->data(0, kPathRole).toString());
    accept();
}

} // namespace lacuna::ui
