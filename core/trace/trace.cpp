#include "core/trace/trace.h"

#include "core/trace/strip_blocks.h"

#include <algorithm>

namespace lacuna {

std::string rankText(const Process& process) {
    return process.mpiRank ? "MPI rank " + std::to_string(*process.mpiRank) : std::string();
}

StripId Trace::stripOf(EventId event) const {
    const auto after = std::upper_bound(m_strips.begin(), m_strips.end(), event,
                                        [](EventId e, const Strip& s) { return e < s.first; });
    return {static_cast<std::uint32_t>(after - m_strips.begin() - 1)};
}

std::span<const std::int64_t> Trace::busyBlocks(StripId strip) const {
    return std::span(m_busy).subspan(m_busyFirst[strip.v], blocksOf(m_strips[strip.v].size()));
}

std::span<const EventId> Trace::longestBlocks(StripId strip, unsigned level) const {
    std::size_t first = m_longestFirst[strip.v];
    std::size_t count = blocksOf(m_strips[strip.v].size());
    for (unsigned l = 1; l < level; ++l) {
        if (count == 1)
            return {};
        first += count;
        count = blocksOf(count);
    }
    return std::span(m_longest).subspan(first, count);
}

std::string Trace::threadTitle(ThreadId thread) const {
    if (!thread)
        return {};
    const Thread& t = m_threads[thread.v];
    std::string title = t.name;
    if (title.empty() && t.process) {
        const Process& p = m_processes[t.process.v];
        if (p.idText == t.idText) // the main thread carries the name of its process
            title = p.name;
    }
    if (title.empty())
        return "thread " + t.idText;
    return title + " " + t.idText;
}

} // namespace lacuna
