#pragma once
// Panels of reports: the one with all of them, and tabs that begin with those about one subject. All are the
// same panel; a tab is a line in builtin.cpp.

#include <span>
#include <string_view>

class QWidget;

namespace lacuna::ui {

class Panel;
struct PanelContext;

struct ReportTab {
    const char* title = nullptr; // marked for translation in the context "ReportTabs"
    // Names of its reports, the first is shown first. Empty: all reports, beside a list that searches them.
    std::span<const std::string_view> reports = {};
};

// `id` begins the object names of its parts: "operators" -> "operatorsTable", "operatorsChoice".
Panel* makeReportTab(const ReportTab& tab, const char* id, const PanelContext& context, QWidget* parent);

} // namespace lacuna::ui
