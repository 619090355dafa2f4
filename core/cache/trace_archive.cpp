#include "core/cache/trace_archive.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <utility>

namespace lacuna {

namespace {

template <class T> std::span<const std::byte> bytesOf(const T& column) {
    return std::as_bytes(std::span(column));
}

// A column of the section's size; false when the section holds no whole number of elements.
template <class T>
bool sized(Column<T>& column, const ArchiveFileReader::Section& section, std::span<std::byte>& bytes) {
    if (section.bytes % sizeof(T) != 0)
        return false;
    column.resize(static_cast<std::size_t>(section.bytes / sizeof(T)));
    bytes = std::as_writable_bytes(std::span(column));
    return true;
}

} // namespace

bool TraceArchive::write(const Trace& trace, std::string_view key, const ArchiveWriter::Sink& sink,
                         JobControl& job) {
    Column<std::uint32_t> nameLengths;
    Column<char> nameBytes;
    nameLengths.reserve(trace.m_strings.size());
    nameBytes.reserve(trace.m_strings.bytes());
    for (std::uint32_t i = 0; i < trace.m_strings.size(); ++i) {
        const std::string_view name = trace.m_strings.view({i});
        if (name.size() > UINT32_MAX)
            return false;
        nameLengths.push_back(static_cast<std::uint32_t>(name.size()));
        nameBytes.insert(nameBytes.end(), name.begin(), name.end());
    }
    Column<std::int64_t> sampleTimes;
    Column<double> sampleValues;
    for (const CounterTrack& track : trace.m_counters) {
        sampleTimes.insert(sampleTimes.end(), track.timeNs.begin(), track.timeNs.end());
        sampleValues.insert(sampleValues.end(), track.value.begin(), track.value.end());
    }
    const EventTable& e = trace.m_events;
    const CorrelationIndex& groups = trace.m_correlations;
    const std::string small = packSmall(trace);
    const std::array<std::span<const std::byte>, kSections> sections{
        bytesOf(small),
        bytesOf(nameLengths),
        bytesOf(nameBytes),
        bytesOf(e.beginNs),
        bytesOf(e.endNs),
        bytesOf(e.name),
        bytesOf(e.kind),
        bytesOf(e.source),
        bytesOf(groups.m_blocks),
        bytesOf(groups.m_packed),
        bytesOf(groups.m_wide),
        bytesOf(groups.m_members),
        bytesOf(trace.m_flows.m_links),
        bytesOf(trace.m_flows.m_byTarget),
        bytesOf(sampleTimes),
        bytesOf(sampleValues),
    };
    std::uint64_t total = 0;
    for (const auto& section : sections)
        total += section.size();
    job.setTotal(total);
    ArchiveWriter writer(sink, job);
    writer.begin(key);
    for (const auto& section : sections)
        writer.section(section);
    return writer.end();
}

bool TraceArchive::readColumns(const ArchiveFileReader& file, Trace& trace, Parts& parts, unsigned threads,
                               JobControl& job) {
    EventTable& e = trace.m_events;
    CorrelationIndex& groups = trace.m_correlations;
    std::array<std::span<std::byte>, kSections> into;
    const auto fits = [&](auto& column, Section section) {
        return sized(column, file.section(section), into[section]);
    };
    if (!fits(parts.nameLengths, NameLengths) || !fits(parts.nameBytes, NameBytes) ||
        !fits(e.beginNs, BeginNs) || !fits(e.endNs, EndNs) || !fits(e.name, Name) || !fits(e.kind, Kind) ||
        !fits(e.source, Source) || !fits(groups.m_blocks, GroupBlocks) ||
        !fits(groups.m_packed, GroupsPacked) || !fits(groups.m_wide, GroupsWide) ||
        !fits(groups.m_members, GroupMembers) || !fits(trace.m_flows.m_links, FlowLinks) ||
        !fits(trace.m_flows.m_byTarget, FlowsByTarget) || !fits(parts.sampleTimes, SampleTimes) ||
        !fits(parts.sampleValues, SampleValues))
        return false;
    std::atomic<std::size_t> next{Small + 1};
    std::atomic<bool> isGood{true};
    const auto work = [&] {
        for (std::size_t section = next++; section < kSections && isGood; section = next++)
            if (!file.read(section, into[section], job))
                isGood = false;
    };
    std::vector<std::thread> helpers;
    for (unsigned i = 1; i < std::min(threads, 4u); ++i)
        helpers.emplace_back(work);
    work();
    for (std::thread& helper : helpers)
        helper.join();
    return isGood;
}

std::shared_ptr<const Trace> TraceArchive::read(const StoredBytes& file, std::string_view key,
                                                JobControl& job, const ReadOptions& options) {
    const auto archive = ArchiveFileReader::open(file, key, kSections, options.sums);
    if (!archive)
        return nullptr;
    job.setTotal(file.size());
    std::string small(static_cast<std::size_t>(archive->section(Small).bytes), '\0');
    const std::shared_ptr<Trace> trace(new Trace);
    Parts parts;
    if (!archive->read(Small, std::as_writable_bytes(std::span(small)), job) ||
        !readColumns(*archive, *trace, parts, options.threads, job))
        return nullptr;
    job.setPhase(JobControl::Phase::Indexing);
    // Names first: small parts refer to them.
    if (!restoreNames(parts, *trace, job) || !unpackSmall(small, *trace, parts) ||
        !referencesAreValid(*trace) || !restoreStrips(parts, *trace, job) ||
        !restoreSamples(parts, *trace, job) || !restoreCorrelations(*trace, job) ||
        !flowsAreValid(*trace, job) || !hotArgsAreValid(*trace))
        return nullptr;
    TraceFacts& facts = trace->m_facts;
    if (!options.path.empty() && options.path != facts.path) {
        const auto nameOf = [](const std::string& path) {
            return std::filesystem::path(path).filename().string();
        };
        if (facts.fileName == nameOf(facts.path))
            facts.fileName = nameOf(options.path);
        facts.path = options.path;
    }
    job.countEvents(trace->m_events.size());
    return trace;
}

} // namespace lacuna
