// Spans alike: traces made by hand, with the answer known.

#include "core/analysis/alike_spans.h"
#include "core/import/load_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <algorithm>

namespace tst_alike_spans {

using namespace lacuna;

#ifndef Q_MOC_RUN // it does not know raw strings
namespace {

std::string eventText(const char* category, const std::string& name, int thread, std::int64_t us,
                      std::int64_t length, const std::string& args = {}) {
    return R"({"ph":"X","cat":")" + std::string(category) + R"(","name":")" + name + R"(","pid":1,"tid":)" +
           std::to_string(thread) + R"(,"ts":)" + std::to_string(us) + R"(,"dur":)" + std::to_string(length) +
           R"(,"args":{)" + args + "}},\n";
}

std::shared_ptr<const Trace> traceOf(const std::string& events) {
    JobControl job;
    auto loaded =
        loadTraceFromMemory(R"({"traceEvents":[)" + events + R"({"ph":"M","name":"x","pid":1,"args":{}}]})",
                            "t.json", builtinImporters(), job);
    return loaded ? loaded->trace : nullptr;
}

// A kernel per letter, 10 us every 20 us from `begin`.
std::string kernels(const std::string& letters, std::int64_t begin, int stream = 7) {
    std::string text;
    for (const char letter : letters) {
        text += eventText("kernel", std::string("k_") + letter, stream, begin, 10,
                          R"("device":0,"stream":)" + std::to_string(stream));
        begin += 20;
    }
    return text;
}

constexpr std::int64_t kUs = 1'000;

} // namespace
#endif

class TstAlikeSpans : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sameOperationsInTheSameOrder() {
        // abc at 0, 60, 120 (x between), 200; marked is the third, from 5 us before it.
        const auto trace = traceOf(kernels("abcabcabcx", 0) + kernels("abc", 300));
        QVERIFY(trace);
        JobControl job;
        const std::int64_t zero = 0;
        const TimeRange marked{{zero + 115 * kUs}, {zero + 175 * kUs}};
        const auto alike = findAlike(*trace, marked, job);
        QVERIFY(alike);
        QCOMPARE(alike->by, std::string("3 operations on stream 7"));
        QCOMPARE(alike->spans.size(), std::size_t{4});
        QCOMPARE(alike->marked, std::size_t{2});
        QCOMPARE(alike->spans[2], marked);
        QCOMPARE(alike->spans[0].begin.v, -5 * kUs);
        QCOMPARE(alike->spans[1].begin.v, 55 * kUs);
        QCOMPARE(alike->spans[3].begin.v, 295 * kUs);
        for (const TimeRange& span : alike->spans)
            QCOMPARE(span.length().v, 60 * kUs);
        QCOMPARE(alike->medianNs, 60 * kUs);
    }

    void markedSpan_isFoundWhateverComesBefore() {
        // "aa" in a row of five: counted from the marked one, never across it.
        const auto trace = traceOf(kernels("aaaaa", 0));
        JobControl job;
        const TimeRange marked{{20 * kUs}, {60 * kUs}}; // the second and the third
        const auto alike = findAlike(*trace, marked, job);
        QVERIFY(alike);
        QCOMPARE(alike->spans.size(), std::size_t{2});
        QCOMPARE(alike->spans[alike->marked], marked);
    }

    void lengthsAreOfEachSpan() {
        const auto trace =
            traceOf(kernels("ab", 0) + eventText("kernel", "k_a", 7, 100, 10, R"("device":0,"stream":7)") +
                    eventText("kernel", "k_b", 7, 150, 10, R"("device":0,"stream":7)"));
        JobControl job;
        const auto alike = findAlike(*trace, {{0}, {30 * kUs}}, job); // b begins at 20
        QVERIFY(alike);
        QCOMPARE(alike->spans.size(), std::size_t{2});
        QCOMPARE(alike->spans[1], (TimeRange{{100 * kUs}, {160 * kUs}}));
        QCOMPARE(alike->minNs, 30 * kUs);
        QCOMPARE(alike->maxNs, 60 * kUs);
        QCOMPARE(alike->medianNs, 30 * kUs); // the lower one
        QCOMPARE(alike->p95Ns, 60 * kUs);
    }

    void withoutDeviceWork_byTheLongestHostEvent() {
        std::string text;
        for (int i = 0; i < 3; ++i)
            text += eventText("cpu_op", "step", 5, 100 * i, 80 + i) +
                    eventText("cpu_op", "inner", 5, 100 * i + 10, 20);
        const auto trace = traceOf(text);
        JobControl job;
        const auto alike = findAlike(*trace, {{100 * kUs}, {190 * kUs}}, job);
        QVERIFY(alike);
        QCOMPARE(alike->by, std::string("step"));
        QCOMPARE(alike->spans.size(), std::size_t{3});
        QCOMPARE(alike->marked, std::size_t{1});
        QCOMPARE(alike->spans[0], (TimeRange{{0}, {89 * kUs}})); // 9 us of room behind it
        QCOMPARE(alike->spans[2], (TimeRange{{200 * kUs}, {291 * kUs}}));
    }

    void emptyRange_hasNone() {
        const auto trace = traceOf(kernels("ab", 0));
        JobControl job;
        const auto alike = findAlike(*trace, {{900 * kUs}, {950 * kUs}}, job);
        QVERIFY(alike);
        QVERIFY(alike->spans.empty());
        QVERIFY(alike->by.empty());
        job.requestCancel();
        QVERIFY(!findAlike(*trace, {{0}, {30 * kUs}}, job));
    }

    // Against the marks of the recorder: a step of the capture finds the others.
    void stepsOfACapture() {
        JobControl job;
        const auto loaded =
            loadTrace(test::fixture("captured/torch/item_sync.pt.trace.json.gz"), builtinImporters(), job);
        QVERIFY(loaded);
        const Trace& trace = *loaded->trace;
        std::vector<TimeRange> steps;
        for (std::uint32_t e = 0; e < trace.events().size(); ++e)
            if (trace.nameOf({e}).starts_with("ProfilerStep#") &&
                trace.events().kind[e] != EventKind::GpuRange)
                steps.push_back(trace.events().range({e}));
        std::ranges::sort(steps, {}, &TimeRange::begin);
        QVERIFY(steps.size() >= 3);
        const auto alike = findAlike(trace, steps[2], job);
        QVERIFY(alike);
        QVERIFY(alike->spans.size() >= 2);
        QCOMPARE(alike->spans[alike->marked], steps[2]);
    }
};

LACUNA_TEST(TstAlikeSpans, "tst_alike_spans")

} // namespace tst_alike_spans

#include "tst_alike_spans.moc"
