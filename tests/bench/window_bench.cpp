// The real window over a real file, offscreen: when it is first painted, when the first events are, when the
// document is complete, and the longest stall of its event loop on the way (performance.md, goals 14 and 15).
//
//   window_bench FILE [SECONDS_AFTER]
//
// What the machine itself does meanwhile tells a thread that copies a picture a hundred times a second and
// nothing else: on virtual machines memory that the load touches first can hold up every core for long.
//
// A stall is the time by which a 1 ms timer comes late; those over 20 ms are listed, with the time of the
// machine's clock at which they began (for `perf record -k CLOCK_MONOTONIC` beside it). While it loads, the
// view is zoomed and panned as by a person who does not wait. Times are from the start of main().

#include "app/main_window.h"
#include "app/theme_control.h"
#include "widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

using namespace lacuna::ui;

namespace {

// Of this thread: what a stall takes at least, however busy the machine is.
double threadCpuMs() {
    std::timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// Of the machine's clock that only rises, so that others can tell what happened then.
double nowS() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Longest time between two turns of the event loop, by phase of the load.
class StallMeter : public QObject {
public:
    StallMeter() {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(1);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            const double ms = static_cast<double>(m_since.nsecsElapsed()) / 1e6, cpuMs = threadCpuMs();
            m_since.start();
            m_longest = std::max(m_longest, ms);
            m_longestCpu = std::max(m_longestCpu, cpuMs - m_cpuSince);
            if (ms > 20)
                m_over20.push_back({nowS() - ms / 1e3, ms, cpuMs - m_cpuSince});
            m_cpuSince = cpuMs;
        });
        m_since.start();
        m_timer.start();
    }
    double longestMs() const { return m_longest; }
    double longestCpuMs() const { return m_longestCpu; }
    struct Stall {
        double atS, ms, cpuMs; // of the machine's clock; of this thread's time on a processor
    };
    const std::vector<Stall>& over20Ms() const { return m_over20; }
    void reset() {
        m_longest = m_longestCpu = 0;
        m_over20.clear();
    }

private:
    QTimer m_timer;
    QElapsedTimer m_since;
    double m_longest = 0, m_longestCpu = 0, m_cpuSince = threadCpuMs();
    std::vector<Stall> m_over20;
};

// What the same copy of a picture of 1 MB takes while all else runs.
class CopyReference {
public:
    ~CopyReference() { stop(); }
    void stop() {
        m_stop = true;
        if (m_thread.joinable())
            m_thread.join();
        std::sort(m_cpuMs.begin(), m_cpuMs.end());
    }
    double medianMs() const { return m_cpuMs.empty() ? 0 : m_cpuMs[m_cpuMs.size() / 2]; }
    double longestMs() const { return m_cpuMs.empty() ? 0 : m_cpuMs.back(); }

private:
    void run() {
        std::vector<char> from(std::size_t{1} << 20, 'a'), to(from.size(), 'b');
        while (!m_stop) {
            const double begin = threadCpuMs();
            std::memcpy(to.data(), from.data(), from.size());
            m_cpuMs.push_back(threadCpuMs() - begin);
            std::swap(from, to);
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }
    std::vector<double> m_cpuMs; // of the processor
    std::atomic<bool> m_stop = false;
    std::thread m_thread{[this] { run(); }}; // the last: begins when the rest is there
};

// Reports the first paint of a widget for which a condition holds.
class PaintWatch : public QObject {
public:
    PaintWatch(QWidget& widget, std::function<bool()> when, std::function<void()> painted)
        : m_when(std::move(when)), m_painted(std::move(painted)) {
        widget.installEventFilter(this);
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint && !m_isDone && m_when()) {
            m_isDone = true;
            QTimer::singleShot(0, this, m_painted); // after the paint
        }
        return false;
    }

private:
    std::function<bool()> m_when;
    std::function<void()> m_painted;
    bool m_isDone = false;
};

double peakMib() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (double kib = 0; word == "VmHWM:" && status >> kib)
            return kib / 1024;
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    QElapsedTimer clock;
    clock.start();
    const double began = nowS(); // so that who starts this can tell how long that took
    if (argc < 2) {
        std::fprintf(stderr, "usage: window_bench FILE [SECONDS_AFTER]\n");
        return 2;
    }
    const int after = argc > 2 ? std::atoi(argv[2]) : 2;
    std::printf("main() began at        %8.3f s\n", began);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const QTemporaryDir settings;
    ThemeControl theme;
    MainWindow window(WindowState::inFolder(settings.path()), theme);
    const auto report = [&](const char* what) {
        std::printf("%-22s %8.1f ms\n", what, static_cast<double>(clock.nsecsElapsed()) / 1e6);
        std::fflush(stdout);
    };
    PaintWatch empty(
        window, [] { return true; }, [&] { report("empty window painted"); });
    PaintWatch events(
        *window.timeline().viewport(), [&] { return window.session().shown() != nullptr; },
        [&] { report("first events painted"); });
    window.resize(1920, 1080);
    window.show();
    StallMeter stalls;
    CopyReference copies;
    double emptyMib = 0;
    QTimer restless; // a person who zooms and pans before the load is done
    int step = 0;
    QObject::connect(&restless, &QTimer::timeout, &window, [&] {
        if (!window.session().isPreview())
            return;
        const int phase = step++ % 20;
        if (phase < 8)
            window.view().zoomAt(1.3, 700);
        else if (phase < 12)
            window.view().panBy(60);
        else
            window.view().zoomAt(1 / 1.3, 700);
    });
    restless.start(50);
    QObject::connect(&window.session(), &AnalysisSession::previewChanged, &window, [&] {
        std::printf("preview of %zu events, longest stall so far %.1f ms\n",
                    window.session().shown()->trace().events().size(), stalls.longestMs());
    });
    int result = 0;
    QObject::connect(&window.session(), &AnalysisSession::loadEnded, &window, [&] {
        report("load ended");
        if (window.session().document() == nullptr)
            result = 3;
        QTimer::singleShot(after * 1000, &application, &QCoreApplication::quit);
    });
    QTimer::singleShot(300, &window, [&] {
        emptyMib = peakMib();
        stalls.reset();
        report("open() called");
        window.open(QString::fromLocal8Bit(argv[1]));
    });
    QApplication::exec();
    copies.stop();
    for (const StallMeter::Stall& stall : stalls.over20Ms())
        std::printf("stall at %.4f s: %.1f ms, %.1f of the processor\n", stall.atS, stall.ms, stall.cpuMs);
    std::printf("longest stall          %8.1f ms, %zu over 20 ms\n", stalls.longestMs(),
                stalls.over20Ms().size());
    std::printf("of the processor       %8.1f ms\n", stalls.longestCpuMs());
    std::printf("a copy of 1 MB         %8.2f ms, the longest %.2f (of the processor)\n", copies.medianMs(),
                copies.longestMs());
    std::printf("peak memory            %8.1f MiB above the empty window\n", peakMib() - emptyMib);
    if (const Document* document = window.session().document())
        std::printf("events                 %zu\n", document->trace().events().size());
    return result;
}
