#pragma once
// Labels of the details page -> names of metrics (nsys.md section 10.3).

#include <string_view>

namespace lacuna {

// `section` by its display name ("Occupancy"), `unit` as a base unit: a label is not unique ("Memory
// Throughput" is a share in one section and bytes per second in another). Empty: not known.
std::string_view ncuMetricOfLabel(std::string_view section, std::string_view label, std::string_view unit);

} // namespace lacuna
