#include "widgets/tables/plain_table.h"

#include "widgets/theme/widget_fonts.h"

#include <QHeaderView>

namespace lacuna::ui {

void setUpPlainTable(QTableView& table, int rowHeight) {
    table.setFrameShape(QFrame::NoFrame);
    table.setFont(uiFont(Face::Regular, 12.5));
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setShowGrid(false);
    table.setAlternatingRowColors(true);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(rowHeight);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table.horizontalHeader()->setHighlightSections(false);
}

} // namespace lacuna::ui
