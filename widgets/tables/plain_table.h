#pragma once
// A table of what a person made (notes, the log): rows, no grid, one chosen.

#include <QTableView>

namespace lacuna::ui {

void setUpPlainTable(QTableView& table, int rowHeight);

} // namespace lacuna::ui
