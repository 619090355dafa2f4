#include "core/output/csv.h"
#include "core/output/json_writer.h"
#include "core/output/text_table.h"
#include "core/output/utf8.h"
#include "tests/support/test_main.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <limits>

namespace tst_output {

using namespace lacuna;

class TstOutput : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void validUtf8_replacesWhatIsNotWellFormed_data();
    void validUtf8_replacesWhatIsNotWellFormed();
    void printable_blanksControlCharacters();
    void json_nestsAndSeparates();
    void json_textSurvivesAnyBytes();
    void json_integersAreExactAndDoublesReadBack();
    void json_unknownIsNull();
    void csv_quotesOnlyWhatNeedsIt();
    void table_alignsAndShortensFlexibleColumns();
    void paragraph_breaksAtBlanks();
    void fileSink_keepsTheFirstError();
};

void TstOutput::validUtf8_replacesWhatIsNotWellFormed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("valid");
    const QByteArray r("\xEF\xBF\xBD");
    QTest::newRow("ascii") << QByteArray("aten::mm") << QByteArray("aten::mm");
    QTest::newRow("all lengths") << QByteArray("\x24\xC2\xA2\xE2\x82\xAC\xF0\x90\x8D\x88")
                                 << QByteArray("\x24\xC2\xA2\xE2\x82\xAC\xF0\x90\x8D\x88");
    QTest::newRow("lone continuation") << QByteArray("a\x80z") << QByteArray("a" + r + "z");
    QTest::newRow("overlong slash") << QByteArray("\xC0\xAF") << QByteArray(r + r);
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << QByteArray(r + r + r);
    QTest::newRow("past the last plane") << QByteArray("\xF4\x90\x80\x80") << QByteArray(r + r + r + r);
    QTest::newRow("cut at the end") << QByteArray("x\xE2\x82") << QByteArray("x" + r + r);
}

void TstOutput::validUtf8_replacesWhatIsNotWellFormed() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, valid);
    QCOMPARE(QByteArray::fromStdString(validUtf8(text.toStdString())), valid);
}

void TstOutput::printable_blanksControlCharacters() {
    QCOMPARE(printable("a\x1b[31mb\nc\x7f"), std::string("a [31mb c "));
    QCOMPARE(printable("a\xC2\x9B"
                       "b"),
             std::string("a  b")); // the one-character form of ESC [
    QCOMPARE(codePoints("\xC2\xB5s"), std::size_t{2});
}

void TstOutput::json_nestsAndSeparates() {
    StringSink sink;
    {
        JsonWriter json(sink);
        json.beginObject();
        json.key("a");
        json.beginArray();
        json.value(1);
        json.beginObject();
        json.endObject();
        json.beginArray();
        json.endArray();
        json.endArray();
        json.member("b", true);
        json.endObject();
    }
    QCOMPARE(sink.text(), std::string("{\n \"a\": [\n  1,\n  {},\n  []\n ],\n \"b\": true\n}\n"));
}

void TstOutput::json_textSurvivesAnyBytes() {
    std::string all;
    for (int byte = 0; byte < 128; ++byte)
        all += static_cast<char>(byte);
    all += "\xC2\xB5 \xF0\x9F\x94\xA5";
    StringSink sink;
    {
        JsonWriter json(sink);
        json.beginArray();
        json.value(all);
        json.value("broken \xFF byte");
        json.endArray();
    }
    const auto parsed = nlohmann::json::parse(sink.text(), nullptr, false);
    QVERIFY(!parsed.is_discarded());
    QCOMPARE(parsed[0].get<std::string>(), all);
    QCOMPARE(parsed[1].get<std::string>(), std::string("broken \xEF\xBF\xBD byte"));
}

void TstOutput::json_integersAreExactAndDoublesReadBack() {
    StringSink sink;
    {
        JsonWriter json(sink);
        json.beginArray();
        json.value(std::numeric_limits<std::int64_t>::min());
        json.value(std::numeric_limits<std::uint64_t>::max());
        json.value(0.1);
        json.value(std::numeric_limits<double>::infinity());
        json.endArray();
    }
    QCOMPARE(sink.text(),
             std::string("[\n -9223372036854775808,\n 18446744073709551615,\n 0.1,\n null\n]\n"));
}

void TstOutput::json_unknownIsNull() {
    StringSink sink;
    {
        JsonWriter json(sink);
        json.beginObject();
        json.member("a", std::optional<std::int64_t>());
        json.member("b", std::optional<std::int64_t>(0));
        json.textMember("c", "");
        json.textMember("d", "x");
        json.endObject();
    }
    QCOMPARE(sink.text(), std::string("{\n \"a\": null,\n \"b\": 0,\n \"c\": null,\n \"d\": \"x\"\n}\n"));
}

void TstOutput::csv_quotesOnlyWhatNeedsIt() {
    QCOMPARE(csvField("void f<int>(int)"), std::string("void f<int>(int)"));
    QCOMPARE(csvField("f<a, b>"), std::string("\"f<a, b>\""));
    QCOMPARE(csvField("say \"x\""), std::string("\"say \"\"x\"\"\""));
    QCOMPARE(csvField("two\nlines"), std::string("\"two\nlines\""));
    QCOMPARE(csvField(" x"), std::string("\" x\""));
    StringSink sink;
    const std::array<std::string, 3> row{"1", "", "a,b"};
    writeCsvRow(sink, row);
    QCOMPARE(sink.text(), std::string("1,,\"a,b\"\n"));
}

void TstOutput::table_alignsAndShortensFlexibleColumns() {
    const std::vector<TextColumn> columns{{"#", true}, {"where", false, true}, {"total", true}};
    TextTable table(columns);
    table.add({"1", "aten::mm", "482 \xC2\xB5s"});
    table.add({"12", "short", "1 ms"});
    StringSink wide;
    table.write(wide, 100, 2);
    QCOMPARE(wide.text(), std::string("   #  where      total\n"
                                      "   1  aten::mm  482 \xC2\xB5s\n"
                                      "  12  short       1 ms\n"));

    TextTable crowded(columns);
    crowded.add({"1", "cudaStreamSynchronize < aten::_local_scalar_dense", "482 \xC2\xB5s"});
    StringSink narrow;
    crowded.write(narrow, 40);
    const QStringList lines = QString::fromStdString(narrow.text()).split(u'\n');
    QCOMPARE(lines[0].size(), 40);
    QCOMPARE(lines[1].size(), 40);
    QVERIFY2(lines[1].contains(u"cudaStream") && lines[1].contains(u'\u2026'), qPrintable(lines[1]));
    QVERIFY(lines[1].endsWith(u"482 \u00B5s"));
}

void TstOutput::paragraph_breaksAtBlanks() {
    StringSink sink;
    writeParagraph(sink, "  1: ", "GPU 0 ran out of averyveryverylongword work", 16);
    QCOMPARE(sink.text(), std::string("  1: GPU 0 ran\n"
                                      "     out of\n"
                                      "     averyveryverylongword\n"
                                      "     work\n"));
}

void TstOutput::fileSink_keepsTheFirstError() {
    std::FILE* full = std::fopen("/dev/full", "w");
    if (full == nullptr)
        LACUNA_SKIP("no /dev/full here");
    FileSink sink(full);
    sink.write("does not fit");
    QCOMPARE(sink.finish(), ENOSPC);
    QCOMPARE(sink.finish(), ENOSPC);
    std::fclose(full);
}

LACUNA_TEST(TstOutput, "tst_output")

} // namespace tst_output

#include "tst_output.moc"
