#pragma once
// A text to look for in very many names: plain, or a regular expression whose cost is bounded. There is no
// backtracking: a name of n bytes costs n steps, and a step that was not met before costs at most the size of
// the pattern (kMostStates). So no pattern that a person types, or a file brings along, can hang the search.
//
// Known in expressions: characters, . [] [^] | () (?:) * + ? {m} {m,} {m,n} ^ $ \d \D \w \W \s \S \t \n \xHH
// and a backslash before any other sign. Not known: references, look-around, \b. A dot is one character of
// UTF-8. Letters of ASCII are equal in both cases unless asked otherwise.

#include "core/base/result.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

struct PatternOptions {
    bool isRegex = false;
    bool caseSensitive = false;
};

using ByteSet = std::bitset<256>;

// A step of a compiled expression (Thompson's construction).
struct PatternStep {
    enum class Kind : std::uint8_t { Bytes, Split, Begin, End, Match };
    Kind kind = Kind::Match;
    std::uint32_t set = 0;             // Bytes: index of its set
    std::uint32_t next = 0, other = 0; // other: Split only
};

struct PatternProgram {
    std::vector<PatternStep> steps;
    std::vector<ByteSet> sets;
    std::uint32_t start = 0;
};

class Pattern {
public:
    static constexpr std::size_t kMostStates = 2'000; // steps of the compiled expression

    // Errc::Malformed: no such expression (place: "character 7"); TooLarge: beyond kMostStates.
    static Result<Pattern> compile(std::string_view text, PatternOptions options);

    // Whether it occurs in the name. Remembers what it learnt, so one Pattern serves one thread.
    bool occursIn(std::string_view name);

private:
    struct State {
        std::vector<std::uint32_t> steps; // that read a byte, or wait for the end
        bool matches = false, matchesAtEnd = false;
        std::array<std::int32_t, 256> next{}; // -1: not known yet
    };

    bool plainOccursIn(std::string_view name) const;
    bool follow(std::uint32_t step, bool atBegin, bool atEnd); // true when Match is reached
    std::uint32_t addState(const std::vector<std::uint32_t>& entered, bool atBegin);
    std::uint32_t advance(std::uint32_t state, unsigned char byte);

    bool m_isRegex = false;
    // Plain: the needle, folded, and how far a byte lets it jump.
    std::string m_needle;
    std::array<unsigned char, 256> m_fold{};
    std::array<std::uint32_t, 256> m_jump{};
    // Expressions: the program and the states met so far.
    PatternProgram m_program;
    std::vector<State> m_states;
    std::map<std::vector<std::uint32_t>, std::uint32_t> m_stateOf;
    std::vector<std::uint32_t> m_now; // of the closure under construction
    std::vector<std::uint8_t> m_seen; // beside the steps
};

// pattern_parse.cpp
Result<PatternProgram> compileRegex(std::string_view text, bool caseSensitive);

} // namespace lacuna
