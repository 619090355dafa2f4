#include "core/import/detail/unpack.h"

#include <algorithm>
#include <utility>

namespace lacuna {

namespace {

constexpr std::size_t kNamed = 10; // in a note

class Unpacker {
public:
    // `list`: where the members go, instead of one being opened; may be null.
    Unpacker(const std::shared_ptr<WatchedBytes>& bottom, std::string_view wanted,
             std::vector<ArchiveMember>* list)
        : m_bottom(bottom), m_wanted(wanted), m_isWanted(!wanted.empty()), m_list(list) {
        m_result.bytes.stored = bottom;
    }

    Result<Unpacked> run() {
        for (;;) {
            auto head = headOf(m_result.bytes);
            if (!head)
                return head.error();
            m_result.head = std::move(*head);
            const Container container = containerOf(m_result.head);
            if (container == Container::None)
                break;
            if (m_result.layers.size() == kMaxLayers)
                return Error{
                    Errc::TooLarge,
                    "The file is packed more than " + std::to_string(kMaxLayers) + " times over.",
                    {},
                    "Unpack it until a trace (.json, .json.gz or .sqlite) comes out, then open that."};
            m_result.layers.push_back({container, 0});
            if (const Status opened = isArchive(container) ? openMember(container) : openOne(); !opened)
                return opened.error();
            if (m_isListed)
                break;
        }
        if (m_isWanted && !m_isArchive)
            return Error{Errc::Unsupported,
                         "The file is no archive, so it has no members.",
                         {},
                         "Leave --member out."};
        return std::move(m_result);
    }

private:
    Status openOne() {
        auto opened = openLayer(std::move(m_result.bytes), m_result.layers, m_bottom);
        if (!opened)
            return opened.error();
        m_result.bytes = std::move(*opened);
        return ok();
    }

    Status openMember(Container container) {
        m_isArchive = true;
        const auto reader = openArchive(std::move(m_result.bytes), m_result.layers, m_bottom);
        const auto contents = readContents(*reader, container);
        if (!contents)
            return contents.error();
        if (m_list != nullptr && listed(*contents))
            return ok();
        const auto choice = chooseMember(*contents, m_wanted);
        if (!choice)
            return choice.error();
        m_wanted = choice->rest;
        m_result.member = choice->entry->member.name;
        m_result.layers.back().entry = choice->entry->entry;
        noteOthers(*contents, *choice->entry);
        auto opened = openLayers(m_bottom, m_result.layers);
        if (!opened)
            return opened.error();
        m_result.bytes = std::move(*opened);
        return ok();
    }

    // True when nothing in the one candidate could be chosen further.
    bool listed(const ArchiveContents& contents) {
        const auto candidates = contents.candidates();
        m_list->clear();
        for (const ArchiveEntry* candidate : candidates)
            m_list->push_back(candidate->member);
        m_isListed = candidates.size() > 1 ||
                     (candidates.size() == 1 && candidates.front()->rank != EntryRank::Archive);
        return m_isListed;
    }

    void noteOthers(const ArchiveContents& contents, const ArchiveEntry& shown) {
        const auto candidates = contents.candidates();
        std::vector<const ArchiveEntry*> traces, others;
        for (const ArchiveEntry& file : contents.files)
            if (&file != &shown)
                (std::find(candidates.begin(), candidates.end(), &file) != candidates.end() ? traces : others)
                    .push_back(&file);
        const std::string archive(containerName(contents.container));
        std::string text;
        if (!traces.empty())
            text += " Its other traces: " + nameList(traces, kNamed) + ".";
        if (!others.empty())
            text += " Not taken for traces: " + nameList(others, kNamed) + ".";
        if (contents.notFiles != 0)
            text += " Links and special files in it, which are never followed: " +
                    std::to_string(contents.notFiles) + ".";
        if (contents.unlisted != 0)
            text += " Not looked at: " + std::to_string(contents.unlisted) + " further files.";
        if (!text.empty())
            m_result.notes.push_back(
                {"archive_member", "Shown is " + shown.member.name + " of the " + archive + "." + text,
                 traces.size() + others.size() + contents.notFiles + contents.unlisted, false});
        if (!contents.damage.empty())
            m_result.notes.push_back({"damaged_archive",
                                      "The " + archive +
                                          " could not be read to its end, so its list of files "
                                          "may be short: " +
                                          contents.damage + ".",
                                      1, true});
    }

    std::shared_ptr<WatchedBytes> m_bottom;
    std::string_view m_wanted;
    bool m_isWanted;
    std::vector<ArchiveMember>* m_list;
    bool m_isArchive = false, m_isListed = false;
    Unpacked m_result;
};

} // namespace

Result<std::shared_ptr<WatchedBytes>> openStored(const std::filesystem::path& file, const JobControl* job) {
    std::shared_ptr<WatchedBytes> bottom;
    if (isStandardInput(file)) {
        auto input = standardInput();
        if (!input)
            return input.error();
        bottom = std::make_shared<WatchedBytes>(std::move(*input));
    } else {
        auto stored = openStoredFile(file);
        if (!stored)
            return stored.error();
        bottom = std::make_shared<WatchedBytes>(std::shared_ptr<const StoredBytes>(std::move(*stored)));
    }
    bottom->watch(job);
    return bottom;
}

Result<Unpacked> unpack(const std::shared_ptr<WatchedBytes>& bottom, std::string_view wanted) {
    return Unpacker(bottom, wanted, nullptr).run();
}

Result<std::vector<ArchiveMember>> membersOf(const std::shared_ptr<WatchedBytes>& bottom) {
    std::vector<ArchiveMember> members;
    if (const auto done = Unpacker(bottom, {}, &members).run(); !done)
        return done.error();
    return members;
}

} // namespace lacuna
