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
constexpr int kMemberSizeWidth = 120;
} // namespace

MemberDialog::MemberDialog(const QString& archive, const std::vector<ArchiveMember>& members, Choice choice,
                           QWidget* parent)
    : QDialog(parent), m_list(new QTreeWidget) {
    setObjectName(u"memberDialog"_s);
    setWindowTitle(tr("Choose a trace"));
    const auto traces = static_cast<int>(members.size());
    auto* question = new QLabel(
        (choice == Choice::One
             ? tr("%1 holds %n trace(s). Which one is to be opened?", nullptr, traces)
             : tr("%1 holds %n trace(s). Which are to be opened? Each gets a tab.", nullptr, traces))
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
    m_list->setSelectionMode(choice == Choice::One ? QAbstractItemView::SingleSelection
                                                   : QAbstractItemView::ExtendedSelection);
    for (const ArchiveMember& member : members) {
        const QString size = member.size ? text(formatBytes(*member.size)) : tr("not told");
        auto* item = new QTreeWidgetItem(m_list, {text(member.name), size});
        item->setToolTip(0, plainTip(text(member.name)));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    }
    m_list->headerItem()->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter); // as the sizes below it
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->resizeSection(1, kMemberSizeWidth);
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
    QStringList members;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        if (const QTreeWidgetItem* item = m_list->topLevelItem(i); item->isSelected())
            members << item->text(0);
    if (members.isEmpty())
        return;
    Q_EMIT chosen(members);
    accept();
}

} // namespace lacuna::ui
