#include "widgets/states/member_dialog.h"

#include "core/base/text_format.h"
#include "widgets/plain_tip.h"
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
constexpr int kSizeWidth = 120;
} // namespace

MemberDialog::MemberDialog(const QString& archive, const std::vector<ArchiveMember>& members, QWidget* parent)
    : QDialog(parent), m_list(new QTreeWidget) {
    setObjectName(u"memberDialog"_s);
    setWindowTitle(tr("Choose a trace"));
    auto* question = new QLabel(
        tr("%1 holds %n traces. Which one is to be opened?", nullptr, static_cast<int>(members.size()))
            .arg(archive));
    question->setTextFormat(Qt::PlainText);
    question->setWordWrap(true);
    question->setFont(uiFont(Face::SemiBold, 12.5));

    m_list->setObjectName(u"memberList"_s);
    m_list->setAccessibleName(tr("Traces of the archive"));
    m_list->setHeaderLabels({tr("Name"), tr("Size")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    for (const ArchiveMember& member : members) {
        const QString size = member.size ? text(formatBytes(*member.size)) : tr("not told");
        auto* item = new QTreeWidgetItem(m_list, {text(member.name), size});
        item->setToolTip(0, plainTip(text(member.name)));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    }
    m_list->headerItem()->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter); // as the sizes below it
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->resizeSection(1, kSizeWidth);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setCurrentItem(m_list->topLevelItem(0));

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Open)->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &MemberDialog::choose);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_list, &QTreeWidget::itemDoubleClicked, this, &MemberDialog::choose);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(question);
    layout->addWidget(m_list, 1);
    layout->addWidget(buttons);
    resize(620, 420);
    m_list->setFocus();
}

void MemberDialog::choose() {
    if (const QTreeWidgetItem* item = m_list->currentItem()) {
        Q_EMIT chosen(item->text(0));
        accept();
    }
}

} // namespace lacuna::ui
