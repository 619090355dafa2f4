#pragma once
// Entries of a zip or tar archive, one after the other. Nothing is ever written to disk under a name of the
// archive: names, links and folders in it are text.

#include "core/import/detail/byte_stream.h"

#include <optional>

struct archive;

namespace lacuna {

enum class ArchiveKind : std::uint8_t { Zip, Tar };

class ArchiveReader final {
public:
    struct Entry {
        std::string name; // as recorded; "entry 3" where it cannot be read as text
        std::optional<std::uint64_t> size;
        bool isFile = false; // not a folder, link or device
        bool isEncrypted = false;
    };

    // Zip needs random access (its list of contents stands at the end); tar is read as it comes, and skips
    // what nobody reads where it can seek.
    ArchiveReader(ArchiveKind kind, StoredPtr stored);
    ArchiveReader(ArchiveKind kind, StreamPtr stream);
    ~ArchiveReader();
    ArchiveReader(const ArchiveReader&) = delete;
    ArchiveReader& operator=(const ArchiveReader&) = delete;

    // None at the end and at damage. Errors are those of the source.
    Result<std::optional<Entry>> next();
    // Data of the present entry; 0 at its end and at damage.
    Result<std::size_t> read(std::span<std::byte> buffer);
    std::string damage() const; // of the archive or its present entry; empty: none
    bool isCut() const;

private:
    struct Close {
        void operator()(archive* reader) const noexcept;
    };
    void open(ArchiveKind kind);
    void note(bool cut); // damage, in the library's words
    static std::ptrdiff_t onRead(archive* reader, void* self, const void** bytes);
    static std::int64_t onSkip(archive* reader, void* self, std::int64_t count);
    static std::int64_t onSeek(archive* reader, void* self, std::int64_t offset, int whence);

    StoredPtr m_stored;
    StreamPtr m_stream;
    std::uint64_t m_position = 0, m_entries = 0; // position of m_stored
    std::unique_ptr<std::byte[]> m_buffer;
    std::optional<Error> m_error; // of the source
    std::string m_damage;
    bool m_isCut = false, m_isOver = false, m_isEntryOver = false;
    std::string_view m_kindName;
    std::unique_ptr<archive, Close> m_archive; // last: closed while the rest is there
};

} // namespace lacuna
