#include "core/ncu/report_results.h"

#include "core/ncu/ncu_units.h"

#include <bit>

namespace lacuna::ncu {

namespace {
constexpr std::size_t kMaxName = std::size_t{1} << 20;      // of a kernel or metric; longer ones are cut
constexpr std::size_t kMaxTextValue = std::size_t{4} << 10; // of a metric
} // namespace

bool ReportResults::internText(std::uint64_t size, StringId& id, std::size_t most) {
    if (!m_in.readText(size, m_text, most))
        return false;
    id = m_file.strings.intern(m_text);
    if (m_file.strings.bytes() <= kMaxNcuNameBytes)
        return true;
    note("too_many_names", "The file holds more than 64 MiB of names and texts; the rest is not read.",
         Severity::Error);
    m_isFull = true;
    return false;
}

bool ReportResults::readStrings(std::uint64_t end) {
    for (WireField field; m_in.nextField(end, field);) {
        if (field.number != 1 || field.type != WireType::Bytes) {
            if (!m_in.skipBytes(field))
                return false;
            continue;
        }
        StringId id;
        if (!internText(field.value, id, kMaxName))
            return false;
        m_names.push_back(id);
    }
    return m_in.stop() == WireReader::Stop::None;
}

bool ReportResults::readDim(std::uint64_t end, Dim3& dim) {
    for (WireField field; m_in.nextField(end, field);) {
        if (!m_in.skipBytes(field))
            return false;
        const auto side = static_cast<std::uint32_t>(field.value);
        if (field.type != WireType::Varint || field.value > UINT32_MAX)
            continue;
        dim.x = field.number == 1 ? side : dim.x;
        dim.y = field.number == 2 ? side : dim.y;
        dim.z = field.number == 3 ? side : dim.z;
    }
    return m_in.stop() == WireReader::Stop::None;
}

bool ReportResults::readValue(std::uint64_t end, NcuMetric& metric, bool& hasValue) {
    for (WireField field; m_in.nextField(end, field);) {
        const bool isText = field.number == 1 && field.type == WireType::Bytes;
        if (isText) {
            hasValue = field.value > 0;
            if (!internText(field.value, metric.text, kMaxTextValue))
                return false;
            continue;
        }
        if (!m_in.skipBytes(field))
            return false;
        if (field.number == 2 && field.type == WireType::Fixed32)
            metric.value = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
        else if (field.number == 3 && field.type == WireType::Fixed64)
            metric.value = std::bit_cast<double>(field.value);
        else if ((field.number == 4 || field.number == 5) && field.type == WireType::Varint)
            metric.value = static_cast<double>(field.value);
        else
            continue;
        hasValue = true;
    }
    return m_in.stop() == WireReader::Stop::None;
}

bool ReportResults::addMetric(NcuKernel& kernel, std::uint64_t nameIndex, NcuMetric metric) {
    if (nameIndex >= m_names.size()) {
        note("unnamed_metrics", "Metrics whose name is not in the file are left out.", Severity::Warning);
        return true;
    }
    if (m_metricCount == kMaxNcuMetrics) {
        note("too_many_metrics", "The file holds more than 8 million metrics; the others are not read.",
             Severity::Error);
        m_isFull = true;
        return false;
    }
    metric.name = m_names[nameIndex];
    const std::string_view name = m_file.text(metric.name);
    if (name.starts_with("group:") || name.starts_with("breakdown:"))
        return true;
    const auto [unit, isNew] = m_units.try_emplace(metric.name, StringId{});
    if (isNew)
        if (const std::string_view text = ncuUnitOfName(name); !text.empty())
            unit->second = m_file.strings.intern(text);
    metric.unit = metric.text ? StringId{} : unit->second;
    kernel.metrics.push_back(metric);
    ++m_metricCount;
    return true;
}

bool ReportResults::readMetric(std::uint64_t end, NcuKernel& kernel) {
    NcuMetric metric;
    std::uint64_t nameIndex = 0;
    bool hasValue = false, hasInstances = false;
    for (WireField field; m_in.nextField(end, field);) {
        if (field.number == 1 && field.type == WireType::Varint) {
            nameIndex = field.value;
        } else if (field.number == 2 && field.type == WireType::Bytes) {
            if (!readValue(m_in.position() + field.value, metric, hasValue))
                return false;
        } else {
            hasInstances = hasInstances || field.number == 3;
            if (!m_in.skipBytes(field))
                return false;
        }
    }
    if (m_in.stop() != WireReader::Stop::None)
        return false;
    if (hasInstances)
        note("instances", "Values per instance (instruction, sample) of metrics are not read.");
    return !hasValue || addMetric(kernel, nameIndex, metric);
}

bool ReportResults::readResult(std::uint64_t end) {
    NcuKernel kernel;
    kernel.id = static_cast<std::int64_t>(m_file.kernels.size());
    StringId function, demangled;
    bool isRead = true;
    for (WireField field; isRead && m_in.nextField(end, field);) {
        if (field.type != WireType::Bytes) {
            const auto number = static_cast<std::int64_t>(field.value);
            if (field.type == WireType::Varint && field.number == 1)
                kernel.process = number;
            else if (field.type == WireType::Varint && field.number == 22)
                kernel.context = number;
            else if (field.type == WireType::Varint && field.number == 23)
                kernel.stream = number;
            continue;
        }
        const std::uint64_t fieldEnd = m_in.position() + field.value;
        if (field.number == 5)
            isRead = internText(field.value, kernel.mangledName, kMaxName);
        else if (field.number == 6)
            isRead = internText(field.value, function, kMaxName);
        else if (field.number == 7)
            isRead = internText(field.value, demangled, kMaxName);
        else if (field.number == 10)
            isRead = readDim(fieldEnd, kernel.config.grid);
        else if (field.number == 11)
            isRead = readDim(fieldEnd, kernel.config.block);
        else if (field.number == 13)
            isRead = readMetric(fieldEnd, kernel);
        else
            isRead = m_in.skip(field.value);
    }
    for (const StringId name : {demangled, function, kernel.mangledName})
        if (m_file.text(kernel.name).empty())
            kernel.name = name;
    const bool isNamed = !m_file.text(kernel.name).empty();
    if (!isNamed)
        kernel.name = m_file.strings.intern("(no name)");
    isRead = isRead && m_in.stop() == WireReader::Stop::None;
    // What was read of a result that is cut is of use when it has a name.
    if (isRead || isNamed)
        m_file.kernels.push_back(std::move(kernel));
    return isRead;
}

} // namespace lacuna::ncu
