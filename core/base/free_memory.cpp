#include "core/base/free_memory.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

namespace lacuna {

namespace {

std::string textOf(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

// The number behind a word at the start of a line; none: no such line, or "max".
std::optional<std::uint64_t> numberBehind(const std::string& text, std::string_view word) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(word)) {
            std::istringstream rest(line.substr(word.size()));
            std::uint64_t number = 0;
            return rest >> number ? std::optional(number) : std::nullopt;
        }
    return std::nullopt;
}

std::uint64_t rest(std::uint64_t limit, std::uint64_t used) {
    return limit - std::min(limit, used);
}

// Of the control groups of version 2, from the process's own up to the root.
std::optional<std::uint64_t> freeOfGroups(const std::filesystem::path& root) {
    constexpr std::string_view kMark = "0::/";
    const std::string groups = textOf(root / "proc/self/cgroup");
    const std::size_t at = groups.find(kMark);
    if (at == std::string::npos)
        return std::nullopt;
    const std::string name = groups.substr(at + kMark.size(), groups.find('\n', at) - at - kMark.size());
    std::optional<std::uint64_t> least;
    const std::filesystem::path top = root / "sys/fs/cgroup";
    for (std::filesystem::path group = top / name;; group = group.parent_path()) {
        if (const auto limit = numberBehind(textOf(group / "memory.max"), "")) {
            const std::uint64_t used = numberBehind(textOf(group / "memory.current"), "").value_or(0);
            // What is only cached of files is given back first.
            const std::uint64_t cached =
                numberBehind(textOf(group / "memory.stat"), "inactive_file ").value_or(0);
            const std::uint64_t left = rest(*limit, rest(used, cached));
            least = std::min(least.value_or(left), left);
        }
        if (group == top || group.native().size() <= top.native().size())
            return least;
    }
}

// Of the address space that the process may still map.
std::optional<std::uint64_t> freeOfProcess(const std::filesystem::path& root) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return std::nullopt;
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return rest(limit.rlim_cur, numberBehind(textOf(root / "proc/self/statm"), "").value_or(0) * page);
}

} // namespace

std::optional<std::uint64_t> freeMemory(const std::filesystem::path& root) {
    constexpr std::uint64_t kKiB = 1024;
    auto least = numberBehind(textOf(root / "proc/meminfo"), "MemAvailable:");
    if (least)
        *least *= kKiB;
    for (const auto& other : {freeOfGroups(root), freeOfProcess(root)})
        if (other)
            least = std::min(least.value_or(*other), *other);
    return least;
}

} // namespace lacuna
