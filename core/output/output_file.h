#pragma once
// A file that is written whole or not at all: into a temporary file beside it, synced, then given its name.
// Whatever fails or is cancelled, no half of a file stays, and what stood there before stays as it was. The
// source of the work is never replaced, by whatever path it is named.

#include "core/base/result.h"
#include "core/output/gzip_stream.h"
#include "core/output/text_sink.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace lacuna {

// The calls that put bytes on the disk. Tests give their own, which fail.
struct FileCalls {
    std::function<std::ptrdiff_t(int, const void*, std::size_t)> write;
    std::function<int(int)> sync; // of a file or a folder
    std::function<int(const char*, const char*)> rename;
    static FileCalls system();
};

class OutputFile final : public TextSink {
public:
    struct Options {
        std::filesystem::path source; // never replaced
        bool replace = false;         // a file that is there
        bool compress = false;        // gzip
        FileCalls calls = FileCalls::system();
    };
    // Errors: Io with the reason (exists, no permission, no such folder, is the source).
    static Result<std::unique_ptr<OutputFile>> create(const std::filesystem::path& file,
                                                      const Options& options);
    ~OutputFile() override; // removes what commit() did not name
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    // A failure is kept and told by commit().
    void write(std::string_view text) override;
    bool hasFailed() const { return m_errno != 0; }
    Status commit();

private:
    OutputFile(std::filesystem::path file, std::filesystem::path temporary, int descriptor,
               const Options& options);
    void put(std::string_view bytes);
    void syncFolder() const;
    Error error(std::string_view what, int number) const;

    FileCalls m_calls;
    std::filesystem::path m_file, m_temporary;
    int m_descriptor = -1, m_errno = 0;
    bool m_replace = false;
    std::unique_ptr<GzipStream> m_gzip;
    std::string m_packed;
};

} // namespace lacuna
