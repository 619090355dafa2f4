#pragma once
// One importer per file format. A new format is one file that makes an Importer and one line in builtin.cpp.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/import/load_options.h"
#include "core/trace/trace_builder.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lacuna {

class ByteSource;

enum class Confidence : std::uint8_t { No, Maybe, Certain };

struct SniffInput {
    std::string_view fileName;
    std::span<const std::byte> head; // first 64 KiB, already unpacked
};

// All recorded details of one event, in the order of the file: "args.grid" -> "[32, 8, 1]". Values are text,
// exact as recorded.
struct EventDetails {
    std::vector<std::pair<std::string, std::string>> fields;
};

// Reads what the timeline does not draw, from the source again, when asked. Not thread-safe.
class DetailReader {
public:
    virtual ~DetailReader() = default;
    virtual Result<EventDetails> read(SourceRef source) = 0;
};

class Importer {
public:
    virtual ~Importer() = default;
    virtual std::string_view id() const = 0;
    virtual Confidence sniff(const SniffInput& input) const = 0;
    // Reads everything into the builder. An error other than Cancelled means: not this format, or nothing
    // usable. Damage after usable rows is no error: the report says so (setPartial()). `file` is for formats
    // that need random access by themselves (SQLite); it is empty for memory sources.
    virtual Status load(ByteSource& bytes, const std::filesystem::path& file, TraceBuilder& into,
                        JobControl& job, const LoadOptions& options) const = 0;
    virtual Result<std::unique_ptr<DetailReader>> details(std::shared_ptr<ByteSource> bytes,
                                                          const std::filesystem::path& file) const = 0;
};

using ImporterList = std::vector<std::unique_ptr<const Importer>>;
ImporterList builtinImporters(); // builtin.cpp

} // namespace lacuna
