// Reading on several threads, on every shared JSON trace: the sink is told the same as by one thread.

#include "tests/support/paths.h"
#include "tests/support/sink_log.h"
#include "tests/support/test_main.h"

#include <string>

namespace tst_event_pieces_public {

using namespace lacuna;
using namespace lacuna::test;

class TstEventPiecesPublic : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyFile_tellsTheSinkTheSame() {
        constexpr std::size_t kLarge = std::size_t{400} << 10; // stored: one round is enough
        int files = 0;
        for (const char* const folder : {"traces/public/json", "traces/captured/torch", "traces/micro"})
            for (const auto& file : sharedFiles(folder)) {
                const std::string stored = readFile(file);
                const SinkLog expected = readIntoLog(stored, 1);
                const auto check = [&](unsigned threads, json::PieceSizes sizes, std::size_t chunk) {
                    const std::string what = difference(readIntoLog(stored, threads, sizes, chunk), expected);
                    return QByteArray::fromStdString(what.empty() ? what
                                                                  : file.filename().string() + ": " + what);
                };
                QCOMPARE(check(2, {std::size_t{16} << 10, std::size_t{512} << 10, 0}, 0), QByteArray());
                if (stored.size() < kLarge) {
                    QCOMPARE(check(2, {37, 3001, 0}, 0), QByteArray());
                    QCOMPARE(check(4, {1000, 50'000, 0}, 4097), QByteArray());
                }
                ++files;
            }
        if (files == 0)
            LACUNA_SKIP("the shared traces are not here");
        QVERIFY(files > 50);
    }
};
LACUNA_TEST(TstEventPiecesPublic, "tst_event_pieces_public")

} // namespace tst_event_pieces_public

#include "tst_event_pieces_public.moc"
