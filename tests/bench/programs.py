"""Programs and files of the benchmarks: built and generated where they are missing."""

import os
import shutil
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TARGETS = ["lacuna", "load_once", "sqlite_scan", "build_frame_bench", "window_bench"]


class Failed(Exception):
    """A program did not do what it was asked."""


class Run:
    """One finished process: wall and CPU seconds, when it began, what it printed."""

    def __init__(self, command, stdin=None):
        self.start = time.monotonic()
        with open(stdin or os.devnull, "rb") as source:
            process = subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.out, self.err = [text.decode(errors="replace") for text in read_all(process)]
        _, status, usage = os.wait4(process.pid, 0)
        self.wall = time.monotonic() - self.start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise Failed("%s: exit %d\n%s" % (" ".join(command), process.returncode, self.err[-2000:]))
        self.cpu = usage.ru_utime + usage.ru_stime


def read_all(process):
    """Both outputs, without waiting for the end: wait4() tells the use of the processor only once."""
    texts = [b"", b""]

    def read(place, stream):
        texts[place] = stream.read()

    readers = [threading.Thread(target=read, args=pair) for pair in enumerate((process.stdout, process.stderr))]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    return texts


def find_shared():
    """The folder with the generator and the recorded traces, beside the checkout or above it."""
    folder = ROOT
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        if os.path.exists(os.path.join(folder, "shared/tools/gentrace.py")):
            return os.path.join(folder, "shared")
    return None


def build(folder):
    """Configures and builds what the benchmarks run. Needs no network."""
    print("building in %s" % folder, file=sys.stderr, flush=True)
    subprocess.run(["cmake", "--preset", "release", "-B", folder, "-DLACUNA_SLOW_TESTS=ON"], cwd=ROOT, check=True,
                   stdout=sys.stderr)
    listed = subprocess.run(["cmake", "--build", folder, "--target", "help"], check=True, capture_output=True, text=True)
    targets = TARGETS + (["simdjson_ondemand"] if "simdjson_ondemand" in listed.stdout else [])
    subprocess.run(["cmake", "--build", folder, "--target", *targets], check=True, stdout=sys.stderr)


class Files:
    """Generated traces, kept between runs."""

    def __init__(self, folder, generator):
        self.folder = folder
        self.generator = generator
        os.makedirs(folder, exist_ok=True)

    def generated(self, form, events, times="absolute"):
        name = ("k%d%s.json" if form == "kineto" else "n%d%s.sqlite") % (events, "" if times == "absolute" else "r")
        path = os.path.join(self.folder, name)
        if not os.path.exists(path) or not os.path.exists(path + ".truth"):
            print("generating", name, file=sys.stderr, flush=True)
            part, truth = path + ".part", path + ".truth"
            if os.path.exists(part):
                os.remove(part)
            subprocess.run(["python3", self.generator, "--format", form, "--events", str(events), "--seed", "1", "--ts",
                            times, "--out", part, "--truth", truth], check=True, stderr=subprocess.DEVNULL)
            os.rename(part, path)
        return path

    def packed(self, path):
        if not os.path.exists(path + ".gz"):
            print("packing", os.path.basename(path), file=sys.stderr, flush=True)
            with open(path + ".gz.part", "wb") as out:
                subprocess.run(["gzip", "-6", "-c", path], check=True, stdout=out)
            os.rename(path + ".gz.part", path + ".gz")
        return path + ".gz"


def have(program):
    return shutil.which(program) is not None
