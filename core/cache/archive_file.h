#pragma once
// The container of a cache file: a preamble with the key, sections of raw little-endian columns, and a table
// with length and checksum of each at the end, so that a file is written in one forward pass.
//
//   preamble   magic, format version, byte order mark, length and checksum of the key
//   key        what the trace was made from (source_identity.h)
//   sections   each begins at a multiple of 32 bytes
//   table      {length, checksum} per section, then the checksum of the table
//
// kFormatVersion goes up with every change of the sections, of what they mean, or of the classes of
// core/trace that they fill; the key holds the program's build besides, so that no other build's file is ever
// used.

#include "core/base/job_control.h"
#include "core/import/detail/stored_bytes.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

inline constexpr std::uint32_t kCacheFormatVersion = 3;

class ArchiveWriter {
public:
    // False: stop (disk full, ...).
    using Sink = std::function<bool(std::span<const std::byte>)>;

    ArchiveWriter(Sink sink, JobControl& job) : m_sink(std::move(sink)), m_job(job) {}
    void begin(std::string_view key);
    void section(std::span<const std::byte> bytes);
    // True when everything was written.
    bool end();

private:
    bool put(std::span<const std::byte> bytes);
    void pad();

    Sink m_sink;
    JobControl& m_job;
    std::string m_table;
    std::uint64_t m_offset = 0;
    bool m_ok = true;
};

class ArchiveFileReader {
public:
    struct Section {
        std::uint64_t offset = 0, bytes = 0, checksum = 0;
    };

    // Checksums are ignored only by fuzzing, which cannot guess them.
    enum class Sums : std::uint8_t { Checked, Ignored };

    // None when it is no cache file of this version for that key, or damaged.
    static std::optional<ArchiveFileReader> open(const StoredBytes& file, std::string_view key,
                                                 std::size_t sections, Sums sums = Sums::Checked);
    const Section& section(std::size_t number) const { return m_sections[number]; }
    // Fills `into`, which has the size of the section. False: damaged, unreadable or cancelled. May run on
    // several threads, for different sections.
    bool read(std::size_t number, std::span<std::byte> into, JobControl& job) const;

private:
    ArchiveFileReader(const StoredBytes& file, Sums sums) : m_file(&file), m_sums(sums) {}
    bool readTable(std::uint64_t firstSection, std::size_t sections);

    const StoredBytes* m_file;
    std::vector<Section> m_sections;
    Sums m_sums;
};

} // namespace lacuna
