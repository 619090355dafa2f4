#pragma once
// Numbers as text in the locale of the run that printed them: "4,963,609,951.19" and "4.963.609.951,19" are
// the same. One number alone may be read either way ("1,234"), a file hardly ever.

#include <cstdint>
#include <optional>
#include <string_view>

namespace lacuna {

enum class DecimalMark : char { Point = '.', Comma = ',' };

// Collects what the numbers of a file give away.
class NumberStyle {
public:
    void observe(std::string_view text);
    // Point, the program's default, where nothing tells.
    DecimalMark mark() const { return m_comma > m_point ? DecimalMark::Comma : DecimalMark::Point; }
    // Both ways of writing were seen.
    bool isMixed() const { return m_comma > 0 && m_point > 0; }
    // Numbers that may be read either way, in a file that does not tell how.
    std::uint64_t ambiguous() const { return m_comma + m_point == 0 ? m_ambiguous : 0; }

private:
    std::uint64_t m_point = 0, m_comma = 0, m_ambiguous = 0;
};

// Groups of three digits may be set apart by the other mark, blanks, no-break blanks or apostrophes;
// exponents are allowed. None for words, "nan", "inf", "n/a", lists ("0,1,2") and the empty text.
std::optional<double> parseNcuNumber(std::string_view text, DecimalMark mark);

} // namespace lacuna
