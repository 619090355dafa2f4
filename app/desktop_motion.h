#pragma once
// Whether the desktop asks for less motion, by the settings portal (GNOME, KDE, the common key). Asked once
// in the background and followed; without a session bus or portal the answer stays no.

#include <QMap>
#include <QObject>
#include <QVariant>

#include <optional>

class QDBusVariant;

namespace lacuna::ui {

// Of one setting as the portal tells it; none: the setting says nothing about motion.
std::optional<bool> asksForStillness(const QString& group, const QString& key, const QVariant& value);

class DesktopMotion : public QObject {
    Q_OBJECT
    Q_MOC_INCLUDE("QDBusVariant") // users of this header need no bus
public:
    explicit DesktopMotion(QObject* parent = nullptr);
    bool isReduced() const { return m_isReduced; }
    void take(const QString& group, const QString& key, const QVariant& value);

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);

private:
    QMap<QString, bool> m_asked; // by group and key
    bool m_isReduced = false;
};

} // namespace lacuna::ui
