// Groups of correlated rows against a map that is filled by hand. Groups are kept 32 in a row, narrow or
// written out: shapes on both sides of every limit of the narrow form.

#include "core/trace/correlation_index.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <vector>

namespace tst_correlation_index {

using namespace lacuna;

namespace {

// Rows of host calls, device work and markers in the order of the file.
struct Rows {
    EventTable events;
    Column<std::uint64_t> keys;

    void add(std::uint64_t key, EventKind kind) {
        const auto row = static_cast<std::int64_t>(keys.size());
        const std::int64_t begin = row * 7919 % 10'007; // not the order of the file
        events.beginNs.push_back(begin);
        events.endNs.push_back(begin + 1);
        events.name.push_back(StringId{0});
        events.kind.push_back(kind);
        events.source.push_back(static_cast<std::uint64_t>(row));
        keys.push_back(key);
    }
    void addMany(std::uint64_t key, EventKind kind, int count) {
        for (int i = 0; i < count; ++i)
            add(key, kind);
    }
};

constexpr std::uint64_t keyOf(std::uint32_t domain, std::uint32_t id) {
    return std::uint64_t{domain} << 32 | id;
}

std::uint32_t pick(std::mt19937& random, std::uint32_t below) {
    return static_cast<std::uint32_t>(random() % below);
}

int partOf(EventKind kind) {
    return isHostCall(kind) ? 0 : isDeviceOp(kind) ? 1 : 2;
}

// Calls, operations and markers of a key.
using Parts = std::array<std::vector<EventId>, 3>;

std::map<std::uint64_t, Parts> byHand(const Rows& rows) {
    std::map<std::uint64_t, Parts> groups;
    for (std::uint32_t row = 0; row < rows.keys.size(); ++row)
        if (rows.keys[row] != 0)
            groups[rows.keys[row]][static_cast<std::size_t>(partOf(rows.events.kind[row]))].push_back({row});
    for (auto& [key, parts] : groups)
        for (const std::size_t part : {1u, 2u})
            std::stable_sort(parts[part].begin(), parts[part].end(), [&](EventId a, EventId b) {
                return rows.events.beginNs[a.v] < rows.events.beginNs[b.v];
            });
    return groups;
}

bool equal(std::span<const EventId> found, const std::vector<EventId>& wanted) {
    return std::equal(found.begin(), found.end(), wanted.begin(), wanted.end());
}

void check(Rows& rows) {
    const auto wanted = byHand(rows);
    JobControl job;
    const auto index = CorrelationIndex::join(rows.events, rows.keys, job);
    QVERIFY(index.has_value());
    QCOMPARE(index->groups(), wanted.size() + 1);
    std::uint32_t group = 0;
    std::vector<std::uint32_t> groupOf(rows.keys.size(), 0);
    for (const auto& [key, parts] : wanted) {
        ++group;
        const auto domain = static_cast<std::uint32_t>(key >> 32), id = static_cast<std::uint32_t>(key);
        QCOMPARE(index->key(group), key);
        QCOMPARE(index->domain(group), domain);
        QCOMPARE(index->correlationId(group), id);
        QCOMPARE(index->find(domain, id), group);
        QCOMPARE(index->find(domain, id + 1), wanted.contains(key + 1) ? group + 1 : 0u);
        QCOMPARE(index->find(domain + 9, id), 0u);
        QVERIFY(equal(index->hostCalls(group), parts[0]));
        QVERIFY(equal(index->deviceOps(group), parts[1]));
        QVERIFY(equal(index->markers(group), parts[2]));
        std::vector<EventId> all;
        for (const auto& part : parts)
            all.insert(all.end(), part.begin(), part.end());
        QVERIFY(equal(index->members(group), all));
        for (const EventId row : all)
            groupOf[row.v] = group;
    }
    QVERIFY(std::equal(groupOf.begin(), groupOf.end(), rows.events.correlation.begin(),
                       rows.events.correlation.end()));
}

} // namespace

class TstCorrelationIndex : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void noRows();
    void callsWithOneOperation();
    void graphLaunchAmongThem_data();
    void graphLaunchAmongThem();
    void holeBetweenIds_data();
    void holeBetweenIds();
    void manyMarkers();
    void domainsChangeWithinTheRow();
    void sparseIds();
    void anyShape();
};

void TstCorrelationIndex::noRows() {
    Rows rows;
    rows.add(0, EventKind::Kernel);
    check(rows);
    JobControl job;
    QCOMPARE(CorrelationIndex::join(rows.events, rows.keys, job)->find(0, 0), 0u);
}

void TstCorrelationIndex::callsWithOneOperation() {
    Rows rows;
    for (std::uint32_t id = 1; id <= 1'000; ++id) {
        rows.add(keyOf(1, id), EventKind::RuntimeApi);
        if (id % 3 != 0)
            rows.add(keyOf(1, id), EventKind::Kernel);
    }
    check(rows);
}

void TstCorrelationIndex::graphLaunchAmongThem_data() {
    QTest::addColumn<int>("calls");
    QTest::addColumn<int>("operations");
    for (const int operations : {14, 15, 16, 17, 255, 256, 3'000})
        QTest::addRow("%d operations", operations) << 1 << operations;
    for (const int calls : {15, 16, 17})
        QTest::addRow("%d calls", calls) << calls << 1;
}

void TstCorrelationIndex::graphLaunchAmongThem() {
    QFETCH(int, calls);
    QFETCH(int, operations);
    for (const std::uint32_t place : {1u, 2u, 31u, 32u, 33u, 63u, 64u, 100u}) {
        Rows rows;
        for (std::uint32_t id = 1; id <= 100; ++id) {
            rows.addMany(keyOf(0, id), EventKind::RuntimeApi, id == place ? calls : 1);
            rows.addMany(keyOf(0, id), EventKind::Kernel, id == place ? operations : 1);
        }
        check(rows);
    }
}

void TstCorrelationIndex::holeBetweenIds_data() {
    QTest::addColumn<unsigned>("hole");
    for (const unsigned hole : {65'503u, 65'504u, 65'505u, 65'535u, 65'536u, 4'000'000'000u})
        QTest::addRow("%u ids", hole) << hole;
}

void TstCorrelationIndex::holeBetweenIds() {
    QFETCH(unsigned, hole);
    Rows rows;
    for (std::uint32_t id = 1; id <= 96; ++id)
        rows.add(keyOf(0, id + (id > 32 ? hole : 0)), EventKind::DriverApi);
    for (std::uint32_t id = 1; id <= 96; ++id)
        rows.add(keyOf(1, id + (id > 40 ? hole : 0)), EventKind::Memcpy);
    check(rows);
}

// Members of the 32 beyond what a byte counts, and of the last group.
void TstCorrelationIndex::manyMarkers() {
    for (const std::uint32_t last : {31u, 32u, 33u}) {
        Rows rows;
        for (std::uint32_t id = 1; id <= last; ++id)
            rows.addMany(keyOf(0, id), EventKind::Sync, static_cast<int>(id));
        check(rows);
    }
}

void TstCorrelationIndex::domainsChangeWithinTheRow() {
    Rows rows;
    for (const std::uint32_t domain : {0u, 1u, 2u, 7u})
        for (std::uint32_t id = 1; id <= 40; ++id)
            rows.add(keyOf(domain, id), id % 2 == 0 ? EventKind::RuntimeApi : EventKind::Memset);
    check(rows);
}

void TstCorrelationIndex::sparseIds() {
    std::mt19937 random(7);
    Rows rows;
    for (int i = 0; i < 500; ++i)
        rows.add(keyOf(pick(random, 3), pick(random, UINT32_MAX) | 1u), EventKind::RuntimeApi);
    check(rows);
}

void TstCorrelationIndex::anyShape() {
    constexpr std::array kKinds{EventKind::RuntimeApi, EventKind::Kernel, EventKind::Kernel, EventKind::Sync,
                                EventKind::CpuOp};
    for (unsigned seed = 1; seed <= 50; ++seed) {
        std::mt19937 random(seed);
        Rows rows;
        const std::uint32_t span = 1 + pick(random, 200);
        for (int i = 0; i < 600; ++i) {
            const std::uint32_t id = pick(random, 4) == 0 ? pick(random, 200'000) : pick(random, span);
            const EventKind kind = kKinds[pick(random, kKinds.size())];
            rows.add(pick(random, 5) == 0 ? 0 : keyOf(pick(random, 2), id), kind);
        }
        check(rows);
    }
}

LACUNA_TEST(TstCorrelationIndex, "tst_correlation_index")

} // namespace tst_correlation_index

#include "tst_correlation_index.moc"
