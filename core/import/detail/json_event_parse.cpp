#include "core/import/detail/json_event_parse.h"

#include <algorithm>
#include <array>

namespace lacuna::json {

namespace {

// The field of an element with this key; null for keys that the timeline does not need.
Value* fieldOf(Event& event, std::string_view key) {
    switch (key.size()) {
    case 1:
        return key[0] == 's' ? &event.s : nullptr;
    case 2:
        if (key == "ph")
            return &event.ph;
        if (key == "ts")
            return &event.ts;
        return key == "id" ? &event.id : nullptr;
    case 3:
        if (key == "cat")
            return &event.cat;
        if (key == "pid")
            return &event.pid;
        if (key == "tid")
            return &event.tid;
        if (key == "dur")
            return &event.dur;
        return key == "id2" ? &event.id2 : nullptr;
    case 4:
        if (key == "name")
            return &event.name;
        if (key == "args")
            return &event.args;
        return key == "lane" ? &event.lane : nullptr;
    case 5:
        return key == "scope" ? &event.scope : nullptr;
    case 7:
        if (key == "bind_id")
            return &event.bindId;
        return key == "entries" ? &event.entries : nullptr;
    default:
        return nullptr;
    }
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

} // namespace

const char* parseEvent(Scanner& scanner, const char* p, Event& out) {
    out = Event{};
    ++p;
    for (;;) {
        p = scanner.space(p);
        if (*p == '}')
            return p + 1;
        if (*p == ',') {
            ++p;
            continue;
        }
        if (*p != '"')
            return scanner.unexpected(p);
        std::string_view key;
        p = scanner.key(p + 1, key);
        if (p == nullptr)
            return nullptr;
        Value value;
        p = scanner.value(p, value);
        if (p == nullptr)
            return nullptr;
        p = scanner.space(p);
        if (*p != ',' && *p != '}')
            return scanner.unexpected(p);
        out.isEmpty = false;
        if (Value* const field = fieldOf(out, key))
            *field = value;
        else
            takeFlag(key, value, out);
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
