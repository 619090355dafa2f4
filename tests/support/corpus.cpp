#include "tests/support/corpus.h"

#include "core/document/completeness.h"
#include "core/import/load_trace.h"
#include "tests/support/paths.h"

#include <QByteArray>
#include <QCryptographicHash>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

namespace lacuna::test {

namespace fs = std::filesystem;

namespace {

std::string_view resultOf(Errc code) {
    switch (code) {
    case Errc::Cancelled:
        return "cancelled";
    case Errc::Io:
        return "io";
    case Errc::NotRecognised:
        return "not_recognised";
    case Errc::Malformed:
        return "malformed";
    case Errc::Truncated:
        return "truncated";
    case Errc::Unsupported:
        return "unsupported";
    case Errc::TooLarge:
        return "too_large";
    }
    return "unknown";
}

std::uint64_t digest(const std::string& text) {
    const QByteArray hash =
        QCryptographicHash::hash(QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size())),
                                 QCryptographicHash::Sha256);
    std::uint64_t number = 0;
    for (int i = 7; i >= 0; --i)
        number = number << 8 | static_cast<unsigned char>(hash[i]);
    return number;
}

std::string hex(std::uint64_t number) {
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
    return text.data();
}

std::string laneText(const Trace& trace, const Lane& lane) {
    std::string text(laneKindName(lane.kind));
    text.append("/").append(trace.strings().view(lane.title));
    if (lane.process)
        text.append("/process ").append(trace.processes()[lane.process.v].idText);
    if (lane.thread)
        text.append("/thread ").append(trace.threads()[lane.thread.v].idText);
    if (lane.device)
        text.append("/device ").append(std::to_string(trace.devices()[lane.device.v].ordinal));
    return text.append("/").append(std::to_string(lane.sourceId));
}

struct Sums {
    std::array<std::uint64_t, kEventKinds> rows{}, checksum{};
    std::uint64_t lanes = 0;
};

Sums sumsOf(const Trace& trace) {
    Sums sums;
    const EventTable& events = trace.events();
    for (const Strip& strip : trace.strips()) {
        const std::string lane = '\t' + laneText(trace, trace.lane(strip.lane));
        for (EventId e = strip.first; e < strip.last; ++e.v) {
            const auto kind = static_cast<std::size_t>(events.kind[e.v]);
            std::string text =
                std::to_string(events.beginNs[e.v]) + '\t' + std::to_string(events.endNs[e.v]) + '\t';
            text += trace.nameOf(e);
            ++sums.rows[kind];
            sums.checksum[kind] += digest(text);
            sums.lanes += digest(text + lane);
        }
    }
    for (const CounterTrack& track : trace.counters())
        sums.rows[static_cast<std::size_t>(EventKind::Counter)] += track.timeNs.size();
    return sums;
}

std::string kindsText(const ImportReport& report, const Sums& sums) {
    std::map<std::string, std::string> kinds;
    for (std::size_t k = 0; k < kEventKinds; ++k) {
        const auto kind = static_cast<EventKind>(k);
        if (report.kept(kind) != 0)
            kinds.emplace(kindName(kind), std::to_string(report.kept(kind)) + ',' +
                                              std::to_string(sums.rows[k]) + ',' + hex(sums.checksum[k]));
    }
    std::string text;
    for (const auto& [name, numbers] : kinds)
        text += (text.empty() ? "" : ";") + name + '=' + numbers;
    return text;
}

std::string notesText(const std::vector<Issue>& notes) {
    std::map<std::string, std::uint64_t> counts;
    for (const Issue& note : notes)
        counts[note.code] += note.count;
    std::string text;
    for (const auto& [code, count] : counts)
        text += (text.empty() ? "" : ";") + code + '=' + std::to_string(count);
    return text;
}

} // namespace

std::string corpusLine(const std::string& name, const fs::path& file) {
    JobControl job;
    const auto loaded = loadTrace(file, builtinImporters(), job);
    if (!loaded)
        return name + '\t' + std::string(resultOf(loaded.error().code)) + "\t0\t0\t0\t\t\t";
    const Trace& trace = *loaded->trace;
    const ImportReport& report = trace.report();
    const auto completeness = checkCompleteness(trace, loaded->details.get(), job);
    const Sums sums = sumsOf(trace);
    std::string line = name + '\t' + (report.isPartial() ? "part" : "complete");
    for (const std::uint64_t rows : {report.rowsRead(), report.rowsKept(), report.rowsDropped()})
        line += '\t' + std::to_string(rows);
    line += '\t' + kindsText(report, sums) + '\t' + hex(sums.lanes) + '\t';
    return completeness ? line + notesText(allNotes(report, *completeness)) : line;
}

std::vector<CorpusFile> corpusFiles() {
    std::map<std::string, fs::path> files;
    const auto add = [&files](const fs::path& root, const std::string& folder) {
        if (!fs::is_directory(root / folder))
            return;
        for (const auto& entry : fs::recursive_directory_iterator(root / folder))
            // Micro cases have the answers of a reference beside them.
            if (entry.is_regular_file() &&
                entry.path().filename().string().find("ref.out.json") == std::string::npos)
                files.try_emplace(fs::relative(entry.path(), root).generic_string(), entry.path());
    };
    const auto traces = shared("traces");
    for (const char* const folder : {"public", "captured"})
        if (traces)
            add(*traces, folder);
    for (const char* const folder : {"captured", "micro"})
        add(fixture(""), folder);
    std::vector<CorpusFile> list;
    for (auto& [name, path] : files)
        list.push_back({name, path});
    return list;
}

} // namespace lacuna::test
