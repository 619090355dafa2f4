#pragma once
// The sections of a report, one function each, and what they are put together with.

#include "core/analysis/step_caption.h"
#include "core/output/gaps_output.h"
#include "core/output/summary_output.h"
#include "core/writeup/write_up.h"

#include <initializer_list>
#include <string_view>
#include <utility>

namespace lacuna::writeup {

inline constexpr std::size_t kFindings = 5;   // groups that are told in full
inline constexpr std::size_t kTableRows = 12; // of each table

// Names from files: valid, without line ends.
std::string oneLine(std::string_view text);

class Blocks {
public:
    explicit Blocks(std::vector<WriteUpBlock>& into) : m_into(into) {}
    void heading(int level, std::string text);
    void text(std::string text);
    void list(std::vector<std::string> lines); // nothing where there are none
    void fields(const std::vector<std::pair<std::string, std::string>>& rows);
    void figure(GapId gap, std::string text);
    // Columns whose title begins with '>' hold numbers.
    WriteUpBlock& table(std::initializer_list<std::string_view> columns, std::string caption);
    void add(WriteUpBlock block) { m_into.push_back(std::move(block)); }

private:
    std::vector<WriteUpBlock>& m_into;
};

void addSummary(const Summary& summary, const GapsReport& gaps, Blocks& blocks);
Status addFindings(const GapsReport& gaps, Blocks& blocks, JobControl& job);
Status addTables(const WriteUpInput& input, Blocks& blocks, JobControl& job);
void addSetup(const Summary& summary, const StatedSetup& stated, const StepCaption& steps, Blocks& blocks);
void addLimits(const Summary& summary, Blocks& blocks);
void addProvenance(const Summary& summary, const std::string& program, Blocks& blocks);

} // namespace lacuna::writeup
