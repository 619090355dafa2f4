#include "core/output/report_output.h"

#include "core/base/text_format.h"
#include "core/output/json_writer.h"
#include "core/output/utf8.h"
#include "core/output/whatif_json.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace lacuna {

namespace {

constexpr std::size_t kReportGap = 2;        // blanks between columns
constexpr std::size_t kShortestText = 12;    // a text column keeps at least this
constexpr std::size_t kReportPiece = 65'536; // bytes handed to the sink at once

void appendReportField(std::string& line, const std::string& text) {
    const std::string valid = validUtf8(text);
    if (valid.find_first_of(",\"\r\n") == std::string::npos) {
        line += valid;
        return;
    }
    line += '"';
    for (const char c : valid) {
        if (c == '"')
            line += '"';
        line += c;
    }
    line += '"';
}

void writeReportCell(const ReportTable& table, std::size_t row, std::size_t column, JsonWriter& json) {
    json.key(table.columns()[column].title);
    if (table.isEmpty(row, column))
        json.null();
    else if (table.columns()[column].type == ReportColumn::Type::Text)
        json.value(table.text(row, column));
    else if (table.columns()[column].type == ReportColumn::Type::Decimal)
        json.value(std::strtod(table.cellText(row, column).c_str(), nullptr));
    else
        json.value(table.number(row, column));
}

std::size_t countOf(const ReportTable& table, const WrittenRows& rows) {
    return rows ? rows->size() : table.rows();
}
std::size_t rowAt(const WrittenRows& rows, std::size_t place) {
    return rows ? (*rows)[place] : place;
}

bool isText(const ReportTable& table, std::size_t column) {
    return table.columns()[column].type == ReportColumn::Type::Text;
}

// Widest first, one character at a time, as long as the line is too wide and a text has room.
void narrowTexts(const ReportTable& table, std::vector<std::size_t>& widths, std::size_t width) {
    std::size_t total = std::accumulate(widths.begin(), widths.end(), (widths.size() - 1) * kReportGap);
    while (total > width) {
        std::size_t victim = widths.size();
        for (std::size_t c = 0; c < widths.size(); ++c)
            if (isText(table, c) && widths[c] > kShortestText &&
                (victim == widths.size() || widths[c] > widths[victim]))
                victim = c;
        if (victim == widths.size())
            break;
        --widths[victim];
        --total;
    }
}

std::vector<std::size_t> reportWidths(const ReportTable& table, const WrittenRows& rows, std::size_t width,
                                      RowPoll& poll) {
    std::vector<std::size_t> widths;
    widths.reserve(table.columns().size());
    for (const ReportColumn& column : table.columns())
        widths.push_back(codePoints(column.title));
    std::string text;
    for (std::size_t i = 0; i < countOf(table, rows) && poll.tick(); ++i)
        for (std::size_t c = 0; c < widths.size(); ++c) {
            text.clear();
            table.appendCell(text, rowAt(rows, i), c);
            widths[c] = std::max(widths[c], codePoints(text));
        }
    narrowTexts(table, widths, width);
    return widths;
}

void appendAligned(std::string& line, const std::string& text, std::size_t width, bool isLeft) {
    const std::size_t used = codePoints(text);
    const std::size_t blanks = used < width ? width - used : 0;
    if (isLeft)
        line.append(text).append(blanks, ' ');
    else
        line.append(blanks, ' ').append(text);
}

} // namespace

void writeReportCsv(const ReportTable& table, TextSink& sink, JobControl& job, WrittenRows rows) {
    std::string text;
    const std::size_t columns = table.columns().size();
    for (std::size_t c = 0; c < columns; ++c) {
        text += c == 0 ? "" : ",";
        appendReportField(text, table.columns()[c].title);
    }
    text += '\n';
    RowPoll poll(job);
    for (std::size_t i = 0; i < countOf(table, rows) && poll.tick(); ++i) {
        const std::size_t row = rowAt(rows, i);
        for (std::size_t c = 0; c < columns; ++c) {
            text += c == 0 ? "" : ",";
            if (isText(table, c))
                appendReportField(text, std::string(table.text(row, c)));
            else
                table.appendCell(text, row, c);
        }
        text += '\n';
        if (text.size() >= kReportPiece) {
            sink.write(text);
            text.clear();
        }
    }
    sink.write(text);
}

void writeReportJson(std::string_view name, const ReportTable& table, TextSink& sink, JobControl& job,
                     WrittenRows rows) {
    std::vector<std::size_t> sorted(table.columns().size()); // keys of an object are in order
    std::iota(sorted.begin(), sorted.end(), std::size_t{0});
    std::sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
        return table.columns()[a].title < table.columns()[b].title;
    });
    JsonWriter json(sink);
    json.beginObject();
    json.key("columns");
    json.beginArray();
    for (const ReportColumn& column : table.columns())
        json.value(column.title);
    json.endArray();
    json.member("report", name);
    json.key("rows");
    json.beginArray();
    RowPoll poll(job);
    for (std::size_t i = 0; i < countOf(table, rows) && poll.tick(); ++i) {
        json.beginObject();
        for (const std::size_t column : sorted)
            writeReportCell(table, rowAt(rows, i), column, json);
        json.endObject();
    }
    json.endArray();
    if (name == "whatif") {
        json.key("whatif");
        json.beginArray();
        for (std::size_t i = 0; i < countOf(table, rows) && poll.tick(); ++i)
            writeWhatIfAnswer(table, rowAt(rows, i), json);
        json.endArray();
    }
    json.endObject();
}

void writeReportTable(const ReportTable& table, TextSink& sink, std::size_t width, JobControl& job,
                      WrittenRows rows) {
    RowPoll poll(job);
    const std::vector<std::size_t> widths = reportWidths(table, rows, width, poll);
    std::string text, line, cell;
    const auto endLine = [&] {
        line.erase(line.find_last_not_of(' ') + 1);
        text.append(line).append("\n");
        line.clear();
        if (text.size() >= kReportPiece) {
            sink.write(text);
            text.clear();
        }
    };
    for (std::size_t c = 0; c < widths.size(); ++c) {
        line.append(c == 0 ? 0 : kReportGap, ' ');
        appendAligned(line, table.columns()[c].title, widths[c], isText(table, c));
    }
    endLine();
    for (std::size_t i = 0; i < countOf(table, rows) && poll.tick(); ++i) {
        const std::size_t row = rowAt(rows, i);
        for (std::size_t c = 0; c < widths.size(); ++c) {
            line.append(c == 0 ? 0 : kReportGap, ' ');
            cell.clear();
            table.appendCell(cell, row, c);
            if (isText(table, c))
                cell = elideMiddle(printable(cell), widths[c]);
            appendAligned(line, cell, widths[c], isText(table, c));
        }
        endLine();
    }
    sink.write(text);
}

} // namespace lacuna
