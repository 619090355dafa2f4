// Where the time of a frame goes: the scripted zoom and pan of performance.md section 4 over a file.
//
//   frame_bench FILE [FRAMES] [lanes|window]
//
// lanes: the lanes alone, as `lacuna bench --frames` paints them, told apart into frame and picture; plain,
// with a search's hits, with the worst gap selected. window: the real window, offscreen, from the change of
// the view to the picture; also the pointer over the lanes and a range being dragged. ms a frame: wall, CPU
// of the whole process, jobs in the background included, and CPU of the UI thread; the latter two are what
// counts on a busy machine.

#include "app/main_window.h"
#include "app/theme_control.h"
#include "app/verbs/bench_frames.h"
#include "core/base/crew.h"
#include "core/import/load_trace.h"
#include "core/search/search.h"
#include "core/view/build_frame.h"
#include "widgets/timeline/timeline_renderer.h"
#include "widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QTemporaryDir>
#include <QTest>
#include <QWindow>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

using namespace lacuna;
using namespace lacuna::ui;

namespace {

constexpr int kWidth = 1920, kHeight = 1080;

double quantile(const std::vector<double>& sorted, double q) {
    return sorted[static_cast<std::size_t>(std::ceil(q * static_cast<double>(sorted.size()))) - 1];
}

// Times of one kind of work, one entry a frame.
class Series {
public:
    explicit Series(const char* what) : m_what(what) {}
    template <class Work> void time(const Work& work) {
        const auto wall = std::chrono::steady_clock::now();
        const std::clock_t cpu = std::clock();
        const double thread = threadCpuMs();
        work();
        m_thread.push_back(threadCpuMs() - thread);
        m_cpu.push_back(1'000.0 * static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
        m_wall.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - wall).count());
    }
    ~Series() {
        std::sort(m_wall.begin(), m_wall.end());
        std::sort(m_cpu.begin(), m_cpu.end());
        std::sort(m_thread.begin(), m_thread.end());
        std::printf("%-32s wall med %6.2f p99 %6.2f max %6.2f   cpu med %6.2f p99 %6.2f   of this thread med "
                    "%6.2f p99 %6.2f\n",
                    m_what, quantile(m_wall, 0.5), quantile(m_wall, 0.99), m_wall.back(),
                    quantile(m_cpu, 0.5), quantile(m_cpu, 0.99), quantile(m_thread, 0.5),
                    quantile(m_thread, 0.99));
        std::fflush(stdout);
    }
    Series(const Series&) = delete;
    Series& operator=(const Series&) = delete;

private:
    const char* m_what;
    static double threadCpuMs() {
        std::timespec now{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
    }
    std::vector<double> m_wall, m_cpu, m_thread;
};

SearchHits hitsOf(const std::shared_ptr<const Trace>& trace) {
    JobControl job;
    auto hits = searchNames(trace, *parseQuery("aten", {}), job);
    if (hits && hits->isEmpty())
        hits = searchNames(trace, *parseQuery("kernel", {}), job);
    return hits ? *std::move(hits) : SearchHits();
}

void benchLanes(const std::shared_ptr<const Trace>& trace, const GapAnalysis& gaps, std::size_t frames) {
    const RowLayout layout = RowLayout::build(*trace, {});
    const TimelineRenderer renderer(ThemePalette::of(Theme::Light), FigureFonts::load());
    const std::vector<Viewport> script = benchScript(trace->window(), kWidth, frames);
    FrameOptions options;
    options.heightPx = kHeight;
    options.gaps = &gaps;
    Crew crew;
    options.crew = &crew;
    Frame frame;
    const SearchHits hits = hitsOf(trace);
    std::printf("%zu hits of a search\n", hits.size());
    const auto run = [&](const char* what, const auto& prepare) {
        Series all(what), build("  frame"), paint("  picture");
        for (const Viewport& view : script)
            all.time([&] {
                build.time([&] { buildFrame(*trace, layout, view, options, frame); });
                paint.time([&] {
                    TimelineScene scene;
                    scene.trace = trace.get();
                    scene.layout = &layout;
                    scene.frame = &frame;
                    scene.gaps = &gaps;
                    scene.crew = &crew;
                    prepare(scene);
                    const QImage image = renderer.paintLanes(scene);
                });
            });
    };
    run("plain", [](TimelineScene&) {});
    run("search", [&hits](TimelineScene& scene) { scene.search = &hits; });
    if (gaps.gaps().empty())
        return;
    const GapId worst = gaps.byRank()[0];
    options.selection = worst;
    run("gap selected", [&](TimelineScene& scene) {
        scene.emphasis = emphasisOf(*trace, &gaps, worst);
        scene.pins = topPins(gaps);
    });
}

// Until everything that a change asks for is painted.
void settle() {
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
}

void benchWindow(MainWindow& window, std::size_t frames) {
    TimelineView& view = window.timeline();
    const QRect lanes = view.lanesRect();
    const TimeRange extent = window.view().extent();
    const std::vector<Viewport> script = benchScript(extent, lanes.width(), frames);
    std::printf("lanes %d x %d\n", lanes.width(), lanes.height());
    const auto zoomAndPan = [&](const char* what) {
        Series series(what);
        for (const Viewport& wanted : script)
            series.time([&] {
                window.view().setRange(wanted.range(), true);
                settle();
            });
    };
    // Through the window system, so that the program knows which buttons are down.
    QWindow* const screen = window.windowHandle();
    const auto onScreen = [&](QPoint at) { return view.viewport()->mapTo(&window, at); };
    const auto pointer = [&](const char* what, bool isDragging) {
        Series series(what);
        for (const double share : {1.0, 0.1, 0.001}) {
            const auto half = static_cast<std::int64_t>(static_cast<double>(extent.length().v) * share / 2);
            const TimeNs middle = extent.begin + DurationNs{extent.length().v / 2};
            window.view().setRange({middle - DurationNs{half}, middle + DurationNs{half}}, true);
            settle();
            QPoint at = lanes.topLeft() + QPoint(40, 40);
            if (isDragging)
                QTest::mousePress(screen, Qt::LeftButton, {}, onScreen(at));
            for (std::size_t i = 0; i < frames / 3; ++i) {
                at = lanes.topLeft() + QPoint(40 + static_cast<int>(i * 7) % (lanes.width() - 80),
                                              40 + static_cast<int>(i * 5) % (lanes.height() - 80));
                series.time([&] {
                    QTest::mouseMove(screen, onScreen(at));
                    settle();
                });
            }
            if (isDragging)
                QTest::mouseRelease(screen, Qt::LeftButton, {}, onScreen(at));
            settle();
            window.session().selection().set(Selection{}, Origin::Command);
        }
    };
    zoomAndPan("zoom and pan");
    pointer("pointer", false);
    pointer("range being dragged", true);
    window.view().setSearchHits(
        std::make_shared<const SearchHits>(hitsOf(window.session().document()->loaded.trace)));
    settle();
    zoomAndPan("zoom and pan, search");
    pointer("pointer, search", false);
}

int lanesOf(const char* file, std::size_t frames) {
    JobControl job;
    const auto loaded = loadTrace(file, builtinImporters(), job);
    if (!loaded)
        return 3;
    const auto gaps = GapAnalysis::run(loaded->trace, {}, job);
    if (!gaps)
        return 3;
    std::printf("%zu events\n", loaded->trace->events().size());
    benchLanes(loaded->trace, **gaps, frames);
    return 0;
}

int windowOf(const char* file, std::size_t frames) {
    const QTemporaryDir settings;
    ThemeControl theme;
    MainWindow window(WindowState::inFolder(settings.path()), theme);
    window.resize(kWidth, kHeight);
    window.show();
    window.open(QString::fromLocal8Bit(file));
    while (window.session().isLoading())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    if (window.session().document() == nullptr)
        return 3;
    settle();
    benchWindow(window, frames);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: frame_bench FILE [FRAMES] [lanes|window]\n");
        return 2;
    }
    const std::size_t frames = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 340;
    const std::string_view part = argc > 3 ? argv[3] : "";
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    int result = 0;
    if (part != "window")
        result = lanesOf(argv[1], frames);
    if (part != "lanes" && result == 0)
        result = windowOf(argv[1], frames);
    return result;
}
