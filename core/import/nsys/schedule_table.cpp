// When each thread had a CPU, and what the sampler saw on it. Both are context beside the calls: they stand
// in lanes of their own that no gap rule reads.

#include "core/base/poll.h"
#include "core/import/nsys/nsys_reader.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace lacuna::nsys {

namespace {

struct Switch {
    std::optional<std::int64_t> thread;
    std::int64_t time = 0, row = 0, cpu = 0;
    bool isIn = false;
    SourceRef source;
};

// Pairs in -> out per thread in order of time. The slice is the row of the switch in; the switch out that
// ends it is counted as metadata, so that every kept row is drawn once or is the end of one that is. A slice
// whose other half was not recorded reaches to the first or last switch of the file.
class Schedule {
public:
    explicit Schedule(NsysReader& reader) : m_reader(reader) {}

    void load() {
        enum Column { Begin, Cpu, In, Tid };
        TableRows rows(m_reader, "SCHED_EVENTS", {"start", "cpu", "isSchedIn", "globalTid"});
        while (rows.next()) {
            const auto at = rows.time();
            if (!at)
                continue;
            const auto isIn = rows.integer(In);
            if (!isIn) {
                rows.drop("bad_switch", "Thread switches that do not tell in from out were left out.");
                continue;
            }
            m_switches.push_back({rows.integer(Tid), *at, rows.place().row, rows.integerOr(Cpu, -1),
                                  *isIn != 0, rows.source()});
            m_first = m_switches.size() == 1 ? *at : std::min(m_first, *at);
            m_last = m_switches.size() == 1 ? *at : std::max(m_last, *at);
        }
        std::sort(m_switches.begin(), m_switches.end(), [](const Switch& a, const Switch& b) {
            return std::tie(a.thread, a.time, a.row) < std::tie(b.thread, b.time, b.row);
        });
        const Switch* open = nullptr;
        for (std::size_t i = 0; i < m_switches.size(); ++i) {
            const Switch& now = m_switches[i];
            if (i % kRowsPerPoll == 0 && m_reader.job.cancelled())
                return;
            const bool isFirst = i == 0 || m_switches[i - 1].thread != now.thread;
            if (isFirst && open != nullptr)
                halfOpen(*open, open->time, m_last);
            if (isFirst)
                open = nullptr;
            step(now, open, isFirst);
        }
        if (open != nullptr)
            halfOpen(*open, open->time, m_last);
    }

private:
    void step(const Switch& now, const Switch*& open, bool isFirst) {
        if (now.isIn) {
            if (open != nullptr) // two in a row: the thread had a CPU until the second at least
                halfOpen(*open, open->time, now.time);
            open = &now;
        } else if (open != nullptr) {
            slice(*open, open->time, now.time, EventKind::Other);
            m_reader.report.keep(EventKind::Metadata);
            open = nullptr;
        } else if (isFirst) {
            halfOpen(now, m_first, now.time);
        } else { // nobody knows since when: a mark
            slice(now, now.time, now.time, EventKind::Instant);
            note(now);
        }
    }

    void halfOpen(const Switch& from, std::int64_t begin, std::int64_t end) {
        slice(from, begin, end, EventKind::Other);
        note(from);
    }

    void note(const Switch& at) {
        m_reader.report.note(
            "half_recorded_switch",
            "Of some thread switches only one half was recorded; the time on the CPU is drawn "
            "up to the first or last switch of the file.",
            {{}, "SCHED_EVENTS", at.row});
    }

    void slice(const Switch& from, std::int64_t begin, std::int64_t end, EventKind kind) {
        StringId& name = m_cpuNames[from.cpu];
        if (!name)
            name =
                m_reader.builder.strings().intern(from.cpu < 0 ? "CPU" : "CPU " + std::to_string(from.cpu));
        m_reader.builder.add({m_reader.hostLane(LaneKind::Marks, from.thread, "on CPU"), begin, end, name,
                              kind, 0, from.source});
        m_reader.report.keep(kind);
    }

    NsysReader& m_reader;
    std::vector<Switch> m_switches;
    std::int64_t m_first = 0, m_last = 0;
    std::unordered_map<std::int64_t, StringId> m_cpuNames;
};

// The function that a sample met: the innermost frame of its chain.
class InnermostFrames {
public:
    explicit InnermostFrames(NsysReader& reader) {
        const SqliteTable* chains = reader.db.table("SAMPLING_CALLCHAINS");
        if (chains == nullptr || chains->column("id") == nullptr || chains->column("symbol") == nullptr ||
            chains->column("stackDepth") == nullptr)
            return;
        if (chains->column("id")->isPrimaryKey) {
            if (auto lookup = reader.db.prepare("SELECT symbol FROM SAMPLING_CALLCHAINS WHERE id = ?1 "
                                                "ORDER BY stackDepth LIMIT 1"))
                m_lookup.emplace(std::move(*lookup));
            return;
        }
        auto all = reader.db.prepare("SELECT id, symbol, stackDepth FROM SAMPLING_CALLCHAINS");
        while (all && all->step() == SqliteStatement::Step::Row)
            if (all->integer(0) && all->integer(2))
                keepInnermost(*all->integer(0), {*all->integer(2), all->integer(1)});
    }

    std::optional<std::int64_t> symbolOf(std::int64_t sample) {
        if (!m_lookup) {
            const auto at = m_frames.find(sample);
            return at == m_frames.end() ? std::nullopt : at->second.symbol;
        }
        m_lookup->reset();
        m_lookup->bind(1, sample);
        if (m_lookup->step() != SqliteStatement::Step::Row)
            return std::nullopt;
        return m_lookup->integer(0);
    }

private:
    struct Frame {
        std::int64_t depth = 0;
        std::optional<std::int64_t> symbol;
    };
    // A chain need not begin at depth 0.
    void keepInnermost(std::int64_t sample, const Frame& frame) {
        const auto [at, isNew] = m_frames.try_emplace(sample, frame);
        if (!isNew && frame.depth < at->second.depth)
            at->second = frame;
    }

    std::optional<SqliteStatement> m_lookup; // by key; none when the table has no key and was read at once
    std::unordered_map<std::int64_t, Frame> m_frames;
};

} // namespace

void loadSchedule(NsysReader& reader) {
    Schedule(reader).load();
}

void loadSamples(NsysReader& reader) {
    enum Column { Begin, Id, Tid };
    TableRows rows(reader, "COMPOSITE_EVENTS", {"start", "id", "globalTid"});
    std::optional<InnermostFrames> frames;
    while (rows.next()) {
        const auto at = rows.time();
        if (!at)
            continue;
        if (!frames)
            frames.emplace(reader);
        const auto id = rows.integer(Id);
        const StringId name =
            reader.name(id ? frames->symbolOf(*id) : std::nullopt, "(sample without stack)", rows);
        reader.builder.add({reader.hostLane(LaneKind::Marks, rows.integer(Tid), "CPU samples"), *at, *at,
                            name, EventKind::Instant, 0, rows.source()});
        rows.keep(EventKind::Instant);
    }
}

} // namespace lacuna::nsys
