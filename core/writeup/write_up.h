#pragma once
// `lacuna report`: what a trace says about idle time, as a document for people who were not there. Blocks in
// reading order, made once and then written as HTML, Markdown or on pages; figures are pictures of gaps that
// the caller paints. Equal traces give equal documents; no time of day is in them.

#include "core/analysis/gap_analysis.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/import/load_trace.h"
#include "core/output/text_sink.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lacuna {

struct AnalysisSettings;

struct WriteUpBlock {
    enum class Kind : std::uint8_t {
        Heading, // text; level 1 is the title, 2 a section, 3 a finding
        Text,    // a paragraph
        List,    // rows of one cell
        Fields,  // rows of two cells: name, value
        Table,   // columns and rows; text is the caption
        Figure,  // of `gap`; text says what it shows
    };
    Kind kind = Kind::Text;
    int level = 0;
    std::string text; // plain, valid UTF-8, one line
    std::vector<std::string> columns;
    std::vector<bool> isNumber; // beside the columns: right-aligned
    std::vector<std::vector<std::string>> rows;
    GapId gap;
    std::string image, imageType; // filled by the caller: bytes, "image/svg+xml"; empty: left out
};

struct WriteUp {
    std::string title;
    std::vector<WriteUpBlock> blocks;
};

// The fields that a measurement needs to be repeated (warm-up, iterations, shapes, batch, dtype, hardware,
// software, boundaries): what a person has stated, by these names. What is neither stated nor in the file
// prints as "not stated".
using StatedSetup = std::map<std::string, std::string>;

struct WriteUpInput {
    const LoadedTrace& loaded;
    std::shared_ptr<const GapAnalysis> gaps;
    std::string sha256; // of the file's bytes as stored; empty: left out
    StatedSetup setup;
    std::string program; // "Lacuna 1.0"
    // Thresholds, and what the user says about steps; null: the defaults.
    std::shared_ptr<const AnalysisSettings> settings = nullptr;
};

// Errors: Cancelled, and those of reading the source again.
Result<WriteUp> makeWriteUp(const WriteUpInput& input, JobControl& job);

// One file each: pictures are inside.
void writeUpHtml(const WriteUp& document, TextSink& sink);
void writeUpMarkdown(const WriteUp& document, TextSink& sink);
std::string base64(std::string_view bytes);

} // namespace lacuna
