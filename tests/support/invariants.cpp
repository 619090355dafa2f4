#include "tests/support/invariants.h"

#include "core/analysis/device_busy.h"
#include "core/analysis/gap_analysis.h"
#include "core/import/load_trace.h"
#include "core/view/row_layout.h"
#include "tests/support/random_trace.h"

#include <numeric>

namespace lacuna::test {

namespace {

constexpr std::size_t kStoriesPerDevice = 200;
constexpr int kWindowsPerDevice = 25;

// The first violation found is kept.
class Checker {
public:
    explicit Checker(std::shared_ptr<const Trace> trace) : m_trace(std::move(trace)) {}

    QString run() {
        checkStrips();
        checkReport();
        checkLanes();
        JobControl job;
        const auto analysis = GapAnalysis::run(m_trace, {}, job);
        if (!analysis)
            return QStringLiteral("no gap analysis: ") + QString::fromStdString(analysis.error().detail);
        for (std::uint32_t d = 0; d < m_trace->devices().size(); ++d)
            checkDevice(**analysis, {d});
        checkRanks(**analysis);
        return m_violation;
    }

private:
    void require(bool holds, const QString& what) {
        if (!holds && m_violation.isEmpty())
            m_violation = what;
    }
    void equal(std::int64_t a, std::int64_t b, const QString& what) {
        require(a == b, QStringLiteral("%1: %2 and %3").arg(what).arg(a).arg(b));
    }
    template <class Array> static std::int64_t sumOf(const Array& values) {
        return std::accumulate(values.begin(), values.end(), std::int64_t{0});
    }

    void checkStrips() {
        const EventTable& events = m_trace->events();
        std::uint32_t next = 0;
        for (const Strip& strip : m_trace->strips()) {
            equal(strip.first.v, next, QStringLiteral("strips tile the rows"));
            next = strip.last.v;
            for (std::uint32_t e = strip.first.v; e < strip.last.v; ++e) {
                require(events.endNs[e] >= events.beginNs[e],
                        QStringLiteral("negative duration in row %1").arg(e));
                require(e == strip.first.v || events.endNs[e - 1] <= events.beginNs[e],
                        QStringLiteral("rows overlap in a strip at row %1").arg(e));
            }
        }
        equal(next, static_cast<std::int64_t>(events.size()), QStringLiteral("rows in strips"));
    }

    // Kept rows are drawn: the sum over the lanes of the timeline equals the kept rows of every kind that has
    // lanes (counters have samples), but for the ends of pairs, which checkReport() bounds.
    void checkLanes() {
        const RowLayout layout = RowLayout::build(*m_trace, {});
        std::array<std::uint64_t, kEventKinds> inLanes{}, inTable{};
        std::uint64_t samples = 0;
        for (std::uint32_t l = 0; l < m_trace->lanes().size(); ++l) {
            const Lane& lane = m_trace->lane({l});
            std::uint64_t rows = 0;
            for (const Strip& strip : m_trace->strips(LaneId{l})) {
                rows += strip.size();
                equal(strip.lane.v, l, QStringLiteral("lane of a strip"));
                for (std::uint32_t e = strip.first.v; e < strip.last.v; ++e)
                    ++inLanes[static_cast<std::size_t>(m_trace->events().kind[e])];
            }
            if (lane.counter)
                rows += m_trace->counters()[lane.counter.v].timeNs.size();
            samples += lane.counter ? rows : 0;
            require(rows == 0 || layout.visibleRowOf({l}).has_value(),
                    QStringLiteral("lane %1 has %2 rows and no place in the timeline").arg(l).arg(rows));
        }
        for (const EventKind kind : m_trace->events().kind)
            ++inTable[static_cast<std::size_t>(kind)];
        for (std::size_t k = 0; k < kEventKinds; ++k)
            equal(static_cast<std::int64_t>(inLanes[k]), static_cast<std::int64_t>(inTable[k]),
                  QStringLiteral("rows of kind %1 in lanes and in the table").arg(k));
        std::uint64_t sampled = 0;
        for (const CounterTrack& track : m_trace->counters())
            sampled += track.timeNs.size();
        equal(static_cast<std::int64_t>(samples), static_cast<std::int64_t>(sampled),
              QStringLiteral("samples in counter lanes"));
    }

    // Kinds whose rows may be begin/end pairs of a Chrome trace.
    bool canBePaired(EventKind kind) const {
        const bool isExport = m_trace->facts().format.starts_with("nsys");
        return !isExport && !isDeviceOp(kind) && kind != EventKind::Sync && kind != EventKind::GpuRange &&
               kind != EventKind::Instant;
    }

    void checkReport() {
        const ImportReport& report = m_trace->report();
        std::array<std::uint64_t, kEventKinds> inTable{};
        for (const EventKind kind : m_trace->events().kind)
            ++inTable[static_cast<std::size_t>(kind)];
        std::uint64_t kept = 0;
        for (std::size_t k = 0; k < kEventKinds; ++k) {
            const auto kind = static_cast<EventKind>(k);
            kept += report.kept(kind);
            if (kind == EventKind::Metadata || kind == EventKind::Flow || kind == EventKind::Counter) {
                require(inTable[k] == 0, QStringLiteral("rows of kind %1 in the table").arg(k));
                continue;
            }
            // The end of a begin/end pair is a row kept and drawn as a part of another: at most one a row.
            // tests/corpus.tsv states the exact number for every file.
            const auto ends = static_cast<std::int64_t>(report.kept(kind) - inTable[k]);
            const bool isPaired = canBePaired(kind);
            require(isPaired ? ends >= 0 && ends <= static_cast<std::int64_t>(inTable[k]) : ends == 0,
                    QStringLiteral("kept and drawn rows of kind %1 differ by %2").arg(k).arg(ends));
        }
        std::size_t samples = 0;
        for (const CounterTrack& track : m_trace->counters())
            samples += track.timeNs.size();
        require(samples >= report.kept(EventKind::Counter), QStringLiteral("counter rows without sample"));
        std::uint64_t dropped = 0;
        for (const Issue& issue : report.issues()) {
            dropped += issue.dropsRows ? issue.count : 0;
            require(!issue.code.empty() && !issue.message.empty() && issue.count > 0,
                    QStringLiteral("empty note"));
        }
        equal(static_cast<std::int64_t>(report.rowsRead()), static_cast<std::int64_t>(kept + dropped),
              QStringLiteral("rows read, kept and dropped"));
    }

    void checkDevice(const GapAnalysis& analysis, DeviceId device) {
        JobControl job;
        const DeviceBusy busy = deviceBusy(*m_trace, device, job);
        const QString name = QStringLiteral("device %1 ").arg(device.v);
        equal(sumOf(busy.stateNs), busy.span.length().v, name + QStringLiteral("states and span"));
        equal(busy.busyNs + busy.idleNs(), busy.span.length().v,
              name + QStringLiteral("busy + idle and span"));
        const IntervalSet idle = busy.busy.complementIn(busy.span);
        checkGaps(analysis, device, idle);
        checkTotals(analysis.totals(device), busy, idle, busy.span, name);
        RandomSource random(device.v + 1);
        for (int k = 0; k < kWindowsPerDevice && !m_trace->window().isEmpty(); ++k) {
            const std::int64_t low = m_trace->window().begin.v - 1000, high = m_trace->window().end.v + 1000;
            const std::int64_t a = random.between(low, high), b = random.between(low, high);
            const TimeRange window{{std::min(a, b)}, {std::max(a, b)}};
            const QString where = QStringLiteral("window %1..%2 ").arg(window.begin.v).arg(window.end.v);
            if (busy.ops != 0)
                checkTotals(analysis.totals(device, window), busy, idle, window, name + where);
        }
    }

    void checkTotals(const GapTotals& totals, const DeviceBusy& busy, const IntervalSet& idle,
                     TimeRange window, const QString& name) {
        equal(totals.windowNs, window.length().v, name + QStringLiteral("window"));
        equal(totals.busyNs, busy.busy.measureIn(window).v, name + QStringLiteral("busy"));
        equal(totals.idleNs, idle.measureIn(window).v, name + QStringLiteral("idle"));
        equal(totals.busyNs + totals.idleNs + totals.edgeStartNs + totals.edgeEndNs, totals.windowNs,
              name + QStringLiteral("busy + idle + edges and window"));
        equal(sumOf(totals.segmentNs), totals.idleNs, name + QStringLiteral("segments and idle"));
        equal(sumOf(totals.partNs), totals.idleNs, name + QStringLiteral("parts and idle"));
        equal(sumOf(totals.causeNs), totals.idleNs, name + QStringLiteral("causes and idle"));
        equal(sumOf(totals.causeGaps), totals.gaps, name + QStringLiteral("gaps by cause"));
    }

    void checkGaps(const GapAnalysis& analysis, DeviceId device, const IntervalSet& idle) {
        const std::span<const Gap> gaps = analysis.gapsOf(device);
        equal(static_cast<std::int64_t>(gaps.size()), static_cast<std::int64_t>(idle.ranges().size()),
              QStringLiteral("gaps of device %1").arg(device.v));
        const std::size_t step = gaps.size() / kStoriesPerDevice + 1;
        for (std::size_t k = 0; k < gaps.size() && k < idle.ranges().size(); ++k) {
            const Gap& gap = gaps[k];
            const QString name = QStringLiteral("gap %1 of device %2 ").arg(k).arg(device.v);
            require(gap.range == idle.ranges()[k], name + QStringLiteral("is no idle interval"));
            equal(gap.beforeNs + gap.insideNs + gap.afterNs + gap.unknownNs(), gap.length().v,
                  name + QStringLiteral("cuts"));
            require(gap.beforeNs >= 0 && gap.insideNs >= 0 && gap.afterNs >= 0 && gap.unknownNs() >= 0,
                    name + QStringLiteral("negative cut"));
            std::int64_t parts = 0;
            for (const GapPart& part : analysis.parts(gap)) {
                parts += part.ns;
                require(part.ns > 0, name + QStringLiteral("empty part"));
            }
            equal(parts, gap.length().v, name + QStringLiteral("parts"));
            require(gap.syncPartNs >= 0 && gap.syncPartNs <= gap.beforeNs + gap.insideNs,
                    name + QStringLiteral("sync part"));
            if (k % step == 0)
                checkStory(analysis.explain(gap), gap, name);
        }
    }

    void checkStory(const GapStory& story, const Gap& gap, const QString& name) {
        TimeNs at = gap.range.begin;
        for (const GapPiece& piece : story.pieces) {
            require(piece.range.begin == at && !piece.range.isEmpty(),
                    name + QStringLiteral("pieces do not tile"));
            at = piece.range.end;
        }
        require(at == gap.range.end, name + QStringLiteral("pieces do not reach the end"));
        std::int64_t parts = 0;
        for (const GapPart& part : story.parts)
            parts += part.ns;
        equal(parts, gap.length().v, name + QStringLiteral("parts of the story"));
        const qsizetype length = QString::fromStdString(story.verdict).size();
        require(length > 0 && length <= 200, name + QStringLiteral("verdict of %1 characters").arg(length));
        require(story.tries.size() <= 3, name + QStringLiteral("too many tries"));
    }

    void checkRanks(const GapAnalysis& analysis) {
        const std::span<const GapId> byRank = analysis.byRank();
        equal(static_cast<std::int64_t>(byRank.size()), static_cast<std::int64_t>(analysis.gaps().size()),
              QStringLiteral("ranked gaps"));
        for (std::size_t k = 0; k < byRank.size(); ++k)
            equal(analysis.gap(byRank[k]).rank, static_cast<std::int64_t>(k) + 1, QStringLiteral("rank"));
        std::size_t members = 0;
        for (const GapGroup& group : analysis.groups()) {
            members += group.members.size();
            std::int64_t total = 0;
            for (const GapId id : group.members)
                total += analysis.gap(id).length().v;
            equal(group.totalNs, total, QStringLiteral("total of a group"));
            equal(group.count, static_cast<std::int64_t>(group.members.size()),
                  QStringLiteral("count of a group"));
        }
        equal(static_cast<std::int64_t>(members), static_cast<std::int64_t>(analysis.gaps().size()),
              QStringLiteral("gaps in groups"));
    }

    std::shared_ptr<const Trace> m_trace;
    QString m_violation;
};

} // namespace

QString violatedInvariant(std::shared_ptr<const Trace> trace) {
    return Checker(std::move(trace)).run();
}

QString violatedInvariant(const std::filesystem::path& file) {
    JobControl job;
    auto loaded = loadTrace(file, builtinImporters(), job);
    if (!loaded) {
        const Error& error = loaded.error();
        const bool helps = !error.detail.empty() && !error.place.empty() && !error.remedy.empty();
        return helps ? QString()
                     : QStringLiteral("message without reason, place or remedy: ") +
                           QString::fromStdString(error.detail);
    }
    return violatedInvariant(loaded->trace);
}

} // namespace lacuna::test
