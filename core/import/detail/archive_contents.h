#pragma once
// Which entries of an archive are traces, and the choice among them.

#include "core/import/archive_members.h"
#include "core/import/detail/containers.h"

#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

// What an entry seems to be, by the first bytes of its text, surest last.
enum class EntryRank : std::uint8_t { Other, Unreadable, Encrypted, Json, Archive, Trace };

struct ArchiveEntry {
    ArchiveMember member;
    std::uint64_t entry = 0; // number in the archive, from 0
    EntryRank rank = EntryRank::Other;
    std::string why; // Unreadable: in the library's words
};

struct ArchiveContents {
    Container container = Container::None;
    std::vector<ArchiveEntry> files; // in natural order of their names
    std::uint64_t notFiles = 0;      // links, devices and the like, which are never followed
    std::uint64_t unlisted = 0;      // files past the 100,000th
    std::string damage;              // empty: the archive was read to its end
    // Traces and archives; where there are none, JSON that does not look like a trace at its beginning.
    std::vector<const ArchiveEntry*> candidates() const;
};

// Reads the archive to its end.
Result<ArchiveContents> readContents(ArchiveReader& reader, Container container);

struct MemberChoice {
    const ArchiveEntry* entry = nullptr;
    std::string_view rest; // of the wanted name: a member of the archive that was chosen
};

// `wanted`: empty for the only candidate; else a name, its last parts, or any unique end of it. Errors list
// what there is.
Result<MemberChoice> chooseMember(const ArchiveContents& contents, std::string_view wanted);

// "a.json, b.json and 3 more"
std::string nameList(const std::vector<const ArchiveEntry*>& entries, std::size_t most);

} // namespace lacuna
