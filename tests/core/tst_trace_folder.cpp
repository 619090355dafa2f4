// Folders of traces: workers and steps by the names of files. features.md C10.

#include "core/import/trace_folder.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

namespace tst_trace_folder {

using namespace lacuna;

namespace {

std::string describe(const TraceFolder& folder) {
    std::string text;
    for (const FolderWorker& worker : folder.workers) {
        text += (text.empty() ? "" : "; ") + worker.name + ":";
        for (const FolderTrace& trace : worker.traces)
            text += " " + (trace.name.step ? std::to_string(*trace.name.step) : std::string("-"));
    }
    return text;
}

class Folder {
public:
    void add(const std::string& relative, const std::string& bytes = "{}") const {
        const auto path = std::filesystem::path(m_folder.path().toStdString()) / relative;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << bytes;
    }
    TraceFolder list() const {
        JobControl job;
        return *listTraceFolder(m_folder.path().toStdString(), job);
    }

private:
    QTemporaryDir m_folder;
};

} // namespace

class TstTraceFolder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void names_data();
    void names();
    void c10_twoWorkersOfTwoCycles_data();
    void c10_twoWorkersOfTwoCycles();
    void order_isNatural();
    void others_areCounted();
    void missingFolder_isAnError();
    void cancelled();
};

void TstTraceFolder::names_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("worker");
    QTest::addColumn<qint64>("step"); // -1: none
    QTest::addColumn<qint64>("stamp");
    const auto row = [](const char* name, const char* worker, qint64 step, qint64 stamp = 0) {
        QTest::newRow(name) << QString::fromUtf8(name) << QString::fromUtf8(worker) << step << stamp;
    };
    // As profilers and people name them.
    row("trace-12.json", "", 12);
    row("rank0/trace-12.json.gz", "rank0", 12);
    row("worker0_step_12.1694128201545.pt.trace.json", "worker0", 12, 1'694'128'201'545);
    row("worker0.1623213129365.pt.trace.json.gz", "worker0", -1, 1'623'213'129'365);
    row("node1.cluster_483.1623213129365.pt.trace.json", "node1.cluster_483", -1, 1'623'213'129'365);
    row("rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz", "rank_34", -1, 1'074);
    row("rank_3_iteration7.json", "rank_3", 7);
    row("trace.json", "", -1);
    row("report.sqlite", "report", -1);
    row("run/worker1/trace_3.json", "run/worker1", 3);
}
void TstTraceFolder::names() {
    QFETCH(QString, name);
    QFETCH(QString, worker);
    QFETCH(qint64, step);
    QFETCH(qint64, stamp);
    const auto parsed = parseTraceFileName(name.toStdString());
    QVERIFY(parsed);
    QCOMPARE(QString::fromStdString(parsed->worker), worker);
    QCOMPARE(parsed->step.value_or(-1), step);
    QCOMPARE(qint64{parsed->stamp}, stamp);
    for (const char* other : {"notes.txt", "a.json.txt", ".json", "model.pt", "run.nsys-rep", ""})
        QVERIFY2(!parseTraceFileName(other), other);
}

void TstTraceFolder::c10_twoWorkersOfTwoCycles_data() {
    QTest::addColumn<QStringList>("files");
    QTest::newRow("a folder each") << QStringList{
        QStringLiteral("worker0/trace-5.json"), QStringLiteral("worker1/trace-5.json"),
        QStringLiteral("worker0/trace-11.json"), QStringLiteral("worker1/trace-11.json")};
    QTest::newRow("one folder") << QStringList{QStringLiteral("worker0_step_5.17.pt.trace.json.gz"),
                                               QStringLiteral("worker1_step_11.20.pt.trace.json.gz"),
                                               QStringLiteral("worker1_step_5.18.pt.trace.json.gz"),
                                               QStringLiteral("worker0_step_11.19.pt.trace.json.gz")};
}
void TstTraceFolder::c10_twoWorkersOfTwoCycles() {
    QFETCH(QStringList, files);
    const Folder folder;
    for (const QString& file : files)
        folder.add(file.toStdString());
    const TraceFolder found = folder.list();
    QCOMPARE(describe(found), std::string("worker0: 5 11; worker1: 5 11"));
    QCOMPARE(found.traces(), std::size_t{4});
    QCOMPARE(found.workers[1].traces[0].size, std::uint64_t{2});
    QVERIFY(std::filesystem::exists(found.workers[1].traces[1].path));
}

void TstTraceFolder::order_isNatural() {
    const Folder folder;
    for (const char* file : {"worker10.3.pt.trace.json", "worker2.9.pt.trace.json", "worker2.4.pt.trace.json",
                             "worker01.1.pt.trace.json"})
        folder.add(file);
    const TraceFolder found = folder.list();
    QCOMPARE(describe(found), std::string("worker01: -; worker2: - -; worker10: -"));
    QCOMPARE(found.workers[1].traces[0].name.stamp, std::int64_t{4});
}

void TstTraceFolder::others_areCounted() {
    const Folder folder;
    folder.add("trace-1.json");
    folder.add("notes.txt");
    folder.add("a/readme.md");
    folder.add("a/b/trace-2.json"); // deeper than the folders in it
    const TraceFolder found = folder.list();
    QCOMPARE(describe(found), std::string(": 1"));
    QCOMPARE(found.otherFiles, std::size_t{2});
    QVERIFY(Folder().list().workers.empty());
}

void TstTraceFolder::missingFolder_isAnError() {
    JobControl job;
    const auto found = listTraceFolder("/no/such/folder", job);
    QVERIFY(!found && found.error().code == Errc::Io);
    QVERIFY(!found.error().detail.empty());
}

void TstTraceFolder::cancelled() {
    const Folder folder;
    folder.add("trace-1.json");
    JobControl job;
    job.requestCancel();
    QTemporaryDir here;
    std::ofstream(here.path().toStdString() + "/trace-1.json") << "{}";
    const auto found = listTraceFolder(here.path().toStdString(), job);
    QVERIFY(!found && found.error().code == Errc::Cancelled);
}

LACUNA_TEST(TstTraceFolder, "tst_trace_folder")

} // namespace tst_trace_folder

#include "tst_trace_folder.moc"
