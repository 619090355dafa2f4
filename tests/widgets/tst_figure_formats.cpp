// Figures as SVG, PDF and PNG: real text, bars where the times are, what screen readers need, equal twice.
// Positions and texts are worked out by hand for a trace of 2 us a pixel.

#include "tests/support/test_main.h"
#include "tests/support/view_fixture.h"
#include "widgets/figure/figure_alt_text.h"
#include "widgets/figure/figure_composition.h"
#include "widgets/figure/figure_formats.h"
#include "widgets/figure/pdf_canonical.h"
#include "widgets/figure/svg_device.h"

#include <QMap>
#include <QRegularExpression>
#include <QXmlStreamReader>

namespace tst_figure_formats {

using namespace lacuna;
using namespace lacuna::ui;
using namespace lacuna::test;

#ifndef Q_MOC_RUN // it does not know raw strings
namespace {

// Two kernels, 705 us idle behind a wait and host work, two kernels.
std::string oneGapStep() {
    std::string rows = R"({"traceEvents":[)";
    bool first = true;
    const auto add = [&](const char* cat, const char* name, int pid, int tid, int ts, int dur,
                         const std::string& args) {
        rows += std::string(first ? "" : ",") + R"({"ph":"X","cat":")" + cat + R"(","name":")" + name +
                R"(","pid":)" + std::to_string(pid) + R"(,"tid":)" + std::to_string(tid) + R"(,"ts":)" +
                std::to_string(ts) + R"(,"dur":)" + std::to_string(dur) + R"(,"args":{)" + args + "}}";
        first = false;
    };
    const auto launch = [&](const char* name, int at, int kernelAt, int kernelDur, int id) {
        const std::string link = R"("correlation":)" + std::to_string(id);
        add("cuda_runtime", "cudaLaunchKernel", 100, 100, at, 12, link);
        add("kernel", name, 0, 7, kernelAt, kernelDur, R"("device":0,"stream":7,)" + link);
    };
    add("user_annotation", "log <loss> & more", 100, 100, 0, 1400, "");
    launch("ampere_sgemm_128x64_nn", 20, 40, 150, 1);
    launch("relu_kernel", 120, 195, 140, 2);
    add("cuda_runtime", "cudaStreamSynchronize", 100, 100, 230, 130, R"("correlation":3)");
    add("cpu_op", "preprocess", 100, 100, 380, 600, "");
    launch("ampere_sgemm_128x64_nn", 1020, 1040, 200, 4);
    launch("ncclDevKernel_AllReduce", 1050, 1245, 100, 5);
    return rows + "]}";
}

struct SvgRect {
    QRectF rect;
    QString fill;
};

struct SvgText {
    QString text, size, weight, family;
    double x = 0, y = 0, length = 0;
};

// What a reader of the document sees: attributes of groups handed down.
struct Svg {
    QString error, width, height, viewBox, title, description;
    QList<SvgRect> rects;
    QList<SvgText> texts;
    QStringList elements;

    QStringList strings() const {
        QStringList list;
        for (const SvgText& text : texts)
            list << text.text;
        return list;
    }
    bool hasRect(double x, double wide, const QString& fill) const {
        return std::any_of(rects.begin(), rects.end(), [&](const SvgRect& r) {
            return std::abs(r.rect.x() - x) < 0.011 && std::abs(r.rect.width() - wide) < 0.011 &&
                   r.fill == fill;
        });
    }
};

Svg parsed(const QByteArray& bytes) {
    Svg svg;
    QXmlStreamReader xml(bytes);
    QList<QMap<QString, QString>> inherited{{}};
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isEndElement())
            inherited.pop_back();
        if (!xml.isStartElement())
            continue;
        QMap<QString, QString> now = inherited.back();
        for (const QXmlStreamAttribute& attribute : xml.attributes())
            now[attribute.name().toString()] = attribute.value().toString();
        inherited.push_back(now);
        const QString name = xml.name().toString();
        svg.elements << name;
        if (name == u"svg") {
            svg.width = now[QStringLiteral("width")];
            svg.height = now[QStringLiteral("height")];
            svg.viewBox = now[QStringLiteral("viewBox")];
        } else if (name == u"rect") {
            svg.rects.push_back(
                {QRectF(now[QStringLiteral("x")].toDouble(), now[QStringLiteral("y")].toDouble(),
                        now[QStringLiteral("width")].toDouble(), now[QStringLiteral("height")].toDouble()),
                 now[QStringLiteral("fill")]});
        } else if (name == u"title" || name == u"desc") {
            (name == u"title" ? svg.title : svg.description) = xml.readElementText();
            inherited.pop_back();
        } else if (name == u"text") {
            SvgText text;
            text.x = now[QStringLiteral("x")].toDouble();
            text.y = now[QStringLiteral("y")].toDouble();
            text.length = now[QStringLiteral("textLength")].toDouble();
            text.size = now[QStringLiteral("font-size")];
            text.weight = now[QStringLiteral("font-weight")];
            text.family = now[QStringLiteral("font-family")];
            text.text = xml.readElementText();
            inherited.pop_back();
            svg.texts.push_back(text);
        }
    }
    svg.error = xml.hasError() ? xml.errorString() : QString();
    return svg;
}

QString colourOf(Theme theme, Ink role) {
    return ThemePalette::of(theme).color(role).name();
}

QByteArray inflated(const QByteArray& pdf, qsizetype stream, qsizetype end) {
    const QByteArray packed = pdf.mid(stream, end - stream);
    return qUncompress(QByteArray("\0\1\0\0", 4) + packed); // the length is a hint only
}

// The objects of a PDF by number; offsets of its table are checked on the way.
QMap<int, QByteArray> objectsOf(const QByteArray& pdf, QString& wrong) {
    QMap<int, QByteArray> objects;
    const qsizetype start = pdf.lastIndexOf("startxref\n") + 10;
    const qsizetype table = pdf.mid(start, pdf.indexOf('\n', start) - start).toLongLong();
    if (pdf.mid(table, 5) != "xref\n")
        wrong = QStringLiteral("startxref");
    const QList<QByteArray> lines = pdf.mid(table).split('\n');
    for (int i = 1; i + 2 < lines.size() && lines[i + 2].size() == 19; ++i) {
        const qsizetype at = lines[i + 2].first(10).toLongLong();
        const QByteArray name = QByteArray::number(i) + " 0 obj\n";
        if (pdf.mid(at, name.size()) != name)
            wrong = QStringLiteral("object %1").arg(i);
        objects[i] = pdf.mid(at, pdf.indexOf("\nendobj\n", at) - at);
    }
    return objects;
}

int referenceIn(const QByteArray& object, const QByteArray& key) {
    const QRegularExpression pattern(QString::fromLatin1(key) + QStringLiteral("\\s*\\[?(\\d+) 0 R"));
    return pattern.match(QString::fromLatin1(object)).captured(1).toInt();
}

// Strings that a reader would find: codes of each text object through the font's table.
QStringList textsOf(const QByteArray& pdf) {
    QString wrong;
    const QMap<int, QByteArray> objects = objectsOf(pdf, wrong);
    QMap<QString, QMap<QString, QChar>> fonts; // resource name -> code -> letter
    QByteArray content;
    for (const QByteArray& object : objects) {
        if (object.contains("/Type /Page\n")) {
            const QByteArray stream = objects[referenceIn(object, "/Contents")];
            content = inflated(stream, stream.indexOf("stream\n") + 7, stream.lastIndexOf("\nendstream"));
        }
        static const QRegularExpression use(QStringLiteral("/(F\\d+) (\\d+) 0 R"));
        if (!object.contains("/Font <<"))
            continue;
        for (auto it = use.globalMatch(QString::fromLatin1(object)); it.hasNext();) {
            const auto match = it.next();
            const QByteArray font = objects[match.captured(2).toInt()];
            const QString map = QString::fromLatin1(objects[referenceIn(font, "/ToUnicode")]);
            static const QRegularExpression range(
                QStringLiteral("<([0-9A-F]{4})> <[0-9A-F]{4}> \\[([^\\]]*)\\]"));
            for (auto r = range.globalMatch(map); r.hasNext();) {
                const auto found = r.next();
                int code = found.captured(1).toInt(nullptr, 16);
                for (const QString& letter : found.captured(2).split(QLatin1Char(' '), Qt::SkipEmptyParts))
                    fonts[match.captured(1)]
                         [QStringLiteral("%1").arg(code++, 4, 16, QLatin1Char('0')).toUpper()] =
                             QChar(letter.mid(1, 4).toUShort(nullptr, 16));
            }
        }
    }
    QStringList texts;
    static const QRegularExpression object(QStringLiteral("BT\n/(F\\d+) .*?\nET"),
                                           QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression glyph(QStringLiteral("<([0-9A-F]{4})> Tj"));
    for (auto it = object.globalMatch(QString::fromLatin1(content)); it.hasNext();) {
        const auto match = it.next();
        QString text;
        for (auto g = glyph.globalMatch(match.captured(0)); g.hasNext();)
            text += fonts[match.captured(1)][g.next().captured(1)];
        texts << text;
    }
    return texts;
}

} // namespace
#endif

class TstFigureFormats : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void svg_hasSizeAndViewBox_data();
    void svg_hasSizeAndViewBox();
    void svg_barsStandWhereTheirTimesAre();
    void svg_barsEqualTheFrame();
    void svg_pixelsOfThePngAgree();
    void svg_textIsText();
    void svg_nothingReachesOutOfTheLanes();
    void svg_colours_areThoseOfTheTheme();
    void svg_dense_staysSmall();
    void svg_counter_isOnePolygon();
    void pdf_pageHasTheExactSize();
    void pdf_textCanBeExtracted();
    void pdf_objectsAreInOrder_withoutTime();
    void pdf_canonicalForm_refusesOthers();
    void bytes_areEqualTwice();
    void altText_saysWhatIsShown();
    void png_carriesTitleAndAltText();
    void format_isChosenByEnding();
    void xml_isEscaped_data();
    void xml_isEscaped();

private:
    FigureInput input() const;
    QByteArray bytes(const FigureInput& in, FigureFormat format) const {
        const auto made = figureBytes(in, m_fonts, format);
        return made ? *made : QByteArray();
    }

    LoadedView m_loaded;
    FigureFonts m_fonts = FigureFonts::load();
};

void TstFigureFormats::initTestCase() {
    m_loaded = viewOfJson(oneGapStep());
    QVERIFY(m_loaded);
    QVERIFY(m_fonts.isComplete());
    QCOMPARE(m_loaded.gaps->gaps().size(), std::size_t{3});
}

// Lanes are 960 - 40 - 176 - 40 = 704 pixels wide and begin at 216; a view holds one pixel less of time than
// it has pixels: 2 us a pixel.
FigureInput TstFigureFormats::input() const {
    FigureInput in;
    in.trace = m_loaded.trace.get();
    in.gaps = m_loaded.gaps.get();
    in.gap = m_loaded.gaps->byRank()[0];
    in.range = {{0}, {1'406'000}};
    in.size = {960, 640};
    in.title = QStringLiteral("A \"title\" <of> me & you");
    in.subtitle = QStringLiteral("Under it.");
    in.sha256 = QStringLiteral("0123456789abcdef");
    return in;
}

void TstFigureFormats::svg_hasSizeAndViewBox_data() {
    QTest::addColumn<double>("scale");
    QTest::addColumn<QString>("viewBox");
    QTest::newRow("1") << 1.0 << QStringLiteral("0 0 960 640");
    QTest::newRow("2") << 2.0 << QStringLiteral("0 0 1920 1280");
    QTest::newRow("half") << 0.5 << QStringLiteral("0 0 480 320");
}

void TstFigureFormats::svg_hasSizeAndViewBox() {
    QFETCH(double, scale);
    FigureInput in = input();
    in.scale = scale;
    in.range.end = TimeNs{static_cast<std::int64_t>((704 * scale - 1) * 2'000 / scale)};
    const Svg svg = parsed(bytes(in, FigureFormat::Svg));
    QCOMPARE(svg.error, QString());
    QCOMPARE(svg.width, QStringLiteral("960"));
    QCOMPARE(svg.height, QStringLiteral("640"));
    QTEST(svg.viewBox, "viewBox");
    QCOMPARE(svg.title, in.title);
    QCOMPARE(svg.description, figureAltText(in));
    // The first kernel, 40 to 190 us.
    QVERIFY(svg.hasRect((216 + 20) * scale, 75 * scale, colourOf(Theme::Light, Ink::Kernel)));
}

void TstFigureFormats::svg_barsStandWhereTheirTimesAre() {
    const Svg svg = parsed(bytes(input(), FigureFormat::Svg));
    const QString kernel = colourOf(Theme::Light, Ink::Kernel), ground = colourOf(Theme::Light, Ink::Ground);
    QVERIFY(svg.hasRect(216 + 20, 75, kernel));                                        // 40..190 us
    QVERIFY(svg.hasRect(216 + 97.5, 70, kernel));                                      // 195..335
    QVERIFY(svg.hasRect(216 + 520, 100, kernel));                                      // 1040..1240
    QVERIFY(svg.hasRect(216 + 622.5, 50, colourOf(Theme::Light, Ink::Communication))); // 1245..1345
    QVERIFY(svg.hasRect(216 + 115, 65, colourOf(Theme::Light, Ink::Wait)));            // 230..360
    QVERIFY(svg.hasRect(216 + 190, 300, colourOf(Theme::Light, Ink::Operator)));       // 380..980
    // The gap 335..1040: the mark holds the whole pixels 168..520.
    QVERIFY(svg.hasRect(216 + 168, 352, ground));
}

// Every bar of one event is one rectangle, every column of several one pixel.
void TstFigureFormats::svg_barsEqualTheFrame() {
    FigureInput in = input();
    in.scale = 2;
    const FigureComposition figure(in, m_fonts);
    const Svg svg = parsed(bytes(in, FigureFormat::Svg));
    const double left = figure.plan().lanes.left() * in.scale, top = figure.plan().lanes.top() * in.scale;
    int bars = 0;
    for (const LaneFrame& lane : figure.frame().lanes)
        for (const Bar& bar : lane.bars) {
            double x0 = bar.x0, x1 = bar.x1;
            if (bar.count == 1 && x1 - x0 > 1) {
                x0 += 1 - static_cast<double>(bar.head);
                x1 -= 1 - static_cast<double>(bar.tail);
            }
            const QRectF expected(left + x0, top + lane.stripY(bar.strip), x1 - x0, lane.heightOf(bar.strip));
            const bool found = std::any_of(svg.rects.begin(), svg.rects.end(), [&](const SvgRect& r) {
                return std::abs(r.rect.x() - expected.x()) < 0.011 && r.rect.top() == expected.top() &&
                       r.rect.height() == expected.height() &&
                       std::abs(r.rect.width() - expected.width()) < 0.021;
            });
            QVERIFY2(found, qPrintable(QStringLiteral("%1..%2").arg(bar.x0).arg(bar.x1)));
            ++bars;
        }
    QCOMPARE(bars, 11); // the rows of the trace
}

// A row of pixels of the PNG and the rectangles that lie over it tell the same bars.
void TstFigureFormats::svg_pixelsOfThePngAgree() {
    const FigureInput in = input();
    const QImage png = paintFigure(in, m_fonts);
    const Svg svg = parsed(bytes(in, FigureFormat::Svg));
    const QString kernel = colourOf(Theme::Light, Ink::Kernel);
    int checked = 0;
    for (const SvgRect& r : svg.rects) {
        if (r.fill != kernel || r.rect.width() < 60)
            continue;
        const int y = static_cast<int>(r.rect.top()) + 1; // over the label
        const auto isKernel = [&](double x) {
            return png.pixelColor(static_cast<int>(x), y).name() == kernel;
        };
        QVERIFY(isKernel(r.rect.left() + 1) && isKernel(r.rect.right() - 1.5));
        QVERIFY(!isKernel(r.rect.left() - 1.5) && !isKernel(r.rect.right() + 1));
        ++checked;
    }
    QCOMPARE(checked, 3);
}

void TstFigureFormats::svg_textIsText() {
    const Svg svg = parsed(bytes(input(), FigureFormat::Svg));
    const QStringList strings = svg.strings();
    QCOMPARE(strings.count(QStringLiteral("A \"title\" <of> me & you")), 1);
    QCOMPARE(strings.count(QStringLiteral("Under it.")), 1);
    QCOMPARE(strings.count(QStringLiteral("705.0 %1s").arg(QChar(0xb5))), 1); // the gap's label
    QCOMPARE(strings.count(QStringLiteral("log <loss> & more")), 1);
    QStringList axis;
    for (const SvgText& text : svg.texts)
        if (text.y < 127 && text.size == QStringLiteral("12.5"))
            axis << text.text;
    QCOMPARE(axis,
             (QStringList{QStringLiteral("0.0 ms"), QStringLiteral("0.5 ms"), QStringLiteral("1.0 ms")}));
    // Heads, labels of bars, legend and provenance: each string once, none cut into runs.
    const int expected = static_cast<int>(strings.size());
    QCOMPARE(svg.elements.count(QStringLiteral("text")), expected);
    QCOMPARE(expected, 33); // as counted on the picture
    for (const SvgText& text : svg.texts) {
        QVERIFY2(text.family.contains(QStringLiteral("Inter, ")) &&
                     text.family.endsWith(QStringLiteral("sans-serif")),
                 qPrintable(text.text));
        QVERIFY2(text.length > 0, qPrintable(text.text));
    }
    const auto title = std::find_if(svg.texts.begin(), svg.texts.end(),
                                    [](const SvgText& text) { return text.size == QStringLiteral("23"); });
    QVERIFY(title != svg.texts.end());
    QCOMPARE(title->weight, QStringLiteral("600"));
    QCOMPARE(QPointF(title->x, title->y), QPointF(40, 54));
    QVERIFY(!svg.elements.contains(QStringLiteral("image")));
    QVERIFY(!svg.elements.contains(QStringLiteral("pattern")));
    QVERIFY(!svg.elements.contains(QStringLiteral("mask")));
}

// No clipping in the format: bars of a trace longer than the view are cut by geometry.
void TstFigureFormats::svg_nothingReachesOutOfTheLanes() {
    FigureInput in = input();
    in.range = {{100'000}, {1'100'000}};
    const Svg svg = parsed(bytes(in, FigureFormat::Svg));
    const QString kernel = colourOf(Theme::Light, Ink::Kernel);
    int kernels = 0;
    for (const SvgRect& r : svg.rects)
        if (r.rect.top() > 130 && r.rect.left() >= 216) {
            QVERIFY2(r.rect.right() <= 920.011, qPrintable(QString::number(r.rect.right())));
            kernels += r.fill == kernel && r.rect.width() > 20 ? 1 : 0;
        }
    QCOMPARE(kernels, 3);
}

void TstFigureFormats::svg_colours_areThoseOfTheTheme() {
    for (const Theme theme : {Theme::Light, Theme::Dark, Theme::Print}) {
        FigureInput in = input();
        in.theme = theme;
        const Svg svg = parsed(bytes(in, FigureFormat::Svg));
        QCOMPARE(svg.rects.front().rect, QRectF(0, 0, 960, 640));
        QCOMPARE(svg.rects.front().fill, colourOf(theme, Ink::Ground));
        QVERIFY(svg.hasRect(216 + 20, 75, colourOf(theme, Ink::Kernel)));
    }
}

// 30,000 kernels: at most one rectangle a pixel and strip.
void TstFigureFormats::svg_dense_staysSmall() {
    std::string json = R"({"traceEvents":[)";
    for (int i = 0; i < 30'000; ++i)
        json += std::string(i > 0 ? "," : "") +
                R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":)" + std::to_string(4 * i) +
                R"(,"dur":)" + std::to_string(1 + i % 3) + R"(,"args":{"device":0,"stream":7}})";
    const LoadedView loaded = viewOfJson(json + "]}");
    QVERIFY(loaded);
    FigureInput in;
    in.trace = loaded.trace.get();
    in.gaps = loaded.gaps.get();
    in.range = loaded.trace->window();
    in.size = {1920, 1080};
    const QByteArray svg = bytes(in, FigureFormat::Svg), pdf = bytes(in, FigureFormat::Pdf);
    const Svg read = parsed(svg);
    QCOMPARE(read.error, QString());
    QVERIFY2(read.rects.size() < 1920, qPrintable(QString::number(read.rects.size())));
    QVERIFY2(svg.size() < 200'000, qPrintable(QString::number(svg.size())));
    QVERIFY2(!pdf.isEmpty() && pdf.size() < 100'000, qPrintable(QString::number(pdf.size())));
}

void TstFigureFormats::svg_counter_isOnePolygon() {
    std::string json = R"({"traceEvents":[)";
    for (int i = 0; i < 50; ++i)
        json += std::string(i > 0 ? "," : "") + R"({"ph":"C","name":"queue","pid":1,"ts":)" +
                std::to_string(20 * i) + R"(,"args":{"length":)" + std::to_string(i % 7) + "}}";
    json += R"(,{"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":1,"ts":0,"dur":1000}]})";
    const LoadedView loaded = viewOfJson(json);
    QVERIFY(loaded);
    FigureInput in;
    in.trace = loaded.trace.get();
    in.gaps = loaded.gaps.get();
    in.range = loaded.trace->window();
    in.size = {960, 640};
    in.showLegend = false;
    const Svg svg = parsed(bytes(in, FigureFormat::Svg));
    QCOMPARE(svg.elements.count(QStringLiteral("polygon")), 1);
    QVERIFY(svg.strings().contains(QStringLiteral("max 6")));
}

void TstFigureFormats::pdf_pageHasTheExactSize() {
    FigureInput in = input();
    in.size = {961, 641}; // 720.75 x 480.75 points
    const QByteArray pdf = bytes(in, FigureFormat::Pdf);
    static const QRegularExpression box(QStringLiteral("/MediaBox \\[(\\S+) (\\S+) (\\S+) (\\S+)\\]"));
    const auto match = box.match(QString::fromLatin1(pdf));
    QVERIFY(match.hasMatch());
    QCOMPARE(match.captured(3).toDouble() - match.captured(1).toDouble(), 720.75);
    QCOMPARE(match.captured(4).toDouble() - match.captured(2).toDouble(), 480.75);
    QCOMPARE(pdf.count("/Type /Page\n"), 1);
}

void TstFigureFormats::pdf_textCanBeExtracted() {
    const QStringList texts = textsOf(bytes(input(), FigureFormat::Pdf));
    const QStringList svg = parsed(bytes(input(), FigureFormat::Svg)).strings();
    QVERIFY(texts.contains(QStringLiteral("A \"title\" <of> me & you")));
    QVERIFY(texts.contains(QStringLiteral("705.0 %1s").arg(QChar(0xb5))));
    QCOMPARE(texts, svg);
}

void TstFigureFormats::pdf_objectsAreInOrder_withoutTime() {
    const QByteArray pdf = bytes(input(), FigureFormat::Pdf);
    QString wrong;
    const QMap<int, QByteArray> objects = objectsOf(pdf, wrong);
    QCOMPARE(wrong, QString());
    QVERIFY(objects.size() > 20);
    QVERIFY(!pdf.contains("CreationDate") && !pdf.contains("ModDate") && !pdf.contains("/ID"));
    QVERIFY(pdf.contains("/Subject <FEFF"));
    QCOMPARE(pdf.count("/FontFile2 "), 3); // regular, medium, semibold
    static const QRegularExpression reference(QStringLiteral("(\\d+) 0 R"));
    for (const QByteArray& object : objects)
        for (auto it = reference.globalMatch(QString::fromLatin1(object)); it.hasNext();)
            QVERIFY(objects.contains(it.next().captured(1).toInt()));
}

void TstFigureFormats::pdf_canonicalForm_refusesOthers() {
    QVERIFY(!canonicalPdf("", {}));
    QVERIFY(!canonicalPdf("%PDF-1.4\nstartxref\n9\n%%EOF", {}));
    QByteArray cut = bytes(input(), FigureFormat::Pdf);
    QVERIFY(canonicalPdf(cut, {QSizeF(720, 480), {}}));
    cut.replace("endobj", "endbjo");
    QVERIFY(!canonicalPdf(cut, {}));
}

// Across processes: tst_render_verb.
void TstFigureFormats::bytes_areEqualTwice() {
    for (const FigureFormat format : {FigureFormat::Png, FigureFormat::Svg, FigureFormat::Pdf}) {
        const QByteArray first = bytes(input(), format);
        QVERIFY(!first.isEmpty());
        QVERIFY2(first == bytes(input(), format), qPrintable(endingOf(format)));
    }
}

void TstFigureFormats::altText_saysWhatIsShown() {
    AnnotationSet set;
    Callout note;
    note.laneKey = "lane/gpu_stream/0/7";
    note.time = {500'000};
    note.title = "The gap";
    note.text = "Nothing\nruns.";
    set.apply(AnnotationEdit::add(note));
    FigureInput in = input();
    in.annotations = &set;
    const QStringList lines = figureAltText(in).split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 6);
    QCOMPARE(lines[0], in.title);
    QCOMPARE(lines[1], in.subtitle);
    QCOMPARE(lines[2],
             QStringLiteral("Timeline of test.json, 0.000 %1 1.406 ms of 1.400 ms since trace start.")
                 .arg(QChar(0x2013)));
    // 150 + 140 + 200 + 100 us busy of 1406; idle 5 + 705 + 5.
    QCOMPARE(
        lines[3],
        QStringLiteral("In this time GPU 0 is busy 42.0 % (590.0 %1s) and idle 715.0 %1s.").arg(QChar(0xb5)));
    QVERIFY(lines[4].startsWith(QStringLiteral("Idle gap of 705.0 %1s on GPU 0: ").arg(QChar(0xb5))));
    QCOMPARE(lines[5], QStringLiteral("Note 1: The gap: Nothing runs."));
}

void TstFigureFormats::png_carriesTitleAndAltText() {
    const QImage read = QImage::fromData(bytes(input(), FigureFormat::Png), "png");
    QVERIFY(read == paintFigure(input(), m_fonts));
    QCOMPARE(read.text(QStringLiteral("Title")), input().title);
    QCOMPARE(read.text(QStringLiteral("Description")), figureAltText(input()));
    QVERIFY(read.text(QStringLiteral("Software")).startsWith(QStringLiteral("Lacuna ")));
}

void TstFigureFormats::format_isChosenByEnding() {
    QCOMPARE(figureFormatOf(QStringLiteral("a.png")), std::optional(FigureFormat::Png));
    QCOMPARE(figureFormatOf(QStringLiteral("a.b.SVG")), std::optional(FigureFormat::Svg));
    QCOMPARE(figureFormatOf(QStringLiteral("/x/a.Pdf")), std::optional(FigureFormat::Pdf));
    QVERIFY(!figureFormatOf(QStringLiteral("a.svgz")));
    QVERIFY(!figureFormatOf(QStringLiteral("pdf")));
}

void TstFigureFormats::xml_isEscaped_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("xml");
    QTest::newRow("signs") << QStringLiteral("<a & \"b\" 'c'>")
                           << QByteArray("&lt;a &amp; &quot;b&quot; &apos;c&apos;&gt;");
    QTest::newRow("controls") << QStringLiteral("a\tb\nc\x01") << QByteArray("a\tb\nc\xef\xbf\xbd");
    QTest::newRow("pair") << QString::fromUtf8("\xf0\x9f\x98\x80") << QByteArray("\xf0\x9f\x98\x80");
    QTest::newRow("half a pair") << QString(QChar(0xd83d)) << QByteArray("\xef\xbf\xbd");
    QTest::newRow("no letter") << QString(QChar(0xffff)) << QByteArray("\xef\xbf\xbd");
}

void TstFigureFormats::xml_isEscaped() {
    QFETCH(QString, text);
    QTEST(escapedXml(text), "xml");
}

LACUNA_TEST(TstFigureFormats, "tst_figure_formats")

} // namespace tst_figure_formats

#include "tst_figure_formats.moc"
