// Reading the recorded shapes: JSON arrays as the details have them, in text.

#include "core/analysis/operator_work.h"

#include <charconv>

namespace lacuna {

namespace {

// Elements of an array's text at depth 1, each as its text: "[[2, 3], []]" -> "[2, 3]", "[]". Quotes of
// strings are dropped; none of these strings has escapes.
std::vector<std::string> arrayElements(std::string_view array) {
    std::vector<std::string> elements;
    std::string now;
    int depth = 0;
    bool isQuoted = false, isOpen = false;
    for (const char c : array) {
        if (c == '"') {
            isQuoted = !isQuoted;
            isOpen = true;
            continue;
        }
        if (!isQuoted && c == '[' && depth++ == 0)
            continue;
        if (!isQuoted && c == ']' && --depth == 0)
            break;
        if (!isQuoted && c == ',' && depth == 1) {
            elements.push_back(now);
            now.clear();
            isOpen = false;
            continue;
        }
        if (isQuoted || c != ' ' || depth > 1)
            now += c;
        isOpen = isOpen || c != ' ';
    }
    if (isOpen || !elements.empty())
        elements.push_back(now);
    return elements;
}

std::vector<std::int64_t> numbersOf(std::string_view array) {
    std::vector<std::int64_t> numbers;
    for (const std::string& element : arrayElements(array)) {
        std::int64_t number = 0;
        const char* end = element.data() + element.size();
        if (const auto [stop, error] = std::from_chars(element.data(), end, number);
            error != std::errc() || stop != end || number < 0)
            return {};
        numbers.push_back(number);
    }
    return numbers;
}

} // namespace

OperatorShapes operatorShapes(const EventDetails& details) {
    OperatorShapes shapes;
    for (const auto& [name, value] : details.fields) {
        if (name == "args.Input Dims")
            for (const std::string& element : arrayElements(value))
                shapes.dims.push_back(numbersOf(element));
        else if (name == "args.Input type")
            shapes.types = arrayElements(value);
        else if (name == "args.Concrete Inputs")
            shapes.values = arrayElements(value);
    }
    shapes.types.resize(shapes.dims.size());
    shapes.values.resize(shapes.dims.size());
    return shapes;
}

} // namespace lacuna
