#include "core/import/detail/archive_reader.h"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <cstdio>
#include <string_view>
#include <utility>

namespace lacuna {

namespace {

constexpr std::size_t kArchiveInput = std::size_t{256} << 10;

std::string nameOf(archive_entry* entry, std::uint64_t number) {
    if (const char* name = archive_entry_pathname_utf8(entry); name != nullptr)
        return name;
    if (const char* name = archive_entry_pathname(entry); name != nullptr)
        return name;
    return "entry " + std::to_string(number);
}

} // namespace

void ArchiveReader::Close::operator()(archive* reader) const noexcept {
    archive_read_free(reader);
}

ArchiveReader::ArchiveReader(ArchiveKind kind, StoredPtr stored) : m_stored(std::move(stored)) {
    open(kind);
}

ArchiveReader::ArchiveReader(ArchiveKind kind, StreamPtr stream) : m_stream(std::move(stream)) {
    open(kind);
}

ArchiveReader::~ArchiveReader() = default;

void ArchiveReader::open(ArchiveKind kind) {
    m_kindName = kind == ArchiveKind::Zip ? "zip" : "tar";
    m_buffer = std::make_unique_for_overwrite<std::byte[]>(kArchiveInput);
    m_archive.reset(archive_read_new());
    archive* const reader = m_archive.get();
    if (kind == ArchiveKind::Zip)
        archive_read_support_format_zip(reader);
    else
        archive_read_support_format_tar(reader);
    archive_read_set_callback_data(reader, this);
    archive_read_set_read_callback(reader, &ArchiveReader::onRead);
    if (m_stored) {
        archive_read_set_skip_callback(reader, &ArchiveReader::onSkip);
        archive_read_set_seek_callback(reader, &ArchiveReader::onSeek);
    }
    m_isOver = archive_read_open1(reader) != ARCHIVE_OK;
    if (m_isOver)
        note(true);
}

std::ptrdiff_t ArchiveReader::onRead(archive* reader, void* self, const void** bytes) {
    auto& me = *static_cast<ArchiveReader*>(self);
    const std::span buffer(me.m_buffer.get(), kArchiveInput);
    auto got = me.m_stored ? me.m_stored->readAt(me.m_position, buffer) : me.m_stream->read(buffer);
    if (!got) {
        me.m_error = got.error();
        archive_set_error(reader, EIO, "%s", "the source cannot be read");
        return ARCHIVE_FATAL;
    }
    me.m_position += *got;
    *bytes = me.m_buffer.get();
    return static_cast<std::ptrdiff_t>(*got);
}

std::int64_t ArchiveReader::onSkip(archive*, void* self, std::int64_t count) {
    auto& me = *static_cast<ArchiveReader*>(self);
    const std::uint64_t size = me.m_stored->size();
    const std::uint64_t left = size > me.m_position ? size - me.m_position : 0; // 0 also: size not known
    const auto skipped = static_cast<std::int64_t>(
        std::min(left, static_cast<std::uint64_t>(std::max<std::int64_t>(0, count))));
    me.m_position += static_cast<std::uint64_t>(skipped);
    return skipped;
}

std::int64_t ArchiveReader::onSeek(archive* reader, void* self, std::int64_t offset, int whence) {
    auto& me = *static_cast<ArchiveReader*>(self);
    std::int64_t base = 0;
    if (whence == SEEK_CUR)
        base = static_cast<std::int64_t>(me.m_position);
    if (whence == SEEK_END) {
        auto size = me.m_stored->sizeAtEnd();
        if (!size) {
            me.m_error = size.error();
            archive_set_error(reader, EIO, "%s", "the source cannot be read");
            return ARCHIVE_FATAL;
        }
        base = static_cast<std::int64_t>(*size);
    }
    if (base + offset < 0)
        return ARCHIVE_FATAL;
    me.m_position = static_cast<std::uint64_t>(base + offset);
    return base + offset;
}

void ArchiveReader::note(bool cut) {
    const char* const words = archive_error_string(m_archive.get());
    m_damage = "the " + std::string(m_kindName) + " archive is damaged (" +
               (words != nullptr ? words : "no more is known") + ")";
    m_isCut = cut;
}

Result<std::optional<ArchiveReader::Entry>> ArchiveReader::next() {
    if (m_error)
        return *m_error;
    if (m_isOver)
        return std::optional<Entry>{};
    archive_entry* entry = nullptr;
    int code = ARCHIVE_RETRY;
    while (code == ARCHIVE_RETRY)
        code = archive_read_next_header(m_archive.get(), &entry);
    if (m_error)
        return *m_error;
    if (code == ARCHIVE_EOF) {
        m_isOver = true;
        return std::optional<Entry>{};
    }
    if (code < ARCHIVE_WARN) { // a warning is about owners, dates and the like
        m_isOver = true;
        note(true);
        return std::optional<Entry>{};
    }
    m_isEntryOver = m_isCut = false;
    m_damage.clear();
    ++m_entries;
    Entry found;
    found.name = nameOf(entry, m_entries);
    if (archive_entry_size_is_set(entry) != 0)
        found.size = static_cast<std::uint64_t>(std::max<std::int64_t>(0, archive_entry_size(entry)));
    found.isFile = archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == nullptr;
    found.isEncrypted = archive_entry_is_encrypted(entry) != 0;
    return std::optional<Entry>(std::move(found));
}

Result<std::size_t> ArchiveReader::read(std::span<std::byte> buffer) {
    if (m_error)
        return *m_error;
    if (m_isOver || m_isEntryOver || buffer.empty())
        return std::size_t{0};
    const la_ssize_t got = archive_read_data(m_archive.get(), buffer.data(), buffer.size());
    if (m_error)
        return *m_error;
    if (got >= 0)
        return static_cast<std::size_t>(got);
    const char* const words = archive_error_string(m_archive.get());
    const bool isChecksum = words != nullptr && std::string_view(words).find("CRC") != std::string_view::npos;
    m_isEntryOver = true;
    m_isOver = got == ARCHIVE_FATAL;
    note(!isChecksum); // the checksum comes after the last byte
    return std::size_t{0};
}

std::string ArchiveReader::damage() const {
    const std::string below = m_stored ? m_stored->damage() : m_stream->damage();
    return below.empty() ? m_damage : below;
}

bool ArchiveReader::isCut() const {
    return m_isCut || (m_stored ? m_stored->isCut() : m_stream->isCut());
}

} // namespace lacuna
