// features.md A02: figures of the panels that are no reports (Gaps, Steps, findings, inspector), chosen at
// random, opened as a person opens them, and worked out again from what is selected then, by plain loops over
// the rows of the trace. Nothing here asks an analysis for a number.

#include "core/base/text_format.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/panels/inspector_widgets.h"
#include "widgets/tables/gap_table_model.h"
#include "widgets/tables/report_table_view.h"

#include <QRegularExpression>
#include <QSlider>
#include <QTextDocumentFragment>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace tst_evidence {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

namespace {

using Ns = std::int64_t;

QString words(const std::string& utf8) {
    return QString::fromStdString(utf8);
}
QString duration(Ns ns) {
    return words(formatDuration({ns}));
}
QString percent(Ns part, Ns whole) {
    return words(formatPercent(static_cast<double>(part) / static_cast<double>(whole)));
}
QString plain(const QLabel& label) {
    return label.textFormat() == Qt::RichText ? QTextDocumentFragment::fromHtml(label.text()).toPlainText()
                                              : label.text();
}

// ---- plain loops

std::vector<TimeRange> clipped(const std::vector<TimeRange>& ranges, TimeRange window) {
    std::vector<TimeRange> inside;
    for (const TimeRange& range : ranges)
        if (const TimeRange part{std::max(range.begin, window.begin), std::min(range.end, window.end)};
            part.begin < part.end)
            inside.push_back(part);
    return inside;
}

Ns sumOf(const std::vector<TimeRange>& ranges) {
    Ns sum = 0;
    for (const TimeRange& range : ranges)
        sum += (range.end - range.begin).v;
    return sum;
}

// Without overlaps, by begin.
std::vector<TimeRange> merged(std::vector<TimeRange> ranges) {
    std::ranges::sort(ranges, {}, [](const TimeRange& range) { return range.begin; });
    std::vector<TimeRange> all;
    for (const TimeRange& range : ranges)
        if (!all.empty() && range.begin <= all.back().end)
            all.back().end = std::max(all.back().end, range.end);
        else
            all.push_back(range);
    return all;
}

Ns unionOf(const std::vector<TimeRange>& ranges) {
    return sumOf(merged(ranges));
}

std::vector<TimeRange> rangesOf(const Trace& trace, const std::vector<EventId>& events) {
    std::vector<TimeRange> ranges;
    for (const EventId event : events)
        ranges.push_back({{trace.events().beginNs[event.v]}, {trace.events().endNs[event.v]}});
    return ranges;
}

bool isWork(const Trace& trace, std::uint32_t e) {
    const EventKind kind = trace.events().kind[e];
    return kind == EventKind::Kernel || kind == EventKind::Memcpy || kind == EventKind::Memset ||
           kind == EventKind::GraphLaunch;
}

// Of a device; none: of lanes without one.
std::vector<EventId> deviceWork(const Trace& trace, DeviceId device) {
    std::vector<EventId> work;
    for (std::uint32_t e = 0; e < trace.events().size(); ++e)
        if (isWork(trace, e) && trace.lane(trace.laneOf(EventId{e})).device == device)
            work.push_back(EventId{e});
    return work;
}

// Between the first and the last operation.
std::vector<TimeRange> idleOf(const Trace& trace, DeviceId device) {
    const std::vector<TimeRange> busy = merged(rangesOf(trace, deviceWork(trace, device)));
    std::vector<TimeRange> idle;
    for (std::size_t i = 1; i < busy.size(); ++i)
        idle.push_back({busy[i - 1].end, busy[i].begin});
    return idle;
}

std::vector<TimeRange> idleOfAll(const Trace& trace) {
    std::vector<TimeRange> idle;
    for (std::uint32_t d = 0; d < trace.devices().size(); ++d)
        for (const TimeRange& one : idleOf(trace, DeviceId{d}))
            idle.push_back(one);
    return idle;
}

Ns lowerMiddle(std::vector<Ns> values) {
    std::ranges::sort(values);
    return values[(values.size() - 1) / 2];
}

// ---- the window

class EvidenceFixture : public WindowFixture {
public:
    const Trace& trace() { return session().document()->trace(); }
    SelectionModel& selection() { return session().selection(); }
    QTreeView& gaps() { return *window().findChild<QTreeView*>(QStringLiteral("gapsTable")); }
    static void click(QAbstractItemView& view, const QModelIndex& index) {
        view.scrollTo(index);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(index).center());
    }
    InspectorPage* page() {
        for (InspectorPage* one : window().findChildren<InspectorPage*>())
            if (one->isVisible())
                return one;
        return nullptr;
    }
    // Lengths of the gaps that the rows below (a group, a line of small ones) lead to one after the other, as
    // far as they lie in `window`; empty where one of them is no time without work.
    std::vector<Ns> openedGaps(const QModelIndex& parent, const std::optional<TimeRange>& window) {
        const QAbstractItemModel& model = *gaps().model();
        gaps().expand(parent);
        const std::vector<TimeRange> idle = idleOfAll(trace());
        std::vector<Ns> lengths;
        for (int row = 0; row < model.rowCount(parent); ++row) {
            selection().set(Selection{}, Origin::Command);
            click(gaps(), model.index(row, GapTableModel::Total, parent));
            const auto time = view().selectedTime();
            if (!selection().gap() || !time || std::ranges::find(idle, *time) == idle.end())
                return {};
            lengths.push_back(window ? sumOf(clipped({*time}, *window)) : (time->end - time->begin).v);
        }
        return lengths;
    }
};

std::vector<QString> durationsIn(const QString& sentence) {
    static const QRegularExpression kDuration(
        QStringLiteral("(?<![\\w.])(\\d[\\d\\x{2009}]*(?:\\.\\d+)? (?:ns|µs|ms|s))(?!\\w)"));
    std::vector<QString> found;
    for (auto at = kDuration.globalMatch(sentence); at.hasNext();)
        found.push_back(at.next().captured(1));
    return found;
}

// Thin spaces of a rich text are common ones in its plain text.
QString withoutThinSpaces(QString text) {
    return text.replace(QChar(0x2009), u' ');
}

bool holdsCount(const QString& sentence, std::size_t count) {
    return QRegularExpression(QStringLiteral("(?<![\\d.])(?:%1|%2)(?![\\d.]*\\d)")
                                  .arg(QString::number(count), withoutThinSpaces(words(formatCount(count)))))
        .match(withoutThinSpaces(sentence))
        .hasMatch();
}

template <class T> void shorten(std::vector<T>& all, std::size_t count, std::mt19937& random) {
    std::ranges::shuffle(all, random);
    if (all.size() > count)
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(count), all.end());
}

void addTraces() {
    QTest::addColumn<QString>("file");
    QTest::newRow("kineto") << QStringLiteral("captured/torch/item_sync.pt.trace.json.gz");
    QTest::newRow("nsys") << QStringLiteral("captured/nsys/train.sqlite");
}

} // namespace

class TstEvidence : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { qputenv("LACUNA_CACHE", "off"); }
    void a02_gapsPanel_data() { addTraces(); }
    void a02_gapsPanel();
    void a02_gapsPanelOfARange_data() { addTraces(); }
    void a02_gapsPanelOfARange();
    void a02_stepsPanel_data() { addTraces(); }
    void a02_stepsPanel();
    void a02_stepStatistics_data() { addTraces(); }
    void a02_stepStatistics();
    void a02_findings_data() { addTraces(); }
    void a02_findings();
    void a02_gapStory_data() { addTraces(); }
    void a02_gapStory();
    void a02_rangeSummary_data() { addTraces(); }
    void a02_rangeSummary();

private:
    void lookAtGaps(EvidenceFixture& fixture, const std::optional<TimeRange>& range, std::mt19937& random);
};

// Twelve figures: of groups, of the line of small gaps, of members, and of the line of totals.
void TstEvidence::lookAtGaps(EvidenceFixture& fixture, const std::optional<TimeRange>& range,
                             std::mt19937& random) {
    fixture.showTab(QStringLiteral("Gaps"));
    const auto& model = static_cast<const GapTableModel&>(*fixture.gaps().model());
    std::vector<TimeRange> idle = idleOfAll(fixture.trace());
    if (range)
        idle = clipped(idle, *range);
    const auto unitOf = [&](int column) {
        const QString title = model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        return title.endsWith(QStringLiteral("µs")) ? TimeUnit::Us : TimeUnit::Ms;
    };
    const auto shown = [&](Ns ns, int column) {
        const QString figure = words(formatIn({ns}, unitOf(column), 3));
        return ns > 0 && figure == u"0.000" ? QStringLiteral("< 0.001") : figure;
    };
    struct Asked {
        int row, column;
    };
    std::map<int, std::vector<Ns>> opened; // by row, each looked at once
    const auto gapsOfRow = [&](int row) -> const std::vector<Ns>& {
        const auto [at, isNew] = opened.try_emplace(row);
        if (isNew)
            at->second = fixture.openedGaps(model.index(row, 0), range);
        return at->second;
    };
    constexpr int kMostMembers = 40; // each is clicked
    std::vector<Asked> asked;
    for (int row = 0; row < model.rowCount(); ++row)
        for (const int column :
             {GapTableModel::Count, GapTableModel::Each, GapTableModel::Total, GapTableModel::Share})
            if (model.rowCount(model.index(row, 0)) <= kMostMembers)
                asked.push_back({row, column});
    shorten(asked, 12, random);
    for (const Asked& one : asked) {
        const QModelIndex index = model.index(one.row, one.column);
        const QString figure = index.data().toString();
        std::vector<Ns> lengths;
        if (index.data(GapTableModel::KindRole).toInt() == static_cast<int>(GapTableModel::RowKind::Totals)) {
            EvidenceFixture::click(fixture.gaps(), index); // the time that they are of comes into view
            for (const TimeRange& hole : idle) {
                lengths.push_back((hole.end - hole.begin).v);
                QVERIFY(fixture.view().viewport().range().begin <= hole.begin &&
                        fixture.view().viewport().range().end >= hole.end);
            }
            if (one.column == GapTableModel::Each)
                continue; // has none
        } else {
            lengths = gapsOfRow(one.row);
        }
        const QString where =
            QStringLiteral("row %1, column %2: %3").arg(one.row).arg(one.column).arg(figure);
        QVERIFY2(!lengths.empty(), qPrintable(where));
        Ns sum = 0;
        for (const Ns ns : lengths)
            sum += ns;
        const QString expected = one.column == GapTableModel::Count  ? words(formatCount(lengths.size()))
                                 : one.column == GapTableModel::Each ? shown(lowerMiddle(lengths), one.column)
                                 : one.column == GapTableModel::Total ? shown(sum, one.column)
                                                                      : percent(sum, sumOf(idle));
        if (one.column == GapTableModel::Share && sum == sumOf(idle))
            QVERIFY2(figure.startsWith(u"100"), qPrintable(where));
        else
            QVERIFY2(figure == expected, qPrintable(where + QStringLiteral(" is ") + expected));
    }
}

void TstEvidence::a02_gapsPanel() {
    QFETCH(QString, file);
    EvidenceFixture fixture;
    QVERIFY(fixture.open(test::fixture(file.toStdString())));
    std::mt19937 random(41);
    lookAtGaps(fixture, {}, random);
}

void TstEvidence::a02_gapsPanelOfARange() {
    QFETCH(QString, file);
    EvidenceFixture fixture;
    QVERIFY(fixture.open(test::fixture(file.toStdString())));
    std::mt19937 random(42);
    const TimeRange window = fixture.trace().window();
    const Ns length = (window.end - window.begin).v;
    const Ns from = window.begin.v + length / 4 + static_cast<Ns>(random() % 1'000'000);
    const TimeRange range{{from}, {from + length / 4}};
    fixture.showTab(QStringLiteral("Gaps"));
    fixture.selection().set(range, Origin::Timeline);
    const auto& model = static_cast<const GapTableModel&>(*fixture.gaps().model());
    QVERIFY(QTest::qWaitFor([&] { return model.range() == range; }, 30'000));
    lookAtGaps(fixture, range, random);
}

namespace {

// Opens the table of steps and waits for its rows.
ReportTableView* openSteps(EvidenceFixture& fixture, const QString& file) {
    if (!fixture.open(test::fixture(file.toStdString())) ||
        !fixture.window().commands().run(QStringLiteral("steps.panel")))
        return nullptr;
    auto* table = fixture.window().findChild<ReportTableView*>(QStringLiteral("stepTable"));
    return QTest::qWaitFor([&] { return table->rows().rowCount() > 2 && !table->isArranging(); }, 60'000)
               ? table
               : nullptr;
}

} // namespace

// Twenty figures: a row leads to its step, and the time of that gives them.
void TstEvidence::a02_stepsPanel() {
    QFETCH(QString, file);
    EvidenceFixture fixture;
    ReportTableView* table = openSteps(fixture, file);
    QVERIFY(table != nullptr);
    const Trace& trace = fixture.trace();
    const ReportTable& rows = *table->rows().table();
    const auto stepAt = [&](int row) {
        fixture.selection().set(Selection{}, Origin::Command);
        EvidenceFixture::click(*table, table->rows().index(row, 0));
        return fixture.view().selectedTime();
    };
    const std::vector<EventId> work = deviceWork(trace, DeviceId{0});
    QCOMPARE(trace.devices().size(), std::size_t{1});
    std::vector<std::pair<int, const char*>> figures;
    for (int row = 0; row < table->rows().rowCount(); ++row)
        for (const char* column : {"Duration (ns)", "Period (ns)", "GPU Busy (ns)", "GPU Idle (ns)",
                                   "GPU Operations", "Start (ns)"})
            figures.emplace_back(row, column);
    std::mt19937 random(43);
    shorten(figures, 20, random);
    QCOMPARE(figures.size(), std::size_t{20});
    for (const auto& [row, title] : figures) {
        const std::string_view name(title);
        const auto column = rows.findColumn(name);
        const std::uint32_t tableRow = table->rows().tableRow(row);
        const auto step = stepAt(row);
        QVERIFY(step && fixture.selection().event());
        if (rows.isEmpty(tableRow, *column)) { // the last has no period
            QVERIFY(name == "Period (ns)" && row + 1 == table->rows().rowCount());
            continue;
        }
        const Ns busy = unionOf(clipped(rangesOf(trace, work), *step)), length = (step->end - step->begin).v;
        Ns expected = 0;
        if (name == "Start (ns)")
            expected = step->begin.v;
        else if (name == "Duration (ns)")
            expected = length;
        else if (name == "GPU Busy (ns)")
            expected = busy;
        else if (name == "GPU Idle (ns)")
            expected = length - busy;
        else if (name == "GPU Operations")
            expected = std::ranges::count_if(work, [&](EventId e) {
                const Ns begin = trace.events().beginNs[e.v];
                return begin >= step->begin.v && begin < step->end.v;
            });
        else
            expected = stepAt(row + 1)->begin.v - step->begin.v;
        QVERIFY2(rows.number(tableRow, *column) == expected,
                 qPrintable(QStringLiteral("row %1, %2").arg(row).arg(QString::fromLatin1(title))));
    }
}

void TstEvidence::a02_stepStatistics() {
    QFETCH(QString, file);
    EvidenceFixture fixture;
    QVERIFY(openSteps(fixture, file) != nullptr);
    const auto figure = [&](const char* name) -> QLabel* {
        auto* grid = fixture.window().findChild<QWidget*>(QStringLiteral("stepFigures"));
        for (QLabel* label : grid->findChildren<QLabel*>())
            if (label->accessibleName() == QString::fromLatin1(name))
                return label;
        return nullptr;
    };
    for (const char* name : {"values", "mean", "median", "p95", "standard deviation", "min", "max"}) {
        QLabel* label = figure(name);
        QVERIFY(label != nullptr);
        const QString shown = plain(*label);
        fixture.selection().set(Selection{}, Origin::Command);
        Q_EMIT label->linkActivated(QStringLiteral("#"));
        std::vector<Ns> lengths;
        for (const TimeRange& range : rangesOf(fixture.trace(), fixture.selection().events()))
            lengths.push_back((range.end - range.begin).v);
        QVERIFY2(!lengths.empty(), name);
        std::ranges::sort(lengths);
        const std::size_t n = lengths.size();
        const std::string_view which(name);
        if (which == "values") {
            QVERIFY(holdsCount(shown, n));
            continue;
        }
        double mean = 0, squares = 0;
        for (const Ns ns : lengths)
            mean += static_cast<double>(ns) / static_cast<double>(n);
        for (const Ns ns : lengths)
            squares += (static_cast<double>(ns) - mean) * (static_cast<double>(ns) - mean);
        double expected = static_cast<double>(lengths.front()); // min, max: the one step
        if (which == "mean")
            expected = mean;
        else if (which == "median")
            expected = static_cast<double>(lengths[(n - 1) / 2] + lengths[n / 2]) / 2;
        else if (which == "p95")
            expected = static_cast<double>(
                lengths[static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(n))) - 1]);
        else if (which == "standard deviation")
            expected = std::sqrt(squares / static_cast<double>(n - 1));
        else
            QCOMPARE(n, std::size_t{1});
        QCOMPARE(shown, duration(std::llround(expected)));
    }
}

namespace {

struct Link {
    QString sentence; // without the words of its links
    QString word, href;
};

std::vector<Link> linksOf(const QLabel& label) {
    static const QRegularExpression kLink(QStringLiteral(" <a href=\"(#\\d+)\"[^>]*>([^<]*)</a>"));
    std::vector<Link> links;
    QString html = label.text();
    for (auto at = kLink.globalMatch(html); at.hasNext();) {
        const auto match = at.next();
        links.push_back({{}, match.captured(2).replace(QChar::Nbsp, u' '), match.captured(1)});
    }
    const QString sentence = QTextDocumentFragment::fromHtml(html.remove(kLink)).toPlainText();
    for (Link& link : links)
        link.sentence = sentence;
    return links;
}

} // namespace

// Every sentence that leads to rows or to a time; of each kind of link twelve at most.
void TstEvidence::a02_findings() {
    QFETCH(QString, file);
    EvidenceFixture fixture;
    QVERIFY(fixture.open(test::fixture(file.toStdString())));
    const Trace& trace = fixture.trace();
    // The page of findings with all cards open.
    const auto openCards = [&]() -> bool {
        fixture.selection().clear(Origin::Command);
        return QTest::qWaitFor(
            [&] {
                InspectorPage* page = fixture.page();
                std::size_t cards = 0;
                for (auto* head :
                     page == nullptr ? QList<QAbstractButton*>() : page->findChildren<QAbstractButton*>())
                    if (head->isCheckable()) {
                        head->setChecked(true);
                        ++cards;
                    }
                return cards > 10;
            },
            60'000);
    };
    QVERIFY(openCards());
    std::vector<Link> all, single, ofTime;
    for (QLabel* label : fixture.page()->findChildren<QLabel*>()) {
        if (label->textFormat() != Qt::RichText)
            continue;
        const std::vector<Link> links = linksOf(*label);
        for (const Link& link : links)
            if (link.word.startsWith(u"All "))
                all.push_back(link);
            else if (link.word == u"Mark the time")
                ofTime.push_back(link);
            else if (links.size() == 1)
                single.push_back(link);
    }
    const auto activate = [&](const Link& link) {
        if (!openCards())
            return false;
        for (QLabel* label : fixture.page()->findChildren<QLabel*>())
            if (label->textFormat() == Qt::RichText)
                for (const Link& one : linksOf(*label))
                    if (one.sentence == link.sentence && one.word == link.word) {
                        Q_EMIT label->linkActivated(link.href);
                        return true;
                    }
        return false;
    };
    std::mt19937 random(44);
    shorten(all, 12, random);
    shorten(single, 12, random);
    QVERIFY(all.size() >= 5);
    QVERIFY(ofTime.size() >= 3);
    // The window of the findings, and what runs in it.
    QVERIFY(activate(ofTime.front()));
    QVERIFY(fixture.selection().range());
    const TimeRange window = *fixture.selection().range();
    const std::vector<EventId> work = deviceWork(trace, DeviceId{0});
    std::vector<EventId> kernels; // that begin in it
    for (const EventId e : work)
        if (trace.events().kind[e.v] == EventKind::Kernel && trace.events().beginNs[e.v] >= window.begin.v &&
            trace.events().beginNs[e.v] < window.end.v)
            kernels.push_back(e);
    const Ns kernelsNs = sumOf(rangesOf(trace, kernels));
    for (const Link& link : all) {
        QVERIFY2(activate(link), qPrintable(link.sentence));
        const std::vector<EventId> events = fixture.selection().events();
        QVERIFY2(link.word == QStringLiteral("All ") + words(formatCount(events.size())),
                 qPrintable(link.sentence));
        const Ns sum = sumOf(rangesOf(trace, events));
        // "350 launches, 12.3 ms", "62.1 % of the kernels' time in 350 launches", "7 calls of cudaFree".
        const bool isCounted = holdsCount(link.sentence, events.size());
        const bool isSummed = link.sentence.contains(duration(sum));
        const bool isShare = kernelsNs > 0 && link.sentence.contains(percent(sum, kernelsNs));
        const bool isExposed = link.sentence.startsWith(u"Exposed");
        const bool isConversions = link.sentence.contains(u"aten::copy_");
        if (isExposed) {
            std::vector<TimeRange> others;
            for (const EventId e : work)
                if (trace.events().kind[e.v] != EventKind::Memcpy &&
                    trace.events().kind[e.v] != EventKind::Memset)
                    others.push_back({{trace.events().beginNs[e.v]}, {trace.events().endNs[e.v]}});
            std::vector<TimeRange> both = rangesOf(trace, events);
            both.insert(both.end(), others.begin(), others.end());
            const Ns exposed = unionOf(clipped(both, window)) - unionOf(clipped(others, window));
            QVERIFY2(link.sentence.contains(duration(exposed)), qPrintable(link.sentence));
            QVERIFY2(isSummed, qPrintable(link.sentence));
        } else if (isConversions) { // "24 aten::copy_, 0 aten::to, 0 aten::contiguous": by name
            for (const QString& name : {QStringLiteral("aten::copy_"), QStringLiteral("aten::to"),
                                        QStringLiteral("aten::contiguous")}) {
                const auto count = std::ranges::count_if(
                    events, [&](EventId e) { return words(std::string(trace.nameOf(e))) == name; });
                QVERIFY2(link.sentence.contains(QStringLiteral("%1 %2").arg(count).arg(name)),
                         qPrintable(link.sentence));
            }
        } else {
            QVERIFY2(isCounted, qPrintable(link.sentence));
            const bool tellsShare = link.sentence.contains(u"of the kernels' time");
            const bool tellsTime = !durationsIn(link.sentence).empty() && !tellsShare &&
                                   !link.sentence.contains(u"typical cost") &&
                                   !link.sentence.contains(u"of device work");
            QVERIFY2(!tellsShare || isShare, qPrintable(link.sentence));
            QVERIFY2(!tellsTime || isSummed, qPrintable(link.sentence));
        }
    }
    for (const Link& link : single) {
        QVERIFY2(activate(link), qPrintable(link.sentence));
        const auto time = fixture.view().selectedTime();
        const std::vector<QString> told = durationsIn(link.sentence);
        if (link.sentence.contains(u"follows")) { // "A copy follows 12 us after it", a gap
            const std::vector<TimeRange> idle = idleOf(trace, DeviceId{0});
            QVERIFY2(std::ranges::any_of(idle,
                                         [&](const TimeRange& gap) {
                                             return gap.end <= time->begin &&
                                                    duration((time->begin - gap.end).v) == told.front();
                                         }),
                     qPrintable(link.sentence));
            continue;
        }
        if (time && !told.empty() && fixture.selection().event())
            QVERIFY2(std::ranges::find(told, duration((time->end - time->begin).v)) != told.end(),
                     qPrintable(link.sentence));
    }
    // Gaps: the table is of the time that was marked, and its rows are the gaps that a sentence sums.
    for (const Link& link : ofTime) {
        static const QRegularExpression kGroup(QStringLiteral("^(.+) in ([\\d ]+) gaps?: "));
        static const QRegularExpression kAll(QStringLiteral("^([\\d ]+) gaps?, (.+) in all, "));
        const QString told = withoutThinSpaces(link.sentence);
        const auto group = kGroup.match(told), every = kAll.match(told);
        QVERIFY2(activate(link), qPrintable(link.sentence));
        QCOMPARE(fixture.selection().range(), std::optional(window));
        if (group.hasMatch()) {
            QVERIFY(fixture.selection().gap());
            fixture.showTab(QStringLiteral("Gaps"));
            const auto& model = static_cast<const GapTableModel&>(*fixture.gaps().model());
            QVERIFY(QTest::qWaitFor([&] { return model.range() == window; }, 30'000));
            fixture.window().findChild<QSlider*>(QStringLiteral("gapsThreshold"))->setValue(0); // all gaps
            const QModelIndex at = model.indexOf(fixture.selection().gap());
            QVERIFY2(at.isValid(), qPrintable(link.sentence));
            const std::vector<Ns> lengths = fixture.openedGaps(at.parent(), window);
            Ns sum = 0;
            for (const Ns ns : lengths)
                sum += ns;
            QCOMPARE(group.captured(1), duration(sum));
            QCOMPARE(group.captured(2), withoutThinSpaces(words(formatCount(lengths.size()))));
        } else if (every.hasMatch()) {
            const std::vector<TimeRange> idle = clipped(idleOfAll(trace), window);
            QCOMPARE(every.captured(1), withoutThinSpaces(words(formatCount(idle.size()))));
            QCOMPARE(every.captured(2), duration(sumOf(idle)));
        } else if (link.sentence.startsWith(u"Of ") && link.sentence.contains(u"compute ")) {
            // Of the device's own time in it: from its first to its last operation.
            std::vector<EventId> computing;
            for (const EventId e : work)
                if (trace.events().kind[e.v] == EventKind::Kernel ||
                    trace.events().kind[e.v] == EventKind::GraphLaunch)
                    computing.push_back(e);
            const std::vector<TimeRange> busy = merged(rangesOf(trace, work));
            const Ns whole = sumOf(clipped({{busy.front().begin, busy.back().end}}, window));
            QVERIFY2(
                link.sentence.contains(QStringLiteral("compute ") +
                                       percent(unionOf(clipped(rangesOf(trace, computing), window)), whole)),
                qPrintable(link.sentence));
        }
    }
}

// Twelve gaps: what the verdict says can be worked out from the gap and the calls that it names.
void TstEvidence::a02_gapStory() {
    QFETCH(QString, file);
    EvidenceFixture fixture;
    QVERIFY(fixture.open(test::fixture(file.toStdString())));
    fixture.showTab(QStringLiteral("Gaps"));
    const Trace& trace = fixture.trace();
    const QAbstractItemModel& model = *fixture.gaps().model();
    std::vector<QModelIndex> rows;
    for (int row = 0; row < model.rowCount(); ++row)
        for (int member = 0; member < model.rowCount(model.index(row, 0)); ++member)
            rows.push_back(model.index(member, GapTableModel::Total, model.index(row, 0)));
    std::mt19937 random(45);
    shorten(rows, 12, random);
    for (const QModelIndex& row : rows) {
        fixture.gaps().expand(row.parent());
        EvidenceFixture::click(fixture.gaps(), row);
        const GapId gap = fixture.selection().gap();
        QVERIFY(gap);
        const TimeRange idle = *fixture.view().selectedTime();
        const auto again = [&] { fixture.selection().set(gap, Origin::Command); };
        // Rows of the page: what they open, and what they say of it.
        std::size_t checked = 0;
        const auto rowCount = fixture.page()->findChildren<InspectorRow*>().size();
        std::vector<EventId> opened;
        for (qsizetype r = 0; r < rowCount; ++r) {
            again();
            InspectorRow* one = fixture.page()->findChildren<InspectorRow*>().at(r);
            const QStringList parts = one->accessibleName().split(QStringLiteral(", "));
            if (one->focusPolicy() == Qt::NoFocus || parts.size() < 3)
                continue; // what is missing; what-if, which opens what it takes away
            const QString told = one->accessibleName();
            one->click();
            if (told.startsWith(u"sum = gap")) { // and the view goes there
                QVERIFY(told.contains(words(formatIn(idle.end - idle.begin, TimeUnit::Us, 3))));
                ++checked;
                continue;
            }
            if (parts.last().endsWith(u'%') || !fixture.selection().event())
                continue; // a piece: below
            const TimeRange time = *fixture.view().selectedTime();
            opened.push_back(fixture.selection().event());
            // Chain: duration, and end or start after the gap's begin.
            const auto offset = [&](TimeNs t) {
                const Ns after = (t - idle.begin).v;
                return after == 0 ? QStringLiteral("0")
                                  : (after > 0 ? QStringLiteral("+") : QString()) + duration(after);
            };
            QVERIFY2(told.contains(duration((time.end - time.begin).v)), qPrintable(told));
            QVERIFY2(parts.last() == offset(time.begin) || parts.last() == offset(time.end),
                     qPrintable(told));
            ++checked;
        }
        QVERIFY(checked >= 2);
        // The verdict: every duration in it is one of the gap, of a call that a link of it or a row opens, or
        // of what lies between them.
        again();
        auto* verdict = fixture.page()->findChild<QLabel*>(QStringLiteral("verdict"));
        QVERIFY(verdict != nullptr);
        const QString sentence = plain(*verdict);
        static const QRegularExpression kLink(QStringLiteral("href=\"(#\\d+)\""));
        QStringList links;
        for (auto at = kLink.globalMatch(verdict->text()); at.hasNext();)
            links << at.next().captured(1);
        for (const QString& link : links) {
            again();
            Q_EMIT fixture.page()->findChild<QLabel*>(QStringLiteral("verdict"))->linkActivated(link);
            QVERIFY(fixture.selection().event());
            opened.push_back(fixture.selection().event());
        }
        std::vector<QString> known{duration((idle.end - idle.begin).v)};
        std::vector<TimeNs> edges{idle.begin, idle.end};
        for (const EventId event : opened) {
            edges.push_back({trace.events().beginNs[event.v]});
            edges.push_back({trace.events().endNs[event.v]});
        }
        for (const TimeNs a : edges)
            for (const TimeNs b : edges)
                if (b > a)
                    known.push_back(duration((b - a).v));
        // The bound: a part of the gap; the steps beside it are those that its second figure is the median
        // of.
        again();
        auto* bound = fixture.page()->findChild<QLabel*>(QStringLiteral("bound"));
        QVERIFY(bound != nullptr);
        const auto figures = durationsIn(plain(*bound));
        QVERIFY(!figures.empty());
        if (bound->text().contains(u"href=\"steps\"")) {
            Q_EMIT bound->linkActivated(QStringLiteral("steps"));
            std::vector<Ns> steps;
            for (const EventId step : fixture.selection().events())
                steps.push_back(trace.events().duration(step).v);
            QVERIFY(steps.size() > 1);
            std::ranges::sort(steps);
            QCOMPARE(duration(steps[(steps.size() - 1) / 2]), figures[1]);
        }
        if (sentence.contains(u"were made every")) // means of a run of launches, of which the gap is one
            continue;
        for (const QString& told : durationsIn(sentence))
            QVERIFY2(std::ranges::find(known, told) != known.end(),
                     qPrintable(told + QStringLiteral(" of ") + sentence));
    }
}

// Some ten figures of each of four marked ranges.
void TstEvidence::a02_rangeSummary() {
    QFETCH(QString, file);
    EvidenceFixture fixture;
    QVERIFY(fixture.open(test::fixture(file.toStdString())));
    const Trace& trace = fixture.trace();
    const std::vector<EventId> work = deviceWork(trace, DeviceId{0});
    const std::vector<TimeRange> idle = idleOf(trace, DeviceId{0});
    std::mt19937 random(46);
    std::size_t checked = 0;
    for (int i = 0; i < 4; ++i) {
        const TimeRange all = trace.window();
        const Ns length = (all.end - all.begin).v;
        const Ns from = all.begin.v + static_cast<Ns>(random()) % (length / 2);
        const TimeRange range{{from}, {from + length / 20 + static_cast<Ns>(random()) % (length / 4)}};
        const auto mark = [&] {
            fixture.selection().clear(Origin::Command);
            fixture.selection().set(range, Origin::Timeline);
            return fixture.page();
        };
        InspectorPage* page = mark();
        std::vector<QString> titles;
        for (const InspectorRow* row : page->findChildren<InspectorRow*>())
            titles.push_back(row->accessibleName());
        shorten(titles, 12, random);
        for (const QString& title : titles) {
            page = mark();
            InspectorRow* row = nullptr;
            for (InspectorRow* one : page->findChildren<InspectorRow*>())
                if (one->accessibleName() == title)
                    row = one;
            if (row == nullptr)
                continue;
            QVERIFY2(row->focusPolicy() != Qt::NoFocus || title.startsWith(u"operators ") ||
                         title.startsWith(u"figure"),
                     qPrintable(title + QStringLiteral(" opens nothing")));
            const QStringList parts = title.split(QStringLiteral(", "));
            const bool isTime = title.contains(u"µs");
            row->click();
            const std::vector<EventId> events = fixture.selection().events();
            const auto told = [&](Ns ns) {
                return title.contains(words(formatIn({ns}, TimeUnit::Us, 3)) + QStringLiteral(" µs")) &&
                       title.endsWith(percent(ns, (range.end - range.begin).v));
            };
            for (const EventId event : events) {
                const Ns begin = trace.events().beginNs[event.v], end = trace.events().endNs[event.v];
                QVERIFY2(begin < range.end.v && end >= range.begin.v, qPrintable(title));
                QVERIFY(!title.startsWith(u"compute kernel") ||
                        trace.events().kind[event.v] == EventKind::Kernel ||
                        trace.events().kind[event.v] == EventKind::GraphLaunch);
            }
            if (!isTime && parts.size() == 2) { // how many rows touch it
                const bool isCount = parts[1] == words(formatCount(events.size()));
                if (title.startsWith(u"all")) {
                    std::size_t count = 0;
                    for (std::uint32_t e = 0; e < trace.events().size(); ++e) {
                        const Ns begin = trace.events().beginNs[e], end = trace.events().endNs[e];
                        count += begin < range.end.v &&
                                         (end > range.begin.v || (begin == end && begin >= range.begin.v))
                                     ? 1U
                                     : 0U;
                    }
                    QCOMPARE(words(formatCount(count)), parts[1]);
                }
                QVERIFY2(isCount, qPrintable(title));
                ++checked;
            } else if (title.startsWith(u"idle")) {
                QVERIFY2(told(sumOf(clipped(idle, range))), qPrintable(title));
                QVERIFY2(fixture.selection().gap(), qPrintable(title));
                ++checked;
            } else if (title.startsWith(u"busy + idle")) {
                QVERIFY2(told((range.end - range.begin).v), qPrintable(title));
                ++checked;
            } else if (isTime && !events.empty()) {
                QVERIFY2(told(unionOf(clipped(rangesOf(trace, events), range))), qPrintable(title));
                if (title.startsWith(u"busy"))
                    QCOMPARE(unionOf(clipped(rangesOf(trace, work), range)),
                             unionOf(clipped(rangesOf(trace, events), range)));
                ++checked;
            } else if (isTime) { // idle of a class: its longest gap
                QVERIFY2(fixture.selection().gap() || title.startsWith(u"edges"), qPrintable(title));
            }
        }
    }
    QVERIFY(checked >= 12);
}

LACUNA_TEST(TstEvidence, "tst_evidence")

} // namespace tst_evidence

#include "tst_evidence.moc"
