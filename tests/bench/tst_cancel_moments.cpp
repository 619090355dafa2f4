// A load that is given up at any moment ends within 200 ms: what the window starts (core and all that its
// first picture needs), on generated traces, packed and not, from the index cache, while that is written, and
// while a stand-in for nsys exports. Wall time until no thread of the job runs and its memory is given back.
// LACUNA_CANCEL_EVENTS: size of the traces (1,000,000); LACUNA_CANCEL_FILES: made files instead, with :
// between. LACUNA_CANCEL_MOMENTS: how many each (30). LACUNA_CANCEL_BUSY: other programs run, so the CPU time
// of all threads is judged; both are printed.

#include "core/cache/index_cache.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"
#include "widgets/session/analysis_session.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

namespace tst_cancel_moments {

using namespace lacuna;
using namespace lacuna::test;
using lacuna::ui::AnalysisSession;

namespace {

constexpr double kMostMs = 200;

double msOf(const QElapsedTimer& timer) {
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

// Wall and CPU time of the whole process.
class Clock {
public:
    Clock() { m_wall.start(); }
    struct Ms {
        double wall = 0, cpu = 0;
    };
    Ms ms() const { return {msOf(m_wall), cpuMs() - m_cpu}; }

private:
    static double cpuMs() {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    }
    QElapsedTimer m_wall;
    double m_cpu = cpuMs();
};

int moments() {
    return std::max(1, qEnvironmentVariable("LACUNA_CANCEL_MOMENTS", QStringLiteral("30")).toInt());
}

// Whole loads, so that the moments lie inside; 0 when it does not open.
double wholeMs(const QString& file) {
    AnalysisSession session;
    QSignalSpy ended(&session, &AnalysisSession::loadEnded);
    QElapsedTimer timer;
    timer.start();
    session.open(file);
    while (ended.isEmpty())
        ended.wait(1'000);
    return session.failure() ? 0 : msOf(timer);
}

// From the request until nothing of the load is left.
Clock::Ms cancelledMs(const QString& file, double atMs) {
    auto session = std::make_unique<AnalysisSession>();
    session->open(file);
    QElapsedTimer timer;
    timer.start();
    while (msOf(timer) < atMs && session->isLoading())
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    if (!session->isLoading())
        return {}; // it was faster this time
    const Clock clock;
    session->cancelOpen();
    session.reset(); // waits for its threads
    return clock.ms();
}

bool passes(const QString& what, const std::vector<Clock::Ms>& times) {
    const auto sorted = [&](double Clock::Ms::*of) {
        std::vector<double> ms;
        for (const Clock::Ms& time : times)
            ms.push_back(time.*of);
        std::sort(ms.begin(), ms.end());
        return ms;
    };
    const std::vector<double> wall = sorted(&Clock::Ms::wall), cpu = sorted(&Clock::Ms::cpu);
    qInfo("%s: %zu moments, wall median %.0f, worst %.0f ms; CPU median %.0f, worst %.0f ms",
          qPrintable(what), times.size(), wall[wall.size() / 2], wall.back(), cpu[cpu.size() / 2],
          cpu.back());
    return (qEnvironmentVariableIsSet("LACUNA_CANCEL_BUSY") ? cpu : wall).back() <= kMostMs;
}

} // namespace

class TstCancelMoments : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_folder.reset(); }
    void loads_end();
    void cachedLoads_end();
    void writingTheCache_ends();
    void exportsOfReports_end();

private:
    bool cancelAll(const QString& what, const QString& file);
    std::unique_ptr<QTemporaryDir> m_folder;
    QStringList m_files;
    RandomSource m_random{1};
};

void TstCancelMoments::initTestCase() {
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("XDG_CACHE_HOME", m_folder->filePath(QStringLiteral("cache")).toUtf8());
    qputenv("LACUNA_CACHE", "off");
    m_files = qEnvironmentVariable("LACUNA_CANCEL_FILES").split(u':', Qt::SkipEmptyParts);
    const auto generator = shared("tools/gentrace.py");
    if (!m_files.isEmpty())
        return;
    if (!generator)
        LACUNA_SKIP("the generator is not here");
    for (const char* const name : {"a.json", "b.json.gz", "c.sqlite"}) {
        const QString out = m_folder->filePath(QLatin1String(name));
        QProcess python;
        python.start(QStringLiteral("python3"),
                     {QString::fromStdString(generator->string()), QStringLiteral("--events"),
                      qEnvironmentVariable("LACUNA_CANCEL_EVENTS", QStringLiteral("1000000")),
                      QStringLiteral("--format"),
                      QString::fromLatin1(name).endsWith(QStringLiteral("sqlite")) ? QStringLiteral("nsys")
                                                                                   : QStringLiteral("kineto"),
                      QStringLiteral("--out"), out});
        QVERIFY(python.waitForFinished(-1) && python.exitCode() == 0);
        m_files << out;
    }
}

bool TstCancelMoments::cancelAll(const QString& what, const QString& file) {
    const auto whole = static_cast<std::int64_t>(wholeMs(file));
    std::vector<Clock::Ms> ms;
    for (int i = 0; i < moments(); ++i)
        ms.push_back(cancelledMs(file, static_cast<double>(m_random.between(0, whole))));
    return passes(QStringLiteral("%1 (%2 ms whole)").arg(what).arg(whole), ms);
}

void TstCancelMoments::loads_end() {
    for (const QString& file : m_files)
        QVERIFY(cancelAll(QFileInfo(file).fileName(), file));
}

void TstCancelMoments::cachedLoads_end() {
    qunsetenv("LACUNA_CACHE");
    for (const QString& file : m_files) {
        JobControl job;
        LoadOptions options;
        options.cacheFolder = defaultCacheFolder();
        const auto loaded = loadCached(file.toStdString(), job, options);
        QVERIFY(loaded);
        (void)storeIndex(*loaded, job);
        QVERIFY(cancelAll(QFileInfo(file).fileName() + QStringLiteral(" from the cache"), file));
    }
    qputenv("LACUNA_CACHE", "off");
}

void TstCancelMoments::writingTheCache_ends() {
    qunsetenv("LACUNA_CACHE");
    for (const QString& file : m_files) {
        JobControl loading;
        LoadOptions options;
        options.cacheFolder = defaultCacheFolder();
        IndexCache(options.cacheFolder).clear();
        const auto loaded = loadCached(file.toStdString(), loading, options);
        QVERIFY(loaded && loaded->toStore != nullptr);
        std::vector<Clock::Ms> ms;
        std::int64_t whole = 0;
        for (int i = 0; i <= moments(); ++i) {
            IndexCache(options.cacheFolder).clear();
            JobControl job;
            const Clock storing;
            std::thread store([&] { (void)storeIndex(*loaded, job); });
            if (i == 0) { // the first one tells how long a whole one takes
                store.join();
                whole = static_cast<std::int64_t>(storing.ms().wall);
                continue;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(m_random.between(0, whole)));
            const Clock clock;
            job.requestCancel();
            store.join();
            ms.push_back(clock.ms());
        }
        QVERIFY(passes(QStringLiteral("writing the cache of %1 (%2 ms whole)")
                           .arg(QFileInfo(file).fileName())
                           .arg(whole),
                       ms));
    }
    qputenv("LACUNA_CACHE", "off");
}

// The stand-in copies an export in pieces; it is killed, with what it started.
void TstCancelMoments::exportsOfReports_end() {
    const auto sqlite = std::find_if(m_files.begin(), m_files.end(),
                                     [](const QString& f) { return f.endsWith(QStringLiteral(".sqlite")); });
    QVERIFY(sqlite != m_files.end());
    const QString report = m_folder->filePath(QStringLiteral("run.nsys-rep")),
                  program = m_folder->filePath(QStringLiteral("nsys"));
    QFile content(report), script(program);
    QVERIFY(content.open(QIODevice::WriteOnly) && script.open(QIODevice::WriteOnly));
    content.write("NVIDIA Tegra Profiler Report 2025@3@2@0.\n");
    script.write(
        "#!/bin/sh\nfor a in \"$@\"; do [ \"$want\" ] && out=$a; want=; [ \"$a\" = -o ] && want=1; done\n"
        "sleep 0.3; cat '" +
        sqlite->toUtf8() + "' > \"$out\"; sleep 0.3\n");
    content.close();
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    qputenv("LACUNA_NSYS", program.toUtf8());
    std::vector<Clock::Ms> ms;
    for (int i = 0; i < moments(); ++i)
        ms.push_back(cancelledMs(report, static_cast<double>(m_random.between(0, 600))));
    QVERIFY(passes(QStringLiteral("export of a report"), ms));
    qunsetenv("LACUNA_NSYS");
}

LACUNA_TEST(TstCancelMoments, "tst_cancel_moments")

} // namespace tst_cancel_moments

#include "tst_cancel_moments.moc"
