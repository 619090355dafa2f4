// Every text of the window asks for a translation: with a language that puts all of them in « », what stands
// outside comes from the trace or from the core, whose sentences and report columns are those of the command
// line. The same texts, four tenths longer, still fit.

#include "app/translations.h"
#include "core/analysis/expected_work.h"
#include "core/analysis/gap_cause.h"
#include "core/analysis/host_tree.h"
#include "core/analysis/kernel_family.h"
#include "core/base/text_format.h"
#include "core/document/completeness.h"
#include "core/findings/builtin.h"
#include "core/output/check_output.h"
#include "core/report/builtin.h"
#include "core/report/report_options.h"
#include "core/view/short_name.h"
#include "tests/support/paths.h"
#include "tests/support/pseudo_translator.h"
#include "tests/support/test_main.h"
#include "tests/support/text_recorder.h"
#include "tests/support/window_tour.h"
#include "widgets/export/export_dialog.h"
#include "widgets/tables/report_job.h"
#include "widgets/terms.h"
#include "widgets/text.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QRegularExpression>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTabBar>
#include <QTextBrowser>
#include <QTextDocumentFragment>
#include <QToolButton>
#include <QXmlStreamReader>

#include <algorithm>
#include <cstdio>

namespace tst_translations {

using namespace lacuna;
using namespace lacuna::ui;
using namespace lacuna::test;

namespace {

// Of Qt's tools for translators; empty where it is not installed.
QString qtTool(const QString& name) {
    const QString found = QStandardPaths::findExecutable(name);
    return found.isEmpty() ? QStandardPaths::findExecutable(name, {u"/usr/lib/qt6/bin"_s}) : found;
}

constexpr int kMostCells = 400; // of a table; further rows say the same

struct Shown {
    QString where, text;
};

void addTo(std::vector<Shown>& all, const QString& where, const QString& text) {
    if (!text.isEmpty())
        all.push_back({where, text});
}

void addView(std::vector<Shown>& all, const QString& where, const QAbstractItemView& view) {
    const QAbstractItemModel* model = view.model();
    if (model == nullptr)
        return;
    for (int c = 0; c < model->columnCount(); ++c) {
        addTo(all, where + u" header"_s, model->headerData(c, Qt::Horizontal).toString());
        addTo(all, where + u" header tip"_s,
              model->headerData(c, Qt::Horizontal, Qt::ToolTipRole).toString());
    }
    int cells = 0;
    for (int r = 0; r < model->rowCount() && cells < kMostCells; ++r)
        for (int c = 0; c < model->columnCount(); ++c, ++cells) {
            const QModelIndex index = model->index(r, c);
            addTo(all, where + u" cell"_s, index.data().toString());
            addTo(all, where + u" cell tip"_s, index.data(Qt::ToolTipRole).toString());
        }
}

QString nameOf(const QWidget& widget) {
    const QString id = widget.objectName();
    return QString::fromLatin1(widget.metaObject()->className()) + (id.isEmpty() ? QString() : u" "_s + id);
}

// All that the widget says by itself.
std::vector<Shown> textsOf(QWidget& widget) {
    std::vector<Shown> all;
    const QString where = nameOf(widget);
    addTo(all, where + u" tip"_s, widget.toolTip());
    addTo(all, where + u" name"_s, widget.accessibleName());
    addTo(all, where + u" description"_s, widget.accessibleDescription());
    if (widget.isWindow())
        addTo(all, where + u" title"_s, widget.windowTitle());
    if (const auto* label = qobject_cast<QLabel*>(&widget))
        addTo(all, where, label->text());
    if (const auto* button = qobject_cast<QAbstractButton*>(&widget))
        addTo(all, where, button->text());
    if (const auto* edit = qobject_cast<QLineEdit*>(&widget))
        addTo(all, where + u" placeholder"_s, edit->placeholderText());
    if (const auto* box = qobject_cast<QGroupBox*>(&widget))
        addTo(all, where, box->title());
    if (const auto* combo = qobject_cast<QComboBox*>(&widget))
        for (int i = 0; i < combo->count(); ++i)
            if (i == 0 || widget.objectName() != u"option.sort"_s) // then columns of the report
                addTo(all, where + u" item"_s, combo->itemText(i));
    if (const auto* spin = qobject_cast<QSpinBox*>(&widget))
        addTo(all, where + u" suffix"_s, spin->suffix());
    if (const auto* tabs = qobject_cast<QTabBar*>(&widget))
        for (int i = 0; i < tabs->count(); ++i)
            addTo(all, where + u" tab"_s, tabs->tabText(i));
    if (const auto* menu = qobject_cast<QMenu*>(&widget))
        for (const QAction* action : menu->actions())
            addTo(all, where + u" entry"_s, action->text());
    // Tables of reports, plots and figures say what the core says, in its words.
    const auto* view = qobject_cast<QAbstractItemView*>(&widget);
    if (widget.inherits("lacuna::ui::ReportTableView") || widget.inherits("lacuna::ui::PlotView"))
        return {};
    if (view != nullptr && !qobject_cast<QHeaderView*>(&widget))
        addView(all, where, *view);
    if (QString::fromLatin1(widget.metaObject()->className()).startsWith(u"lacuna::"_s) && view == nullptr)
        for (const QString& text : paintedTexts(widget))
            addTo(all, where + u" painted"_s, text);
    return all;
}

// What may stand outside: texts of the open trace, sentences of the core about it, proper names and units.
class KnownTexts {
public:
    KnownTexts() {
        for (const char* name :
             {"Lacuna", "PNG",    "SVG",    "PDF",    "KiB",      "MiB",      "GiB",       "FLOP",   "Qt",
              "Ctrl",   "Shift",  "Alt",    "Esc",    "Enter",    "Del",      "Backspace", "Return", "Space",
              "PgUp",   "PgDown", "PgDn",   "Home",   "End",      "Up",       "Down",      "Left",   "Right",
              "Tab",    "drag",   "a.json", "b.json", "bad.json", "cut.json", "traces.zip"})
            add(QLatin1String(name));
        for (const ReportSpec& report : builtinReports()) {
            add(text(report.name));
            add(text(report.summary));
        }
        for (const ReportOptionInfo& option : reportOptions()) { // of the command line too
            add(text(option.title));
            add(text(option.help));
            for (const std::string_view choice : option.choices)
                add(text(choice));
        }
    }
    // Again when another trace is open.
    void readFrom(WindowFixture& fixture) {
        const Document* document = fixture.session().document();
        for (const auto* table : fixture.window().findChildren<ReportTableView*>())
            if (const auto shown = table->rows().table(); shown != nullptr)
                for (const std::string& note : shown->notes()) // sentences of the core
                    add(text(note));
        for (const Callout& note : fixture.session().annotations().callouts()) {
            add(text(note.title));
            add(text(note.text));
        }
        if (const EventId event = fixture.session().selection().event())
            if (const auto details = fixture.session().details(event))
                for (const auto& [name, value] : (*details).fields) {
                    add(text(name));
                    add(text(value));
                }
        if (fixture.session().failure()) {
            const Error& error = fixture.session().failure()->error;
            for (const std::string& part : {error.detail, error.place, error.remedy})
                add(text(part));
            add(fixture.session().failure()->path);
        }
        if (document != nullptr && fixture.session().selection().range())
            addExpectedWork(*document, *fixture.session().selection().range());
        if (document == nullptr || document == m_read)
            return;
        m_read = document;
        const Trace& trace = document->trace();
        for (std::uint32_t i = 0; i < trace.strings().size(); ++i) {
            const std::string_view one = trace.strings().view(StringId{i});
            add(text(one));
            for (const std::string& form : shortNames(one, EventKind::Kernel))
                add(text(form));
        }
        add(text(trace.facts().fileName));
        add(text(checkVerdict(trace, document->completeness)));
        add(document->path);
        for (std::uint32_t t = 0; t < trace.threads().size(); ++t)
            add(text(trace.threadTitle(ThreadId{t})));
        for (const TimelineRow& row : fixture.view().layout().rows())
            for (const std::string& part : {row.title, row.subtitle, row.detail, row.secondLine})
                add(text(part));
        for (std::uint32_t lane = 0; lane < trace.lanes().size(); ++lane)
            add(text(trace.strings().view(trace.lane(LaneId{lane}).title)));
        for (const Issue& note : document->notes)
            for (const std::string_view part : {std::string_view(note.message), std::string_view(note.code),
                                                std::string_view(note.first.table), remedyOf(note)})
                add(text(part));
        for (const CaptureItem& item : document->completeness.contents.items) {
            add(text(item.title));
            add(text(item.howTo));
        }
        for (const auto& [name, version] : document->completeness.contents.software) {
            add(text(name));
            add(text(version));
        }
        for (const GapGroup& group : document->gaps->groups())
            add(text(group.where)
                    .replace(u'‹', u'“')
                    .replace(u'›', u'”')
                    .replace(u" < "_s, u" ‹ "_s)); // as the table sets it
        addFindings(*document);
        for (const GapId gap : document->gaps->byRank())
            addStory(document->gaps->explain(document->gaps->gap(gap)));
    }
    void add(const QString& known) {
        if (!known.isEmpty())
            m_all += plain(known) + u'\n';
    }
    // Every piece of letters of the text is one of the above, or a part of one between its words.
    QString firstUnknown(const QString& shown) const {
        static const QRegularExpression kPieces(u"[\\n·•…→✕(),:;+‹]|\\s[–-]\\s|  +|\\t"_s),
            kLetters(u"[A-Za-z]{3,}"_s), kEdges(u"^[^A-Za-z_<]+|[^A-Za-z_>)]+$"_s);
        if (shown.startsWith(u"ncu "_s) || shown.contains(u">ncu "_s))
            return {}; // a command to copy
        const QString outside = outsideOfMarks(shown);
        static const QRegularExpression kFigures(u"[\\d.\u2009]+ (ns|µs|ms|s)\\b"_s);
        for (QString line : outside.split(u'\n')) {
            line = plain(line).replace(kFigures, u"·"_s);
            if (!line.contains(kLetters) || holds(line))
                continue;
            const bool isCut = line.contains(u'…'); // in the middle of a word, perhaps
            for (QString piece : line.split(kPieces)) {
                piece.remove(kEdges);
                if (piece.contains(kLetters) && !(isCut ? m_all.contains(piece) : holds(piece)))
                    return piece;
            }
        }
        return {};
    }

private:
    static QString plain(const QString& text) {
        QString simple =
            Qt::mightBeRichText(text) ? QTextDocumentFragment::fromHtml(text).toPlainText() : text;
        return simple.replace(u"&&"_s, u"&"_s).simplified();
    }
    bool holds(const QString& piece) const {
        qsizetype at = m_all.indexOf(piece);
        for (; at >= 0; at = m_all.indexOf(piece, at + 1)) {
            const bool begins = at == 0 || !m_all[at - 1].isLetter() || !piece.front().isLetter();
            const qsizetype end = at + piece.size();
            if (begins && (end == m_all.size() || !m_all[end].isLetter() || !piece.back().isLetter()))
                return true;
        }
        return false;
    }
    void addFindings(const Document& document) {
        std::vector<DeviceId> devices;
        for (std::uint32_t d = 0; d < document.trace().devices().size(); ++d)
            devices.push_back({d});
        JobControl job;
        JobDetails details(document.path, document.member);
        const AnalysisSettings settings;
        const auto found = details.with([&](DetailReader* reader) -> Result<std::vector<Finding>> {
            const auto context =
                makeFindingContext(document.trace(), reader, settings, devices, document.gaps, job);
            if (!context)
                return context.error();
            add(text((*context)->windowTitle));
            return findAll(**context, job);
        });
        if (!found)
            return;
        for (const Finding& finding : *found) {
            for (const std::string_view part : {finding.title, std::string_view(finding.suggests)})
                add(text(part));
            for (const auto* evidence : {&finding.supports, &finding.against})
                for (const Evidence& one : *evidence)
                    add(text(one.text));
            for (const std::string& test : finding.tests)
                add(text(test));
        }
    }
    // What the page of a range says about the work in it.
    void addExpectedWork(const Document& document, TimeRange range) {
        JobControl job;
        JobDetails details(document.path, document.member);
        const auto tree = HostTree::build(document.trace(), {false, false}, job);
        if (!tree)
            return;
        const auto work = details.with(
            [&](DetailReader* reader) { return expectedWork(document.trace(), *tree, reader, range, job); });
        if (!work)
            return;
        for (const ExpectedItem& item : (*work).items)
            for (const std::string& part : {item.title(), item.shape, item.verdict()})
                add(text(part));
        for (const WorkQuestion& question : (*work).questions)
            for (const std::string_view part :
                 {question.question, std::string_view(question.why), workAnswerName(question.answer)})
                add(text(part));
    }
    void addStory(const GapStory& story) {
        add(text(story.verdict));
        add(text(story.confidenceReason));
        for (const std::string& line : story.tries)
            add(text(line));
        for (const auto* notes : {&story.evidence, &story.against})
            for (const GapNote& note : *notes)
                add(text(note.text));
        for (const GapPiece& piece : story.pieces)
            add(text(piece.name));
        for (const HostPlace* place : {&story.blocking, &story.drainedBy, &story.heldBy, &story.launch})
            add(text(place->name));
    }

    QString m_all;
    const Document* m_read = nullptr;
};

// Controls that are too small for what stands on them.
QString clipped(const QWidget& widget) {
    const QSize wanted = widget.sizeHint();
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        if (label->text().isEmpty() || label->pixmap().isNull() == false)
            return {};
        if (label->wordWrap()) {
            const int height = label->heightForWidth(label->width());
            return height > label->height() ? u"height %1 of %2"_s.arg(label->height()).arg(height)
                                            : QString();
        }
        return wanted.width() > label->width() ? u"width %1 of %2"_s.arg(label->width()).arg(wanted.width())
                                               : QString();
    }
    static const QRegularExpression kLetter(u"[A-Za-z]{3}"_s);
    const auto* tool = qobject_cast<const QToolButton*>(&widget);
    if (tool != nullptr && (tool->arrowType() != Qt::NoArrow || !tool->text().contains(kLetter)))
        return {}; // a sign
    if (qobject_cast<const QAbstractButton*>(&widget) != nullptr &&
        QString::fromLatin1(widget.metaObject()->className()).startsWith(u'Q') &&
        wanted.width() > widget.width())
        return u"width %1 of %2"_s.arg(widget.width()).arg(wanted.width());
    return {};
}

} // namespace

class TstTranslations : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { qputenv("LACUNA_CACHE", "off"); }
    void everyText_asksForATranslation();
    void wordsOfTheCore_areListed();
    void asked_isWhatTranslatorsGet();
    void translation_isFoundInItsFolder();

private:
    PseudoTranslator m_pseudo;
};

void TstTranslations::everyText_asksForATranslation() {
    QCoreApplication::installTranslator(&m_pseudo);
    KnownTexts known;
    QStringList foreign, tooLong;
    std::size_t texts = 0;
    const QString missed = tourWindow([&](const TourStop& stop) {
        known.readFrom(stop.fixture);
        for (QWidget* widget : visibleWidgets(stop.window)) {
            // Of reports only the rows are of the trace; help pages and licences are documents.
            const bool isDocument =
                qobject_cast<QTextEdit*>(widget) != nullptr || widget->objectName() == u"kernelNotes"_s ||
                widget->objectName() == u"whatIfLimits"_s || widget->objectName() == u"reportNotes"_s;
            if (const auto* dialog = qobject_cast<const ExportDialog*>(&stop.window)) {
                known.add(defaultFigureTitle(dialog->input()));
                known.add(defaultFigureSubtitle(dialog->input()));
            }
            for (const Shown& shown : textsOf(*widget)) {
                ++texts;
                if (isDocument)
                    continue;
                const QString unknown = known.firstUnknown(shown.text);
                const QString line =
                    shown.where + u": "_s + unknown + u" in \""_s + shown.text.left(160) + u'"';
                if (!unknown.isEmpty() && !foreign.contains(line))
                    foreign << line;
            }
            const QString why = clipped(*widget);
            const auto own = textsOf(*widget);
            const QString line = stop.what + u": "_s + nameOf(*widget) + u' ' + why + u" \""_s +
                                 (own.empty() ? QString() : own.back().text.left(80)) + u'"';
            if (!why.isEmpty() && !tooLong.contains(line))
                tooLong << line;
        }
    });
    QCoreApplication::removeTranslator(&m_pseudo);
    QVERIFY2(missed.isEmpty(), qPrintable(u"not reached: "_s + missed));
    QVERIFY(texts > 2'000);
    if (qEnvironmentVariableIsSet("LACUNA_LIST_TEXTS")) // all of them, where the message below is cut
        std::fputs(qPrintable((foreign + tooLong).join(u'\n') + u'\n'), stderr);
    QVERIFY2(foreign.isEmpty(), qPrintable(u'\n' + foreign.join(u'\n')));
    QVERIFY2(tooLong.isEmpty(), qPrintable(u'\n' + tooLong.join(u'\n')));
}

void TstTranslations::wordsOfTheCore_areListed() {
    const auto isListed = [](std::string_view word) {
        return std::ranges::any_of(allTerms(), [word](const char* one) { return word == one; });
    };
    for (std::size_t c = 0; c < kGapClasses; ++c)
        QVERIFY2(isListed(classTitle(static_cast<GapClass>(c))), classTitle(static_cast<GapClass>(c)).data());
    for (std::size_t c = 0; c < kPieceClasses; ++c)
        QVERIFY2(isListed(pieceTitle(static_cast<PieceClass>(c))),
                 pieceTitle(static_cast<PieceClass>(c)).data());
    for (std::size_t i = 0; i < static_cast<std::size_t>(Ink::Count); ++i)
        if (const QString title = inkTitle(static_cast<Ink>(i)); !title.isEmpty())
            QVERIFY2(isListed(title.toStdString()), qPrintable(title));
    QCOMPARE(term(std::string_view("sync")), u"sync"_s); // as it is, where there is no translation
    QCOMPARE(term(std::string_view()), QString());
}

// lupdate, where it is installed, finds each text in the context in which the program asks for it.
void TstTranslations::asked_isWhatTranslatorsGet() {
    const QString lupdate = qtTool(u"lupdate"_s);
    if (lupdate.isEmpty())
        LACUNA_SKIP("lupdate is not installed (qt6-l10n-tools)");
    QVERIFY(!m_pseudo.asked().empty());
    QTemporaryDir folder;
    const QString file = folder.filePath(u"all.ts"_s), source = QString::fromStdString(inSource("").string());
    QProcess process;
    process.start(
        lupdate, {u"-silent"_s, u"-I"_s, source, source + u"/app"_s, source + u"/widgets"_s, u"-ts"_s, file});
    QVERIFY(process.waitForFinished(120'000));
    QFile ts(file);
    QVERIFY2(ts.open(QIODevice::ReadOnly), process.readAllStandardError().constData());
    std::set<std::pair<QString, QString>> listed;
    QString context;
    for (QXmlStreamReader xml(&ts); !xml.atEnd(); xml.readNext())
        if (xml.isStartElement() && xml.name() == u"name"_s)
            context = xml.readElementText();
        else if (xml.isStartElement() && xml.name() == u"source"_s)
            listed.emplace(context, xml.readElementText());
    QVERIFY(listed.size() > 500);
    QStringList lost;
    for (const auto& one : m_pseudo.asked()) {
        const bool isQt = !one.first.startsWith(u"lacuna::"_s) && one.first.startsWith(u'Q');
        if (!isQt && one.second.contains(QRegularExpression(u"[A-Za-z]"_s)) && !listed.contains(one))
            lost << one.first + u": "_s + one.second;
    }
    QVERIFY2(lost.isEmpty(), qPrintable(u'\n' + lost.join(u'\n')));
}

// A file as lrelease makes it, of one text, in the folder of a language.
void TstTranslations::translation_isFoundInItsFolder() {
    QTemporaryDir folder;
    QVERIFY(!installTranslations(*qApp, {folder.path()}, QLocale(QLocale::German)));
    const QString lrelease = qtTool(u"lrelease"_s);
    if (lrelease.isEmpty())
        LACUNA_SKIP("lrelease is not installed (qt6-l10n-tools)");
    QFile ts(folder.filePath(u"lacuna_de.ts"_s));
    QVERIFY(ts.open(QIODevice::WriteOnly));
    ts.write(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><!DOCTYPE TS><TS version=\"2.1\" language=\"de\"><context>"
        "<name>Menus</name><message><source>&amp;File</source><translation>&amp;Datei</translation></message>"
        "</context></TS>");
    ts.close();
    QCOMPARE(QProcess::execute(lrelease, {u"-silent"_s, ts.fileName()}), 0);
    QVERIFY(!installTranslations(*qApp, {folder.path()}, QLocale(QLocale::French)));
    QVERIFY(installTranslations(*qApp, {folder.path()}, QLocale(QLocale::German)));
    QCOMPARE(QCoreApplication::translate("Menus", "&File"), u"&Datei"_s);
    QCOMPARE(QCoreApplication::translate("Menus", "&Edit"), u"&Edit"_s);
}

LACUNA_TEST(TstTranslations, "tst_translations")

} // namespace tst_translations

#include "tst_translations.moc"
