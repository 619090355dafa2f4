// The bounded matcher, against the standard library's backtracking one on expressions small enough for it.

#include "core/search/pattern.h"
#include "tests/support/random_trace.h"
#include "tests/support/test_main.h"

#include <regex>

namespace tst_search_pattern {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::string randomExpression(RandomSource& random, int depth) {
    static constexpr std::array kAtoms{"a",     "b",     "A",     ".",     "[ab]", "[^a]",
                                       "[a-b]", R"(\d)", R"(\w)", R"(\.)", "1"};
    static constexpr std::array kCounts{"*", "+", "?", "{2}", "{1,2}", "{2,}"};
    std::string text;
    const auto parts = random.between(1, 3);
    for (std::int64_t i = 0; i < parts; ++i) {
        std::string part = depth > 0 && random.chance(30)
                               ? "(" + randomExpression(random, depth - 1) + ")"
                               : kAtoms[static_cast<std::size_t>(random.between(0, kAtoms.size() - 1))];
        if (random.chance(30))
            part += kCounts[static_cast<std::size_t>(random.between(0, kCounts.size() - 1))];
        text += part;
        if (random.chance(15))
            text += "|";
    }
    if (random.chance(15))
        text = "^" + text;
    if (random.chance(15))
        text += "$";
    return text;
}

std::string randomName(RandomSource& random) {
    std::string name;
    for (std::int64_t i = random.between(0, 9); i > 0; --i)
        name += "abAB1._"[random.between(0, 6)];
    return name;
}

bool occurs(std::string_view pattern, std::string_view name, PatternOptions options) {
    auto compiled = Pattern::compile(pattern, options);
    return compiled && compiled->occursIn(name);
}

} // namespace

class TstSearchPattern : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void plainTextIsFoundAnywhereInAnyCase() {
        QVERIFY(occurs("GEMM", "ampere_sgemm_128x64", {}));
        QVERIFY(occurs("_64", "sgemm_128x_64", {}));
        QVERIFY(occurs("s", "s", {}));
        QVERIFY(occurs("", "anything", {}));
        QVERIFY(!occurs("gemm", "gem", {}));
        QVERIFY(!occurs("GEMM", "sgemm", {false, true}));
        QVERIFY(occurs("a.c(", "xa.C(y", {})); // no sign has a meaning
        QVERIFY(!occurs("a.c", "abc", {}));
    }

    void plainTextAgreesWithFind() {
        RandomSource random(7);
        for (int i = 0; i < 20'000; ++i) {
            const std::string name = randomName(random), needle = randomName(random).substr(0, 3);
            QCOMPARE(occurs(needle, name, {false, true}), name.find(needle) != std::string::npos);
        }
    }

    void expressionsAgreeWithTheStandardLibrary() {
        RandomSource random(11);
        for (int i = 0; i < 1'000; ++i) {
            const std::string text = randomExpression(random, 2);
            for (const bool caseSensitive : {true, false}) {
                auto pattern = Pattern::compile(text, {true, caseSensitive});
                QVERIFY2(pattern, text.c_str());
                const std::regex theirs(text, caseSensitive ? std::regex::ECMAScript
                                                            : std::regex::ECMAScript | std::regex::icase);
                for (int n = 0; n < 12; ++n) {
                    const std::string name = randomName(random);
                    QVERIFY2(pattern->occursIn(name) == std::regex_search(name, theirs),
                             ("/" + text + "/ on " + name).c_str());
                }
            }
        }
    }

    void aDotIsOneCharacterOfUtf8() {
        QVERIFY(occurs("^.{3}$", "aµs", {true, false}));
        QVERIFY(!occurs("^.{4}$", "aµs", {true, false}));
        QVERIFY(occurs("^[^a]$", "µ", {true, false}));
        QVERIFY(occurs("^µ+$", "µµ", {true, false}));
    }

    void whatNoEngineWithBacktrackingEnds() {
        const std::string name(5'000, 'a');
        QVERIFY(!occurs("^(a+)+$", name + "b", {true, false}));
        QVERIFY(occurs("(a|a)*b|(a*)*a$", name, {true, false}));
        QVERIFY(!occurs("(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)x", name, {true, false}));
        // More states than are remembered.
        QVERIFY(occurs("(a|b)*a(a|b){12}c", std::string("abbabaabbbabaababbaabbabbabababc"), {true, false}) ==
                std::regex_search("abbabaabbbabaababbaabbabbabababc", std::regex("(a|b)*a(a|b){12}c")));
    }

    void errors_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("code");
        const auto row = [](const char* text, Errc code) {
            QTest::newRow(text) << QByteArray(text) << int(code);
        };
        for (const char* text : {"(", ")", "a)", "[", "[]", "*", "a|*", R"(\)", R"(\q)", R"(\x1)", "a{3,2}",
                                 "a{9999}", "[b-a]", "(?=a)", R"((a)\1)"})
            row(text, Errc::Malformed);
        row("(a{1000}){1000}", Errc::TooLarge);
        row("(((((){1000}){1000}){1000}){1000}){1000}", Errc::TooLarge);
    }
    void errors() {
        QFETCH(QByteArray, text);
        QFETCH(int, code);
        const auto pattern = Pattern::compile({text.constData(), std::size_t(text.size())}, {true, false});
        QVERIFY(!pattern);
        QCOMPARE(int(pattern.error().code), code);
        QVERIFY(!pattern.error().detail.empty());
    }

    void anyBytesAreCompiledOrRefused() {
        RandomSource random(3);
        for (int i = 0; i < 20'000; ++i) {
            std::string text;
            for (std::int64_t n = random.between(0, 12); n > 0; --n)
                text += random.chance(80) ? R"(()[]{}|*+?^$\.-,1a)"[random.between(0, 17)]
                                          : static_cast<char>(random.between(0, 255));
            auto pattern = Pattern::compile(text, {true, false});
            if (pattern)
                (void)pattern->occursIn("aa1(b[]");
            else
                QVERIFY(!pattern.error().detail.empty());
        }
    }
};

LACUNA_TEST(TstSearchPattern, "tst_search_pattern")

} // namespace tst_search_pattern

#include "tst_search_pattern.moc"
