// With nothing removed the replay gives back every trace of the corpus: error 0 ns per operation.

#include "core/analysis/replay.h"
#include "core/import/load_trace.h"
#include "tests/support/corpus.h"
#include "tests/support/test_main.h"

namespace tst_replay_corpus {

using namespace lacuna;
using namespace lacuna::test;

class TstReplayCorpus : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void d29_nothingRemoved_data();
    void d29_nothingRemoved();
    void cleanupTestCase();

private:
    std::size_t m_traces = 0, m_ops = 0;
};

void TstReplayCorpus::d29_nothingRemoved_data() {
    QTest::addColumn<QString>("path");
    for (const CorpusFile& one : corpusFiles())
        QTest::newRow(one.name.c_str()) << QString::fromStdString(one.path.string());
}

void TstReplayCorpus::d29_nothingRemoved() {
    QFETCH(QString, path);
    JobControl job;
    const auto loaded = loadTrace(path.toStdString(), builtinImporters(), job);
    if (!loaded)
        return; // no trace: tst_corpus says which
    const auto model = ReplayModel::build(loaded->trace, job);
    QVERIFY(model);
    const auto result = replay(**model, {}, job);
    QVERIFY(result);
    const EventTable& events = loaded->trace->events();
    const auto ops = (*model)->ops();
    for (std::size_t i = 0; i < ops.size(); ++i) {
        QCOMPARE(result->startNs[i], events.beginNs[ops[i].event.v]);
        QCOMPARE(result->endNs[i], events.endNs[ops[i].event.v]);
    }
    m_traces += ops.empty() ? 0u : 1u;
    m_ops += ops.size();
}

void TstReplayCorpus::cleanupTestCase() {
    qInfo("%zu operations of %zu traces", m_ops, m_traces);
    QVERIFY(m_traces >= 20); // of the repository alone
}

LACUNA_TEST(TstReplayCorpus, "tst_replay_corpus")

} // namespace tst_replay_corpus

#include "tst_replay_corpus.moc"
