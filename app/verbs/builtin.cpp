#include "app/verbs/builtin.h"

namespace lacuna::ui {

VerbList builtinVerbs() {
    VerbList verbs;
    verbs.push_back(makeSummaryVerb());
    verbs.push_back(makeGapsVerb());
    verbs.push_back(makeStatsVerb());
    verbs.push_back(makeKernelsVerb());
    verbs.push_back(makeCheckVerb());
    verbs.push_back(makeRenderVerb());
    verbs.push_back(makeReportVerb());
    verbs.push_back(makeRooflineVerb());
    verbs.push_back(makeConvertVerb());
    verbs.push_back(makeTrimVerb());
    verbs.push_back(makeBenchVerb());
    return verbs;
}

} // namespace lacuna::ui
