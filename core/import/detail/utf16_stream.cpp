#include "core/import/detail/utf16_stream.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace lacuna {

namespace {

constexpr std::size_t kUtf16Input = std::size_t{128} << 10;
constexpr char32_t kReplacement = 0xFFFD;

bool isHigh(char32_t unit) {
    return unit >= 0xD800 && unit < 0xDC00;
}
bool isLow(char32_t unit) {
    return unit >= 0xDC00 && unit < 0xE000;
}

void appendUtf8(char32_t c, std::string& out) {
    const auto byte = [&out](char32_t value) { out.push_back(static_cast<char>(value)); };
    if (c < 0x80) {
        byte(c);
    } else if (c < 0x800) {
        byte(0xC0 | (c >> 6));
        byte(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        byte(0xE0 | (c >> 12));
        byte(0x80 | ((c >> 6) & 0x3F));
        byte(0x80 | (c & 0x3F));
    } else {
        byte(0xF0 | (c >> 18));
        byte(0x80 | ((c >> 12) & 0x3F));
        byte(0x80 | ((c >> 6) & 0x3F));
        byte(0x80 | (c & 0x3F));
    }
}

class Utf16Stream final : public ByteStream {
public:
    explicit Utf16Stream(StreamPtr from) : m_from(std::move(from)), m_input(kUtf16Input) {}

    Result<std::size_t> read(std::span<std::byte> buffer) override {
        while (m_given == m_text.size() && !m_atEnd)
            if (const Status converted = convert(); !converted)
                return converted.error();
        const std::size_t count = std::min(buffer.size(), m_text.size() - m_given);
        if (count != 0)
            std::memcpy(buffer.data(), m_text.data() + m_given, count);
        m_given += count;
        return count;
    }
    std::string damage() const override { return m_from->damage(); }
    bool isCut() const override { return m_from->isCut(); }

private:
    Status convert() {
        m_text.clear();
        m_given = 0;
        const auto got = m_from->read(m_input);
        if (!got)
            return got.error();
        m_atEnd = *got == 0;
        for (const std::byte b : std::span(m_input).first(*got))
            take(std::to_integer<unsigned>(b));
        if (m_atEnd && (m_hasFirst || m_high != 0))
            appendUtf8(kReplacement, m_text);
        return ok();
    }

    void take(unsigned byte) {
        if (!m_hasFirst) {
            m_first = byte;
            m_hasFirst = true;
            return;
        }
        m_hasFirst = false;
        if (!m_hasOrder) { // the mark itself, or an ASCII character without it
            m_hasOrder = true;
            m_isBig = m_first == 0xFE || m_first == 0;
            if (m_first >= 0xFE)
                return;
        }
        takeUnit(m_isBig ? (m_first << 8) | byte : (byte << 8) | m_first);
    }

    void takeUnit(char32_t unit) {
        if (m_high != 0 && isLow(unit)) {
            appendUtf8(0x10000 + ((m_high - 0xD800) << 10) + (unit - 0xDC00), m_text);
            m_high = 0;
            return;
        }
        if (m_high != 0)
            appendUtf8(kReplacement, m_text);
        m_high = isHigh(unit) ? unit : 0;
        if (m_high == 0)
            appendUtf8(isLow(unit) ? kReplacement : unit, m_text);
    }

    StreamPtr m_from;
    std::vector<std::byte> m_input;
    std::string m_text; // converted, not yet all given
    std::size_t m_given = 0;
    unsigned m_first = 0; // of the two bytes of a unit
    char32_t m_high = 0;  // surrogate that waits for its other half
    bool m_hasFirst = false, m_hasOrder = false, m_isBig = false, m_atEnd = false;
};

} // namespace

StreamPtr utf8Stream(StreamPtr utf16) {
    return std::make_unique<Utf16Stream>(std::move(utf16));
}

} // namespace lacuna
