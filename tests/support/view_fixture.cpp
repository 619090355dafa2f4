#include "tests/support/view_fixture.h"

#include "core/import/load_trace.h"
#include "tests/support/paths.h"

namespace lacuna::test {

namespace {

LoadedView analysed(Result<LoadedTrace> loaded) {
    LoadedView view;
    if (!loaded)
        return view;
    JobControl job;
    auto gaps = GapAnalysis::run(loaded->trace, {}, job);
    if (!gaps)
        return view;
    view.trace = loaded->trace;
    view.gaps = *gaps;
    return view;
}

} // namespace

LoadedView loadView(const std::string& fixtureFile) {
    JobControl job;
    return analysed(loadTrace(fixture(fixtureFile), builtinImporters(), job));
}

LoadedView viewOfJson(const std::string& json) {
    JobControl job;
    return analysed(loadTraceFromMemory(json, "test.json", builtinImporters(), job));
}

PaintedView::PaintedView(LoadedView view, TimeRange range, int widthPx, int heightPx, double scale,
                         const Selection& selection, const LayoutOptions& options, int scrollPx)
    : loaded(std::move(view)), layout(RowLayout::build(*loaded.trace, options)) {
    FrameOptions frameOptions;
    frameOptions.heightPx = heightPx;
    frameOptions.scrollPx = scrollPx;
    frameOptions.scale = scale;
    frameOptions.gaps = loaded.gaps.get();
    frameOptions.selection = selection;
    frame = buildFrame(*loaded.trace, layout, Viewport::fitting(range, widthPx), frameOptions);
    scene.trace = loaded.trace.get();
    scene.layout = &layout;
    scene.frame = &frame;
    scene.gaps = loaded.gaps.get();
    scene.emphasis = ui::emphasisOf(*loaded.trace, loaded.gaps.get(), selection);
    scene.pins = ui::topPins(*loaded.gaps);
}

} // namespace lacuna::test
