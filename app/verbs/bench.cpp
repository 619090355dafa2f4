// lacuna bench: phase times, peak memory and frame times of one file, measured in this process.

#include "app/verbs/bench_frames.h"
#include "app/verbs/builtin.h"
#include "app/verbs/input.h"
#include "app/verbs/offscreen_application.h"
#include "app/verbs/options.h"
#include "app/verbs/output.h"
#include "app/verbs/timed_import.h"
#include "core/analysis/gap_analysis.h"
#include "core/base/text_format.h"
#include "core/output/json_writer.h"
#include "core/output/summary_output.h"

#include <CLI/CLI.hpp>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>

namespace lacuna::ui {

namespace {

struct BenchResult {
    std::string sha256;
    std::uint64_t events = 0, bytes = 0, gaps = 0, peakRssBytes = 0;
    double loadS = 0, readS = 0, parseS = 0, indexS = 0, analyseS = 0;
    std::optional<FrameTimes> frames;
};

double seconds(BenchClock::duration d) {
    return std::chrono::duration<double>(d).count();
}

// High-water mark of resident memory. Not getrusage(): its value survives exec and may be the parent's.
std::uint64_t peakRss() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (std::uint64_t kib = 0; word == "VmHWM:" && status >> kib)
            return kib * 1024;
    return 0;
}

void writeJson(const BenchResult& result, const TraceFacts& facts, TextSink& sink) {
    JsonWriter json(sink);
    json.beginObject();
    json.member("attribute_s", result.analyseS);
    json.member("bytes", result.bytes);
    json.member("events", result.events);
    writeFileMember(json, facts, result.sha256);
    json.key("frames");
    if (result.frames) {
        json.beginObject();
        json.member("count", result.frames->count);
        json.member("max_ms", result.frames->maxMs);
        json.member("median_ms", result.frames->medianMs);
        json.member("p99_ms", result.frames->p99Ms);
        json.endObject();
    } else {
        json.null();
    }
    json.member("gaps", result.gaps);
    json.member("load_s", result.loadS);
    json.member("peak_rss_bytes", result.peakRssBytes);
    json.key("phases_s");
    json.beginObject();
    json.member("analyse", result.analyseS);
    json.member("index", result.indexS);
    json.member("parse", result.parseS);
    json.member("read", result.readS);
    json.endObject();
    json.endObject();
}

std::string decimal(double value, int digits) {
    std::array<char, 64> text{};
    const int length = std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return {text.data(), static_cast<std::size_t>(length)};
}

void writeText(const BenchResult& result, const TraceFacts& facts, TextSink& sink) {
    sink.write(facts.fileName + ": " + formatCount(result.events) + " events, " + formatBytes(result.bytes) +
               '\n');
    sink.write("load       " + decimal(result.loadS, 3) + " s (read " + decimal(result.readS, 3) +
               ", parse " + decimal(result.parseS, 3) + ", index " + decimal(result.indexS, 3) +
               ", analyse " + decimal(result.analyseS, 3) + ")\n");
    sink.write("gaps       " + formatCount(result.gaps) + ", attributed in " + decimal(result.analyseS, 3) +
               " s\n");
    sink.write("peak RSS   " + formatBytes(result.peakRssBytes) + '\n');
    if (result.frames)
        sink.write("frames     " + formatCount(result.frames->count) + ": median " +
                   decimal(result.frames->medianMs, 2) + " ms, p99 " + decimal(result.frames->p99Ms, 2) +
                   " ms, max " + decimal(result.frames->maxMs, 2) + " ms\n");
}

class BenchVerb final : public Verb {
public:
    const char* name() const override { return "bench"; }
    const char* summary() const override { return "Load time, memory and frame times of a trace"; }

    void declare(CLI::App& options) override {
        declareInput(options, m_input);
        options.add_option("--frames", m_frames, "Also paint N frames of a scripted zoom and pan")
            ->type_name("N");
        declareFormat(options, m_format, {"text", "json"});
    }

    int run(JobControl& job) override {
        BenchResult result;
        ImportTimes times;
        const auto start = BenchClock::now();
        const auto loaded = load(times, job);
        const auto afterLoad = BenchClock::now();
        if (!loaded)
            return reportInputError(m_input, loaded.error());
        const auto analysis = GapAnalysis::run(loaded->trace, {}, job);
        const auto end = BenchClock::now();
        if (!analysis)
            return reportInputError(m_input, analysis.error());
        result.loadS = seconds(end - start);
        result.readS = seconds(times.reading);
        result.parseS = seconds(times.importing - times.reading);
        result.indexS = seconds(afterLoad - start - times.importing);
        result.analyseS = seconds(end - afterLoad);
        result.peakRssBytes = peakRss();
        result.events = loaded->trace->report().rowsRead();
        result.bytes = times.bytes > 0 ? times.bytes : loaded->trace->facts().fileSize;
        result.gaps = (*analysis)->gaps().size();
        if (m_frames > 0 && !paintFrames(**analysis, result, job))
            return kExitInterrupted;
        return print(result, *loaded->trace, job);
    }

private:
    Result<LoadedTrace> load(ImportTimes& times, JobControl& job) const {
        const ImporterList importers = timedImporters(times);
        return loadInput(m_input, importers, job);
    }

    bool paintFrames(const GapAnalysis& analysis, BenchResult& result, JobControl& job) const {
        const OffscreenApplication application;
        result.frames = benchFrames(analysis, m_frames, job);
        return result.frames.has_value();
    }

    int print(BenchResult& result, const Trace& trace, JobControl& job) const {
        FileSink out(stdout);
        if (m_format == "json") {
            auto hash = hashInput(m_input, job);
            if (!hash)
                return reportInputError(m_input, hash.error());
            result.sha256 = *std::move(hash);
            writeJson(result, trace.facts(), out);
        } else {
            writeText(result, trace.facts(), out);
        }
        return finishOutput(out, trace);
    }

    Input m_input;
    std::string m_format;
    std::size_t m_frames = 0;
};

} // namespace

std::unique_ptr<Verb> makeBenchVerb() {
    return std::make_unique<BenchVerb>();
}

} // namespace lacuna::ui
