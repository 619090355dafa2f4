#include "core/search/pattern.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <utility>

namespace lacuna {

namespace {
constexpr std::size_t kMostRemembered = 512; // states; beyond them all are forgotten and met again
}

Result<Pattern> Pattern::compile(std::string_view text, PatternOptions options) {
    Pattern pattern;
    pattern.m_isRegex = options.isRegex;
    if (options.isRegex) {
        auto program = compileRegex(text, options.caseSensitive);
        if (!program)
            return program.error();
        pattern.m_program = std::move(*program);
        pattern.m_seen.assign(pattern.m_program.steps.size(), 0);
        return pattern;
    }
    for (std::size_t b = 0; b < pattern.m_fold.size(); ++b) {
        const char c = static_cast<char>(b);
        pattern.m_fold[b] = static_cast<unsigned char>(options.caseSensitive ? c : lower(c));
    }
    pattern.m_needle = std::string(text);
    for (char& c : pattern.m_needle)
        c = static_cast<char>(pattern.m_fold[static_cast<unsigned char>(c)]);
    const auto length = static_cast<std::uint32_t>(pattern.m_needle.size());
    pattern.m_jump.fill(std::max(length, 1U));
    for (std::size_t b = 0; b < pattern.m_fold.size(); ++b)
        for (std::uint32_t i = 0; i + 1 < length; ++i)
            if (static_cast<unsigned char>(pattern.m_needle[i]) == pattern.m_fold[b])
                pattern.m_jump[b] = length - 1 - i;
    return pattern;
}

bool Pattern::occursIn(std::string_view name) {
    if (!m_isRegex)
        return plainOccursIn(name);
    std::uint32_t state = m_states.empty() ? addState({m_program.start}, true) : 0;
    for (const char c : name) {
        if (m_states[state].matches)
            return true;
        const auto byte = static_cast<unsigned char>(c);
        const std::int32_t known = m_states[state].next[byte];
        state = known >= 0 ? static_cast<std::uint32_t>(known) : advance(state, byte);
    }
    return m_states[state].matches || m_states[state].matchesAtEnd;
}

// Horspool: the byte under the needle's end says how far it may go.
bool Pattern::plainOccursIn(std::string_view name) const {
    const std::size_t length = m_needle.size();
    if (length == 0)
        return true;
    const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(name[i]); };
    const auto last = static_cast<unsigned char>(m_needle.back());
    for (std::size_t end = length - 1; end < name.size(); end += m_jump[byteAt(end)]) {
        if (m_fold[byteAt(end)] != last)
            continue;
        std::size_t i = length - 1;
        while (i > 0 && m_fold[byteAt(end - length + i)] == static_cast<unsigned char>(m_needle[i - 1]))
            --i;
        if (i == 0)
            return true;
    }
    return false;
}

// Adds what can be reached from a step without reading a byte to m_now.
bool Pattern::follow(std::uint32_t step, bool atBegin, bool atEnd) {
    std::vector<std::uint32_t> open{step};
    bool matches = false;
    while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        if (std::exchange(m_seen[at], std::uint8_t{1}) != 0)
            continue;
        const PatternStep& now = m_program.steps[at];
        switch (now.kind) {
        case PatternStep::Kind::Match:
            matches = true;
            break;
        case PatternStep::Kind::Split:
            open.push_back(now.next);
            open.push_back(now.other);
            break;
        case PatternStep::Kind::Begin:
            if (atBegin)
                open.push_back(now.next);
            break;
        case PatternStep::Kind::End:
            if (atEnd)
                open.push_back(now.next);
            m_now.push_back(at);
            break;
        case PatternStep::Kind::Bytes:
            m_now.push_back(at);
            break;
        }
    }
    return matches;
}

std::uint32_t Pattern::addState(const std::vector<std::uint32_t>& entered, bool atBegin) {
    const auto reach = [&](bool atEnd) {
        m_now.clear();
        std::fill(m_seen.begin(), m_seen.end(), std::uint8_t{0});
        bool matches = false;
        for (const std::uint32_t step : entered)
            matches = follow(step, atBegin, atEnd) || matches;
        return matches;
    };
    State state;
    state.matchesAtEnd = reach(true);
    state.matches = reach(false);
    state.steps = m_now;
    state.next.fill(-1);
    m_states.push_back(std::move(state));
    return static_cast<std::uint32_t>(m_states.size() - 1);
}

std::uint32_t Pattern::advance(std::uint32_t from, unsigned char byte) {
    std::vector<std::uint32_t> entered{m_program.start}; // a match may begin at every byte
    for (const std::uint32_t at : m_states[from].steps)
        if (m_program.steps[at].kind == PatternStep::Kind::Bytes &&
            m_program.sets[m_program.steps[at].set].test(byte))
            entered.push_back(m_program.steps[at].next);
    std::sort(entered.begin(), entered.end());
    entered.erase(std::unique(entered.begin(), entered.end()), entered.end());
    if (const auto known = m_stateOf.find(entered); known != m_stateOf.end()) {
        m_states[from].next[byte] = static_cast<std::int32_t>(known->second);
        return known->second;
    }
    const bool isFull = m_states.size() >= kMostRemembered;
    if (isFull) { // the first state stays where it is
        m_states.resize(1);
        m_states.front().next.fill(-1);
        m_stateOf.clear();
    }
    const std::uint32_t made = addState(entered, false);
    if (!isFull)
        m_states[from].next[byte] = static_cast<std::int32_t>(made);
    m_stateOf.emplace(std::move(entered), made);
    return made;
}

} // namespace lacuna
