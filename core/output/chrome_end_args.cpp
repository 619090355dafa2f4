#include "core/output/chrome_end_args.h"

#include "core/import/detail/json_text.h"
#include "core/output/strict_json.h"

#include <algorithm>
#include <utility>

namespace lacuna::chrome {

namespace {

char phaseOf(const json::Event& event) {
    return event.ph.text.size() == 1 ? event.ph.text[0] : '\0';
}

bool beginsPair(char phase) {
    return phase == 'B' || phase == 'b' || phase == 'S';
}
bool endsPair(char phase) {
    return phase == 'E' || phase == 'e' || phase == 'F';
}

bool hasArgs(const json::Event& event) {
    return event.args.type == json::ValueType::Object ? event.args.text.find('"') != std::string_view::npos
                                                      : event.args && event.args.text != "null";
}

} // namespace

// Second pass.
class EndArgsFinder::Marks final : public json::EventSink {
public:
    explicit Marks(EndArgsFinder& finder) : m_finder(finder) {}
    void event(const json::Event& event) override {
        const char phase = phaseOf(event);
        const auto time =
            beginsPair(phase) || endsPair(phase) ? json::microsAsNs(event.ts.text) : std::nullopt;
        if (!time)
            return;
        PairMark mark;
        mark.timeNs = *time;
        mark.offset = event.offset;
        mark.key = m_finder.keyOf(event, phase);
        mark.lane = m_finder.m_lane;
        mark.kind = isSlice(phase) ? EventKind::Other : EventKind::Async;
        mark.isBegin = beginsPair(phase);
        mark.bindsFlow = endsPair(phase) && hasArgs(event); // to be told whose they are
        const std::vector<bool>& wanted = isSlice(phase) ? m_finder.m_threads : m_finder.m_asyncs;
        if (mark.key >= wanted.size() || !wanted[mark.key])
            return;
        if (event.name)
            mark.name = m_finder.m_scratch.strings().intern(json::meaning(event.name));
        (isSlice(phase) ? m_slices : m_asyncs).add(mark);
    }
    void rootValue(std::string_view, const json::Value&) override {}
    void trouble(json::Trouble, std::uint64_t) override {}

    // Places of ends and of their begins, by the begin. Of no use once the job is cancelled.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> resolve(JobControl& job) {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
        for (Pairs* pairs : {&m_slices, &m_asyncs}) {
            if (!pairs->resolve(m_finder.m_scratch, pairs->lastTimeNs(), job))
                return {};
            found.insert(found.end(), pairs->beginsOfFlows().begin(), pairs->beginsOfFlows().end());
        }
        std::sort(found.begin(), found.end(),
                  [](const auto& a, const auto& b) { return a.second < b.second; });
        return found;
    }

private:
    EndArgsFinder& m_finder;
    Pairs m_slices, m_asyncs;
};

// Third pass.
class EndArgsFinder::Collector final : public json::EventSink {
public:
    explicit Collector(std::unordered_map<std::uint64_t, std::uint64_t> beginOf)
        : m_beginOf(std::move(beginOf)) {}
    void event(const json::Event& event) override {
        if (!endsPair(phaseOf(event)))
            return;
        const auto begin = m_beginOf.find(event.offset);
        if (begin == m_beginOf.end())
            return;
        EndArgs& args = m_found[begin->second];
        args.isObject = event.args.type == json::ValueType::Object;
        appendStrict(event.args, args.padded);
        args.padded.append(json::kPadding, '\0');
    }
    void rootValue(std::string_view, const json::Value&) override {}
    void trouble(json::Trouble, std::uint64_t) override {}
    EndArgsOfBegins take() { return std::move(m_found); }

private:
    std::unordered_map<std::uint64_t, std::uint64_t> m_beginOf; // by the place of the end
    EndArgsOfBegins m_found;
};

EndArgsFinder::EndArgsFinder() : m_lanes(m_scratch, nullptr) {
    LaneKey key;
    key.kind = LaneKind::Marks;
    m_lane = m_scratch.lane(key);
}

std::uint32_t EndArgsFinder::keyOf(const json::Event& event, char phase) {
    if (isSlice(phase))
        return m_lanes.threadNumber(event);
    const auto next = static_cast<std::uint32_t>(m_asyncKeys.size());
    return m_asyncKeys.try_emplace(asyncKeyOf(event, phase == 'b' || phase == 'e'), next).first->second;
}

void EndArgsFinder::look(const json::Event& event) {
    const char phase = phaseOf(event);
    if (!endsPair(phase) || !hasArgs(event))
        return;
    const std::uint32_t key = keyOf(event, phase);
    std::vector<bool>& keys = isSlice(phase) ? m_threads : m_asyncs;
    keys.resize(std::max<std::size_t>(keys.size(), std::size_t{key} + 1));
    keys[key] = true;
    m_hasFound = true;
}

Result<EndArgsOfBegins>
EndArgsFinder::collect(const Walk& walk, const std::function<bool(std::uint64_t)>& wanted, JobControl& job) {
    std::unordered_map<std::uint64_t, std::uint64_t> beginOf;
    {
        Marks marks(*this);
        if (const Status walked = walk(marks); !walked)
            return walked.error();
        for (const auto& [end, begin] : marks.resolve(job))
            if (wanted(begin))
                beginOf.emplace(end, begin);
    }
    if (job.cancelled())
        return cancelledError();
    Collector collector(std::move(beginOf));
    if (const Status walked = walk(collector); !walked)
        return walked.error();
    return collector.take();
}

} // namespace lacuna::chrome
