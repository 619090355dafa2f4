#include "widgets/steps/candidate_bar.h"

#include "core/base/text_format.h"
#include "widgets/steps/strip_cells.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace lacuna::ui {

namespace {

constexpr const char* kPattern = "steps.pattern";
constexpr int kMeaningWidth = 130;

} // namespace

CandidateBar::CandidateBar(StepStudy& study, QWidget* parent)
    : QWidget(parent), m_study(study), m_state(new QLabel), m_question(new QLabel), m_problem(new QLabel),
      m_candidate(new QComboBox), m_meaning(new QComboBox), m_show(new QPushButton(tr("Show"))),
      m_confirm(new QPushButton(tr("Confirm"))), m_takeBack(new QPushButton(tr("Take back"))) {
    setObjectName(u"candidateBar"_s);
    setAutoFillBackground(true);
    m_state->setFont(uiFont(Face::SemiBold, 12));
    m_state->setObjectName(u"candidateState"_s);
    m_question->setFont(uiFont(Face::Regular, 12));
    m_question->setObjectName(u"candidateQuestion"_s);
    m_problem->setObjectName(u"candidateProblem"_s);
    for (QLabel* label : {m_state, m_question, m_problem})
        label->setTextFormat(Qt::PlainText);
    m_question->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_candidate->setObjectName(u"candidateChoice"_s);
    m_candidate->setAccessibleName(tr("Which repeats"));
    m_meaning->setObjectName(u"candidateMeaning"_s);
    m_meaning->setAccessibleName(tr("What a repeat is"));
    m_meaning->setEditable(true);
    m_meaning->setFixedWidth(kMeaningWidth);
    for (const QString& one : {tr("step"), tr("micro-batch"), tr("token"), tr("inner loop")})
        m_meaning->addItem(one);
    m_meaning->setCurrentIndex(-1); // nothing is assumed
    m_meaning->lineEdit()->setPlaceholderText(tr("what is it?"));
    m_confirm->setObjectName(u"candidateConfirm"_s);
    m_takeBack->setObjectName(u"candidateTakeBack"_s);
    m_show->setObjectName(u"candidateShow"_s);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 3, 10, 3);
    layout->setSpacing(10);
    layout->addWidget(m_state);
    layout->addWidget(m_question, 1);
    layout->addWidget(m_problem);
    for (QWidget* part :
         {static_cast<QWidget*>(m_candidate), static_cast<QWidget*>(m_show), static_cast<QWidget*>(m_meaning),
          static_cast<QWidget*>(m_confirm), static_cast<QWidget*>(m_takeBack)})
        layout->addWidget(part);
    connect(m_candidate, &QComboBox::activated, this, [this] { showCandidate(); });
    connect(m_show, &QPushButton::clicked, this, [this] {
        const StepFacts* facts = m_study.facts();
        const auto chosen = static_cast<std::size_t>(std::max(0, m_candidate->currentIndex()));
        if (facts != nullptr && chosen < facts->candidates.size())
            m_study.show(facts->candidates[chosen].ranges.front());
    });
    connect(m_meaning, &QComboBox::editTextChanged, this, [this](const QString& now) {
        m_confirm->setEnabled(!now.trimmed().isEmpty());
        m_problem->clear();
    });
    connect(m_meaning->lineEdit(), &QLineEdit::returnPressed, this, [this] {
        if (m_confirm->isEnabled())
            confirm();
    });
    connect(m_confirm, &QPushButton::clicked, this, [this] { confirm(); });
    connect(m_takeBack, &QPushButton::clicked, this, [this] {
        m_study.settings().setOfTrace(kPattern, std::nullopt, tr("Take back what a repeat is"));
    });
    connect(&study, &StepStudy::changed, this, &CandidateBar::refresh);
    m_confirm->setEnabled(false);
    refresh();
}

void CandidateBar::setThemePalette(const ThemePalette& palette) {
    m_problem->setStyleSheet(u"color: %1"_s.arg(palette.color(Ink::Gap).name()));
    setStyleSheet(
        u"#candidateBar { border-bottom: 1px solid %1; }"_s.arg(palette.color(Ink::InnerLine).name()));
}

void CandidateBar::refresh() {
    const StepFacts* facts = m_study.facts();
    const bool isAsked = facts != nullptr && !facts->candidates.empty() && facts->times.steps.empty();
    const bool isConfirmed = facts != nullptr && facts->isConfirmedPattern();
    setVisible(isAsked || isConfirmed);
    if (!isAsked && !isConfirmed)
        return;
    for (QWidget* part : {static_cast<QWidget*>(m_candidate), static_cast<QWidget*>(m_show),
                          static_cast<QWidget*>(m_meaning), static_cast<QWidget*>(m_confirm)})
        part->setVisible(isAsked);
    // What the user's own file says is not this trace's to take back.
    m_takeBack->setVisible(isConfirmed && m_study.settings().ofTrace().count(kPattern) != 0);
    m_problem->clear();
    if (isConfirmed) {
        m_state->setText(tr("Confirmed"));
        m_question->setText(
            tr("You said that a repeat of this pattern is a %1. Nothing in the trace marks it: "
               "%2.")
                .arg(text(facts->times.meaning),
                     text(candidateSentence(*facts->trace,
                                            facts->candidates[facts->settings->pattern->number - 1]))));
        m_question->setToolTip(m_question->text().toHtmlEscaped());
        return;
    }
    m_state->setText(tr("Candidate steps (unconfirmed)"));
    fillCandidates();
    showCandidate();
}

void CandidateBar::fillCandidates() {
    m_candidate->clear();
    const StepFacts& facts = *m_study.facts();
    for (std::size_t c = 0; c < facts.candidates.size(); ++c)
        m_candidate->addItem(tr("%1 × %2")
                                 .arg(facts.candidates[c].ranges.size())
                                 .arg(text(formatDuration({facts.candidates[c].medianNs}))));
    m_candidate->setEnabled(m_candidate->count() > 1);
}

void CandidateBar::showCandidate() {
    const StepFacts& facts = *m_study.facts();
    const auto chosen = static_cast<std::size_t>(std::max(0, m_candidate->currentIndex()));
    m_question->setText(candidateQuestion(facts, chosen));
    m_question->setToolTip(text(candidateSentence(*facts.trace, facts.candidates[chosen])).toHtmlEscaped());
}

void CandidateBar::confirm() {
    const QString meaning = m_meaning->currentText().trimmed();
    const std::string value =
        meaning.toStdString() + ":" + std::to_string(std::max(0, m_candidate->currentIndex()) + 1);
    if (const QString why = meaning.contains(u':') ? tr("A word without a colon, such as token")
                                                   : SessionSettings::refusal(kPattern, value);
        !why.isEmpty()) {
        m_problem->setText(why);
        return;
    }
    m_study.settings().setOfTrace(kPattern, value, tr("Say that a repeat is a %1").arg(meaning));
}

} // namespace lacuna::ui
