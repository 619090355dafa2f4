// Replays the seeds and finds of the fuzz targets (tests/fuzz). A broken promise aborts with its text; the
// name of the input is printed before.

#include "tests/fuzz/targets.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <string>

namespace tst_fuzz_corpus {

using namespace lacuna;
using namespace lacuna::test;
namespace fs = std::filesystem;

class TstFuzzCorpus : public QObject {
    Q_OBJECT
private:
    static void replay(const char* target, void (*run)(std::span<const std::byte>)) {
        int inputs = 0;
        for (const auto& entry : fs::directory_iterator(inSource("tests/fuzz/corpus") / target)) {
            const std::string data = readFile(entry.path());
            qInfo("%s", entry.path().filename().c_str());
            QVERIFY(data.size() <= 4096);
            run(std::as_bytes(std::span(data)));
            ++inputs;
        }
        QVERIFY(inputs >= 24);
    }

private Q_SLOTS:
    void json() { replay("json", fuzz::fuzzJson); }
    void sqlite() { replay("sqlite", fuzz::fuzzSqlite); }
    void inflate() { replay("inflate", fuzz::fuzzInflate); }
    void cache() { replay("cache", fuzz::fuzzCache); }
    void ncuCsv() { replay("ncucsv", fuzz::fuzzNcuCsv); }
    void ncuReport() { replay("ncureport", fuzz::fuzzNcuReport); }
};

LACUNA_TEST(TstFuzzCorpus, "tst_fuzz_corpus")

} // namespace tst_fuzz_corpus

#include "tst_fuzz_corpus.moc"
