#include "core/import/nsys/enums.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lacuna::nsys {

namespace {

struct ColumnEnum {
    std::string_view column, enumeration;
};
constexpr std::array kColumns = {
    ColumnEnum{"copyKind", "ENUM_CUDA_MEMCPY_OPER"},
    ColumnEnum{"srcKind", "ENUM_CUDA_MEM_KIND"},
    ColumnEnum{"dstKind", "ENUM_CUDA_MEM_KIND"},
    ColumnEnum{"memKind", "ENUM_CUDA_MEM_KIND"},
    ColumnEnum{"migrationCause", "ENUM_CUDA_UNIF_MEM_MIGRATION"},
    ColumnEnum{"launchType", "ENUM_CUDA_KERNEL_LAUNCH_TYPE"},
    ColumnEnum{"cacheConfig", "ENUM_CUDA_FUNC_CACHE_CONFIG"},
    ColumnEnum{"sharedMemoryLimitConfig", "ENUM_CUDA_SHARED_MEM_LIMIT_CONFIG"},
    ColumnEnum{"memoryOperationType", "ENUM_CUDA_DEV_MEM_EVENT_OPER"},
    ColumnEnum{"overheadType", "ENUM_CUPTI_OVERHEAD_TYPE"},
    ColumnEnum{"threadState", "ENUM_SAMPLING_THREAD_STATE"},
    ColumnEnum{"threadBlock", "ENUM_SCHEDULING_THREAD_BLOCK"},
    ColumnEnum{"faultAccessType", "ENUM_CUDA_UNIF_MEM_ACCESS_TYPE"},
    ColumnEnum{"operationType", "ENUM_CUDA_MEMPOOL_OPER"},
    ColumnEnum{"poolType", "ENUM_CUDA_MEMPOOL_TYPE"},
    ColumnEnum{"eventClass", "ENUM_NSYS_EVENT_CLASS"},
    ColumnEnum{"eventType", "ENUM_NSYS_EVENT_TYPE"},
};

struct EnumEntry {
    std::string_view enumeration;
    std::int64_t id;
    std::string_view label;
};
// Labels as the vendor's ENUM tables spell them.
constexpr std::array kFallback = {
    EnumEntry{"ENUM_CUDA_MEMCPY_OPER", 0, "Unknown"},
    EnumEntry{"ENUM_CUDA_MEMCPY_OPER", 1, "Host-to-Device"},
    EnumEntry{"ENUM_CUDA_MEMCPY_OPER", 2, "Device-to-Host"},
    EnumEntry{"ENUM_CUDA_MEMCPY_OPER", 3, "Host-to-Array"},
    EnumEntry{"ENUM_CUDA_MEMCPY_OPER", 4, "Array-to-Host"},
    EnumEntry{"ENUM_CUDA_MEMCPY_OPER", 5, "Array-to-Array"},
    EnumEntry{"ENUM_CUDA_MEMCPY_OPER", 6, "Array-to-Device"},
    EnumEntry{"ENUM_CUDA_MEMCPY_OPER", 7, "Device-to-Array"},
    EnumEntry{"ENUM_CUDA_MEMCPY_OPER", 8, "Device-to-Device"},
    EnumEntry{"ENUM_CUDA_MEMCPY_OPER", 9, "Host-to-Host"},
    EnumEntry{"ENUM_CUDA_MEMCPY_OPER", 10, "Peer-to-Peer"},
    EnumEntry{"ENUM_CUDA_MEMCPY_OPER", 11, "Unified Host-to-Device"},
    EnumEntry{"ENUM_CUDA_MEMCPY_OPER", 12, "Unified Device-to-Host"},
    EnumEntry{"ENUM_CUDA_MEMCPY_OPER", 13, "Unified Device-to-Device"},
    EnumEntry{"ENUM_CUDA_MEM_KIND", 0, "Pageable"},
    EnumEntry{"ENUM_CUDA_MEM_KIND", 1, "Pinned"},
    EnumEntry{"ENUM_CUDA_MEM_KIND", 2, "Device"},
    EnumEntry{"ENUM_CUDA_MEM_KIND", 3, "Array"},
    EnumEntry{"ENUM_CUDA_MEM_KIND", 4, "Managed"},
    EnumEntry{"ENUM_CUDA_MEM_KIND", 5, "Device Static"},
    EnumEntry{"ENUM_CUDA_MEM_KIND", 6, "Managed Static"},
    EnumEntry{"ENUM_CUDA_MEM_KIND", 7, "Unknown"},
    EnumEntry{"ENUM_CUDA_UNIF_MEM_MIGRATION", 0, "Unknown"},
    EnumEntry{"ENUM_CUDA_UNIF_MEM_MIGRATION", 1, "User Prefetch"},
    EnumEntry{"ENUM_CUDA_UNIF_MEM_MIGRATION", 2, "Page Fault"},
    EnumEntry{"ENUM_CUDA_UNIF_MEM_MIGRATION", 3, "Speculative Prefetch"},
    EnumEntry{"ENUM_CUDA_UNIF_MEM_MIGRATION", 4, "Eviction"},
    EnumEntry{"ENUM_CUDA_UNIF_MEM_MIGRATION", 5, "Access Counters"},
    EnumEntry{"ENUM_CUDA_KERNEL_LAUNCH_TYPE", 0, "Unknown"},
    EnumEntry{"ENUM_CUDA_KERNEL_LAUNCH_TYPE", 1, "Regular"},
    EnumEntry{"ENUM_CUDA_KERNEL_LAUNCH_TYPE", 2, "Cooperative Single Device"},
    EnumEntry{"ENUM_CUDA_KERNEL_LAUNCH_TYPE", 3, "Cooperative Multi Device"},
    EnumEntry{"ENUM_CUDA_FUNC_CACHE_CONFIG", 0, "None"},
    EnumEntry{"ENUM_CUDA_FUNC_CACHE_CONFIG", 1, "Prefer Shared"},
    EnumEntry{"ENUM_CUDA_FUNC_CACHE_CONFIG", 2, "Prefer L1"},
    EnumEntry{"ENUM_CUDA_FUNC_CACHE_CONFIG", 3, "Prefer Equal"},
    EnumEntry{"ENUM_CUDA_SHARED_MEM_LIMIT_CONFIG", 0, "Default"},
    EnumEntry{"ENUM_CUDA_SHARED_MEM_LIMIT_CONFIG", 1, "Opt-in"},
    EnumEntry{"ENUM_CUDA_DEV_MEM_EVENT_OPER", 0, "Allocation"},
    EnumEntry{"ENUM_CUDA_DEV_MEM_EVENT_OPER", 1, "Deallocation"},
    EnumEntry{"ENUM_CUDA_UNIF_MEM_ACCESS_TYPE", 0, "Unknown"},
    EnumEntry{"ENUM_CUDA_UNIF_MEM_ACCESS_TYPE", 1, "Read"},
    EnumEntry{"ENUM_CUDA_UNIF_MEM_ACCESS_TYPE", 2, "Write"},
    EnumEntry{"ENUM_CUDA_UNIF_MEM_ACCESS_TYPE", 3, "Atomic"},
    EnumEntry{"ENUM_CUDA_UNIF_MEM_ACCESS_TYPE", 4, "Prefetch"},
    EnumEntry{"ENUM_CUDA_MEMPOOL_OPER", 0, "Invalid"},
    EnumEntry{"ENUM_CUDA_MEMPOOL_OPER", 1, "Created"},
    EnumEntry{"ENUM_CUDA_MEMPOOL_OPER", 2, "Destroyed"},
    EnumEntry{"ENUM_CUDA_MEMPOOL_OPER", 3, "Trimmed"},
    EnumEntry{"ENUM_CUDA_MEMPOOL_TYPE", 0, "Invalid"},
    EnumEntry{"ENUM_CUDA_MEMPOOL_TYPE", 1, "Local"},
    EnumEntry{"ENUM_CUDA_MEMPOOL_TYPE", 2, "Imported"},
    EnumEntry{"ENUM_SAMPLING_THREAD_STATE", 0, "Unknown"},
    EnumEntry{"ENUM_SAMPLING_THREAD_STATE", 1, "Running"},
    EnumEntry{"ENUM_SAMPLING_THREAD_STATE", 2, "Interruptible"},
    EnumEntry{"ENUM_SAMPLING_THREAD_STATE", 3, "Uninterruptible"},
    EnumEntry{"ENUM_SAMPLING_THREAD_STATE", 4, "Stopped"},
    EnumEntry{"ENUM_SAMPLING_THREAD_STATE", 5, "Terminated"},
    EnumEntry{"ENUM_SAMPLING_THREAD_STATE", 6, "Unscheduled"},
    EnumEntry{"ENUM_SAMPLING_THREAD_STATE", 7, "Waiting"},
    EnumEntry{"ENUM_SAMPLING_THREAD_STATE", 8, "OS runtime"},
    EnumEntry{"ENUM_SAMPLING_THREAD_STATE", 9, "Initialized"},
    EnumEntry{"ENUM_SAMPLING_THREAD_STATE", 10, "Transition"},
    EnumEntry{"ENUM_OSRT_FILE_ACCESS_EVENT_TYPE", 1, "OSRT Open File Action"},
    EnumEntry{"ENUM_OSRT_FILE_ACCESS_EVENT_TYPE", 2, "OSRT Close File Action"},
    EnumEntry{"ENUM_OSRT_FILE_ACCESS_EVENT_TYPE", 3, "OSRT Read from File Action"},
    EnumEntry{"ENUM_OSRT_FILE_ACCESS_EVENT_TYPE", 4, "OSRT Write to File Action"},
    EnumEntry{"ENUM_OSRT_FILE_ACCESS_EVENT_TYPE", 6, "OSRT Metadata File Action"},
    EnumEntry{"ENUM_CUPTI_OVERHEAD_TYPE", 0, "Undefined"},
    EnumEntry{"ENUM_CUPTI_OVERHEAD_TYPE", 1, "Unknown"},
    EnumEntry{"ENUM_CUPTI_OVERHEAD_TYPE", 2, "Driver JIT Compiler"},
    EnumEntry{"ENUM_CUPTI_OVERHEAD_TYPE", 3, "CUPTI Buffer Flush"},
    EnumEntry{"ENUM_CUPTI_OVERHEAD_TYPE", 4, "CUPTI Instrumentation"},
    EnumEntry{"ENUM_CUPTI_OVERHEAD_TYPE", 5, "CUPTI Resource"},
    EnumEntry{"ENUM_CUPTI_OVERHEAD_TYPE", 6, "Runtime Triggered Module Loading"},
    EnumEntry{"ENUM_CUPTI_OVERHEAD_TYPE", 7, "Lazy Function Loading"},
    EnumEntry{"ENUM_CUPTI_OVERHEAD_TYPE", 8, "Command Buffer Full"},
    EnumEntry{"ENUM_NSYS_EVENT_CLASS", 0, "CUDA runtime API"},
    EnumEntry{"ENUM_NSYS_EVENT_CLASS", 1, "CUDA driver API"},
    EnumEntry{"ENUM_NSYS_EVENT_CLASS", 27, "OS runtime call"},
    EnumEntry{"ENUM_NSYS_EVENT_TYPE", 34, "NvtxMark"},
    EnumEntry{"ENUM_NSYS_EVENT_TYPE", 59, "NvtxPushPopRange"},
    EnumEntry{"ENUM_NSYS_EVENT_TYPE", 60, "NvtxStartEndRange"},
};

// The name up to schema 3.1.2 had its letters swapped.
constexpr std::string_view kLaunchTypes = "ENUM_CUDA_KERNEL_LAUNCH_TYPE";
constexpr std::string_view kLaunchTypesMisspelt = "ENUM_CUDA_KRENEL_LAUNCH_TYPE";

} // namespace

std::string_view enumOfColumn(std::string_view table, std::string_view column) {
    if (column == "eventType" && table == "OSRT_FILE_ACCESS_EVENTS")
        return "ENUM_OSRT_FILE_ACCESS_EVENT_TYPE";
    if (column == "eventType" && table != "NVTX_EVENTS" && table != "NVTXT_EVENTS")
        return {};
    const auto* at = std::find_if(kColumns.begin(), kColumns.end(),
                                  [&](const ColumnEnum& entry) { return entry.column == column; });
    return at == kColumns.end() ? std::string_view{} : at->enumeration;
}

std::string_view EnumLabels::label(std::string_view enumeration, std::int64_t id) {
    auto at = m_enums.find(enumeration);
    const Labels& labels = at == m_enums.end() ? load(enumeration) : at->second;
    const auto found = labels.find(id);
    return found == labels.end() ? std::string_view{} : std::string_view(found->second);
}

const EnumLabels::Labels& EnumLabels::load(std::string_view enumeration) {
    Labels& labels = m_enums[std::string(enumeration)];
    const SqliteTable* table = m_db.table(enumeration);
    if (table == nullptr && enumeration == kLaunchTypes)
        table = m_db.table(kLaunchTypesMisspelt);
    if (table != nullptr && table->column("id") != nullptr && table->column("label") != nullptr) {
        constexpr int kMaxLabels = 4096; // a table with more is no list of labels
        auto rows = m_db.prepare("SELECT id, label FROM " + quoteIdentifier(table->name) + " LIMIT " +
                                 std::to_string(kMaxLabels));
        while (rows && rows->step() == SqliteStatement::Step::Row)
            if (const auto id = rows->integer(0); id && !rows->isNull(1))
                labels.try_emplace(*id, rows->text(1));
    }
    for (const EnumEntry& entry : kFallback)
        if (entry.enumeration == enumeration)
            labels.try_emplace(entry.id, entry.label);
    return labels;
}

} // namespace lacuna::nsys
