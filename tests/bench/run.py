#!/usr/bin/env python3
"""Every figure of load, memory, attribution and drawing in one command, beside its limit and its peers.

  tests/bench/run.py [--events 1000000,10000000] [--runs 5] [--only memory,attribution] [--build DIR] [--work DIR]
                     [--shared DIR] [--peer "perfetto=trace_processor_shell -q empty.sql {file}"] ...

Configures and builds the programs in --build (build/bench), generates traces with the generator of the shared folder
(kept in --work between runs: 6 GB for 10 million events), runs Lacuna and each measuring stick in turn (A B A B ...)
on the same file, and prints one table: goal, must, measured, met. Medians, and the median of the ratios pair by pair.
Wall times count only on a quiet machine. Needs no network. Peers that are not in Debian are given as commands.
"""

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys

import programs
from figures import Figures, table
from programs import HERE, ROOT, Run

MIB = 2.0**20
# Of the document with the targets: how much longer than JSON.parse in node Perfetto's load takes, wall.
NODE_TO_PERFETTO = 6.47 / 6.7
PEERS = {"perfetto": (1, 8), "hta": (4, 75), "tracy": (4, 30)}


def median(values):
    return statistics.median(values)


def size_of(events):
    return "%g M" % (events / 1e6)


class Bench:
    def __init__(self, options):
        self.options = options
        self.lacuna = os.path.join(options.build, "app/lacuna")
        self.tests = os.path.join(options.build, "tests")
        self.files = programs.Files(options.work, os.path.join(options.shared, "tools/gentrace.py"))
        self.figures = Figures()
        self.recorded = []

    def bench(self, path, *more):
        run = Run([self.lacuna, "bench", path, "--format", "json", *more])
        run.json = json.loads(run.out)
        return run

    def open(self, path):
        """From exec to everything ready."""
        return Run([self.lacuna, "bench", path])

    def paired(self, first, second):
        """Medians of both and of their ratio, run in turn; the first pair warms the caches and does not count."""
        pairs = [(first(), second()) for _ in range(self.options.runs + 1)][1:]
        return (median([a for a, _ in pairs]), median([b for _, b in pairs]), median([a / b for a, b in pairs]))

    def load_seconds(self, path):
        return self.bench(path).json["load_s"]

    # --- what is measured, by goal

    def on_demand(self):
        stick = os.path.join(self.tests, "simdjson_ondemand")
        for events in self.options.events:
            if not os.path.exists(stick):
                self.figures.missing(2, size_of(events), "simdjson is not installed")
                continue
            path = self.files.generated("kineto", events)
            ours, theirs, ratio = self.paired(lambda: self.open(path).wall, lambda: Run([stick, path]).wall)
            self.figures.add(2, size_of(events) + ", ratio of wall", ratio, "<= 1.0", "%.2f",
                             "%.2f / %.2f s" % (ours, theirs))

    def five_million(self):
        if max(self.options.events) < 5000000:
            return self.figures.missing(3, "5 M", "--events has nothing so large")
        path = self.files.generated("kineto", 5000000)
        walls = [self.open(path).wall for _ in range(self.options.runs + 1)][1:]
        self.figures.add(3, "wall, s", median(walls), "<= 4")

    def compressed(self):
        for events in self.options.events:
            path = self.files.generated("kineto", events)
            gz = self.files.packed(path)
            ours, plain, ratio = self.paired(lambda: self.load_seconds(gz), lambda: self.load_seconds(path))
            self.figures.add(5, size_of(events) + ", ratio", ratio, "<= 1.2", "%.2f", "%.2f / %.2f s" % (ours, plain))

    def peers(self):
        events = self.options.events[0]
        path = self.files.generated("kineto", events)

        def faster(goal, name, must, command, factor=1.0):
            theirs, ours, ratio = self.paired(lambda: Run(command).wall, lambda: self.open(path).wall)
            self.figures.add(goal, "%s, %s, times faster" % (name, size_of(events)), factor * ratio, ">= %g" % must,
                             "%.1f", "%.2f / %.2f s" % (theirs, ours))

        given = dict(peer.split("=", 1) for peer in self.options.peer)
        for name, (goal, must) in PEERS.items():
            if name in given:
                faster(goal, name, must, [word.replace("{file}", path) for word in given[name].split()])
            else:
                self.figures.missing(goal, "%s, %s" % (name, size_of(events)), "no --peer %s=COMMAND" % name)
        if not programs.have("node"):
            return self.figures.missing(4, "JSON.parse", "node is not installed")
        script = ("const fs=require('fs');const t=JSON.parse(fs.readFileSync(process.argv[1],'utf8')).traceEvents;"
                  "const g=new Map();for(const e of t){const k=e.pid+'/'+e.tid;if(!g.has(k))g.set(k,[]);"
                  "g.get(k).push(e);}for(const l of g.values())l.sort((a,b)=>a.ts-b.ts);console.log(t.length)")
        command = ["node", "--max-old-space-size=8000", "-e", script, path]
        faster(4, "JSON.parse, group, sort", 8, command)
        if "perfetto" not in given:
            faster(1, "ESTIMATED from JSON.parse", 8, command, NODE_TO_PERFETTO)

    def sqlite(self):
        scan, questions = os.path.join(self.tests, "sqlite_scan"), os.path.join(HERE, "nsys_questions.sql")
        for events in self.options.events:
            path = self.files.generated("nsys", events)
            ours, bare, ratio = self.paired(lambda: self.load_seconds(path), lambda: Run([scan, path]).wall)
            self.figures.add(7, size_of(events) + ", ratio", ratio, "<= 1.5", "%.2f", "%.2f / %.2f s" % (ours, bare))
        path = self.files.generated("nsys", self.options.events[0])
        if not programs.have("sqlite3"):
            return self.figures.missing(8, size_of(self.options.events[0]), "sqlite3 is not installed")
        sql, ours, ratio = self.paired(lambda: Run(["sqlite3", "-readonly", path], questions).wall,
                                       lambda: self.open(path).wall)
        self.figures.add(8, size_of(self.options.events[0]) + ", times faster", ratio, ">= 8", "%.1f",
                         "%.2f / %.2f s" % (sql, ours))

    def memory(self):
        empty = self.bench(os.path.join(ROOT, "tests/fixtures/micro/M1.json")).json["peak_rss_bytes"]
        for form, name in (("kineto", "JSON"), ("nsys", "SQLite")):
            for events in self.options.events:
                path = self.files.generated(form, events)
                peak = self.bench(path).json["peak_rss_bytes"] - empty
                what = "%s, %s" % (name, size_of(events))
                self.figures.add(6, what + ", B/event", peak / events, "<= 80", "%.1f", "%.0f MiB" % (peak / MIB))
                if form == "kineto":
                    self.figures.add(6, what + ", of the file", peak / os.path.getsize(path), "<= 0.3")

    def records(self, path):
        """Rows of host and device: arrows and names are none."""
        kinds = json.loads(Run([self.lacuna, "summary", path, "--format", "json"]).out)["rows"]["by_kind"]
        return sum(n for kind, n in kinds.items() if kind not in ("flow", "metadata", "instant", "counter"))

    def attribution(self):
        for form, name in (("kineto", "JSON"), ("nsys", "SQLite")):
            for events in self.options.events:
                path = self.files.generated(form, events)
                seconds = median([self.bench(path).json["attribute_s"] for _ in range(self.options.runs)])
                self.figures.add(9, "%s, %s, s" % (name, size_of(events)), seconds * 1e6 / self.records(path), "<= 0.1",
                                 "%.3f", "%.3f s" % seconds)

    def exactness(self):
        small = self.options.events[0]
        for form, events, times in ([("kineto", n, "absolute") for n in self.options.events] +
                                    [("kineto", small, "relative"), ("nsys", small, "absolute")]):
            path = self.files.generated(form, events, times)
            with open(path + ".truth", encoding="utf-8") as file:
                truth = json.load(file)
            gaps = json.loads(Run([self.lacuna, "gaps", path, "--top", "1", "--format", "json"]).out)["devices"]
            wrong = (abs(sum(d["gaps"] for d in gaps) - truth["gaps"]) +
                     abs(sum(d["idle_ns"] for d in gaps) - truth["gap_ns"]))
            self.figures.add(10, "%s, %s ts, gaps and ns wrong" % (os.path.basename(path), times), wrong, "<= 0", "%d")

    def frames(self):
        for goal, events, limits in ((12, self.options.events[0], (2, 16.7)), (11, self.options.events[-1], (6, 33))):
            path = self.files.generated("kineto", events)
            runs = [self.bench(path, "--frames", "340").json["frames"] for _ in range(3)]
            for what, key, limit in (("median", "median_ms", limits[0]), ("p99", "p99_ms", limits[1])):
                self.figures.add(goal, "%s, %s, ms" % (size_of(events), what), median([r[key] for r in runs]),
                                 "<= %g" % limit, "%.1f")
        self.figures.missing(13, "", "by the tests tst_build_frame and tst_gap_painter")

    def window(self):
        for events in self.options.events:
            for form in ("kineto", "nsys"):
                path = self.files.generated(form, events)
                runs = [self.window_run(path) for _ in range(3)]
                name = os.path.basename(path)
                self.figures.add(14, name + ", empty window, s", median([r["empty"] for r in runs]), "<= 0.3")
                self.figures.add(14, name + ", first events, s", median([r["first"] for r in runs]), "<= 0.6")
                self.figures.add(15, name + ", ms", max(r["stall"] for r in runs), "<= 50", "%.1f",
                                 "%.1f ms of the processor" % max(r["cpu"] for r in runs))

    def window_run(self, path):
        """Seconds from exec; the file is opened when the window has stood for a while, which is taken off."""
        run = Run([os.path.join(self.tests, "window_bench"), path])

        def number(pattern):
            return float(re.search(pattern + r"\s+([0-9.]+)", run.out).group(1))

        begin = number("main.. began at") - run.start
        empty = begin + number("empty window painted") / 1000
        loading = (number("first events painted") - number(r"open.. called")) / 1000
        return {"empty": empty, "first": empty + loading, "stall": number("longest stall  "),
                "cpu": number("of the processor")}

    def index(self):
        events = self.options.events[-1]
        out = Run([os.path.join(self.tests, "build_frame_bench"), self.files.generated("kineto", events)]).out
        self.figures.add(16, size_of(events) + ", one thread, s",
                         float(re.search(r"strip indexes ([0-9.]+) ms", out).group(1)) / 1000, "<= 0.3", "%.3f")

    def scaling(self):
        sizes = self.options.events
        if len(sizes) < 2:
            return self.figures.missing(17, "", "--events has one size")
        load = os.path.join(self.tests, "load_once")
        limits = [("load", 1.05), ("index", 1.05), ("attribution", 1.25), ("memory", 1.0)]
        for form, name in (("kineto", "JSON"), ("nsys", "SQLite")):
            results = []
            for events in (sizes[0], sizes[-1]):
                path = self.files.generated(form, events)
                cpu = median([Run([load, path]).cpu for _ in range(3)])
                runs = [self.bench(path).json for _ in range(3)]
                results.append([cpu] + [median([pick(r) for r in runs])
                                        for pick in (lambda j: j["phases_s"]["index"], lambda j: j["attribute_s"],
                                                     lambda j: j["peak_rss_bytes"])])
            for (what, limit), small, large in zip(limits, *results):
                self.figures.add(17, "%s, %s" % (name, what), math.log(large / small) / math.log(sizes[-1] / sizes[0]),
                                 "<= %g" % limit)

    def instructions(self):
        if not programs.have("valgrind"):
            return self.figures.missing(18, "", "valgrind is not installed")
        out = subprocess.run(["sh", os.path.join(HERE, "instructions.sh"), os.path.join(self.tests, "load_once"),
                              self.files.generator], capture_output=True, text=True, check=False).stdout
        found = re.match(r"([0-9.]+) instructions", out)
        if not found:
            return self.figures.missing(18, "", out.strip()[-200:] or "callgrind failed")
        self.figures.add(18, "100 k", float(found.group(1)), "<= 14")

    def recordings(self):
        for name in ("torch/transformer_train_12_steps.pt.trace.json.gz", "nsys/stall_400_repeats.sqlite.gz"):
            path = os.path.join(self.options.shared, "traces/captured", name)
            if not os.path.exists(path):
                continue
            runs = [self.bench(path).json for _ in range(self.options.runs)]
            self.recorded.append([name, runs[0]["events"], "%.2f" % median([r["load_s"] for r in runs]),
                                  "%.3f" % median([r["attribute_s"] for r in runs]), runs[0]["gaps"],
                                  "%.0f MiB" % (median([r["peak_rss_bytes"] for r in runs]) / MIB)])

    PARTS = ("on_demand", "five_million", "compressed", "peers", "sqlite", "memory", "attribution", "exactness",
             "frames", "window", "index", "scaling", "instructions", "recordings")

    def run(self):
        failed = []
        for part in self.PARTS:
            if self.options.only and part not in self.options.only:
                continue
            print(part, file=sys.stderr, flush=True)
            try:
                getattr(self, part)()
            except (programs.Failed, subprocess.CalledProcessError) as reason: # the others are worth having
                print(reason, file=sys.stderr, flush=True)
                failed.append(part)
        if self.recorded:
            table("Recorded traces", ["file", "rows", "open s", "attribution s", "gaps", "peak RSS"], self.recorded)
        self.figures.print()
        if failed:
            sys.exit("failed: " + ", ".join(failed))


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=lambda text: [int(n) for n in text.split(",")], default=[1000000, 10000000])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--work", default=os.path.join(ROOT, "build/bench-traces"))
    parser.add_argument("--build", default=os.path.join(ROOT, "build/bench"))
    parser.add_argument("--no-build", action="store_true", help="the programs are there")
    parser.add_argument("--shared", default=programs.find_shared())
    parser.add_argument("--only", type=lambda text: text.split(","), default=[], help=", ".join(Bench.PARTS))
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND", help=", ".join(PEERS))
    options = parser.parse_args()
    unknown = set(options.only) - set(Bench.PARTS)
    if unknown:
        parser.error("no such part: " + ", ".join(sorted(unknown)))
    if options.shared is None:
        parser.error("the generator of traces is not here: --shared FOLDER, which holds tools/gentrace.py")
    options.build, options.work = os.path.abspath(options.build), os.path.abspath(options.work)
    return options


def main():
    options = parsed()
    if not options.no_build:
        programs.build(options.build)
    os.environ["LACUNA_CACHE"] = "off"
    print("%d cores, load average %.1f" % (os.cpu_count(), os.getloadavg()[0]))
    Bench(options).run()


if __name__ == "__main__":
    main()
