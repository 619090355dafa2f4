#pragma once
// A desktop of its own for a test: an X server with a window manager, a session bus with the accessibility
// bus on it, and what a screen reader would ask there. Nothing of the session that runs the test is touched.

#include <QDBusConnection>
#include <QProcess>
#include <QRect>
#include <QString>
#include <QTemporaryDir>

#include <functional>
#include <optional>
#include <vector>

namespace lacuna::test {

// One thing of the accessible tree; none of its calls waits for anything but the answer.
struct AccessNode {
    QString service, path;
    bool isNull() const { return path.isEmpty() || path.endsWith(QLatin1String("/null")); }
    friend bool operator==(const AccessNode&, const AccessNode&) = default;
};

class TestDesktop {
public:
    TestDesktop();
    ~TestDesktop();
    // Which program is not installed; empty: none.
    static QString missing(bool withBus);
    // False: something did not start.
    bool start(bool withBus);
    const QProcessEnvironment& environment() const { return m_environment; }
    QString home() const { return m_home.path(); }
    void startProgram(QProcess& program, const QStringList& arguments) const;

    // --- the X server
    QByteArray xdotool(const QStringList& words) const;
    // The window whose title holds a text, once it is visible.
    QString windowNamed(const QString& name) const;
    bool isFocused(const QString& window) const;
    // One button of the mouse, at a point of the screen.
    void click(QPoint at, int times = 1) const;

    // --- the accessibility bus
    // The program of that name on the bus; null: it is not there yet.
    AccessNode application(const QString& name) const;
    QString nameOf(const AccessNode& node) const;
    QString descriptionOf(const AccessNode& node) const;
    QString roleOf(const AccessNode& node) const; // "push button"
    QRect rectOf(const AccessNode& node) const;   // on the screen
    std::vector<AccessNode> childrenOf(const AccessNode& node) const;
    enum State { Enabled = 8, Focused = 12, Selected = 23, Showing = 25 };
    bool has(const AccessNode& node, State state) const;
    // The first that is showing and that `is` holds for, breadth first. Goes into no table or tree: those
    // have thousands of cells.
    AccessNode find(const AccessNode& below, const std::function<bool(const AccessNode&)>& is) const;
    AccessNode find(const AccessNode& below, const QString& role, const QString& name) const;
    // Of a table; null: there is none.
    AccessNode cellOf(const AccessNode& table, int row, int column) const;
    // Any call of an interface of org.a11y.atspi, and its first answer.
    QVariant ask(const AccessNode& node, const char* interface, const char* method,
                 const QVariantList& arguments = {}) const;

private:
    QVariant property(const AccessNode& node, const char* interface, const char* name) const;

    QTemporaryDir m_home;
    QProcessEnvironment m_environment;
    QProcess m_display, m_manager, m_session;
    QString m_connection; // name of the connection to the accessibility bus
    QString m_sessionConnection;
};

} // namespace lacuna::test
