#include "core/ncu/roofline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lacuna {

namespace {

struct RoofWork {
    std::string precision;
    double perSecond = 0, peak = 0; // operations
};

struct RoofTraffic {
    RoofLevel level = RoofLevel::Dram;
    double perSecond = 0, peak = 0; // bytes
};

constexpr std::array<std::string_view, 3> kSmClock{"sm__cycles_elapsed.avg.per_second",
                                                   "smsp__cycles_elapsed.avg.per_second",
                                                   "gpc__cycles_elapsed.avg.per_second"};

class RoofKernel {
public:
    RoofKernel(const NcuFile& file, const NcuKernel& kernel) : m_file(file), m_kernel(kernel) {}

    std::vector<RoofWork> work() const {
        std::vector<RoofWork> all;
        addVector(all, "FP64", 'd', 1);
        addVector(all, "FP32", 'f', 1);
        addVector(all, "FP16", 'h', 2);
        addTensor(all);
        return all;
    }

    std::vector<RoofTraffic> traffic() const {
        std::vector<RoofTraffic> all;
        add(all, RoofLevel::Dram, dramPerSecond(), value("dram__bytes.sum.peak_sustained"),
            value("dram__cycles_elapsed.avg.per_second"));
        add(all, RoofLevel::L2, value("derived__lts__lts2xbar_bytes.sum.per_second"),
            value("derived__lts__lts2xbar_bytes.sum.peak_sustained"),
            value("lts__cycles_elapsed.avg.per_second"));
        add(all, RoofLevel::L1, value("derived__l1tex__lsu_writeback_bytes_mem_lgds.sum.per_second"),
            value("derived__l1tex__lsu_writeback_bytes_mem_lgds.sum.peak_sustained"),
            value("l1tex__cycles_elapsed.avg.per_second"));
        return all;
    }

private:
    std::optional<double> value(std::string_view name) const { return m_file.value(m_kernel, name); }

    // Operations per second of one kind of instruction: by cycle and clock, else by count and duration.
    std::optional<double> rate(const std::string& stem) const {
        if (const auto perCycle = value(stem + ".sum.per_cycle_elapsed"))
            if (const auto clock = m_file.firstValue(m_kernel, kSmClock))
                return *perCycle * *clock;
        if (const auto count = value(stem + ".sum"))
            if (const auto ns = value("gpu__time_duration.sum"); ns && *ns > 0)
                return *count * 1e9 / *ns;
        return std::nullopt;
    }

    void addVector(std::vector<RoofWork>& all, std::string_view precision, char letter, double lanes) const {
        const std::string stem = std::string("smsp__sass_thread_inst_executed_op_") + letter;
        const auto add = rate(stem + "add_pred_on"), mul = rate(stem + "mul_pred_on"),
                   fma = rate(stem + "fma_pred_on");
        const auto peak = value(std::string("sm__sass_thread_inst_executed_op_") + letter +
                                "fma_pred_on.sum.peak_sustained");
        const auto clock = m_file.firstValue(m_kernel, kSmClock);
        if ((!add && !mul && !fma) || !peak || !clock)
            return;
        all.push_back({std::string(precision),
                       lanes * (add.value_or(0) + mul.value_or(0) + 2 * fma.value_or(0)),
                       lanes * 2 * *peak * *clock});
    }

    // sm__ops_path_tensor_src_X…: one metric for each type of operands.
    void addTensor(std::vector<RoofWork>& all) const {
        constexpr std::string_view kBefore = "sm__ops_path_tensor_src_", kAfter = ".sum.per_cycle_elapsed";
        for (const NcuMetric& metric : m_kernel.metrics) {
            const std::string_view name = m_file.text(metric.name);
            if (!name.starts_with(kBefore) || !name.ends_with(kAfter) || metric.text || !(metric.value > 0))
                continue;
            const std::string stem(name.substr(0, name.size() - kAfter.size()));
            const auto perSecond = rate(stem), peak = value(stem + ".sum.peak_sustained"),
                       clock = m_file.firstValue(m_kernel, kSmClock);
            if (perSecond && peak && clock)
                all.push_back({"tensor " + stem.substr(kBefore.size()), *perSecond, *peak * *clock});
        }
    }

    std::optional<double> dramPerSecond() const {
        if (const auto all = value("dram__bytes.sum.per_second"))
            return all;
        const auto read = value("dram__bytes_read.sum"), written = value("dram__bytes_write.sum"),
                   ns = value("gpu__time_duration.sum");
        return read && written && ns && *ns > 0 ? std::optional((*read + *written) * 1e9 / *ns)
                                                : std::nullopt;
    }

    static void add(std::vector<RoofTraffic>& all, RoofLevel level, std::optional<double> perSecond,
                    std::optional<double> perCycle, std::optional<double> clock) {
        if (perSecond && perCycle && clock && *perSecond > 0 && *perCycle > 0 && *clock > 0)
            all.push_back({level, *perSecond, *perCycle * *clock});
    }

    const NcuFile& m_file;
    const NcuKernel& m_kernel;
};

// Figures of a hostile file may pass what a double holds.
bool liesInThePlot(const RooflinePoint& point) {
    const double headroom = point.headroom();
    return std::isnormal(point.flopPerByte) && std::isnormal(point.flopPerSecond) &&
           std::isnormal(point.peakFlopPerSecond) && std::isnormal(point.peakBytesPerSecond) &&
           std::isnormal(headroom) && headroom > 0;
}

std::size_t precisionRank(std::string_view precision) {
    constexpr std::array<std::string_view, 3> kOrder{"FP64", "FP32", "FP16"};
    return static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end(), precision) - kOrder.begin());
}

} // namespace

std::string_view roofLevelName(RoofLevel level) {
    switch (level) {
    case RoofLevel::Dram:
        return "DRAM";
    case RoofLevel::L2:
        return "L2";
    case RoofLevel::L1:
        return "L1";
    }
    return "DRAM";
}

double RooflinePoint::attainable() const {
    return std::min(peakFlopPerSecond, flopPerByte * peakBytesPerSecond);
}

Roofline rooflineOf(const NcuFile& file) {
    Roofline roofline;
    for (std::size_t k = 0; k < file.kernels.size(); ++k) {
        const RoofKernel kernel(file, file.kernels[k]);
        const auto works = kernel.work();
        const auto traffics = kernel.traffic();
        if (works.empty() || traffics.empty()) {
            roofline.withoutMetrics.push_back(k);
            continue;
        }
        bool hasWork = false;
        for (const RoofWork& work : works) {
            if (!(work.perSecond > 0) || !(work.peak > 0))
                continue;
            hasWork = true;
            for (const RoofTraffic& traffic : traffics) {
                RooflinePoint point{k,
                                    work.precision,
                                    traffic.level,
                                    work.perSecond / traffic.perSecond,
                                    work.perSecond,
                                    work.peak,
                                    traffic.peak};
                if (liesInThePlot(point))
                    roofline.points.push_back(std::move(point));
            }
        }
        if (!hasWork)
            roofline.withoutWork.push_back(k);
    }
    for (const RooflinePoint& point : roofline.points)
        if (std::find(roofline.precisions.begin(), roofline.precisions.end(), point.precision) ==
            roofline.precisions.end())
            roofline.precisions.push_back(point.precision);
    std::sort(roofline.precisions.begin(), roofline.precisions.end(),
              [](const std::string& a, const std::string& b) {
                  return std::pair(precisionRank(a), a) < std::pair(precisionRank(b), b);
              });
    return roofline;
}

std::vector<RooflinePoint> byHeadroom(const Roofline& roofline, std::string_view precision, RoofLevel level) {
    std::vector<RooflinePoint> points;
    for (const RooflinePoint& point : roofline.points)
        if (point.precision == precision && point.level == level)
            points.push_back(point);
    std::stable_sort(points.begin(), points.end(), [](const RooflinePoint& a, const RooflinePoint& b) {
        return a.headroom() > b.headroom();
    });
    return points;
}

std::string mainPrecision(const Roofline& roofline) {
    std::string best;
    std::size_t most = 0;
    for (const std::string& precision : roofline.precisions) {
        std::size_t kernels = 0;
        std::size_t last = SIZE_MAX;
        for (const RooflinePoint& point : roofline.points)
            if (point.precision == precision && point.kernel != last) {
                ++kernels;
                last = point.kernel;
            }
        if (kernels > most) {
            best = precision;
            most = kernels;
        }
    }
    return best;
}

} // namespace lacuna
