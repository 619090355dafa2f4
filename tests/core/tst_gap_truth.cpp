// Ground truth (analysis.md section 9): programs with one known fault each, and what is right about their
// gaps. A rule that disagrees with an entry is wrong. replay_saving_ns is that of the wait's call site.

#include "core/analysis/drain_savings.h"
#include "core/import/load_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QRegularExpression>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <set>

namespace tst_gap_truth {

using namespace lacuna;
using namespace lacuna::test;
using nlohmann::json;

namespace {

struct Loaded {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const GapAnalysis> analysis;
};

Loaded load(const std::string& file) {
    Loaded loaded;
    JobControl job;
    if (auto read = loadTrace(fixture(file), builtinImporters(), job)) {
        loaded.trace = read->trace;
        if (auto run = GapAnalysis::run(loaded.trace, {}, job))
            loaded.analysis = *run;
    }
    return loaded;
}

std::vector<json> entries() {
    return json::parse(readFile(fixture("captured/truth.json"))).at("truth").get<std::vector<json>>();
}

// Host time of the ranges of that name.
std::vector<TimeRange> namedRanges(const Trace& trace, const std::string& name) {
    std::vector<TimeRange> found;
    for (const Strip& strip : trace.strips())
        if (trace.lane(strip.lane).kind == LaneKind::Range || trace.lane(strip.lane).kind == LaneKind::Steps)
            for (EventId e = strip.first; e < strip.last; ++e.v)
                if (trace.nameOf(e) == name)
                    found.push_back(trace.events().range(e));
    return found;
}

bool lies(const Trace& trace, EventId call, const std::vector<TimeRange>& ranges) {
    return call && std::any_of(ranges.begin(), ranges.end(), [&](TimeRange range) {
               return range.contains(trace.events().range(call).begin);
           });
}

EventId launchOf(const Trace& trace, EventId op) {
    return trace.correlations().launchOf(trace.events(), op).value_or(EventId{});
}

// A gap is inside a range if the operations at both its ends were launched in it: its launch, and that of the
// operation before it.
std::vector<Gap> select(const Loaded& loaded, const json& entry) {
    const Trace& trace = *loaded.trace;
    std::vector<Gap> all;
    JobControl job;
    if (entry.value("stream_gap", false)) {
        for (std::uint32_t i = 0; i < trace.lanes().size(); ++i)
            if (trace.lanes()[i].kind == LaneKind::GpuStream &&
                trace.lanes()[i].sourceId == entry.at("stream").get<std::int64_t>())
                all = *loaded.analysis->streamGaps(LaneId{i}, job);
    } else {
        all.assign(loaded.analysis->gaps().begin(), loaded.analysis->gaps().end());
    }
    const bool hasRange = entry.contains("range");
    const auto ranges =
        hasRange ? namedRanges(trace, entry.at("range").get<std::string>()) : std::vector<TimeRange>{};
    std::erase_if(all, [&](const Gap& gap) {
        if (gap.length().v < entry.value("min_gap_ns", std::int64_t{0}))
            return true;
        if (hasRange && !lies(trace, gap.launch, ranges))
            return true;
        return entry.value("inside", false) &&
               !(lies(trace, gap.launch, ranges) && lies(trace, launchOf(trace, gap.previous), ranges));
    });
    return all;
}

bool matches(const json& entry, const char* key, std::string_view text) {
    const QRegularExpression pattern(QString::fromStdString(entry.at(key).get<std::string>()));
    return pattern.match(QString::fromUtf8(text.data(), static_cast<int>(text.size()))).hasMatch();
}

std::string largestPiece(const GapStory& story) {
    const auto best =
        std::max_element(story.pieces.begin(), story.pieces.end(), [](const GapPiece& a, const GapPiece& b) {
            return a.range.length() < b.range.length();
        });
    return best->name;
}

// Named fields of one gap against the entry; empty when all agree.
QString checkFields(const Loaded& loaded, const Gap& gap, const json& entry) {
    const Trace& trace = *loaded.trace;
    const GapStory story = loaded.analysis->explain(gap);
    const auto wants = [&](const char* key) { return entry.contains(key) && !entry.at(key).is_null(); };
    const auto nameOf = [&](EventId e) { return e ? trace.nameOf(e) : std::string_view{}; };
    const std::string piece = largestPiece(story);
    if (wants("drained_by") && !matches(entry, "drained_by", story.drainedBy.name))
        return QStringLiteral("drained by ") + QString::fromStdString(story.drainedBy.name);
    if (entry.contains("drained_by") && entry.at("drained_by").is_null() && gap.drainedBy)
        return QStringLiteral("drained by ") + QString::fromStdString(story.drainedBy.name) +
               QStringLiteral(", none expected");
    if (wants("largest_piece") && !matches(entry, "largest_piece", piece))
        return QStringLiteral("largest piece ") + QString::fromStdString(piece);
    if (wants("blocking_call") && !matches(entry, "blocking_call", story.blocking.name))
        return QStringLiteral("blocking call ") + QString::fromStdString(story.blocking.name);
    if (wants("operator") && !matches(entry, "operator", nameOf(story.drainedBy.operatorEvent)))
        return QStringLiteral("operator of the wait");
    if (wants("within_range") &&
        std::none_of(story.drainedBy.ranges.begin(), story.drainedBy.ranges.end(), [&](EventId range) {
            return trace.nameOf(range) == entry.at("within_range").get<std::string>();
        }))
        return QStringLiteral("the wait is not in that range");
    const std::string via = gap.viaThread ? trace.threads()[gap.viaThread.v].name : std::string();
    if (entry.contains("via_thread") &&
        via != (wants("via_thread") ? entry.at("via_thread").get<std::string>() : ""))
        return QStringLiteral("via thread ") + QString::fromStdString(via);
    return {};
}

} // namespace

class TstGapTruth : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyEntry_isKnown();
    void gaps_areTrue_data();
    void gaps_areTrue();
    void overlap_isMeasured();

private:
    static void checkSaving(const Loaded& loaded, const json& entry);
};

void TstGapTruth::everyEntry_isKnown() {
    const std::set<std::string> known{"file",
                                      "range",
                                      "min_gap_ns",
                                      "causes",
                                      "share_of_gap_time",
                                      "drained_by",
                                      "largest_piece",
                                      "via_thread",
                                      "note",
                                      "inside",
                                      "gaps",
                                      "blocking_call",
                                      "stream_gap",
                                      "stream",
                                      "overlap",
                                      "expect_none",
                                      "operator",
                                      "within_range",
                                      "sync_part_ns",
                                      "sync_part_tolerance",
                                      "replay_saving_ns",
                                      "replay_saving_tolerance"};
    QCOMPARE(entries().size(), std::size_t{22});
    for (const json& entry : entries())
        for (const auto& [key, value] : entry.items())
            QVERIFY2(known.contains(key), key.c_str());
}

void TstGapTruth::gaps_areTrue_data() {
    QTest::addColumn<int>("index");
    const std::vector<json> all = entries();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!all[i].contains("overlap"))
            QTest::newRow((all[i].at("file").get<std::string>() + " " + all[i].value("range", "")).c_str())
                << static_cast<int>(i);
}

void TstGapTruth::gaps_areTrue() {
    QFETCH(int, index);
    const json entry = entries()[static_cast<std::size_t>(index)];
    const Loaded loaded = load(entry.at("file").get<std::string>());
    QVERIFY(loaded.analysis);
    const std::vector<Gap> gaps = select(loaded, entry);
    if (entry.value("expect_none", false)) {
        QVERIFY2(gaps.empty(), qPrintable(QString::number(gaps.size())));
        return;
    }
    if (entry.contains("gaps"))
        QCOMPARE(gaps.size(), entry.at("gaps").get<std::size_t>());
    QVERIFY(!gaps.empty());
    std::set<std::string> causes;
    for (const json& cause : entry.at("causes"))
        causes.insert(cause.get<std::string>());
    std::int64_t all = 0, right = 0, syncPart = 0;
    QStringList wrong;
    for (const Gap& gap : gaps) {
        all += gap.length().v;
        syncPart += gap.syncPartNs;
        if (causes.contains(std::string(causeName(gap.cause))))
            right += gap.length().v;
        else
            wrong << QStringLiteral("%1 at %2")
                         .arg(QString::fromUtf8(causeName(gap.cause).data()))
                         .arg(gap.range.begin.v);
        const QString difference = checkFields(loaded, gap, entry);
        QVERIFY2(difference.isEmpty(),
                 qPrintable(difference + QStringLiteral(" at %1").arg(gap.range.begin.v)));
    }
    QVERIFY2(static_cast<double>(right) >=
                 entry.at("share_of_gap_time").get<double>() * static_cast<double>(all),
             qPrintable(wrong.join(QStringLiteral(", "))));
    if (entry.contains("sync_part_ns")) {
        const auto expected = entry.at("sync_part_ns").get<double>();
        const double tolerance = entry.at("sync_part_tolerance").get<double>() * expected;
        QVERIFY2(std::abs(static_cast<double>(syncPart) - expected) <= tolerance,
                 qPrintable(QString::number(syncPart)));
    }
    if (entry.contains("replay_saving_ns"))
        checkSaving(loaded, entry);
}

// The call site that drained the most, as `lacuna gaps` prints it.
void TstGapTruth::checkSaving(const Loaded& loaded, const json& entry) {
    JobControl job;
    const auto model = DrainSavings::build(loaded.analysis, job);
    QVERIFY(model);
    const DeviceId device{0};
    const GapTotals totals = loaded.analysis->totals(device);
    const auto savings = model->of(device, std::nullopt, totals.drainingWaits, {}, job);
    QVERIFY(savings && !savings->empty());
    QCOMPARE(totals.drainingWaits.front().operatorName, std::string("aten::_local_scalar_dense"));
    QVERIFY(savings->front().ns);
    const auto expected = entry.at("replay_saving_ns").get<double>();
    const double tolerance = entry.at("replay_saving_tolerance").get<double>() * expected;
    QVERIFY2(std::abs(static_cast<double>(*savings->front().ns) - expected) <= tolerance,
             qPrintable(QString::number(*savings->front().ns)));
}

// "sum 8 ms, union about 6.1 ms, overlap about 1.9 ms in each instance"
void TstGapTruth::overlap_isMeasured() {
    const Loaded loaded = load("captured/nsys/stall.sqlite");
    QVERIFY(loaded.trace);
    const Trace& trace = *loaded.trace;
    const auto ranges = namedRanges(trace, "two_streams_overlap_0_4_2_6");
    QCOMPARE(ranges.size(), std::size_t{3});
    for (const TimeRange range : ranges) {
        std::vector<TimeRange> ops;
        for (const Strip& strip : trace.strips())
            if (trace.lane(strip.lane).kind == LaneKind::GpuStream)
                for (EventId op = strip.first; op < strip.last; ++op.v)
                    if (lies(trace, launchOf(trace, op), {range}) &&
                        trace.events().duration(op).v > 1'000'000)
                        ops.push_back(trace.events().range(op));
        QCOMPARE(ops.size(), std::size_t{2});
        const double sum = static_cast<double>(ops[0].length().v + ops[1].length().v) / 1e6;
        const double overlap = static_cast<double>(intersection(ops[0], ops[1]).length().v) / 1e6;
        QVERIFY2(std::abs(sum - 8.0) < 0.1 && std::abs(overlap - 1.9) < 0.1 &&
                     std::abs(sum - overlap - 6.1) < 0.1,
                 qPrintable(QStringLiteral("%1 %2").arg(sum).arg(overlap)));
    }
}

LACUNA_TEST(TstGapTruth, "tst_gap_truth")

} // namespace tst_gap_truth

#include "tst_gap_truth.moc"
