#include "app/single_instance.h"

#include "widgets/text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocalServer>
#include <QLocalSocket>

#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

namespace lacuna::ui {

namespace {
constexpr const char* kAnswer = "ok\n";
const QString kFormat = u"lacuna-open"_s;
} // namespace

QByteArray messageOf(const Handover& handover) {
    QJsonObject message{{u"format"_s, kFormat},
                        {u"version"_s, 1},
                        {u"files"_s, QJsonArray::fromStringList(handover.files)},
                        {u"workspace"_s, handover.workspace},
                        {u"go_to"_s, handover.goTo},
                        {u"member"_s, handover.member}};
    return QJsonDocument(message).toJson(QJsonDocument::Compact) + '\n';
}

bool readMessage(const QByteArray& message, Handover& handover) {
    const QJsonObject object = QJsonDocument::fromJson(message).object();
    if (object.value(u"format"_s).toString() != kFormat || object.value(u"version"_s).toInt() != 1)
        return false;
    handover = {};
    for (const QJsonValue& file : object.value(u"files"_s).toArray())
        if (QDir::isAbsolutePath(file.toString()))
            handover.files << file.toString();
    handover.workspace = object.value(u"workspace"_s).toString();
    handover.goTo = object.value(u"go_to"_s).toString();
    handover.member = object.value(u"member"_s).toString();
    return true;
}

SingleInstance::SingleInstance(const QString& name, QObject* parent)
    : QObject(parent), m_name(name), m_server(new QLocalServer(this)) {
    m_server->setSocketOptions(QLocalServer::UserAccessOption);
    connect(m_server, &QLocalServer::newConnection, this, &SingleInstance::accept);
}

QString SingleInstance::standardName() {
#ifdef Q_OS_UNIX
    const QString folder = qEnvironmentVariable("XDG_RUNTIME_DIR");
    if (QDir::isAbsolutePath(folder) && QDir(folder).exists())
        return folder + u"/lacuna.socket"_s;
    return QDir::tempPath() + u"/lacuna-%1.socket"_s.arg(getuid());
#else
    return u"lacuna-"_s + qEnvironmentVariable("USERNAME");
#endif
}

bool SingleInstance::handOver(const Handover& handover, int patienceMs) const {
#ifdef Q_OS_UNIX
    // Somebody else's socket at this place would learn what is opened.
    if (const QFileInfo info(m_name); info.exists() && info.ownerId() != getuid())
        return false;
#endif
    QLocalSocket socket;
    socket.connectToServer(m_name);
    if (!socket.waitForConnected(patienceMs))
        return false;
    socket.write(messageOf(handover));
    if (!socket.waitForBytesWritten(patienceMs))
        return false;
    while (!socket.canReadLine())
        if (!socket.waitForReadyRead(patienceMs))
            return false;
    return socket.readLine() == kAnswer;
}

bool SingleInstance::listen() {
    // Asked first: listening at the place of another would take it away from that one.
    QLocalSocket socket;
    socket.connectToServer(m_name);
    if (socket.waitForConnected(kPatienceMs))
        return false;
    QLocalServer::removeServer(m_name); // of a program that ended without taking it away
    return m_server->listen(m_name);
}

void SingleInstance::accept() {
    while (QLocalSocket* socket = m_server->nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        const auto read = [this, socket] {
            if (socket->bytesAvailable() > kMaxMessage) {
                socket->abort();
                return;
            }
            if (!socket->canReadLine())
                return;
            Handover handover;
            if (!readMessage(socket->readLine(), handover)) {
                socket->abort();
                return;
            }
            socket->write(kAnswer);
            socket->flush();
            socket->disconnectFromServer();
            Q_EMIT received(handover);
        };
        connect(socket, &QLocalSocket::readyRead, this, read);
        read();
    }
}

} // namespace lacuna::ui
