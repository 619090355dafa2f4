#include "tests/cli/cli_run.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <set>

namespace tst_gaps_verb {

using namespace lacuna::test;

namespace {

QByteArray gapsText(const std::string& file, const QStringList& more) {
    const Ran ran = runLacuna(QStringList{QStringLiteral("gaps"), QString::fromStdString(file)} + more);
    return ran.code == 0 ? ran.out : QByteArray("exit ") + QByteArray::number(ran.code) + ": " + ran.err;
}

Json gapsOf(const QString& file, const QString& more = {}) {
    QStringList words{QStringLiteral("--format"), QStringLiteral("json")};
    if (!more.isEmpty())
        words += more.split(u' ');
    return parsed(gapsText(file.toStdString(), words));
}

std::int64_t number(const Json& object, const char* key) {
    return object[key].get<std::int64_t>();
}

std::int64_t sumOf(const Json& object) {
    std::int64_t sum = 0;
    for (const auto& [key, value] : object.items())
        sum += value.get<std::int64_t>();
    return sum;
}

bool hasKeys(const Json& object, const std::vector<std::string>& keys) {
    std::vector<std::string> found;
    for (const auto& [key, value] : object.items())
        found.push_back(key);
    return found == keys;
}

std::int64_t length(const Json& gap) {
    return number(gap, "end_ns") - number(gap, "start_ns");
}

// Empty when the pieces tile [start, end) in time order.
QString tilingError(const Json& gap) {
    std::int64_t at = number(gap, "start_ns");
    for (const Json& piece : gap["pieces"]) {
        if (number(piece, "start_ns") != at || number(piece, "end_ns") <= at)
            return QStringLiteral("piece at %1 instead of %2").arg(number(piece, "start_ns")).arg(at);
        at = number(piece, "end_ns");
    }
    return at == number(gap, "end_ns") ? QString() : QStringLiteral("ends at %1").arg(at);
}

} // namespace

class TstGapsVerb : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void json_keepsItsPromises_data();
    void json_keepsItsPromises();
    void json_syncDrain_isExact();
    void range_cutsTheGap();
    void range_bookkeepingIsComplete_data();
    void range_bookkeepingIsComplete();
    void min_listsButSumsAll();
    void top_keepsTheBestRanks();
    void device_selectsOne();
    void stream_listsThatStreamsGaps();
    void csv_hasOneRowPerListedGap();
    void table_fitsAndTellsTheVerdict();

private:
    void checkDevice(const Json& device);
    void checkGap(const Json& gap);
};

void TstGapsVerb::json_keepsItsPromises_data() {
    QTest::addColumn<QString>("file");
    for (const auto& path : fixtureTraces())
        QTest::newRow(path.filename().c_str()) << QString::fromStdString(path.string());
}

void TstGapsVerb::checkGap(const Json& gap) {
    QVERIFY(hasKeys(gap, {"against",    "blocking_call", "bound_ns",   "cause",    "class",
                          "confidence", "cuts_ns",       "drained_by", "end_ns",   "evidence",
                          "held_by",    "launch",        "next",       "parts_ns", "pieces",
                          "previous",   "rank",          "start_ns",   "verdict",  "via_thread"}));
    QCOMPARE(sumOf(gap["cuts_ns"]), length(gap));
    QCOMPARE(sumOf(gap["parts_ns"]), length(gap));
    QCOMPARE(tilingError(gap), QString());
    QVERIFY(hasKeys(gap["cuts_ns"], {"after", "before", "inside", "unknown"}));
    const std::string verdict = gap["verdict"].get<std::string>();
    QVERIFY2(!verdict.empty() && QString::fromStdString(verdict).size() <= 200, verdict.c_str());
    const Json& blocking = gap["blocking_call"];
    if (!blocking.is_null()) {
        QVERIFY(hasKeys(blocking, {"end_ns", "name", "operator", "ranges", "role", "start_ns", "thread"}));
        const std::string role = blocking["role"].get<std::string>();
        QVERIFY2(role == "drained_by" || role == "launch" || role == "held_by", role.c_str());
        QVERIFY(number(blocking, "end_ns") >= number(blocking, "start_ns"));
    }
    if (!gap["drained_by"].is_null())
        QVERIFY(hasKeys(gap["drained_by"], {"end_ns", "lost_run_ahead_ns", "name", "operator", "ranges",
                                            "role", "start_ns", "sync_part_ns", "thread"}));
    if (!gap["launch"].is_null())
        QVERIFY(hasKeys(gap["launch"], {"end_ns", "name", "operator", "ranges", "start_ns", "thread"}));
    QVERIFY(hasKeys(gap["next"], {"end_ns", "name", "start_ns", "stream"}));
    QVERIFY(!gap["previous"].empty());
    QVERIFY(number(gap, "bound_ns") >= 0 && number(gap, "bound_ns") <= length(gap));
    for (const char* notes : {"evidence", "against"})
        for (const Json& note : gap[notes])
            QVERIFY(hasKeys(note, {"code", "ns", "text"}));
}

void TstGapsVerb::checkDevice(const Json& device) {
    QVERIFY(hasKeys(device, {"cause_gaps", "cause_ns", "device", "draining_wait", "edges_ns", "gaps",
                             "groups", "idle_ns", "list", "parts_ns", "process", "segments_ns"}));
    const std::int64_t idle = number(device, "idle_ns");
    for (const char* table : {"segments_ns", "parts_ns", "cause_ns"})
        QCOMPARE(sumOf(device[table]), idle);
    QCOMPARE(sumOf(device["cause_gaps"]), number(device, "gaps"));
    QVERIFY(hasKeys(device["segments_ns"],
                    {"after", "before:allocation", "before:api", "before:blocking_copy",
                     "before:data_loading", "before:launch", "before:module", "before:operator",
                     "before:os_wait", "before:overhead", "before:python", "before:range", "before:sync_api",
                     "before:uncovered", "inside", "unknown"}));
    for (const Json& wait : device["draining_wait"])
        QVERIFY(hasKeys(wait,
                        {"api", "gap_ns", "gaps", "operator", "range", "replay_saving_ns", "sync_part_ns"}));

    // With --min 0 everything is listed, in order of time.
    QCOMPARE(static_cast<std::int64_t>(device["list"].size()), number(device, "gaps"));
    std::int64_t last = INT64_MIN, listed = 0;
    for (const Json& gap : device["list"]) {
        checkGap(gap);
        if (QTest::currentTestFailed())
            return;
        QVERIFY(number(gap, "start_ns") >= last);
        last = number(gap, "end_ns");
        listed += length(gap);
    }
    QCOMPARE(listed, idle);

    std::int64_t total = 0, count = 0;
    for (const Json& group : device["groups"]) {
        QVERIFY(
            hasKeys(group, {"bound_ns", "cause", "class", "count", "total_ns", "where", "worst_start_ns"}));
        total += number(group, "total_ns");
        count += number(group, "count");
    }
    QCOMPARE(total, idle);
    QCOMPARE(count, number(device, "gaps"));
}

void TstGapsVerb::json_keepsItsPromises() {
    QFETCH(QString, file);
    const Json json = gapsOf(file, QStringLiteral("--min 0"));
    QVERIFY(!json.is_discarded());
    QCOMPARE(unsortedKey(json), std::string());
    QVERIFY(hasKeys(json, {"devices", "file"}));
    QVERIFY(hasKeys(json["file"], {"format", "name", "sha256", "size", "writer"}));
    std::set<std::int64_t> ranks;
    std::size_t gaps = 0;
    for (const Json& device : json["devices"]) {
        checkDevice(device);
        if (QTest::currentTestFailed())
            return;
        gaps += device["list"].size();
        for (const Json& gap : device["list"])
            ranks.insert(number(gap, "rank"));
    }
    QCOMPARE(ranks.size(), gaps); // one rank each, 1 to n over all devices
    if (gaps > 0) {
        QCOMPARE(*ranks.begin(), std::int64_t{1});
        QCOMPARE(*ranks.rbegin(), static_cast<std::int64_t>(gaps));
    }
    if (json["devices"].size() != 1)
        return;
    // With one device the groups of the file are those of the device.
    const Json& groups = json["devices"][0]["groups"];
    const auto isLast = [](const Json& group) {
        return group["class"].get<std::string>() == "startup" || group["class"].get<std::string>() == "edge";
    };
    for (std::size_t i = 1; i < groups.size(); ++i) {
        QVERIFY(isLast(groups[i - 1]) <= isLast(groups[i]));
        if (isLast(groups[i - 1]) == isLast(groups[i]))
            QVERIFY(number(groups[i - 1], "total_ns") >= number(groups[i], "total_ns"));
    }
    for (const Json& gap : json["devices"][0]["list"])
        if (const auto rank = static_cast<std::size_t>(number(gap, "rank")); rank <= groups.size()) {
            // Rank r is the worst member of group r while there are groups.
            QCOMPARE(number(groups[rank - 1], "worst_start_ns"), number(gap, "start_ns"));
        }
}

// M2: K1 [0,50) us drained by a stream synchronisation inside aten::item; K2 [74,80). Time zero is the launch
// at -5.
void TstGapsVerb::json_syncDrain_isExact() {
    const Json json = gapsOf(fixturePath("micro/M2.json"));
    const Json& device = json["devices"][0];
    QCOMPARE(number(device, "process"), 100);
    QCOMPARE(number(device, "device"), 0);
    QCOMPARE(number(device, "idle_ns"), 24'000);
    QCOMPARE(device["list"].size(), std::size_t{1});
    const Json& gap = device["list"][0];
    QCOMPARE(number(gap, "start_ns"), 55'000);
    QCOMPARE(number(gap, "end_ns"), 79'000);
    QCOMPARE(gap["cause"].get<std::string>(), std::string("SYNC_DRAIN"));
    QCOMPARE(gap["class"].get<std::string>(), std::string("sync"));
    QCOMPARE(number(gap["cuts_ns"], "before"), 18'000);
    QCOMPARE(number(gap["cuts_ns"], "inside"), 4'000);
    QCOMPARE(number(gap["cuts_ns"], "after"), 2'000);
    QCOMPARE(number(device["segments_ns"], "before:sync_api"), 3'000);
    QCOMPARE(number(device["segments_ns"], "before:operator"), 10'000);
    QCOMPARE(number(device["segments_ns"], "before:uncovered"), 5'000);
    QCOMPARE(gap["drained_by"]["name"].get<std::string>(), std::string("cudaStreamSynchronize"));
    QCOMPARE(gap["drained_by"]["operator"].get<std::string>(), std::string("aten::item"));
    QCOMPARE(gap["blocking_call"]["role"].get<std::string>(), std::string("drained_by"));
    QCOMPARE(gap["launch"]["name"].get<std::string>(), std::string("cudaLaunchKernel"));
    QCOMPARE(gap["next"]["name"].get<std::string>(), std::string("K2"));
    QCOMPARE(number(gap["next"], "stream"), 7);
    QCOMPARE(gap["previous"][0]["name"].get<std::string>(), std::string("K1"));
    QCOMPARE(gap["pieces"][0]["name"].get<std::string>(), std::string("cudaStreamSynchronize"));
    QCOMPARE(device["draining_wait"][0]["api"].get<std::string>(), std::string("cudaStreamSynchronize"));
    QCOMPARE(number(device["draining_wait"][0], "replay_saving_ns"), 18'000);
}

// M1: gap [15,36) us on the axis; before = uncovered [15,17), aten::add [17,30); launch call [30,33).
void TstGapsVerb::range_cutsTheGap() {
    const Json json = gapsOf(fixturePath("micro/M1.json"), QStringLiteral("--range 20us..32us"));
    const Json& device = json["devices"][0];
    QCOMPARE(number(device, "idle_ns"), 12'000);
    QCOMPARE(sumOf(device["edges_ns"]), 0);
    QCOMPARE(number(device["segments_ns"], "before:operator"), 10'000);
    QCOMPARE(number(device["segments_ns"], "before:uncovered"), 0);
    QCOMPARE(number(device["segments_ns"], "inside"), 2'000);
    QCOMPARE(device["list"].size(), std::size_t{1});
    const Json& gap = device["list"][0];
    QCOMPARE(number(gap, "start_ns"), 20'000);
    QCOMPARE(number(gap, "end_ns"), 32'000);
    QCOMPARE(gap["cause"].get<std::string>(), std::string("HOST_WORK"));
    QCOMPARE(number(gap["cuts_ns"], "before"), 10'000);
    QCOMPARE(number(gap["cuts_ns"], "inside"), 2'000);
    QCOMPARE(number(gap["cuts_ns"], "after"), 0);
    QCOMPARE(sumOf(gap["parts_ns"]), 12'000);
    QCOMPARE(tilingError(gap), QString());
    QCOMPARE(gap["pieces"][0]["name"].get<std::string>(), std::string("aten::add"));
    QCOMPARE(number(device["groups"][0], "total_ns"), 12'000);
}

void TstGapsVerb::range_bookkeepingIsComplete_data() {
    QTest::addColumn<QString>("range");
    QTest::addColumn<int>("edgeStart");
    QTest::addColumn<int>("busy");
    QTest::addColumn<int>("idle");
    QTest::addColumn<int>("edgeEnd");
    // M1 on the axis, in ns: K1 [5000,15000), idle [15000,36000), K2 [36000,45000)
    QTest::newRow("everything") << QStringLiteral("0..60us") << 5'000 << 19'000 << 21'000 << 15'000;
    QTest::newRow("before time zero") << QStringLiteral("-10us..10us") << 15'000 << 5'000 << 0 << 0;
    QTest::newRow("only the lead-in") << QStringLiteral("0..5us") << 5'000 << 0 << 0 << 0;
    QTest::newRow("only the tail") << QStringLiteral("50us..60us") << 0 << 0 << 0 << 10'000;
    QTest::newRow("inside the gap") << QStringLiteral("16us..17us") << 0 << 0 << 1'000 << 0;
    QTest::newRow("bare ns") << QStringLiteral("14999..15001") << 0 << 1 << 1 << 0;
}

void TstGapsVerb::range_bookkeepingIsComplete() {
    QFETCH(QString, range);
    QFETCH(int, edgeStart);
    QFETCH(int, busy);
    QFETCH(int, idle);
    QFETCH(int, edgeEnd);
    const Json device =
        gapsOf(fixturePath("micro/M1.json"), QStringLiteral("--min 0 --range ") + range)["devices"][0];
    QCOMPARE(number(device["edges_ns"], "start"), edgeStart);
    QCOMPARE(number(device["edges_ns"], "end"), edgeEnd);
    QCOMPARE(number(device, "idle_ns"), idle);
    std::int64_t listed = 0;
    for (const Json& gap : device["list"])
        listed += length(gap);
    QCOMPARE(listed, idle);
    // busy + idle + edges = window
    const QStringList ends = range.split(QStringLiteral(".."));
    const auto ns = [](QString text) {
        return text.endsWith(u"us") ? text.chopped(2).toLongLong() * 1'000 : text.toLongLong();
    };
    QCOMPARE(busy + idle + edgeStart + edgeEnd, ns(ends[1]) - ns(ends[0]));
}

void TstGapsVerb::min_listsButSumsAll() {
    const QString file = fixturePath("captured/torch/item_sync.pt.trace.json.gz");
    const Json all = gapsOf(file, QStringLiteral("--min 0")),
               few = gapsOf(file, QStringLiteral("--min 0.1ms"));
    const Json &allDevice = all["devices"][0], &fewDevice = few["devices"][0];
    QCOMPARE(allDevice["parts_ns"].dump(), fewDevice["parts_ns"].dump());
    QCOMPARE(allDevice["groups"].dump(), fewDevice["groups"].dump());
    std::size_t expected = 0;
    for (const Json& gap : allDevice["list"])
        expected += length(gap) >= 100'000;
    QVERIFY(expected > 0 && expected < allDevice["list"].size());
    QCOMPARE(fewDevice["list"].size(), expected);
}

void TstGapsVerb::top_keepsTheBestRanks() {
    const QString file = fixturePath("captured/torch/item_sync.pt.trace.json.gz");
    const Json all = gapsOf(file), five = gapsOf(file, QStringLiteral("--top 5"));
    std::vector<std::int64_t> ranks;
    for (const Json& gap : all["devices"][0]["list"])
        ranks.push_back(number(gap, "rank"));
    std::sort(ranks.begin(), ranks.end());
    ranks.resize(5);
    std::vector<std::int64_t> kept, starts;
    for (const Json& gap : five["devices"][0]["list"]) {
        kept.push_back(number(gap, "rank"));
        starts.push_back(number(gap, "start_ns"));
    }
    QVERIFY(std::is_sorted(starts.begin(), starts.end()));
    std::sort(kept.begin(), kept.end());
    QVERIFY(kept == ranks);
    QCOMPARE(gapsOf(file, QStringLiteral("--top 0"))["devices"][0]["list"].size(), std::size_t{0});
}

void TstGapsVerb::device_selectsOne() {
    // Two processes on one GPU: each has its own device row with the same number.
    const Json json = gapsOf(fixturePath("captured/nsys/two_processes.sqlite"), QStringLiteral("--device 0"));
    QCOMPARE(json["devices"].size(), std::size_t{2});
    QVERIFY(number(json["devices"][0], "process") != number(json["devices"][1], "process"));
}

// M8: [0,10) and [15,25) on stream 7, [5,20) on stream 20: no device gap, one stream gap of 5 us.
void TstGapsVerb::stream_listsThatStreamsGaps() {
    const Json device = gapsOf(fixturePath("micro/M8.json"), QStringLiteral("--stream 7"))["devices"][0];
    QCOMPARE(number(device, "idle_ns"), 0);
    QCOMPARE(number(device, "stream"), 7);
    QCOMPARE(device["list"].size(), std::size_t{1});
    const Json& gap = device["list"][0];
    QCOMPARE(length(gap), 5'000);
    QCOMPARE(gap["cause"].get<std::string>(), std::string("OTHER_STREAM_RUNNING"));
    QCOMPARE(sumOf(gap["parts_ns"]), 5'000);
    QCOMPARE(number(gap, "rank"), 1);
    QCOMPARE(tilingError(gap), QString());
    QCOMPARE(device["groups"].size(), std::size_t{1});
    QCOMPARE(number(device["groups"][0], "total_ns"), 5'000);
    const Json cut =
        gapsOf(fixturePath("micro/M8.json"), QStringLiteral("--stream 7 --min 0 --range 12us..100us"));
    for (const Json& part : cut["devices"][0]["list"]) {
        QCOMPARE(sumOf(part["parts_ns"]), length(part));
        QCOMPARE(sumOf(part["cuts_ns"]), length(part));
    }
}

void TstGapsVerb::csv_hasOneRowPerListedGap() {
    const QString file = fixturePath("captured/torch/item_sync.pt.trace.json.gz");
    const std::size_t listed = gapsOf(file)["devices"][0]["list"].size();
    const QByteArray csv = gapsText(file.toStdString(), {QStringLiteral("--format"), QStringLiteral("csv")});
    const QList<QByteArray> lines = csv.trimmed().split('\n');
    QCOMPARE(static_cast<std::size_t>(lines.size()), listed + 1);
    QVERIFY2(lines[0].startsWith("process,device,rank,start_ns,end_ns,duration_ns,cause,class,confidence,"),
             lines[0].constData());
    const QList<QByteArray> first = lines[1].split(',');
    QCOMPARE(first[4].toLongLong() - first[3].toLongLong(), first[5].toLongLong());
}

void TstGapsVerb::table_fitsAndTellsTheVerdict() {
    const QString file = fixturePath("captured/torch/item_sync.pt.trace.json.gz");
    const Json json = gapsOf(file);
    const QString text = QString::fromUtf8(gapsText(file.toStdString(), {}));
    const qsizetype table = text.indexOf(u"Groups, worst first");
    QVERIFY2(table > 0 && table < text.indexOf(u"in order of time"), qPrintable(text));
    std::string worst;
    for (const Json& gap : json["devices"][0]["list"])
        if (number(gap, "rank") == 1)
            worst = gap["verdict"].get<std::string>();
    QVERIFY2(text.simplified().contains(QString::fromStdString(worst)), worst.c_str()); // it may be wrapped
    bool inList = false;
    for (const QString& line : text.split(u'\n')) {
        inList = inList || line.contains(u"in order of time");
        if (inList)
            QVERIFY2(line.size() <= 120, qPrintable(line));
    }
}

LACUNA_TEST(TstGapsVerb, "tst_gaps_verb")

} // namespace tst_gaps_verb

#include "tst_gaps_verb.moc"
