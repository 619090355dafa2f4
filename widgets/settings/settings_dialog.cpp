#include "widgets/settings/settings_dialog.h"

#include "widgets/session/user_settings.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lacuna::ui {

namespace {

constexpr QSize kSize(980, 640);

// Only values can be edited.
class ValueDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override {
        return index.column() == SettingsDialog::kValue && index.parent().isValid()
                   ? QStyledItemDelegate::createEditor(parent, option, index)
                   : nullptr;
    }
};

QLabel* plainLabel(const QString& name) {
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setFont(uiFont(Face::Regular, 12));
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

SettingsDialog::SettingsDialog(SessionSettings& settings, const ThemePalette& palette, QWidget* parent)
    : QDialog(parent), m_settings(settings), m_palette(palette), m_entries(settingEntries()),
      m_filter(new QLineEdit), m_list(new QTreeWidget), m_about(plainLabel(u"settingAbout"_s)),
      m_message(plainLabel(u"settingMessage"_s)), m_file(plainLabel(u"settingFile"_s)),
      m_reset(new QPushButton(tr("Default"))), m_resetAll(new QPushButton(tr("All to default"))) {
    setObjectName(u"settingsDialog"_s);
    setWindowTitle(tr("Thresholds and settings"));
    resize(kSize);
    m_filter->setObjectName(u"settingFilter"_s);
    m_filter->setPlaceholderText(tr("search by words, key or unit"));
    m_filter->setAccessibleName(tr("Search among the settings"));
    m_filter->setClearButtonEnabled(true);
    m_list->setObjectName(u"settingList"_s);
    m_list->setAccessibleName(tr("Settings"));
    m_list->setHeaderLabels(
        {tr("What it decides"), tr("Value"), tr("Default"), tr("Unit"), tr("Key"), tr("This trace")});
    m_list->setItemDelegate(new ValueDelegate(m_list));
    m_list->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                            QAbstractItemView::SelectedClicked);
    m_list->setRootIsDecorated(true);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_file->setStyleSheet(u"color: %1"_s.arg(palette.color(Ink::TextSecondary).name()));
    m_file->setText(tr("Kept in %1, which `lacuna stats --settings` reads, too.").arg(userSettingsFile()));
    m_reset->setObjectName(u"settingReset"_s);
    m_resetAll->setObjectName(u"settingResetAll"_s);
    m_reset->setAutoDefault(false);
    m_resetAll->setAutoDefault(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_reset);
    foot->addWidget(m_resetAll);
    foot->addStretch(1);
    foot->addWidget(buttons);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_filter);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_about);
    layout->addWidget(m_message);
    layout->addWidget(m_file);
    layout->addLayout(foot);
    fill();
    connect(m_filter, &QLineEdit::textChanged, this, &SettingsDialog::filter);
    connect(m_list, &QTreeWidget::itemChanged, this, &SettingsDialog::edited);
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this] { showCurrent(); });
    connect(m_list, &QTreeWidget::itemActivated, this,
            [this](QTreeWidgetItem* item) { m_list->editItem(item, kValue); });
    connect(m_reset, &QPushButton::clicked, this, [this] { change(currentKey(), {}); });
    connect(m_resetAll, &QPushButton::clicked, this, &SettingsDialog::resetAll);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(&settings, &SessionSettings::changed, this, &SettingsDialog::refresh);
    refresh();
    showCurrent();
    m_filter->setFocus();
}

// Groups in the order in which their first setting comes.
void SettingsDialog::fill() {
    for (const SettingEntry& entry : m_entries) {
        QTreeWidgetItem* group = nullptr;
        for (int i = 0; i < m_list->topLevelItemCount() && group == nullptr; ++i)
            if (m_list->topLevelItem(i)->text(kMeaning) == text(entry.group))
                group = m_list->topLevelItem(i);
        if (group == nullptr) {
            group = new QTreeWidgetItem(m_list, {text(entry.group)});
            group->setFirstColumnSpanned(true);
            group->setFont(kMeaning, uiFont(Face::SemiBold, 12.5));
            group->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
            group->setExpanded(true);
        }
        auto* item = new QTreeWidgetItem(group);
        item->setText(kMeaning, text(entry.meaning));
        item->setToolTip(kMeaning, text(entry.meaning).toHtmlEscaped());
        item->setText(kStandard, entry.standard.empty() ? tr("not set") : text(entry.standard));
        item->setText(kUnit, text(entry.unit));
        item->setText(kKey, text(entry.key));
        item->setFont(kKey, uiFont(Face::Mono, 12));
        item->setFlags(item->flags() | Qt::ItemIsEditable);
    }
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(kMeaning, QHeaderView::Stretch);
    for (const int column : {kValue, kStandard, kUnit, kKey, kOfTrace})
        m_list->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
}

QTreeWidgetItem* SettingsDialog::itemOf(std::string_view key) const {
    const auto found =
        m_list->findItems(text(key), Qt::MatchExactly | Qt::MatchRecursive | Qt::MatchCaseSensitive, kKey);
    return found.isEmpty() ? nullptr : found.front();
}

void SettingsDialog::refresh() {
    m_isFilling = true;
    bool isAnyOther = false, isAnyOfTrace = false;
    for (const SettingEntry& entry : m_entries) {
        QTreeWidgetItem* item = itemOf(entry.key);
        const std::string value = settingText(m_settings.userValues(), entry.key);
        const auto ofTrace = m_settings.ofTrace().find(entry.key);
        const bool isOther = value != entry.standard;
        isAnyOther = isAnyOther || isOther;
        isAnyOfTrace = isAnyOfTrace || ofTrace != m_settings.ofTrace().end();
        item->setText(kValue, text(value));
        item->setFont(kValue, uiFont(isOther ? Face::SemiBold : Face::Regular, 12.5));
        item->setText(kOfTrace, ofTrace == m_settings.ofTrace().end() ? QString() : text(ofTrace->second));
    }
    m_isFilling = false;
    m_list->setColumnHidden(kOfTrace, !isAnyOfTrace);
    m_resetAll->setEnabled(isAnyOther);
    if (!m_settings.problem().isEmpty())
        say(tr("The file is wrong, so the defaults hold: %1. Mend that line first.")
                .arg(m_settings.problem()),
            true);
    showCurrent();
}

void SettingsDialog::filter(const QString& words) {
    const QStringList wanted = words.toLower().split(u' ', Qt::SkipEmptyParts);
    for (int g = 0; g < m_list->topLevelItemCount(); ++g) {
        QTreeWidgetItem* group = m_list->topLevelItem(g);
        bool isAny = false;
        for (int i = 0; i < group->childCount(); ++i) {
            QTreeWidgetItem* item = group->child(i);
            const QString all = (group->text(kMeaning) + u' ' + item->text(kMeaning) + u' ' +
                                 item->text(kKey) + u' ' + item->text(kUnit))
                                    .toLower();
            const bool fits = std::all_of(wanted.begin(), wanted.end(),
                                          [&](const QString& word) { return all.contains(word); });
            item->setHidden(!fits);
            isAny = isAny || fits;
        }
        group->setHidden(!isAny);
    }
}

QString SettingsDialog::currentKey() const {
    const QTreeWidgetItem* item = m_list->currentItem();
    return item == nullptr || item->parent() == nullptr ? QString() : item->text(kKey);
}

void SettingsDialog::showCurrent() {
    const QString key = currentKey();
    const auto entry = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const SettingEntry& one) { return text(one.key) == key; });
    m_reset->setEnabled(entry != m_entries.end() &&
                        settingText(m_settings.userValues(), entry->key) != entry->standard);
    if (entry == m_entries.end()) {
        m_about->setText(tr("Double click or F2 changes a value; an empty one is the default."));
        return;
    }
    QString about = text(entry->meaning) + u". "_s;
    about += entry->standard.empty() ? tr("Not set by default.")
             : entry->source.empty()
                 ? tr("Default %1.").arg(text(entry->standard))
                 : tr("Default %1, by %2.").arg(text(entry->standard), text(entry->source));
    if (const auto ofTrace = m_settings.ofTrace().find(entry->key); ofTrace != m_settings.ofTrace().end())
        about += tr(" For the open trace %1 was said, which goes before.").arg(text(ofTrace->second));
    m_about->setText(about);
}

void SettingsDialog::say(const QString& message, bool isProblem) {
    m_message->setText(message);
    m_message->setStyleSheet(
        u"color: %1"_s.arg(m_palette.color(isProblem ? Ink::Gap : Ink::TextSecondary).name()));
}

void SettingsDialog::edited(QTreeWidgetItem* item, int column) {
    if (!m_isFilling && column == kValue)
        change(item->text(kKey), item->text(kValue).trimmed());
}

// Empty: the default.
void SettingsDialog::change(const QString& key, const QString& value) {
    const auto entry = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const SettingEntry& one) { return text(one.key) == key; });
    if (entry == m_entries.end())
        return;
    const std::string wanted = value.toStdString();
    const Status done = m_settings.setForUser(
        entry->key, wanted.empty() || wanted == entry->standard ? std::nullopt : std::optional(wanted));
    if (done)
        say(tr("%1 is %2.").arg(key, text(settingText(m_settings.userValues(), entry->key))), false);
    else
        say(text(done.error().detail + (done.error().remedy.empty() ? "" : " " + done.error().remedy)), true);
    refresh(); // what was refused goes back to what holds
}

void SettingsDialog::resetAll() {
    for (const SettingEntry& entry : m_entries)
        if (settingText(m_settings.userValues(), entry.key) != entry.standard)
            if (const Status done = m_settings.setForUser(entry.key, std::nullopt); !done)
                return say(text(done.error().detail), true);
    say(tr("All settings have their defaults."), false);
    refresh();
}

} // namespace lacuna::ui
