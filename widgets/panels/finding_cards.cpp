#include "widgets/panels/finding_cards.h"

#include "core/base/text_format.h"
#include "core/findings/builtin.h"
#include "widgets/panels/wrapped_label.h"
#include "widgets/plain_tip.h"
#include "widgets/session/user_settings.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <algorithm>
#include <utility>

namespace lacuna::ui {

namespace {

constexpr int kHeadHeight = 26;

QString markOf(FindingState state) {
    switch (state) {
    case FindingState::Found:
        return u"!"_s;
    case FindingState::Unknown:
        return u"?"_s;
    case FindingState::Clear:
        return u"✓"_s;
    case FindingState::Note:
        break;
    }
    return u"·"_s;
}

QString wordOf(FindingState state) {
    switch (state) {
    case FindingState::Found:
        return InspectorPage::tr("found");
    case FindingState::Unknown:
        return InspectorPage::tr("not known");
    case FindingState::Clear:
        return InspectorPage::tr("clear");
    case FindingState::Note:
        break;
    }
    return InspectorPage::tr("note");
}

// Mark, title and time; a click shows or hides the rest of the card.
class CardHead final : public RowButton {
public:
    CardHead(const Finding& finding, const ThemePalette& palette)
        : RowButton(palette), m_state(finding.state), m_title(ui::text(finding.title)) {
        if (finding.state == FindingState::Found && finding.costNs > 0)
            m_time = ui::text(formatDuration({finding.costNs}));
        setFixedHeight(kHeadHeight);
        setFocusPolicy(Qt::TabFocus);
        setCursor(Qt::PointingHandCursor);
        setCheckable(true);
        setAccessibleName(InspectorPage::tr("%1: %2").arg(m_title, wordOf(finding.state)));
        setAccessibleDescription(ui::text(finding.suggests));
        setToolTip(plainTip(ui::text(finding.suggests)));
    }
    QSize sizeHint() const override { return {200, kHeadHeight}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setLayoutDirection(layoutDirection());
        paintPointed(painter, rect());
        paintFocus(painter);
        const bool isFound = m_state == FindingState::Found;
        const QColor words = m_palette.color(isFound ? Ink::Text : Ink::TextSecondary);
        painter.setFont(uiFont(Face::SemiBold, 13));
        painter.setPen(words);
        painter.drawText(QRect(0, 0, 18, kHeadHeight), Qt::AlignCenter, markOf(m_state));
        painter.setFont(uiFont(Face::Regular, 12));
        painter.setPen(m_palette.color(Ink::TextSecondary));
        const QString right = m_time.isEmpty() ? wordOf(m_state) : m_time;
        const int taken = QFontMetrics(painter.font()).horizontalAdvance(right);
        painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, right);
        painter.setFont(uiFont(isFound ? Face::SemiBold : Face::Regular, 12.5));
        painter.setPen(words);
        const int left = 22;
        painter.drawText(
            QRect(left, 0, width() - left, kHeadHeight), Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(painter.font()).elidedText(m_title, Qt::ElideRight, width() - left - taken - 8));
    }

private:
    FindingState m_state;
    QString m_title, m_time;
};

// What a sentence opens: the row, gap or time that it names, and what its sums are of.
std::vector<SentenceLink> linksOf(const PageContext& context, const Evidence& evidence) {
    std::vector<SentenceLink> links;
    if (evidence.gap)
        links = showLink([go = context.go, gap = evidence.gap] { go(gap); });
    else if (evidence.event)
        links = showLink([go = context.go, event = evidence.event] { go(event); });
    else if (evidence.opens())
        links = showLink([show = context.show, range = evidence.range] { show(range); });
    if (evidence.rows.size() > (evidence.event ? 1U : 0U))
        links.push_back({InspectorPage::tr("All %1").arg(text(formatCount(evidence.rows.size()))),
                         [choose = context.choose, rows = evidence.rows] { choose(rows); }});
    if (!evidence.of.isEmpty())
        links.push_back({InspectorPage::tr("Mark the time"),
                         [mark = context.mark, of = evidence.of, gap = evidence.gap] { mark(of, gap); }});
    return links;
}

QLabel* makeSentence(const PageContext& context, const Evidence& evidence) {
    return linkedSentence(text(evidence.text), linksOf(context, evidence), context.palette);
}

// Made when its card is first opened: most are never, and all at once would hold up the window.
class CardBody final : public QWidget {
public:
    CardBody(PageContext context, Finding finding)
        : m_context(std::move(context)), m_finding(std::move(finding)) {
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(22, 0, 0, 6);
        layout->setSpacing(3);
    }

    QSize sizeHint() const override { return minimumSizeHint(); } // as of a page

    // The keyboard comes to its links after `head`.
    void fill(QWidget* head) {
        if (std::exchange(m_isFilled, true))
            return;
        m_lastFocus = head;
        add(m_finding.suggests);
        addAll(InspectorPage::tr("Supports"), m_finding.supports);
        addAll(InspectorPage::tr("Argues against"), m_finding.against);
        if (!m_finding.tests.empty())
            addHead(InspectorPage::tr("Test it by"));
        for (const std::string& test : m_finding.tests)
            add(test)->setTextInteractionFlags(Qt::TextSelectableByMouse); // commands are there to be copied
    }

private:
    void addHead(const QString& words) {
        auto* head = new QLabel(words);
        head->setFont(uiFont(Face::Regular, 11.5));
        head->setStyleSheet(u"color: %1"_s.arg(m_context.palette.color(Ink::TextSecondary).name()));
        head->setContentsMargins(0, 3, 0, 0);
        layout()->addWidget(head);
    }
    QLabel* add(const std::string& words) {
        Evidence one;
        one.text = words;
        return add(one);
    }
    QLabel* add(const Evidence& evidence) {
        QLabel* sentence = makeSentence(m_context, evidence);
        layout()->addWidget(sentence);
        if (sentence->focusPolicy() != Qt::NoFocus) {
            setTabOrder(m_lastFocus, sentence);
            m_lastFocus = sentence;
        }
        return sentence;
    }
    void addAll(const QString& words, const std::vector<Evidence>& evidence) {
        if (!evidence.empty())
            addHead(words);
        for (const Evidence& one : evidence)
            add(one);
    }

    const PageContext m_context;
    const Finding m_finding;
    QWidget* m_lastFocus = nullptr;
    bool m_isFilled = false;
};

} // namespace

void addFindingCards(InspectorPage& page, const PageContext& context, const FoundFindings& found) {
    const auto count =
        std::count_if(found.findings.begin(), found.findings.end(),
                      [](const Finding& finding) { return finding.state == FindingState::Found; });
    page.addHeading(InspectorPage::tr("Findings"),
                    InspectorPage::tr("%1 found, about %2").arg(count).arg(found.window));
    if (!found.problem.isEmpty())
        page.addText(found.problem, Qt::PlainText, 12);
    std::size_t opened = 0;
    for (const Finding& finding : found.findings) {
        auto* head = new CardHead(finding, context.palette);
        auto* body = new CardBody(context, finding);
        page.addWidget(head, 2);
        page.addWidget(body);
        // The first ones are open; the others open with a click.
        const bool isOpen = finding.state == FindingState::Found && ++opened <= 2;
        head->setChecked(isOpen);
        if (isOpen)
            body->fill(head);
        else
            body->hide();
        QObject::connect(head, &QAbstractButton::toggled, body, [head, body](bool opens) {
            if (opens)
                body->fill(head);
            body->setVisible(opens);
        });
    }
    page.addText(InspectorPage::tr("A finding suggests what to look at; none is a verdict. Thresholds: %1")
                     .arg(userSettingsFile()),
                 Qt::PlainText, 11.5, true)
        ->setContentsMargins(0, 8, 0, 0);
}

} // namespace lacuna::ui
