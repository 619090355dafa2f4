#pragma once
// The sample traces inside the program. Opening one needs a file, so it is written to the cache folder first.

#include "core/base/result.h"
#include "widgets/states/start_page.h"

#include <vector>

namespace lacuna::ui {

std::vector<SampleTrace> sampleTraces();
// Path of the sample as a file; written once, replaced when its size differs.
Result<QString> sampleFile(const QString& resource);

} // namespace lacuna::ui
