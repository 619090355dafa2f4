#include "tests/support/archives.h"

#include <zlib.h>

#include <archive.h>
#include <archive_entry.h>
#include <memory>

namespace lacuna::test {

namespace {

la_ssize_t append(archive*, void* out, const void* bytes, std::size_t size) {
    static_cast<std::string*>(out)->append(static_cast<const char*>(bytes), size);
    return static_cast<la_ssize_t>(size);
}

// `setUp` chooses format and filter.
template <class SetUp> std::string written(const std::vector<PackedFile>& files, SetUp setUp) {
    std::string out;
    const std::unique_ptr<archive, decltype(&archive_write_free)> writer(archive_write_new(),
                                                                         &archive_write_free);
    setUp(writer.get());
    archive_write_set_bytes_in_last_block(writer.get(), 1);
    archive_write_open(writer.get(), &out, nullptr, &append, nullptr);
    for (const PackedFile& file : files) {
        const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                                  &archive_entry_free);
        archive_entry_set_pathname(entry.get(), file.name.c_str());
        archive_entry_set_perm(entry.get(), 0644);
        archive_entry_set_size(entry.get(), static_cast<la_int64_t>(file.content.size()));
        archive_entry_set_filetype(entry.get(), file.linkTo.empty() ? AE_IFREG : AE_IFLNK);
        if (!file.linkTo.empty())
            archive_entry_set_symlink(entry.get(), file.linkTo.c_str());
        archive_write_header(writer.get(), entry.get());
        if (!file.content.empty())
            archive_write_data(writer.get(), file.content.data(), file.content.size());
    }
    archive_write_close(writer.get());
    return out;
}

} // namespace

std::string zipOf(const std::vector<PackedFile>& files, bool isCompressed) {
    return written(files, [isCompressed](archive* writer) {
        archive_write_set_format_zip(writer);
        if (isCompressed)
            archive_write_zip_set_compression_deflate(writer);
        else
            archive_write_zip_set_compression_store(writer);
    });
}

std::string tarOf(const std::vector<PackedFile>& files) {
    return written(files, [](archive* writer) { archive_write_set_format_pax_restricted(writer); });
}

std::string zstdOf(std::string_view text) {
    return written({{"t", std::string(text), {}}}, [](archive* writer) {
        archive_write_set_format_raw(writer);
        archive_write_add_filter_zstd(writer);
    });
}

std::string xzOf(std::string_view text) {
    return written({{"t", std::string(text), {}}}, [](archive* writer) {
        archive_write_set_format_raw(writer);
        archive_write_add_filter_xz(writer);
    });
}

std::string zlibOf(std::string_view text) {
    uLongf size = ::compressBound(static_cast<uLong>(text.size()));
    std::string out(size, '\0');
    ::compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
               static_cast<uLong>(text.size()));
    out.resize(size);
    return out;
}

std::string utf16Of(std::string_view ascii, bool isBigEndian) {
    std::string out = isBigEndian ? "\xFE\xFF" : "\xFF\xFE";
    for (const char c : ascii) {
        if (isBigEndian)
            out.push_back('\0');
        out.push_back(c);
        if (!isBigEndian)
            out.push_back('\0');
    }
    return out;
}

} // namespace lacuna::test
