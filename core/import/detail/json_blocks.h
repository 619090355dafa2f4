#pragma once
// What stands where in 64 bytes of JSON text: bit i of a mask for byte i. For walking over values of which
// only the end is wanted.

#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace lacuna::json::detail {

inline constexpr unsigned kWideBlock = 64;

struct Marks {
    std::uint64_t quotes = 0, backslashes = 0;
    std::uint64_t opens = 0, closes = 0; // brackets of both kinds
    std::uint64_t followers = 0;         // what may follow a string: a comma, a colon, a closing bracket
};

#if defined(__SSE2__)
inline Marks marksOf(const char* p) {
    Marks marks;
    for (unsigned shift = 0; shift < kWideBlock; shift += 16) {
        const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + shift));
        const __m128i folded = _mm_or_si128(v, _mm_set1_epi8(0x20)); // bit 5 makes { of [ and } of ]
        const auto bits = [shift](__m128i hit) {
            return std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(hit))} << shift;
        };
        const __m128i close = _mm_cmpeq_epi8(folded, _mm_set1_epi8('}'));
        marks.quotes |= bits(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
        marks.backslashes |= bits(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
        marks.opens |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')));
        marks.closes |= bits(close);
        marks.followers |= bits(_mm_or_si128(close, _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(',')),
                                                                 _mm_cmpeq_epi8(v, _mm_set1_epi8(':')))));
    }
    return marks;
}
#else
inline Marks marksOf(const char* p) {
    Marks marks;
    for (unsigned i = 0; i < kWideBlock; ++i) {
        const std::uint64_t bit = std::uint64_t{1} << i;
        const char c = p[i];
        const bool isClose = c == '}' || c == ']';
        marks.quotes |= c == '"' ? bit : 0;
        marks.backslashes |= c == '\\' ? bit : 0;
        marks.opens |= c == '{' || c == '[' ? bit : 0;
        marks.closes |= isClose ? bit : 0;
        marks.followers |= isClose || c == ',' || c == ':' ? bit : 0;
    }
    return marks;
}
#endif

// From each opening quote up to the byte before its closing one; `before`: all ones when a string is open at
// the first byte, else 0.
inline std::uint64_t insideStrings(std::uint64_t quotes, std::uint64_t before) {
    for (unsigned shift = 1; shift < kWideBlock; shift *= 2)
        quotes ^= quotes << shift;
    return quotes ^ before;
}

} // namespace lacuna::json::detail
