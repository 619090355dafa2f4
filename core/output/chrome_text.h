#pragma once
// Pieces of a Chrome trace that both writers share: times, and the root member "lacuna".

#include "core/output/chrome_writer.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lacuna::chrome {

// Nanoseconds as microseconds with exactly three decimals: "-12.045".
void appendMicros(std::int64_t ns, std::string& out);

// The rows that a cut keeps: those that touch it, and rows of no length inside it.
inline bool touches(const std::optional<TimeRange>& cut, std::int64_t beginNs, std::int64_t endNs) {
    if (!cut)
        return true;
    return beginNs < cut->end.v && (endNs > cut->begin.v || (beginNs == endNs && beginNs == cut->begin.v));
}

// Members of the root member "lacuna" up to "cut", without the brackets.
void appendProvenance(const Trace& trace, const ChromeExport& options, bool hasTimeZero, std::string& out);

// Hands finished text to the sink in pieces.
class Buffer {
public:
    explicit Buffer(TextSink& sink) : m_sink(sink) {}
    std::string& text() { return m_text; }
    void flushIfFull() {
        if (m_text.size() >= kFull)
            flush();
    }
    void flush() {
        m_sink.write(m_text);
        m_text.clear();
    }

private:
    static constexpr std::size_t kFull = std::size_t{1} << 20;
    TextSink& m_sink;
    std::string m_text;
};

} // namespace lacuna::chrome
