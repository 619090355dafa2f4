#pragma once
// The statistics of the vendor's reports (nsys.md section 7): average, median, sample deviation.

#include "core/base/column.h"
#include "core/base/job_control.h"
#include "core/report/report_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lacuna {

struct Statistics {
    std::int64_t count = 0;
    std::int64_t total = 0; // saturates
    std::int64_t min = 0, max = 0;
    std::int64_t medianTwice = 0; // sum of the two middle values; they are one for odd counts
    double deviation = 0;         // n - 1 below; 0 for one value
};

// Of at least one value; reorders them. O(n).
Statistics statisticsOf(std::span<std::int64_t> values);

// Avg, Med, Min, Max, StdDev of one quantity, "Avg (ns)" ... ; Min and Max are plain numbers for ns.
void addStatisticsColumns(std::vector<ReportColumn>& columns, const std::string& prefix = {});
void addStatistics(ReportTable::Row& row, const Statistics& values);
// The same where there is no value: four empty cells and a deviation of 0, as the vendor has it.
void addNoStatistics(ReportTable::Row& row);

// Values by a dense key, kept in two columns until they are asked for: grouping is a counting sort.
class GroupedValues {
public:
    struct Group {
        std::uint32_t key = 0;
        Statistics values;
    };
    void add(std::uint32_t key, std::int64_t value) {
        m_keys.push_back(key);
        m_values.push_back(value);
    }
    // Groups with at least one value, by key; empties this. O(n + largest key). Of no use when the job was
    // cancelled.
    std::vector<Group> take(const JobControl& job = JobControl());

private:
    Column<std::uint32_t> m_keys;
    Column<std::int64_t> m_values;
};

} // namespace lacuna
