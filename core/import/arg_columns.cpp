#include "core/import/arg_columns.h"

#include "core/base/ascii.h"
#include "core/base/column.h"
#include "core/import/table_columns.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lacuna {

namespace {

// Rows of a table that are nearer to one another than this are read in one go.
constexpr std::int64_t kNearRows = 64;

struct KinetoArg {
    std::string_view column, name;
    int element = -1;      // of an array
    unsigned decimals = 0; // that the column keeps of the number
};

constexpr std::array kKinetoArgs = {
    KinetoArg{"gridX", "args.grid", 0},
    KinetoArg{"gridY", "args.grid", 1},
    KinetoArg{"gridZ", "args.grid", 2},
    KinetoArg{"blockX", "args.block", 0},
    KinetoArg{"blockY", "args.block", 1},
    KinetoArg{"blockZ", "args.block", 2},
    KinetoArg{"registersPerThread", "args.registers per thread", -1},
    // The sum of both kinds is all that Kineto tells.
    KinetoArg{"dynamicSharedMemory", "args.shared memory", -1},
    KinetoArg{"sharedMemory", "args.shared memory", -1},
    KinetoArg{"estimatedOccupancy", "args.est. achieved occupancy %", -1, 4},
    KinetoArg{"contextId", "args.context", -1},
};

const KinetoArg* kinetoArg(std::string_view column) {
    const auto* at = std::find_if(kKinetoArgs.begin(), kKinetoArgs.end(),
                                  [column](const KinetoArg& arg) { return arg.column == column; });
    return at == kKinetoArgs.end() ? nullptr : at;
}

// The number at the start of a text, or the element of an array of them; cut to so many decimals.
std::optional<std::int64_t> numberIn(std::string_view text, int element, unsigned decimals) {
    for (; element >= 0 && !text.empty(); --element) {
        const std::size_t at = text.find_first_of("[,");
        if (at == std::string_view::npos)
            return std::nullopt;
        text.remove_prefix(at + 1);
    }
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    std::int64_t number = 0;
    const char* const last = text.data() + text.size();
    auto [end, error] = std::from_chars(text.data(), last, number);
    if (error != std::errc())
        return std::nullopt;
    const bool isNegative = text.front() == '-';
    const bool hasFraction = decimals != 0 && end != last && *end == '.';
    end += hasFraction ? 1 : 0;
    for (; decimals != 0; --decimals) {
        const int digit = hasFraction && end != last && isDigit(*end) ? *end++ - '0' : 0;
        if (__builtin_mul_overflow(number, std::int64_t{10}, &number) ||
            __builtin_add_overflow(number, isNegative ? -digit : digit, &number))
            return std::nullopt;
    }
    return number;
}

} // namespace

class ArgReader {
public:
    ArgReader(const Trace& trace, DetailReader* details, std::span<const EventId> events,
              std::span<const std::string_view> columns, JobControl& job)
        : m_trace(trace), m_details(details), m_events(events), m_names(columns), m_job(job) {
        for (std::size_t c = 0; c < columns.size(); ++c)
            m_result.m_columns.emplace_back(events.size());
    }

    Result<ArgColumns> run() {
        if (m_details == nullptr || m_events.empty())
            return std::move(m_result);
        RowPoll poll(m_job);
        const auto& source = m_trace.events().source;
        m_rows.reserve(m_events.size());
        for (std::size_t i = 0; i < m_events.size(); ++i) {
            m_rows.push_back({SourceRef{source[m_events[i].v]}, static_cast<std::uint32_t>(i)});
            if (!poll.tick())
                return cancelledError();
        }
        if (!sortRows(m_rows, poll,
                      [](const Wanted& a, const Wanted& b) { return a.source.bits < b.source.bits; }))
            return cancelledError();
        Status done = ok();
        auto* tables = dynamic_cast<TableColumns*>(m_details);
        if (tables == nullptr || tables->tableName(m_rows.front().source.table()).empty())
            done = readOneByOne();
        else
            done = readTables(*tables);
        if (!done)
            return done.error();
        return std::move(m_result);
    }

private:
    struct Wanted {
        SourceRef source;
        std::uint32_t place = 0;
    };

    Status readTables(TableColumns& tables) {
        for (std::size_t first = 0, last = 0; first < m_rows.size(); first = last) {
            const std::uint32_t table = m_rows[first].source.table();
            while (last < m_rows.size() && m_rows[last].source.table() == table)
                ++last;
            if (Status done = readTable(tables, tables.tableName(table), first, last); !done)
                return done;
        }
        return ok();
    }

    Status readTable(TableColumns& tables, const std::string& name, std::size_t first, std::size_t last) {
        std::vector<TableColumns::RowSpan> spans;
        RowPoll poll(m_job);
        for (std::size_t i = first; i < last; ++i) {
            if (!poll.tick())
                return cancelledError();
            const std::int64_t row = m_rows[i].source.rowid();
            if (!spans.empty() && row - spans.back().last < kNearRows)
                spans.back().last = row;
            else
                spans.push_back({row, row});
        }
        std::size_t next = first;
        const auto visit = [&](std::int64_t row, std::span<const std::int64_t> values) {
            while (next < last && m_rows[next].source.rowid() < row)
                ++next;
            for (; next < last && m_rows[next].source.rowid() == row; ++next)
                for (std::size_t c = 0; c < values.size(); ++c)
                    m_result.m_columns[c].set(m_rows[next].place, values[c]);
        };
        return tables.scan(name, m_names, spans, visit, m_job);
    }

    Status readOneByOne() {
        if (std::none_of(m_names.begin(), m_names.end(), kinetoArg))
            return ok(); // the format has none of them
        for (const Wanted& row : m_rows) {
            if (m_job.cancelled())
                return cancelledError();
            const auto details = m_details->read(row.source);
            if (!details)
                return details.error();
            for (std::size_t c = 0; c < m_names.size(); ++c)
                if (const auto number = argOf(*details, m_names[c]))
                    m_result.m_columns[c].set(row.place, *number);
        }
        return ok();
    }

    const Trace& m_trace;
    DetailReader* m_details;
    std::span<const EventId> m_events;
    std::span<const std::string_view> m_names;
    JobControl& m_job;
    Column<Wanted> m_rows; // by source
    ArgColumns m_result;
};

Result<ArgColumns> ArgColumns::read(const Trace& trace, DetailReader* details,
                                    std::span<const EventId> events,
                                    std::span<const std::string_view> columns, JobControl& job) {
    return ArgReader(trace, details, events, columns, job).run();
}

std::optional<std::int64_t> argOf(const EventDetails& details, std::string_view column) {
    const KinetoArg* const arg = kinetoArg(column);
    for (const auto& [name, text] : details.fields) {
        if (arg != nullptr && name == arg->name)
            return numberIn(text, arg->element, arg->decimals);
        if (name == column)
            return numberIn(text, -1, 0);
    }
    return std::nullopt;
}

std::string dimensionText(std::int64_t x, std::int64_t y, std::int64_t z) {
    constexpr std::size_t kWidth = 4;
    std::string text;
    for (const std::int64_t value : {x, y, z}) {
        const std::string digits = std::to_string(value);
        if (!text.empty())
            text += ' ';
        text.append(digits.size() < kWidth ? kWidth - digits.size() : 0, ' ').append(digits);
    }
    return text;
}

} // namespace lacuna
