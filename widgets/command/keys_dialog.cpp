#include "widgets/command/keys_dialog.h"

#include "core/base/fuzzy_match.h"
#include "widgets/command/command_registry.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <array>

namespace lacuna::ui {

namespace {

struct Gesture {
    const char* what;
    const char* how;
};

// What TimelineInput and the arrow keys of the timeline do; everything else is a command.
constexpr std::array kGestures{
    Gesture{QT_TRANSLATE_NOOP("Gestures", "Scroll lanes"),
            QT_TRANSLATE_NOOP("Gestures", "wheel, ↑ ↓, PgUp PgDn")},
    Gesture{QT_TRANSLATE_NOOP("Gestures", "Pan"),
            QT_TRANSLATE_NOOP("Gestures", "Shift+wheel, ← → (Shift: faster)")},
    Gesture{QT_TRANSLATE_NOOP("Gestures", "Zoom at the pointer"),
            QT_TRANSLATE_NOOP("Gestures", "Ctrl+wheel")},
    Gesture{QT_TRANSLATE_NOOP("Gestures", "Whole trace"), QT_TRANSLATE_NOOP("Gestures", "Home")},
    Gesture{QT_TRANSLATE_NOOP("Gestures", "Select"), QT_TRANSLATE_NOOP("Gestures", "click")},
    Gesture{QT_TRANSLATE_NOOP("Gestures", "Add an event; two are measured"),
            QT_TRANSLATE_NOOP("Gestures", "Ctrl+click")},
    Gesture{QT_TRANSLATE_NOOP("Gestures", "Mark a time range"),
            QT_TRANSLATE_NOOP("Gestures", "drag; drag its edges")},
    Gesture{QT_TRANSLATE_NOOP("Gestures", "Pan by hand"),
            QT_TRANSLATE_NOOP("Gestures", "Shift+drag, middle drag, Space+drag")},
    Gesture{QT_TRANSLATE_NOOP("Gestures", "Zoom to a range"),
            QT_TRANSLATE_NOOP("Gestures", "Alt+drag, drag on the ruler")},
    Gesture{QT_TRANSLATE_NOOP("Gestures", "Fit an event or gap"),
            QT_TRANSLATE_NOOP("Gestures", "double click, middle click")},
    Gesture{QT_TRANSLATE_NOOP("Gestures", "Callout on an empty place"),
            QT_TRANSLATE_NOOP("Gestures", "double click")},
    Gesture{QT_TRANSLATE_NOOP("Gestures", "What times count from"),
            QT_TRANSLATE_NOOP("Gestures", "click on the corner left of the ruler")},
    Gesture{QT_TRANSLATE_NOOP("Gestures", "Fold or unfold"),
            QT_TRANSLATE_NOOP("Gestures", "click on a lane head")},
    Gesture{QT_TRANSLATE_NOOP("Gestures", "Move a callout, edit it"),
            QT_TRANSLATE_NOOP("Gestures", "drag its box, double click")},
    Gesture{QT_TRANSLATE_NOOP("Gestures", "Overview: pan, zoom, jump"),
            QT_TRANSLATE_NOOP("Gestures", "drag the window, its edges, click")},
};

constexpr int kIdRole = Qt::UserRole;
enum Column { What, How, Own };

QString ownKeys(const Command& command) {
    return QKeySequence::listToString(command.keys, QKeySequence::NativeText);
}

} // namespace

KeysDialog::KeysDialog(CommandRegistry& commands, QWidget* parent)
    : QDialog(parent), m_commands(commands), m_filter(new QLineEdit), m_list(new QTreeWidget),
      m_what(new QLabel), m_conflict(new QLabel), m_key(new QKeySequenceEdit),
      m_set(new QPushButton(tr("&Set"))), m_add(new QPushButton(tr("&Add"))),
      m_clear(new QPushButton(tr("No &key"))), m_reset(new QPushButton(tr("&Default"))) {
    setWindowTitle(tr("Keys and mouse"));
    m_filter->setObjectName(u"keysFilter"_s);
    m_filter->setPlaceholderText(tr("Type to find a command"));
    m_filter->setAccessibleName(tr("Filter of the commands"));
    m_filter->setClearButtonEnabled(true);
    m_list->setObjectName(u"keysList"_s);
    m_list->setAccessibleName(tr("Commands and their keys"));
    m_list->setHeaderLabels({tr("what"), tr("keys"), tr("default")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(What, QHeaderView::Stretch);
    m_list->header()->resizeSection(How, 280);
    m_list->header()->resizeSection(Own, 170);
    m_what->setFont(uiFont(Face::SemiBold, 12.5));
    m_conflict->setObjectName(u"keysConflict"_s);
    m_conflict->setMinimumHeight(18);
    m_key->setObjectName(u"keysKey"_s);
    m_key->setAccessibleName(tr("New key"));
    m_key->setMaximumWidth(220);
    m_set->setObjectName(u"keysSet"_s);
    m_add->setObjectName(u"keysAdd"_s);
    m_clear->setObjectName(u"keysClear"_s);
    m_reset->setObjectName(u"keysReset"_s);

    auto* edit = new QHBoxLayout;
    edit->setSpacing(8);
    edit->addWidget(m_what, 1);
    edit->addWidget(m_key);
    for (QPushButton* button : {m_set, m_add, m_clear, m_reset}) {
        button->setAutoDefault(false);
        edit->addWidget(button);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* all = buttons->addButton(tr("All &defaults"), QDialogButtonBox::ResetRole);
    all->setAutoDefault(false);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    all->setObjectName(u"keysAllDefaults"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(m_filter);
    layout->addWidget(m_list, 1);
    layout->addLayout(edit);
    layout->addWidget(m_conflict);
    layout->addWidget(buttons);
    resize(860, 640);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(all, &QPushButton::clicked, &m_commands, &CommandRegistry::resetAllKeys);
    connect(m_filter, &QLineEdit::textChanged, this, &KeysDialog::filter);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &KeysDialog::showCurrent);
    connect(m_key, &QKeySequenceEdit::keySequenceChanged, this, &KeysDialog::showConflict);
    connect(m_set, &QPushButton::clicked, this, [this] { assign(false); });
    connect(m_add, &QPushButton::clicked, this, [this] { assign(true); });
    connect(m_clear, &QPushButton::clicked, this, [this] { m_commands.setKeys(currentId(), {}); });
    connect(m_reset, &QPushButton::clicked, this, [this] { m_commands.resetKeys(currentId()); });
    connect(&m_commands, &CommandRegistry::keysChanged, this, &KeysDialog::fill);
    fill();
    m_filter->setFocus();
}

void KeysDialog::fill() {
    const QString current = currentId();
    m_list->clear();
    QTreeWidgetItem* again = nullptr;
    // Groups in the order in which they were registered first.
    QStringList groups;
    for (const Command& command : m_commands.commands())
        if (!groups.contains(command.group))
            groups << command.group;
    const auto addHeading = [this](const QString& title) {
        auto* heading = new QTreeWidgetItem(m_list, {title});
        heading->setFlags(Qt::ItemIsEnabled);
        heading->setFont(What, uiFont(Face::SemiBold, 12.5));
        heading->setFirstColumnSpanned(true);
    };
    for (const QString& title : groups) {
        addHeading(title);
        for (const Command& command : m_commands.commands()) {
            if (command.group != title)
                continue;
            auto* item = new QTreeWidgetItem(
                m_list, {u"    "_s + CommandRegistry::plainTitle(command), m_commands.keyText(command.id),
                         m_commands.keys(command.id) == command.keys ? QString() : ownKeys(command)});
            item->setData(What, kIdRole, command.id);
            item->setFont(How, uiFont(Face::Medium, 12));
            if (command.id == current)
                again = item;
        }
    }
    addHeading(tr("Mouse and arrow keys in the timeline"));
    addGestures();
    filter(m_filter->text());
    m_list->setCurrentItem(again);
    showCurrent();
}

void KeysDialog::addGestures() {
    for (const Gesture& gesture : kGestures) {
        auto* item =
            new QTreeWidgetItem(m_list, {u"    "_s + QCoreApplication::translate("Gestures", gesture.what),
                                         QCoreApplication::translate("Gestures", gesture.how)});
        item->setFont(How, uiFont(Face::Medium, 12));
    }
}

// Headings stay while something below them does.
void KeysDialog::filter(const QString& typed) {
    QTreeWidgetItem* heading = nullptr;
    const std::string letters = typed.toStdString();
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = m_list->topLevelItem(i);
        if (item->isFirstColumnSpanned()) {
            heading = item;
            heading->setHidden(true);
            continue;
        }
        const bool fits = fuzzyScore(letters, item->text(What).trimmed().toStdString()).has_value() ||
                          item->text(How).contains(typed, Qt::CaseInsensitive);
        item->setHidden(!fits);
        if (fits && heading != nullptr)
            heading->setHidden(false);
    }
}

QString KeysDialog::currentId() const {
    const QTreeWidgetItem* item = m_list->currentItem();
    return item == nullptr ? QString() : item->data(What, kIdRole).toString();
}

void KeysDialog::showCurrent() {
    const QString id = currentId();
    const QTreeWidgetItem* item = m_list->currentItem();
    m_what->setText(id.isEmpty() ? tr("Choose a command to give it other keys.")
                                 : item->text(What).trimmed());
    m_key->clear();
    m_key->setEnabled(!id.isEmpty());
    m_clear->setEnabled(!m_commands.keys(id).isEmpty());
    m_reset->setEnabled(!id.isEmpty() && m_commands.keyChanges().contains(id));
    showConflict();
}

void KeysDialog::showConflict() {
    const QString id = currentId();
    const QKeySequence key = m_key->keySequence();
    const bool isNew = !id.isEmpty() && !key.isEmpty() && !m_commands.keys(id).contains(key);
    m_set->setEnabled(!id.isEmpty() && !key.isEmpty());
    m_add->setEnabled(isNew);
    const QString holder = key.isEmpty() ? QString() : m_commands.holderOf(key, id);
    QString message;
    for (const Command& command : m_commands.commands())
        if (command.id == holder)
            message = tr("%1 is the key of “%2” now; it would lose it.")
                          .arg(key.toString(QKeySequence::NativeText), CommandRegistry::plainTitle(command));
    m_conflict->setText(message);
}

void KeysDialog::assign(bool besideOthers) {
    const QKeySequence key = m_key->keySequence();
    QList<QKeySequence> keys = besideOthers ? m_commands.keys(currentId()) : QList<QKeySequence>();
    keys << key;
    m_commands.setKeys(currentId(), keys);
}

} // namespace lacuna::ui
