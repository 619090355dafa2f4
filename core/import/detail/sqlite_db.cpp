#include "core/import/detail/sqlite_db.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

namespace lacuna {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kCopyChunk = std::size_t{1} << 19; // at most 1 MiB may pass between two polls
constexpr int kProgressSteps = 20'000;                   // virtual machine steps between two polls
constexpr int kMaxValueBytes = 256 << 20;                // no sane name or note is longer
constexpr std::size_t kHeaderBytes = 100;

using Header = std::array<unsigned char, kHeaderBytes>;

Error ioError(std::string detail, const fs::path& file) {
    return {Errc::Io, std::move(detail), file.filename().string(),
            "Check that the file exists and can be read."};
}

std::uint32_t bigEndian32(const Header& header, std::size_t at) {
    return (std::uint32_t{header[at]} << 24) | (std::uint32_t{header[at + 1]} << 16) |
           (std::uint32_t{header[at + 2]} << 8) | std::uint32_t{header[at + 3]};
}

// Bytes that the header promises; 0 when it does not tell (file-format document, sections 1.3.2 and 1.3.8).
std::uint64_t promisedSize(const Header& header) {
    const std::uint32_t raw = (std::uint32_t{header[16]} << 8) | header[17];
    const std::uint64_t pageSize = raw == 1 ? 65536 : raw;
    const bool pageCountIsValid = bigEndian32(header, 24) == bigEndian32(header, 92);
    return pageCountIsValid ? pageSize * bigEndian32(header, 28) : 0;
}

bool readHeader(const fs::path& file, Header& header) {
    std::ifstream in(file, std::ios::binary);
    header.fill(0);
    std::string bytes(kHeaderBytes, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    std::transform(bytes.begin(), bytes.end(), header.begin(),
                   [](char c) { return static_cast<unsigned char>(c); });
    return in.gcount() == static_cast<std::streamsize>(kHeaderBytes);
}

std::string fileUri(const fs::path& file, std::string_view parameters) {
    std::error_code error;
    const fs::path absolute = fs::absolute(file, error).lexically_normal();
    std::string uri = "file:";
    for (const char c : (error ? file : absolute).string()) {
        const auto u = static_cast<unsigned char>(c);
        if (u <= ' ' || u >= 0x7f || c == '%' || c == '?' || c == '#') {
            std::array<char, 4> escaped{};
            std::snprintf(escaped.data(), escaped.size(), "%%%02X", u);
            uri += escaped.data();
        } else {
            uri += c;
        }
    }
    return uri.append("?").append(parameters);
}

fs::path beside(const fs::path& file, const char* suffix) {
    fs::path other = file;
    other += suffix;
    return other;
}

std::uintmax_t sizeOrZero(const fs::path& file) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    return error ? 0 : size;
}

Status copyFile(const fs::path& from, const fs::path& to, JobControl* job) {
    std::ifstream in(from, std::ios::binary);
    std::ofstream out(to, std::ios::binary);
    std::vector<char> chunk(kCopyChunk);
    while (in && out) {
        in.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
        out.write(chunk.data(), in.gcount());
        if (job != nullptr && job->cancelled())
            return cancelledError();
    }
    out.close();
    if (!out)
        return Error{Errc::Io, "The private copy of the database could not be written.",
                     to.parent_path().string(), "Free some space in the temporary folder."};
    return ok();
}

int pollJob(void* job) {
    return static_cast<const JobControl*>(job)->cancelled() ? 1 : 0;
}

bool equalNames(std::string_view a, std::string_view b) {
    return a.size() == b.size() && sqlite3_strnicmp(a.data(), b.data(), static_cast<int>(a.size())) == 0;
}

} // namespace

Result<PrivateFolder> PrivateFolder::make() {
    std::error_code error;
    fs::path base = fs::temp_directory_path(error);
    if (error)
        base = "/tmp";
    std::string pattern = (base / "lacuna-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
        return Error{Errc::Io, "No temporary folder could be made.", base.string(),
                     "Set TMPDIR to a folder that can be written."};
    PrivateFolder folder;
    folder.m_path = pattern;
    return folder;
}

PrivateFolder::~PrivateFolder() {
    std::error_code ignored;
    if (!m_path.empty())
        fs::remove_all(m_path, ignored);
}

const SqliteColumn* SqliteTable::column(std::string_view columnName) const {
    const auto at = std::find_if(columns.begin(), columns.end(),
                                 [&](const SqliteColumn& c) { return equalNames(c.name, columnName); });
    return at == columns.end() ? nullptr : &*at;
}

// ---- statement

void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const noexcept {
    sqlite3_finalize(statement);
}

SqliteStatement::Step SqliteStatement::step() {
    switch (sqlite3_step(m_statement.get())) {
    case SQLITE_ROW:
        return Step::Row;
    case SQLITE_DONE:
        return Step::Done;
    default:
        return Step::Failed;
    }
}

void SqliteStatement::reset() {
    sqlite3_reset(m_statement.get());
}

void SqliteStatement::bind(int parameter, std::int64_t value) {
    sqlite3_bind_int64(m_statement.get(), parameter, value);
}

int SqliteStatement::columnCount() const {
    return sqlite3_column_count(m_statement.get());
}

std::string SqliteStatement::columnName(int column) const {
    const char* name = sqlite3_column_name(m_statement.get(), column);
    return name == nullptr ? std::string() : std::string(name);
}

bool SqliteStatement::isNull(int column) const {
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

bool SqliteStatement::isBlob(int column) const {
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_BLOB;
}

std::size_t SqliteStatement::byteCount(int column) const {
    return static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column));
}

std::optional<std::int64_t> SqliteStatement::integer(int column) const {
    const int type = sqlite3_column_type(m_statement.get(), column);
    if (type == SQLITE_INTEGER)
        return sqlite3_column_int64(m_statement.get(), column);
    return type == SQLITE_FLOAT ? wholeNumber(sqlite3_column_double(m_statement.get(), column))
                                : std::nullopt;
}

std::optional<std::int64_t> wholeNumber(double value) {
    constexpr double kExact = 9007199254740992.0; // 2^53
    if (!(std::abs(value) < kExact) || value != std::trunc(value))
        return std::nullopt;
    return static_cast<std::int64_t>(value);
}

std::string_view SqliteStatement::text(int column) {
    const void* bytes = sqlite3_column_text(m_statement.get(), column);
    if (bytes == nullptr)
        return {};
    return {static_cast<const char*>(bytes), byteCount(column)};
}

// ---- connection

void SqliteDb::Close::operator()(sqlite3* db) const noexcept {
    sqlite3_close_v2(db);
}

bool SqliteDb::looksLike(std::string_view head) {
    return head.substr(0, 16) == std::string_view("SQLite format 3\0", 16);
}

// Journal rules: mode=ro alone would make -shm and -wal files beside a WAL database, and could not roll a hot
// journal back. immutable=1 reads the main file only, which is the whole truth when no log holds anything.
Result<SqliteDb> SqliteDb::open(const fs::path& file, JobControl* job) {
    std::error_code error;
    if (!fs::is_regular_file(file, error))
        return ioError("The file cannot be opened.", file);
    Header header{};
    if (!readHeader(file, header))
        return Error{Errc::Truncated, "The file is too short for a database: it ends inside the header.",
                     file.filename().string(), "Copy or export the file again."};
    const std::uintmax_t logBytes = sizeOrZero(beside(file, "-wal"));
    const std::uintmax_t journalBytes = sizeOrZero(beside(file, "-journal"));
    if (logBytes == 0 && journalBytes == 0) {
        const bool usesLog = header[18] == 2 || header[19] == 2 || fs::exists(beside(file, "-wal"), error);
        return openUri(fileUri(file, usesLog ? "mode=ro&immutable=1" : "mode=ro"), file, job);
    }
    auto folder = PrivateFolder::make();
    if (!folder)
        return folder.error();
    const fs::path copy = folder->path() / "trace.sqlite";
    for (const char* suffix : {"", "-wal", "-journal"})
        if (sizeOrZero(beside(file, suffix)) > 0)
            if (const Status copied = copyFile(beside(file, suffix), beside(copy, suffix), job); !copied)
                return copied.error();
    auto db = openUri(fileUri(copy, "mode=rw"), copy, job);
    if (db)
        db->m_folder = std::move(*folder);
    return db;
}

Result<SqliteDb> SqliteDb::openUnpacked(const ReadBytes& read, JobControl* job) {
    auto folder = PrivateFolder::make();
    if (!folder)
        return folder.error();
    const fs::path copy = folder->path() / "trace.sqlite";
    std::ofstream out(copy, std::ios::binary);
    std::vector<std::byte> chunk(kCopyChunk);
    while (true) {
        auto count = read(chunk);
        if (!count)
            return count.error();
        if (*count == 0)
            break;
        out.write(static_cast<const char*>(static_cast<const void*>(chunk.data())),
                  static_cast<std::streamsize>(*count));
        if (!out)
            return Error{Errc::Io, "The trace could not be unpacked.", folder->path().string(),
                         "Free some space in the temporary folder."};
        if (job != nullptr && job->cancelled())
            return cancelledError();
    }
    out.close();
    auto db = openUri(fileUri(copy, "mode=ro&immutable=1"), copy, job);
    if (db)
        db->m_folder = std::move(*folder);
    return db;
}

Result<SqliteDb> SqliteDb::again(JobControl* job) const {
    return connect(m_uri, m_file, job);
}

Result<SqliteDb> SqliteDb::connect(const std::string& uri, const fs::path& file, JobControl* job) {
    SqliteDb db;
    db.m_uri = uri;
    db.m_file = file;
    sqlite3* raw = nullptr;
    const int opened = sqlite3_open_v2(
        uri.c_str(), &raw,
        SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
            (uri.find("mode=ro") != std::string::npos ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE),
        nullptr);
    db.m_db.reset(raw);
    if (opened != SQLITE_OK)
        return ioError("The database cannot be opened: " + std::string(sqlite3_errstr(opened)) + ".", file);
    sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, kMaxValueBytes);
    // Nothing that a hostile schema names may run; a schema or page count that does not fit the file must not
    // stop us from reading what is there (SQLite refuses shortened files unless the schema is writable).
    sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_db_config(raw, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nullptr);
    if (job != nullptr)
        sqlite3_progress_handler(raw, kProgressSteps, pollJob, job);
    return db;
}

Result<SqliteDb> SqliteDb::openUri(const std::string& uri, const fs::path& file, JobControl* job) {
    auto opened = connect(uri, file, job);
    if (!opened)
        return opened;
    SqliteDb& db = *opened;
    Header header{};
    readHeader(file, header);
    db.m_fileSize = sizeOrZero(file);
    db.m_truncated = promisedSize(header) > db.m_fileSize && sizeOrZero(beside(file, "-wal")) == 0;
    if (const Status schema = db.readSchema(file.filename().string()); !schema)
        return schema.error();
    return opened;
}

Status SqliteDb::readSchema(const std::string& fileName) {
    const auto failed = [&]() -> Error {
        if (wasInterrupted())
            return cancelledError();
        const int code = sqlite3_errcode(m_db.get());
        if ((code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED)
            return {Errc::Io, "Another program is writing this file.", fileName,
                    "Wait until the export has ended."};
        return {m_truncated ? Errc::Truncated : Errc::Malformed,
                "The list of tables cannot be read: " + lastError() + ".", fileName,
                "The file is damaged. Copy it again, or export the report again with nsys export."};
    };
    auto list = prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'");
    if (!list)
        return failed();
    SqliteStatement::Step step{};
    while ((step = list->step()) == SqliteStatement::Step::Row)
        m_tables.push_back({std::string(list->text(0)), {}});
    if (step == SqliteStatement::Step::Failed && m_tables.empty())
        return failed();
    for (SqliteTable& t : m_tables) {
        auto info = prepare("PRAGMA table_info(" + quoteIdentifier(t.name) + ")");
        while (info && info->step() == SqliteStatement::Step::Row)
            t.columns.push_back({std::string(info->text(1)), info->integer(5).value_or(0) != 0,
                                 equalNames(info->text(2), "INTEGER")});
    }
    std::erase_if(m_tables, [](const SqliteTable& t) { return t.columns.empty(); });
    return ok();
}

Result<SqliteStatement> SqliteDb::prepare(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(m_db.get(), sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr) !=
        SQLITE_OK)
        return Error{Errc::Malformed, lastError(), {}, {}};
    return SqliteStatement(statement);
}

const SqliteTable* SqliteDb::table(std::string_view name) const {
    const auto at = std::find_if(m_tables.begin(), m_tables.end(),
                                 [&](const SqliteTable& t) { return equalNames(t.name, name); });
    return at == m_tables.end() ? nullptr : &*at;
}

std::optional<fs::path> SqliteDb::plainFile() const {
    return m_truncated || m_uri.find("mode=ro") == std::string::npos ? std::nullopt : std::optional(m_file);
}

std::string SqliteDb::lastError() const {
    return sqlite3_errmsg(m_db.get());
}

bool SqliteDb::wasInterrupted() const {
    return (sqlite3_errcode(m_db.get()) & 0xff) == SQLITE_INTERRUPT;
}

std::string quoteIdentifier(std::string_view name) {
    std::string quoted = "\"";
    for (const char c : name) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted += '"';
}

} // namespace lacuna
