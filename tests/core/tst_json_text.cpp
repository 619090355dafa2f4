#include "core/import/detail/json_text.h"
#include "tests/support/test_main.h"

#include <string>

namespace tst_json_text {

using namespace lacuna;

class TstJsonText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void micros_areExactNs_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("ns");
        const auto row = [](const char* text, qint64 ns) { QTest::newRow(text) << QByteArray(text) << ns; };
        row("0", 0);
        row("5", 5000);
        row("1.5", 1500);
        row(".84", 840);
        row("5.7", 5700); // digits after the point are no count of ns
        row("1712195495508068.316", 1712195495508068316);
        row("1712195495508068.317", 1712195495508068317); // a double gives .25 steps here
        row("5093486355320.316", 5093486355320316);
        row("1695835572943623", 1695835572943623000);
        row("-3.25", -3250);
        row("+2", 2000);
        row("1.7e15", 1700000000000000000);
        row("1E3", 1000000);
        row("12e-3", 12);
        row("1e-06", 0);
        row("0.0004", 0);
        row("0.0005", 0); // half to even
        row("0.0015", 2); // half to even
        row("0.0025", 2); // half to even
        row("0.00250001", 3);
        row("0.0026", 3);
        row("-0.0025", -2);
        row("1.23456789012345678901", 1235);
        row("0.99999999999999999999999999999999999999999999999", 1000);
        row("000123", 123000);
        row(" 17 ", 17000);
        row("2.", 2000);
        row("4000000000000000", 4000000000000000000);
    }
    void micros_areExactNs() {
        QFETCH(QByteArray, text);
        QFETCH(qint64, ns);
        const auto got = json::microsAsNs(text.toStdString());
        QVERIFY(got.has_value());
        QCOMPARE(qint64{*got}, ns);
    }
    // The usual form is read eight digits at a time: every length, and a damaged character at every place.
    void micros_withThreeDecimals_ofEveryLength() {
        const std::string digits = "3712195495508068";
        for (std::size_t length = 1; length <= digits.size(); ++length) {
            const std::string whole = digits.substr(digits.size() - length);
            for (const char* const decimals : {"000", "007", "316", "999"}) {
                const std::string text = whole + '.' + decimals;
                const std::int64_t ns = std::stoll(whole) * 1000 + std::stoll(decimals);
                QCOMPARE(json::microsAsNs(text).value_or(-1), ns);
                for (std::size_t at = 0; at < text.size(); ++at)
                    for (const char wrong : {'/', ':', 'x', '\xBA', '.'}) {
                        std::string damaged = text;
                        damaged[at] = wrong;
                        if (damaged != text)
                            QVERIFY2(!json::microsAsNs(damaged).has_value(), damaged.c_str());
                    }
            }
        }
    }
    void micros_ofWords_areNone_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"",
                                 "NaN",
                                 "inf",
                                 "-Infinity",
                                 "N/A",
                                 "None",
                                 "null",
                                 "1x",
                                 "--1",
                                 "-",
                                 ".",
                                 "1e",
                                 "e5",
                                 "0x10",
                                 "1.2.3",
                                 "4000000000000001",
                                 "9223372036854775807",
                                 "1e30",
                                 "1e99999999999999999999",
                                 "99999999999999999999999999"})
            QTest::newRow(text) << QByteArray(text);
    }
    void micros_ofWords_areNone() {
        QFETCH(QByteArray, text);
        QVERIFY(!json::microsAsNs(text.toStdString()).has_value());
    }

    void strings_areUnescapedToValidUtf8_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("meaning");
        const auto row = [](const char* name, const char* text, const char* meaning) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(meaning);
        };
        row("plain", "abc", "abc");
        row("known escapes", R"(a\"b\\c\/d\n\t\r\b\f)", "a\"b\\c/d\n\t\r\b\f");
        row("unicode", R"(\u00e9\u4e2d)", "\xC3\xA9\xE4\xB8\xAD");
        row("pair", R"(\ud83d\ude00)", "\xF0\x9F\x98\x80");
        row("lone high surrogate", R"(x\ud83dy)", "x\xEF\xBF\xBDy");
        row("lone low surrogate", R"(\ude00)", "\xEF\xBF\xBD");
        row("high then other escape", R"(\ud83d\u0041)",
            "\xEF\xBF\xBD"
            "A");
        row("windows path", R"(C:\work\x.py)", R"(C:\work\x.py)");
        row("broken unicode escape", R"(\u12)", R"(\u12)");
        row("backslash at the end", "a\\", "a\\");
        row("valid utf-8", "\xC3\xA9", "\xC3\xA9");
        row("invalid byte", "a\xFFz", "a\xEF\xBF\xBDz");
        row("cut sequence", "\xE4\xB8", "\xEF\xBF\xBD\xEF\xBF\xBD");
        row("overlong", "\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD");
        row("encoded surrogate", "\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
        row("control character", "a\x01\nb", "a\x01\nb");
    }
    void strings_areUnescapedToValidUtf8() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, meaning);
        std::string got;
        json::appendUnescaped(text.toStdString(), got);
        QCOMPARE(QByteArray::fromStdString(got), meaning);
    }

    void integers_keepAllBits() {
        QCOMPARE(json::asUnsigned("18446744073709551615").value_or(0), 18446744073709551615ull);
        QCOMPARE(json::asInteger("-9223372036854775808").value_or(0), INT64_MIN);
        QVERIFY(!json::asInteger("18446744073709551615"));
        QCOMPARE(json::asInteger("0x1f").value_or(0), 31);
        QCOMPARE(json::asInteger("7.0").value_or(0), 7);
        QVERIFY(!json::asInteger("7.5"));
        QVERIFY(!json::asInteger("N/A"));
        QVERIFY(!json::asInteger(""));
        QVERIFY(!json::asReal("nan"));
        QCOMPARE(json::asReal("1.5e3").value_or(0), 1500.0);
    }
};
LACUNA_TEST(TstJsonText, "tst_json_text")

} // namespace tst_json_text

#include "tst_json_text.moc"
