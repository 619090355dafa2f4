#include "widgets/timeline/builtin_painters.h"

namespace lacuna::ui {

LanePainterList builtinPainters() {
    LanePainterList list;
    for (const LaneKind kind : {LaneKind::Steps, LaneKind::Range, LaneKind::Python, LaneKind::CpuThread,
                                LaneKind::OsRuntime, LaneKind::Async, LaneKind::Marks, LaneKind::Overhead,
                                LaneKind::GpuRange, LaneKind::GpuStream, LaneKind::GpuSync})
        list.push_back({kind, makeSlicePainter()});
    list.push_back({LaneKind::CudaApi, makeApiPainter()});
    list.push_back({LaneKind::Counter, makeCounterPainter()});
    return list;
}

} // namespace lacuna::ui
