#pragma once
// Bytes of a trace as a forward stream with a place to return to. Files are read in windows with pread (never
// mapped: a map counts as memory and kills the process when the file shrinks); gzip is unpacked on the way,
// with decoder snapshots every few MiB of output, so that a few KiB anywhere can be read again later in
// milliseconds. Memory sources serve tests.

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace lacuna {

class ByteSource {
public:
    virtual ~ByteSource() = default;
    // Next bytes of the unpacked stream, at most buffer.size(); 0 at the end. Damage inside compressed data
    // ends the stream early: read() answers 0 and damage() tells what happened; what came before stays valid.
    virtual Result<std::size_t> read(std::span<std::byte> buffer) = 0;
    // Random access to unpacked text that read() has passed before. Fewer bytes at the end of the stream.
    // Thread-compatible: one caller at a time, also after read() reached the end.
    virtual Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> buffer) = 0;
    // Bytes as stored: for progress (read so far of all).
    virtual std::uint64_t storedSize() const = 0;
    virtual std::uint64_t storedDone() const = 0;
    virtual const std::string& damage() const = 0; // empty: none
    virtual bool isCut() const = 0; // damage() hides a part of the stream (a wrong checksum alone does not)
    virtual bool isCompressed() const = 0;
};

// Opens a file and sniffs gzip by its first bytes, never by extension.
Result<std::unique_ptr<ByteSource>> openFile(const std::filesystem::path& file);
// `text` may itself be gzip data. chunk > 0 limits every read() to that many bytes (tests).
std::unique_ptr<ByteSource> openMemory(std::string text, std::size_t chunk = 0);

} // namespace lacuna
