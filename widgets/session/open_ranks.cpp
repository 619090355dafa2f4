#include "widgets/session/open_ranks.h"

#include "core/document/world.h"
#include "widgets/session/document_title.h"

#include <set>
#include <utility>

namespace lacuna::ui {

std::vector<OpenRank> openRanks(AnalysisSession& session) {
    const Document* document = session.document();
    if (document == nullptr)
        return {};
    std::vector<OpenTrace> all{
        {document->path, document->member, titleOf(*document), document->loaded.trace}};
    for (const OpenTrace& other : OpenTraces::of(session).others())
        all.push_back(other);
    const auto world = worldOf(document->trace().facts());
    std::vector<OpenRank> ranks;
    std::set<std::int64_t> known;
    for (OpenTrace& one : all) {
        const auto rank = rankOf(one.trace->facts());
        const auto theirs = worldOf(one.trace->facts());
        const bool isOfOther = world && theirs && world->size != theirs->size;
        if (rank && !isOfOther && known.insert(*rank).second)
            ranks.push_back({*rank, std::move(one)});
        else if (ranks.empty())
            return {}; // of which rank this trace is nobody tells
    }
    return ranks;
}

} // namespace lacuna::ui
