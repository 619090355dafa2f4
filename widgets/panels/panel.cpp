#include "widgets/panels/panel.h"

#include "widgets/text.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSlider>

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

} // namespace

QVariantMap Panel::kept() const {
    QVariantMap kept;
    for (const auto* field : named<QLineEdit>(*this))
        kept[field->objectName()] = field->text();
    for (const auto* choice : named<QComboBox>(*this))
        kept[choice->objectName()] = choice->currentText();
    for (const auto* slider : named<QSlider>(*this))
        kept[slider->objectName()] = slider->value();
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
