#include "widgets/panels/panel.h"

#include "widgets/text.h"

#include <QAbstractScrollArea>
#include <QComboBox>
#include <QLineEdit>
#include <QScrollBar>
#include <QSlider>

#include <algorithm>

namespace lacuna::ui {

namespace {

// Of the panel and of its tools, which stand in the tab bar.
template <class Widget> QList<Widget*> named(const Panel& panel) {
    QList<Widget*> found = panel.findChildren<Widget*>();
    if (const QWidget* tools = const_cast<Panel&>(panel).tabTools();
        tools != nullptr && !panel.isAncestorOf(tools))
        found += tools->findChildren<Widget*>();
    erase_if(found, [](const Widget* one) { return one->objectName().isEmpty(); });
    return found;
}

QString scrollKey(const QAbstractScrollArea& area) {
    return area.objectName() + u"/scroll"_s;
}

// What a job fills is not so long yet: it goes there as it grows, unless somebody scrolls it first.
void scrollTo(QScrollBar& bar, int value) {
    bar.setValue(std::min(value, bar.maximum()));
    if (value <= bar.maximum())
        return;
    auto* until = new QObject(&bar);
    QObject::connect(&bar, &QScrollBar::rangeChanged, until, [&bar, until, value](int, int most) {
        bar.setValue(std::min(value, most));
        if (value <= most)
            until->deleteLater();
    });
    QObject::connect(&bar, &QScrollBar::actionTriggered, until, &QObject::deleteLater);
}

} // namespace

QVariantMap Panel::kept() const {
    QVariantMap kept;
    for (const auto* field : named<QLineEdit>(*this))
        kept[field->objectName()] = field->text();
    for (const auto* choice : named<QComboBox>(*this))
        kept[choice->objectName()] = choice->currentText();
    for (const auto* slider : named<QSlider>(*this))
        kept[slider->objectName()] = slider->value();
    for (const auto* area : named<QAbstractScrollArea>(*this))
        kept[scrollKey(*area)] = area->verticalScrollBar()->value();
    return kept;
}

void Panel::restore(const QVariantMap& kept) {
    for (auto* field : named<QLineEdit>(*this))
        if (const QVariant text = kept.value(field->objectName()); text.isValid())
            field->setText(text.toString());
    for (auto* choice : named<QComboBox>(*this))
        if (const int index = choice->findText(kept.value(choice->objectName()).toString()); index >= 0)
            choice->setCurrentIndex(index);
    for (auto* slider : named<QSlider>(*this))
        if (const QVariant value = kept.value(slider->objectName()); value.isValid())
            slider->setValue(value.toInt());
    for (auto* area : named<QAbstractScrollArea>(*this))
        if (const int value = kept.value(scrollKey(*area)).toInt(); value > 0)
            scrollTo(*area->verticalScrollBar(), value);
}

void Panel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale)
        bringUpToDate();
}

QList<QKeySequence> tabKeys(QStringView id) {
    int number = 0;
    for (const PanelEntry& entry : builtinPanels()) {
        if (entry.home != PanelHome::Bottom)
            continue;
        ++number;
        if (id == QLatin1StringView(entry.id) && number <= 10)
            return {QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + number % 10))};
    }
    return {};
}

Panel* PanelEntry::makePanel(const PanelContext& context, QWidget* parent) const {
    return make != nullptr ? make(context, parent) : makeReportTab(reports, id, context, parent);
}

} // namespace lacuna::ui
