#pragma once
#include "app/verbs/verb.h"

namespace lacuna::ui {

VerbList builtinVerbs();

} // namespace lacuna::ui
