// lacuna_manual: writes what packages and shells want to know about the program - manual page, completions,
// changelog, metainfo - from the program's own options and the texts in packaging/. Part of the build, not
// installed.

#include "app/manual/change_log.h"
#include "app/manual/command_spec.h"
#include "app/manual/completions.h"
#include "app/manual/man_page.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using namespace lacuna::ui;

namespace {

constexpr std::string_view kReleasesMark = "<releases/>";

struct Call {
    fs::path texts, out;
    std::string id, version, date, maintainer;
};

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

bool write(const fs::path& path, const std::string& text) {
    std::error_code ignored;
    fs::create_directories(path.parent_path(), ignored);
    std::ofstream out(path, std::ios::binary);
    out << text;
    if (!out.flush())
        std::fprintf(stderr, "lacuna_manual: %s could not be written\n", path.c_str());
    return bool(out);
}

bool writePage(const Call& call, const std::vector<CommandSpec>& commands) {
    const auto page = manualPage(read(call.texts / "lacuna.1.scd"), commands);
    if (!page) {
        std::fprintf(stderr, "lacuna_manual: lacuna.1.scd: %s\n", page.error().detail.c_str());
        return false;
    }
    return write(call.out / "lacuna.1.scd", *page);
}

bool writeReleases(const Call& call) {
    const auto releases = readChangeLog(read(call.texts / "CHANGELOG.md"), call.version, call.date);
    const std::string name = call.id + ".metainfo.xml";
    std::string metainfo = read(call.texts / name);
    const std::size_t mark = metainfo.find(kReleasesMark);
    if (releases.empty() || mark == std::string::npos) {
        std::fprintf(stderr, "lacuna_manual: CHANGELOG.md has no release, or %s no %s\n", name.c_str(),
                     kReleasesMark.data());
        return false;
    }
    metainfo.replace(mark, kReleasesMark.size(), metainfoReleases(releases));
    return write(call.out / name, metainfo) &&
           write(call.out / "changelog", debianChangeLog(releases, call.maintainer));
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 7) {
        std::fprintf(stderr, "usage: lacuna_manual TEXTS OUT ID VERSION DATE MAINTAINER\n");
        return 2;
    }
    const Call call{argv[1], argv[2], argv[3], argv[4], argv[5], argv[6]};
    const std::vector<CommandSpec> commands = commandSpecs();
    const bool written =
        writePage(call, commands) && write(call.out / "completions/lacuna", bashCompletion(commands)) &&
        write(call.out / "completions/_lacuna", zshCompletion(commands)) &&
        write(call.out / "completions/lacuna.fish", fishCompletion(commands)) && writeReleases(call);
    return written ? 0 : 1;
}
