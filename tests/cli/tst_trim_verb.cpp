#include "tests/cli/cli_run.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

namespace tst_trim_verb {

using namespace lacuna::test;

class TstTrimVerb : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cut_keepsTheAxisAndWhatTouches();
    void nsight_isCutToo();
    void range_isNeeded();
};

// The kernels of the cut are those of the whole file that touch the range, at the same times.
void TstTrimVerb::cut_keepsTheAxisAndWhatTouches() {
    const QTemporaryDir folder;
    const QString whole = fixturePath("captured/torch/item_sync.pt.trace.json.gz");
    const QString out = folder.filePath(QStringLiteral("cut.json"));
    const Ran ran = runLacuna({QStringLiteral("trim"), whole, QStringLiteral("--range"),
                               QStringLiteral("5ms..6ms"), QStringLiteral("-o"), out});
    QCOMPARE(ran.code, 0);
    const auto summary = [](const QString& file) {
        return parsed(
            runLacuna({QStringLiteral("summary"), file, QStringLiteral("--format"), QStringLiteral("json")})
                .out);
    };
    const Json before = summary(whole), after = summary(out);
    QCOMPARE(after["base_ns"].get<std::int64_t>(), before["base_ns"].get<std::int64_t>());
    const std::int64_t kernels = after["rows"]["by_kind"]["kernel"].get<std::int64_t>();
    QVERIFY(kernels > 0 && kernels < before["rows"]["by_kind"]["kernel"].get<std::int64_t>());
    const Json& device = after["devices"][0];
    QVERIFY(device["last_end_ns"].get<std::int64_t>() > 5'000'000);
    QVERIFY(device["first_start_ns"].get<std::int64_t>() < 6'000'000);
    QCOMPARE(device["gpu_ops"].get<std::int64_t>(),
             kernels + after["rows"]["by_kind"]["memcpy"].get<std::int64_t>() +
                 after["rows"]["by_kind"]["memset"].get<std::int64_t>());
}

void TstTrimVerb::nsight_isCutToo() {
    const QTemporaryDir folder;
    const QString out = folder.filePath(QStringLiteral("cut.json.gz"));
    const Ran ran =
        runLacuna({QStringLiteral("trim"), fixturePath("captured/nsys/stall.sqlite"),
                   QStringLiteral("--range"), QStringLiteral("0..100s"), QStringLiteral("-o"), out});
    QCOMPARE(ran.code, 0);
    const Ran gaps =
        runLacuna({QStringLiteral("gaps"), out, QStringLiteral("--format"), QStringLiteral("json")});
    const Ran before = runLacuna({QStringLiteral("gaps"), fixturePath("captured/nsys/stall.sqlite"),
                                  QStringLiteral("--format"), QStringLiteral("json")});
    QVERIFY(parsed(gaps.out)["devices"] == parsed(before.out)["devices"]);
}

void TstTrimVerb::range_isNeeded() {
    const Ran ran = runLacuna({QStringLiteral("trim"), fixturePath("micro/M1.json"), QStringLiteral("-o"),
                               QStringLiteral("out.json")});
    QCOMPARE(ran.code, 2);
    QVERIFY(ran.err.contains("--range"));
}

LACUNA_TEST(TstTrimVerb, "tst_trim_verb")

} // namespace tst_trim_verb

#include "tst_trim_verb.moc"
