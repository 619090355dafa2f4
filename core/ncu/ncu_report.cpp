#include "core/ncu/ncu_report.h"

#include "core/ncu/ncu_units.h"
#include "core/ncu/wire_reader.h"

#include <bit>
#include <map>
#include <string>

namespace lacuna {

namespace {

using ncu::WireField;
using ncu::WireReader;
using ncu::WireType;

constexpr std::string_view kReportMagic("NVR\0", 4);
constexpr std::size_t kMaxName = std::size_t{1} << 20;      // of a kernel or metric; longer ones are cut
constexpr std::size_t kMaxTextValue = std::size_t{4} << 10; // of a metric

class ReportReader {
public:
    ReportReader(ByteSource& source, NcuFile& file, JobControl& job) : m_in(source, job), m_file(file) {}
    Status read();

private:
    struct Block {
        std::uint64_t sources = 0, results = 0, rangeResults = 0, payload = 0;
    };
    bool readHead();
    bool readBlock();
    bool readBlockHeader(std::uint64_t end, Block& block);
    bool readStrings(std::uint64_t end);
    bool skipItems(std::uint64_t count, std::uint64_t end);
    bool readItemSize(std::uint64_t end, std::uint64_t& itemEnd);
    bool readResult(std::uint64_t end);
    bool readDim(std::uint64_t end, Dim3& dim);
    bool readMetric(std::uint64_t end, NcuKernel& kernel);
    bool readValue(std::uint64_t end, NcuMetric& metric, bool& hasValue);
    bool addMetric(NcuKernel& kernel, std::uint64_t nameIndex, NcuMetric metric);
    bool internText(std::uint64_t size, StringId& id, std::size_t most);
    bool broken() { // a length that its container does not hold
        m_isBroken = true;
        return false;
    }
    void note(std::string_view code, std::string_view message, Severity severity = Severity::Info) {
        m_file.report.note(code, message, {m_in.position(), {}, 0}, severity);
    }
    void noteDamage();

    WireReader m_in;
    NcuFile& m_file;
    std::vector<StringId> m_names;        // the string table
    std::map<StringId, StringId> m_units; // of metric names
    std::size_t m_metricCount = 0;
    std::string m_text;
    bool m_isBroken = false, m_isFull = false;
};

bool ReportReader::internText(std::uint64_t size, StringId& id, std::size_t most) {
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

bool ReportReader::readHead() {
    std::string magic;
    std::uint32_t size = 0;
    return m_in.readText(kReportMagic.size(), magic, kReportMagic.size()) && magic == kReportMagic &&
           m_in.readU32(size) && m_in.skip(size);
}

bool ReportReader::readStrings(std::uint64_t end) {
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

bool ReportReader::readBlockHeader(std::uint64_t end, Block& block) {
    for (WireField field; m_in.nextField(end, field);) {
        if (field.number == 4 && field.type == WireType::Bytes) {
            if (!readStrings(m_in.position() + field.value))
                return false;
            continue;
        }
        if (field.type == WireType::Varint) {
            block.sources = field.number == 1 ? field.value : block.sources;
            block.results = field.number == 2 ? field.value : block.results;
            block.payload = field.number == 5 ? field.value : block.payload;
            block.rangeResults = field.number == 7 ? field.value : block.rangeResults;
        } else if (!m_in.skipBytes(field)) {
            return false;
        }
    }
    return m_in.stop() == WireReader::Stop::None;
}

bool ReportReader::readItemSize(std::uint64_t end, std::uint64_t& itemEnd) {
    std::uint32_t size = 0;
    if (end - m_in.position() < sizeof size)
        return broken();
    if (!m_in.readU32(size))
        return false;
    if (size > end - m_in.position())
        return broken();
    itemEnd = m_in.position() + size;
    return true;
}

// The count is the file's word: the end of the payload bounds the loop.
bool ReportReader::skipItems(std::uint64_t count, std::uint64_t end) {
    for (std::uint64_t i = 0; i < count; ++i) {
        std::uint64_t itemEnd = 0;
        if (!readItemSize(end, itemEnd) || !m_in.skip(itemEnd - m_in.position()))
            return false;
    }
    return true;
}

bool ReportReader::readBlock() {
    std::uint32_t size = 0;
    Block block;
    if (!m_in.readU32(size) || !readBlockHeader(m_in.position() + size, block))
        return false;
    if (block.payload > UINT64_MAX - m_in.position())
        return broken();
    const std::uint64_t end = m_in.position() + block.payload;
    if (!skipItems(block.sources, end))
        return false;
    for (std::uint64_t i = 0; i < block.results; ++i) {
        std::uint64_t itemEnd = 0;
        if (!readItemSize(end, itemEnd) || !readResult(itemEnd))
            return false;
    }
    if (block.rangeResults > 0)
        note("range_results", "Results of ranges of several kernels are not read.", Severity::Warning);
    return m_in.skip(end - m_in.position());
}

bool ReportReader::readDim(std::uint64_t end, Dim3& dim) {
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

bool ReportReader::readValue(std::uint64_t end, NcuMetric& metric, bool& hasValue) {
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

bool ReportReader::addMetric(NcuKernel& kernel, std::uint64_t nameIndex, NcuMetric metric) {
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

bool ReportReader::readMetric(std::uint64_t end, NcuKernel& kernel) {
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

bool ReportReader::readResult(std::uint64_t end) {
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

void ReportReader::noteDamage() {
    m_file.report.setPartial();
    if (m_isFull)
        return; // said already
    if (m_in.stop() == WireReader::Stop::End)
        note("truncated", "The report ends too early; the results before its end are used.", Severity::Error);
    else
        note("malformed", "The report does not follow its format from here on; the results before are used.",
             Severity::Error);
}

Status ReportReader::read() {
    m_file.format = NcuFormat::Report;
    const auto failed = [this] { return m_in.stop() == WireReader::Stop::Failed; };
    bool isRead = readHead();
    if (!isRead && !failed() && m_in.position() <= kReportMagic.size())
        return Error{Errc::NotRecognised, "The file is no Nsight Compute report.", {}, {}};
    while (isRead && !m_in.isAtEnd())
        isRead = readBlock();
    if (failed())
        return m_in.error();
    if (!isRead)
        noteDamage();
    if (!isRead && m_file.kernels.empty())
        return Error{
            m_in.stop() == WireReader::Stop::End ? Errc::Truncated : Errc::Malformed,
            "The report holds no result that can be read: " +
                std::string(m_in.stop() == WireReader::Stop::End ? "it ends too early."
                                                                 : "it does not follow its format."),
            "byte " + std::to_string(m_in.position()),
            "Copy the file again, or write `ncu --csv --page raw --import FILE` where Nsight Compute is "
            "installed and give that."};
    return ok();
}

} // namespace

bool looksLikeNcuReport(std::string_view head) {
    return head.starts_with(kReportMagic);
}

Status readNcuReport(ByteSource& source, NcuFile& into, JobControl& job) {
    return ReportReader(source, into, job).read();
}

} // namespace lacuna
