#pragma once
// Units as Nsight Compute prints them, scaled per row or column ("Gbyte", "us", "sector/ns"), and the base
// units that its reports store.

#include <string>
#include <string_view>

namespace lacuna {

struct NcuUnit {
    double factor = 1; // printed value x factor = value in the base unit
    std::string base;  // "byte", "ns", "hz", "byte/s", "sector/s"; other units as printed
};

// Prefixes are decimal (1 Kbyte = 1,000 byte). Times are ns, except below the line, where they are seconds.
// "%/Kbyte" is printed as a thousandth of the stored %/byte; the factor undoes what the vendor did.
NcuUnit ncuBaseUnit(std::string_view printed);

// Reports tell no units: the unit that the name of a metric promises. Empty where it promises none.
std::string_view ncuUnitOfName(std::string_view metric);

} // namespace lacuna
