#pragma once
// One element of an event array, from text.

#include "core/import/detail/json_events.h"

namespace lacuna::json {

// p at the '{' of an element; after its '}', or null (the scanner says why). Last of equal keys wins.
const char* parseEvent(Scanner& scanner, const char* p, Event& out);

// After the '}' that ends a broken element: it stands before a comma and something that starts like an event,
// or before the end of the array. Null when there is no such place.
const char* findBoundary(const char* from, const char* end, bool atEnd);

// A place in a text of elements that seems to lie after one element and before another: the last one; the end
// when none is near it. Never `begin`.
const char* lastBoundary(const char* begin, const char* end);

// Finds fields of a broken element by their quoted keys. False when neither a phase nor a time is found.
bool salvageEvent(std::string_view broken, Event& out);

} // namespace lacuna::json
