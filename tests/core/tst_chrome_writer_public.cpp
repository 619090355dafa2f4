// Every shared trace is written and opened again: whole, and a tenth of it.

#include "tests/support/paths.h"
#include "tests/support/round_trip.h"
#include "tests/support/test_main.h"

namespace tst_chrome_writer_public {

using namespace lacuna::test;
namespace fs = std::filesystem;

namespace {

// As stored; the two largest are converted by the slow tests of tests/bench.
constexpr std::uintmax_t kLargest = std::uintmax_t{8} << 20;

} // namespace

class TstChromeWriterPublic : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void files_openToTheSameRows_data();
    void files_openToTheSameRows();
};

void TstChromeWriterPublic::files_openToTheSameRows_data() {
    QTest::addColumn<QString>("file");
    int files = 0;
    for (const char* const folder : {"traces/public", "traces/captured"})
        for (const fs::path& file : sharedFiles(folder)) {
            if (fs::file_size(file) > kLargest)
                continue;
            QTest::newRow(file.filename().c_str()) << QString::fromStdString(file.string());
            ++files;
        }
    if (files == 0)
        QTest::newRow("traces are missing") << QString();
}

void TstChromeWriterPublic::files_openToTheSameRows() {
    QFETCH(QString, file);
    if (file.isEmpty())
        LACUNA_SKIP("the shared traces are not here");
    const fs::path path(file.toStdString());
    const QString whole = roundTripOf(path, {});
    QVERIFY2(whole.isEmpty(), qPrintable(whole));
    if (const auto cut = middleOf(path)) {
        const QString part = roundTripOf(path, cut);
        QVERIFY2(part.isEmpty(), qPrintable(part));
    }
}

LACUNA_TEST(TstChromeWriterPublic, "tst_chrome_writer_public")

} // namespace tst_chrome_writer_public

#include "tst_chrome_writer_public.moc"
