#!/usr/bin/env python3
"""Second opinion on tests/corpus.tsv: reads the traces with Python's standard library alone and compares.

    corpus_counts.py TABLE ROOT...       rows of the table whose file lies below one of the roots

For each file: rows read, kept and dropped, samples of counters, and by kind the rows kept, the rows drawn and
a checksum of (start, end, name). Times are exact decimals; the rules are read from the format descriptions, not
from the program. Prints every difference and ends with 1 when there is one that KNOWN does not explain.
"""
import collections
import decimal
import gzip
import hashlib
import json
import lzma
import os
import re
import sqlite3
import sys
import zipfile
import zlib

# (part of the file's name, kind or column) -> why the program is right to differ.
KNOWN = {}

WEEK = 7 * 24 * 3600 * 10**9
NO_TRACE = object()


class Number(str):
    """The text of a JSON number."""


class Count:
    def __init__(self):
        self.kept = collections.Counter()
        self.rows = []  # kind, begin, end, name
        self.dropped = 0
        self.samples = []  # times
        self.relative = True  # time zero is the smallest start

    def keep(self, kind, begin=None, end=None, name=None):
        self.kept[kind] += 1
        if begin is not None:
            self.rows.append([kind, begin, end, name])
            return self.rows[-1]

    def last(self):
        return max([r[2] for r in self.rows] + self.samples, default=None)

    def finish(self):
        zero = 0
        if self.relative:
            zero = min((r[1] for r in self.rows if r[0] not in ("instant", "async")), default=None)
            if zero is None:
                zero = min([r[1] for r in self.rows] + self.samples, default=0)
        drawn, sums = collections.Counter(), collections.Counter()
        for kind, begin, end, name in self.rows:
            text = f"{begin - zero}\t{end - zero}\t".encode() + name_bytes(name)
            drawn[kind] += 1
            sums[kind] += int.from_bytes(hashlib.sha256(text).digest()[:8], "little")
        drawn["counter"] = len(self.samples)
        kinds = {}
        for kind in self.kept:
            kinds[kind] = (self.kept[kind], drawn[kind], f"{sums[kind] % 2**64:016x}")
        return sum(self.kept.values()), self.dropped, kinds


def name_bytes(name):
    """Undecodable bytes as they were; halves of surrogate pairs are no characters."""
    return b"".join(
        c.encode("utf-8", "surrogateescape") if not 0xD800 <= ord(c) < 0xDC80 and not ord(c) > 0xDCFF
        or ord(c) < 0xD800 or ord(c) > 0xDFFF else "\ufffd".encode() for c in name)


# ---- Chrome JSON

CATEGORIES = {
    "cpu_op": "operator", "Operator": "operator", "python_function": "python", "kernel": "kernel",
    "Kernel": "kernel", "gpu_memcpy": "memcpy", "Memcpy": "memcpy", "gpu_memset": "memset", "Memset": "memset",
    "user_annotation": "range", "gpu_user_annotation": "gpu_range", "gpu_user_Annotation": "gpu_range",
    "User": "gpu_range", "cuda_profiler_range": "gpu_range", "cuda_sync": "sync", "cuda_event": "sync",
    "xpu_sync": "sync", "overhead": "overhead", "Runtime": "runtime", "cpu_instant_event": "instant",
}
ON_DEVICE = {"kernel", "memcpy", "memset", "gpu_range", "sync"}
MOMENTS = "iIRNODP"  # of objects and samples the time alone is drawn


def kind_of(cat):
    if not isinstance(cat, str):
        return "other"
    if cat in CATEGORIES:
        return CATEGORIES[cat]
    return "runtime" if cat.endswith("_runtime") else "driver" if cat.endswith("_driver") else "other"


def nanoseconds(value):
    """Microseconds, as a number or in quotes, to whole ns, half to even; None when it is no number."""
    if not isinstance(value, str):
        return None
    try:
        exact = decimal.Decimal(value)
    except decimal.InvalidOperation:
        return None
    if not exact.is_finite():
        return None
    return int((exact * 1000).quantize(decimal.Decimal(1), decimal.ROUND_HALF_EVEN))


def text_of(value):
    return value if isinstance(value, str) else "" if value is None else json.dumps(value)


class ChromeReader:
    def __init__(self):
        self.count = Count()
        self.pairs = collections.defaultdict(list)  # key -> marks
        self.memory = []
        self.unfinished = []  # rows without an end
        self.rpd_devices = set()

    def read(self, events):
        self.find_rpd_devices(events)
        for event in events:
            self.element(event)
        self.resolve()
        self.memory_curves()
        return self.count

    def find_rpd_devices(self, events):
        """rocmProfileData has no categories: it names devices "GPU2" and the threads that call "Hip 4711"."""
        named, calls = set(), False
        for event in events:
            args = event.get("args") if isinstance(event, dict) and event.get("ph") == "M" else None
            name = text_of(args.get("name")) if isinstance(args, dict) else ""
            if event.get("name") == "process_name" and re.fullmatch(r"GPU\d+", name):
                named.add(text_of(event.get("pid", "0")))
            calls = calls or event.get("name") == "thread_name" and name.startswith("Hip ")
        self.rpd_devices = named if calls else set()

    def kind(self, event):
        kind, name = kind_of(event.get("cat")), self.name(event)
        if kind != "other" or not self.rpd_devices:
            return kind
        if text_of(event.get("pid", "0")) in self.rpd_devices:
            return "memset" if name.startswith("FillBuffer") else \
                "memcpy" if re.match("Copy(Host|Device)To(Host|Device)", name) else "kernel"
        return "runtime" if re.match("hip[A-Z]", name) else "other"

    def drop(self):
        self.count.dropped += 1

    def element(self, event):
        if not isinstance(event, dict):
            return self.drop()
        if not event:
            return self.count.keep("metadata")
        ph = event.get("ph")
        if not isinstance(ph, str) or len(ph) != 1:
            return self.drop()
        if ph == "X" or (ph == "T" and "dur" in event):
            return self.complete(event)
        if ph in "stf":
            return self.count.keep("flow")
        if ph == "M":
            return self.count.keep("metadata")
        if ph not in "BECbneSTpF" + MOMENTS:
            return self.drop()  # memory dumps, clock and context marks, and what nobody knows
        at = nanoseconds(event.get("ts"))
        if at is None:
            return self.drop()
        name = event.get("name")
        if ph in "nTp" + MOMENTS:
            self.count.keep("instant", at, at, self.name(event))
            if ph in MOMENTS and name in ("[memory]", "[OutOfMemory]"):
                self.memory.append((at, event))
        elif ph == "C":
            self.counter(at, event)
        else:
            self.mark(ph, at, event)

    def name(self, event):
        name = event.get("name")
        return "[no name]" if name is None else text_of(name)

    def complete(self, event):
        begin, length = nanoseconds(event.get("ts")), nanoseconds(event.get("dur"))
        kind = self.kind(event)
        open_ = length is None and kind not in ON_DEVICE  # a host row; nobody guesses the end of device work
        length = 0 if open_ else length
        if begin is None or length is None or length < 0 or length > WEEK:
            return self.drop()
        if begin == 0 and (kind == "sync" or (length == 0 and kind in ("kernel", "memcpy", "memset"))):
            return self.drop()
        name = self.name(event)
        if kind == "operator" and name.startswith(("ProfilerStep#", "ProfilerStep #")):
            kind = "range"
        row = self.count.keep(kind, begin, begin + length, name)
        if open_:
            self.unfinished.append(row)

    def counter(self, at, event):
        args = event.get("args")
        numbers = 0
        for value in args.values() if isinstance(args, dict) else ():
            try:
                float(value if isinstance(value, str) else "no")
                numbers += 1
            except ValueError:
                pass
        if numbers == 0:
            return self.drop()
        self.count.keep("counter")
        self.count.samples += [at] * numbers

    def mark(self, ph, at, event):
        pid = text_of(event.get("pid", "0"))
        if ph in "BE":
            kind = kind_of(event.get("cat"))
            key = ("thread", pid, text_of(event.get("tid", pid)))
            kind = "other" if kind in ON_DEVICE else kind
        else:
            kind = "async"
            own = text_of(event.get("scope")) if ph in "be" else text_of(event.get("name"))
            id2 = event.get("id2")
            local = (json.dumps(id2), pid if "local" in id2 else "") if isinstance(id2, dict) else ()
            key = (text_of(event.get("cat")), own, text_of(event.get("id")), local, ph in "be")
        name = event.get("name")
        self.pairs[key].append((at, ph in "BbS", None if name is None else text_of(name), kind))

    def resolve(self):
        """An end closes the innermost begin; of operations, the innermost begin that it names and no other. At
        one moment an end that names an earlier slice goes first."""
        marks = [m[0] for list_ in self.pairs.values() for m in list_]
        last = max([t for t in [self.count.last()] if t is not None] + marks, default=0)
        for row in self.unfinished:
            row[2] = last
        for marks in self.pairs.values():
            marks.sort(key=lambda m: m[0])
            opened, at = [], 0
            while at < len(marks):
                group = [m for m in marks[at:] if m[0] == marks[at][0]] if at + 1 < len(marks) and \
                    marks[at + 1][0] == marks[at][0] else [marks[at]]
                at += len(group)
                begun, rest = set(), []
                for mark in group:
                    _, is_begin, name, _ = mark
                    if is_begin:
                        begun.add(name)
                    elif opened and name is not None and opened[-1][2] == name and name not in begun:
                        self.close(opened.pop(), mark)
                        continue
                    rest.append(mark)
                for mark in rest:
                    if mark[1]:
                        opened.append(mark)
                    else:
                        fits = [i for i, begin in enumerate(opened) if mark[3] != "async" or
                                mark[2] is None or begin[2] in (mark[2], None)]
                        if fits:
                            self.close(opened.pop(fits[-1]), mark)
                        else:
                            self.drop()
            for begin in opened:
                self.count.keep(begin[3], begin[0], max(begin[0], last), begin[2] or "[no name]")

    def close(self, begin, end):
        name = begin[2] if begin[2] is not None else end[2]
        self.count.keep(begin[3], begin[0], end[0], "[no name]" if name is None else name)
        self.count.keep(begin[3])  # the end is a row as well

    def memory_curves(self):
        """Samples that memory marks give: the totals where some are not 0, else the sum of changes."""
        owners = collections.defaultdict(list)
        for at, event in self.memory:
            args = event.get("args")
            if not isinstance(args, dict) or "Bytes" not in args:
                continue
            key = (text_of(event.get("pid")), args.get("Device Type", "0"), args.get("Device Id", "-1"))
            owners[key].append((at, args))
        for marks in owners.values():
            has = {k: any(int(a.get(k, 0)) != 0 for _, a in marks) for k in ("Total Allocated", "Total Reserved")}
            for at, args in marks:
                given = sum(1 for key, used in has.items() if used and key in args)
                self.count.samples += [at] * (given + (0 if has["Total Allocated"] else 1))


def elements_of(text):
    """Elements of the event array, also of an array that ends early; None: no trace."""
    decoder = json.JSONDecoder(parse_float=Number, parse_int=Number, parse_constant=lambda _: None, strict=False)
    text = text.lstrip("\ufeff \t\r\n")
    try:
        root = decoder.raw_decode(text)[0]
    except json.JSONDecodeError:
        if not text.startswith("["):
            return None
        elements, at = [], 1
        while True:
            while at < len(text) and text[at] in " \t\r\n,":
                at += 1
            try:
                element, at = decoder.raw_decode(text, at)
            except json.JSONDecodeError:
                return elements
            elements.append(element)
    if isinstance(root, dict) and isinstance(root.get("traceEvents"), list):
        return root["traceEvents"]
    if isinstance(root, list) and any(isinstance(e, dict) and "ph" in e for e in root):
        return root
    return None


# ---- Nsight Systems

COPIES = ["Unknown", "Host-to-Device", "Device-to-Host", "Host-to-Array", "Array-to-Host", "Array-to-Array",
          "Array-to-Device", "Device-to-Array", "Device-to-Device", "Host-to-Host", "Peer-to-Peer",
          "Unified Host-to-Device", "Unified Device-to-Host", "Unified Device-to-Device"]
NONE_ID = 0xFFFFFFFF


class NsysReader:
    def __init__(self, path):
        self.db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        self.db.text_factory = lambda b: b.decode("utf-8", "surrogateescape")
        self.tables = [r[0] for r in self.db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        self.count = Count()
        self.count.relative = False
        self.strings = dict(self.db.execute("SELECT id, value FROM StringIds")) if "StringIds" in self.tables \
            else {}
        self.calls = {}  # (process, correlation) -> first call

    def rows(self, table, *columns):
        if table not in self.tables:
            return
        have = {r[1] for r in self.db.execute(f'PRAGMA table_info("{table}")')}
        wanted = ", ".join(f'"{c}"' if c in have else "NULL" for c in columns)
        yield from self.db.execute(f'SELECT {wanted} FROM "{table}" ORDER BY rowid')

    def has(self, table, column):
        return column in {r[1] for r in self.db.execute(f'PRAGMA table_info("{table}")')}

    def string(self, id_, other):
        return other if id_ is None else self.strings.get(id_, f"(string {id_} is missing)")

    def label(self, table, id_, other):
        if table in self.tables:
            for (label,) in self.db.execute(f"SELECT label FROM {table} WHERE id = ?", (id_,)):
                return label
        return other

    def bad(self, begin, end, on_device=False):
        sane = isinstance(begin, int) and isinstance(end, int) and abs(begin) < 2**61 and abs(end) < 2**61
        if sane and not (on_device and begin == 0) and begin <= end <= begin + WEEK:
            return False
        self.count.dropped += 1
        return True

    def read(self):
        count = self.count
        for begin, end, class_, tid, id_, name in self.rows(
                "CUPTI_ACTIVITY_KIND_RUNTIME", "start", "end", "eventClass", "globalTid", "correlationId",
                "nameId"):
            if self.bad(begin, end):
                continue
            kind = "driver" if class_ == 1 else "runtime"
            text = self.string(name, "(CUDA call without name)")
            count.keep(kind, begin, end, text)
            if tid is not None and id_:
                self.calls.setdefault((tid >> 24, id_), (begin, end, text))
        self.device_work()
        self.sync_rows()
        opened = self.ranges()
        self.os_runtime()
        self.schedule()
        self.samples()
        self.file_access()
        for table in ("CUPTI_ACTIVITY_KIND_OVERHEAD", "PROFILER_OVERHEAD"):
            for begin, end, name, type_ in self.rows(table, "start", "end", "nameId", "overheadType"):
                if not self.bad(begin, end):
                    other = self.label("ENUM_CUPTI_OVERHEAD_TYPE", type_ or 0, "Overhead")
                    count.keep("overhead", begin, end, self.string(name, other))
        self.library_calls()
        for table in ("CUDA_GRAPH_NODE_EVENTS", "CUDA_GRAPH_EVENTS"):
            for begin, end, name in self.rows(table, "start", "end", "nameId"):
                if not self.bad(begin, end):
                    count.keep("instant" if begin == end else "other", begin, end,
                               self.string(name, "(graph event without name)"))
        self.counters()
        last = count.last()
        for row in opened:
            row[2] = max(row[1], last)
        return count

    def device_work(self):
        for begin, end, long_, short in self.rows("CUPTI_ACTIVITY_KIND_KERNEL", "start", "end", "demangledName",
                                                  "shortName"):
            if not self.bad(begin, end, True):
                self.count.keep("kernel", begin, end,
                                self.string(long_ if long_ is not None else short, "(kernel without name)"))
        for begin, end, kind in self.rows("CUPTI_ACTIVITY_KIND_MEMCPY", "start", "end", "copyKind"):
            if not self.bad(begin, end, True):
                known = COPIES[kind] if 0 <= kind < len(COPIES) else f"kind {kind}"
                label = self.label("ENUM_CUDA_MEMCPY_OPER", kind, known)
                self.count.keep("memcpy", begin, end, f"[CUDA memcpy {label}]")
        for begin, end in self.rows("CUPTI_ACTIVITY_KIND_MEMSET", "start", "end"):
            if not self.bad(begin, end, True):
                self.count.keep("memset", begin, end, "[CUDA memset]")
        for begin, end, graph, exec_ in self.rows("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "start", "end", "graphId",
                                                  "graphExecId"):
            if not self.bad(begin, end, True):
                number = exec_ if exec_ is not None else graph
                self.count.keep("graph", begin, end,
                                "[CUDA graph]" if number is None else f"[CUDA graph {number}]")

    def sync_rows(self):
        for id_, pid in self.rows("CUPTI_ACTIVITY_KIND_CUDA_EVENT", "correlationId", "globalPid"):
            call = self.calls.get((pid >> 24, id_)) if pid is not None else None
            if call is None:
                self.count.dropped += 1
            else:
                self.count.keep("sync", call[1], call[1], "Event Record")
        table = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"
        told = self.has(table, "streamId") and self.has(table, "eventId")
        for begin, end, stream, event, id_, pid in self.rows(table, "start", "end", "streamId", "eventId",
                                                             "correlationId", "globalPid"):
            if self.bad(begin, end):
                continue
            call = self.calls.get((pid >> 24, id_)) if pid is not None else None
            query = call is not None and "Query" in call[2]
            on_stream = stream is not None and 0 <= stream != NONE_ID
            on_event = event is not None and 0 <= event != NONE_ID
            what = "Synchronisation" if not told else \
                "Stream Wait Event" if on_stream and on_event else \
                ("Stream" if on_stream else "Event") + (" Query" if query else " Sync") \
                if on_stream or on_event else "Context Sync"
            self.count.keep("sync", begin, end, what)

    def ranges(self):
        opened, categories, nameless = [], {}, []
        for begin, end, type_, tid, text, id_, domain, category in self.rows(
                "NVTX_EVENTS", "start", "end", "eventType", "globalTid", "text", "textId", "domainId",
                "category"):
            name = text if text is not None else self.string(id_, "(no name)")
            key = None if category is None else ((tid or 0) >> 24, domain or 0, category)
            row = None
            if type_ in (59, 60, 70, 71):
                if self.bad(begin, begin if end is None else end):
                    continue
                row = self.count.keep("range", begin, begin if end is None else end, name)
                if end is None:
                    opened.append(row)
            elif type_ in (34, 65):
                if self.bad(begin, begin):
                    continue
                row = self.count.keep("instant", begin, begin, name)
            elif type_ is None:
                self.count.dropped += 1
            else:
                self.count.keep("metadata")
                if type_ in (33, 64) and key is not None:
                    categories[key] = name
            if row is not None and text is None and id_ is None and key is not None:
                nameless.append((row, key))
        for row, key in nameless:
            row[3] = categories.get(key, row[3])
        return opened

    def os_runtime(self):
        for table in ("OSRT_API", "SYSCALL"):
            for begin, end, class_, name in self.rows(table, "start", "end", "eventClass", "nameId"):
                if self.bad(begin, end):
                    continue
                half = class_ in (31, 32)  # only the start or the end was caught
                self.count.keep("instant" if half else "os_runtime", begin, begin if half else end,
                                self.string(name, "(OS call without name)"))

    def schedule(self):
        """In to out by thread: the switch in is the slice, the switch out that ends it is no row of its own."""
        threads, times = collections.defaultdict(list), []
        for at, cpu, is_in, tid in self.rows("SCHED_EVENTS", "start", "cpu", "isSchedIn", "globalTid"):
            if self.bad(at, at):
                continue
            if is_in is None:
                self.count.dropped += 1
                continue
            threads[tid].append((at, "CPU" if cpu is None or cpu < 0 else f"CPU {cpu}", is_in))
            times.append(at)
        for switches in threads.values():
            switches.sort(key=lambda s: s[0])
            opened = None
            for number, (at, cpu, is_in) in enumerate(switches):
                if opened:
                    self.count.keep("other", opened[0], at, opened[1])
                    if not is_in:
                        self.count.keep("metadata")
                elif not is_in and number == 0:  # was on the CPU when the recording began
                    self.count.keep("other", min(times), at, cpu)
                elif not is_in:
                    self.count.keep("instant", at, at, cpu)
                opened = (at, cpu) if is_in else None
            if opened:
                self.count.keep("other", opened[0], max(times), opened[1])

    def samples(self):
        frames = {}
        for id_, symbol, depth in self.rows("SAMPLING_CALLCHAINS", "id", "symbol", "stackDepth"):
            if id_ not in frames or depth < frames[id_][0]:
                frames[id_] = (depth, symbol)
        for at, id_ in self.rows("COMPOSITE_EVENTS", "start", "id"):
            if not self.bad(at, at):
                _, symbol = frames.get(id_, (0, None))
                self.count.keep("instant", at, at, self.string(symbol, "(sample without stack)"))

    def file_access(self):
        for begin, end, call, type_ in self.rows("OSRT_FILE_ACCESS_EVENTS", "startedAt", "endedAt", "apiCallId",
                                                 "eventType"):
            if not self.bad(begin, end):
                label = self.label("ENUM_OSRT_FILE_ACCESS_EVENT_TYPE", type_, f"kind {type_}")
                self.count.keep("other", begin, end, self.string(call, f"file access, {label}"))

    def library_calls(self):
        for table in self.tables:
            is_operator = table in ("CUBLAS_EVENTS", "CUDNN_EVENTS")
            if not is_operator and not table.startswith((
                    "MPI_", "UCP_", "OPENMP_EVENT_KIND_", "CUPTI_ACTIVITY_KIND_OPENACC")) or \
                    table in ("MPI_RANKS", "MPI_COMMUNICATORS"):
                continue
            for begin, end, name, text in self.rows(table, "start", "end", "nameId", "textId"):
                if self.bad(begin, begin if end is None else end):
                    continue
                what = self.string(name if name is not None else text, table)
                if end is None:
                    self.count.keep("instant", begin, begin, what)
                else:
                    self.count.keep("operator" if is_operator else "other", begin, end, what)

    def counters(self):
        for at, bytes_, operation in self.rows("CUDA_GPU_MEMORY_USAGE_EVENTS", "start", "bytes",
                                               "memoryOperationType"):
            if at is None or bytes_ is None or bytes_ < 0 or operation is None:
                self.count.dropped += 1
                continue
            self.count.keep("counter")
            self.count.samples.append(at)
        for at, value in self.rows("GPU_METRICS", "timestamp", "value"):
            if at is None or at < 0 or value is None or value < 0:
                self.count.dropped += 1
                continue
            self.count.keep("counter")
            self.count.samples.append(at)
        for table in ("NET_NIC_METRIC", "NET_IB_SWITCH_METRIC"):
            for at, metric, value in self.rows(table, "start", "metricsIdx", "value"):
                if at is None or metric is None or value is None:
                    self.count.dropped += 1
                    continue
                self.count.keep("counter")
                self.count.samples.append(at)
        names = {type_: self.string(name, None) for type_, name in self.rows(
            "GENERIC_EVENT_TYPES", "typeId", "nameId")}
        for at, type_ in self.rows("GENERIC_EVENTS", "timestamp", "typeId"):
            if not self.bad(at, at):  # no file of the corpus has GPU metrics here
                self.count.keep("instant", at, at, names.get(type_) or f"event of type {type_}")


# ---- files

def unpacked(data):
    """(bytes, whether they are whole)"""
    if data[:2] == b"\x1f\x8b":
        out = b""
        while data[:2] == b"\x1f\x8b":
            one = zlib.decompressobj(31)
            out += one.decompress(data)
            data = one.unused_data
        return out
    if data[:6] == b"\xfd7zXZ\0":
        return lzma.decompress(data)
    return data


def count_file(path):
    with open(path, "rb") as file:
        data = file.read()
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            names = [n for n in archive.namelist() if not n.endswith("/")]
            data = archive.read(names[0]) if len(names) == 1 else b""
    data = unpacked(data)
    if data[:16] == b"SQLite format 3\0":
        if data[:100] != open(path, "rb").read(100):
            path = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"corpus_counts_{os.getpid()}.sqlite")
            with open(path, "wb") as file:
                file.write(data)
        try:
            return NsysReader(path).read()
        finally:
            if os.path.basename(path).startswith("corpus_counts_"):
                os.remove(path)
    elements = elements_of(data.decode("utf-8", "surrogateescape"))
    return NO_TRACE if elements is None else ChromeReader().read(elements)


def expected(line):
    file, result, read, kept, dropped, kinds = line.rstrip("\n").split("\t")[:6]
    by_kind = {}
    for part in kinds.split(";") if kinds else []:
        kind, numbers = part.split("=")
        rows, drawn, checksum = numbers.split(",")
        by_kind[kind] = (int(rows), int(drawn), checksum)
    return file, result, int(read), int(kept), int(dropped), by_kind


def differences(line, path):
    _, result, read, kept, dropped, kinds = expected(line)
    count = count_file(path)
    if count is NO_TRACE:
        return [] if result not in ("complete", "part") else [("result", result, "no trace")]
    own_kept, own_dropped, own = count.finish()
    found = []
    if result not in ("complete", "part"):
        return [] if not count.rows and not count.samples else [("result", result, "a trace")]
    for what, table, script in (("read", read, own_kept + own_dropped), ("kept", kept, own_kept),
                                ("dropped", dropped, own_dropped)):
        if table != script:
            found.append((what, table, script))
    for kind in sorted(set(kinds) | set(own)):
        if kinds.get(kind) != own.get(kind):
            found.append((kind, kinds.get(kind), own.get(kind)))
    return found


def main(table, roots):
    compared, open_ = 0, 0
    with open(table, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("#") or not line.strip():
                continue
            file = line.split("\t")[0]
            path = next((p for p in (os.path.join(r, file) for r in roots) if os.path.isfile(p)), None)
            if path is None:
                continue
            compared += 1
            for what, table_value, own in differences(line, path):
                why = next((w for (part, k), w in KNOWN.items() if part in file and k == what), None)
                open_ += why is None
                print(f"{file}: {what}: table {table_value}, script {own}" + (f" ({why})" if why else ""))
    print(f"{compared} files compared, {open_} differences unexplained")
    return 1 if open_ or not compared else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
