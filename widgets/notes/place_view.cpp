#include "widgets/notes/place_view.h"

#include "core/output/utf8.h"
#include "widgets/text.h"

#include <algorithm>
#include <string_view>

namespace lacuna::ui {

namespace {

constexpr std::size_t kRowBytes = 16;
constexpr std::size_t kBinaryShare = 8; // one unreadable byte of so many: no text

bool isContinuation(char c) {
    return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u;
}

bool isControl(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\t' && c != '\r') || byte == 0x7f;
}

std::size_t unreadable(std::string_view bytes) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t length = utf8SequenceLength(bytes.substr(at));
        count += length == 0 || isControl(bytes[at]) ? std::size_t{1} : std::size_t{0};
        at += std::max<std::size_t>(1, length);
    }
    return count;
}

QString visible(std::string_view bytes) {
    QString shown = text(validUtf8(bytes));
    for (QChar& c : shown)
        if (c.unicode() < 0x80 && isControl(static_cast<char>(c.unicode())))
            c = QChar::ReplacementCharacter;
    return shown;
}

// Characters that the cut goes through, at either end.
std::string_view withoutCutCharacters(std::string_view bytes, std::size_t& front) {
    front = 0;
    while (front < std::min<std::size_t>(3, bytes.size()) && isContinuation(bytes[front]))
        ++front;
    bytes.remove_prefix(front);
    for (std::size_t tail = 1; tail <= std::min<std::size_t>(3, bytes.size()); ++tail) {
        const auto lead = static_cast<unsigned char>(bytes[bytes.size() - tail]);
        if (lead < 0xc0)
            continue;
        if (const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2; length > tail)
            bytes.remove_suffix(tail);
        break;
    }
    return bytes;
}

QString hexRow(const PlaceText& place, std::size_t first) {
    const std::string_view row = std::string_view(place.text).substr(first, kRowBytes);
    QString hex, characters;
    for (const char c : row) {
        const unsigned byte = static_cast<unsigned char>(c);
        hex += u"%1 "_s.arg(byte, 2, 16, QLatin1Char('0'));
        characters += QChar(byte >= 0x20 && byte < 0x7f ? static_cast<char16_t>(byte) : u'.');
    }
    return u"%1  %2 %3\n"_s.arg(place.begin + first, 12)
        .arg(hex.leftJustified(static_cast<int>(3 * kRowBytes)), characters);
}

ShownBytes hexTable(const PlaceText& place) {
    ShownBytes shown;
    shown.isText = false;
    for (std::size_t first = 0; first < place.text.size(); first += kRowBytes) {
        if (place.mark >= first)
            shown.mark = static_cast<int>(shown.text.size());
        shown.text += hexRow(place, first);
        if (place.markEnd > first)
            shown.markEnd = static_cast<int>(shown.text.size()) - 1;
    }
    shown.markEnd = std::max(shown.mark, shown.markEnd);
    return shown;
}

} // namespace

ShownBytes shownBytes(const PlaceText& place) {
    std::size_t front = 0;
    std::string_view bytes = withoutCutCharacters(place.text, front);
    if (unreadable(bytes) * kBinaryShare > bytes.size())
        return hexTable(place);
    const std::size_t mark = std::min(place.mark - std::min(place.mark, front), bytes.size());
    const std::size_t end = std::clamp(place.markEnd - std::min(place.markEnd, front), mark, bytes.size());
    ShownBytes shown;
    shown.text = visible(bytes.substr(0, mark));
    shown.mark = static_cast<int>(shown.text.size());
    shown.text += visible(bytes.substr(mark, end - mark));
    shown.markEnd = static_cast<int>(shown.text.size());
    shown.text += visible(bytes.substr(end));
    // QPlainTextEdit takes a carriage return for a paragraph of its own; the length stays.
    shown.text.replace(u'\r', u' ');
    return shown;
}

} // namespace lacuna::ui
