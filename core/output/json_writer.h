#pragma once
// Writes one JSON document in pieces. Keys of an object must come in ascending byte order (checked by
// assert): the machine-readable output promises sorted keys, and a writer that streams cannot sort
// afterwards. Outer levels get a line per member or element, inner ones stay on a line, so that a gap is one
// line.

#include "core/output/text_sink.h"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

class JsonWriter {
public:
    explicit JsonWriter(TextSink& sink) : m_sink(sink) {}
    ~JsonWriter(); // every object and array is closed by then

    JsonWriter(const JsonWriter&) = delete;
    JsonWriter& operator=(const JsonWriter&) = delete;

    void beginObject() { open('{', true); }
    void endObject() { close('}'); }
    void beginArray() { open('[', false); }
    void endArray() { close(']'); }
    void key(std::string_view name);

    void value(std::string_view text); // bytes that are no UTF-8 become U+FFFD
    void value(const char* text) { value(std::string_view(text)); }
    void value(double number); // shortest form that reads back equal; null when not finite
    void value(bool flag) { scalar(flag ? "true" : "false"); }
    template <std::integral T> void value(T number) { scalar(std::to_string(number)); }
    void null() { scalar("null"); }

    template <class T> void member(std::string_view name, const T& v) {
        key(name);
        value(v);
    }
    template <class T> void member(std::string_view name, const std::optional<T>& v) {
        key(name);
        if (v)
            value(*v);
        else
            null();
    }
    void nullMember(std::string_view name) {
        key(name);
        null();
    }
    // Unknown is null: an empty text is written as null.
    void textMember(std::string_view name, std::string_view text);

private:
    struct Level {
        bool isObject = false, isEmpty = true;
        std::string lastKey;
    };
    void open(char bracket, bool isObject);
    void close(char bracket);
    void beforeValue();
    void scalar(std::string_view text);
    void newLine(std::size_t depth);
    void flushIfFull();

    TextSink& m_sink;
    std::string m_buffer;
    std::vector<Level> m_levels;
    bool m_afterKey = false;
};

} // namespace lacuna
