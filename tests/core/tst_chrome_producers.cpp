// Writers other than PyTorch's profiler (chrome_json.md section 7): small files in their own layout, and what
// becomes of their rows.

#include "tests/support/json_trace.h"
#include "tests/support/test_main.h"

#include <memory>
#include <string>
#include <string_view>

namespace tst_chrome_producers {

using namespace lacuna;
using namespace lacuna::test;

namespace {

std::string named(std::string_view what, int pid, int tid, std::string_view name) {
    return "{'ph':'M','name':'" + std::string(what) + "','pid':" + std::to_string(pid) +
           ",'tid':" + std::to_string(tid) + ",'args':{'name':'" + std::string(name) + "'}},";
}

std::string row(std::string_view name, int pid, int tid, int ts, std::string_view more = {}) {
    return "{'ph':'X','name':'" + std::string(name) + "','pid':" + std::to_string(pid) +
           ",'tid':" + std::to_string(tid) + ",'ts':" + std::to_string(ts) + ",'dur':2" + std::string(more) +
           "},";
}

EventId rowOf(const Trace& trace, std::string_view name) {
    for (std::uint32_t i = 0; i < trace.events().size(); ++i)
        if (trace.nameOf({i}) == name)
            return {i};
    return {};
}

const Lane& laneOf(const Trace& trace, std::string_view name) {
    return trace.lane(trace.laneOf(rowOf(trace, name)));
}

// "kernel gpu_stream 0/13": kind of row and lane, device and stream; host rows without the numbers.
std::string place(const Trace& trace, std::string_view name) {
    const EventId event = rowOf(trace, name);
    if (!event)
        return "none";
    const Lane& lane = laneOf(trace, name);
    std::string text(kindName(trace.events().kind[event.v]));
    text.append(" ").append(laneKindName(lane.kind));
    if (lane.device)
        text += " " + std::to_string(trace.devices()[lane.device.v].ordinal) + "/" +
                std::to_string(lane.sourceId);
    return text;
}

std::string range(const Trace& trace, std::string_view name) {
    const EventId event = rowOf(trace, name);
    return std::to_string(trace.events().beginNs[event.v]) + ".." +
           std::to_string(trace.events().endNs[event.v]);
}

} // namespace

class TstChromeProducers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void xla_streamsAreDeviceWork_derivedLinesAreNot() {
        const auto trace = jsonTrace(objectForm(
            q(named("process_name", 1, 0, "/device:GPU:0") +
              named("thread_name", 1, 13, "Stream #13(Compute)") +
              named("thread_name", 1, 20, "Stream #20(MemcpyH2D,Compute)") +
              named("thread_name", 1, 2, "XLA Ops") + named("process_name", 701, 0, "/host:CPU") +
              row("cuLaunchKernel", 701, 5, 1, ",'args':{'correlation_id':'7'}") +
              "{'ph':'X','name':'fusion.1','pid':1,'tid':13,'ts':5,'dur':1e-06,'args':{'correlation_id':'7','"
              "hlo_op':"
              "'fusion.1'}}," +
              row("MemcpyH2D", 1, 20, 6, ",'args':{'memcpy_details':'size:4'}") + row("Memset 4", 1, 20, 9) +
              row("op line", 1, 2, 5) + row("unnamed line", 1, 99, 5) + row("python", 701, 6, 1) + "{}"),
            q("'displayTimeUnit': 'ns', 'metadata': {'highres-ticks': true}")));
        QVERIFY(trace);
        QCOMPARE(place(*trace, "fusion.1"), std::string("kernel gpu_stream 0/13"));
        QCOMPARE(range(*trace, "fusion.1"), std::string("4000..4000"));
        QCOMPARE(place(*trace, "MemcpyH2D"), std::string("memcpy gpu_stream 0/20"));
        QCOMPARE(place(*trace, "Memset 4"), std::string("memset gpu_stream 0/20"));
        QCOMPARE(place(*trace, "op line"), std::string("range range"));
        QCOMPARE(place(*trace, "unnamed line"), std::string("other cpu_thread"));
        QCOMPARE(place(*trace, "cuLaunchKernel"), std::string("driver cuda_api"));
        QCOMPARE(place(*trace, "python"), std::string("other cpu_thread"));
        QVERIFY(trace->hotArgs().copies.find(rowOf(*trace, "MemcpyH2D"))->kind == CopyKind::HtoD);
        QVERIFY(trace->correlations().launchOf(trace->events(), rowOf(*trace, "fusion.1")) ==
                rowOf(*trace, "cuLaunchKernel"));
        QCOMPARE(trace->report().kept(EventKind::Metadata), std::uint64_t{6});
        QCOMPARE(trace->report().rowsDropped(), std::uint64_t{0});
    }
    void xprof_countersAndFlows() {
        const auto trace = jsonTrace(objectForm(
            q("{'ph':'C','name':'power','pid':1,'entries':[[1,5],[2.5,'7'],[3]]},"
              "{'ph':'X','name':'a','pid':1,'tid':1,'ts':0,'dur':1,'z':1,'bind_id':9,'flow_out':true},"
              "{'ph':'X','name':'b','pid':1,'tid':2,'ts':5,'dur':1,'z':2,'bind_id':9,'flow_in':true}"),
            q("'details': [], 'codeLink': '', 'tasks': []")));
        QVERIFY(trace);
        QCOMPARE(trace->counters().size(), std::size_t{1});
        QCOMPARE(trace->counters()[0].timeNs.size(), std::size_t{2});
        QCOMPARE(trace->counters()[0].timeNs[1], std::int64_t{2500});
        QCOMPARE(trace->counters()[0].value[1], 7.0);
        QCOMPARE(trace->flows().size(), std::size_t{1});
        QVERIFY(trace->flows().links()[0].to == rowOf(*trace, "b"));
    }
    void tensorFlow1_streamsAreCountedOnce() {
        const std::string gpu = "/job:localhost/replica:0/task:0/device:GPU:1";
        const std::string cat = ",'cat':'Op'";
        const std::string all =
            named("process_name", 1, 0, gpu + "/stream:all Compute") + row("MatMul all", 1, 0, 1, cat);
        const auto both = jsonTrace(objectForm(
            q(named("process_name", 2, 0, gpu + "/stream:7 Compute") + all + row("MatMul", 2, 0, 1, cat) +
              row("MEMCPYHtoD", 2, 0, 5, cat) +
              named("process_name", 3, 0, "/job:localhost/replica:0/task:0/device:CPU:0 Compute") +
              row("on host", 3, 0, 1, cat) +
              "{'ph':'N','name':'t','id':1,'pid':3,'ts':1},"
              "{'ph':'O','name':'t','id':1,'pid':3,'ts':2},{'ph':'D','name':'t','id':1,'pid':3,'ts':3}")));
        QVERIFY(both);
        QCOMPARE(place(*both, "MatMul"), std::string("kernel gpu_stream 1/7"));
        QCOMPARE(place(*both, "MEMCPYHtoD"), std::string("memcpy gpu_stream 1/7"));
        QCOMPARE(place(*both, "MatMul all"), std::string("range range"));
        QCOMPARE(place(*both, "on host"), std::string("other cpu_thread"));
        QCOMPARE(both->report().kept(EventKind::Instant), std::uint64_t{3});
        const auto alone = jsonTrace(objectForm(q(all + "{}")));
        QVERIFY(alone);
        QCOMPARE(place(*alone, "MatMul all"), std::string("kernel gpu_stream 1/0"));
    }
    void rocmProfileData_textNumbers_andArrows() {
        const auto trace = jsonTrace(q(
            "[ {},\n{'name':'process_name','ph':'M','pid':'2','args':{'name':'GPU2'}},"
            "{'name':'thread_name','ph':'M','pid':'900','tid':'900','args':{'name':'Hip 900'}},"
            "{'pid':'2','tid':'0','name':'CopyHostToDevice','ts':'50','dur':'9','ph':'X','args':{'desc':''}},"
            "{'pid':'2','tid':'0','name':'KernelExecution','ts':'60','dur':'9','ph':'X'},"
            "{'pid':'900','tid':'900','name':'hipMemcpy','ts':'10','dur':'5','ph':'X'},"
            "{'pid':'900','tid':'900','cat':'api_op','name':'api_op','ts':'10','id':'1','ph':'s'},"
            "{'pid':'2','tid':'0','cat':'api_op','name':'api_op','ts':'50','id':'1','ph':'f','bp':'e'}]"));
        QVERIFY(trace);
        QCOMPARE(place(*trace, "CopyHostToDevice"), std::string("memcpy gpu_stream 2/0"));
        QCOMPARE(place(*trace, "KernelExecution"), std::string("kernel gpu_stream 2/0"));
        QCOMPARE(place(*trace, "hipMemcpy"), std::string("runtime cuda_api"));
        QCOMPARE(trace->flows().size(), std::size_t{1});
        QVERIFY(trace->flows().links()[0].from == rowOf(*trace, "hipMemcpy"));
        QVERIFY(trace->flows().links()[0].to == rowOf(*trace, "CopyHostToDevice"));
    }
    void processNamedGpu_withoutHip_isNoDevice() {
        const auto trace =
            jsonTrace(objectForm(q(named("process_name", 2, 0, "GPU2") + row("draw", 2, 1, 1) + "{}")));
        QVERIFY(trace);
        QCOMPARE(place(*trace, "draw"), std::string("other cpu_thread"));
    }
    void nsys2json_lanesAreInTheIds() {
        const auto trace = jsonTrace(q(
            "[{'name':'gemm','ph':'X','cat':'cuda','ts':9.0,'dur':2.0,'tid':'Stream 7','pid':'Device "
            "1','args':{}},"
            "{'name':'cudaLaunchKernel','ph':'X','cat':'cuda_api','ts':1.0,'dur':2.0,'tid':'CUDA API Thread "
            "3','pid':"
            "'Device 1','args':{'correlationId':5}},"
            "{'name':'step','ph':'X','cat':'nvtx','ts':1.0,'dur':2.0,'tid':'NVTX Thread 3','pid':'Device 1'},"
            "{'name':'step on gpu','ph':'X','cat':'nvtx-kernel','ts':9.0,'dur':2.0,'tid':'NVTX Kernel Thread "
            "3','pid':"
            "'Device 1'},{'name':'other','ph':'X','cat':'cuda','ts':9.0,'dur':2.0,'tid':4,'pid':5}]"));
        QVERIFY(trace);
        QCOMPARE(place(*trace, "gemm"), std::string("kernel gpu_stream 1/7"));
        QCOMPARE(place(*trace, "cudaLaunchKernel"), std::string("runtime cuda_api"));
        QCOMPARE(place(*trace, "step"), std::string("range range"));
        QCOMPARE(place(*trace, "step on gpu"), std::string("range range"));
        QCOMPARE(place(*trace, "other"), std::string("other cpu_thread"));
    }
    void proton_oneObjectPerLine() {
        const auto trace = jsonTrace(q("{'displayTimeUnit':'us','traceEvents':[{'name':'add','cat':'kernel','"
                                       "ph':'X','ts':1,'dur':2,'tid':3,"
                                       "'args':{'call_stack':['main','add']}}]}\n"
                                       "{'displayTimeUnit':'us','traceEvents':[{'name':'mul','cat':'kernel','"
                                       "ph':'X','ts':2,'dur':2,'tid':4}]}\n"));
        QVERIFY(trace);
        QCOMPARE(place(*trace, "add"), std::string("kernel gpu_stream 0/3"));
        QCOMPARE(place(*trace, "mul"), std::string("kernel gpu_stream 0/4"));
    }
    void ncclPlugin_bareWordsAndNoEnd() {
        const auto trace = jsonTrace(
            q("[{'name':'AllReduce','cat':'COLL','ph':'b','id':1,'pid':0x262ca50,'tid':1,'ts':1.0,'args':{'"
              "type':"
              "ncclFloat32,'count':8}},\n{'name':'Send','cat':'COLL','ph':'b','id':1,'pid':0x262ca50,'tid':1,"
              "'ts':2.0},\n"
              "{'name':'AllReduce','cat':'COLL','ph':'e','id':1,'pid':0x262ca50,'tid':1,'ts':5.0},\n"
              "{'name':'Send','cat':'COLL','ph':'e','id':1,'pid':0x262ca50,'tid':1,'ts':7.0},\n"));
        QVERIFY(trace);
        QCOMPARE(range(*trace, "AllReduce"), std::string("0..4000"));
        QCOMPARE(range(*trace, "Send"), std::string("1000..6000"));
        QCOMPARE(trace->report().rowsDropped(), std::uint64_t{0});
    }
    void autogradProfiler_keepsItsArrows() {
        const auto trace = jsonTrace(
            q("[{'name':'add','ph':'X','ts':1,'dur':5,'tid':1,'pid':'CPU functions','args':{}},"
              "{'name':'add','ph':'s','ts':1,'tid':1,'pid':'CPU "
              "functions','id':3,'cat':'cpu_to_cuda','args':{}},"
              "{'name':'add','ph':'f','ts':9,'tid':0,'pid':'CUDA "
              "functions','id':3,'cat':'cpu_to_cuda','args':{}},"
              "{'name':'add_kernel','ph':'X','ts':9,'dur':5,'tid':0,'pid':'CUDA functions','args':{}}]"));
        QVERIFY(trace);
        QCOMPARE(place(*trace, "add_kernel"), std::string("other cpu_thread"));
        QCOMPARE(trace->flows().size(), std::size_t{1});
        QVERIFY(trace->flows().links()[0].to == rowOf(*trace, "add_kernel"));
    }
    void viztracer_framesArePython() {
        const auto trace = jsonTrace(
            objectForm(q("{'ph':'X','cat':'fee','name':'main (a.py:1)','pid':7,'tid':7,'ts':1,'dur':5}"),
                       q("'viztracer_metadata': {'version': '1.0.0', 'overflow': false}")));
        QVERIFY(trace);
        QCOMPARE(place(*trace, "main (a.py:1)"), std::string("python python"));
        QCOMPARE(trace->facts().writer, std::string("viztracer 1.0.0"));
    }
    void stackFrames_areResolvedInTheDetails() {
        auto loaded =
            loadText(q("{'traceEvents':[{'ph':'X','name':'a','ts':1,'dur':1,'sf':7},"
                       "{'ph':'X','name':'b','ts':5,'dur':1,'sf':99}],"
                       "'stackFrames':{'5':{'name':'main','category':'c'},'7':{'name':'f','parent':'5'}}}"));
        QVERIFY(loaded);
        const auto a = loaded->details->read({loaded->trace->events().source[0]});
        QVERIFY(a);
        QCOMPARE(a->fields.back().first, std::string("stack at start"));
        QCOMPARE(a->fields.back().second, std::string("f; main"));
        const auto b = loaded->details->read({loaded->trace->events().source[1]});
        QVERIFY(b);
        QCOMPARE(b->fields.back().first, std::string("sf"));
    }
    void stackFrames_ofALargeFile_areNotLookedUp() {
        const std::string text = q("{'traceEvents':[{'ph':'X','name':'a','ts':1,'dur':1,'sf':7}],'"
                                   "stackFrames':{'7':{'name':'f'}},") +
                                 "\"blank\":" + std::string(std::size_t{64} << 20, ' ') + "0}";
        auto loaded = loadText(text);
        QVERIFY(loaded);
        const auto a = loaded->details->read({loaded->trace->events().source[0]});
        QVERIFY(a);
        QCOMPARE(a->fields.back().second, std::string("not looked up in a file of this size"));
    }
    void hostRowWithoutDuration_lastsToTheEnd() {
        const auto trace =
            jsonTrace(objectForm(q("{'ph':'X','name':'open','ts':1},{'ph':'X','name':'a','ts':5,'dur':4},"
                                   "{'ph':'X','cat':'kernel','name':'k','ts':5}")));
        QVERIFY(trace);
        QCOMPARE(range(*trace, "open"), std::string("0..8000"));
        QCOMPARE(trace->report().find("unfinished")->count, std::uint64_t{1});
        QCOMPARE(trace->report().find("missing_duration")->count, std::uint64_t{1});
    }
};
LACUNA_TEST(TstChromeProducers, "tst_chrome_producers")

} // namespace tst_chrome_producers

#include "tst_chrome_producers.moc"
