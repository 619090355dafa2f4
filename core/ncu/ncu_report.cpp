#include "core/ncu/ncu_report.h"

#include "core/ncu/report_results.h"
#include "core/ncu/wire_reader.h"

#include <string>

namespace lacuna {

namespace {

using ncu::WireField;
using ncu::WireReader;
using ncu::WireType;

constexpr std::string_view kReportMagic("NVR\0", 4);

class ReportReader {
public:
    ReportReader(ByteSource& source, NcuFile& file, JobControl& job)
        : m_in(source, job), m_file(file), m_results(m_in, file) {}
    Status read();

private:
    struct Block {
        std::uint64_t sources = 0, results = 0, rangeResults = 0, payload = 0;
    };
    bool readHead();
    bool readBlock();
    bool readBlockHeader(std::uint64_t end, Block& block);
    bool skipItems(std::uint64_t count, std::uint64_t end);
    bool readItemSize(std::uint64_t end, std::uint64_t& itemEnd);
    void note(std::string_view code, std::string_view message, Severity severity = Severity::Info) {
        m_file.report.note(code, message, {m_in.position(), {}, 0}, severity);
    }
    void noteDamage();

    WireReader m_in;
    NcuFile& m_file;
    ncu::ReportResults m_results;
};

bool ReportReader::readHead() {
    std::string magic;
    std::uint32_t size = 0;
    return m_in.readText(kReportMagic.size(), magic, kReportMagic.size()) && magic == kReportMagic &&
           m_in.readU32(size) && m_in.skip(size);
}

bool ReportReader::readBlockHeader(std::uint64_t end, Block& block) {
    for (WireField field; m_in.nextField(end, field);) {
        if (field.number == 4 && field.type == WireType::Bytes) {
            if (!m_results.readStrings(m_in.position() + field.value))
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
        return false; // a length that its container does not hold
    if (!m_in.readU32(size))
        return false;
    if (size > end - m_in.position())
        return false; // a length that its container does not hold
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
        return false; // a length that its container does not hold
    const std::uint64_t end = m_in.position() + block.payload;
    if (!skipItems(block.sources, end))
        return false;
    for (std::uint64_t i = 0; i < block.results; ++i) {
        std::uint64_t itemEnd = 0;
        if (!readItemSize(end, itemEnd) || !m_results.readResult(itemEnd))
            return false;
    }
    if (block.rangeResults > 0)
        note("range_results", "Results of ranges of several kernels are not read.", Severity::Warning);
    return m_in.skip(end - m_in.position());
}

void ReportReader::noteDamage() {
    m_file.report.setPartial();
    if (m_results.isFull())
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
