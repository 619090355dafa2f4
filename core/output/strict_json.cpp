#include "core/output/strict_json.h"

#include "core/import/detail/json_text.h"
#include "core/output/utf8.h"

#include <algorithm>
#include <vector>

namespace lacuna {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isPlainText(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

// Valid UTF-8; escapes what JSON does not allow to stand.
void appendEscaped(std::string_view text, std::string& out) {
    constexpr std::string_view kHex = "0123456789abcdef";
    out += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (byte < 0x20)
            ((out += "\\u00") += kHex[byte >> 4]) += kHex[byte & 15u];
        else
            out += c;
    }
    out += '"';
}

void appendScalar(std::string_view word, std::string& out) {
    if (word == "True")
        out += "true";
    else if (word == "False")
        out += "false";
    else if (word == "None" || word.empty())
        out += "null";
    else if (word == "true" || word == "false" || word == "null" || isStrictNumber(word))
        out += word;
    else
        appendStrictString(word, out);
}

// One object or array, token by token: depth costs memory, not stack.
class ContainerCopy {
public:
    ContainerCopy(std::string_view text, std::string& out) : m_at(text.data()), m_out(out) {
        m_end = m_at + text.size();
    }

    void run() {
        do
            token();
        while (m_at < m_end && !m_levels.empty());
        while (!m_levels.empty())
            close();
    }

private:
    struct Level {
        bool isObject = false, isEmpty = true, hasKey = false;
    };

    void token() {
        const char c = *m_at;
        if (static_cast<unsigned char>(c) <= ' ' || c == ',' || c == ':') {
            ++m_at;
        } else if (c == '{' || c == '[') {
            beforeValue();
            m_out += c;
            m_levels.push_back({c == '{', true, false});
            ++m_at;
        } else if (c == '}' || c == ']') {
            close();
            ++m_at;
        } else if (c == '"') {
            string();
        } else {
            word();
        }
    }

    bool expectsKey() const { return m_levels.back().isObject && !m_levels.back().hasKey; }

    void comma() {
        if (!m_levels.back().isEmpty)
            m_out += ',';
        m_levels.back().isEmpty = false;
    }

    void beforeValue() {
        if (m_levels.empty())
            return;
        Level& level = m_levels.back();
        if (!level.isObject)
            return comma();
        if (!level.hasKey) { // a value without a key
            comma();
            m_out += "\"\":";
        }
        level.hasKey = false;
    }

    void string() {
        const char* const first = ++m_at;
        while (m_at < m_end && *m_at != '"')
            m_at += *m_at == '\\' ? 2 : 1;
        m_at = std::min(m_at, m_end);
        text({first, static_cast<std::size_t>(m_at - first)});
        ++m_at;
    }

    void word() {
        constexpr std::string_view kEnds = "\"{}[],:";
        const char* const first = m_at;
        while (m_at<m_end&& static_cast<unsigned char>(*m_at)> ' ' &&
               kEnds.find(*m_at) == std::string_view::npos)
            ++m_at;
        const std::string_view word(first, static_cast<std::size_t>(m_at - first));
        if (expectsKey())
            return text(word);
        beforeValue();
        appendScalar(word, m_out);
    }

    void text(std::string_view recorded) {
        if (!expectsKey()) {
            beforeValue();
            return appendStrictString(recorded, m_out);
        }
        comma();
        appendStrictString(recorded, m_out);
        m_out += ':';
        m_levels.back().hasKey = true;
    }

    void close() {
        if (m_levels.back().hasKey)
            m_out += "null";
        m_out += m_levels.back().isObject ? '}' : ']';
        m_levels.pop_back();
    }

    const char* m_at;
    const char* m_end;
    std::string& m_out;
    std::vector<Level> m_levels;
};

} // namespace

bool isStrictNumber(std::string_view text) {
    std::size_t at = 0;
    const auto digits = [&] {
        const std::size_t first = at;
        while (at < text.size() && isDigit(text[at]))
            ++at;
        return at - first;
    };
    if (at < text.size() && text[at] == '-')
        ++at;
    const std::size_t first = at, whole = digits();
    if (whole == 0 || (whole > 1 && text[first] == '0'))
        return false;
    if (at < text.size() && text[at] == '.') {
        ++at;
        if (digits() == 0)
            return false;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-'))
            ++at;
        if (digits() == 0)
            return false;
    }
    return at == text.size();
}

void appendQuotedText(std::string_view text, std::string& out) {
    if (std::all_of(text.begin(), text.end(), isPlainText))
        ((out += '"') += text) += '"';
    else
        appendEscaped(validUtf8(text), out);
}

void appendStrictString(std::string_view recorded, std::string& out) {
    if (std::all_of(recorded.begin(), recorded.end(), isPlainText)) {
        ((out += '"') += recorded) += '"';
        return;
    }
    std::string meaning;
    json::appendUnescaped(recorded, meaning);
    appendEscaped(meaning, out);
}

void appendStrict(const json::Value& value, std::string& out) {
    switch (value.type) {
    case json::ValueType::String:
        return appendStrictString(value.text, out);
    case json::ValueType::Object:
    case json::ValueType::Array:
        return ContainerCopy(value.text, out).run();
    case json::ValueType::Scalar:
    case json::ValueType::Absent:
        return appendScalar(value.text, out);
    }
}

} // namespace lacuna
