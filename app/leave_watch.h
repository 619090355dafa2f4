#pragma once
// SIGINT, SIGTERM and SIGHUP as a Qt signal: the handler writes one byte into a pipe that the event loop
// reads, so no other code runs in it. The second signal of a kind ends the program as usual. One that was
// ignored when the program began (nohup) stays ignored. One object a program, in the thread of the event
// loop.

#include <QObject>

#include <array>
#include <csignal>

class QSocketNotifier;

namespace lacuna::ui {

class LeaveWatch : public QObject {
    Q_OBJECT
public:
    explicit LeaveWatch(QObject* parent = nullptr);
    ~LeaveWatch() override; // the handlers of before
    LeaveWatch(const LeaveWatch&) = delete;
    LeaveWatch& operator=(const LeaveWatch&) = delete;

Q_SIGNALS:
    void asked(int signalNumber);

private:
    static constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

    std::array<int, 2> m_pipe{-1, -1}; // read end, write end
    std::array<struct sigaction, kSignals.size()> m_before{};
    QSocketNotifier* m_notifier = nullptr;
};

} // namespace lacuna::ui
