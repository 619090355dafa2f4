#include "core/trace/snapshot_maker.h"

#include "core/trace/trace.h"

#include <system_error>
#include <utility>

namespace lacuna {

void SnapshotMaker::start(Finish finish) {
    m_busy = true;
    try {
        m_thread = std::jthread([this, finish = std::move(finish)]() mutable {
            // A snapshot is a nicety: where memory is short for it, the load goes on without.
            try {
                if (auto trace = finish(m_job))
                    m_receiver(std::move(*trace));
            } catch (const std::bad_alloc&) {
            }
            finish = {};
            m_busy = false;
        });
    } catch (const std::system_error&) {
        m_busy = false;
    }
}

} // namespace lacuna
