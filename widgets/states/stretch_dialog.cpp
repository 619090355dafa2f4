#include "widgets/states/stretch_dialog.h"

#include "core/base/text_format.h"
#include "widgets/plain_tip.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

constexpr double kNsPerSecond = 1e9;
constexpr int kTimeWidth = 110, kDecimals = 6;
constexpr std::int64_t kUnstepped = 60'000'000'000; // selected at first of a trace without steps

DurationNs lengthOf(const FileStretch& stretch) {
    return {std::max<std::int64_t>(0, stretch.endNs - stretch.beginNs)};
}

} // namespace

StretchDialog::StretchDialog(const QString& trace, const TraceSurvey& survey, std::uint64_t neededBytes,
                             std::optional<std::uint64_t> freeBytes, QWidget* parent)
    : QDialog(parent), m_survey(survey), m_neededBytes(neededBytes), m_freeBytes(freeBytes),
      m_steps(new QTreeWidget), m_from(new QDoubleSpinBox), m_to(new QDoubleSpinBox), m_need(new QLabel),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel)) {
    setObjectName(u"stretchDialog"_s);
    setWindowTitle(tr("Choose steps"));
    const QString length = text(formatDuration(lengthOf(survey.whole)));
    auto* question = new QLabel(
        survey.steps.empty()
            ? tr("%1 lasts %2. No steps were found in it. Which stretch is to be read?").arg(trace, length)
            : tr("%1 lasts %2 and has %n step(s). Which are to be read?", nullptr,
                 pluralOf(survey.steps.size()))
                  .arg(trace, length));
    question->setTextFormat(Qt::PlainText);
    question->setWordWrap(true);
    question->setFont(uiFont(Face::SemiBold, 12.5));
    addSteps();

    const double whole = static_cast<double>(lengthOf(survey.whole).v) / kNsPerSecond;
    auto* times = new QHBoxLayout;
    const auto addTime = [&](QDoubleSpinBox* box, const QString& title, const QString& id) {
        auto* label = new QLabel(title);
        label->setBuddy(box);
        box->setObjectName(id);
        box->setDecimals(kDecimals);
        box->setRange(0, std::ceil(whole * 1e6) / 1e6);
        box->setSuffix(u" s"_s);
        box->setKeyboardTracking(false);
        times->addWidget(label);
        times->addWidget(box);
        connect(box, &QDoubleSpinBox::valueChanged, this, &StretchDialog::showSteps);
    };
    addTime(m_from, tr("&From"), u"stretchFrom"_s);
    addTime(m_to, tr("&to"), u"stretchTo"_s);
    times->addStretch(1);
    m_need->setObjectName(u"stretchNeed"_s);
    m_need->setTextFormat(Qt::PlainText);

    m_buttons->button(QDialogButtonBox::Open)->setDefault(true);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &StretchDialog::choose);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_steps->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &StretchDialog::takeSteps);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(question);
    layout->addWidget(m_steps, 1);
    layout->addLayout(times);
    layout->addWidget(m_need);
    layout->addWidget(m_buttons);
    resize(620, survey.steps.empty() ? 180 : 460);
    selectWhatFits();
    if (survey.steps.empty())
        m_from->setFocus();
    else
        m_steps->setFocus();
}

void StretchDialog::addSteps() {
    m_steps->setObjectName(u"stretchSteps"_s);
    m_steps->setAccessibleName(tr("Steps of the trace"));
    m_steps->setHeaderLabels({tr("Step"), tr("Starts at"), tr("Length")});
    m_steps->setRootIsDecorated(false);
    m_steps->setUniformRowHeights(true);
    m_steps->setAllColumnsShowFocus(true);
    m_steps->setSelectionMode(QAbstractItemView::ContiguousSelection);
    m_steps->setVisible(!m_survey.steps.empty());
    QList<QTreeWidgetItem*> items;
    for (const SurveyedStep& step : m_survey.steps) {
        const DurationNs start{step.stretch.beginNs - m_survey.whole.beginNs};
        auto* item = new QTreeWidgetItem(
            {text(step.name), text(formatDuration(start)), text(formatDuration(lengthOf(step.stretch)))});
        item->setToolTip(0, plainTip(text(step.name)));
        for (const int column : {1, 2})
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        items << item;
    }
    m_steps->addTopLevelItems(items);
    m_steps->header()->setStretchLastSection(false);
    m_steps->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (const int column : {1, 2}) { // as the times below them
        m_steps->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        m_steps->header()->resizeSection(column, kTimeWidth);
    }
}

void StretchDialog::selectWhatFits() {
    const auto fits = [this](const FileStretch& stretch) {
        return m_neededBytes == 0 || !m_freeBytes || needOf(stretch) <= *m_freeBytes;
    };
    if (m_survey.steps.empty()) {
        FileStretch part{m_survey.whole.beginNs,
                         std::min(m_survey.whole.endNs, m_survey.whole.beginNs + kUnstepped)};
        while (!fits(part) && lengthOf(part).v > 1)
            part.endNs = part.beginNs + lengthOf(part).v / 2;
        m_to->setValue(static_cast<double>(lengthOf(part).v) / kNsPerSecond);
        tellNeed();
        return;
    }
    int last = 0;
    const FileStretch& first = m_survey.steps.front().stretch;
    while (last + 1 < m_steps->topLevelItemCount() &&
           fits({first.beginNs, m_survey.steps[static_cast<std::size_t>(last) + 1].stretch.endNs}))
        ++last;
    m_steps->setCurrentItem(m_steps->topLevelItem(0));
    selectSteps(0, last);
    takeSteps();
}

void StretchDialog::selectSteps(int first, int last) {
    const QAbstractItemModel* model = m_steps->model();
    const QItemSelection steps =
        first > last ? QItemSelection()
                     : QItemSelection(model->index(first, 0), model->index(last, model->columnCount() - 1));
    m_steps->selectionModel()->select(steps, QItemSelectionModel::ClearAndSelect);
}

// The times of the selected steps.
void StretchDialog::takeSteps() {
    if (m_isSetting)
        return;
    FileStretch all{INT64_MAX, INT64_MIN};
    for (int i = 0; i < m_steps->topLevelItemCount(); ++i)
        if (m_steps->topLevelItem(i)->isSelected()) {
            const FileStretch& step = m_survey.steps[static_cast<std::size_t>(i)].stretch;
            all = {std::min(all.beginNs, step.beginNs), std::max(all.endNs, step.endNs)};
        }
    if (all.beginNs > all.endNs)
        return;
    m_isSetting = true;
    const auto seconds = [this](std::int64_t ns) {
        return static_cast<double>(ns - m_survey.whole.beginNs) / kNsPerSecond;
    };
    // To the whole microsecond around them.
    m_from->setValue(std::floor(seconds(all.beginNs) * 1e6) / 1e6);
    m_to->setValue(std::ceil(seconds(all.endNs) * 1e6) / 1e6);
    m_isSetting = false;
    tellNeed();
}

// The steps that lie in the times.
void StretchDialog::showSteps() {
    if (m_isSetting)
        return;
    m_isSetting = true;
    const FileStretch now = stretch();
    int first = 0, last = static_cast<int>(m_survey.steps.size()) - 1;
    const auto step = [this](int i) { return m_survey.steps[static_cast<std::size_t>(i)].stretch; };
    while (first <= last && step(first).beginNs < now.beginNs)
        ++first;
    while (first <= last && step(last).endNs > now.endNs)
        --last;
    selectSteps(first, last);
    m_isSetting = false;
    tellNeed();
}

FileStretch StretchDialog::stretch() const {
    const auto at = [this](const QDoubleSpinBox* box) {
        return m_survey.whole.beginNs + static_cast<std::int64_t>(std::llround(box->value() * kNsPerSecond));
    };
    return {at(m_from), at(m_to)};
}

std::uint64_t StretchDialog::needOf(const FileStretch& stretch) const {
    const auto whole = static_cast<double>(std::max<std::int64_t>(1, lengthOf(m_survey.whole).v));
    return static_cast<std::uint64_t>(static_cast<double>(m_neededBytes) *
                                      std::min(1.0, static_cast<double>(lengthOf(stretch).v) / whole));
}

void StretchDialog::tellNeed() {
    const FileStretch now = stretch();
    m_buttons->button(QDialogButtonBox::Open)->setEnabled(now.beginNs < now.endNs);
    QString told = tr("%1 of time").arg(text(formatDuration(lengthOf(now))));
    if (m_neededBytes != 0)
        told += u", "_s + tr("about %1 of memory").arg(text(formatBytes(needOf(now))));
    if (m_neededBytes != 0 && m_freeBytes)
        told += u"; "_s + tr("%1 are free").arg(text(formatBytes(*m_freeBytes)));
    m_need->setText(told);
}

void StretchDialog::choose() {
    Q_EMIT chosen(stretch());
    accept();
}

} // namespace lacuna::ui
