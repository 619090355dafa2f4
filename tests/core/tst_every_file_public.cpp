// Invariants on every shared trace, whatever its format.

#include "tests/support/invariants.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

namespace tst_every_file_public {

using namespace lacuna::test;
namespace fs = std::filesystem;

class TstEveryFilePublic : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void files_holdTheInvariants_data();
    void files_holdTheInvariants();
};

void TstEveryFilePublic::files_holdTheInvariants_data() {
    QTest::addColumn<QString>("file");
    int files = 0;
    for (const char* const folder : {"traces/public", "traces/captured"})
        for (const fs::path& file : sharedFiles(folder)) {
            QTest::newRow(file.filename().c_str()) << QString::fromStdString(file.string());
            ++files;
        }
    if (files == 0)
        QTest::newRow("traces are missing") << QString();
}

void TstEveryFilePublic::files_holdTheInvariants() {
    QFETCH(QString, file);
    if (file.isEmpty())
        LACUNA_SKIP("the shared traces are not here");
    const QString violation = violatedInvariant(fs::path(file.toStdString()));
    QVERIFY2(violation.isEmpty(), qPrintable(violation));
}

LACUNA_TEST(TstEveryFilePublic, "tst_every_file_public")

} // namespace tst_every_file_public

#include "tst_every_file_public.moc"
