#include "core/report/arranged_rows.h"

#include "core/base/ascii.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

namespace lacuna {

namespace {

constexpr std::size_t kSortedBlock = 32'768; // rows that are sorted or merged between two polls, about

std::string lowered(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), lower);
    return out;
}

// Which rows have all the words.
class WordFilter {
public:
    WordFilter(const ReportTable& table, std::string_view filter) : m_table(table) {
        for (std::size_t at = 0; at < filter.size();) {
            const std::size_t begin = filter.find_first_not_of(' ', at);
            if (begin == std::string_view::npos)
                break;
            at = std::min(filter.find(' ', begin), filter.size());
            m_words.push_back({lowered(filter.substr(begin, at - begin)), {}});
        }
    }

    bool isEmpty() const { return m_words.empty(); }
    bool passes(std::size_t row) {
        return std::all_of(m_words.begin(), m_words.end(), [&](Word& word) { return has(row, word); });
    }

private:
    enum class Answer : std::uint8_t { NotAsked, No, Yes };
    struct Word {
        std::string text;
        std::vector<Answer> byText; // texts are shared by many rows: each is searched once
    };

    bool has(std::size_t row, Word& word) {
        for (std::size_t c = 0; c < m_table.columns().size(); ++c) {
            if (m_table.isEmpty(row, c))
                continue;
            if (m_table.columns()[c].type == ReportColumn::Type::Text ? textHas(row, c, word)
                                                                      : numberHas(row, c, word))
                return true;
        }
        return false;
    }

    bool textHas(std::size_t row, std::size_t column, Word& word) {
        const auto id = static_cast<std::size_t>(m_table.number(row, column));
        if (id >= word.byText.size())
            word.byText.resize(id + 1, Answer::NotAsked);
        Answer& answer = word.byText[id];
        if (answer == Answer::NotAsked)
            answer = lowered(m_table.text(row, column)).find(word.text) == std::string::npos ? Answer::No
                                                                                             : Answer::Yes;
        return answer == Answer::Yes;
    }

    bool numberHas(std::size_t row, std::size_t column, const Word& word) {
        if (!isDigit(word.text.front()))
            return false;
        m_number.clear();
        m_table.appendCell(m_number, row, column);
        return m_number.find(word.text) != std::string::npos;
    }

    const ReportTable& m_table;
    std::vector<Word> m_words;
    std::string m_number;
};

struct KeyedRow {
    std::int64_t key;
    std::uint32_t row;
};

// Stable, in blocks that grow, with a poll between them. False: cancelled.
template <class T, class Before>
bool sortInBlocks(std::vector<T>& rows, const Before& before, const JobControl& job) {
    const auto at = [&](std::size_t place) {
        return rows.begin() + static_cast<std::ptrdiff_t>(std::min(place, rows.size()));
    };
    for (std::size_t from = 0; from < rows.size(); from += kSortedBlock) {
        if (job.cancelled())
            return false;
        std::stable_sort(at(from), at(from + kSortedBlock), before);
    }
    for (std::size_t width = kSortedBlock; width < rows.size(); width *= 2)
        for (std::size_t from = 0; from + width < rows.size(); from += 2 * width) {
            if (job.cancelled())
                return false;
            std::inplace_merge(at(from), at(from + width), at(from + 2 * width), before);
        }
    return true;
}

// Texts by their place in the alphabet, so that all keys are numbers. False: cancelled.
bool rankTexts(const ReportTable& table, std::size_t column, std::vector<KeyedRow>& rows,
               const JobControl& job) {
    RowPoll poll(job);
    std::vector<std::pair<std::string_view, std::int64_t>> texts; // text, id
    std::vector<std::int64_t> rankOf;
    for (const KeyedRow& row : rows) {
        if (!poll.tick())
            return false;
        if (row.key == ReportTable::kEmpty)
            continue;
        const auto id = static_cast<std::size_t>(row.key);
        if (id >= rankOf.size())
            rankOf.resize(id + 1, -1);
        if (rankOf[id] < 0)
            texts.emplace_back(table.text(row.row, column), row.key);
        rankOf[id] = 0;
    }
    if (!sortInBlocks(texts, std::less<>{}, job))
        return false;
    for (std::size_t rank = 0; rank < texts.size(); ++rank)
        rankOf[static_cast<std::size_t>(texts[rank].second)] = static_cast<std::int64_t>(rank);
    for (KeyedRow& row : rows)
        if (row.key != ReportTable::kEmpty)
            row.key = rankOf[static_cast<std::size_t>(row.key)];
    return true;
}

} // namespace

std::optional<std::vector<std::uint32_t>> arrangeRows(const ReportTable& table, const RowArrangement& wanted,
                                                      JobControl& job) {
    RowPoll poll(job);
    WordFilter filter(table, wanted.filter);
    std::vector<std::uint32_t> order;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (!poll.tick())
            return std::nullopt;
        if (filter.isEmpty() || filter.passes(row))
            order.push_back(static_cast<std::uint32_t>(row));
    }
    if (!wanted.column)
        return order;
    std::vector<KeyedRow> rows;
    rows.reserve(order.size());
    for (const std::uint32_t row : order) {
        const bool isEmpty = table.isEmpty(row, *wanted.column);
        rows.push_back({isEmpty ? ReportTable::kEmpty : table.number(row, *wanted.column), row});
    }
    const bool isText = table.columns()[*wanted.column].type == ReportColumn::Type::Text;
    if (isText && !rankTexts(table, *wanted.column, rows, job))
        return std::nullopt;
    const auto before = [isDescending = wanted.isDescending](const KeyedRow& a, const KeyedRow& b) {
        if (a.key == ReportTable::kEmpty || b.key == ReportTable::kEmpty)
            return a.key != b.key && b.key == ReportTable::kEmpty;
        return isDescending ? a.key > b.key : a.key < b.key;
    };
    if (!sortInBlocks(rows, before, job))
        return std::nullopt;
    std::transform(rows.begin(), rows.end(), order.begin(), [](const KeyedRow& row) { return row.row; });
    return order;
}

} // namespace lacuna
