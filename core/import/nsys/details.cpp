#include "core/import/nsys/details.h"

#include "core/import/byte_source.h"
#include "core/import/nsys/column_scan.h"
#include "core/import/nsys/nsys_reader.h"
#include "core/import/nsys/table_list.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>

namespace lacuna::nsys {

namespace {

constexpr std::int64_t kMaxFrames = 256; // of one call stack
// NVTX domains are created before their ranges, near the start of the table; a whole scan could take seconds.
constexpr std::int64_t kDomainRows = 65'536;

// Integer columns that are keys into StringIds beside those whose name ends in "NameId", "nameId" or
// "textId".
bool isStringColumn(std::string_view column) {
    constexpr std::array<std::string_view, 11> kNames = {
        "nameId", "textId", "demangledName",  "shortName",  "mangledName", "jsonTextId",
        "symbol", "module", "CpuInstruction", "sourceFile", "apiCallId"};
    return std::find(kNames.begin(), kNames.end(), column) != kNames.end();
}

class NsysDetails final : public DetailReader, public TableColumns {
public:
    explicit NsysDetails(SqliteDb db)
        : m_db(std::move(db)), m_names(m_db, m_pool), m_labels(m_db), m_tables(eventTables(m_db)),
          m_rows(m_tables.size()) {}

    Result<EventDetails> read(SourceRef source) override {
        if (source.table() >= m_tables.size())
            return missing();
        const std::string& table = m_tables[source.table()];
        auto& rows = m_rows[source.table()]; // kept: a trace that is converted asks for every row
        if (!rows) {
            auto prepared = m_db.prepare("SELECT * FROM " + quoteIdentifier(table) + " WHERE rowid = ?1");
            if (!prepared)
                return missing();
            rows.emplace(std::move(*prepared));
        }
        rows->reset();
        rows->bind(1, source.rowid());
        if (rows->step() != SqliteStatement::Step::Row)
            return missing();
        EventDetails details;
        details.fields.emplace_back("table", table);
        std::optional<std::int64_t> callchain, domain;
        for (int i = 0; i < rows->columnCount(); ++i) {
            const std::string column = rows->columnName(i);
            if (rows->isNull(i))
                continue; // "not told"; every other value is shown
            if (column == "callchainId")
                callchain = rows->integer(i);
            if (column == "domainId")
                domain = rows->integer(i);
            details.fields.emplace_back(column, valueOf(table, column, *rows, i));
        }
        if (domain && *domain != 0)
            if (const std::string& name = domainName(*domain); !name.empty())
                details.fields.emplace_back("domain", name);
        if (table == "COMPOSITE_EVENTS") // a sample's chain has its number
            callchain = source.rowid();
        if (callchain && *callchain != 0)
            appendStack(table, *callchain, details);
        if (table == "OSRT_FILE_ACCESS_EVENTS")
            appendFile(details);
        rows->reset();
        return details;
    }

    Status scan(std::string_view table, std::span<const std::string_view> columns,
                std::span<const RowSpan> rows, const Visit& visit, JobControl& job) override {
        if (!m_arePagesAsked) {
            m_arePagesAsked = true;
            if (auto pages = SqlitePages::open(m_db))
                m_pages.emplace(std::move(*pages));
        }
        return scanColumns(m_db, m_pages ? &*m_pages : nullptr, table, columns, rows, visit, job);
    }

    std::string tableName(std::uint32_t number) override {
        return number < m_tables.size() ? m_tables[number] : std::string();
    }

private:
    static Error missing() {
        return {Errc::Io, "The row is not in the file any more.", {}, "Open the file again."};
    }

    std::string valueOf(std::string_view table, const std::string& column, SqliteStatement& rows, int i) {
        if (rows.isBlob(i))
            return "(" + std::to_string(rows.byteCount(i)) + " bytes)";
        const auto number = rows.integer(i);
        if (!number)
            return std::string(rows.text(i));
        std::string digits = std::to_string(*number);
        if (isStringColumn(column))
            if (const auto text = m_names.find(*number))
                return std::string(m_pool.view(*text));
        if (column == "globalTid" || column == "endGlobalTid")
            return digits + " (process " + std::to_string(processNumber(*number)) + ", thread " +
                   std::to_string(threadNumber(*number)) + ")";
        if (column == "globalPid")
            return digits + " (process " + std::to_string(processNumber(*number)) + ")";
        if (const std::string_view enumeration = enumOfColumn(table, column); !enumeration.empty())
            if (const std::string_view label = m_labels.label(enumeration, *number); !label.empty())
                return digits + " (" + std::string(label) + ")";
        return digits;
    }

    const std::string& domainName(std::int64_t domain) {
        const auto [at, fresh] = m_domains.try_emplace(domain);
        if (fresh)
            at->second = readDomainName(domain);
        return at->second;
    }

    std::string readDomainName(std::int64_t domain) {
        auto rows = m_db.prepare(
            "SELECT text, textId FROM NVTX_EVENTS WHERE rowid <= " + std::to_string(kDomainRows) +
            " AND eventType = 75 AND domainId = ?1 LIMIT 1");
        if (!rows)
            return {};
        rows->bind(1, domain);
        if (rows->step() != SqliteStatement::Step::Row)
            return {};
        if (!rows->isNull(0))
            return std::string(rows->text(0));
        const auto id = rows->integer(1);
        const auto text = id ? m_names.find(*id) : std::nullopt;
        return text ? std::string(m_pool.view(*text)) : std::string();
    }

    // Innermost frame first.
    void appendStack(std::string_view table, std::int64_t chain, EventDetails& details) {
        const std::string_view chains = table == "OSRT_API"           ? "OSRT_CALLCHAINS"
                                        : table == "SYSCALL"          ? "SYSCALL_CALLCHAINS"
                                        : table == "COMPOSITE_EVENTS" ? "SAMPLING_CALLCHAINS"
                                                                      : "CUDA_CALLCHAINS";
        const SqliteTable* known = m_db.table(chains);
        // Without its key the table would be scanned for one stack.
        if (known == nullptr || known->column("id") == nullptr || !known->column("id")->isPrimaryKey)
            return;
        auto rows = m_db.prepare("SELECT symbol, module FROM " + quoteIdentifier(chains) +
                                 " WHERE id = ?1 ORDER BY stackDepth LIMIT " + std::to_string(kMaxFrames));
        if (!rows)
            return;
        rows->bind(1, chain);
        for (int depth = 0; rows->step() == SqliteStatement::Step::Row; ++depth) {
            const auto symbol = rows->integer(0), module = rows->integer(1);
            const auto name = symbol ? m_names.find(*symbol) : std::nullopt;
            const auto from = module ? m_names.find(*module) : std::nullopt;
            std::string frame(name ? m_pool.view(*name) : std::string_view("?"));
            if (from)
                frame.append(" (").append(m_pool.view(*from)).append(")");
            details.fields.emplace_back("stack." + std::to_string(depth), std::move(frame));
        }
    }

    // The path of an accessed file, from the table that describes files.
    void appendFile(EventDetails& details) {
        const auto id = std::find_if(details.fields.begin(), details.fields.end(),
                                     [](const auto& field) { return field.first == "fileAccessId"; });
        auto rows = m_db.prepare("SELECT filePath FROM OSRT_FILE_ACCESS_DESCRIPTORS WHERE fileAccessId = ?1");
        if (id == details.fields.end() || !rows)
            return;
        rows->bind(1, std::strtoll(id->second.c_str(), nullptr, 10));
        if (rows->step() == SqliteStatement::Step::Row && !rows->isNull(0))
            details.fields.emplace_back("filePath", rows->text(0));
    }

    std::optional<SqlitePages> m_pages; // before m_db: closed after it
    bool m_arePagesAsked = false;
    SqliteDb m_db;
    StringPool m_pool;
    Names m_names;
    EnumLabels m_labels;
    std::vector<std::string> m_tables;
    std::vector<std::optional<SqliteStatement>> m_rows; // beside m_tables; after m_db, which they use
    std::map<std::int64_t, std::string> m_domains;
};

// A compressed trace is unpacked when the first row is asked for, not before.
class UnpackingDetails final : public DetailReader, public TableColumns {
public:
    explicit UnpackingDetails(std::shared_ptr<ByteSource> bytes) : m_bytes(std::move(bytes)) {}

    Result<EventDetails> read(SourceRef source) override {
        if (Status unpacked = unpack(); !unpacked)
            return unpacked.error();
        return m_details->read(source);
    }

    Status scan(std::string_view table, std::span<const std::string_view> columns,
                std::span<const RowSpan> rows, const Visit& visit, JobControl& job) override {
        if (Status unpacked = unpack(); !unpacked)
            return unpacked;
        return m_details->scan(table, columns, rows, visit, job);
    }

    std::string tableName(std::uint32_t number) override {
        return unpack() ? m_details->tableName(number) : std::string();
    }

private:
    Status unpack() {
        if (m_details)
            return ok();
        std::uint64_t offset = 0;
        auto db = SqliteDb::openUnpacked([&](std::span<std::byte> buffer) {
            auto count = m_bytes->readAt(offset, buffer);
            if (count)
                offset += *count;
            return count;
        });
        if (!db)
            return db.error();
        m_details = std::make_unique<NsysDetails>(std::move(*db));
        return ok();
    }

    std::shared_ptr<ByteSource> m_bytes;
    std::unique_ptr<NsysDetails> m_details;
};

} // namespace

Result<std::unique_ptr<DetailReader>> makeDetails(std::shared_ptr<ByteSource> bytes,
                                                  const std::filesystem::path& file) {
    if (file.empty() || (bytes && bytes->isCompressed()))
        return std::unique_ptr<DetailReader>(std::make_unique<UnpackingDetails>(std::move(bytes)));
    auto db = SqliteDb::open(file);
    if (!db)
        return db.error();
    return std::unique_ptr<DetailReader>(std::make_unique<NsysDetails>(std::move(*db)));
}

} // namespace lacuna::nsys
