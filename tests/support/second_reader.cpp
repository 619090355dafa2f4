#include "tests/support/second_reader.h"

#include "core/import/load_trace.h"

#include <nlohmann/json.hpp>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <map>

namespace lacuna::test {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxBytes = std::size_t{40}
                                  << 20; // unpacked; larger files take too long in a debug build

// Unpacked text; empty when it is no gzip data or too large.
std::string unpacked(const fs::path& file) {
    std::string text;
    const gzFile in = gzopen(file.c_str(), "rb");
    std::array<char, 1 << 16> buffer;
    for (int n = 0; (n = gzread(in, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0;) {
        text.append(buffer.data(), static_cast<std::size_t>(n));
        if (text.size() > kMaxBytes) {
            text.clear();
            break;
        }
    }
    gzclose(in);
    return text;
}

struct Element { // of the event array; numbers and strings as text
    std::map<std::string, std::string> members;
    bool has(const char* key) const { return members.contains(key); }
    std::string text(const char* key) const { return has(key) ? members.at(key) : std::string(); }
};

// Collects the members of the elements that are plain values; nested ones (args) are passed over.
class Reader : public nlohmann::json_sax<nlohmann::json> {
public:
    std::vector<Element> elements;
    bool foundArray = false;

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t value) override { return put(std::to_string(value)); }
    bool number_unsigned(number_unsigned_t value) override { return put(std::to_string(value)); }
    bool number_float(number_float_t, const string_t& text) override { return put(text); }
    bool string(string_t& text) override { return put(text); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override {
        ++m_depth;
        if (m_inArray && m_depth == m_elementDepth) {
            elements.emplace_back();
            m_isObject = true;
        }
        return true;
    }
    bool end_object() override {
        --m_depth;
        return true;
    }
    bool start_array(std::size_t) override {
        ++m_depth;
        if (m_inArray && m_depth == m_elementDepth) // an element that is no object
            m_isObject = false;
        if (!foundArray && ((m_depth == 2 && m_key == "traceEvents") || m_depth == 1)) {
            foundArray = m_inArray = true;
            m_elementDepth = m_depth + 1;
        }
        return true;
    }
    bool end_array() override {
        if (m_inArray && m_depth == m_elementDepth - 1)
            m_inArray = false;
        --m_depth;
        return true;
    }
    bool key(string_t& text) override {
        m_key = text;
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
        return false;
    }

private:
    bool put(const std::string& text) {
        if (m_inArray && m_isObject && m_depth == m_elementDepth)
            elements.back().members[m_key] = text;
        return true;
    }
    int m_depth = 0, m_elementDepth = 0;
    bool m_inArray = false, m_isObject = false;
    std::string m_key;
};

std::optional<EventKind> kindOf(const std::string& category) {
    static const std::map<std::string, EventKind> kinds{{"cpu_op", EventKind::CpuOp},
                                                        {"cuda_runtime", EventKind::RuntimeApi},
                                                        {"cuda_driver", EventKind::DriverApi},
                                                        {"kernel", EventKind::Kernel},
                                                        {"Kernel", EventKind::Kernel},
                                                        {"gpu_memcpy", EventKind::Memcpy},
                                                        {"gpu_memset", EventKind::Memset},
                                                        {"user_annotation", EventKind::Range},
                                                        {"gpu_user_annotation", EventKind::GpuRange},
                                                        {"cuda_sync", EventKind::Sync},
                                                        {"python_function", EventKind::Python}};
    const auto at = kinds.find(category);
    return at == kinds.end() ? std::nullopt : std::optional(at->second);
}

struct Row {
    std::int64_t begin = 0, duration = 0;
    std::string name, category;
};

// The X rows with times, in file order; none when a number is written in a way this reader does not know.
std::optional<std::vector<Row>> completeRows(const std::vector<Element>& elements) {
    std::vector<Row> rows;
    for (const Element& element : elements) {
        if (element.text("ph") != "X" || !element.has("ts") || !element.has("dur"))
            continue;
        const auto begin = nsOfMicroseconds(element.text("ts")),
                   duration = nsOfMicroseconds(element.text("dur"));
        if (!begin || !duration)
            return std::nullopt;
        if (*duration >= 0)
            rows.push_back({*begin, *duration, element.text("name"), element.text("cat")});
    }
    return rows;
}

bool onlyCompleteRows(const std::vector<Element>& elements) {
    return std::none_of(elements.begin(), elements.end(), [](const Element& element) {
        const std::string ph = element.text("ph");
        return ph == "B" || ph == "E";
    });
}

// Our rows with a duration in file order, against theirs.
QString compareRows(const Trace& trace, const std::vector<Row>& rows) {
    const EventTable& events = trace.events();
    std::vector<EventId> ours;
    for (EventId e{0}; e.v < events.size(); ++e.v)
        if (events.kind[e.v] != EventKind::Instant && events.kind[e.v] != EventKind::Async)
            ours.push_back(e);
    std::sort(ours.begin(), ours.end(),
              [&](EventId a, EventId b) { return events.source[a.v] < events.source[b.v]; });
    if (ours.size() != rows.size())
        return QStringLiteral("%1 rows instead of %2").arg(ours.size()).arg(rows.size());
    std::int64_t zero = INT64_MAX;
    for (const Row& row : rows)
        zero = std::min(zero, row.begin);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const EventId e = ours[k];
        const auto kind = kindOf(rows[k].category);
        const bool same = events.beginNs[e.v] == rows[k].begin - zero &&
                          events.duration(e).v == rows[k].duration && trace.nameOf(e) == rows[k].name &&
                          (!kind || events.kind[e.v] == *kind);
        if (!same)
            return QStringLiteral("row %1 (%2) differs").arg(k).arg(QString::fromStdString(rows[k].name));
    }
    return {};
}

} // namespace

std::optional<std::int64_t> nsOfMicroseconds(const std::string& text) {
    const bool negative = text.starts_with('-');
    const std::string digits = negative ? text.substr(1) : text;
    const std::size_t point = digits.find('.');
    const std::string whole = digits.substr(0, point);
    std::string fraction = point == std::string::npos ? "" : digits.substr(point + 1);
    if (digits.empty() || digits.find_first_not_of("0123456789.") != std::string::npos || whole.size() > 16)
        return std::nullopt;
    fraction.resize(std::max<std::size_t>(fraction.size(), 3), '0');
    std::int64_t ns = std::stoll(whole) * 1000 + std::stoll(fraction.substr(0, 3));
    const std::string rest = fraction.substr(3);
    if (!rest.empty() && rest[0] >= '5') {
        const bool exactlyHalf = rest[0] == '5' && rest.find_first_not_of('0', 1) == std::string::npos;
        ns += exactlyHalf ? ns % 2 : 1;
    }
    return negative ? -ns : ns;
}

QString compareWithSecondReader(const fs::path& file, bool& compared) {
    compared = false;
    const std::string text = unpacked(file);
    Reader reader;
    if (text.empty() || !nlohmann::json::sax_parse(text, &reader) || !reader.foundArray)
        return {};
    const auto rows = completeRows(reader.elements);
    if (!rows || rows->empty())
        return {};
    JobControl job;
    const auto loaded = loadTrace(file, builtinImporters(), job);
    if (!loaded)
        return QStringLiteral("does not open: ") + QString::fromStdString(loaded.error().detail);
    compared = true;
    const Trace& trace = *loaded->trace;
    if (trace.report().rowsRead() != reader.elements.size())
        return QStringLiteral("%1 elements instead of %2")
            .arg(trace.report().rowsRead())
            .arg(reader.elements.size());
    return onlyCompleteRows(reader.elements) ? compareRows(trace, *rows) : QString();
}

} // namespace lacuna::test
