#include "widgets/tables/report_list.h"

#include "core/report/builtin.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lacuna::ui {

ReportList::ReportList(QWidget* parent) : QWidget(parent), m_field(new QLineEdit), m_names(new QTreeWidget) {
    setMinimumWidth(180);
    m_field->setObjectName(u"reportSearch"_s);
    m_field->setPlaceholderText(tr("search reports"));
    m_field->setAccessibleName(tr("Search among the reports"));
    m_field->setClearButtonEnabled(true);
    m_names->setObjectName(u"reportNames"_s);
    m_names->setAccessibleName(tr("Reports"));
    m_names->setHeaderHidden(true);
    m_names->setRootIsDecorated(false);
    m_names->setIndentation(0);
    m_names->setFrameShape(QFrame::NoFrame);
    m_names->setUniformRowHeights(true);
    m_names->setFont(uiFont(Face::Mono, 12));
    m_names->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (const ReportSpec& report : builtinReports()) {
        auto* item = new QTreeWidgetItem(m_names, {text(report.name)});
        item->setToolTip(0, text(report.summary));
        item->setData(0, Qt::AccessibleDescriptionRole, text(report.summary));
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* top = new QVBoxLayout;
    top->setContentsMargins(8, 5, 8, 5);
    top->addWidget(m_field);
    layout->addLayout(top);
    layout->addWidget(m_names, 1);
    connect(m_field, &QLineEdit::textChanged, this, &ReportList::search);
    connect(m_field, &QLineEdit::returnPressed, this, [this] { // the first that is left
        for (int i = 0; i < m_names->topLevelItemCount(); ++i)
            if (QTreeWidgetItem* item = m_names->topLevelItem(i); !item->isHidden()) {
                m_names->setCurrentItem(item);
                break;
            }
    });
    connect(m_names, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* now) {
        if (now != nullptr)
            Q_EMIT chosen(now->text(0));
    });
}

void ReportList::setThemePalette(const ThemePalette& palette) {
    // A list beside a table: a line between them is enough.
    setStyleSheet(u"lacuna--ui--ReportList { border-right: 1px solid %1; }"_s.arg(
        palette.color(Ink::InnerLine).name()));
}

void ReportList::choose(const QString& name) {
    const auto found = m_names->findItems(name, Qt::MatchExactly);
    if (!found.isEmpty())
        m_names->setCurrentItem(found.front());
}

void ReportList::forget() {
    m_names->setCurrentItem(nullptr);
    m_names->clearSelection();
}

void ReportList::search(const QString& words) {
    const QStringList wanted = words.toLower().split(u' ', Qt::SkipEmptyParts);
    for (int i = 0; i < m_names->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = m_names->topLevelItem(i);
        const QString all = (item->text(0) + u' ' + item->toolTip(0)).toLower();
        item->setHidden(!std::all_of(wanted.begin(), wanted.end(),
                                     [&](const QString& word) { return all.contains(word); }));
    }
}

} // namespace lacuna::ui
