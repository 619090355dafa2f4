#include "tests/support/trace_compare.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>

namespace lacuna::test {

namespace {

class Comparison {
public:
    Comparison(const Trace& a, const Trace& b) : m_a(a), m_b(b) {}

    std::string run() {
        compareRows();
        compareLanes();
        compareOwners();
        compareCorrelations();
        compareArguments();
        compareReport();
        compareFacts();
        return m_difference;
    }

private:
    void require(bool equal, std::string_view what) {
        if (!equal && m_difference.empty())
            m_difference = what;
    }
    template <class A, class B> void same(const A& a, const B& b, std::string_view what) {
        require(std::equal(a.begin(), a.end(), b.begin(), b.end()), what);
    }
    template <class Range, class Fields>
    void sameBy(const Range& a, const Range& b, Fields fields, std::string_view what) {
        require(std::equal(a.begin(), a.end(), b.begin(), b.end(),
                           [&](const auto& x, const auto& y) { return fields(x) == fields(y); }),
                what);
    }

    void compareRows() {
        const EventTable &a = m_a.events(), &b = m_b.events();
        same(a.beginNs, b.beginNs, "begins");
        same(a.endNs, b.endNs, "ends");
        same(a.name, b.name, "name ids");
        same(a.kind, b.kind, "kinds");
        same(a.correlation, b.correlation, "correlation groups");
        same(a.source, b.source, "sources");
        require(m_a.strings().size() == m_b.strings().size() &&
                    m_a.strings().bytes() == m_b.strings().bytes(),
                "number of names");
        for (std::uint32_t i = 0; i < m_a.strings().size() && m_difference.empty(); ++i) {
            const std::string_view name = m_a.strings().view({i});
            require(m_b.strings().view({i}) == name && m_b.strings().find(name) == StringId{i}, "a name");
        }
    }
    void compareLanes() {
        sameBy(
            m_a.lanes(), m_b.lanes(),
            [](const Lane& l) {
                return std::tuple(l.kind, l.title, l.process, l.thread, l.device, l.sourceId, l.counter,
                                  l.firstStrip, l.depth);
            },
            "lanes");
        sameBy(
            m_a.strips(), m_b.strips(), [](const Strip& s) { return std::tuple(s.first, s.last, s.lane); },
            "strips");
        for (std::uint32_t s = 0; s < m_a.strips().size() && m_difference.empty(); ++s) {
            same(m_a.busyBlocks({s}), m_b.busyBlocks({s}), "busy blocks");
            for (unsigned level = 1; level < 9; ++level)
                same(m_a.longestBlocks({s}, level), m_b.longestBlocks({s}, level), "longest blocks");
        }
        require(m_a.window() == m_b.window(), "window");
    }
    void compareOwners() {
        sameBy(
            m_a.processes(), m_b.processes(),
            [](const Process& p) { return std::tuple(p.idText, p.osPid, p.name, p.sortIndex, p.mpiRank); },
            "processes");
        sameBy(
            m_a.threads(), m_b.threads(),
            [](const Thread& t) { return std::tuple(t.process, t.idText, t.tid, t.name); }, "threads");
        sameBy(
            m_a.devices(), m_b.devices(),
            [](const Device& d) { return std::tuple(d.process, d.ordinal, d.name); }, "devices");
        require(m_a.counters().size() == m_b.counters().size(), "number of counters");
        for (std::size_t i = 0; i < m_a.counters().size() && m_difference.empty(); ++i) {
            const CounterTrack &a = m_a.counters()[i], &b = m_b.counters()[i];
            require(std::tie(a.name, a.unit, a.process, a.device) ==
                        std::tie(b.name, b.unit, b.process, b.device),
                    "a counter");
            same(a.timeNs, b.timeNs, "times of a counter");
            same(a.value, b.value, "values of a counter");
        }
    }
    void compareCorrelations() {
        const CorrelationIndex &a = m_a.correlations(), &b = m_b.correlations();
        require(a.groups() == b.groups(), "number of groups");
        for (std::uint32_t g = 0; g < a.groups() && m_difference.empty(); ++g) {
            require(a.key(g) == b.key(g) && b.find(b.domain(g), b.correlationId(g)) == g, "key of a group");
            same(a.members(g), b.members(g), "members of a group");
            same(a.hostCalls(g), b.hostCalls(g), "calls of a group");
            same(a.deviceOps(g), b.deviceOps(g), "device work of a group");
            same(a.markers(g), b.markers(g), "markers of a group");
        }
        same(m_a.flows().links(), m_b.flows().links(), "flows");
        for (const FlowLink& link : m_a.flows().links()) {
            same(m_a.flows().outgoing(link.from), m_b.flows().outgoing(link.from), "flows by source");
            same(m_a.flows().incoming(link.to), m_b.flows().incoming(link.to), "flows by target");
        }
    }
    void compareArguments() {
        const HotArgs &a = m_a.hotArgs(), &b = m_b.hotArgs();
        sameBy(
            a.copies.rows(), b.copies.rows(),
            [](const CopyArgs& c) { return std::tuple(c.event, c.bytes, c.kind, c.src, c.dst); }, "copies");
        sameBy(
            a.syncs.rows(), b.syncs.rows(),
            [](const SyncArgs& s) {
                return std::tuple(s.event, s.kind, s.stream, s.sourceStream, s.recordCorrelation, s.eventId,
                                  s.eventSyncId);
            },
            "sync rows");
        sameBy(
            a.graphs.rows(), b.graphs.rows(),
            [](const GraphArgs& g) { return std::tuple(g.event, g.graph, g.node); }, "graph rows");
    }
    void compareReport() {
        const ImportReport &a = m_a.report(), &b = m_b.report();
        for (std::size_t kind = 0; kind < kEventKinds; ++kind)
            require(a.kept(static_cast<EventKind>(kind)) == b.kept(static_cast<EventKind>(kind)),
                    "kept rows");
        require(a.isPartial() == b.isPartial(), "partly read");
        sameBy(
            a.issues(), b.issues(),
            [](const Issue& i) {
                return std::tuple(i.code, i.severity, i.count, i.message, i.first.offset, i.first.table,
                                  i.first.row, i.dropsRows);
            },
            "notes");
    }
    void compareFacts() {
        const auto fields = [](const TraceFacts& f) {
            return std::tie(f.fileName, f.fileSize, f.format, f.writer, f.baseNs, f.metadata,
                            f.pythonRecorded, f.osRuntimeRecorded, f.syncRowsRecorded);
        };
        require(fields(m_a.facts()) == fields(m_b.facts()), "facts");
        const std::string &a = m_a.facts().path, &b = m_b.facts().path;
        require(a == b || a.empty() || b.empty(), "path");
    }

    const Trace &m_a, &m_b;
    std::string m_difference;
};

} // namespace

std::string firstDifference(const Trace& a, const Trace& b) {
    return Comparison(a, b).run();
}

} // namespace lacuna::test
