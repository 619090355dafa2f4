#pragma once
// Small random traces for comparisons with slow, obvious implementations. The same seed and options give the
// same rows on every machine. Times are small multiples of unitNs, so that ties, touching rows and rows of
// zero length are frequent. The plain rows are kept beside the finished trace: an oracle works on them and
// never on the structures under test.
//
//   for (std::uint64_t seed = 1; seed <= 200; ++seed) {
//       const RandomTrace random = makeRandomTrace(seed);
//       QVERIFY2(check(*random.trace, random.rows), qPrintable(random.note()));

#include "core/trace/trace.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lacuna::test {

// splitmix64: std::uniform_int_distribution is not the same on all machines.
class RandomSource {
public:
    explicit RandomSource(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t next();
    // Uniform in [low, high], low <= high.
    std::int64_t between(std::int64_t low, std::int64_t high);
    bool chance(int percent) { return between(0, 99) < percent; }

private:
    std::uint64_t m_state;
};

// One row as an importer would add it, in file order.
struct RandomRow {
    EventKind kind = EventKind::CpuOp;
    std::int64_t beginNs = 0, endNs = 0; // file time
    std::string name;
    int thread = -1;               // host rows: index of the thread
    int device = -1;               // device rows and markers
    std::int64_t stream = -1;      // device rows and markers
    std::uint64_t correlation = 0; // 0 = none
    std::int64_t bytes = 0;        // copies and sets
    CopyKind copyKind = CopyKind::Unknown;
    MemKind src = MemKind::Unknown, dst = MemKind::Unknown;
};

struct RandomTraceOptions {
    std::int64_t unitNs = 1;      // every time is a multiple of it
    std::int64_t horizon = 400;   // units from the first host row to the last
    std::int64_t originNs = 5000; // added to every time
    int threads = 2;
    int hostRows = 30; // per thread, about
    int devices = 1;
    int streams = 3;          // per device
    int maxOpUnits = 12;      // duration of a device operation
    bool crossingRows = true; // rows of a thread that overlap without nesting
    bool pythonRows = true, osRows = true, ranges = true;
    bool overlapOnStream = true; // now and then a device operation starts before its predecessor ended
    bool unknownLaunches = true; // device operations without a recorded call
    bool clockAnomalies = true;  // device operations that start before their call
};

struct RandomTrace {
    std::uint64_t seed = 0;
    std::vector<RandomRow> rows; // file order; row i has SourceRef::offset(i)
    std::shared_ptr<const Trace> trace;

    const RandomRow& rowOf(EventId event) const { return rows[trace->events().source[event.v]]; }
    QString note() const { return QStringLiteral("seed %1").arg(seed); }
};

RandomTrace makeRandomTrace(std::uint64_t seed, const RandomTraceOptions& options = {});
// Rows as an importer adds them: one process "100", threads "1", "2", ..., lanes by kind, time zero as for
// Chrome JSON. isStopped: as if reading had been stopped behind the last one.
std::shared_ptr<const Trace> traceOfRows(const std::vector<RandomRow>& rows, bool isStopped = false);

} // namespace lacuna::test
