#pragma once
// An importer that does what another does, but for load(), which a subclass writes around the other's.

#include "core/import/importer.h"

#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

namespace lacuna {

class ForwardingImporter : public Importer {
public:
    explicit ForwardingImporter(std::unique_ptr<const Importer> importer) : m_importer(std::move(importer)) {}

    std::string_view id() const override { return m_importer->id(); }
    Confidence sniff(const SniffInput& input) const override { return m_importer->sniff(input); }
    Result<std::unique_ptr<DetailReader>> details(std::shared_ptr<ByteSource> bytes,
                                                  const std::filesystem::path& file) const override {
        return m_importer->details(std::move(bytes), file);
    }

protected:
    const Importer& importer() const { return *m_importer; }

private:
    std::unique_ptr<const Importer> m_importer;
};

} // namespace lacuna
