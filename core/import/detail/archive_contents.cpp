#include "core/import/detail/archive_contents.h"

#include "core/base/natural_order.h"
#include "core/base/text_format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace lacuna {

namespace {

constexpr std::size_t kMaxFiles = 100'000;
constexpr std::size_t kMaxListed = 50; // in an error

// Entries come from anywhere: their names go to terminals, so no control characters.
std::string printableName(std::string_view name) {
    while (name.starts_with("./"))
        name.remove_prefix(2);
    std::string out(name);
    for (char& c : out)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7F)
            c = '?';
    return out;
}

EntryRank rankOfText(std::string_view text) {
    using namespace std::string_view_literals;
    if (text.starts_with("SQLite format 3\0"sv))
        return EntryRank::Trace;
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || (text[first] != '{' && text[first] != '['))
        return EntryRank::Other;
    // Long metadata may stand before the events: Kineto's own keys count as well.
    for (const std::string_view key :
         {"\"traceEvents\"", "\"ph\"", "\"deviceProperties\"", "\"distributedInfo\"", "\"displayTimeUnit\""})
        if (text.find(key) != std::string_view::npos)
            return EntryRank::Trace;
    return EntryRank::Json;
}

// From the first bytes of an entry, unpacked as far as they go.
EntryRank rankOf(std::vector<std::byte> head) {
    const auto* const text = reinterpret_cast<const char*>(head.data());
    const StoredPtr bottom = storedMemory(std::string(text, head.size()));
    LayerBytes bytes{bottom, nullptr, nullptr};
    std::vector<Layer> layers;
    for (;;) {
        const Container container = containerOf(head);
        if (isArchive(container))
            return EntryRank::Archive;
        if (container == Container::None || layers.size() == kMaxLayers)
            break;
        layers.push_back({container, 0});
        auto opened = openLayer(std::move(bytes), layers, bottom);
        if (!opened)
            return EntryRank::Other;
        bytes = std::move(*opened);
        auto unpacked = headOf(bytes);
        if (!unpacked)
            return EntryRank::Other;
        head = std::move(*unpacked);
    }
    return rankOfText({reinterpret_cast<const char*>(head.data()), head.size()});
}

Result<ArchiveEntry> look(ArchiveReader& reader, const ArchiveReader::Entry& entry, std::uint64_t number) {
    ArchiveEntry found{{printableName(entry.name), entry.size}, number, EntryRank::Encrypted, {}};
    if (entry.isEncrypted)
        return found;
    std::vector<std::byte> head(kContainerHead);
    std::size_t size = 0;
    while (size < head.size()) {
        const auto got = reader.read(std::span(head).subspan(size));
        if (!got)
            return got.error();
        if (*got == 0)
            break;
        size += *got;
    }
    head.resize(size);
    if (size == 0 && reader.isCut()) {
        found.rank = EntryRank::Unreadable;
        found.why = reader.damage();
    } else {
        found.rank = rankOf(std::move(head));
    }
    return found;
}

std::string sizeText(const ArchiveEntry& entry) {
    return entry.member.size ? "  " + formatBytes(*entry.member.size) : std::string();
}

std::string listText(const std::vector<const ArchiveEntry*>& entries) {
    std::string text;
    for (std::size_t i = 0; i < std::min(kMaxListed, entries.size()); ++i)
        text += "\n    " + entries[i]->member.name + sizeText(*entries[i]);
    if (entries.size() > kMaxListed)
        text += "\n    and " + std::to_string(entries.size() - kMaxListed) + " more";
    return text;
}

std::vector<const ArchiveEntry*> ofRank(const ArchiveContents& contents, EntryRank rank) {
    std::vector<const ArchiveEntry*> entries;
    for (const ArchiveEntry& file : contents.files)
        if (file.rank == rank)
            entries.push_back(&file);
    return entries;
}

Error noTrace(const ArchiveContents& contents) {
    const std::string archive = "The " + std::string(containerName(contents.container));
    if (const auto locked = ofRank(contents, EntryRank::Encrypted); !locked.empty())
        return {Errc::Unsupported,
                archive + " is encrypted: " + nameList(locked, 10) + ".",
                {},
                "Unpack it with its password, then open the trace."};
    if (const auto unreadable = ofRank(contents, EntryRank::Unreadable); !unreadable.empty())
        return {Errc::Malformed,
                archive + " cannot be unpacked: " + unreadable.front()->member.name + ": " +
                    unreadable.front()->why + ".",
                {},
                "Unpack it with the program that made it, or copy it again."};
    if (!contents.damage.empty())
        return {Errc::Truncated,
                archive + " ends early and no trace was found in it: " + contents.damage + ".",
                {},
                "Copy or download the archive again."};
    constexpr std::string_view kRemedy =
        "Open an archive that holds a PyTorch or Chrome trace (JSON) or an Nsight Systems export (SQLite).";
    const auto others = ofRank(contents, EntryRank::Other);
    if (others.empty())
        return {Errc::NotRecognised, archive + " holds no files.", {}, std::string(kRemedy)};
    return {Errc::NotRecognised,
            archive + " holds no trace: " + nameList(others, 10) + ".",
            {},
            std::string(kRemedy)};
}

bool isWholeEnd(std::string_view name, std::string_view end) {
    return name.ends_with(end) && (name.size() == end.size() || name[name.size() - end.size() - 1] == '/');
}

// Exact names come first, then whole last parts, then any end.
std::vector<const ArchiveEntry*> matching(const ArchiveContents& contents, std::string_view wanted) {
    const std::array tests{
        +[](std::string_view name, std::string_view text) { return name == text; },
        +[](std::string_view name, std::string_view text) { return isWholeEnd(name, text); },
        +[](std::string_view name, std::string_view text) { return name.ends_with(text); }};
    for (const auto& test : tests) {
        std::vector<const ArchiveEntry*> found;
        for (const ArchiveEntry& file : contents.files)
            if (test(file.member.name, wanted))
                found.push_back(&file);
        if (!found.empty())
            return found;
    }
    return {};
}

} // namespace

std::string nameList(const std::vector<const ArchiveEntry*>& entries, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < std::min(most, entries.size()); ++i)
        text += (i == 0 ? "" : ", ") + entries[i]->member.name;
    if (entries.size() > most)
        text += " and " + std::to_string(entries.size() - most) + " more";
    return text;
}

std::vector<const ArchiveEntry*> ArchiveContents::candidates() const {
    std::vector<const ArchiveEntry*> found = ofRank(*this, EntryRank::Trace);
    const auto archives = ofRank(*this, EntryRank::Archive);
    found.insert(found.end(), archives.begin(), archives.end());
    return found.empty() ? ofRank(*this, EntryRank::Json) : found;
}

Result<ArchiveContents> readContents(ArchiveReader& reader, Container container) {
    ArchiveContents contents;
    contents.container = container;
    for (std::uint64_t number = 0;; ++number) {
        const auto entry = reader.next();
        if (!entry)
            return entry.error();
        if (!*entry)
            break;
        if (!(*entry)->isFile) {
            contents.notFiles += (*entry)->name.ends_with('/') ? 0u : 1u;
            continue;
        }
        if (contents.files.size() == kMaxFiles) {
            ++contents.unlisted;
            continue;
        }
        auto file = look(reader, **entry, number);
        if (!file)
            return file.error();
        contents.files.push_back(std::move(*file));
    }
    contents.damage = reader.damage();
    std::stable_sort(contents.files.begin(), contents.files.end(), [](const auto& a, const auto& b) {
        return isNaturallyBefore(a.member.name, b.member.name);
    });
    return contents;
}

Result<MemberChoice> chooseMember(const ArchiveContents& contents, std::string_view wanted) {
    const auto candidates = contents.candidates();
    const std::string archive = "The " + std::string(containerName(contents.container));
    constexpr std::string_view kChoose = "Choose one with --member NAME.";
    if (wanted.empty()) {
        if (candidates.empty())
            return noTrace(contents);
        if (candidates.size() == 1)
            return MemberChoice{candidates.front(), {}};
        return Error{Errc::Unsupported,
                     archive + " holds " + std::to_string(candidates.size()) +
                         " traces and one is shown at a time:" + listText(candidates),
                     {},
                     std::string(kChoose)};
    }
    const auto found = matching(contents, wanted);
    if (found.size() == 1)
        return MemberChoice{found.front(), {}};
    if (found.size() > 1)
        return Error{Errc::Unsupported,
                     "'" + std::string(wanted) + "' is the end of " + std::to_string(found.size()) +
                         " names in the " + std::string(containerName(contents.container)) + ":" +
                         listText(found),
                     {},
                     std::string(kChoose)};
    // A member of an archive in the archive: "outer.tar/rank0.json", or just its own name.
    for (const ArchiveEntry* inner : ofRank(contents, EntryRank::Archive))
        if (wanted.starts_with(inner->member.name + "/"))
            return MemberChoice{inner, wanted.substr(inner->member.name.size() + 1)};
    if (candidates.size() == 1 && candidates.front()->rank == EntryRank::Archive)
        return MemberChoice{candidates.front(), wanted};
    return Error{Errc::NotRecognised,
                 archive + " has no member '" + std::string(wanted) + "'" +
                     (candidates.empty() ? "." : "; its traces are:" + listText(candidates)),
                 {},
                 std::string(kChoose)};
}

} // namespace lacuna
