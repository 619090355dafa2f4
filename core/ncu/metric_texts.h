#pragma once
// Metrics of a CSV file while it is read: their numbers stay text, since which mark is the decimal one shows
// only at the end of the file.

#include "core/base/string_pool.h"
#include "core/ncu/ncu_file.h"
#include "core/ncu/ncu_numbers.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace lacuna::ncu {

class MetricTexts {
public:
    explicit MetricTexts(NcuFile& file) : m_file(file) {}

    // For a kernel just put at the end of the file's.
    void addKernel() { m_metrics.emplace_back(); }
    void reserve(std::size_t kernel, std::size_t metrics) { m_metrics[kernel].reserve(metrics); }
    // False: the file holds kMaxNcuMetrics already.
    bool add(std::size_t kernel, StringId name, std::string_view unit, std::string_view text);
    std::size_t bytes() const { return m_texts.bytes(); }
    // Reads the numbers into the file's kernels, in base units, and notes how they were written.
    void parse();

private:
    struct Metric {
        StringId name, unit, text; // of the file's pool; text: of m_texts
    };

    NcuFile& m_file;
    std::vector<std::vector<Metric>> m_metrics; // beside the file's kernels
    StringPool m_texts;
    NumberStyle m_style;
    std::size_t m_count = 0;
};

} // namespace lacuna::ncu
