#include "app/desktop_motion.h"

#include "widgets/text.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>

#include <algorithm>
#include <array>

namespace lacuna::ui {

namespace {

const QString kService = u"org.freedesktop.portal.Desktop"_s, kPath = u"/org/freedesktop/portal/desktop"_s,
              kInterface = u"org.freedesktop.portal.Settings"_s;
const QString kCommon = u"org.freedesktop.appearance"_s, kGnome = u"org.gnome.desktop.interface"_s,
              kKde = u"org.kde.kdeglobals.KDE"_s;

struct Key {
    const QString& group;
    QString key;
};
const std::array kKeys{Key{kCommon, u"reduced-motion"_s}, Key{kGnome, u"enable-animations"_s},
                       Key{kKde, u"AnimationDurationFactor"_s}};

} // namespace

std::optional<bool> asksForStillness(const QString& group, const QString& key, const QVariant& value) {
    if (group == kCommon && key == kKeys[0].key)
        return value.toUInt() == 1;
    if (group == kGnome && key == kKeys[1].key)
        return !value.toBool();
    bool isNumber = false;
    if (const double factor = value.toDouble(&isNumber); group == kKde && key == kKeys[2].key && isNumber)
        return factor == 0;
    return std::nullopt;
}

DesktopMotion::DesktopMotion(QObject* parent) : QObject(parent) {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(kService, kPath, kInterface, u"SettingChanged"_s, this,
                SLOT(settingChanged(QString, QString, QDBusVariant)));
    for (const Key& asked : kKeys) {
        QDBusMessage call = QDBusMessage::createMethodCall(kService, kPath, kInterface, u"Read"_s);
        call << asked.group << asked.key;
        auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
        connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher, asked] {
            watcher->deleteLater();
            const QDBusPendingReply<QDBusVariant> reply = *watcher;
            if (reply.isError())
                return; // no portal, or it does not know the setting
            QVariant value = reply.value().variant();
            if (value.metaType() == QMetaType::fromType<QDBusVariant>()) // Read() wraps it twice
                value = value.value<QDBusVariant>().variant();
            take(asked.group, asked.key, value);
        });
    }
}

void DesktopMotion::settingChanged(const QString& group, const QString& key, const QDBusVariant& value) {
    take(group, key, value.variant());
}

void DesktopMotion::take(const QString& group, const QString& key, const QVariant& value) {
    const auto asks = asksForStillness(group, key, value);
    if (!asks)
        return;
    m_asked[group + u'/' + key] = *asks;
    const bool isReduced = std::any_of(m_asked.cbegin(), m_asked.cend(), [](bool one) { return one; });
    if (isReduced == m_isReduced)
        return;
    m_isReduced = isReduced;
    Q_EMIT changed();
}

} // namespace lacuna::ui
