#pragma once
// What a caller may ask of a load beside the file.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace lacuna {

class ReadingStop;
class RowChoice;
class Trace;

struct LoadOptions {
    // What is there so far, at sizes that double, so that all snapshots together cost a constant share of the
    // load. Called on a thread of the load; the calls do not overlap. A snapshot holds lanes and rows only:
    // no gap may be shown on it, since the rows that would fill it may still come. Empty: none are made.
    std::function<void(std::shared_ptr<const Trace>)> onSnapshot;
    // Folder of the index cache (core/cache); empty: it is neither read nor written.
    std::filesystem::path cacheFolder;
    // Which trace of an archive that holds several; empty: the only one, or an error that lists them.
    std::string member;
    // Program that exports .nsys-rep reports; empty: looked for (PATH, usual install folders).
    std::filesystem::path nsysProgram;
    // Asks for what is read so far; null: nobody will.
    std::shared_ptr<ReadingStop> stop;
    // Takes a part of the rows; null: all. Such a load neither reads nor writes the index cache.
    RowChoice* choice = nullptr;
    // Threads that the load may use; 0: as many as the machine has.
    unsigned threads = 0;
};

} // namespace lacuna
