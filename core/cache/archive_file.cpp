#include "core/cache/archive_file.h"

#include "core/cache/checksum.h"
#include "core/cache/packer.h"

#include <algorithm>
#include <array>

namespace lacuna {

namespace {

constexpr std::uint64_t kMagic = 0x5849414E5543414Cull; // "LACUNAIX"
constexpr std::uint32_t kByteOrder = 0x01020304u;
constexpr std::size_t kPreamble = 32, kAlign = Checksum::kBlock, kTableEntry = 16;
constexpr std::size_t kPiece = std::size_t{1} << 20;

std::span<const std::byte> bytesOf(std::string_view text) {
    return std::as_bytes(std::span(text));
}

std::uint64_t aligned(std::uint64_t offset) {
    return (offset + kAlign - 1) / kAlign * kAlign;
}

std::string preambleFor(std::string_view key) {
    Packer pack;
    pack.value(kMagic);
    pack.value(kCacheFormatVersion);
    pack.value(kByteOrder);
    pack.value(static_cast<std::uint64_t>(key.size()));
    pack.value(checksumOf(bytesOf(key)));
    return pack.bytes();
}

// Empty unless all of it is there.
std::string textAt(const StoredBytes& file, std::uint64_t offset, std::size_t size) {
    std::string text(size, '\0');
    const auto got = file.readAt(offset, std::as_writable_bytes(std::span(text)));
    return got && *got == size ? text : std::string();
}

} // namespace

bool ArchiveWriter::put(std::span<const std::byte> bytes) {
    m_ok = m_ok && m_sink(bytes);
    m_offset += bytes.size();
    return m_ok;
}

void ArchiveWriter::pad() {
    static constexpr std::array<std::byte, kAlign> kZeros{};
    put(std::span(kZeros).first(aligned(m_offset) - m_offset));
}

void ArchiveWriter::begin(std::string_view key) {
    put(bytesOf(preambleFor(key)));
    put(bytesOf(key));
    pad();
}

void ArchiveWriter::section(std::span<const std::byte> bytes) {
    Checksum sum;
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
        const auto piece = bytes.subspan(at, std::min(kPiece, bytes.size() - at));
        sum.add(piece);
        m_ok = m_ok && !m_job.cancelled();
        if (!put(piece))
            return;
        m_job.advance(piece.size());
    }
    pad();
    Packer entry;
    entry.value(static_cast<std::uint64_t>(bytes.size()));
    entry.value(sum.value());
    m_table += entry.bytes();
}

bool ArchiveWriter::end() {
    Packer sum;
    sum.value(checksumOf(bytesOf(m_table)));
    put(bytesOf(m_table));
    put(bytesOf(sum.bytes()));
    return m_ok;
}

std::optional<ArchiveFileReader> ArchiveFileReader::open(const StoredBytes& file, std::string_view key,
                                                         std::size_t sections, Sums sums) {
    const std::string head = textAt(file, 0, kPreamble + key.size());
    if (head.empty() || !head.starts_with(preambleFor(key)) || !head.ends_with(key))
        return std::nullopt;
    ArchiveFileReader reader(file, sums);
    if (!reader.readTable(aligned(head.size()), sections))
        return std::nullopt;
    return reader;
}

bool ArchiveFileReader::readTable(std::uint64_t firstSection, std::size_t sections) {
    const std::size_t tableBytes = sections * kTableEntry + sizeof(std::uint64_t);
    if (m_file->size() < firstSection + tableBytes)
        return false;
    const std::uint64_t end = m_file->size() - tableBytes;
    const std::string table = textAt(*m_file, end, tableBytes);
    if (table.empty())
        return false;
    Unpacker unpack(table);
    std::uint64_t offset = firstSection;
    for (std::size_t i = 0; i < sections; ++i) {
        Section s;
        s.offset = offset;
        s.bytes = unpack.value<std::uint64_t>();
        s.checksum = unpack.value<std::uint64_t>();
        if (s.bytes > end || offset > end - s.bytes)
            return false;
        offset = aligned(offset + s.bytes);
        m_sections.push_back(s);
    }
    const auto entries = std::string_view(table).substr(0, sections * kTableEntry);
    return offset == end &&
           (m_sums == Sums::Ignored || unpack.value<std::uint64_t>() == checksumOf(bytesOf(entries)));
}

bool ArchiveFileReader::read(std::size_t number, std::span<std::byte> into, JobControl& job) const {
    const Section& s = m_sections[number];
    Checksum sum;
    for (std::size_t at = 0; at < into.size(); at += kPiece) {
        const auto piece = into.subspan(at, std::min(kPiece, into.size() - at));
        const auto got = m_file->readAt(s.offset + at, piece);
        if (!got || *got != piece.size())
            return false;
        sum.add(piece);
        job.advance(piece.size());
        if (job.cancelled())
            return false;
    }
    return m_sums == Sums::Ignored || sum.value() == s.checksum;
}

} // namespace lacuna
