// Chrome trace event JSON in one streaming pass (json_events), element by element into rows (chrome_rows).
// What the timeline does not draw stays in the file: the details of one event are read again at its byte
// offset.

#include "core/import/chrome_json.h"

#include "core/import/byte_source.h"
#include "core/import/detail/chrome_details.h"
#include "core/import/detail/chrome_late.h"
#include "core/import/detail/chrome_rows.h"
#include "core/import/detail/json_events.h"
#include "core/import/reading_stop.h"

#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace lacuna {

namespace {

std::string_view skipMarkAndSpace(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

// Of all issues that dropped rows, the one that dropped most.
std::string mainReason(const ImportReport& report) {
    const Issue* main = nullptr;
    for (const Issue& issue : report.issues())
        if (issue.dropsRows && (main == nullptr || issue.count > main->count))
            main = &issue;
    return main == nullptr ? std::string{} : " " + main->message;
}

Status nothingUsable(const json::ReadResult& read, const ImportReport& report) {
    const std::string remedy = "Open a PyTorch or Chrome trace, or record it again.";
    if (!read.isJson)
        return Error{Errc::NotRecognised, "This file is not JSON.", "byte 0", remedy};
    if (!read.hasEventArray)
        return Error{Errc::NotRecognised, "This file is JSON but has no traceEvents array.", {}, remedy};
    if (const Issue* cut = report.find("truncated"); cut != nullptr && report.rowsKept() == 0)
        return Error{Errc::Truncated, "The file ends before its first complete event.",
                     "byte " + std::to_string(cut->first.offset.value_or(0)), remedy};
    if (read.elements == 0)
        return Error{Errc::Malformed, "The trace holds no events: its event array is empty.", {}, remedy};
    if (report.rowsDropped() == 0)
        return Error{Errc::Malformed, "The trace holds only metadata, no event with a time.", {}, remedy};
    return Error{Errc::Malformed,
                 "None of the " + std::to_string(read.elements) + " events can be shown." +
                     mainReason(report),
                 {},
                 remedy};
}

class ChromeJsonImporter final : public Importer {
public:
    explicit ChromeJsonImporter(TimeUnitOfFile unit) : m_unit(unit) {}
    std::string_view id() const override { return kChromeJsonId; }

    Confidence sniff(const SniffInput& input) const override {
        const std::string_view head(reinterpret_cast<const char*>(input.head.data()), input.head.size());
        const std::string_view text = skipMarkAndSpace(head);
        if (text.empty() || (text[0] != '{' && text[0] != '['))
            return Confidence::No;
        const bool hasEvents = text.find("\"traceEvents\"") != std::string_view::npos ||
                               text.find("\"ph\"") != std::string_view::npos ||
                               text.starts_with("{\"lacuna\":"); // whose list of lanes may be long
        return hasEvents ? Confidence::Certain : Confidence::Maybe;
    }

    Status load(ByteSource& bytes, const std::filesystem::path&, TraceBuilder& into, JobControl& job,
                const LoadOptions& options) const override {
        const unsigned threads = options.threads != 0 ? options.threads : std::thread::hardware_concurrency();
        std::function<bool(std::uint64_t)> stops;
        if (options.stop != nullptr) {
            options.stop->offer();
            stops = [&job, stop = options.stop](std::uint64_t) { return stop->isAsked(job.bytesDone()); };
        }
        auto pass = readOnce(bytes, into, job, threads, nullptr, stops);
        if (pass && pass->learnt) {
            chrome::startAgain(into);
            job.setPhase(JobControl::Phase::Indexing); // its rows were counted
            job.setTotal(2 * bytes.storedDone());
            chrome::FromStart again(bytes, pass->read.textBytes);
            // To where the first pass came.
            stops = [last = pass->read.elements, isStopped = pass->read.isStopped](std::uint64_t elements) {
                return isStopped && elements >= last;
            };
            pass = readOnce(again, into, job, threads, &*pass->learnt, stops);
        }
        if (!pass)
            return pass.error();
        const ImportReport& report = into.report();
        if (into.size() == 0 && report.kept(EventKind::Counter) == 0)
            return nothingUsable(pass->read, report);
        return ok();
    }

    Result<std::unique_ptr<DetailReader>> details(std::shared_ptr<ByteSource> bytes,
                                                  const std::filesystem::path&) const override {
        return chrome::makeDetailReader(std::move(bytes));
    }

private:
    struct Pass {
        json::ReadResult read;
        std::optional<chrome::Known> learnt; // the rows are to be read again with this
    };
    Result<Pass> readOnce(ByteSource& bytes, TraceBuilder& into, JobControl& job, unsigned threads,
                          const chrome::Known* known, const std::function<bool(std::uint64_t)>& stops) const {
        chrome::Rows rows(into, known, m_unit);
        json::Limits limits;
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
        limits.window = 512; // small inputs reach its end, and no time goes into clearing MiBs for each
#endif
        json::EventReader reader(bytes, rows, job, limits, threads);
        reader.setStop(stops);
        const auto read = reader.run();
        if (!read)
            return read.error();
        auto learnt = rows.wantsSecondPass(job);
        if (!learnt)
            return learnt.error();
        if (*learnt)
            return Pass{*read, std::move(*learnt)};
        noteDamage(bytes, into.report());
        if (!rows.finish(job))
            return cancelledError();
        return Pass{*read, std::nullopt};
    }

    static void noteDamage(const ByteSource& bytes, ImportReport& report) {
        if (bytes.damage().empty())
            return;
        if (!bytes.isCompressed()) {
            report.note("file_became_shorter", "The file became shorter while it was read.", {},
                        Severity::Error);
            report.setPartial();
            return;
        }
        report.note(bytes.isCut() ? "damaged_compression" : "compression_warning",
                    "In the compressed file, " + bytes.damage() + ".", {},
                    bytes.isCut() ? Severity::Error : Severity::Warning);
        if (bytes.isCut())
            report.setPartial();
    }

    TimeUnitOfFile m_unit;
};

} // namespace

std::unique_ptr<const Importer> makeChromeJsonImporter(TimeUnitOfFile unit) {
    return std::make_unique<ChromeJsonImporter>(unit);
}

} // namespace lacuna
