#pragma once
// What a person types into the search field, understood:
//
//   gemm                    names that hold it
//   /^aten::(mm|bmm)$/      names by a regular expression (pattern.h)
//   cat:kernel,memcpy       rows of a category, by Lacuna's name or the file's ("cuda_runtime")
//   cat:kernel gemm         both
//   cat:compiled            code of torch.compile: guards, AOTAutograd, Inductor, Triton (compiled_code.h)
//   range:forward           ranges (annotations, NVTX, also on the GPU) by name
//   name:"a b"              names, where the text would be read as something else
//   args:"[32, 8, 1]"       any recorded argument that holds it
//   grid:"[32, 8, 1]"       the argument of that name; any other word before a colon is one too
//
// key:value words come first, the rest is the text for names. Text that a person may have meant as a name
// ("nccl:all_reduce") is looked for in the names as well.

#include "core/base/result.h"
#include "core/search/pattern.h"
#include "core/trace/event_table.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lacuna {

inline constexpr std::uint32_t kEveryKind = (1U << kEventKinds) - 1;

struct SearchQuery {
    std::string text; // of names; empty: every name
    PatternOptions options;
    std::uint32_t kinds = kEveryKind; // bit per EventKind
    bool onlyCompiled = false;        // names of compiled code
    bool wantsArgs = false;
    std::string argName;  // empty: every argument
    std::string argValue; // what its text holds
    PatternOptions argOptions;
    std::string orName; // wantsArgs: a name that holds this is a hit without being read; empty: none
    bool isEmpty() const { return text.empty() && kinds == kEveryKind && !onlyCompiled && !wantsArgs; }
};

// Errc::Malformed: a category that is not known, or a key without a value. Regular expressions are looked at
// by Pattern::compile() only.
Result<SearchQuery> parseQuery(std::string_view typed, PatternOptions options);

// Bits of the kinds that a category names: kindName(), or a category of PyTorch; 0 when it is not known.
std::uint32_t kindsOfCategory(std::string_view name);

} // namespace lacuna
