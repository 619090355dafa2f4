#pragma once
// One line of tests/corpus.tsv: what a file of the corpus holds as far as Lacuna reads it.
// tests/corpus_counts.py makes the first columns a second time without Lacuna.

#include <filesystem>
#include <string>
#include <vector>

namespace lacuna::test {

// Columns, separated by tabs:
//   file     below the folder of traces: "captured/torch/item_sync.pt.trace.json.gz"
//   result   "complete", "part" (exit code 4), or what an unusable file answers: "not_recognised", ... (exit
//            code 3)
//   read, kept, dropped   rows
//   kinds    "kernel=ROWS,DRAWN,CHECKSUM;...": rows kept, rows in the table (samples for counters), and over
//   the
//            rows in the table the sum of the first 8 bytes of SHA-256 of "start TAB end TAB name", in hex
//   lanes    the same sum over all rows, with TAB and the lane behind each name
//   notes    "code=COUNT;...": of the import report and of the checks, by code
std::string corpusLine(const std::string& name, const std::filesystem::path& file);

// Every file of the corpus that is here, by name: shared folders, then fixtures where those are missing.
struct CorpusFile {
    std::string name;
    std::filesystem::path path;
};
std::vector<CorpusFile> corpusFiles();

} // namespace lacuna::test
