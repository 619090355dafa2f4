#include "core/analysis/operator_work.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lacuna {

namespace {

using Dims = std::vector<std::int64_t>;

double elementsOf(const Dims& dims) {
    double all = dims.empty() ? 0 : 1;
    for (const std::int64_t side : dims)
        all *= static_cast<double>(side);
    return all;
}

double sizeOfType(std::string_view type) {
    struct TypeSize {
        std::string_view name;
        double bytes;
    };
    constexpr std::array kSizes{
        TypeSize{"float", 4},         TypeSize{"double", 8},   TypeSize{"c10::Half", 2},
        TypeSize{"c10::BFloat16", 2}, TypeSize{"long int", 8}, TypeSize{"long", 8},
        TypeSize{"int", 4},           TypeSize{"short", 2},    TypeSize{"signed char", 1},
        TypeSize{"unsigned char", 1}, TypeSize{"bool", 1},     TypeSize{"c10::complex<float>", 8}};
    if (type.starts_with("c10::Float8"))
        return 1;
    const auto at =
        std::find_if(kSizes.begin(), kSizes.end(), [type](const TypeSize& one) { return one.name == type; });
    return at == kSizes.end() ? 0 : at->bytes;
}

std::string number(std::int64_t value) {
    return std::to_string(value);
}

// "aten::mul_" -> "mul"; the name of an operator in place has an underscore more.
std::string_view plainOperator(std::string_view name) {
    if (!name.starts_with("aten::"))
        return {};
    name.remove_prefix(6);
    if (name.size() > 1 && name.ends_with('_') && !name.ends_with("__"))
        name.remove_suffix(1);
    return name;
}

class WorkCounter {
public:
    explicit WorkCounter(const OperatorShapes& shapes) : m_shapes(shapes) {}

    std::optional<OperatorWork> gemm(std::size_t a, std::size_t b, std::size_t bias) {
        const Dims &left = dims(a), &right = dims(b);
        if (left.size() < 2 || right.size() < 2 || left.back() != right[right.size() - 2])
            return std::nullopt;
        const Dims outer(left.begin(), left.end() - 2), inner(right.begin(), right.end() - 2);
        const auto batch = broadcast(outer, inner);
        if (!batch)
            return std::nullopt;
        const std::int64_t m = left[left.size() - 2], k = left.back(), n = right.back();
        const double batches = batch->empty() ? 1 : elementsOf(*batch);
        return product(batches, m, n, k, elementsOf(left) + elementsOf(right), a, bias);
    }

    // Weight stands as N x K.
    std::optional<OperatorWork> linear() {
        const Dims &input = dims(0), &weight = dims(1);
        if (input.empty() || weight.size() != 2 || input.back() != weight[1] || weight[1] == 0)
            return std::nullopt;
        const auto rows = static_cast<std::int64_t>(elementsOf(input) / static_cast<double>(weight[1]));
        return product(1, rows, weight[0], weight[1], elementsOf(input) + elementsOf(weight), 0, 2);
    }

    // Arguments of stride, padding and dilation by place.
    std::optional<OperatorWork> convolution(std::size_t stride, std::size_t padding, std::size_t dilation) {
        const Dims &input = dims(0), &weight = dims(1);
        if (input.size() < 3 || input.size() != weight.size())
            return std::nullopt;
        const std::size_t sides = input.size() - 2;
        const auto strides = values(stride, sides), paddings = values(padding, sides),
                   dilations = values(dilation, sides);
        if (!strides || !paddings || !dilations)
            return std::nullopt;
        double output = static_cast<double>(input[0]) * static_cast<double>(weight[0]);
        for (std::size_t i = 0; i < sides; ++i) {
            const std::int64_t span =
                input[i + 2] + 2 * (*paddings)[i] - (*dilations)[i] * (weight[i + 2] - 1) - 1;
            if ((*strides)[i] <= 0 || span < 0)
                return std::nullopt;
            const std::int64_t places = span / (*strides)[i] + 1; // rounded down: no partial place
            output *= static_cast<double>(places);
        }
        OperatorWork work{WorkKind::Convolution,
                          2 * output * elementsOf(weight) / static_cast<double>(weight[0]),
                          0,
                          "2 x output elements x weights of one output channel",
                          false,
                          {}};
        setBytes(work, elementsOf(input) + elementsOf(weight) + output, 0);
        return work;
    }

    std::optional<OperatorWork> attention(std::size_t causal) {
        const Dims &q = dims(0), &k = dims(1), &v = dims(2);
        if (q.size() != 4 || k.size() != 4 || v.size() != 4 || q[3] != k[3] || k[2] != v[2] || q[0] != k[0])
            return std::nullopt;
        const double heads = static_cast<double>(q[0]) * static_cast<double>(q[1]);
        const double pairs = static_cast<double>(q[2]) * static_cast<double>(k[2]);
        const bool isCausal = m_shapes.values.size() > causal && m_shapes.values[causal] == "True";
        OperatorWork work{WorkKind::Attention,
                          2 * heads * pairs * static_cast<double>(q[3] + v[3]),
                          0,
                          "2 B H Nq Nk (Dqk + Dv): B " + number(q[0]) + ", H " + number(q[1]) + ", Nq " +
                              number(q[2]) + ", Nk " + number(k[2]) + ", D " + number(q[3]) + " + " +
                              number(v[3]),
                          false,
                          {}};
        if (isCausal && q[2] == k[2]) {
            work.flop /= 2;
            work.formula += ", half of it: causal";
        }
        setBytes(work,
                 elementsOf(q) + elementsOf(k) + elementsOf(v) + heads * static_cast<double>(q[2] * v[3]), 0);
        return work;
    }

    // `flopEach` an element of the result; traffic: operands and result.
    std::optional<OperatorWork> elementwise(WorkKind kind, double flopEach, std::size_t operands) {
        Dims result = dims(0);
        double read = 0;
        for (std::size_t i = 0; i < operands; ++i) {
            const auto joined = broadcast(result, dims(i));
            if (!joined)
                return std::nullopt;
            result = *joined;
            read += elementsOf(dims(i)) * sizeOfType(typeOf(i));
        }
        const double elements = elementsOf(result);
        if (elements == 0)
            return std::nullopt;
        OperatorWork work{kind, flopEach * elements, 0, {}, false, {}};
        work.formula = flopEach == 0 ? "elements read and written once"
                       : flopEach == 1
                           ? "one operation an element"
                           : number(static_cast<std::int64_t>(flopEach)) + " operations an element";
        if (const double size = sizeOfType(typeOf(0)); size > 0 && read > 0)
            work.bytes = read + elements * size;
        work.isAssumed = true;
        work.assumption = "the result has the type of the first operand";
        return work;
    }

private:
    const Dims& dims(std::size_t argument) const {
        static const Dims kNone;
        return argument < m_shapes.dims.size() ? m_shapes.dims[argument] : kNone;
    }
    std::string_view typeOf(std::size_t argument) const {
        return argument < m_shapes.types.size() ? std::string_view(m_shapes.types[argument])
                                                : std::string_view();
    }

    static std::optional<Dims> broadcast(const Dims& a, const Dims& b) {
        Dims joined(std::max(a.size(), b.size()), 1);
        for (std::size_t i = 0; i < joined.size(); ++i) { // from the last side
            const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
            const std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
            if (x != y && x != 1 && y != 1)
                return std::nullopt;
            joined[joined.size() - 1 - i] = x == 1 ? y : x;
        }
        return joined;
    }

    std::optional<OperatorWork> product(double batches, std::int64_t m, std::int64_t n, std::int64_t k,
                                        double read, std::size_t type, std::size_t bias) const {
        const double outputs = batches * static_cast<double>(m) * static_cast<double>(n);
        const bool hasBias = !dims(bias).empty();
        OperatorWork work{
            WorkKind::Gemm, 2 * outputs * static_cast<double>(k) + (hasBias ? outputs : 0), 0, {}, false, {}};
        work.formula = batches == 1 ? "2 M N K" : "2 B M N K";
        if (hasBias)
            work.formula += batches == 1 ? " + M N" : " + B M N";
        work.formula += ": ";
        if (batches != 1)
            work.formula += "B " + number(static_cast<std::int64_t>(batches)) + ", ";
        work.formula += "M " + number(m) + ", N " + number(n) + ", K " + number(k);
        setBytes(work, read + outputs + elementsOf(dims(bias)), type);
        return work;
    }

    // Of one type for all: mixed ones are said.
    void setBytes(OperatorWork& work, double elements, std::size_t type) const {
        work.bytes = elements * sizeOfType(typeOf(type));
    }

    // "[1, 1]", or one number for all sides.
    std::optional<Dims> values(std::size_t argument, std::size_t sides) const {
        if (argument >= m_shapes.values.size())
            return std::nullopt;
        Dims found;
        const std::string& text = m_shapes.values[argument];
        for (const char* at = text.data(); at != text.data() + text.size();) {
            std::int64_t value = 0;
            const auto [end, error] = std::from_chars(at, text.data() + text.size(), value);
            if (error == std::errc())
                found.push_back(value);
            at = error == std::errc() ? end : at + 1;
        }
        if (found.size() == 1)
            found.assign(sides, found.front());
        return found.size() == sides ? std::optional(found) : std::nullopt;
    }

    const OperatorShapes& m_shapes;
};

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<OperatorWork> attentionWork(std::string_view name, WorkCounter& count) {
    if (name == "scaled_dot_product_attention")
        return count.attention(5);
    if (isOneOf(name, {"_scaled_dot_product_flash_attention"}))
        return count.attention(4);
    if (isOneOf(name, {"_scaled_dot_product_efficient_attention", "_scaled_dot_product_cudnn_attention"}))
        return count.attention(6);
    return std::nullopt;
}

} // namespace

std::string_view workKindName(WorkKind kind) {
    constexpr std::array<std::string_view, 6> kNames{"GEMM",          "convolution", "attention",
                                                     "normalisation", "softmax",     "elementwise"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::optional<OperatorWork> operatorWork(std::string_view name, const OperatorShapes& shapes) {
    constexpr std::size_t kNoBias = SIZE_MAX;
    if (!shapes.isKnown())
        return std::nullopt;
    const std::string_view op = plainOperator(name);
    WorkCounter count(shapes);
    if (isOneOf(op, {"mm", "bmm", "matmul"}))
        return count.gemm(0, 1, kNoBias);
    if (isOneOf(op, {"addmm", "baddbmm", "_addmm_activation"}))
        return count.gemm(1, 2, 0);
    if (op == "linear")
        return count.linear();
    if (isOneOf(op, {"conv1d", "conv2d", "conv3d"}))
        return count.convolution(3, 4, 5);
    if (isOneOf(op, {"convolution", "_convolution"}) && shapes.values.size() > 6 &&
        shapes.values[6] == "False")
        return count.convolution(3, 4, 5);
    if (op == "cudnn_convolution")
        return count.convolution(3, 2, 4);
    if (auto attention = attentionWork(op, count))
        return attention;
    if (isOneOf(op, {"layer_norm", "native_layer_norm", "batch_norm", "native_batch_norm", "cudnn_batch_norm",
                     "group_norm", "native_group_norm", "rms_norm", "_fused_rms_norm"}))
        return count.elementwise(WorkKind::Norm, 0, 1);
    if (isOneOf(op, {"softmax", "_softmax", "log_softmax", "_log_softmax"}))
        return count.elementwise(WorkKind::Softmax, 3, 1);
    if (isOneOf(op, {"add", "sub", "mul", "div", "maximum", "minimum", "eq", "gt", "lt"}))
        return count.elementwise(WorkKind::Elementwise, 1, 2);
    if (isOneOf(op, {"relu", "gelu", "silu", "sigmoid", "tanh", "exp", "log", "sqrt", "rsqrt", "neg", "clamp",
                     "clamp_min", "abs", "pow", "sin", "cos"}))
        return count.elementwise(WorkKind::Elementwise, 1, 1);
    return std::nullopt;
}

} // namespace lacuna
