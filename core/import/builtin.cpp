// The list of formats. A new importer is one file and one line here.

#include "core/import/chrome_json.h"
#include "core/import/importer.h"
#include "core/import/nsys_report.h"
#include "core/import/nsys_sqlite.h"

namespace lacuna {

ImporterList builtinImporters() {
    ImporterList list;
    list.push_back(makeChromeJsonImporter());
    list.push_back(makeNsysSqliteImporter());
    list.push_back(makeNsysReportImporter()); // after the others: it believes some names
    return list;
}

} // namespace lacuna
