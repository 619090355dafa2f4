#include "tests/fuzz/check_ncu.h"

#include "core/ncu/kernel_diagnosis.h"
#include "core/ncu/roofline.h"
#include "tests/fuzz/check_model.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace lacuna::fuzz {

namespace {

void requireKernel(const NcuFile& file, const NcuKernel& kernel) {
    StringId last;
    for (const NcuMetric& metric : kernel.metrics) {
        require(metric.name.v < file.strings.size(), "a metric has a name");
        require(!last || last < metric.name, "metrics are sorted and each is there once");
        require(file.find(kernel, file.text(metric.name)) == &metric, "a metric is found by its name");
        last = metric.name;
    }
    require(kernel.name.v < file.strings.size(), "a kernel has a name");
    const KernelDiagnosis of = diagnose(file, kernel);
    require(!of.verdict.empty(), "a diagnosis says something");
    require(of.bound.has_value() == (of.numbers.smPct && of.numbers.dramPct), "a bound needs two figures");
    require(!of.bound || !of.action.empty(), "a bound comes with an action");
    for (std::size_t i = 1; i < of.stalls.reasons.size(); ++i)
        require(of.stalls.reasons[i - 1].value >= of.stalls.reasons[i].value, "stalls are sorted");
}

void requireSame(const NcuFile& a, const NcuFile& b) {
    require(a.kernels.size() == b.kernels.size(), "pieces change the kernels");
    for (std::size_t k = 0; k < a.kernels.size(); ++k) {
        const auto &left = a.kernels[k].metrics, &right = b.kernels[k].metrics;
        require(left.size() == right.size(), "pieces change the metrics");
        require(a.nameOf(a.kernels[k]) == b.nameOf(b.kernels[k]), "pieces change a name");
        for (std::size_t m = 0; m < left.size(); ++m)
            require(a.text(left[m].name) == b.text(right[m].name) && left[m].text == right[m].text &&
                        std::bit_cast<std::uint64_t>(left[m].value) ==
                            std::bit_cast<std::uint64_t>(right[m].value),
                    "pieces change a value");
    }
    require(a.report.isPartial() == b.report.isPartial(), "pieces change what is missing");
}

} // namespace

void requireNcu(const std::string& bytes, std::size_t chunk) {
    JobControl job;
    const auto file = readNcuFromMemory(bytes, "k.ncu-rep", job, chunk);
    if (!file) {
        require(!file.error().detail.empty() && !file.error().place.empty(),
                "an error has a reason and a place");
        return;
    }
    for (const NcuKernel& kernel : (*file)->kernels)
        requireKernel(**file, kernel);
    for (const Issue& issue : (*file)->report.issues())
        require(!issue.code.empty() && !issue.message.empty() && issue.count > 0, "a note says something");
    for (const RooflinePoint& point : rooflineOf(**file).points)
        require(point.flopPerSecond > 0 && point.peakFlopPerSecond > 0 && point.headroom() > 0,
                "a point lies in the plot");
    (void)missingNumbers(**file);
    if (chunk == 0)
        return;
    const auto whole = readNcuFromMemory(bytes, "k.ncu-rep", job);
    require(bool(whole), "the size of the pieces does not matter");
    requireSame(**file, **whole);
}

} // namespace lacuna::fuzz
