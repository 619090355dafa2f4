#include "core/import/nsys_report.h"

#include "core/import/byte_source.h"
#include "core/import/nsys/details.h"
#include "core/import/nsys/load_export.h"
#include "core/import/nsys/report_export.h"
#include "core/import/table_columns.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <mutex>

namespace lacuna {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMagic = "NVIDIA Tegra Profiler Report";

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

// As a word of a shell command.
std::string shellWord(std::string_view text) {
    constexpr std::string_view kSafe =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+,@%:=/";
    if (!text.empty() && text.front() != '-' && text.find_first_not_of(kSafe) == std::string_view::npos)
        return std::string(text);
    std::string word = text.starts_with('-') ? "'./" : "'";
    for (const char c : text)
        word += c == '\'' ? "'\\''" : std::string(1, c);
    return word + "'";
}

// What to do by hand (ux.md section 10).
Error byHand(std::string_view fileName) {
    if (nsys::isRawCapture(fileName))
        return {Errc::Unsupported,
                "This is a raw capture that was not yet turned into a report. That does not mean the run "
                "was interrupted. Keep the file and import it.",
                {},
                "nsys import " + shellWord(fileName)};
    const std::string stem(fileName.substr(0, fileName.rfind('.')));
    return {Errc::Unsupported,
            "Nsight Systems reports must be exported first.",
            {},
            "nsys export --type=sqlite -o " + shellWord(stem + ".sqlite") + " " + shellWord(fileName)};
}

// Reads the export in the cache when the first row is asked for.
class ReportDetails final : public DetailReader, public TableColumns {
public:
    explicit ReportDetails(fs::path exported) : m_exported(std::move(exported)) {}

    Result<EventDetails> read(SourceRef source) override {
        if (Status opened = open(); !opened)
            return opened.error();
        return m_details->read(source);
    }

    Status scan(std::string_view table, std::span<const std::string_view> columns,
                std::span<const RowSpan> rows, const Visit& visit, JobControl& job) override {
        if (Status opened = open(); !opened)
            return opened;
        return tables()->scan(table, columns, rows, visit, job);
    }

    std::string tableName(std::uint32_t number) override {
        return open() ? tables()->tableName(number) : std::string();
    }

private:
    Status open() {
        if (m_details)
            return ok();
        auto details = nsys::makeDetails(nullptr, m_exported);
        if (!details)
            return Error{Errc::Io,
                         "The exported report is not in the cache folder any more.",
                         {},
                         "Open the report again."};
        m_details = std::move(*details);
        return ok();
    }

    TableColumns* tables() const { return dynamic_cast<TableColumns*>(m_details.get()); }

    fs::path m_exported;
    std::unique_ptr<DetailReader> m_details;
};

class NsysReportImporter final : public Importer {
public:
    std::string_view id() const override { return "nsys-report"; }

    Confidence sniff(const SniffInput& input) const override {
        const std::string_view head(static_cast<const char*>(static_cast<const void*>(input.head.data())),
                                    input.head.size());
        const std::string name = lower(input.fileName);
        const bool isNamed = name.ends_with(".nsys-rep") || name.ends_with(".qdrep") ||
                             name.ends_with(".qdstrm"); // old ones and raw captures have no known magic
        return !head.empty() && (head.starts_with(kMagic) || isNamed) ? Confidence::Certain : Confidence::No;
    }

    Status load(ByteSource& bytes, const fs::path& file, TraceBuilder& into, JobControl& job,
                const LoadOptions& options) const override {
        const std::string fileName = file.empty() ? into.facts().fileName : file.filename().string();
        const auto program = nsys::findNsys(options.nsysProgram);
        if (file.empty() || bytes.isCompressed() || !program)
            return byHand(fileName);
        const fs::path folder = nsys::exportFolder(options.cacheFolder);
        const auto exported = nsys::exportReport(file, *program, folder, bytes.storedSize(), job);
        if (!exported)
            return exported.error();
        auto db = SqliteDb::open(*exported, &job);
        if (!db) {
            Error error = db.error();
            error.place.clear();
            return error;
        }
        if (auto foreign = nsys::foreignDatabase(*db, fileName))
            return *foreign;
        {
            const std::lock_guard lock(m_lock);
            m_exports.insert_or_assign(file.string(), *exported);
        }
        const std::uint64_t left = bytes.storedSize() - std::min(bytes.storedSize(), job.bytesDone());
        return nsys::loadExport(*db, left, into, job, options.threads);
    }

    Result<std::unique_ptr<DetailReader>> details(std::shared_ptr<ByteSource>,
                                                  const fs::path& file) const override {
        const std::lock_guard lock(m_lock);
        if (const auto known = m_exports.find(file.string()); known != m_exports.end())
            return std::unique_ptr<DetailReader>(std::make_unique<ReportDetails>(known->second));
        auto exported = nsys::exportPath(file, nsys::exportFolder({}));
        if (!exported)
            return exported.error();
        return std::unique_ptr<DetailReader>(std::make_unique<ReportDetails>(std::move(*exported)));
    }

private:
    // Where the reports of this process were exported to, by path: details() is not told of the options.
    mutable std::mutex m_lock;
    mutable std::map<std::string, fs::path> m_exports;
};

} // namespace

std::unique_ptr<const Importer> makeNsysReportImporter() {
    return std::make_unique<NsysReportImporter>();
}

} // namespace lacuna
