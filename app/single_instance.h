#pragma once
// One running window a person: a second start hands its files to the first over a local socket in the runtime
// folder and is done. Messages are one JSON object a connection, at most kMaxMessage bytes, and only from the
// same user (the folder and the socket are the user's alone).

#include <QObject>
#include <QString>
#include <QStringList>

class QLocalServer;

namespace lacuna::ui {

struct Handover {
    QStringList files; // absolute paths
    QString workspace; // absolute, may be empty
    QString goTo, member;
    friend bool operator==(const Handover&, const Handover&) = default;
};

QByteArray messageOf(const Handover& handover);
// False for what is no such message.
bool readMessage(const QByteArray& message, Handover& handover);

class SingleInstance : public QObject {
    Q_OBJECT
public:
    // `name`: of the socket; standardName() in the program.
    explicit SingleInstance(const QString& name, QObject* parent = nullptr);

    // $XDG_RUNTIME_DIR/lacuna.socket, else a name in the temporary folder that holds the user's number.
    static QString standardName();

    // Gives it to a running window. False when none answers within the time: then this start opens its own.
    bool handOver(const Handover& handover, int patienceMs = kPatienceMs) const;
    // From now on this is the running window. False when another one is, or the socket cannot be made: then
    // it works all the same, but nobody can reach it.
    bool listen();

    static constexpr int kPatienceMs = 2'000;
    static constexpr qint64 kMaxMessage = 1 << 20;

Q_SIGNALS:
    void received(const lacuna::ui::Handover& handover);

private:
    void accept();
    QString m_name;
    QLocalServer* m_server; // a child
};

} // namespace lacuna::ui
