// lacuna render: the picture of a view, without a display.

#include "app/verbs/builtin.h"
#include "app/verbs/choices.h"
#include "app/verbs/input.h"
#include "app/verbs/interrupt_watch.h"
#include "app/verbs/offscreen_application.h"
#include "app/verbs/options.h"
#include "app/verbs/settings_input.h"
#include "widgets/figure/render_verb.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace lacuna::ui {

namespace {

class RenderVerb final : public Verb {
public:
    const char* name() const override { return "render"; }
    const char* summary() const override { return "Picture of a view as PNG, SVG or PDF"; }

    void declare(CLI::App& options) override {
        declareInput(options, m_input);
        declareCache(options);
        options.add_option("-o", m_options.output, "Picture to write, .png, .svg or .pdf")
            ->type_name("OUT")
            ->required();
        auto* range = options.add_option("--range", m_options.range, "Part of the time axis: 1.2ms..3.5ms")
                          ->type_name("A..B")
                          ->check(checkRange);
        auto* gap = options.add_option("--gap", m_options.gap, "Gap of this rank, 1 is the worst")
                        ->type_name("N")
                        ->check(CLI::Range(1, kMaxNumber).description(""));
        auto* step = options.add_option("--step", m_options.step, "Step of this number, from 1")
                         ->type_name("N")
                         ->check(CLI::Range(1, kMaxNumber).description(""));
        auto* sheet = options.add_flag("--sheet", m_options.sheet,
                                       "The worst gaps, a picture of --size each, in one PNG");
        options.callback([range, gap, step, sheet] {
            if (range->count() + gap->count() + step->count() + sheet->count() > 1)
                throw CLI::ValidationError("--range, --gap, --step, --sheet",
                                           "only one of them tells the view");
        });
        options
            .add_option("--workspace", m_options.workspace, "View and callouts of a .lacuna file or picture")
            ->type_name("FILE");
        options.add_option("--size", m_options.size, "Whole picture, logical pixels (1920x1080)")
            ->type_name("WxH");
        options.add_option("--scale", m_options.scale, "Pixels per logical pixel, 0.5 to 8 (1)")
            ->type_name("F");
        declareSettings(options, m_settings);
        auto* theme = options.add_option("--theme", m_options.theme, "light, dark, print (default light)");
        acceptOnly(*theme->type_name("NAME"), {"light", "dark", "print"});
    }

    int run(JobControl& job) override {
        auto settings = readSettingsInput(m_settings);
        if (!settings) {
            std::fprintf(stderr, "lacuna render: %s\n", settings.error().detail.c_str());
            return kExitUsage;
        }
        m_options.settings = *std::move(settings);
        const OffscreenApplication application;
        std::string messages;
        m_options.file = m_input.file;
        m_options.member = m_input.member;
        m_options.job = &job;
        const UnfinishedOutput unfinished(m_options.output);
        const int code = renderVerb(m_options, messages);
        std::fputs(messages.c_str(), stderr);
        return code;
    }

private:
    static constexpr int kMaxNumber = 1'000'000'000;
    Input m_input;
    SettingsInput m_settings;
    RenderOptions m_options;
};

} // namespace

std::unique_ptr<Verb> makeRenderVerb() {
    return std::make_unique<RenderVerb>();
}

} // namespace lacuna::ui
