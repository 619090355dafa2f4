// The importer of Chrome JSON against a second reader, on every fixture.

#include "tests/support/paths.h"
#include "tests/support/second_reader.h"
#include "tests/support/test_main.h"

namespace tst_chrome_rows {

using namespace lacuna::test;
namespace fs = std::filesystem;

class TstChromeRows : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fixtures_agree();
    void secondReader_roundsHalfToEven();
};

void TstChromeRows::fixtures_agree() {
    int files = 0;
    for (const char* const folder : {"micro", "captured/torch", "captured/pairs"})
        for (const auto& entry : fs::directory_iterator(fixture(folder))) {
            const std::string name = entry.path().filename().string();
            if (name.find(".ref.") != std::string::npos || name.find(".gapref.") != std::string::npos)
                continue;
            bool compared = false;
            const QString difference = compareWithSecondReader(entry.path(), compared);
            QVERIFY2(difference.isEmpty(),
                     qPrintable(QString::fromStdString(name) + QStringLiteral(": ") + difference));
            files += compared ? 1 : 0;
        }
    QVERIFY2(files >= 18 + 11 + 4, qPrintable(QString::number(files)));
}

void TstChromeRows::secondReader_roundsHalfToEven() {
    QVERIFY(nsOfMicroseconds("1712195495505123.4565") == 1712195495505123456); // half to even
    QVERIFY(nsOfMicroseconds("1712195495505123.4575") == 1712195495505123458);
    QVERIFY(nsOfMicroseconds("0.0005") == 0);
    QVERIFY(nsOfMicroseconds("-3.5") == -3500);
    QVERIFY(!nsOfMicroseconds("1e3"));
}

LACUNA_TEST(TstChromeRows, "tst_chrome_rows")

} // namespace tst_chrome_rows

#include "tst_chrome_rows.moc"
