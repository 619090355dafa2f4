#pragma once
// Bytes of a trace as a forward stream with a place to return to. Files are read in windows with pread (never
// mapped: a map counts as memory and kills the process when the file shrinks). What is around the text is
// told by its first bytes and unpacked on the way, up to four layers: gzip, zlib, Zstandard, xz, zip, tar,
// UTF-16. So that a few KiB anywhere can be read again later in milliseconds, gzip keeps decoder snapshots
// every few MiB of output, and the others keep their output in a nameless temporary file
// (detail/spool_file.h). Where that file is full the load goes on, and reading again unpacks from the start.
// Memory sources serve tests.

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

class JobControl;

// Something for the import report.
struct SourceNote {
    std::string code;
    std::string message;
    std::uint64_t count = 1;
    bool isWarning = false;
};

class ByteSource {
public:
    virtual ~ByteSource() = default;
    // Next bytes of the unpacked stream, at most buffer.size(); 0 at the end. Damage inside compressed data
    // ends the stream early: read() answers 0 and damage() tells what happened; what came before stays valid.
    virtual Result<std::size_t> read(std::span<std::byte> buffer) = 0;
    // Random access to unpacked text that read() has passed before. Fewer bytes at the end of the stream.
    // Thread-compatible: one caller at a time, also after read() reached the end.
    virtual Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> buffer) = 0;
    // Bytes as stored: for progress (read so far of all). The size is 0 while it is not known (standard
    // input before its end).
    virtual std::uint64_t storedSize() const = 0;
    virtual std::uint64_t storedDone() const = 0;
    virtual const std::string& damage() const = 0; // empty: none
    virtual bool isCut() const = 0; // damage() hides a part of the stream (a wrong checksum alone does not)
    virtual bool isCompressed() const = 0; // the stored bytes are not the text itself
    // What is known beside the text: members of the archive that are not shown, a file that was written while
    // it was read.
    virtual std::vector<SourceNote> notes() const { return {}; }
    // The member of an archive that this is; empty: no archive.
    virtual const std::string& member() const {
        static const std::string none;
        return none;
    }
    // The job whose cancellation ends a read that waits or unpacks for long (Errc::Cancelled). It must
    // outlive the reading until watch(nullptr).
    virtual void watch(const JobControl*) {}
};

// "-" stands for standard input, here and in every path that loadTrace() takes.
bool isStandardInput(const std::filesystem::path& file);
// For people: the name without folders, "standard input" for "-".
std::string shownName(const std::filesystem::path& file);

// Opens a file, or standard input, down to the text. `member` as LoadOptions::member; the job is watched from
// the beginning. Errors: not a readable file, an archive with several traces and no choice among them.
Result<std::unique_ptr<ByteSource>> openFile(const std::filesystem::path& file, std::string_view member = {},
                                             const JobControl* job = nullptr);
// The same of memory; what cannot be opened gives a source whose reads give the error. chunk > 0 limits every
// read() to that many bytes (tests).
std::unique_ptr<ByteSource> openMemory(std::string text, std::size_t chunk = 0, std::string_view member = {});

} // namespace lacuna
