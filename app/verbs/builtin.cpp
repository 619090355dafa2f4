#include "app/verbs/builtin.h"

namespace lacuna::ui {

VerbList builtinVerbs() {
    VerbList verbs;
    return verbs;
}

} // namespace lacuna::ui
