#include "widgets/tables/report_option_bar.h"

#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>

namespace lacuna::ui {

namespace {

using Form = ReportOptionInfo::Form;
constexpr int kFieldWidth = 90;

} // namespace

ReportOptionBar::ReportOptionBar(QWidget* parent) : QWidget(parent), m_layout(new QHBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(6);
}

void ReportOptionBar::showFor(const ReportSpec& report, const std::vector<std::int64_t>& gpus) {
    m_report = report.name;
    // A device of another trace.
    if (const std::string& device = chosen(ReportOption::Device);
        std::none_of(gpus.begin(), gpus.end(),
                     [&device](std::int64_t ordinal) { return std::to_string(ordinal) == device; }))
        m_chosen[m_report].erase(ReportOption::Device);
    for (QWidget* part : m_parts) { // one of them may be the sender
        part->hide();
        part->deleteLater();
    }
    m_parts.clear();
    m_controls.clear();
    for (const ReportOptionInfo& info : reportOptions()) {
        const bool isOneDevice = info.id == ReportOption::Device && gpus.size() < 2;
        if (!takes(report, info.id) || isOneDevice)
            continue;
        QWidget* control = makeControl(info, gpus);
        control->setObjectName(u"option."_s + text(info.name));
        control->setToolTip(text(info.help).toHtmlEscaped());
        control->setAccessibleName(text(info.title));
        if (info.form != Form::Switch) {
            auto* label = new QLabel(text(info.title));
            label->setFont(uiFont(Face::Regular, 12));
            label->setBuddy(control);
            m_layout->addWidget(label);
            m_parts.push_back(label);
        }
        m_layout->addWidget(control);
        m_parts.push_back(control);
        m_controls[info.id] = control;
    }
}

QWidget* ReportOptionBar::makeControl(const ReportOptionInfo& info, const std::vector<std::int64_t>& gpus) {
    if (info.form == Form::Switch) {
        auto* box = new QCheckBox(text(info.title));
        box->setChecked(chosen(info.id) == "on");
        connect(box, &QCheckBox::clicked, this,
                [this, id = info.id](bool on) { choose(id, on ? "on" : std::string()); });
        return box;
    }
    const bool isList =
        info.form == Form::Choice || info.id == ReportOption::Device || info.id == ReportOption::Sort;
    return isList ? makeChoice(info, gpus) : makeField(info);
}

// The first entry is the default.
QWidget* ReportOptionBar::makeChoice(const ReportOptionInfo& info, const std::vector<std::int64_t>& gpus) {
    auto* list = new QComboBox;
    for (const std::string_view choice : info.choices)
        list->addItem(text(choice), text(choice));
    if (info.id == ReportOption::Device) {
        list->addItem(tr("all"), QString());
        for (const std::int64_t ordinal : gpus)
            list->addItem(QString::number(ordinal), QString::number(ordinal));
    }
    if (info.id == ReportOption::Sort) {
        list->addItem(tr("the report's order"), QString());
        if (const std::string& column = chosen(info.id); !column.empty()) // before its columns are known
            list->addItem(text(column), text(column));
    }
    list->setCurrentIndex(std::max(0, list->findData(text(chosen(info.id)))));
    connect(list, &QComboBox::activated, this, [this, list, id = info.id](int index) {
        choose(id, list->itemData(index).toString().toStdString());
    });
    return list;
}

QWidget* ReportOptionBar::makeField(const ReportOptionInfo& info) {
    auto* edit = new QLineEdit(text(chosen(info.id)));
    edit->setFixedWidth(kFieldWidth);
    edit->setPlaceholderText(info.id == ReportOption::Limit ? tr("all") : text(info.type));
    connect(edit, &QLineEdit::editingFinished, this, [this, edit, id = info.id] {
        if (edit->isModified())
            choose(id, edit->text().trimmed().toStdString());
        edit->setModified(false);
    });
    return edit;
}

const std::string& ReportOptionBar::chosen(ReportOption option) const {
    static const std::string kNothing;
    const auto report = m_chosen.find(m_report);
    if (report == m_chosen.end())
        return kNothing;
    const auto value = report->second.find(option);
    return value == report->second.end() ? kNothing : value->second;
}

void ReportOptionBar::choose(ReportOption option, const std::string& value) {
    if (value == chosen(option))
        return;
    ReportQuery trial;
    if (const Status set = setOption(trial, option, value); !set) {
        Q_EMIT refused(text(set.error().detail));
        return;
    }
    m_chosen[m_report][option] = value;
    Q_EMIT changed();
}

void ReportOptionBar::setColumns(const ReportTable& table) {
    auto* list = qobject_cast<QComboBox*>(control(ReportOption::Sort));
    if (list == nullptr)
        return;
    const QSignalBlocker quiet(list);
    const QString wanted = text(chosen(ReportOption::Sort));
    while (list->count() > 1)
        list->removeItem(1);
    for (const ReportColumn& column : table.columns())
        list->addItem(text(column.title), text(column.title));
    list->setCurrentIndex(std::max(0, list->findData(wanted)));
}

void ReportOptionBar::apply(ReportQuery& query) const {
    for (const auto& [option, control] : m_controls)
        (void)setOption(query, option, chosen(option)); // was taken when it was chosen
    if (!query.limit)
        query.limit = SIZE_MAX;
}

QWidget* ReportOptionBar::control(ReportOption option) const {
    const auto at = m_controls.find(option);
    return at == m_controls.end() ? nullptr : at->second;
}

} // namespace lacuna::ui
