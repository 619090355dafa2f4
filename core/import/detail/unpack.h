#pragma once
// Through all layers to the text of one trace.

#include "core/import/byte_source.h"
#include "core/import/detail/archive_contents.h"
#include "core/import/detail/containers.h"
#include "core/import/detail/watched_bytes.h"

namespace lacuna {

struct Unpacked {
    LayerBytes bytes; // innermost
    std::vector<Layer> layers;
    std::vector<std::byte> head; // of the text
    std::string member;          // of the innermost archive; empty: no archive
    std::vector<SourceNote> notes;
};

// The bytes as stored, of a file or of standard input ("-"). The job, where given, is watched.
Result<std::shared_ptr<WatchedBytes>> openStored(const std::filesystem::path& file, const JobControl* job);
// `wanted` as LoadOptions::member.
Result<Unpacked> unpack(const std::shared_ptr<WatchedBytes>& bottom, std::string_view wanted);
// As listMembers().
Result<std::vector<ArchiveMember>> membersOf(const std::shared_ptr<WatchedBytes>& bottom);

} // namespace lacuna
