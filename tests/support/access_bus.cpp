#include "tests/support/access_bus.h"

#include <QDBusArgument>
#include <QDBusMessage>
#include <QDBusReply>
#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTest>

#include <deque>

namespace lacuna::test {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kPatienceMs = 60'000, kAnswerMs = 5'000;
constexpr std::size_t kMostNodes = 4'000; // of a search

QString tool(const QString& name) {
    const QString found = QStandardPaths::findExecutable(name);
    return found.isEmpty()
               ? QStandardPaths::findExecutable(name, {u"/usr/libexec"_s, u"/usr/lib/at-spi2-core"_s})
               : found;
}

void end(QProcess& process) {
    if (process.state() == QProcess::NotRunning)
        return;
    process.terminate();
    if (!process.waitForFinished(kAnswerMs)) {
        process.kill();
        process.waitForFinished(kAnswerMs);
    }
}

// A pair (name on the bus, path) as the interfaces return it.
AccessNode nodeOf(const QDBusArgument& argument) {
    AccessNode node;
    QDBusObjectPath path;
    argument.beginStructure();
    argument >> node.service >> path;
    argument.endStructure();
    node.path = path.path();
    return node;
}

bool isDeep(const QString& role) {
    return role == u"table"_s || role == u"tree"_s || role == u"tree table"_s || role == u"list"_s;
}

} // namespace

TestDesktop::TestDesktop() = default;

TestDesktop::~TestDesktop() {
    for (const QString& name : {m_connection, m_sessionConnection})
        if (!name.isEmpty())
            QDBusConnection::disconnectFromBus(name);
    for (QProcess* process : {&m_session, &m_manager, &m_display})
        end(*process);
}

QString TestDesktop::missing(bool withBus) {
    QStringList needed{u"Xvfb"_s, u"xdotool"_s, u"openbox"_s};
    if (withBus)
        needed << u"dbus-daemon"_s << u"at-spi-bus-launcher"_s;
    for (const QString& name : needed)
        if (tool(name).isEmpty())
            return name;
    return {};
}

bool TestDesktop::start(bool withBus) {
    m_environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "QT_SCALE_FACTOR",
                             "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "QT_ACCESSIBILITY"})
        m_environment.remove(QString::fromLatin1(name));
    m_environment.insert(u"LACUNA_CACHE"_s, u"off"_s);
    m_environment.insert(u"HOME"_s, m_home.path());
    for (const auto& [name, folder] :
         {std::pair("XDG_CONFIG_HOME", "config"), std::pair("XDG_STATE_HOME", "state"),
          std::pair("XDG_CACHE_HOME", "cache"), std::pair("XDG_RUNTIME_DIR", "runtime")}) {
        const QString path = m_home.filePath(QString::fromLatin1(folder));
        if (!QDir().mkpath(path))
            return false;
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        m_environment.insert(QString::fromLatin1(name), path);
    }
    m_display.start(u"Xvfb"_s, {u"-displayfd"_s, u"1"_s, u"-screen"_s, u"0"_s, u"1600x1000x24"_s,
                                u"-nolisten"_s, u"tcp"_s, u"-noreset"_s});
    if (!QTest::qWaitFor([this] { return m_display.canReadLine(); }, kPatienceMs))
        return false;
    m_environment.insert(u"DISPLAY"_s, u':' + QString::fromLatin1(m_display.readLine().trimmed()));
    m_manager.setProcessEnvironment(m_environment);
    m_manager.start(u"openbox"_s, {u"--sm-disable"_s});
    if (!m_manager.waitForStarted(kPatienceMs) || !withBus)
        return m_manager.state() == QProcess::Running;

    m_session.setProcessEnvironment(m_environment);
    m_session.start(u"dbus-daemon"_s, {u"--session"_s, u"--nofork"_s, u"--print-address"_s});
    if (!QTest::qWaitFor([this] { return m_session.canReadLine(); }, kPatienceMs))
        return false;
    const QString address = QString::fromLatin1(m_session.readLine().trimmed());
    m_environment.insert(u"DBUS_SESSION_BUS_ADDRESS"_s, address);
    m_environment.insert(u"QT_LINUX_ACCESSIBILITY_ALWAYS_ON"_s, u"1"_s);
    m_sessionConnection = u"lacuna-test-session"_s;
    QDBusConnection session = QDBusConnection::connectToBus(address, m_sessionConnection);
    const QDBusReply<QString> bus =
        session.call(QDBusMessage::createMethodCall(u"org.a11y.Bus"_s, u"/org/a11y/bus"_s, u"org.a11y.Bus"_s,
                                                    u"GetAddress"_s),
                     QDBus::Block, kPatienceMs);
    if (!bus.isValid())
        return false;
    m_connection = u"lacuna-test-access"_s;
    return QDBusConnection::connectToBus(bus.value(), m_connection).isConnected();
}

void TestDesktop::startProgram(QProcess& program, const QStringList& arguments) const {
    program.setProcessEnvironment(m_environment);
    program.setWorkingDirectory(m_home.path());
    program.start(QStringLiteral(LACUNA_BINARY), arguments);
}

// --- the X server

QByteArray TestDesktop::xdotool(const QStringList& words) const {
    QProcess process;
    process.setProcessEnvironment(m_environment);
    process.start(u"xdotool"_s, words);
    process.waitForFinished(kPatienceMs);
    return process.readAllStandardOutput().trimmed();
}

QString TestDesktop::windowNamed(const QString& name) const {
    return QString::fromLatin1(
        xdotool({u"search"_s, u"--onlyvisible"_s, u"--name"_s, name}).split('\n').first());
}

bool TestDesktop::isFocused(const QString& window) const {
    return !window.isEmpty() && QString::fromLatin1(xdotool({u"getactivewindow"_s})) == window;
}

void TestDesktop::click(QPoint at, int times) const {
    xdotool({u"mousemove"_s, QString::number(at.x()), QString::number(at.y()), u"click"_s, u"--repeat"_s,
             QString::number(times), u"1"_s});
}

// --- the accessibility bus

QVariant TestDesktop::ask(const AccessNode& node, const char* interface, const char* method,
                          const QVariantList& arguments) const {
    QDBusMessage call = QDBusMessage::createMethodCall(
        node.service, node.path, u"org.a11y.atspi."_s + QLatin1String(interface), QLatin1String(method));
    call.setArguments(arguments);
    const QDBusMessage answer = QDBusConnection(m_connection).call(call, QDBus::Block, kAnswerMs);
    return answer.type() == QDBusMessage::ReplyMessage && !answer.arguments().isEmpty()
               ? answer.arguments().front()
               : QVariant();
}

QVariant TestDesktop::property(const AccessNode& node, const char* interface, const char* name) const {
    QDBusMessage call = QDBusMessage::createMethodCall(node.service, node.path,
                                                       u"org.freedesktop.DBus.Properties"_s, u"Get"_s);
    call.setArguments({u"org.a11y.atspi."_s + QLatin1String(interface), QLatin1String(name)});
    const QDBusMessage answer = QDBusConnection(m_connection).call(call, QDBus::Block, kAnswerMs);
    return answer.type() == QDBusMessage::ReplyMessage && !answer.arguments().isEmpty()
               ? answer.arguments().front().value<QDBusVariant>().variant()
               : QVariant();
}

QString TestDesktop::nameOf(const AccessNode& node) const {
    return property(node, "Accessible", "Name").toString();
}

QString TestDesktop::descriptionOf(const AccessNode& node) const {
    return property(node, "Accessible", "Description").toString();
}

QString TestDesktop::roleOf(const AccessNode& node) const {
    return ask(node, "Accessible", "GetRoleName").toString();
}

QRect TestDesktop::rectOf(const AccessNode& node) const {
    const QVariant answer = ask(node, "Component", "GetExtents", {0U});
    if (!answer.isValid())
        return {};
    const auto argument = answer.value<QDBusArgument>();
    int x = 0, y = 0, width = 0, height = 0;
    argument.beginStructure();
    argument >> x >> y >> width >> height;
    argument.endStructure();
    return {x, y, width, height};
}

std::vector<AccessNode> TestDesktop::childrenOf(const AccessNode& node) const {
    std::vector<AccessNode> children;
    const QVariant answer = ask(node, "Accessible", "GetChildren");
    if (!answer.isValid())
        return children;
    const auto argument = answer.value<QDBusArgument>();
    for (argument.beginArray(); !argument.atEnd();)
        if (const AccessNode child = nodeOf(argument); !child.isNull())
            children.push_back(child);
    argument.endArray();
    return children;
}

bool TestDesktop::has(const AccessNode& node, State state) const {
    const QVariant answer = ask(node, "Accessible", "GetState");
    if (!answer.isValid())
        return false;
    const auto words = qdbus_cast<QList<uint>>(answer);
    return !words.isEmpty() && (words.front() >> static_cast<unsigned>(state) & 1U) != 0;
}

AccessNode TestDesktop::application(const QString& name) const {
    const AccessNode root{u"org.a11y.atspi.Registry"_s, u"/org/a11y/atspi/accessible/root"_s};
    for (const AccessNode& child : childrenOf(root))
        if (nameOf(child) == name)
            return child;
    return {};
}

AccessNode TestDesktop::cellOf(const AccessNode& table, int row, int column) const {
    const QVariant answer = ask(table, "Table", "GetAccessibleAt", {row, column});
    const AccessNode node = answer.isValid() ? nodeOf(answer.value<QDBusArgument>()) : AccessNode();
    return node.isNull() ? AccessNode() : node;
}

AccessNode TestDesktop::find(const AccessNode& below,
                             const std::function<bool(const AccessNode&)>& is) const {
    std::deque<AccessNode> open{below};
    for (std::size_t seen = 0; !open.empty() && seen < kMostNodes; ++seen) {
        const AccessNode node = open.front();
        open.pop_front();
        if (!(node == below) && has(node, Showing) && is(node))
            return node;
        if (node == below || !isDeep(roleOf(node)))
            for (const AccessNode& child : childrenOf(node))
                open.push_back(child);
    }
    return {};
}

AccessNode TestDesktop::find(const AccessNode& below, const QString& role, const QString& name) const {
    return find(below, [&](const AccessNode& node) { return nameOf(node) == name && roleOf(node) == role; });
}

} // namespace lacuna::test
