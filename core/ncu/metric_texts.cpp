#include "core/ncu/metric_texts.h"

#include "core/ncu/ncu_units.h"

#include <map>
#include <utility>

namespace lacuna::ncu {

bool MetricTexts::add(std::size_t kernel, StringId name, std::string_view unit, std::string_view text) {
    if (m_count == kMaxNcuMetrics)
        return false;
    ++m_count;
    m_style.observe(text);
    m_metrics[kernel].push_back(
        {name, unit.empty() ? StringId{} : m_file.strings.intern(unit), m_texts.intern(text)});
    return true;
}

void MetricTexts::parse() {
    const DecimalMark mark = m_style.mark();
    std::map<StringId, std::pair<double, StringId>> units; // as printed -> factor, base
    for (std::size_t k = 0; k < m_file.kernels.size(); ++k) {
        auto& metrics = m_file.kernels[k].metrics;
        metrics.reserve(m_metrics[k].size());
        for (const Metric& raw : m_metrics[k]) {
            const auto [unit, isNew] = units.try_emplace(raw.unit, 1.0, StringId{});
            if (isNew && raw.unit) {
                const NcuUnit base = ncuBaseUnit(m_file.text(raw.unit));
                unit->second = {base.factor, m_file.strings.intern(base.base)};
            }
            const std::string_view text = m_texts.view(raw.text);
            const auto number = parseNcuNumber(text, mark);
            metrics.push_back({raw.name, unit->second.second,
                               number ? StringId{} : m_file.strings.intern(text),
                               number ? *number * unit->second.first : 0.0});
        }
        m_metrics[k] = {};
    }
    ImportReport& report = m_file.report;
    if (mark == DecimalMark::Comma)
        report.note("decimal_comma", "Numbers are written with a decimal comma and read so.", {});
    if (m_style.isMixed())
        report.note("mixed_numbers",
                    "Some numbers have a decimal point and some a decimal comma; the more frequent is taken.",
                    {}, Severity::Warning);
    if (m_style.ambiguous() > 0)
        report.note("ambiguous_numbers",
                    "Numbers such as 1,234 may be read either way and the file does not tell; the comma is "
                    "taken to set thousands apart.",
                    {}, Severity::Warning, m_style.ambiguous());
}

} // namespace lacuna::ncu
