#include "core/import/detail/chrome_details.h"

#include "core/import/detail/chrome_frames.h"
#include "core/import/detail/json_event_parse.h"
#include "core/import/detail/json_text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lacuna::chrome {

namespace {

constexpr std::size_t kFirstRead = std::size_t{16} << 10;
constexpr std::size_t kLargest = std::size_t{64} << 20; // as json::Limits::event

// Line breaks and indentation outside strings become nothing after a bracket and one space elsewhere.
std::string onOneLine(std::string_view text) {
    std::string out;
    bool isInString = false, isEscaped = false;
    for (const char c : text) {
        const bool isSpace = !isInString && static_cast<unsigned char>(c) <= ' ';
        const bool followsBracket =
            out.empty() || out.back() == '[' || out.back() == '{' || out.back() == ' ';
        if (isSpace && followsBracket)
            continue;
        const bool closes = !isInString && (c == ']' || c == '}');
        if (closes && !out.empty() && out.back() == ' ')
            out.pop_back();
        out.push_back(isSpace ? ' ' : c);
        if (isInString && !isEscaped && c == '\\') {
            isEscaped = true;
            continue;
        }
        if (c == '"' && !isEscaped)
            isInString = !isInString;
        isEscaped = false;
    }
    return out;
}

std::string shown(const json::Value& value) {
    if (value.type == json::ValueType::Object || value.type == json::ValueType::Array)
        return onOneLine(value.text);
    return json::meaning(value);
}

std::string keyText(std::string_view key) {
    return json::meaning({key, json::ValueType::String, false});
}

void addMembers(const json::Value& object, const std::string& prefix, EventDetails& out) {
    json::Members members(object.text);
    std::string_view name;
    json::Value value;
    while (members.next(name, value))
        out.fields.emplace_back(prefix + keyText(name), shown(value));
}

class JsonDetailReader final : public DetailReader {
public:
    explicit JsonDetailReader(std::shared_ptr<ByteSource> bytes) : m_bytes(std::move(bytes)) {}

    Result<EventDetails> read(SourceRef source) override {
        for (std::size_t size = kFirstRead; size <= kLargest; size *= 4) {
            m_text.assign(size + json::kPadding, '\0');
            const auto got =
                m_bytes->readAt(source.bits, std::as_writable_bytes(std::span(m_text.data(), size)));
            if (!got)
                return got.error();
            m_text.resize(*got);
            m_text.resize(*got + json::kPadding, '\0');
            if (*got == 0 || m_text[0] != '{')
                return changedError(source);
            json::Scanner scanner(m_text.data() + *got);
            json::Event event;
            const char* const after = json::parseEvent(scanner, m_text.data(), event);
            if (after != nullptr)
                return withStacks(fieldsOf({m_text.data(), static_cast<std::size_t>(after - m_text.data())}));
            const bool mayGrow = scanner.stop() == json::Scanner::Stop::More && *got == size;
            if (!mayGrow)
                return rawText(*got);
        }
        return Error{Errc::TooLarge, "The event is larger than 64 MiB.", place(source), {}};
    }

private:
    static std::string place(SourceRef source) { return "byte " + std::to_string(source.bits); }
    static Error changedError(SourceRef source) {
        return {Errc::Io, "No event stands at its place in the file: the file changed since it was read.",
                place(source), "Open the file again."};
    }

    static EventDetails fieldsOf(std::string_view text) {
        EventDetails out;
        json::Members members(text);
        std::string_view name;
        json::Value value;
        while (members.next(name, value)) {
            if (name == "args" && value.type == json::ValueType::Object)
                addMembers(value, "args.", out);
            else
                out.fields.emplace_back(keyText(name), shown(value));
        }
        return out;
    }

    // Frames by number become the stacks that they stand for, where the file has the table.
    EventDetails withStacks(EventDetails details) {
        std::vector<std::pair<std::string, std::string>> stacks;
        for (const auto& [name, value] : details.fields)
            if (name == "sf" || name == "esf")
                if (auto stack = m_frames.stackOf(value, *m_bytes))
                    stacks.emplace_back(name == "sf" ? "stack at start" : "stack at end", std::move(*stack));
        for (auto& stack : stacks)
            details.fields.push_back(std::move(stack));
        return details;
    }

    // A damaged event: its text up to where it ends.
    EventDetails rawText(std::size_t size) const {
        const char* const last = m_text.data() + size;
        const char* const end = json::findBoundary(m_text.data() + 1, last, true);
        std::string text;
        json::appendUnescaped({m_text.data(), static_cast<std::size_t>((end ? end : last) - m_text.data())},
                              text);
        return {{{"damaged event", text}}};
    }

    std::shared_ptr<ByteSource> m_bytes;
    std::string m_text;
    StackFrames m_frames;
};

} // namespace

std::unique_ptr<DetailReader> makeDetailReader(std::shared_ptr<ByteSource> bytes) {
    return std::make_unique<JsonDetailReader>(std::move(bytes));
}

} // namespace lacuna::chrome
