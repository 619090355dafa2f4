#include "widgets/terms.h"

#include <QCoreApplication>

#include <string>

namespace lacuna::ui {

namespace {

constexpr const char* kTerms[] = {
    // classes of gaps
    QT_TRANSLATE_NOOP("Core", "sync"),
    QT_TRANSLATE_NOOP("Core", "launch"),
    QT_TRANSLATE_NOOP("Core", "host work"),
    QT_TRANSLATE_NOOP("Core", "copy"),
    QT_TRANSLATE_NOOP("Core", "data"),
    QT_TRANSLATE_NOOP("Core", "allocation"),
    QT_TRANSLATE_NOOP("Core", "dependency"),
    QT_TRANSLATE_NOOP("Core", "start-up"),
    QT_TRANSLATE_NOOP("Core", "edge"),
    QT_TRANSLATE_NOOP("Core", "unknown"),
    // pieces of a gap
    QT_TRANSLATE_NOOP("Core", "return of the wait"),
    QT_TRANSLATE_NOOP("Core", "return of the copy"),
    QT_TRANSLATE_NOOP("Core", "module loading"),
    QT_TRANSLATE_NOOP("Core", "other launch"),
    QT_TRANSLATE_NOOP("Core", "CUDA call"),
    QT_TRANSLATE_NOOP("Core", "operator"),
    QT_TRANSLATE_NOOP("Core", "data loading"),
    QT_TRANSLATE_NOOP("Core", "OS wait"),
    QT_TRANSLATE_NOOP("Core", "Python"),
    QT_TRANSLATE_NOOP("Core", "profiler overhead"),
    QT_TRANSLATE_NOOP("Core", "nothing recorded"),
    QT_TRANSLATE_NOOP("Core", "launch call"),
    QT_TRANSLATE_NOOP("Core", "launch latency"),
    // kinds of events, in lists
    QT_TRANSLATE_NOOP("Core", "runtime"),
    QT_TRANSLATE_NOOP("Core", "driver"),
    QT_TRANSLATE_NOOP("Core", "kernel"),
    QT_TRANSLATE_NOOP("Core", "memcpy"),
    QT_TRANSLATE_NOOP("Core", "memset"),
    QT_TRANSLATE_NOOP("Core", "graph"),
    QT_TRANSLATE_NOOP("Core", "range"),
    QT_TRANSLATE_NOOP("Core", "gpu_range"),
    QT_TRANSLATE_NOOP("Core", "python"),
    QT_TRANSLATE_NOOP("Core", "os_runtime"),
    QT_TRANSLATE_NOOP("Core", "overhead"),
    QT_TRANSLATE_NOOP("Core", "async"),
    QT_TRANSLATE_NOOP("Core", "counter"),
    QT_TRANSLATE_NOOP("Core", "instant"),
    QT_TRANSLATE_NOOP("Core", "other"),
    QT_TRANSLATE_NOOP("Core", "metadata"),
    QT_TRANSLATE_NOOP("Core", "flow"),
    // what limits a device
    QT_TRANSLATE_NOOP("Core", "kernel execution"),
    QT_TRANSLATE_NOOP("Core", "data movement"),
    QT_TRANSLATE_NOOP("Core", "idle"),
    // colours, as the legend of a figure calls them
    QT_TRANSLATE_NOOP("Core", "Python, operator"),
    QT_TRANSLATE_NOOP("Core", "CUDA API"),
    QT_TRANSLATE_NOOP("Core", "waiting call"),
    QT_TRANSLATE_NOOP("Core", "compute kernel"),
    QT_TRANSLATE_NOOP("Core", "communication kernel"),
    QT_TRANSLATE_NOOP("Core", "step, range"),
    QT_TRANSLATE_NOOP("Core", "OS call, overhead"),
    QT_TRANSLATE_NOOP("Core", "note"),
    QT_TRANSLATE_NOOP("Core", "selection"),
    QT_TRANSLATE_NOOP("Core", "GPU idle"),
    // families and origins of kernels, and how sure is what is said of them
    QT_TRANSLATE_NOOP("Core", "gemm"),
    QT_TRANSLATE_NOOP("Core", "attention"),
    QT_TRANSLATE_NOOP("Core", "convolution"),
    QT_TRANSLATE_NOOP("Core", "norm"),
    QT_TRANSLATE_NOOP("Core", "elementwise"),
    QT_TRANSLATE_NOOP("Core", "reduce"),
    QT_TRANSLATE_NOOP("Core", "communication"),
    QT_TRANSLATE_NOOP("Core", "triton"),
    QT_TRANSLATE_NOOP("Core", "cutlass"),
    QT_TRANSLATE_NOOP("Core", "library"),
    QT_TRANSLATE_NOOP("Core", "framework"),
    QT_TRANSLATE_NOOP("Core", "GEMM"),
    QT_TRANSLATE_NOOP("Core", "normalisation"),
    QT_TRANSLATE_NOOP("Core", "softmax"),
    QT_TRANSLATE_NOOP("Core", "counted"),
    QT_TRANSLATE_NOOP("Core", "likely"),
    QT_TRANSLATE_NOOP("Core", "none"),
    QT_TRANSLATE_NOOP("Core", "possible"),
    QT_TRANSLATE_NOOP("Core", "certain"),
    // how stalls were measured, and whether a trace holds something
    QT_TRANSLATE_NOOP("Core", "not in the file"),
    QT_TRANSLATE_NOOP("Core", "cycles per issued instruction"),
    QT_TRANSLATE_NOOP("Core", "percent of warp cycles"),
    QT_TRANSLATE_NOOP("Core", "percent of samples"),
    QT_TRANSLATE_NOOP("Core", "yes"),
    QT_TRANSLATE_NOOP("Core", "no"),
};

} // namespace

QString term(std::string_view english) {
    return english.empty() ? QString() : QCoreApplication::translate("Core", std::string(english).c_str());
}

QString term(const QString& english) {
    return english.isEmpty() ? QString() : QCoreApplication::translate("Core", english.toUtf8().constData());
}

std::span<const char* const> allTerms() {
    return kTerms;
}

} // namespace lacuna::ui
