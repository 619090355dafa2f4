#include "widgets/session/settings_store.h"

#include "core/output/output_file.h"
#include "core/settings/number_text.h"
#include "core/settings/settings_file.h"
#include "widgets/text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace lacuna::ui {

namespace {

QString peaksFile() {
    return configFile(u"gpu_peaks.conf"_s);
}

// Names of GPUs as keys: a line is split at its first '='.
std::string gpuKey(std::string_view name) {
    std::string key(trimmed(name));
    std::replace(key.begin(), key.end(), '=', ' ');
    std::replace(key.begin(), key.end(), '\n', ' ');
    return key;
}

} // namespace

QString configFile(const QString& name) {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/lacuna/"_s + name;
}

std::string readConfig(const QString& file) {
    constexpr qint64 kMostBytes = 1 << 20;
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.read(kMostBytes).toStdString() : std::string();
}

Status changeConfig(const QString& file, std::string_view key, const std::optional<std::string>& value) {
    const std::string before = readConfig(file), after = withSetting(before, key, value);
    if (before == after)
        return ok();
    QDir().mkpath(QFileInfo(file).absolutePath());
    OutputFile::Options options;
    options.replace = true;
    auto output = OutputFile::create(file.toStdString(), options);
    if (!output)
        return output.error();
    (*output)->write(after);
    return (*output)->commit();
}

std::optional<double> gpuPeak(std::string_view gpuName) {
    const std::string file = readConfig(peaksFile()), key = gpuKey(gpuName);
    std::string_view rest = file;
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos || trimmed(line.substr(0, equals)) != key)
            continue;
        const auto flops = parseNumber(trimmed(line.substr(equals + 1)));
        return flops && *flops > 0 ? flops : std::nullopt;
    }
    return std::nullopt;
}

Status rememberGpuPeak(std::string_view gpuName, std::optional<double> flops) {
    return changeConfig(peaksFile(), gpuKey(gpuName),
                        flops ? std::optional(numberText(*flops)) : std::nullopt);
}

} // namespace lacuna::ui
