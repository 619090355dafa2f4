#include "core/base/crew.h"
#include "tests/support/test_main.h"

#include <atomic>
#include <memory>
#include <stdexcept>
#include <vector>

namespace tst_crew {

using namespace lacuna;

class TstCrew : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPiece_isDoneOnce_inEveryRun();
    void exceptionOfAPiece_comesToTheCaller_andTheNextRunWorks();
    void noPieces_orOneThread_needNoHelper();
};

void TstCrew::everyPiece_isDoneOnce_inEveryRun() {
    for (const unsigned threads : {1u, 2u, 4u}) {
        Crew crew(threads);
        for (std::size_t round = 0; round < 500; ++round) {
            const std::size_t count = round % 23;
            std::vector<std::atomic<int>> done(count);
            crew.run(count, [&done](std::size_t i) { ++done[i]; });
            for (const std::atomic<int>& times : done)
                QCOMPARE(times.load(), 1);
        }
    }
}

void TstCrew::exceptionOfAPiece_comesToTheCaller_andTheNextRunWorks() {
    Crew crew(2);
    for (int round = 0; round < 50; ++round) {
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, crew.run(8, [](std::size_t i) {
            if (i == 3)
                throw std::runtime_error("piece 3");
        }));
        std::atomic<int> done{0};
        crew.run(8, [&done](std::size_t) { ++done; });
        QCOMPARE(done.load(), 8);
    }
}

void TstCrew::noPieces_orOneThread_needNoHelper() {
    Crew alone(1);
    std::vector<std::size_t> order;
    alone.run(5, [&order](std::size_t i) { order.push_back(i); });
    QCOMPARE(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
    Crew crew;
    crew.run(0, [](std::size_t) { QFAIL("there is no piece"); });
}

LACUNA_TEST(TstCrew, "tst_crew")

} // namespace tst_crew

#include "tst_crew.moc"
