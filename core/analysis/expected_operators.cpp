#include "core/analysis/expected_operators.h"

#include "core/analysis/kernel_badges.h"

#include <algorithm>
#include <array>

namespace lacuna {

namespace {

struct OperatorRule {
    std::string_view op, work;
};

constexpr std::string_view kWorkGemm = "GEMM", kWorkConvolution = "convolution", kWorkAttention = "attention",
                           kWorkNorm = "normalisation", kWorkSoftmax = "softmax",
                           kWorkElementwise = "elementwise", kWorkReduction = "reduction", kWorkCopy = "copy",
                           kWorkFill = "fill", kWorkIndex = "index";

// By name. Only operators that one device operation can do whole; composite ones (layer_norm, linear) are
// those inside them.
constexpr std::array kOperatorRules{
    OperatorRule{"_addmm_activation", kWorkGemm},
    OperatorRule{"_flash_attention_backward", kWorkAttention},
    OperatorRule{"_fused_rms_norm", kWorkNorm},
    OperatorRule{"_log_softmax", kWorkSoftmax},
    OperatorRule{"_log_softmax_backward_data", kWorkSoftmax},
    OperatorRule{"_scaled_dot_product_cudnn_attention", kWorkAttention},
    OperatorRule{"_scaled_dot_product_efficient_attention", kWorkAttention},
    OperatorRule{"_scaled_dot_product_flash_attention", kWorkAttention},
    OperatorRule{"_scaled_mm", kWorkGemm},
    OperatorRule{"_softmax", kWorkSoftmax},
    OperatorRule{"_softmax_backward_data", kWorkSoftmax},
    OperatorRule{"_to_copy", kWorkCopy},
    OperatorRule{"abs", kWorkElementwise},
    OperatorRule{"add", kWorkElementwise},
    OperatorRule{"addcdiv", kWorkElementwise},
    OperatorRule{"addcmul", kWorkElementwise},
    OperatorRule{"addmm", kWorkGemm},
    OperatorRule{"amax", kWorkReduction},
    OperatorRule{"amin", kWorkReduction},
    OperatorRule{"argmax", kWorkReduction},
    OperatorRule{"baddbmm", kWorkGemm},
    OperatorRule{"bitwise_and", kWorkElementwise},
    OperatorRule{"bitwise_not", kWorkElementwise},
    OperatorRule{"bitwise_or", kWorkElementwise},
    OperatorRule{"bmm", kWorkGemm},
    OperatorRule{"cat", kWorkCopy},
    OperatorRule{"clamp", kWorkElementwise},
    OperatorRule{"clamp_min", kWorkElementwise},
    OperatorRule{"clone", kWorkCopy},
    OperatorRule{"copy", kWorkCopy},
    OperatorRule{"cos", kWorkElementwise},
    OperatorRule{"cudnn_convolution", kWorkConvolution},
    OperatorRule{"div", kWorkElementwise},
    OperatorRule{"embedding", kWorkIndex},
    OperatorRule{"eq", kWorkElementwise},
    OperatorRule{"erf", kWorkElementwise},
    OperatorRule{"exp", kWorkElementwise},
    OperatorRule{"fill", kWorkFill},
    OperatorRule{"gather", kWorkIndex},
    OperatorRule{"ge", kWorkElementwise},
    OperatorRule{"gelu", kWorkElementwise},
    OperatorRule{"gelu_backward", kWorkElementwise},
    OperatorRule{"gt", kWorkElementwise},
    OperatorRule{"index", kWorkIndex},
    OperatorRule{"index_select", kWorkIndex},
    OperatorRule{"le", kWorkElementwise},
    OperatorRule{"lerp", kWorkElementwise},
    OperatorRule{"log", kWorkElementwise},
    OperatorRule{"lt", kWorkElementwise},
    OperatorRule{"masked_fill", kWorkElementwise},
    OperatorRule{"max", kWorkReduction},
    OperatorRule{"maximum", kWorkElementwise},
    OperatorRule{"mean", kWorkReduction},
    OperatorRule{"min", kWorkReduction},
    OperatorRule{"minimum", kWorkElementwise},
    OperatorRule{"mm", kWorkGemm},
    OperatorRule{"mul", kWorkElementwise},
    OperatorRule{"mv", kWorkGemm},
    OperatorRule{"native_dropout", kWorkElementwise},
    OperatorRule{"native_dropout_backward", kWorkElementwise},
    OperatorRule{"native_layer_norm", kWorkNorm},
    OperatorRule{"ne", kWorkElementwise},
    OperatorRule{"neg", kWorkElementwise},
    OperatorRule{"pow", kWorkElementwise},
    OperatorRule{"reciprocal", kWorkElementwise},
    OperatorRule{"relu", kWorkElementwise},
    OperatorRule{"rsqrt", kWorkElementwise},
    OperatorRule{"scatter", kWorkIndex},
    OperatorRule{"sigmoid", kWorkElementwise},
    OperatorRule{"silu", kWorkElementwise},
    OperatorRule{"silu_backward", kWorkElementwise},
    OperatorRule{"sin", kWorkElementwise},
    OperatorRule{"sqrt", kWorkElementwise},
    OperatorRule{"sub", kWorkElementwise},
    OperatorRule{"sum", kWorkReduction},
    OperatorRule{"tanh", kWorkElementwise},
    OperatorRule{"tanh_backward", kWorkElementwise},
    OperatorRule{"threshold_backward", kWorkElementwise},
    OperatorRule{"where", kWorkElementwise},
    OperatorRule{"zero", kWorkFill},
};
static_assert(std::is_sorted(kOperatorRules.begin(), kOperatorRules.end(),
                             [](const OperatorRule& a, const OperatorRule& b) { return a.op < b.op; }));

constexpr std::array<std::string_view, 30> kViewOperators{
    "_reshape_alias", "_unsafe_view",     "alias",   "as_strided", "chunk",   "contiguous",
    "detach",         "diagonal",         "expand",  "expand_as",  "flatten", "movedim",
    "narrow",         "permute",          "reshape", "reshape_as", "select",  "slice",
    "split",          "split_with_sizes", "squeeze", "swapaxes",   "t",       "transpose",
    "unbind",         "unflatten",        "unfold",  "unsqueeze",  "view",    "view_as"};

// Names of several words that the tables above lack.
constexpr std::array<std::string_view, 8> kOtherOperators{
    "native_layer_norm_backward", "nll_loss_forward",         "nll_loss_backward", "native_batch_norm",
    "native_group_norm",          "embedding_dense_backward", "index_put",         "new_zeros"};

// The longest known name at the front, followed by "_" or the end; 0 when there is none.
std::size_t knownOperator(std::string_view text) {
    std::size_t longest = 0;
    const auto consider = [&](std::string_view name) {
        if (name.size() > longest && text.starts_with(name) &&
            (text.size() == name.size() || text[name.size()] == '_'))
            longest = name.size();
    };
    for (const OperatorRule& rule : kOperatorRules)
        consider(rule.op);
    for (const std::string_view name : kViewOperators)
        consider(name);
    for (const std::string_view name : kOtherOperators)
        consider(name);
    return longest;
}

} // namespace

std::string_view bareOperator(std::string_view name) {
    constexpr std::string_view kLibrary = "aten::";
    if (!name.starts_with(kLibrary))
        return name;
    name.remove_prefix(kLibrary.size());
    if (name.size() > 1 && name.ends_with('_') && !name.ends_with("__"))
        name.remove_suffix(1);
    return name;
}

std::string_view expectedWorkOf(std::string_view op) {
    op = bareOperator(op);
    const auto at =
        std::lower_bound(kOperatorRules.begin(), kOperatorRules.end(), op,
                         [](const OperatorRule& rule, std::string_view name) { return rule.op < name; });
    return at == kOperatorRules.end() || at->op != op ? std::string_view() : at->work;
}

bool isViewOperator(std::string_view op) {
    op = bareOperator(op);
    return std::find(kViewOperators.begin(), kViewOperators.end(), op) != kViewOperators.end();
}

bool isFusedOperator(std::string_view op) {
    op = bareOperator(op);
    constexpr std::array<std::string_view, 6> kWords{"_foreach_",  "_fused_",   "_addmm_activation",
                                                     "fused_adam", "fused_sgd", "_attention"};
    return op != "_scaled_dot_product_attention_math" &&
           std::any_of(kWords.begin(), kWords.end(),
                       [op](std::string_view word) { return op.find(word) != std::string_view::npos; }) &&
           op != "scaled_dot_product_attention";
}

std::vector<std::string> fusedOperators(std::string_view kernel) {
    std::vector<std::string> operators;
    for (std::string_view rest = fusedPart(kernel); !rest.empty();) {
        std::size_t length = knownOperator(rest);
        if (length == 0) // an unknown one: a word, with the underscore of private names
            length = std::min(rest.find('_', 1), rest.size());
        operators.emplace_back(rest.substr(0, length));
        rest.remove_prefix(std::min(rest.size(), length + 1));
    }
    return operators;
}

std::string_view operatorTitle(std::string_view op) {
    constexpr std::array kTitles{OperatorRule{"gelu", "GeLU"}, OperatorRule{"relu", "ReLU"},
                                 OperatorRule{"silu", "SiLU"}, OperatorRule{"_softmax", "softmax"},
                                 OperatorRule{"_to_copy", "conversion"}};
    const auto at = std::find_if(kTitles.begin(), kTitles.end(),
                                 [op](const OperatorRule& title) { return title.op == op; });
    return at == kTitles.end() ? op : at->work;
}

} // namespace lacuna
