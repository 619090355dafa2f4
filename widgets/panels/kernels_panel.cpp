#include "widgets/panels/kernels_panel.h"

#include "widgets/session/settle.h"
#include "widgets/tables/instance_walk.h"
#include "widgets/tables/table_tools.h"
#include "widgets/text.h"

#include <QComboBox>
#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lacuna::ui {

namespace {

constexpr qint64 kShownAfterMs = 300;

} // namespace

KernelsPanel::KernelsPanel(const PanelContext& context, QWidget* parent)
    : TablePanel(context, u"kernel"_s, u"kernels"_s, parent), m_grouping(new QComboBox), m_cancel(nullptr),
      m_study(context.session) {
    setAccessibleName(title());
    setStale(true);
    m_table->setAccessibleName(tr("Kernels, the largest total first"));
    m_grouping->setObjectName(u"kernelGrouping"_s);
    m_grouping->setAccessibleName(tr("What makes a row"));
    for (const QString& one :
         {tr("by configuration"), tr("by name"), tr("by function"), tr("by family")}) // as KernelGrouping
        m_grouping->addItem(one);
    m_tools->addFirst(m_grouping);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_table, 1);
    layout->addWidget(makeFoot());
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSettleMs);
    connect(&m_soon, &QTimer::timeout, this, [this] { refresh(); });
    connect(m_grouping, &QComboBox::activated, this,
            [this](int index) { m_study.setGrouping(static_cast<KernelGrouping>(index)); });
    connect(m_table, &ReportTableView::rowPointed, this, &KernelsPanel::open);
    connect(&context.session.selection(), &SelectionModel::changed, this, [this] {
        if (m_context.session.selection().range() != m_range)
            m_soon.start();
    });
    connectStudy();
}

KernelsPanel::~KernelsPanel() = default;

QVariantMap KernelsPanel::kept() const {
    QVariantMap kept = TablePanel::kept();
    if (m_study.ncu() != nullptr)
        kept[u"ncu"_s] = text(m_study.ncu()->path);
    return kept;
}

void KernelsPanel::restore(const QVariantMap& kept) {
    if (kept.isEmpty())
        return;
    TablePanel::restore(kept);
    m_study.setGrouping(static_cast<KernelGrouping>(m_grouping->currentIndex()));
    if (const QString file = kept.value(u"ncu"_s).toString(); !file.isEmpty())
        m_study.readNcuFile(file);
}

QWidget* KernelsPanel::makeFoot() {
    auto* foot = new QWidget;
    auto* layout = new QHBoxLayout(foot);
    layout->setContentsMargins(0, 0, 10, 0);
    m_cancel = new QPushButton(tr("Cancel"));
    m_cancel->setFlat(true);
    m_cancel->hide();
    layout->addWidget(m_notes, 1);
    layout->addWidget(m_cancel);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_study.cancel();
        m_cancel->hide();
        m_notes->show();
        m_notes->setText(tr("Stopped. Choose a grouping to compute it again."));
    });
    return foot;
}

void KernelsPanel::connectStudy() {
    connect(&m_study, &KernelStudy::started, this, [this] {
        m_startedMs = QDateTime::currentMSecsSinceEpoch();
        m_range = m_context.session.selection().range();
        setStale(false);
    });
    connect(&m_study, &KernelStudy::progress, this, &KernelsPanel::showProgress);
    connect(&m_study, &KernelStudy::changed, this, &KernelsPanel::show);
    connect(&m_study, &KernelStudy::failed, this, [this](const QString& why) {
        m_cancel->hide();
        showTable({}, why);
    });
}

// Nothing is computed while the panel is hidden.
void KernelsPanel::refresh() {
    setStale(true);
    if (isVisible() && m_context.session.document() != nullptr)
        m_study.compute();
}

void KernelsPanel::showProgress() {
    const qint64 ms = QDateTime::currentMSecsSinceEpoch() - m_startedMs;
    if (ms < kShownAfterMs)
        return;
    m_notes->show();
    m_notes->setText(tr("computing, %1 s").arg(static_cast<double>(ms) / 1000, 0, 'f', 1));
    m_cancel->show();
}

void KernelsPanel::show() {
    m_cancel->hide();
    if (const KernelFacts* facts = m_study.facts()) {
        showTable(facts->report);
        return;
    }
    showTable({}, m_context.session.document() == nullptr ? tr("No trace is open.") : QString());
    refresh();
}

void KernelsPanel::open(std::uint32_t row, bool again) {
    const KernelFacts* facts = m_study.facts();
    if (facts == nullptr || row >= facts->bundles.size())
        return;
    Q_EMIT kernelPointed(row);
    m_tools->open(row, again, {}, facts->bundles[row].instances);
}

Panel* makeKernelsPanel(const PanelContext& context, QWidget* parent) {
    return new KernelsPanel(context, parent);
}

} // namespace lacuna::ui
