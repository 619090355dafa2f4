#include "core/output/text_sink.h"

#include <cerrno>

namespace lacuna {

void FileSink::write(std::string_view text) {
    if (m_error == 0 && std::fwrite(text.data(), 1, text.size(), m_file) != text.size())
        m_error = errno != 0 ? errno : EIO;
}

int FileSink::finish() {
    if (m_error == 0 && std::fflush(m_file) != 0)
        m_error = errno != 0 ? errno : EIO;
    return m_error;
}

} // namespace lacuna
