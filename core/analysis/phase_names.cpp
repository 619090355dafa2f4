#include "core/analysis/phase_names.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <string>
#include <vector>

namespace lacuna {

namespace {

struct PhaseWord {
    std::string_view word;
    PhaseKind phase;
};

// The first line whose word is among those of the name decides: "log_loss" is logging, not a loss.
constexpr std::array kPhaseWords = {
    PhaseWord{"checkpoint", PhaseKind::Logging},
    PhaseWord{"ckpt", PhaseKind::Logging},
    PhaseWord{"log", PhaseKind::Logging},
    PhaseWord{"logging", PhaseKind::Logging},
    PhaseWord{"metrics", PhaseKind::Logging},
    PhaseWord{"save", PhaseKind::Logging},
    PhaseWord{"allreduce", PhaseKind::GradientSync},
    PhaseWord{"ddp", PhaseKind::GradientSync},
    PhaseWord{"dataloader", PhaseKind::Data},
    PhaseWord{"datapipe", PhaseKind::Data},
    PhaseWord{"data", PhaseKind::Data},
    PhaseWord{"loader", PhaseKind::Data},
    PhaseWord{"dataload", PhaseKind::Data},
    PhaseWord{"fetch", PhaseKind::Data},
    PhaseWord{"transfer", PhaseKind::Transfer},
    PhaseWord{"htod", PhaseKind::Transfer},
    PhaseWord{"upload", PhaseKind::Transfer},
    PhaseWord{"backward", PhaseKind::Backward},
    PhaseWord{"bwd", PhaseKind::Backward},
    PhaseWord{"optimizer", PhaseKind::Optimizer},
    PhaseWord{"optim", PhaseKind::Optimizer},
    PhaseWord{"opt", PhaseKind::Optimizer},
    PhaseWord{"loss", PhaseKind::Loss},
    PhaseWord{"criterion", PhaseKind::Loss},
    PhaseWord{"forward", PhaseKind::Forward},
    PhaseWord{"fwd", PhaseKind::Forward},
};

std::vector<std::string> wordsOf(std::string_view name) {
    std::vector<std::string> words;
    bool inWord = false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        const bool isHump =
            i != 0 && c != lower(c) && isLetter(name[i - 1]) && name[i - 1] == lower(name[i - 1]);
        if (!isLetter(c)) {
            inWord = false;
            continue;
        }
        if (!inWord || isHump)
            words.emplace_back();
        inWord = true;
        words.back().push_back(lower(c));
    }
    return words;
}

bool hasWord(const std::vector<std::string>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool hasPair(const std::vector<std::string>& words, std::string_view first, std::string_view second) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
        if (words[i] == first && words[i + 1] == second)
            return true;
    return false;
}

} // namespace

std::string_view phaseTitle(PhaseKind phase) {
    switch (phase) {
    case PhaseKind::Data:
        return "data loading";
    case PhaseKind::Transfer:
        return "transfer";
    case PhaseKind::Forward:
        return "forward";
    case PhaseKind::Loss:
        return "loss";
    case PhaseKind::Backward:
        return "backward";
    case PhaseKind::GradientSync:
        return "gradient sync";
    case PhaseKind::Optimizer:
        return "optimizer";
    case PhaseKind::Logging:
        return "checkpoint or logging";
    case PhaseKind::None:
        break;
    }
    return "";
}

PhaseKind phaseOfRange(std::string_view name) {
    const std::vector<std::string> words = wordsOf(name);
    if (hasPair(words, "zero", "grad"))
        return PhaseKind::Optimizer;
    if (hasPair(words, "all", "reduce") || hasPair(words, "grad", "sync") ||
        hasPair(words, "gradient", "sync") || hasPair(words, "sync", "grad") ||
        hasPair(words, "sync", "gradients") || hasPair(words, "reduce", "grads"))
        return PhaseKind::GradientSync;
    if (hasPair(words, "to", "device") || hasPair(words, "to", "gpu") || hasPair(words, "host", "to"))
        return PhaseKind::Transfer;
    for (const PhaseWord& entry : kPhaseWords)
        if (hasWord(words, entry.word))
            return entry.phase;
    return PhaseKind::None;
}

bool isBackwardOperator(std::string_view name) {
    return name.starts_with("autograd::engine::evaluate_function");
}

} // namespace lacuna
