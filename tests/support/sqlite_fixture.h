#pragma once
// Small SQLite files for tests, made from SQL text in a folder of their own that goes with the object.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::test {

class SqliteFixture {
public:
    explicit SqliteFixture(std::string_view sql, std::string_view fileName = "trace.sqlite");
    // A private copy of a file, to be changed.
    static SqliteFixture copyOf(const std::filesystem::path& file);
    SqliteFixture(SqliteFixture&& other) noexcept;
    SqliteFixture& operator=(SqliteFixture&&) = delete;
    ~SqliteFixture();

    const std::filesystem::path& file() const { return m_file; }
    // Runs statements; fails the program with SQLite's message when they are wrong.
    void run(std::string_view sql);
    // First column of the first row.
    std::int64_t number(std::string_view sql) const { return numberIn(m_file, sql); }
    // Names of the files in the folder, sorted.
    std::vector<std::string> folder() const;
    // The file plus a write-ahead log that holds what `sql` changed, as a program that was killed leaves
    // them.
    void runIntoLog(std::string_view sql);
    // The file in the middle of a transaction that changes what `sql` says, plus the journal that undoes it.
    void runIntoJournal(std::string_view sql);

    // Reads a file that must not be touched.
    static std::int64_t numberIn(const std::filesystem::path& file, std::string_view sql);
    // First column of all rows, as text.
    static std::vector<std::string> columnIn(const std::filesystem::path& file, std::string_view sql);

private:
    SqliteFixture() = default;
    std::filesystem::path m_folder, m_file;
};

// CREATE TABLE statements of a complete, empty Nsight Systems export (columns of schema 3.20) with a session
// start at 1,700,000,000 s and the writer "2025.3.2.0".
std::string_view nsysSchema();
// globalTid of a thread of the only machine.
std::int64_t globalTid(std::int64_t process, std::int64_t thread);

} // namespace lacuna::test
