#pragma once
// Metadata may stand behind the rows that it is about (chrome_json.md 2.2, 3.2). Names of processes and
// threads are given at the end anyway; but where a name makes a device of a process, and a stream of its
// thread, rows before it were taken for host rows. Such a file is read a second time with everything known
// from the start, so that it ends exactly as if metadata stood first: lanes, kinds, copies, joins, arrows,
// drops. Costs a second pass over the text of these rare files, and nothing for all others.

#include "core/base/job_control.h"
#include "core/import/byte_source.h"
#include "core/import/detail/chrome_lanes.h"
#include "core/trace/trace_builder.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lacuna::chrome {

// What a first pass learnt for the second.
struct Known {
    Names names;
    std::string written; // text of the root member "lacuna", where it stood behind rows
};

// Rows were placed before the names that tell where they belong. O(rows), where a process is a device by its
// name; else O(1). None when the job was cancelled.
std::optional<bool> isPlacedTooEarly(const TraceBuilder& builder, const Lanes& lanes, JobControl& job);

// Takes everything out of the builder but what the file is called. No snapshots are made any more.
void startAgain(TraceBuilder& builder);

// The text of a source from its beginning, beside the reading that the source itself has done. Of
// `textSize` bytes of text, the share that was read is the share of the stored bytes that counts as done.
class FromStart final : public ByteSource {
public:
    explicit FromStart(ByteSource& bytes, std::uint64_t textSize = 0) : m_bytes(bytes), m_size(textSize) {}
    Result<std::size_t> read(std::span<std::byte> buffer) override;
    Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> buffer) override {
        return m_bytes.readAt(offset, buffer);
    }
    std::uint64_t storedSize() const override { return m_bytes.storedSize(); }
    std::uint64_t storedDone() const override;
    const std::string& damage() const override { return m_bytes.damage(); }
    bool isCut() const override { return m_bytes.isCut(); }
    bool isCompressed() const override { return m_bytes.isCompressed(); }

private:
    ByteSource& m_bytes;
    std::uint64_t m_at = 0, m_size;
};

} // namespace lacuna::chrome
