#include "core/ncu/ncu_command.h"

#include "core/trace/kernel_name.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lacuna {

namespace {

constexpr std::string_view kFiveNumbers = "gpu__time_duration.sum,"
                                          "sm__throughput.avg.pct_of_peak_sustained_elapsed,"
                                          "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed,"
                                          "sm__warps_active.avg.pct_of_peak_sustained_active,"
                                          "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,"
                                          "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,"
                                          "group:smsp__pcsamp_warp_stall_reasons";

// Letters, digits and underscores stand for themselves in any regular expression and any shell; whatever
// else is in a name is "any character".
std::string asRegex(std::string_view text) {
    std::string regex;
    for (const char c : text)
        regex += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ? c : '.';
    return regex;
}

bool isGenericFunction(std::string_view function) {
    constexpr std::array<std::string_view, 4> kGeneric{"Kernel", "Kernel2", "device_kernel", "kernel"};
    return std::find(kGeneric.begin(), kGeneric.end(), function) != kGeneric.end();
}

} // namespace

std::string ncuCommand(std::string_view name, NcuCollection collection, std::uint64_t skip) {
    const std::string function = kernelFunction(name), argument = firstTemplateArgument(name);
    std::string text = "ncu ";
    if (collection == NcuCollection::Full)
        text += "--set full ";
    else if (collection == NcuCollection::Roofline)
        text += "--set roofline ";
    else
        text.append("--csv --page raw --metrics ").append(kFiveNumbers).append(" ");
    if (isGenericFunction(function) && !argument.empty())
        text.append("--kernel-name-base demangled -k regex:\"").append(asRegex(argument)).append("\" ");
    else
        text.append("-k regex:\"^").append(asRegex(function)).append("$\" ");
    if (skip > 0)
        text.append("-s ").append(std::to_string(skip)).append(" ");
    text.append("-c ").append(std::to_string(kNcuLaunches));
    if (collection != NcuCollection::FiveNumbers)
        text += " -o kernel";
    return text + " PROGRAM";
}

} // namespace lacuna
