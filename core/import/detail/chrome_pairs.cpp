#include "core/import/detail/chrome_pairs.h"

#include <algorithm>

namespace lacuna::chrome {

namespace {

void addRow(const PairMark& begin, std::int64_t endNs, TraceBuilder& into) {
    into.add({begin.lane, begin.timeNs, endNs, begin.name, begin.kind, 0, SourceRef::offset(begin.offset)});
    into.report().keep(begin.kind);
}

} // namespace

std::int64_t Pairs::lastTimeNs() const {
    std::int64_t last = INT64_MIN;
    for (const PairMark& mark : m_marks)
        last = std::max(last, mark.timeNs);
    return last;
}

void Pairs::close(const PairMark& end, TraceBuilder& into) {
    if (m_open.empty()) {
        into.report().drop("end_without_begin", "An end event has no begin before it.", {end.offset, {}, 0},
                           Severity::Info);
        return;
    }
    PairMark begin = m_open.back();
    m_open.pop_back();
    if (!begin.name)
        begin.name = end.name ? end.name : into.strings().intern("[no name]");
    addRow(begin, end.timeNs, into);
    into.report().keep(begin.kind); // the end is a row of the file as well
}

// Ends that name the innermost slice opened before this moment close it first.
void Pairs::closeEarlierOnes(std::span<const PairMark> sameTime, std::vector<bool>& done,
                             TraceBuilder& into) {
    for (std::size_t i = 0; i < sameTime.size() && !m_open.empty(); ++i) {
        const PairMark& end = sameTime[i];
        if (end.isBegin || !end.name || m_open.back().name != end.name)
            continue;
        const bool closesOwnBegin =
            std::any_of(sameTime.begin(), sameTime.begin() + static_cast<std::ptrdiff_t>(i),
                        [&](const PairMark& mark) { return mark.isBegin && mark.name == end.name; });
        if (closesOwnBegin)
            continue;
        close(end, into);
        done[i] = true;
    }
}

void Pairs::resolveStack(std::span<const PairMark> marks, std::int64_t lastNs, TraceBuilder& into) {
    m_open.clear();
    std::vector<bool> done;
    for (std::size_t first = 0; first < marks.size();) {
        std::size_t last = first + 1;
        while (last < marks.size() && marks[last].timeNs == marks[first].timeNs)
            ++last;
        const auto sameTime = marks.subspan(first, last - first);
        done.assign(sameTime.size(), false);
        if (sameTime.size() > 1)
            closeEarlierOnes(sameTime, done, into);
        for (std::size_t i = 0; i < sameTime.size(); ++i) {
            if (done[i])
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
        addRow(begin, std::max(begin.timeNs, lastNs), into);
        into.report().note("unfinished",
                           "A begin event has no end: it is drawn to the last time of the file.",
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
