#pragma once
// Findings in tests: all of a trace, one by its code, and its sentences.

#include "core/findings/builtin.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::test {

struct FoundAll {
    std::unique_ptr<FindingContext> context;
    std::vector<Finding> findings;

    const Finding& operator[](std::string_view code) const {
        const auto at = std::find_if(findings.begin(), findings.end(),
                                     [code](const Finding& finding) { return finding.code == code; });
        if (at == findings.end())
            throw std::runtime_error("no finding " + std::string(code));
        return *at;
    }
    std::string state(std::string_view code) const { return std::string(stateName((*this)[code].state)); }
};

// The trace must outlive the result. `changes`: "KEY=VALUE".
inline FoundAll findAllIn(const Trace& trace, const std::vector<std::string>& changes = {},
                          DetailReader* details = nullptr) {
    AnalysisSettings settings;
    for (const std::string& change : changes)
        if (const Status changed = changeSetting(settings, change); !changed)
            throw std::runtime_error(changed.error().detail);
    std::vector<DeviceId> devices;
    for (std::uint32_t d = 0; d < trace.devices().size(); ++d)
        devices.push_back({d});
    JobControl job;
    FoundAll result;
    auto context = makeFindingContext(trace, details, settings, devices, nullptr, job);
    if (!context)
        throw std::runtime_error(context.error().detail);
    result.context = *std::move(context);
    auto found = findAll(*result.context, job);
    if (!found)
        throw std::runtime_error(found.error().detail);
    result.findings = *std::move(found);
    return result;
}

// Sentences of the supports (or others), each in a line.
inline std::string textOf(const std::vector<Evidence>& evidence) {
    std::string text;
    for (const Evidence& one : evidence)
        text += one.text + "\n";
    return text;
}

} // namespace lacuna::test
