#pragma once
// Results of a .ncu-rep: one profiled launch with its metrics each, and the table of strings that they are
// named by (the layout stands in ncu_report.h).

#include "core/ncu/ncu_file.h"
#include "core/ncu/wire_reader.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::ncu {

// All of these answer false where the stream stops, or where a limit on hostile files is met (isFull).
class ReportResults {
public:
    ReportResults(WireReader& in, NcuFile& file) : m_in(in), m_file(file) {}

    // A message of texts that ends at a position, put behind those that are there.
    bool readStrings(std::uint64_t end);
    // A result that ends at a position, put behind the file's kernels; one that is cut too, if it has a name.
    bool readResult(std::uint64_t end);
    bool isFull() const { return m_isFull; } // and a note says of what

private:
    bool readDim(std::uint64_t end, Dim3& dim);
    bool readMetric(std::uint64_t end, NcuKernel& kernel);
    bool readValue(std::uint64_t end, NcuMetric& metric, bool& hasValue);
    bool addMetric(NcuKernel& kernel, std::uint64_t nameIndex, NcuMetric metric);
    bool internText(std::uint64_t size, StringId& id, std::size_t most);
    void note(std::string_view code, std::string_view message, Severity severity = Severity::Info) {
        m_file.report.note(code, message, {m_in.position(), {}, 0}, severity);
    }

    WireReader& m_in;
    NcuFile& m_file;
    std::vector<StringId> m_names;        // the string table
    std::map<StringId, StringId> m_units; // of metric names
    std::size_t m_metricCount = 0;
    std::string m_text;
    bool m_isFull = false;
};

} // namespace lacuna::ncu
