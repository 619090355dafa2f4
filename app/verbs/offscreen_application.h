#pragma once
// What verbs that paint need of Qt: an application on the offscreen platform, whatever the environment asks
// for, that keeps Qt's remarks on the environment (a missing runtime folder) off standard error.

#include <QGuiApplication>

#include <array>
#include <optional>
#include <string>

namespace lacuna::ui {

class OffscreenApplication {
public:
    OffscreenApplication();

private:
    std::string m_name = "lacuna";
    std::array<char*, 2> m_argv{m_name.data(), nullptr}; // Qt keeps references to both
    int m_argc = 1;
    std::optional<QGuiApplication> m_application;
};

} // namespace lacuna::ui
