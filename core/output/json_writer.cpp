#include "core/output/json_writer.h"

#include "core/output/utf8.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

namespace lacuna {

namespace {

constexpr std::size_t kLineLevels = 4; // levels whose contents get lines of their own
constexpr std::size_t kFlushBytes = std::size_t{64} << 10;

void appendQuoted(std::string& out, std::string_view text) {
    constexpr std::string_view kHex = "0123456789abcdef";
    out += '"';
    for (const char c : validUtf8(text)) {
        const auto byte = static_cast<unsigned char>(c);
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\t':
            out += "\\t";
            break;
        default:
            if (byte < 0x20 || byte == 0x7F) {
                out += "\\u00";
                out += kHex[byte >> 4];
                out += kHex[byte & 0xF];
            } else {
                out += c;
            }
        }
    }
    out += '"';
}

} // namespace

JsonWriter::~JsonWriter() {
    assert(m_levels.empty() && !m_afterKey);
    m_sink.write(m_buffer);
}

void JsonWriter::key(std::string_view name) {
    assert(!m_levels.empty() && m_levels.back().isObject && !m_afterKey);
    Level& level = m_levels.back();
    assert(level.isEmpty || level.lastKey < name);
    beforeValue();
    level.lastKey.assign(name);
    appendQuoted(m_buffer, name);
    m_buffer += ": ";
    m_afterKey = true;
}

void JsonWriter::value(std::string_view text) {
    beforeValue();
    appendQuoted(m_buffer, text);
    flushIfFull();
}

void JsonWriter::value(double number) {
    if (!std::isfinite(number)) {
        null();
        return;
    }
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    scalar({digits.data(), static_cast<std::size_t>(end.ptr - digits.data())});
}

void JsonWriter::textMember(std::string_view name, std::string_view text) {
    key(name);
    if (text.empty())
        null();
    else
        value(text);
}

void JsonWriter::open(char bracket, bool isObject) {
    beforeValue();
    m_buffer += bracket;
    m_levels.push_back({isObject, true, {}});
}

void JsonWriter::close(char bracket) {
    assert(!m_levels.empty() && !m_afterKey);
    const bool wasEmpty = m_levels.back().isEmpty;
    m_levels.pop_back();
    if (!wasEmpty && m_levels.size() < kLineLevels)
        newLine(m_levels.size());
    m_buffer += bracket;
    if (m_levels.empty())
        m_buffer += '\n';
    flushIfFull();
}

// Comma and line end before an element or key; nothing between a key and its value.
void JsonWriter::beforeValue() {
    if (m_afterKey) {
        m_afterKey = false;
        return;
    }
    if (m_levels.empty())
        return;
    const std::size_t depth = m_levels.size();
    if (!m_levels.back().isEmpty)
        m_buffer += depth <= kLineLevels ? "," : ", ";
    m_levels.back().isEmpty = false;
    if (depth <= kLineLevels)
        newLine(depth);
}

void JsonWriter::scalar(std::string_view text) {
    beforeValue();
    m_buffer += text;
    flushIfFull();
}

void JsonWriter::newLine(std::size_t depth) {
    m_buffer += '\n';
    m_buffer.append(depth, ' ');
}

void JsonWriter::flushIfFull() {
    if (m_buffer.size() < kFlushBytes)
        return;
    m_sink.write(m_buffer);
    m_buffer.clear();
}

} // namespace lacuna
