#pragma once
// What the fuzz targets run on one input. They abort on a broken promise; the corpus test replays them in a
// plain build.

#include <cstddef>
#include <span>

namespace lacuna::fuzz {

void fuzzJson(std::span<const std::byte> data);      // a trace in JSON, plain or packed, in any pieces
void fuzzSqlite(std::span<const std::byte> data);    // a database, or SQL that fills one
void fuzzInflate(std::span<const std::byte> data);   // compressed bytes, read forward and at places
void fuzzCache(std::span<const std::byte> data);     // edits of a valid cache file
void fuzzNcuCsv(std::span<const std::byte> data);    // a page of ncu --csv, in any pieces
void fuzzNcuReport(std::span<const std::byte> data); // a .ncu-rep report, in any pieces

} // namespace lacuna::fuzz
