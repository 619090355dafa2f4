// The story of one gap, in the order of ux.md section 6: verdict, anatomy, chain, what argues against it,
// what to try and the bound. All facts come from GapAnalysis::explain(); this file only sets them.

#include "core/base/text_format.h"
#include "core/view/short_name.h"
#include "widgets/panels/anatomy_bar.h"
#include "widgets/panels/inspector_pages.h"
#include "widgets/panels/slow_peer.h"
#include "widgets/session/replay_results.h"
#include "widgets/terms.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/emphasis.h"
#include "widgets/timeline/timeline_renderer.h"

#include <QPainter>
#include <QRegularExpression>

#include <array>

namespace lacuna::ui {

namespace {

constexpr int kGapHeadHeight = 30;
constexpr int kChainOffset = 74, kChainDuration = 70; // px of the columns

// Pin, letter and duration of the gap.
class GapHead final : public QWidget {
public:
    GapHead(int pin, GapClass cls, QString duration, QString note, const ThemePalette& palette)
        : m_pin(pin), m_cls(cls), m_duration(std::move(duration)), m_note(std::move(note)),
          m_palette(palette), m_fonts(FigureFonts::load()) {
        setFixedHeight(kGapHeadHeight);
        setAccessibleName(term(classTitle(cls)) + u", "_s + m_duration + u", "_s + m_note);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setLayoutDirection(layoutDirection());
        double x = 0;
        const double middle = kGapHeadHeight / 2.0;
        if (m_pin > 0) {
            paintPin(painter, QPointF(11, middle), 11, m_pin, m_palette, m_fonts);
            x = 30;
        }
        paintLetterBox(painter, QRectF(x, middle - 9, 18, 18), m_cls, m_palette, m_fonts);
        x += 30;
        painter.setFont(uiFont(Face::SemiBold, 22));
        painter.setPen(m_palette.color(Ink::Text));
        painter.drawText(QRectF(x, 0, width() - x, kGapHeadHeight), Qt::AlignLeft | Qt::AlignVCenter,
                         m_duration);
        painter.setFont(uiFont(Face::Regular, 12));
        painter.setPen(m_palette.color(Ink::TextSecondary));
        painter.drawText(QRectF(0, 0, width(), kGapHeadHeight), Qt::AlignRight | Qt::AlignVCenter, m_note);
    }

private:
    int m_pin;
    GapClass m_cls;
    QString m_duration, m_note;
    ThemePalette m_palette;
    FigureFonts m_fonts;
};

// A figure or name in a sentence that opens something, and looks like the rest of it.
QString quietLink(const QString& where, const QString& html, const ThemePalette& palette) {
    return u"<a href=\"%1\" style=\"color:%2; text-decoration:none\">%3</a>"_s.arg(
        where, palette.color(Ink::Text).name(), html);
}

void letLinksBeUsed(QLabel& label) {
    label.setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
    label.setFocusPolicy(Qt::StrongFocus);
}

// The sentence with its confidence word and durations in bold and names of calls in the monospaced face, as
// links to the calls: "#4711", the number of the row.
QString verdictHtml(const GapStory& story, const ThemePalette& palette) {
    QString html = text(story.verdict).toHtmlEscaped();
    for (const HostPlace* place : {&story.blocking, &story.drainedBy, &story.heldBy}) {
        const QString name = text(place->name).toHtmlEscaped();
        const QString span = u"<span style=\"font-family:'%1'; font-size:12px\">%2</span>"_s.arg(
            FigureFonts::monoFamily(), name);
        const QString mono = !place->event ? span : quietLink(u"#%1"_s.arg(place->event.v), span, palette);
        if (name.size() > 3 && !html.contains(span))
            html.replace(name, mono);
    }
    static const QRegularExpression kWord(u"^(Observed|Likely|Unknown):"_s);
    static const QRegularExpression kDuration(
        u"(?<![\\w.])(\\d[\\d\\x{2009}\\x{202f}]*(?:\\.\\d+)?[ \\x{a0}\\x{202f}](?:ns|µs|ms|s))(?!\\w)"_s);
    html.replace(kWord, u"<b>\\1:</b>"_s);
    html.replace(kDuration, u"<b>\\1</b>"_s);
    return u"<div style=\"line-height:17.5px\">"_s + html + u"</div>"_s;
}

void goToPiece(const PageContext& context, const AnatomyPiece& piece) {
    if (piece.event)
        context.go(piece.event);
    else
        context.show(piece.range);
}

class GapPageMaker {
public:
    GapPageMaker(const PageContext& context, GapId id)
        : m_context(context), m_document(*context.session.document()), m_trace(m_document.trace()),
          m_gaps(*m_document.gaps), m_gap(m_gaps.gap(id)), m_id(id), m_story(context.session.story(id)),
          m_page(new InspectorPage(context.palette)) {}

    QWidget* make() {
        addHead();
        addAnatomy();
        addChain();
        addNotes(InspectorPage::tr("Argues against, not seen"), m_story.against,
                 InspectorPage::tr("nothing found"));
        addTry();
        addSaving();
        addNotes(InspectorPage::tr("Rests on"), m_story.evidence, {});
        m_page->finish();
        return m_page;
    }

private:
    std::int64_t stepNs() const { return m_document.steps.events.empty() ? 0 : m_document.steps.medianNs; }

    void addHead() {
        int number = 0;
        for (const GapPin& pin : topPins(m_gaps))
            if (m_gaps.gap(pin.gap).group == m_gap.group)
                number = pin.number;
        const double share =
            stepNs() > 0 ? static_cast<double>(m_gap.length().v) / static_cast<double>(stepNs()) : 0;
        const QString note = share > 0 ? InspectorPage::tr("%1 of a step").arg(text(formatPercent(share)))
                                       : term(classTitle(classOf(m_gap.cause)));
        m_page->addWidget(new GapHead(number, classOf(m_gap.cause), text(formatDuration(m_gap.length())),
                                      note, m_context.palette));
        const QString html = verdictHtml(m_story, m_context.palette);
        QLabel* verdict = m_page->addText(html, Qt::RichText, 13);
        verdict->setObjectName(u"verdict"_s);
        letLinksBeUsed(*verdict);
        QObject::connect(verdict, &QLabel::linkActivated, m_page, [go = m_context.go](const QString& where) {
            if (where.startsWith(u'#'))
                go(EventId{where.mid(1).toUInt()});
        });
        for (const GapNote& known : m_story.evidence)
            if (known.code == "waited_for_collective")
                tellSlowPeer(*verdict, html, m_context.session, known.event);
        static constexpr std::array kConfidence{"High", "Medium", "Low"};
        QString confidence =
            InspectorPage::tr("%1 confidence")
                .arg(QString::fromLatin1(kConfidence[static_cast<std::size_t>(m_gap.confidence)]));
        if (!m_story.confidenceReason.empty())
            confidence += u": "_s + text(m_story.confidenceReason);
        m_page->addText(confidence, Qt::PlainText, 11, true)->setObjectName(u"confidence"_s);
    }

    QString partsText() const {
        std::array<std::int64_t, kGapClasses> byClass{};
        for (const GapPart& part : m_story.parts)
            if (part.cause != GapCause::SyncDrain)
                byClass[static_cast<std::size_t>(classOf(part.cause))] += part.ns;
        QStringList parts;
        const TimeUnit unit = unitFor(m_gap.length());
        for (std::size_t c = 0; c < kGapClasses; ++c)
            if (byClass[c] > 0)
                parts << term(classTitle(static_cast<GapClass>(c))).section(u' ', 0, 0) + u' ' +
                             text(formatIn({byClass[c]}, unit, 3));
        if (parts.isEmpty()) // the wait would have hidden all of it
            return InspectorPage::tr("nothing left");
        return InspectorPage::tr("left: %1 %2").arg(parts.join(u" · "_s), text(unitName(unit)));
    }

    void addAnatomy() {
        m_page->addHeading(InspectorPage::tr("Anatomy"),
                           InspectorPage::tr("last operation ended → next starts"));
        const std::vector<AnatomyPiece> pieces = anatomyOf(m_trace, m_story);
        const std::int64_t syncNs = m_gap.syncPartNs;
        const TimeUnit unit = unitFor(m_gap.length());
        const QString sync =
            InspectorPage::tr("sync part %1 %2").arg(text(formatIn({syncNs}, unit, 3)), text(unitName(unit)));
        auto* bar = new AnatomyBar(pieces, syncNs, sync, partsText(), m_context.palette);
        QObject::connect(bar, &AnatomyBar::pieceClicked, m_page,
                         [context = m_context, pieces](std::size_t i) { goToPiece(context, pieces[i]); });
        m_page->addWidget(bar, 2);
        const auto whole = static_cast<double>(std::max<std::int64_t>(1, m_gap.length().v));
        for (const AnatomyPiece& piece : anatomyRows(pieces)) {
            const std::int64_t ns = piece.ns;
            const Ink ink = piece.more > 0 ? Ink::Border : inkOfPiece(piece.cls);
            m_page->addRow({ink,
                            piece.label(),
                            false,
                            false,
                            false,
                            false,
                            {text(formatIn({ns}, TimeUnit::Us, 3)) + u" µs"_s,
                             text(formatPercent(static_cast<double>(ns) / whole))},
                            text(piece.name)},
                           [context = m_context, piece] { goToPiece(context, piece); });
        }
        m_page->addRow({{},
                        InspectorPage::tr("sum = gap"),
                        false,
                        true,
                        true,
                        true,
                        {text(formatIn(m_gap.length(), TimeUnit::Us, 3)) + u" µs"_s, u"100 %"_s},
                        {}},
                       [show = m_context.show, range = m_gap.range] { show(range); });
    }

    QString offset(TimeNs t) const {
        const DurationNs after = t - m_gap.range.begin;
        return after.v == 0 ? u"0"_s : (after.v > 0 ? u"+"_s : u""_s) + text(formatDuration(after));
    }

    void addChainEvent(EventId event, const QString& label, bool byStart) {
        const TimeRange range = m_trace.events().range(event);
        m_page->addRow({inkOf(m_trace, event),
                        label,
                        true,
                        false,
                        false,
                        false,
                        {text(formatDuration(range.length())), offset(byStart ? range.begin : range.end)},
                        text(elideMiddle(m_trace.nameOf(event), 300)),
                        kChainOffset,
                        kChainDuration},
                       [go = m_context.go, event] { go(event); });
    }
    void addMissing(const QString& what) { m_page->addRow({{}, what, false, false, true, false, {}, {}}); }

    QString nameOf(EventId event) const {
        const auto forms = shortNames(m_trace.nameOf(event), m_trace.events().kind[event.v]);
        return forms.empty() ? QString() : text(elideMiddle(forms.front(), 80));
    }

    QString operationName(EventId event) const {
        QString name = nameOf(event);
        if (const CopyArgs* copy = m_trace.hotArgs().copies.find(event); copy != nullptr && copy->bytes > 0)
            name += u", "_s + text(formatBytes(static_cast<std::uint64_t>(copy->bytes)));
        return name;
    }

    void addChain() {
        m_page->addHeading(InspectorPage::tr("Chain"),
                           InspectorPage::tr("ends after the gap's begin; last two: starts"));
        constexpr std::size_t kMaxPrevious = 3; // many streams may have ended at once
        for (std::size_t i = 0; i < std::min(kMaxPrevious, m_story.previous.size()); ++i)
            addChainEvent(m_story.previous[i], operationName(m_story.previous[i]), false);
        const HostPlace& blocking = m_story.blocking;
        const bool blockedByLaunch = blocking.event && blocking.event == m_story.launch.event;
        if (blocking.event && !blockedByLaunch)
            addChainEvent(blocking.event, text(blocking.name), false);
        else if (!blockedByLaunch)
            addMissing(InspectorPage::tr("no blocking call is recorded"));
        if (blocking.operatorEvent)
            addChainEvent(blocking.operatorEvent, nameOf(blocking.operatorEvent), false);
        if (const EventId held = m_story.heldBy.event;
            held && held != blocking.event && held != m_story.launch.event)
            addChainEvent(held, nameOf(held), false);
        addRanges(blocking);
        if (blocking.pythonFrame)
            addChainEvent(blocking.pythonFrame, nameOf(blocking.pythonFrame), false);
        else if (!m_trace.facts().pythonRecorded && m_trace.facts().format == "kineto-json")
            addMissing(InspectorPage::tr("Python frames not recorded (with_stack was off)"));
        if (const HostPlace& launch = m_story.launch; launch.event) {
            QString label = text(launch.name);
            if (launch.operatorEvent)
                label += u" ‹ "_s + nameOf(launch.operatorEvent);
            addChainEvent(launch.event, label, true);
        } else {
            addMissing(InspectorPage::tr("the launch of the next operation is not recorded"));
        }
        if (m_gap.next)
            addChainEvent(m_gap.next, operationName(m_gap.next), true);
    }

    void addRanges(const HostPlace& place) {
        if (place.ranges.empty())
            return;
        QStringList names; // inner ‹ outer
        for (auto range = place.ranges.rbegin(); range != place.ranges.rend(); ++range)
            names << nameOf(*range);
        addChainEvent(place.ranges.back(), names.join(u" ‹ "_s), false);
    }

    void addNotes(const QString& heading, const std::vector<GapNote>& notes, const QString& none) {
        if (notes.empty() && none.isEmpty())
            return;
        m_page->addHeading(heading);
        if (notes.empty())
            m_page->addBullet(u"•"_s, none);
        for (const GapNote& note : notes) {
            const auto show = [go = m_context.go, event = note.event] { go(event); };
            m_page->addBullet(u"•"_s, text(note.text),
                              showLink(note.event ? std::function<void()>(show) : nullptr));
        }
    }

    void addTry() {
        m_page->addHeading(InspectorPage::tr("Try"));
        int number = 1;
        for (const std::string& line : m_story.tries)
            m_page->addBullet(QString::number(number++), text(line));
        QString bound =
            InspectorPage::tr("<b>Bound:</b> at most %1")
                .arg(quietLink(u"gap"_s, text(formatDuration({m_gap.boundNs})), m_context.palette));
        if (stepNs() > 0)
            bound += InspectorPage::tr(" (%1 of %2)")
                         .arg(text(formatPercent(static_cast<double>(m_gap.boundNs) /
                                                 static_cast<double>(stepNs()))),
                              quietLink(u"steps"_s, text(formatDuration({stepNs()})), m_context.palette));
        bound += InspectorPage::tr(
            ", if the next launch had been queued in time. Expect less: other work may move.");
        QLabel* label = m_page->addText(bound, Qt::RichText, 12);
        label->setObjectName(u"bound"_s);
        letLinksBeUsed(*label);
        // The gap that it is a part of; the steps whose median it is compared with.
        QObject::connect(label, &QLabel::linkActivated, m_page,
                         [context = m_context, range = m_gap.range,
                          steps = m_document.steps.events](const QString& where) {
                             if (where == u"steps")
                                 context.choose(steps);
                             else
                                 context.show(range);
                         });
    }

    void addSaving() {
        const ReplayResults::Saving saving = m_context.session.replay().savingOf(m_id);
        if (saving.isReady && saving.question == nullptr)
            return;
        m_page->addHeading(InspectorPage::tr("What if"), InspectorPage::tr("a model, not a measurement"));
        if (!saving.isReady) {
            m_page->addText(InspectorPage::tr("Replaying the trace..."), Qt::PlainText, 12, true);
            return;
        }
        const WhatIfQuestion& question = *saving.question;
        m_page->addText(savingTitle(question), Qt::PlainText, 12)->setObjectName(u"whatIf"_s);
        const auto figure = [&](const QString& label, std::int64_t ns, bool isStrong) {
            InspectorRow::Content row;
            row.text = label;
            row.strong = isStrong;
            row.columns = {text(formatDuration({ns}))};
            m_page->addRow(row, [context = m_context, &question] { // the calls or rows that it takes away
                context.choose(context.session.replay().rowsOf(question));
            });
        };
        figure(InspectorPage::tr("attributed idle"), saving.answer.attributedNs, false);
        figure(InspectorPage::tr("direct bound"), saving.answer.boundNs, false);
        figure(InspectorPage::tr("replay saving"), saving.answer.replayNs, true);
        if (const auto& period = saving.answer.stepPeriod)
            m_page->addText(InspectorPage::tr("Step: %1 recorded, %2 predicted")
                                .arg(text(formatDuration({period->recordedNs})),
                                     text(formatDuration({period->predictedNs}))),
                            Qt::PlainText, 12);
        QStringList limits;
        for (const std::string_view limit : replayLimits())
            limits << text(limit);
        m_page->addText(limits.join(u' '), Qt::PlainText, 11.5, true)->setObjectName(u"whatIfLimits"_s);
    }

    static QString savingTitle(const WhatIfQuestion& question) {
        const QString where = text(elideMiddle(question.where, 200));
        const std::size_t times = question.times();
        const QString count = text(formatCount(times));
        switch (question.kind) {
        case WhatIfKind::RemoveRead:
            return times == 1 ? InspectorPage::tr("Without the read at %1").arg(where)
                              : InspectorPage::tr("Without the %1 read(s) at %2", nullptr, pluralOf(times))
                                    .arg(count, where);
        case WhatIfKind::RemoveWait:
            return times == 1 ? InspectorPage::tr("Without the wait at %1").arg(where)
                              : InspectorPage::tr("Without the %1 wait(s) at %2", nullptr, pluralOf(times))
                                    .arg(count, where);
        default:
            return times == 1 ? InspectorPage::tr("Without the host time of %1").arg(where)
                              : InspectorPage::tr("Without the host time of %1, %2 time(s)", nullptr,
                                                  pluralOf(times))
                                    .arg(where, count);
        }
    }

    PageContext m_context;
    const Document& m_document;
    const Trace& m_trace;
    const GapAnalysis& m_gaps;
    const Gap& m_gap;
    GapId m_id;
    const GapStory& m_story;
    InspectorPage* m_page;
};

} // namespace

QWidget* makeGapPage(const PageContext& context, GapId gap) {
    return GapPageMaker(context, gap).make();
}

} // namespace lacuna::ui
