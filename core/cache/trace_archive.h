#pragma once
// A whole Trace as one file of columns, for the index cache. Reading gives a Trace that is equal in every
// member; strip indexes and the tables of the string pool are made again. Nothing that a file says is
// trusted: every number is checked against what it points to, so that a damaged or hostile file gives no
// trace, and never a wrong or dangerous one.

#include "core/cache/archive_file.h"
#include "core/trace/trace.h"

#include <memory>
#include <string>
#include <string_view>

namespace lacuna {

class TraceArchive {
public:
    // False when the sink stopped or the job was cancelled. About 40 bytes a row.
    static bool write(const Trace& trace, std::string_view key, const ArchiveWriter::Sink& sink,
                      JobControl& job);

    struct ReadOptions {
        std::string path;     // under which the file was opened this time; empty: as it was stored
        unsigned threads = 1; // sections are read on up to so many
        ArchiveFileReader::Sums sums = ArchiveFileReader::Sums::Checked;
    };
    // Null when the file was written for another key or format version, is damaged, or the job was cancelled.
    // O(size).
    static std::shared_ptr<const Trace> read(const StoredBytes& file, std::string_view key, JobControl& job,
                                             const ReadOptions& options);

private:
    enum Section : std::size_t {
        Small,
        NameLengths,
        NameBytes,
        BeginNs,
        EndNs,
        Name,
        Kind,
        Source,
        GroupBlocks,
        GroupsPacked,
        GroupsWide,
        GroupMembers,
        FlowLinks,
        FlowsByTarget,
        SampleTimes,
        SampleValues,
        kSections
    };
    struct Parts; // what is not yet in its place in the trace

    static bool readColumns(const ArchiveFileReader& file, Trace& trace, Parts& parts, unsigned threads,
                            JobControl& job);

    static std::string packSmall(const Trace& trace);
    static bool unpackSmall(std::string_view bytes, Trace& trace, Parts& parts);

    static bool restoreNames(const Parts& parts, Trace& trace, JobControl& job);
    static bool restoreSamples(const Parts& parts, Trace& trace, JobControl& job);
    static bool restoreStrips(const Parts& parts, Trace& trace, JobControl& job);
    static bool restoreCorrelations(Trace& trace, JobControl& job);
    static bool areBlocksValid(const CorrelationIndex& index);
    static bool referencesAreValid(const Trace& trace);
    static bool flowsAreValid(const Trace& trace, JobControl& job);
    static bool hotArgsAreValid(const Trace& trace);
};

struct TraceArchive::Parts {
    Column<std::uint32_t> nameLengths; // of all names in the order of their ids
    Column<char> nameBytes;
    std::vector<std::uint32_t> stripRows;    // per strip
    std::vector<std::uint64_t> sampleCounts; // per counter
    Column<std::int64_t> sampleTimes;        // of all counters, one after the other
    Column<double> sampleValues;
};

} // namespace lacuna
