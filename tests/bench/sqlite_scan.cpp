// The limit for opening an Nsight Systems export: one thread steps over the tables and reads the columns that
// the importer reads, and does nothing with them. usage: sqlite_scan FILE

#include <sqlite3.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

struct Table {
    const char* name;
    const char* columns;
};

// As in core/import/nsys/.
constexpr std::array kTables{
    Table{"CUPTI_ACTIVITY_KIND_RUNTIME", "rowid, start, end, eventClass, globalTid, correlationId, nameId"},
    Table{"CUPTI_ACTIVITY_KIND_KERNEL", "rowid, start, end, deviceId, contextId, streamId, correlationId, "
                                        "globalPid, demangledName, shortName, graphNodeId, graphId"},
    Table{"CUPTI_ACTIVITY_KIND_MEMCPY", "rowid, start, end, deviceId, contextId, streamId, correlationId, "
                                        "globalPid, bytes, copyKind, srcKind, dstKind, graphNodeId"},
    Table{"CUPTI_ACTIVITY_KIND_MEMSET", "rowid, start, end, deviceId, contextId, streamId, correlationId, "
                                        "globalPid, bytes, memKind, graphNodeId"},
    Table{"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "rowid, start, end, deviceId, contextId, streamId, "
                                                 "correlationId, globalPid, eventId, eventSyncId"},
    Table{"NVTX_EVENTS", "rowid, start, end, eventType, globalTid, text, textId, domainId, category"},
    Table{"OSRT_API", "rowid, start, end, eventClass, globalTid, nameId"},
};

bool hasColumn(sqlite3* db, const char* table, const std::string& column) {
    return sqlite3_table_column_metadata(db, nullptr, table, column.c_str(), nullptr, nullptr, nullptr,
                                         nullptr, nullptr) == SQLITE_OK;
}

// "SELECT a, NULL, c FROM table": what the table lacks reads as NULL, as in the importer.
std::string queryOf(sqlite3* db, const Table& table) {
    std::string sql = "SELECT ", list = std::string(table.columns) + ", ";
    for (std::size_t at = 0, end = 0; (end = list.find(", ", at)) != std::string::npos; at = end + 2) {
        const std::string column = list.substr(at, end - at);
        sql += (at == 0 ? "" : ", ") + (hasColumn(db, table.name, column) ? "\"" + column + "\"" : "NULL");
    }
    return sql + " FROM " + table.name;
}

} // namespace

int main(int argc, char** argv) {
    sqlite3* db = nullptr;
    if (argc != 2 ||
        sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr) != SQLITE_OK) {
        std::fprintf(stderr, "usage: sqlite_scan FILE\n");
        return 2;
    }
    std::uint64_t rows = 0, sum = 0;
    for (const Table& table : kTables) {
        sqlite3_stmt* statement = nullptr;
        if (sqlite3_prepare_v2(db, queryOf(db, table).c_str(), -1, &statement, nullptr) != SQLITE_OK)
            continue; // a table may be missing
        const int columns = sqlite3_column_count(statement);
        int text = -1;
        for (int c = 0; c < columns; ++c)
            if (std::strcmp(sqlite3_column_name(statement, c), "text") == 0)
                text = c;
        while (sqlite3_step(statement) == SQLITE_ROW) {
            ++rows;
            for (int c = 0; c < columns; ++c) {
                if (c == text) {
                    sqlite3_column_text(statement, c);
                    sum += static_cast<std::uint64_t>(sqlite3_column_bytes(statement, c));
                } else {
                    sum += static_cast<std::uint64_t>(sqlite3_column_int64(statement, c));
                }
            }
        }
        sqlite3_finalize(statement);
    }
    sqlite3_close(db);
    std::printf("%llu rows, checksum %llu\n", static_cast<unsigned long long>(rows),
                static_cast<unsigned long long>(sum));
    return 0;
}
