#include "core/base/fuzzy_match.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

namespace tst_fuzzy_match {

using namespace lacuna;
using namespace lacuna::test;

namespace {

char folded(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Whether the letters stand in the text in this order.
bool isSubsequence(std::string_view letters, std::string_view text) {
    std::size_t at = 0;
    for (const char c : text)
        if (at < letters.size() && folded(letters[at]) == folded(c))
            ++at;
    return at == letters.size();
}

} // namespace

class TstFuzzyMatch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void matchesWhatHoldsTheLettersInOrder() {
        RandomSource random(5);
        for (int i = 0; i < 30'000; ++i) {
            std::string letters, text;
            for (std::int64_t n = random.between(0, 4); n > 0; --n)
                letters += "abcA"[random.between(0, 3)];
            for (std::int64_t n = random.between(0, 10); n > 0; --n)
                text += "abc Ad"[random.between(0, 5)];
            QCOMPARE(fuzzyScore(letters, text).has_value(), isSubsequence(letters, text));
        }
    }

    void theBetterMatchScoresHigher() {
        const auto better = [](const char* typed, const char* good, const char* poor) {
            const auto g = fuzzyScore(typed, good), p = fuzzyScore(typed, poor);
            return g && (!p || *g > *p);
        };
        QVERIFY(better("zi", "Zoom in", "Drop the size in"));
        QVERIFY(better("gap", "Next gap in time", "Magnify a part"));
        QVERIFY(better("ng", "Next gap", "Hanging"));
        QVERIFY(better("exp", "Export figure", "Next previous"));
        QVERIFY(better("whole", "Whole trace", "Show the hole"));
    }

    void wordsMayComeInAnyOrder() {
        QVERIFY(fuzzyScore("gap next", "Next gap").has_value());
        QVERIFY(!fuzzyScore("gap nexx", "Next gap").has_value());
        QCOMPARE(fuzzyScore("  ", "anything"), std::optional<int>(0));
        QVERIFY(!fuzzyScore("a", "").has_value());
        const std::string huge(100'000, 'x');
        QVERIFY(fuzzyScore(huge, huge).has_value());
    }
};

LACUNA_TEST(TstFuzzyMatch, "tst_fuzzy_match")

} // namespace tst_fuzzy_match

#include "tst_fuzzy_match.moc"
