#include "core/import/detail/chrome_details.h"

#include "core/import/detail/chrome_frames.h"
#include "core/import/detail/chrome_late.h"
#include "core/import/detail/chrome_slice_ends.h"
#include "core/import/detail/json_event_parse.h"
#include "core/import/detail/json_text.h"
#include "core/import/source_text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lacuna::chrome {

namespace {

constexpr std::size_t kFirstRead = std::size_t{16} << 10;
constexpr std::size_t kMostAhead = std::size_t{4} << 20;
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

class JsonDetailReader final : public DetailReader, public SourceText {
public:
    explicit JsonDetailReader(std::shared_ptr<ByteSource> bytes)
        : m_bytes(std::move(bytes)), m_ends(*m_bytes) {}

    Result<EventDetails> read(SourceRef source) override {
        auto details = readEvent(source);
        if (!details || details->fields.empty() || !isBegin(*details))
            return details;
        const SliceEnds::Answer end = m_ends.endOf(source.bits);
        if (end.found == SliceEnds::Found::TooFar)
            details->fields.emplace_back("end", "stands over 4 MiB behind; its arguments are not shown");
        if (end.found != SliceEnds::Found::Yes)
            return details;
        if (const auto other = readEvent(SourceRef::offset(end.offset)))
            addEnd(*other, *details);
        return details;
    }

    std::unique_ptr<ByteSource> fromStart() override { return std::make_unique<FromStart>(*m_bytes); }

private:
    static bool isBegin(const EventDetails& details) {
        return std::any_of(details.fields.begin(), details.fields.end(),
                           [](const auto& field) { return field.first == "ph" && field.second == "B"; });
    }

    // Its time first, then its arguments (mergeSliceEnd() expects that).
    static void addEnd(const EventDetails& end, EventDetails& details) {
        for (const bool isTime : {true, false})
            for (const auto& [name, value] : end.fields)
                if (isTime ? name == "ts" : name.starts_with("args"))
                    details.fields.emplace_back("end." + name, value);
    }

    Result<EventDetails> readEvent(SourceRef source) {
        const bool isAhead = source.bits > m_last && source.bits - m_last <= kMostAhead;
        m_last = source.bits;
        std::size_t size = isAhead ? std::clamp(4 * m_window, kFirstRead, kMostAhead) : kFirstRead;
        if (!isAhead)
            m_window = 0; // a single row is read afresh
        for (;; size = std::min(4 * size, kLargest)) {
            if (!holds(source.bits))
                if (Status loaded = load(source.bits, size); !loaded)
                    return loaded.error();
            const char* const begin = m_text.data() + (source.bits - m_windowAt);
            const char* const end = m_text.data() + m_window;
            if (begin == end || *begin != '{')
                return changedError(source);
            json::Scanner scanner(end);
            json::Event event;
            if (const char* const after = json::parseEvent(scanner, begin, event); after != nullptr)
                return withStacks(fieldsOf({begin, static_cast<std::size_t>(after - begin)}));
            if (scanner.stop() != json::Scanner::Stop::More || m_isAtEnd)
                return rawText(begin, end);
            if (m_windowAt == source.bits && m_window >= kLargest)
                return Error{Errc::TooLarge, "The event is larger than 64 MiB.", place(source), {}};
            m_window = 0; // it ends in the middle of the event
        }
    }

    bool holds(std::uint64_t offset) const { return offset >= m_windowAt && offset - m_windowAt < m_window; }

    // Makes [offset, offset + size) the window, less at the end of the file.
    Status load(std::uint64_t offset, std::size_t size) {
        m_text.resize(size + json::kPadding);
        const auto got = m_bytes->readAt(offset, std::as_writable_bytes(std::span(m_text.data(), size)));
        if (!got)
            return got.error();
        m_windowAt = offset;
        m_window = *got;
        m_isAtEnd = *got < size;
        std::fill_n(m_text.begin() + static_cast<std::ptrdiff_t>(*got), json::kPadding, '\0');
        return ok();
    }

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
        const bool hasNumbers = std::any_of(details.fields.begin(), details.fields.end(), [](const auto& f) {
            return f.first == "sf" || f.first == "esf";
        });
        if (hasNumbers && m_frames.isTooLarge())
            stacks.emplace_back("stack", "not looked up in a file of this size");
        for (auto& stack : stacks)
            details.fields.push_back(std::move(stack));
        return details;
    }

    // A damaged event: its text up to where it ends.
    static EventDetails rawText(const char* begin, const char* last) {
        const char* const end = json::findBoundary(begin + 1, last, true);
        std::string text;
        json::appendUnescaped({begin, static_cast<std::size_t>((end ? end : last) - begin)}, text);
        return {{{"damaged event", text}}};
    }

    std::shared_ptr<ByteSource> m_bytes;
    // What was read last: m_window bytes from m_windowAt, and padding. Who asks for events one after the
    // other (a report, a conversion) is answered from ever larger pieces: a packed file is then unpacked
    // once, not from the last point of entry for every event.
    std::string m_text;
    std::uint64_t m_windowAt = 0, m_last = 0; // m_last: the row that was asked for last
    std::size_t m_window = 0;
    bool m_isAtEnd = false;
    StackFrames m_frames;
    SliceEnds m_ends;
};

} // namespace

std::unique_ptr<DetailReader> makeDetailReader(std::shared_ptr<ByteSource> bytes) {
    return std::make_unique<JsonDetailReader>(std::move(bytes));
}

} // namespace lacuna::chrome
