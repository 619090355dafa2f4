#!/usr/bin/env python3
"""Every figure of the loader in one command, beside its limits and peers.

  tests/bench/run.py [--events 1000000,10000000] [--runs 5] [--work DIR] [--build build/release]
                     [--generator PATH] [--only load,memory,...]

Generates traces with the generator (kept in --work between runs), runs Lacuna and each measuring stick in turn
(A B A B ...) on the same file, and prints Markdown tables: medians, and the median of the ratios pair by pair.
Compare ratios, not seconds: machines are shared. Needs the benchmarks built: cmake -DLACUNA_SLOW_TESTS=ON.
"""

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.dirname(os.path.abspath(__file__))


class Run:
    """One finished process: wall and CPU seconds, peak memory, what it printed."""

    def __init__(self, command, stdin=None):
        start = time.monotonic()
        with open(stdin or os.devnull, "rb") as source:
            process = subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.out = process.stdout.read()
            self.err = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
        self.wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit("%s: exit %d\n%s" % (" ".join(command), process.returncode, self.err.decode()[-2000:]))
        self.cpu = usage.ru_utime + usage.ru_stime
        self.rss = usage.ru_maxrss * 1024


def median(values):
    return statistics.median(values)


def table(title, header, rows):
    print("\n### %s\n" % title)
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)


class Bench:
    def __init__(self, options):
        self.options = options
        self.lacuna = os.path.join(options.build, "app/lacuna")
        self.tests = os.path.join(options.build, "tests")
        os.makedirs(options.work, exist_ok=True)

    def path(self, name):
        return os.path.join(self.options.work, name)

    def generated(self, form, events):
        name = "k%d.json" % events if form == "kineto" else "n%d.sqlite" % events
        path, truth = self.path(name), self.path(name + ".truth")
        if not os.path.exists(path) or not os.path.exists(truth):
            print("generating", name, file=sys.stderr)
            subprocess.run(["python3", self.options.generator, "--format", form, "--events", str(events), "--seed", "1",
                            "--out", path, "--truth", truth], check=True, stderr=subprocess.DEVNULL)
        return path

    def packed(self, path):
        if not os.path.exists(path + ".gz"):
            print("packing", os.path.basename(path), file=sys.stderr)
            with open(path + ".gz.part", "wb") as out:
                subprocess.run(["gzip", "-6", "-c", path], check=True, stdout=out)
            os.rename(path + ".gz.part", path + ".gz")
        return path + ".gz"

    def bench(self, path, *more):
        run = Run([self.lacuna, "bench", path, "--format", "json", *more])
        run.json = json.loads(run.out)
        return run

    def paired(self, first, second):
        """Medians of both and of their ratio, run in turn; the first pair warms the caches and does not count."""
        pairs = []
        for i in range(self.options.runs + 1):
            pair = (first(), second())
            if i > 0:
                pairs.append(pair)
        ratio = median([a / b for a, b in pairs])
        return median([a for a, _ in pairs]), median([b for _, b in pairs]), ratio

    def wanted(self, name):
        return not self.options.only or name in self.options.only

    # --- what is measured

    def json_open(self):
        rows = []
        for events in self.options.events:
            path = self.generated("kineto", events)
            stick = os.path.join(self.tests, "simdjson_ondemand")
            if os.path.exists(stick):
                a, b, ratio = self.paired(lambda: Run([self.lacuna, "bench", path]).wall,
                                          lambda: Run([stick, path]).wall)
                rows.append(["2", "%d events: open / On-Demand, wall" % events, "%.2f / %.2f s" % (a, b),
                             "%.2f" % ratio, "<= 1.0"])
            gz = self.packed(path)
            a, b, ratio = self.paired(lambda: self.bench(gz).json["load_s"], lambda: self.bench(path).json["load_s"])
            rows.append(["5", "%d events: .json.gz / .json" % events, "%.2f / %.2f s" % (a, b), "%.2f" % ratio,
                         "<= 1.2"])
            if events <= 1000000:
                for peer, command in (("JSON.parse", self.node(path)), ("json.load", self.python(path))):
                    if command:
                        a, b, ratio = self.paired(lambda: Run([self.lacuna, "bench", path]).wall,
                                                  lambda: Run(command).wall)
                        rows.append(["4", "%d events: %s / open, wall" % (events, peer), "%.2f / %.2f s" % (b, a),
                                     "%.1f" % (1 / ratio), ">= 8" if peer == "JSON.parse" else ""])
        events = 5000000
        if max(self.options.events) >= events:
            path = self.generated("kineto", events)
            wall = median([Run([self.lacuna, "bench", path]).wall for _ in range(self.options.runs)])
            rows.append(["3", "%d events, 1.4 GB, wall" % events, "%.2f s" % wall, "", "<= 4 s"])
        table("Opening Chrome JSON", ["goal", "what", "medians", "ratio", "must"], rows)

    @staticmethod
    def node(path):
        if not shutil.which("node"):
            return None
        script = ("const fs=require('fs');const t=JSON.parse(fs.readFileSync(process.argv[1],'utf8')).traceEvents;"
                  "const g=new Map();for(const e of t){const k=e.pid+'/'+e.tid;if(!g.has(k))g.set(k,[]);"
                  "g.get(k).push(e);}for(const l of g.values())l.sort((a,b)=>a.ts-b.ts);console.log(t.length)")
        return ["node", "--max-old-space-size=8000", "-e", script, path]

    @staticmethod
    def python(path):
        return ["python3", "-c", "import json,sys;print(len(json.load(open(sys.argv[1]))['traceEvents']))", path]

    def sqlite_open(self):
        rows = []
        for events in self.options.events:
            path = self.generated("nsys", events)
            scan = os.path.join(self.tests, "sqlite_scan")
            if os.path.exists(scan):
                a, b, ratio = self.paired(lambda: self.bench(path).json["load_s"], lambda: Run([scan, path]).wall)
                rows.append(["7", "%d rows: open / bare scan" % events, "%.2f / %.2f s" % (a, b), "%.2f" % ratio,
                             "<= 1.5"])
            questions = os.path.join(HERE, "nsys_questions.sql")
            if os.path.exists(questions) and shutil.which("sqlite3") and events <= 1000000:
                a, b, ratio = self.paired(
                    lambda: self.bench(path).json["load_s"],
                    lambda: Run(["sqlite3", "-readonly", path], stdin=questions).cpu)
                rows.append(["8", "%d rows: SQL / open" % events, "%.2f / %.2f s" % (b, a), "%.1f" % (1 / ratio),
                             ">= 8"])
        table("Opening Nsight Systems exports", ["goal", "what", "medians", "ratio", "must"], rows)

    def real_files(self):
        folder = os.path.join(os.path.dirname(os.path.dirname(self.options.generator)), "traces/captured")
        rows = []
        for name in ("torch/transformer_train_12_steps.pt.trace.json.gz", "nsys/stall_400_repeats.sqlite.gz"):
            path = os.path.join(folder, name)
            if not os.path.exists(path):
                continue
            runs = [self.bench(path) for _ in range(self.options.runs)]
            result = runs[0].json
            rows.append([name, result["events"], "%.2f" % median([r.json["load_s"] for r in runs]),
                         "%.3f" % median([r.json["attribute_s"] for r in runs]), result["gaps"],
                         "%.0f MiB" % (median([r.json["peak_rss_bytes"] for r in runs]) / 2**20)])
        table("Recorded traces", ["file", "rows", "open s", "attribution s", "gaps", "peak RSS"], rows)

    def memory(self):
        empty = self.bench(os.path.join(ROOT, "tests/fixtures/micro/M1.json")).json["peak_rss_bytes"]
        rows = []
        for form in ("kineto", "nsys"):
            for events in self.options.events:
                path = self.generated(form, events)
                peak = self.bench(path).json["peak_rss_bytes"] - empty
                rows.append(["6", os.path.basename(path), "%.1f MiB" % (peak / 2**20), "%.0f B/event" % (peak / events),
                             "%.2f x file" % (peak / os.path.getsize(path)), "<= 80 B/event, <= 0.3 x file (JSON)"])
        table("Peak memory above that of a tiny trace (%.1f MiB)" % (empty / 2**20),
              ["goal", "file", "peak", "each", "of the file", "must"], rows)

    def attribution(self):
        rows = []
        for events in self.options.events:
            path = self.generated("kineto", events)
            with open(path + ".truth", encoding="utf-8") as file:
                truth = json.load(file)
            gaps = json.loads(Run([self.lacuna, "gaps", path, "--top", "1", "--format", "json"]).out)["devices"]
            difference = (sum(d["gaps"] for d in gaps) - truth["gaps"], sum(d["idle_ns"] for d in gaps) - truth["gap_ns"])
            runs = [self.bench(path).json["attribute_s"] for _ in range(self.options.runs)]
            # Flows and metadata are no records of host or device.
            summary = json.loads(Run([self.lacuna, "summary", path, "--format", "json"]).out)["rows"]["by_kind"]
            records = sum(n for kind, n in summary.items() if kind not in ("flow", "metadata", "instant", "counter"))
            rows.append(["9", os.path.basename(path), "%.3f s" % median(runs),
                         "%.3f s per million records" % (median(runs) * 1e6 / records), "<= 0.1"])
            rows.append(["10", os.path.basename(path), "gaps %+d, idle %+d ns" % difference, "", "0, 0"])
        table("Gap attribution", ["goal", "file", "what", "each", "must"], rows)

    def frames(self):
        rows = []
        for events in self.options.events:
            path = self.generated("kineto", events)
            runs = [self.bench(path, "--frames", "340").json["frames"] for _ in range(3)]
            rows.append(["12" if events <= 1000000 else "11", os.path.basename(path),
                         "%.2f ms" % median([r["median_ms"] for r in runs]),
                         "%.2f ms" % median([r["p99_ms"] for r in runs]),
                         "2 / 16.7" if events <= 1000000 else "6 / 33"])
        table("Frames, 1920x1080", ["goal", "file", "median", "p99", "must"], rows)

    def scaling(self):
        sizes = self.options.events
        if len(sizes) < 2:
            return
        rows = []
        phases = [("load", lambda j: j["load_s"], 1.05), ("index", lambda j: j["phases_s"]["index"], 1.05),
                  ("attribution", lambda j: j["attribute_s"], 1.25), ("memory", lambda j: j["peak_rss_bytes"], 1.0)]
        for form in ("kineto", "nsys"):
            results = []
            for events in (sizes[0], sizes[-1]):
                runs = [self.bench(self.generated(form, events)).json for _ in range(3)]
                results.append([median([pick(r) for r in runs]) for _, pick, _ in phases])
            for (name, _, must), small, large in zip(phases, *results):
                power = math.log(large / small) / math.log(sizes[-1] / sizes[0])
                rows.append(["17", "%s: %s" % (form, name), "%.2f" % power, "<= %.2f" % must])
        table("Scaling from %d to %d events (power of n)" % (sizes[0], sizes[-1]), ["goal", "what", "power", "must"],
              rows)

    def window(self):
        program = os.path.join(self.tests, "window_bench")
        if not os.path.exists(program):
            return
        rows = []
        for events in self.options.events:
            for path in (self.generated("kineto", events), self.generated("nsys", events)):
                out = Run([program, path]).out.decode().strip().splitlines()
                rows += [["14, 15", os.path.basename(path), line] for line in out]
        table("Window", ["goal", "file", "what"], rows)

    def run(self):
        for name in ("json_open", "sqlite_open", "real_files", "memory", "attribution", "frames", "scaling", "window"):
            if self.wanted(name):
                getattr(self, name)()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=lambda text: [int(n) for n in text.split(",")], default=[1000000, 10000000])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--work", default=os.path.join(ROOT, "build/bench"))
    parser.add_argument("--build", default=os.path.join(ROOT, "build/release"))
    parser.add_argument("--generator", default=os.path.join(os.path.dirname(ROOT), "shared/tools/gentrace.py"))
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    Bench(parser.parse_args()).run()


if __name__ == "__main__":
    main()
