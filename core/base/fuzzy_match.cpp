#include "core/base/fuzzy_match.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <array>

namespace lacuna {

namespace {

constexpr std::size_t kLongestMatched = 256;
constexpr int kNoMatch = -1'000'000;
constexpr int kLetter = 1, kWordStart = 8, kTextStart = 4, kBesideLast = 6;

bool startsWord(std::string_view text, std::size_t at) {
    const auto isPart = [](char c) {
        return isLetter(c) || isDigit(c) || (static_cast<unsigned char>(c) & 0x80U) != 0;
    };
    return isPart(text[at]) && (at == 0 || !isPart(text[at - 1]));
}

// Best score of one word: row by row over its letters, `ending` is the score with the letter at that place.
int wordScore(std::string_view word, std::string_view text) {
    std::array<int, kLongestMatched> ending{}, before{};
    for (std::size_t w = 0; w < word.size(); ++w) {
        int best = w == 0 ? 0 : kNoMatch; // of the letters so far, anywhere before t
        for (std::size_t t = 0; t < text.size(); ++t) {
            const int beside = w > 0 && t > 0 ? before[t - 1] + kBesideLast : kNoMatch;
            const int value = std::max(best, beside) + kLetter + (startsWord(text, t) ? kWordStart : 0) +
                              (t == 0 ? kTextStart : 0);
            ending[t] = lower(word[w]) == lower(text[t]) ? value : kNoMatch;
            if (w > 0)
                best = std::max(best, before[t]);
        }
        before = ending;
    }
    return *std::max_element(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(text.size()));
}

} // namespace

std::optional<int> fuzzyScore(std::string_view typed, std::string_view text) {
    typed = typed.substr(0, kLongestMatched);
    text = text.substr(0, kLongestMatched);
    int sum = 0;
    while (!typed.empty()) {
        const std::size_t end = std::min(typed.find(' '), typed.size());
        const std::string_view word = typed.substr(0, end);
        typed.remove_prefix(std::min(typed.size(), end + 1));
        if (word.empty())
            continue;
        const int score = text.empty() ? kNoMatch : wordScore(word, text);
        if (score < 0)
            return std::nullopt;
        sum += score;
    }
    return sum;
}

} // namespace lacuna
