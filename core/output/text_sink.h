#pragma once
// Where verbs write their results. Output may be large (a gap list of a million rows), so writers hand it
// over in pieces; an error is kept and asked for once, at the end.

#include <cstdio>
#include <string>
#include <string_view>

namespace lacuna {

class TextSink {
public:
    virtual ~TextSink() = default;
    virtual void write(std::string_view text) = 0;
};

class StringSink final : public TextSink {
public:
    void write(std::string_view text) override { m_text.append(text); }
    const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

// Writes to an open stream, which it does not close.
class FileSink final : public TextSink {
public:
    explicit FileSink(std::FILE* file) : m_file(file) {}
    void write(std::string_view text) override;
    // Flushes; 0, or the errno of the first write that failed (later ones were not tried).
    int finish();

private:
    std::FILE* m_file;
    int m_error = 0;
};

} // namespace lacuna
