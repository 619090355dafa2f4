// By content first; the extension decides only for NVIDIA's own formats, whose content has no published
// magic. JSON look-alikes are told by their first keys (chrome_json.md 1.2).

#include "core/import/detail/foreign_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace lacuna {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kNcuReport =
    "This is an Nsight Compute report: it describes single kernels and has no timeline.";
constexpr std::string_view kNcuTable =
    "This is a table of Nsight Compute: it describes single kernels and has no timeline.";
constexpr std::string_view kNcuRemedy =
    "`lacuna kernels --ncu FILE` shows it; for the timeline, open a trace of the same program.";
constexpr std::string_view kUnpackArchive = "Unpack it and open the trace inside.";

Error unsupported(std::string what, std::string remedy) {
    return {Errc::Unsupported, std::move(what), {}, std::move(remedy)};
}
Error notTrace(std::string what, std::string remedy) {
    return {Errc::NotRecognised, std::move(what), {}, std::move(remedy)};
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

std::optional<Error> byName(std::string_view fileName) {
    const std::string name = lower(fileName);
    if (name.ends_with(".ncu-rep"))
        return unsupported(std::string(kNcuReport), std::string(kNcuRemedy));
    return std::nullopt;
}

struct ForeignMagic {
    std::string_view bytes;
    std::size_t offset;
    std::string_view what, remedy;
};

constexpr std::array kForeignMagics{
    ForeignMagic{"NVR\0"sv, 0, kNcuReport, kNcuRemedy},
    ForeignMagic{R"("ID","Process ID")"sv, 0, kNcuTable, kNcuRemedy},
    ForeignMagic{"==PROF=="sv, 0, kNcuTable, kNcuRemedy}, // as printed, with what ncu says itself
    ForeignMagic{"==WARNING=="sv, 0, kNcuTable, kNcuRemedy},
    ForeignMagic{"BZh"sv, 0, "This file is compressed with bzip2.", "Unpack it first: bunzip2 FILE"},
    ForeignMagic{"\x04\x22\x4D\x18"sv, 0, "This file is compressed with LZ4.",
                 "Unpack it first: lz4 -d FILE"},
    ForeignMagic{"7z\xBC\xAF\x27\x1C"sv, 0, "This is a 7-Zip archive.", kUnpackArchive},
    ForeignMagic{"Rar!\x1A\x07"sv, 0, "This is a RAR archive.", kUnpackArchive},
    ForeignMagic{"\x7F"
                 "ELF"sv,
                 0, "This is a program, not a trace.", "Open the trace that was recorded of it."},
    ForeignMagic{"%PDF"sv, 0, "This is a PDF document.", "Open the trace itself."},
    ForeignMagic{"\x89PNG"sv, 0, "This is a picture.", "Open the trace itself."},
};

bool looksLikePickle(std::string_view head) {
    return head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5 &&
           (head[2] == '\x95' || head[2] == '}' || head[2] == ']' || head[2] == '(' || head[2] == 'c');
}

// Perfetto's protobuf: a list of packets, field 1, length delimited, whose first field is small.
bool looksLikePerfetto(std::string_view head) {
    if (head.size() < 4 || head[0] != '\x0A')
        return false;
    std::size_t at = 1;
    while (at < 6 && at < head.size() && (static_cast<unsigned char>(head[at]) & 0x80u) != 0)
        ++at;
    const auto tag = at + 1 < head.size() ? static_cast<unsigned char>(head[at + 1]) : 0u;
    const bool isTag = (tag & 7u) == 0 || (tag & 7u) == 2; // a number or a message
    return isTag && tag >= 8 && std::any_of(head.begin(), head.end(), [](char c) {
               return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t';
           });
}

std::optional<Error> byMagic(std::string_view head) {
    for (const ForeignMagic& magic : kForeignMagics)
        if (head.size() >= magic.offset + magic.bytes.size() &&
            head.substr(magic.offset).starts_with(magic.bytes))
            return unsupported(std::string(magic.what), std::string(magic.remedy));
    if (looksLikePickle(head))
        return unsupported(
            "This is a Python pickle, as PyTorch memory snapshots are; it has no timeline of events.",
            "Open the profiler trace of the same run (export_chrome_trace).");
    const std::string start = lower(head.substr(0, 512));
    if (start.find("<!doctype") != std::string::npos || start.find("<html") != std::string::npos)
        return unsupported("This is a web page, perhaps with a trace inside.",
                           "Open the trace (.json or .json.gz) that the page was made from.");
    if (looksLikePerfetto(head))
        return unsupported("This is a Perfetto trace in binary form.",
                           "Export it as JSON: traceconv json FILE FILE.json");
    return std::nullopt;
}

struct LookAlike {
    std::string_view first, second; // quoted keys that stand in the head
    std::string_view what, remedy;
};

constexpr std::array kLookAlikes{
    LookAlike{"\"schema\"", "\"nodes\"",
              "It looks like a PyTorch execution trace (Chakra), which has no times.",
              "Open the profiler trace of the same run."},
    LookAlike{"\"rocprofiler-sdk-tool\"", "", "It looks like rocprofv3 output of its own form.",
              "Record with --output-format pftrace, and convert that: traceconv json FILE FILE.json"},
    LookAlike{"speedscope.app", "", "It looks like a speedscope profile.",
              "Open the trace that it was made from."},
    LookAlike{"\"nodes\"", "\"startTime\"", "It looks like a V8 CPU profile.",
              "Record a trace with events instead."},
    LookAlike{"\"hatchet", "", "It looks like a Proton tree of sums, not a timeline.",
              "Record with Proton's trace mode."},
    LookAlike{"\"frame\"", "\"metrics\"", "It looks like a Proton tree of sums, not a timeline.",
              "Record with Proton's trace mode."},
    LookAlike{"\"segments\"", "\"device_traces\"", "It looks like a PyTorch memory snapshot.",
              "Open the profiler trace of the same run."},
    LookAlike{"\"spans\"", "\"traceId\"", "It looks like a trace of a distributed service, not of a program.",
              "Open a PyTorch or Chrome trace."},
};

std::optional<Error> jsonLookAlike(std::string_view head) {
    const std::size_t first = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first == std::string_view::npos || (head[first] != '{' && head[first] != '['))
        return std::nullopt;
    constexpr std::string_view kNoEvents = "This file is JSON but has no traceEvents array. ";
    for (const LookAlike& known : kLookAlikes)
        if (head.find(known.first) != std::string_view::npos &&
            head.find(known.second) != std::string_view::npos)
            return notTrace(std::string(kNoEvents) + std::string(known.what), std::string(known.remedy));
    std::string start;
    for (const char c : head.substr(first, 64))
        if (static_cast<unsigned char>(c) > ' ')
            start.push_back(c);
    if (start.starts_with("[[") && start.size() > 2 && (start[2] == '-' || std::isdigit(start[2]) != 0))
        return notTrace(std::string(kNoEvents) +
                            "It looks like a PyTorch memory timeline (export_memory_timeline).",
                        "Open the profiler trace of the same run (export_chrome_trace).");
    return std::nullopt;
}

} // namespace

std::optional<Error> recogniseForeign(const ForeignInput& input) {
    const std::string_view head(reinterpret_cast<const char*>(input.head.data()), input.head.size());
    if (input.storedSize == 0 && head.empty())
        return Error{Errc::Malformed,
                     "The file is empty (0 bytes).",
                     {},
                     "The export did not finish: record and export the trace again."};
    if (head.empty())
        return Error{input.isCompressed ? Errc::Truncated : Errc::Malformed,
                     "The compressed file holds nothing that can be unpacked.", "byte 0",
                     "Copy the file again, or export the trace again."};
    if (auto named = byName(input.fileName))
        return named;
    if (auto magic = byMagic(head))
        return magic;
    if (head.find_first_not_of(" \t\r\n\0"sv) == std::string_view::npos)
        return Error{Errc::Malformed,
                     "The file holds nothing but blanks.",
                     {},
                     "The export did not finish: record and export the trace again."};
    return jsonLookAlike(head);
}

Error unknownFormat(std::span<const std::byte> head) {
    std::string start;
    for (const std::byte b : head.first(std::min<std::size_t>(head.size(), 16))) {
        const char c = static_cast<char>(b);
        start.push_back(static_cast<unsigned char>(c) > ' ' && static_cast<unsigned char>(c) < 0x7F ? c
                                                                                                    : '.');
    }
    return notTrace(
        "This is no trace that Lacuna knows: a PyTorch or Chrome trace (JSON) or an Nsight Systems "
        "export (SQLite) was expected, the file begins with \"" +
            start + "\".",
        "Open a .json, .json.gz or .sqlite file.");
}

} // namespace lacuna
