#pragma once
// The list of verbs. A new one adds its maker here and in builtin.cpp.

#include "app/verbs/verb.h"

#include <memory>

namespace lacuna::ui {

std::unique_ptr<Verb> makeBenchVerb();
std::unique_ptr<Verb> makeCheckVerb();
std::unique_ptr<Verb> makeConvertVerb();
std::unique_ptr<Verb> makeGapsVerb();
std::unique_ptr<Verb> makeKernelsVerb();
std::unique_ptr<Verb> makeRenderVerb();
std::unique_ptr<Verb> makeReportVerb();
std::unique_ptr<Verb> makeStatsVerb();
std::unique_ptr<Verb> makeRooflineVerb();
std::unique_ptr<Verb> makeSummaryVerb();
std::unique_ptr<Verb> makeTrimVerb();

VerbList builtinVerbs();

} // namespace lacuna::ui
