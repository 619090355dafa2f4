#pragma once
// What holds of everything that is read from an Nsight Compute file, whatever the bytes.

#include "core/ncu/read_ncu.h"

#include <cstddef>
#include <string>

namespace lacuna::fuzz {

// Reads the bytes in pieces of `chunk` (0: whole), checks the result, and that reading them whole gives the
// same.
void requireNcu(const std::string& bytes, std::size_t chunk);

} // namespace lacuna::fuzz
