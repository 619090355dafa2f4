#include "core/import/detail/chrome_pairs.h"

#include "core/import/detail/chrome_lanes.h"

#include <algorithm>

namespace lacuna::chrome {

namespace {

void leaveOut(const PairMark& mark, TraceBuilder& into) {
    into.report().drop(kRowsNotChosen, kRowsNotChosenText, {mark.offset, {}, 0}, Severity::Info);
}

// False: not chosen.
bool addRow(const PairMark& begin, std::int64_t endNs, TraceBuilder& into) {
    if (!into.takes(begin.kind, begin.timeNs, endNs)) {
        leaveOut(begin, into);
        return false;
    }
    into.add({begin.lane, begin.timeNs, endNs, begin.name, begin.kind, 0, SourceRef::offset(begin.offset)});
    into.report().keep(begin.kind);
    return true;
}

} // namespace

std::string asyncKeyOf(const json::Event& event, bool isNestable) {
    std::string key(event.cat.text);
    const auto part = [&key](std::string_view text) { key.append(1, '\0').append(text); };
    if (isNestable)
        part(event.scope.text);
    else
        part(event.name.text);
    part(event.id.text);
    part(rankPrefix(event.pid.text));
    if (event.id2.type == json::ValueType::Object) {
        part(event.id2.text);
        if (event.id2.text.find("\"local\"") != std::string_view::npos)
            part(event.pid.text);
    }
    return key;
}

std::int64_t Pairs::lastTimeNs() const {
    std::int64_t last = INT64_MIN;
    for (const PairMark& mark : m_marks)
        last = std::max(last, mark.timeNs);
    return last;
}

// The begin that an end belongs to: the innermost. Of an async end that names its operation the innermost of
// that name, since writers reuse ids for operations that overlap, or one without a name; none otherwise.
std::vector<PairMark>::iterator Pairs::beginOf(const PairMark& end) {
    if (end.kind != EventKind::Async || !end.name)
        return m_open.empty() ? m_open.end() : m_open.end() - 1;
    constexpr std::ptrdiff_t kMostLooked = 64;
    auto nameless = m_open.end();
    for (auto at = m_open.end(); at != m_open.begin() && m_open.end() - at < kMostLooked;) {
        if ((--at)->name == end.name)
            return at;
        if (!at->name && nameless == m_open.end())
            nameless = at;
    }
    return nameless;
}

void Pairs::close(const PairMark& end, TraceBuilder& into) {
    const auto at = beginOf(end);
    if (at == m_open.end()) {
        into.report().drop("end_without_begin", "An end event has no begin before it.", {end.offset, {}, 0},
                           Severity::Info);
        return;
    }
    PairMark begin = *at;
    m_open.erase(at);
    if (!begin.name)
        begin.name = end.name ? end.name : into.strings().intern("[no name]");
    // The end is a row of the file as well.
    if (!addRow(begin, end.timeNs, into))
        return leaveOut(end, into);
    if (end.bindsFlow)
        m_flowBegins.emplace_back(end.offset, begin.offset);
    into.report().keep(begin.kind);
}

// Ends that name the innermost slice opened before this moment, and no slice begun in it, close it first.
void Pairs::closeEarlierOnes(std::span<const PairMark> sameTime, TraceBuilder& into) {
    constexpr std::size_t kMostBegun = 64; // more begins at one moment: the order of the file decides
    std::vector<StringId> begun;
    for (std::size_t i = 0; i < sameTime.size() && !m_open.empty() && begun.size() < kMostBegun; ++i) {
        const PairMark& mark = sameTime[i];
        if (mark.isBegin) {
            begun.push_back(mark.name);
            continue;
        }
        const bool endsOwnBegin = std::find(begun.begin(), begun.end(), mark.name) != begun.end();
        if (!mark.name || m_open.back().name != mark.name || endsOwnBegin)
            continue;
        close(mark, into);
        m_done[i] = true;
    }
}

void Pairs::resolveStack(std::span<const PairMark> marks, std::int64_t lastNs, TraceBuilder& into) {
    m_open.clear();
    for (std::size_t first = 0; first < marks.size();) {
        std::size_t last = first + 1;
        while (last < marks.size() && marks[last].timeNs == marks[first].timeNs)
            ++last;
        const auto sameTime = marks.subspan(first, last - first);
        m_done.assign(sameTime.size(), false);
        if (sameTime.size() > 1)
            closeEarlierOnes(sameTime, into);
        for (std::size_t i = 0; i < sameTime.size(); ++i) {
            if (m_done[i])
                continue;
            if (sameTime[i].isBegin)
                m_open.push_back(sameTime[i]);
            else
                close(sameTime[i], into);
        }
        first = last;
    }
    for (PairMark& begin : m_open) {
        if (!begin.name)
            begin.name = into.strings().intern("[no name]");
        if (!addRow(begin, std::max(begin.timeNs, lastNs), into))
            continue;
        into.report().note("unfinished", "An event has no end: it is drawn to the last time of the file.",
                           {begin.offset, {}, 0}, Severity::Info);
    }
}

bool Pairs::resolve(TraceBuilder& into, std::int64_t lastNs, JobControl& job) {
    constexpr std::size_t kMarksPerPoll = 4096;
    std::stable_sort(m_marks.begin(), m_marks.end(),
                     [](const PairMark& a, const PairMark& b) { return a.key < b.key; });
    if (job.cancelled())
        return false;
    std::size_t unpolled = 0;
    for (auto first = m_marks.begin(); first != m_marks.end();) {
        const auto last =
            std::find_if(first, m_marks.end(), [&](const PairMark& m) { return m.key != first->key; });
        const auto byTime = [](const PairMark& a, const PairMark& b) { return a.timeNs < b.timeNs; };
        if (!std::is_sorted(first, last, byTime))
            std::stable_sort(first, last, byTime);
        resolveStack({first, last}, lastNs, into);
        unpolled += static_cast<std::size_t>(last - first);
        if (unpolled >= kMarksPerPoll && job.cancelled())
            return false;
        unpolled %= kMarksPerPoll;
        first = last;
    }
    m_marks = {};
    return true;
}

} // namespace lacuna::chrome
