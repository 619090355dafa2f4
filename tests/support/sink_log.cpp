#include "tests/support/sink_log.h"

#include "core/import/byte_source.h"

#include <algorithm>
#include <string_view>

namespace lacuna::test {

namespace {

class Hash {
public:
    Hash& operator<<(std::string_view text) {
        for (const char c : text)
            m_value = (m_value ^ static_cast<unsigned char>(c)) * kPrime;
        return *this << std::uint64_t{text.size()};
    }
    Hash& operator<<(std::uint64_t number) {
        m_value = (m_value ^ number) * kPrime;
        m_value ^= m_value >> 29;
        return *this;
    }
    Hash& operator<<(const json::Value& value) {
        return *this << value.text << static_cast<std::uint64_t>(value.type)
                     << std::uint64_t{value.isPlain ? 1u : 0u};
    }
    std::uint64_t value() const { return m_value; }

private:
    static constexpr std::uint64_t kPrime = 1099511628211ull;
    std::uint64_t m_value = 14695981039346656037ull;
};

class Recorder final : public json::EventSink {
public:
    explicit Recorder(SinkLog& log) : m_log(log) {}
    void event(const json::Event& e) override {
        Hash hash;
        hash << "event" << e.offset << std::uint64_t{e.isEmpty ? 1u : 0u}
             << std::uint64_t{e.isSalvaged ? 1u : 0u};
        for (const json::Value* field :
             {&e.ph, &e.name, &e.cat, &e.ts, &e.dur, &e.pid, &e.tid, &e.id, &e.id2, &e.scope, &e.s, &e.args})
            hash << *field;
        m_log.calls.push_back(hash.value());
    }
    void rootValue(std::string_view key, const json::Value& value) override {
        m_log.calls.push_back((Hash() << "root" << key << value).value());
    }
    void trouble(json::Trouble what, std::uint64_t offset) override {
        m_log.calls.push_back((Hash() << "trouble" << static_cast<std::uint64_t>(what) << offset).value());
    }

private:
    SinkLog& m_log;
};

} // namespace

SinkLog readIntoLog(const std::string& stored, unsigned threads, json::PieceSizes sizes, std::size_t chunk) {
    SinkLog log;
    Recorder recorder(log);
    JobControl job;
    const auto source = openMemory(stored, chunk);
    json::EventReader reader(*source, recorder, job, {}, threads, sizes);
    const auto result = reader.run();
    log.end = result ? "json " + std::to_string(result->isJson) + ", array " +
                           std::to_string(result->hasEventArray) + ", elements " +
                           std::to_string(result->elements)
                     : result.error().detail;
    log.end += ", events " + std::to_string(job.events()) + ", damage '" + source->damage() + "'";
    if (job.maxBytesBetweenPolls() > (1u << 20) || job.maxEventsBetweenPolls() > 4096)
        log.end += ", polled too seldom";
    return log;
}

std::string difference(const SinkLog& got, const SinkLog& expected) {
    if (got == expected)
        return {};
    const auto [a, b] =
        std::mismatch(got.calls.begin(), got.calls.end(), expected.calls.begin(), expected.calls.end());
    return "call " + std::to_string(a - got.calls.begin()) + " of " + std::to_string(got.calls.size()) +
           " (expected " + std::to_string(expected.calls.size()) + "); end: " + got.end + " (expected " +
           expected.end + ")";
}

} // namespace lacuna::test
