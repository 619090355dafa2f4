#include "widgets/panels/range_work_part.h"

#include "core/base/text_format.h"
#include "widgets/session/range_work.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>

namespace lacuna::ui {

namespace {

constexpr std::size_t kShownItems = 12, kShownDifferences = 5;

class RangeWorkPart {
public:
    RangeWorkPart(InspectorPage& page, const PageContext& context, const FoundRangeWork& found)
        : m_page(page), m_context(context), m_work(found.work), m_facts(found.facts) {}

    void add() {
        addExpected();
        addQuestions();
        addComparison();
    }

private:
    std::function<void()> going(EventId event) const {
        if (!event)
            return {};
        return [go = m_context.go, event] { go(event); };
    }

    // Two columns that are never merged: what is expected, and what was launched.
    void addExpected() {
        m_page.addHeading(InspectorPage::tr("Expected work"), InspectorPage::tr("operations on the device"));
        if (m_work.items.empty()) {
            m_page.addText(InspectorPage::tr("Nothing is expected: no operator is recorded in this range."),
                           Qt::PlainText, 12, true);
            return;
        }
        m_page.addRow({{},
                       m_work.isByDevice ? InspectorPage::tr("operators of the kernels in the range")
                                         : InspectorPage::tr("operators begun in the range"),
                       false,
                       false,
                       true,
                       false,
                       {InspectorPage::tr("expected"), InspectorPage::tr("launched")},
                       {},
                       66,
                       66});
        for (std::size_t i = 0; i < std::min(kShownItems, m_work.items.size()); ++i)
            addItem(m_work.items[i]);
        if (m_work.items.size() > kShownItems)
            m_page.addText(
                InspectorPage::tr("%1 more: report expected_work").arg(m_work.items.size() - kShownItems),
                Qt::PlainText, 12, true);
        addDifferences();
    }

    void addItem(const ExpectedItem& item) {
        QString name = text(item.title());
        if (!item.shape.empty())
            name += u"  "_s + text(item.shape);
        QStringList tip{text(item.title())};
        if (!item.shape.empty())
            tip << text(item.shape);
        for (const auto& [kernel, count] : item.kernels)
            if (tip.size() < 8)
                tip << u"%1 × %2"_s.arg(text(formatCount(count)),
                                        text(m_context.session.document()->trace().strings().view(kernel)));
        m_page.addRow({item.seen > 0 ? std::optional(Ink::Kernel) : std::optional(Ink::Operator),
                       name,
                       false,
                       !item.isAsExpected() && item.expected,
                       false,
                       false,
                       {item.expected ? text(formatCount(*item.expected)) : InspectorPage::tr("no rule"),
                        text(formatCount(item.seen))},
                       tip.join(u'\n'),
                       66,
                       66},
                      going(item.kernel ? item.kernel : item.operation));
    }

    void addDifferences() {
        std::size_t shown = 0;
        for (const ExpectedItem& item : m_work.items)
            if (item.expected && !item.isAsExpected() && item.seen > 0 && shown < kShownDifferences &&
                ++shown > 0)
                m_page.addBullet(u"•"_s, text(item.verdict()), showLink(going(item.kernel)));
        if (m_work.withoutOperator > 0)
            m_page.addBullet(u"•"_s, InspectorPage::tr("%1 of %2 device operations have no operator.")
                                         .arg(text(formatCount(m_work.withoutOperator)),
                                              text(formatCount(m_work.operations))));
    }

    void addQuestions() {
        m_page.addHeading(InspectorPage::tr("What changed on the way"),
                          InspectorPage::tr("a click goes there"));
        for (const WorkQuestion& question : m_work.questions) {
            const EventId first = question.evidence.empty() ? EventId{} : question.evidence.front();
            m_page.addRow({{},
                           text(question.question),
                           false,
                           question.answer == WorkAnswer::Yes,
                           false,
                           false,
                           {text(workAnswerName(question.answer))},
                           text(question.why),
                           54,
                           62},
                          going(first));
            m_page.addText(text(question.why), Qt::PlainText, 12, true)->setContentsMargins(18, 0, 0, 3);
        }
    }

    void addFigures(const FusionRow& row) {
        const auto figure = [](const std::string& known) { return known.empty() ? u"–"_s : text(known); };
        m_page.addRow({{},
                       text(row.question),
                       false,
                       row.verdict == FusionVerdict::Worse,
                       row.verdict == FusionVerdict::NotRecorded,
                       false,
                       {figure(row.before), figure(row.after), text(fusionVerdictName(row.verdict))},
                       text(row.meaning),
                       84,
                       68});
    }

    void addComparison() {
        const auto& reference = m_context.work->reference();
        if (reference) {
            m_page.addHeading(InspectorPage::tr("Against the reference"));
            m_page.addText(text(reference->title), Qt::PlainText, 12, true);
            m_page.addRow({{},
                           InspectorPage::tr("figure"),
                           false,
                           false,
                           true,
                           false,
                           {InspectorPage::tr("reference"), InspectorPage::tr("here"), QString()},
                           {},
                           84,
                           68});
            if (reference->outsideNs || m_facts.outsideNs)
                addFigures(outsideRow(*reference, m_facts));
            else
                m_page
                    .addText(
                        InspectorPage::tr("No outside measurement entered: a step without a profiler, in "
                                          "the panel Steps, is what counts."),
                        Qt::PlainText, 12, true)
                    ->setObjectName(u"noOutside"_s);
            for (const FusionRow& row : compareFusion(*reference, m_facts))
                addFigures(row);
            if (const auto exposed = exposedCommunicationRow(*reference, m_facts))
                addFigures(*exposed);
        }
        auto* line = new QWidget;
        auto* layout = new QHBoxLayout(line);
        layout->setContentsMargins(0, 8, 0, 4);
        layout->setSpacing(8);
        const auto addButton = [&](const QString& title, auto action) {
            auto* button = new QPushButton(title);
            button->setFont(uiFont(Face::Regular, 12));
            layout->addWidget(button);
            QObject::connect(button, &QPushButton::clicked, m_context.work, action);
        };
        addButton(InspectorPage::tr("Set as reference"), &RangeWork::setReference);
        if (reference)
            addButton(InspectorPage::tr("Forget the reference"), &RangeWork::dropReference);
        layout->addStretch(1);
        m_page.addWidget(line);
        if (!reference)
            m_page.addText(
                InspectorPage::tr("Another range, of this trace or of another one, is then compared "
                                  "with this one in six figures."),
                Qt::PlainText, 12, true);
    }

    InspectorPage& m_page;
    const PageContext& m_context;
    const ExpectedWork& m_work;
    const FusionFacts& m_facts;
};

} // namespace

void addRangeWork(InspectorPage& page, const PageContext& context, TimeRange range) {
    if (context.work == nullptr)
        return;
    context.work->look(range);
    if (const FoundRangeWork* found = context.work->found(range)) {
        RangeWorkPart(page, context, *found).add();
        return;
    }
    page.addHeading(InspectorPage::tr("Expected work"));
    page.addText(InspectorPage::tr("Looking..."), Qt::PlainText, 12, true);
}

} // namespace lacuna::ui
