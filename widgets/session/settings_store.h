#pragma once
// Small files of "key = value" lines in the configuration folder: changed one key at a time, written whole or
// not at all.

#include "core/base/result.h"

#include <QString>

#include <optional>
#include <string>
#include <string_view>

namespace lacuna::ui {

QString configFile(const QString& name); // "$XDG_CONFIG_HOME/lacuna/name"
// Empty where there is no such file; at most 1 MiB.
std::string readConfig(const QString& file);
// As withSetting(); makes the folder. Errors as OutputFile.
Status changeConfig(const QString& file, std::string_view key, const std::optional<std::string>& value);

// Peak FLOP/s of one GPU, as a person entered it once for this name; none: not yet.
std::optional<double> gpuPeak(std::string_view gpuName);
Status rememberGpuPeak(std::string_view gpuName, std::optional<double> flops);

} // namespace lacuna::ui
