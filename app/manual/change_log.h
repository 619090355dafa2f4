#pragma once
// packaging/CHANGELOG.md in the forms that packages want: a Debian changelog and the releases of the
// metainfo.

#include <string>
#include <string_view>
#include <vector>

namespace lacuna::ui {

struct ReleaseNotes {
    std::string version, date; // date: 2026-11-30
    bool released = true;
    std::vector<std::string> items; // one paragraph each, without markup
};

// Headings are "## Unreleased" (gets the given version and date) and "## 1.2.0 (2027-01-31)"; items start
// with
// "- " and go on in indented lines. Everything else is left out. Latest first, as in the text.
std::vector<ReleaseNotes> readChangeLog(std::string_view markdown, const std::string& version,
                                        const std::string& date);

// Lines of at most 80 characters; `maintainer` is "Name <address>".
std::string debianChangeLog(const std::vector<ReleaseNotes>& releases, const std::string& maintainer);
// The element <releases>.
std::string metainfoReleases(const std::vector<ReleaseNotes>& releases);

} // namespace lacuna::ui
