#pragma once
// SQLite files as traces need them: strictly read-only, nothing ever appears beside the file, and damaged or
// hostile files give errors instead of surprises. Thin RAII over the C API; a connection and its statements
// belong to one thread.

#include "core/base/job_control.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace lacuna {

// A folder of our own below the system's temporary folder, removed with all it holds.
class PrivateFolder {
public:
    static Result<PrivateFolder> make();
    PrivateFolder() = default;
    PrivateFolder(PrivateFolder&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}
    PrivateFolder& operator=(PrivateFolder&& other) noexcept {
        std::swap(m_path, other.m_path);
        return *this;
    }
    ~PrivateFolder();
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

struct SqliteColumn {
    std::string name;
    bool isPrimaryKey = false;
    bool isInteger = false; // declared INTEGER
};

struct SqliteTable {
    std::string name;
    std::vector<SqliteColumn> columns;
    // Names are compared as SQLite does: ASCII letters without case.
    const SqliteColumn* column(std::string_view columnName) const;
};

// A REAL that counts as a whole number: one below 2^53 (tools that pass tables through data frames turn
// integer columns with gaps into REAL).
std::optional<std::int64_t> wholeNumber(double value);

class SqliteStatement {
public:
    enum class Step : std::uint8_t { Row, Done, Failed };

    Step step();
    void reset();
    void bind(int parameter, std::int64_t value);
    int columnCount() const;
    std::string columnName(int column) const;
    bool isNull(int column) const;
    // None for NULL and for what is no whole number.
    std::optional<std::int64_t> integer(int column) const;
    // The text of a value of any type, exact; the view is valid until the next step. NULL gives an empty
    // view.
    std::string_view text(int column);
    bool isBlob(int column) const;
    std::size_t byteCount(int column) const;

private:
    friend class SqliteDb;
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const noexcept;
    };
    explicit SqliteStatement(sqlite3_stmt* statement) : m_statement(statement) {}
    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
};

class SqliteDb {
public:
    // True when the bytes start with SQLite's magic.
    static bool looksLike(std::string_view head);
    // Opens a file. A file with a write-ahead log or rollback journal beside it is read through a private
    // copy. Polls the job while it copies; the job, where given, must outlive the connection and stops long
    // statements.
    static Result<SqliteDb> open(const std::filesystem::path& file, JobControl* job = nullptr);
    // Writes what `read` gives (0 = end) into a private file and opens that: for compressed files and memory.
    using ReadBytes = std::function<Result<std::size_t>(std::span<std::byte>)>;
    static Result<SqliteDb> openUnpacked(const ReadBytes& read, JobControl* job = nullptr);

    SqliteDb(SqliteDb&&) noexcept = default;
    SqliteDb& operator=(SqliteDb&&) noexcept = default;

    // A second connection to the same file, for another thread; it has no list of tables. This one must
    // outlive it.
    Result<SqliteDb> again(JobControl* job = nullptr) const;

    Result<SqliteStatement> prepare(const std::string& sql);
    // Real tables (no views, no virtual tables) with their columns, in the order of the schema.
    const std::vector<SqliteTable>& tables() const { return m_tables; }
    const SqliteTable* table(std::string_view name) const;
    // SQLite's words for the last failure.
    std::string lastError() const;
    bool wasInterrupted() const;
    // The header promises more pages than the file has.
    bool isTruncated() const { return m_truncated; }
    // The file, when it holds all there is: no log or journal beside it has a part of it, nothing is cut off.
    std::optional<std::filesystem::path> plainFile() const;
    // Bytes of the database as opened (unpacked).
    std::uint64_t fileSize() const { return m_fileSize; }

private:
    struct Close {
        void operator()(sqlite3* db) const noexcept;
    };
    SqliteDb() = default;
    static Result<SqliteDb> connect(const std::string& uri, const std::filesystem::path& file,
                                    JobControl* job);
    static Result<SqliteDb> openUri(const std::string& uri, const std::filesystem::path& file,
                                    JobControl* job);
    Status readSchema(const std::string& fileName);

    PrivateFolder m_folder; // destroyed after the connection
    std::unique_ptr<sqlite3, Close> m_db;
    std::string m_uri;
    std::filesystem::path m_file;
    std::vector<SqliteTable> m_tables;
    std::uint64_t m_fileSize = 0;
    bool m_truncated = false;
};

// "name" with quotes doubled, for SQL text.
std::string quoteIdentifier(std::string_view name);

} // namespace lacuna
