// One HTML file: style and pictures inside, nothing loaded from anywhere.

#include "core/writeup/write_up.h"

#include <string>

namespace lacuna {

namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ground: #ffffff; --text: #1b1f24; --quiet: #57606a; --line: #c9ced5; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #16191d; --text: #e6e9ed; --quiet: #a3acb8; --line: #3d444d; }
  img { background: #ffffff; }
}
body { background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; max-width: 1100px;
       margin: 2em auto; padding: 0 1.5em; }
h1 { font-size: 24px; } h2 { font-size: 19px; margin-top: 2em; border-top: 1px solid var(--line); padding-top: 0.8em; }
h3 { font-size: 16px; margin-top: 1.8em; }
figure { margin: 1em 0; } img { max-width: 100%; border: 1px solid var(--line); }
figcaption, caption { color: var(--quiet); font-size: 13px; text-align: left; padding: 4px 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; margin: 0.8em 0; }
th, td { text-align: left; padding: 3px 12px 3px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.name { overflow-wrap: anywhere; min-width: 16em; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 1.2em; margin: 0.8em 0; }
dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
)";

std::string escapedHtml(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

void tableHtml(const WriteUpBlock& block, TextSink& sink) {
    std::string out =
        "<div class=\"scroll\"><table>\n<caption>" + escapedHtml(block.text) + "</caption>\n<tr>";
    const auto classOf = [&block](std::size_t column) {
        return block.isNumber[column] ? std::string(R"( class="number")") : std::string();
    };
    for (std::size_t c = 0; c < block.columns.size(); ++c)
        out += "<th" + classOf(c) + ">" + escapedHtml(block.columns[c]) + "</th>";
    out += "</tr>\n";
    for (const auto& row : block.rows) {
        out += "<tr>";
        for (std::size_t c = 0; c < row.size(); ++c)
            out += "<td" + (block.isNumber[c] ? classOf(c) : std::string(R"( class="name")")) + ">" +
                   escapedHtml(row[c]) + "</td>";
        out += "</tr>\n";
    }
    sink.write(out + "</table></div>\n");
}

void blockHtml(const WriteUpBlock& block, TextSink& sink) {
    switch (block.kind) {
    case WriteUpBlock::Kind::Heading: {
        const std::string tag = "h" + std::to_string(block.level);
        sink.write("<" + tag + ">" + escapedHtml(block.text) + "</" + tag + ">\n");
        break;
    }
    case WriteUpBlock::Kind::Text:
        sink.write("<p>" + escapedHtml(block.text) + "</p>\n");
        break;
    case WriteUpBlock::Kind::List:
        sink.write("<ul>\n");
        for (const auto& row : block.rows)
            sink.write("<li>" + escapedHtml(row.front()) + "</li>\n");
        sink.write("</ul>\n");
        break;
    case WriteUpBlock::Kind::Fields:
        sink.write("<dl>\n");
        for (const auto& row : block.rows)
            sink.write("<dt>" + escapedHtml(row[0]) + "</dt><dd>" + escapedHtml(row[1]) + "</dd>\n");
        sink.write("</dl>\n");
        break;
    case WriteUpBlock::Kind::Table:
        tableHtml(block, sink);
        break;
    case WriteUpBlock::Kind::Figure:
        if (!block.image.empty())
            sink.write("<figure><img alt=\"" + escapedHtml(block.text) + "\" src=\"data:" + block.imageType +
                       ";base64," + base64(block.image) + "\"><figcaption>" + escapedHtml(block.text) +
                       "</figcaption></figure>\n");
        break;
    }
}

} // namespace

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            out +=
                i + k <= bytes.size() ? kDigits[group >> (18U - 6U * static_cast<unsigned>(k)) & 63U] : '=';
    }
    return out;
}

void writeUpHtml(const WriteUp& document, TextSink& sink) {
    sink.write("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
               escapedHtml(document.title) + "</title>\n<style>" + std::string(kStyle) +
               "</style>\n</head>\n<body>\n");
    for (const WriteUpBlock& block : document.blocks)
        blockHtml(block, sink);
    sink.write("</body>\n</html>\n");
}

} // namespace lacuna
