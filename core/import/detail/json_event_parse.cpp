#include "core/import/detail/json_event_parse.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace lacuna::json {

namespace {

// Keys of the fields of an element. The timeline needs no others.
struct EventField {
    std::string_view key;
    Value Event::*field;
};
constexpr std::array<EventField, 15> kEventFields{{
    {"ph", &Event::ph},
    {"name", &Event::name},
    {"cat", &Event::cat},
    {"ts", &Event::ts},
    {"dur", &Event::dur},
    {"pid", &Event::pid},
    {"tid", &Event::tid},
    {"args", &Event::args},
    {"id", &Event::id},
    {"id2", &Event::id2},
    {"scope", &Event::scope},
    {"s", &Event::s},
    {"bind_id", &Event::bindId},
    {"entries", &Event::entries},
    {"lane", &Event::lane},
}};

// Every key and its closing quote fit into eight bytes: as a word it is found by one look into a table, which
// has a place of its own for each.
class FieldTable {
public:
    constexpr FieldTable() {
        while (!fill())
            m_factor += 2 * kSpread;
    }
    // Null: no field of that key.
    Value* find(std::uint64_t word, Event& event) const {
        const Place& place = m_places[(word * m_factor) >> kShift];
        return place.word == word ? &(event.*place.field) : nullptr;
    }

private:
    static constexpr unsigned kShift = 58; // 64 places
    static constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15u;
    struct Place {
        std::uint64_t word = 0; // no key
        Value Event::*field = &Event::ph;
    };

    static constexpr std::uint64_t wordOf(std::string_view key) {
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < key.size(); ++i)
            word |= std::uint64_t{static_cast<unsigned char>(key[i])} << (8 * i);
        return word;
    }
    constexpr bool fill() {
        m_places = {};
        for (const EventField& field : kEventFields) {
            const std::uint64_t word = wordOf(field.key);
            Place& place = m_places[(word * m_factor) >> kShift];
            if (place.word != 0)
                return false;
            place = {word, field.field};
        }
        return true;
    }

    std::uint64_t m_factor = kSpread;
    std::array<Place, std::size_t{1} << (64 - kShift)> m_places{};
};
constexpr FieldTable kFieldTable;

// p after the opening quote of a key. The key's field, and in `after` the byte behind the closing quote; null
// where there is none, and where that byte is no colon: then the key is looked at more closely.
Value* quickField(const char* p, Event& event, const char*& after) {
    if constexpr (std::endian::native != std::endian::little)
        return nullptr;
    constexpr std::uint64_t kEachByte = 0x0101010101010101u;
    std::uint64_t text = 0;
    std::memcpy(&text, p, sizeof text);
    const std::uint64_t zeros = text ^ (kEachByte * '"');                         // where quotes stand
    const std::uint64_t quotes = (zeros - kEachByte) & ~zeros & (kEachByte << 7); // its lowest bit is right
    if (quotes == 0)
        return nullptr;
    const auto bits = static_cast<unsigned>(__builtin_ctzll(quotes)) - 7;
    after = p + bits / 8 + 1;
    Value* const field = kFieldTable.find(text & ((std::uint64_t{1} << bits) - 1), event);
    return *after == ':' ? field : nullptr;
}

Value* fieldOf(std::string_view key, Event& event) {
    const auto at = std::find_if(kEventFields.begin(), kEventFields.end(),
                                 [key](const EventField& field) { return field.key == key; });
    return at == kEventFields.end() ? nullptr : &(event.*at->field);
}

// Members of flow events that are only asked for yes or no.
void takeFlag(std::string_view key, const Value& value, Event& event) {
    if (key == "bp")
        event.bindsEnclosing = value.text == "e";
    else if (key == "flow_in")
        event.flowIn = value.text == "true" || value.text == "1";
    else if (key == "flow_out")
        event.flowOut = value.text == "true" || value.text == "1";
}

// After white space from p on: the first byte that is none, or the end.
const char* spaceEnd(const char* p, const char* end) {
    return std::find_if(p, end, [](char c) { return static_cast<unsigned char>(c) > ' '; });
}

bool startsLikeEvent(std::string_view text) {
    constexpr std::array<std::string_view, 10> kKeys{"\"ph\"", "\"name\"", "\"args\"", "\"pid\"", "\"cat\"",
                                                     "\"ts\"", "\"tid\"",  "\"dur\"",  "\"id\"",  "\"tts\""};
    return std::any_of(kKeys.begin(), kKeys.end(),
                       [&](std::string_view key) { return text.starts_with(key); });
}

// p after a '}': another element begins next, after a comma or (one event per line) a line break.
bool nextStartsEvent(const char* p, const char* end) {
    const char* const first = spaceEnd(p, end);
    if (first == end)
        return false;
    const bool isSeparate = *first == ',' || std::find(p, first, '\n') != first;
    const char* const open = *first == ',' ? spaceEnd(first + 1, end) : first;
    if (!isSeparate || open == end || *open != '{')
        return false;
    const char* const key = spaceEnd(open + 1, end);
    return startsLikeEvent({key, static_cast<std::size_t>(end - key)});
}

// p after a ']' that closes the event array, or a list of objects inside args. The array is followed by the
// end of the text, or by a key of the root object on a line of its own with little indentation.
bool endsEventArray(const char* p, const char* end, bool atEnd) {
    p = spaceEnd(p, end);
    if (p == end)
        return atEnd;
    if (*p == '}')
        return atEnd && spaceEnd(p + 1, end) == end;
    if (*p != ',' || p + 1 == end || p[1] != '\n')
        return false;
    constexpr std::ptrdiff_t kRootIndent = 2;
    const char* const key = spaceEnd(p + 1, end);
    return key != end && *key == '"' && key - (p + 2) <= kRootIndent;
}

// A member whose key is looked at in full. After its value, or null.
const char* otherMember(Scanner& scanner, const char* p, Event& out) {
    std::string_view key;
    p = scanner.key(p, key);
    if (p == nullptr)
        return nullptr;
    Value value;
    p = scanner.value(p, value);
    if (p == nullptr)
        return nullptr;
    if (Value* const field = fieldOf(key, out))
        *field = value;
    else
        takeFlag(key, value, out);
    return p;
}

} // namespace

const char* parseEvent(Scanner& scanner, const char* p, Event& out) {
    out = Event{};
    ++p;
    for (;;) {
        p = scanner.space(p);
        if (*p == ',') {
            ++p;
            continue;
        }
        if (*p != '"')
            return *p == '}' ? p + 1 : scanner.unexpected(p);
        const char* after = nullptr;
        if (Value* const field = quickField(p + 1, out, after))
            p = scanner.value(scanner.space(after + 1), *field); // the end: a word without end
        else
            p = otherMember(scanner, p + 1, out);
        if (p == nullptr)
            return nullptr;
        out.isEmpty = false;
        p = scanner.space(p);
        if (*p == '}')
            return p + 1;
        if (*p != ',')
            return scanner.unexpected(p);
        ++p;
    }
}

const char* findBoundary(const char* from, const char* end, bool atEnd) {
    for (const char* brace = std::find(from, end, '}'); brace != end;
         brace = std::find(brace + 1, end, '}')) {
        if (nextStartsEvent(brace + 1, end))
            return brace + 1;
        const char* const next = spaceEnd(brace + 1, end);
        if (next != end && *next == ']' && endsEventArray(next + 1, end, atEnd))
            return brace + 1;
    }
    return nullptr;
}

const char* lastBoundary(const char* begin, const char* end) {
    constexpr std::ptrdiff_t kLookBack = std::ptrdiff_t{64} << 10;
    const char* const from = end - std::min(kLookBack, end - begin);
    for (const char* p = end; p != from;)
        if (*--p == '}' && nextStartsEvent(p + 1, end))
            return p + 1;
    return end;
}

bool salvageEvent(std::string_view broken, Event& out) {
    out = Event{};
    const auto find = [&](std::string_view quotedKey, std::size_t from) {
        const std::size_t at = broken.find(quotedKey, from);
        return at == std::string_view::npos ? at : broken.find(':', at + quotedKey.size());
    };
    const auto take = [&](std::string_view quotedKey, std::size_t from, Value& field) {
        std::size_t colon = find(quotedKey, from);
        if (colon == std::string_view::npos)
            colon = find(quotedKey, 0);
        if (colon == std::string_view::npos)
            return;
        Scanner scanner(broken.data() + broken.size());
        const char* const at = scanner.space(broken.data() + colon + 1);
        Value value;
        if (at < broken.data() + broken.size() && scanner.value(at, value) != nullptr)
            field = value;
    };
    // The name is what usually broke: it ends before the key that follows it in the writer's fixed order.
    std::size_t afterName = 0;
    if (const std::size_t colon = find("\"name\"", 0); colon != std::string_view::npos) {
        const std::size_t open = broken.find('"', colon);
        const std::size_t close = broken.find(R"(", "pid")", colon);
        if (open != std::string_view::npos && close != std::string_view::npos && open < close) {
            out.name = {broken.substr(open + 1, close - open - 1), ValueType::String, false};
            afterName = close + 1;
        }
    }
    take("\"ph\"", 0, out.ph);
    take("\"cat\"", 0, out.cat);
    take("\"pid\"", afterName, out.pid);
    take("\"tid\"", afterName, out.tid);
    take("\"ts\"", afterName, out.ts);
    take("\"dur\"", afterName, out.dur);
    take("\"args\"", afterName, out.args);
    if (out.args.type != ValueType::Object)
        out.args = {};
    out.isEmpty = false;
    out.isSalvaged = true;
    return out.ph && out.ts;
}

} // namespace lacuna::json
