// The importer of Chrome JSON against a second reader, on every public file that both can read.

#include "tests/support/paths.h"
#include "tests/support/second_reader.h"
#include "tests/support/test_main.h"

namespace tst_chrome_rows_public {

using namespace lacuna::test;
namespace fs = std::filesystem;

class TstChromeRowsPublic : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void publicFiles_agree();
};

void TstChromeRowsPublic::publicFiles_agree() {
    const std::vector<fs::path> files = sharedFiles("traces/public/json");
    if (files.empty())
        LACUNA_SKIP("the public traces are not here");
    int compared = 0;
    for (const fs::path& file : files) {
        bool isCompared = false;
        const QString difference = compareWithSecondReader(file, isCompared);
        QVERIFY2(difference.isEmpty(), qPrintable(QString::fromStdString(file.filename().string()) +
                                                  QStringLiteral(": ") + difference));
        compared += isCompared ? 1 : 0;
    }
    QVERIFY2(compared >= 61, qPrintable(QString::number(compared)));
}

LACUNA_TEST(TstChromeRowsPublic, "tst_chrome_rows_public")

} // namespace tst_chrome_rows_public

#include "tst_chrome_rows_public.moc"
