#pragma once
// The inner loops of the JSON reader: find the end of a string, a value, an object, 16 bytes at a time. They
// check only what they need to find that end, so bare words, raw control characters and commas too many pass.
// Inline, because the reader spends most of its time here.

#include "core/import/detail/json_blocks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace lacuna::json {

// Bytes that must be readable (and zero) after the end of every text given to a Scanner.
inline constexpr std::size_t kPadding = 64;

enum class ValueType : std::uint8_t { Absent, String, Scalar, Object, Array };

// A value as it stands in the file: of a string the part between the quotes, of anything else all of it.
struct Value {
    std::string_view text;
    ValueType type = ValueType::Absent;
    bool isPlain = true; // string of ASCII without escapes: text is what it means
    explicit operator bool() const { return type != ValueType::Absent; }
};

class Scanner {
public:
    enum class Stop : std::uint8_t { None, More, Bad }; // More: the text ends inside the value

    explicit Scanner(const char* end) : m_end(end) {}
    Stop stop() const { return m_stop; }
    const char* more() {
        m_stop = Stop::More;
        return nullptr;
    }
    const char* bad(const char* at) {
        m_stop = Stop::Bad;
        m_badAt = at;
        return nullptr;
    }
    // p stands where something else was expected: the text may end there.
    const char* unexpected(const char* p) { return p >= m_end ? more() : bad(p); }
    const char* badAt() const { return m_badAt; }

    // First byte that is no white space; the end at the latest.
    const char* space(const char* p) const {
        // Most often none or one. What stands behind the end can be read, and is no end of white space.
        if (static_cast<unsigned char>(*p) > ' ' || p >= m_end)
            return p;
        return static_cast<unsigned char>(*++p) > ' ' ? p : longSpace(p);
    }
    // p after the opening quote; the closing quote, or null.
    const char* stringEnd(const char* p, bool& isPlain);
    // p at the first byte of a value; after the value, or null.
    const char* value(const char* p, Value& out);
    // p at the opening bracket; after the closing one, or null. Does not recurse.
    const char* container(const char* p);
    // p after the opening quote of a key; the first byte of its value, or null.
    const char* key(const char* p, std::string_view& name);

private:
    const char* longSpace(const char* p) const;
    const char* scalar(const char* p, Value& out);
    // p inside a container of this depth, and inside a string or not; after the container, or null.
    const char* containerRest(const char* p, unsigned depth, bool isInString);
    const char* afterString(const char* p);

    const char* m_end;
    const char* m_badAt = nullptr;
    Stop m_stop = Stop::None;
};

namespace detail {

struct Block { // bit i: byte i of the block
    unsigned wanted, high;
};
inline constexpr unsigned kBlock = 16;

#if defined(__SSE2__)
inline Block quotes(const char* p) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i hit =
        _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
    return {static_cast<unsigned>(_mm_movemask_epi8(hit)), static_cast<unsigned>(_mm_movemask_epi8(v))};
}
// What is no white space.
inline unsigned words(const char* p) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i above = _mm_subs_epu8(v, _mm_set1_epi8(' ')); // 0 for white space
    const __m128i white = _mm_cmpeq_epi8(above, _mm_setzero_si128());
    return static_cast<unsigned>(_mm_movemask_epi8(white)) ^ 0xffffu;
}
// Quotes and brackets of both kinds: bit 5 makes { of [ and } of ].
inline unsigned brackets(const char* p) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i folded = _mm_or_si128(v, _mm_set1_epi8(0x20));
    const __m128i hit = _mm_or_si128(
        _mm_cmpeq_epi8(v, _mm_set1_epi8('"')),
        _mm_or_si128(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')), _mm_cmpeq_epi8(folded, _mm_set1_epi8('}'))));
    return static_cast<unsigned>(_mm_movemask_epi8(hit));
}
// What ends a bare word: white space, a comma, a bracket, and a quote, which cannot stand there.
inline unsigned wordEnds(const char* p) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i folded = _mm_or_si128(v, _mm_set1_epi8(0x20));
    const __m128i white = _mm_cmpeq_epi8(_mm_subs_epu8(v, _mm_set1_epi8(' ')), _mm_setzero_si128());
    const __m128i marks =
        _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(',')), _mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
    const __m128i both =
        _mm_or_si128(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')), _mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(white, _mm_or_si128(marks, both))));
}
#else
inline Block quotes(const char* p) {
    Block block{0, 0};
    for (unsigned i = 0; i < kBlock; ++i) {
        block.wanted |= static_cast<unsigned>(p[i] == '"' || p[i] == '\\') << i;
        block.high |= static_cast<unsigned>(static_cast<unsigned char>(p[i]) >> 7) << i;
    }
    return block;
}
inline unsigned words(const char* p) {
    unsigned mask = 0;
    for (unsigned i = 0; i < kBlock; ++i)
        mask |= static_cast<unsigned>(static_cast<unsigned char>(p[i]) > ' ') << i;
    return mask;
}
inline unsigned brackets(const char* p) {
    unsigned mask = 0;
    for (unsigned i = 0; i < kBlock; ++i)
        mask |= static_cast<unsigned>(p[i] == '"' || (p[i] | 0x20) == '{' || (p[i] | 0x20) == '}') << i;
    return mask;
}
inline unsigned wordEnds(const char* p) {
    unsigned mask = brackets(p) | (words(p) ^ 0xffffu);
    for (unsigned i = 0; i < kBlock; ++i)
        mask |= static_cast<unsigned>(p[i] == ',') << i;
    return mask;
}
#endif

} // namespace detail

inline const char* Scanner::stringEnd(const char* p, bool& isPlain) {
    for (;;) {
        if (p >= m_end)
            return more();
        const detail::Block block = detail::quotes(p);
        if (block.wanted == 0) {
            isPlain = isPlain && block.high == 0;
            p += detail::kBlock;
            continue;
        }
        const auto skip = static_cast<unsigned>(__builtin_ctz(block.wanted));
        isPlain = isPlain && (block.high & ((1u << skip) - 1u)) == 0;
        p += skip;
        if (p >= m_end)
            return more();
        if (*p == '"')
            return p;
        isPlain = false;
        p += 2;
    }
}

inline const char* Scanner::scalar(const char* p, Value& out) {
    const char* const first = p;
    unsigned ends = detail::wordEnds(p);
    while (ends == 0 && p < m_end) {
        p += detail::kBlock;
        ends = detail::wordEnds(p);
    }
    p += ends == 0 ? 0 : __builtin_ctz(ends);
    if (p >= m_end)
        return more();
    if (*p == '"' || (*p | 0x20) == '{') // cannot stand in a word
        return bad(p);
    out.text = {first, static_cast<std::size_t>(p - first)};
    out.type = p == first ? ValueType::Absent : ValueType::Scalar;
    out.isPlain = true;
    return p;
}

inline const char* Scanner::longSpace(const char* p) const {
    for (; p < m_end; p += detail::kBlock)
        if (const unsigned mask = detail::words(p); mask != 0)
            return std::min(p + __builtin_ctz(mask), m_end);
    return m_end;
}

// p after a closing quote; at what follows, or null. An unescaped quote inside a string shows here: words
// follow where a separator should.
inline const char* Scanner::afterString(const char* p) {
    p = space(p);
    if (p >= m_end)
        return more();
    return *p == ',' || *p == ':' || *p == '}' || *p == ']' ? p : bad(p);
}

inline const char* Scanner::containerRest(const char* p, unsigned depth, bool isInString) {
    for (;;) {
        if (isInString) {
            bool isPlain = true;
            p = stringEnd(p, isPlain);
            if (p != nullptr)
                p = afterString(p + 1);
            if (p == nullptr)
                return nullptr;
            isInString = false;
        }
        if (p >= m_end)
            return more();
        const unsigned mask = detail::brackets(p);
        if (mask == 0) {
            p += detail::kBlock;
            continue;
        }
        p += __builtin_ctz(mask);
        if (p >= m_end)
            return more();
        const char c = *p++;
        if (c == '"')
            isInString = true;
        else if ((c | 0x20) == '{')
            ++depth;
        else if (--depth == 0)
            return p;
    }
}

// 64 bytes at a time, up to the first backslash.
inline const char* Scanner::container(const char* p) {
    unsigned depth = 0;
    std::uint64_t inString = 0; // all ones inside a string
    for (; p < m_end; p += detail::kWideBlock) {
        detail::Marks marks = detail::marksOf(p);
        if (marks.backslashes != 0)
            return containerRest(p, depth, inString != 0);
        if (m_end - p < std::ptrdiff_t{detail::kWideBlock}) {
            const std::uint64_t valid = (std::uint64_t{1} << (m_end - p)) - 1;
            marks.quotes &= valid;
            marks.opens &= valid;
            marks.closes &= valid;
        }
        const std::uint64_t inside = detail::insideStrings(marks.quotes, inString);
        const std::uint64_t opens = marks.opens & ~inside;
        std::uint64_t brackets = opens | (marks.closes & ~inside);
        std::uint64_t upToEnd = ~std::uint64_t{0}; // as far as the container reaches
        for (; brackets != 0; brackets &= brackets - 1) {
            const std::uint64_t lowest = brackets & (0 - brackets);
            if ((opens & lowest) != 0) {
                ++depth;
            } else if (--depth == 0) {
                upToEnd = lowest - 1;
                break;
            }
        }
        // Closing quotes that nothing of what may follow a string follows at once: white space, or damage.
        std::uint64_t odd = marks.quotes & ~inside & ~(marks.followers >> 1) & upToEnd;
        for (; odd != 0; odd &= odd - 1)
            if (afterString(p + __builtin_ctzll(odd) + 1) == nullptr)
                return nullptr;
        if (brackets != 0)
            return p + __builtin_ctzll(brackets) + 1;
        inString = 0 - (inside >> (detail::kWideBlock - 1));
    }
    return more();
}

inline const char* Scanner::value(const char* p, Value& out) {
    if (*p == '"') {
        bool isPlain = true;
        const char* const last = stringEnd(p + 1, isPlain);
        if (last == nullptr)
            return nullptr;
        out = {{p + 1, static_cast<std::size_t>(last - p - 1)}, ValueType::String, isPlain};
        return last + 1;
    }
    if (*p == '{' || *p == '[') {
        const char* const after = container(p);
        if (after != nullptr)
            out = {{p, static_cast<std::size_t>(after - p)},
                   *p == '{' ? ValueType::Object : ValueType::Array,
                   true};
        return after;
    }
    return scalar(p, out);
}

inline const char* Scanner::key(const char* p, std::string_view& name) {
    bool isPlain = true;
    const char* const last = stringEnd(p, isPlain);
    if (last == nullptr)
        return nullptr;
    name = {p, static_cast<std::size_t>(last - p)};
    p = space(last + 1);
    if (p < m_end && *p != ':')
        return bad(p);
    p = space(p < m_end ? p + 1 : p);
    return p < m_end ? p : more();
}

// Walks the members of an object (text from { to }); works on any complete object found by a Scanner. next()
// answers false after the last member, and at anything that cannot be read.
class Members {
public:
    // `object` must be followed by kPadding readable bytes.
    explicit Members(std::string_view object)
        : m_scanner(object.data() + object.size()), m_at(object.empty() ? nullptr : object.data() + 1) {}

    bool next(std::string_view& name, Value& value) {
        if (m_at == nullptr)
            return false;
        do
            m_at = m_scanner.space(m_at);
        while (*m_at == ',' && ++m_at != nullptr);
        if (*m_at != '"')
            return false;
        m_at = m_scanner.key(m_at + 1, name);
        value = {};
        if (m_at != nullptr)
            m_at = m_scanner.value(m_at, value);
        return m_at != nullptr;
    }

private:
    Scanner m_scanner;
    const char* m_at;
};

} // namespace lacuna::json
