#include "app/manual/change_log.h"

#include <array>
#include <chrono>
#include <cstdio>

namespace lacuna::ui {

namespace {

constexpr std::size_t kDebianColumns = 80;

// Of Markdown, items use `code` only.
void appendPlain(std::string& to, std::string_view text) {
    for (const char c : text)
        if (c != '`')
            to += c;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else
            out += c;
    }
    return out;
}

// "  * Text that is wrapped" with an indent of four below.
std::string wrapped(std::string_view text) {
    std::string out, line = "  *";
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (line.size() + 1 + end > kDebianColumns) {
            out.append(line).append("\n");
            line = "   ";
        }
        line.append(" ").append(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out + line + "\n";
}

// "Mon, 30 Nov 2026 00:00:00 +0000", whatever the language of the user
std::string mailDate(const std::string& date) {
    static constexpr std::array<const char*, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    int year = 0;
    unsigned month = 1, day = 1;
    if (std::sscanf(date.c_str(), "%d-%u-%u", &year, &month, &day) != 3 || month < 1 || month > 12)
        return date;
    const std::chrono::year_month_day ymd{std::chrono::year(year), std::chrono::month(month),
                                          std::chrono::day(day)};
    const unsigned weekday = std::chrono::weekday(std::chrono::sys_days(ymd)).c_encoding();
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%s, %02u %s %04d 00:00:00 +0000", kDays[weekday % 7], day,
                  kMonths[month - 1], year);
    return text.data();
}

ReleaseNotes heading(std::string_view text, const std::string& version, const std::string& date) {
    const std::size_t open = text.find(" ("), close = text.find(')');
    if (open == std::string_view::npos || close == std::string_view::npos)
        return {version, date, false, {}};
    return {
        std::string(text.substr(0, open)), std::string(text.substr(open + 2, close - open - 2)), true, {}};
}

} // namespace

std::vector<ReleaseNotes> readChangeLog(std::string_view markdown, const std::string& version,
                                        const std::string& date) {
    std::vector<ReleaseNotes> releases;
    while (!markdown.empty()) {
        const std::size_t end = std::min(markdown.find('\n'), markdown.size());
        const std::string_view line = markdown.substr(0, end);
        markdown.remove_prefix(std::min(end + 1, markdown.size()));
        if (line.substr(0, 3) == "## ") {
            releases.push_back(heading(line.substr(3), version, date));
        } else if (releases.empty()) {
            continue;
        } else if (line.substr(0, 2) == "- ") {
            appendPlain(releases.back().items.emplace_back(), line.substr(2));
        } else if (line.substr(0, 2) == "  " && !releases.back().items.empty()) {
            std::string& item = releases.back().items.back();
            item += ' ';
            appendPlain(item, line.substr(line.find_first_not_of(' ')));
        }
    }
    return releases;
}

std::string debianChangeLog(const std::vector<ReleaseNotes>& releases, const std::string& maintainer) {
    std::string text;
    for (const ReleaseNotes& release : releases) {
        text.append(text.empty() ? "" : "\n").append("lacuna (").append(release.version);
        text.append(") unstable; urgency=medium\n\n");
        for (const std::string& item : release.items)
            text += wrapped(item);
        text.append("\n -- ").append(maintainer).append("  ").append(mailDate(release.date)).append("\n");
    }
    return text;
}

std::string metainfoReleases(const std::vector<ReleaseNotes>& releases) {
    std::string text = "<releases>\n";
    for (const ReleaseNotes& release : releases) {
        text.append("    <release version=\"").append(release.version).append("\" date=\"");
        text.append(release.date).append("\" type=\"").append(release.released ? "stable" : "development");
        text.append("\">\n      <description>\n        <ul>\n");
        for (const std::string& item : release.items)
            text.append("          <li>").append(escaped(item)).append("</li>\n");
        text.append("        </ul>\n      </description>\n    </release>\n");
    }
    return text + "  </releases>";
}

} // namespace lacuna::ui
