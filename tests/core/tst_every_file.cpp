// Invariants on every fixture and on random traces.

#include "tests/support/invariants.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

namespace tst_every_file {

using namespace lacuna::test;
namespace fs = std::filesystem;

class TstEveryFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void files_holdTheInvariants_data();
    void files_holdTheInvariants();
    void randomTraces_holdTheInvariants();
};

void TstEveryFile::files_holdTheInvariants_data() {
    QTest::addColumn<QString>("file");
    for (const auto& entry : fs::recursive_directory_iterator(fixture(""))) {
        const std::string name = entry.path().filename().string();
        if (entry.is_regular_file() && name.find("ref.out.json") == std::string::npos)
            QTest::newRow(name.c_str()) << QString::fromStdString(entry.path().string());
    }
}

void TstEveryFile::files_holdTheInvariants() {
    QFETCH(QString, file);
    const QString violation = violatedInvariant(fs::path(file.toStdString()));
    QVERIFY2(violation.isEmpty(), qPrintable(violation));
}

void TstEveryFile::randomTraces_holdTheInvariants() {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        RandomTraceOptions options;
        options.unitNs = seed % 3 == 0 ? 1'000 : seed % 3 == 1 ? 1 : 137;
        options.devices = 1 + static_cast<int>(seed % 2);
        options.threads = 1 + static_cast<int>(seed % 4);
        const RandomTrace random = makeRandomTrace(seed, options);
        const QString violation = violatedInvariant(random.trace);
        QVERIFY2(violation.isEmpty(), qPrintable(random.note() + QStringLiteral(": ") + violation));
    }
}

LACUNA_TEST(TstEveryFile, "tst_every_file")

} // namespace tst_every_file

#include "tst_every_file.moc"
