#pragma once
// Small Kineto traces for tests: rows as text, times in us.

#include "tests/support/json_trace.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::test {

// args in single quotes: "{'correlation':7,'stream':7}".
inline std::string rowText(std::string_view category, std::string_view name, double ts, double dur,
                           std::string_view args = "{}", int tid = 1) {
    return "{'ph':'X','cat':'" + std::string(category) + "','name':'" + std::string(name) +
           "','pid':1,'tid':" + std::to_string(tid) + ",'ts':" + std::to_string(ts) +
           ",'dur':" + std::to_string(dur) + ",'args':" + std::string(args) + "}";
}

inline std::shared_ptr<const Trace> traceOfText(const std::vector<std::string>& rows) {
    std::string text;
    for (const std::string& one : rows)
        text.append(text.empty() ? "" : ",").append(one);
    return jsonTrace(q(objectForm(text)));
}

} // namespace lacuna::test
