#pragma once
// `lacuna render` (contract.md): the picture of a view without a display.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/settings/analysis_settings.h"

#include <string>

namespace lacuna::ui {

struct RenderOptions {
    std::string file, output; // output ends with .png, .svg or .pdf
    std::string member;       // of an archive
    std::string range;        // "A..B"; at most one of range, gap, step, sheet is set
    int gap = 0;              // rank, from 1
    int step = 0;             // from 1 in order of time
    bool sheet = false;       // the worst gaps, a picture each, in one PNG
    std::string workspace;    // file of a view and callouts, or a picture that holds one; empty: none
    std::string size = "1920x1080";
    double scale = 1.0;
    std::string theme = "light"; // light, dark, print
    AnalysisSettings settings;   // what is said of steps; a workspace says more of its trace
    JobControl* job = nullptr;   // cancels the work (interrupt); null: nobody will
};

// Exit codes of ux.md section 16: 0 done, 2 wrong usage, 3 unreadable, 4 partly read (the picture is
// written), 5 not written, 130 cancelled. Messages go to `messages` (stderr), one per line. Makes its own
// QGuiApplication on the offscreen platform when there is none.
int renderVerb(const RenderOptions& options, std::string& messages);

} // namespace lacuna::ui
