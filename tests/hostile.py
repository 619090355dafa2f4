#!/usr/bin/env python3
"""Hostile files against the built program: each must end with a message or a view of what is there, within a
time and with bounded memory. Files are made on the fly in a temporary folder.

    tests/hostile.py LACUNA [--full] [--only NAME]

Prints a table: input, exit code, seconds, peak MiB of its bound and the first words of the message. Exit code
1 when a run was killed, hung, crashed, needed more memory than its bound or left a file beside the input.
Without --full the sizes are those of seconds; the sizes of the issue need some GiB of disk and minutes.

The bounds: what is read as a stream, whatever its size, 100 MiB (the program itself has 25); a value that is kept
whole, as a string of 1 GB is not, 64 MiB more; rows and their names, lanes, threads and gaps, the bytes a row
that CASES gives.
"""
import argparse, gzip, os, resource, shutil, sqlite3, struct, subprocess, sys, tempfile, threading, time, zipfile

TIMEOUT = 300
KERNEL, RUNTIME = "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME"


def event(name, ts, tid=1):
    return '{"ph":"X","name":"%s","pid":1,"tid":%d,"ts":%d,"dur":1}' % (name, tid, ts)


def write_json(path, events, members=""):
    with open(path, "w", buffering=1 << 20) as f:
        f.write("{%s\"traceEvents\":[" % members)
        for i, e in enumerate(events):
            f.write(e if i == 0 else ",\n" + e)
        f.write("]}")


def long_string(path, full):
    with open(path, "wb", buffering=1 << 20) as f:
        f.write(b'{"traceEvents":[' + event("a", 1).encode() + b',{"ph":"X","name":"')
        for _ in range(1024 if full else 64):
            f.write(b"x" * (1 << 20))
        f.write(b'","pid":1,"tid":1,"ts":5,"dur":1},' + event("b", 9).encode() + b"]}")


def nesting(path, full):
    depth = 1_000_000 if full else 200_000
    with open(path, "w") as f:
        f.write('{"traceEvents":[' + event("a", 1) + ',{"ph":"X","name":"n","pid":1,"tid":1,"ts":5,"dur":1,"args":'
                + '{"x":[' * depth + "]}" * depth + "}," + event("b", 9) + "]}")


def nesting_outside(path, full):
    depth = 1_000_000 if full else 200_000
    with open(path, "w") as f:
        f.write('{"a":' + "[" * depth + "]" * depth + ',"traceEvents":[' + event("a", 1) + "]}")


def many_names(path, full):
    write_json(path, (event("n%d" % i, i * 2) for i in range(10_000_000 if full else 300_000)))


def many_lanes(path, full):
    write_json(path, (event("a", i, i) for i in range(1_000_000 if full else 50_000)))


def many_processes(path, full):
    n = 1_000_000 if full else 50_000
    write_json(path, ('{"ph":"X","name":"a","pid":%d,"tid":1,"ts":%d,"dur":1}' % (i, i) for i in range(n)))


def all_overlap(path, full):
    n = 1_000_000 if full else 50_000
    write_json(path, ('{"ph":"X","name":"a","pid":1,"tid":1,"ts":%d,"dur":%d}' % (i, 2 * n) for i in range(n)))


def one_correlation(path, full):
    n = 1_000_000 if full else 50_000
    write_json(path, ('{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":%d,"dur":1,"args":{"device":0,"stream":7,'
                      '"correlation":1}}' % (2 * i) for i in range(n)))


# A file of rows in whom one of the numbers grows with the file: what looks at all of them for each row would
# never end.
def rows_of(path, n, row):
    write_json(path, (e for i in range(n) for e in row(i)))


def kernel(i, begin, stream=7, device=0):
    return ('{"ph":"X","cat":"kernel","name":"k","pid":%d,"tid":%d,"ts":%d,"dur":1,"args":{"device":%d,"stream":%d,'
            '"correlation":%d}}' % (device, stream, begin, device, stream, i + 1))


def call(name, i, tid, begin, duration):
    return ('{"ph":"X","cat":"cuda_runtime","name":"%s","pid":1000000,"tid":%d,"ts":%d,"dur":%d,"args":{"correlation":'
            '%d}}' % (name, tid, begin, duration, i + 1))


def many_streams(path, full):
    rows_of(path, 200_000 if full else 10_000, lambda i: [kernel(i, 2 * i, stream=i)])


def many_devices(path, full):
    rows_of(path, 50_000 if full else 5_000, lambda i: [kernel(i, 2 * i, device=i)])


def many_launchers(path, full):
    rows_of(path, 200_000 if full else 10_000,
            lambda i: [call("cudaLaunchKernel", i, i, 4 * i, 1), kernel(i, 4 * i + 3)])


def nested_launches(path, full):
    n = 200_000 if full else 10_000
    rows_of(path, n, lambda i: [call("cudaLaunchKernel", i, 1, i, 8 * n - 2 * i), kernel(i, 2 * i)])


def waiting_threads(path, full):
    n = 100_000 if full else 5_000
    rows_of(path, n, lambda i: [call("cudaStreamSynchronize", i + n, i, 0, 4 * n - i), kernel(i, 2 * i),
                                call("cudaLaunchKernel", i, n, 2 * i - 1, 1)])


def overhead_rows(path, full):
    n = 200_000 if full else 10_000
    rows_of(path, n, lambda i: ['{"ph":"X","cat":"overhead","name":"Activity Buffer Request","pid":-1,"tid":0,"ts":0,'
                                '"dur":%d}' % (4 * n - i), kernel(i, 2 * i)])


def gzip_bomb(path, full):
    with gzip.open(path, "wb", 9) as f:
        f.write(b'{"traceEvents":[' + event("a", 1).encode() + b',')
        for _ in range(10_240 if full else 128):
            f.write(b" " * (1 << 20))
        f.write(event("b", 3).encode() + b"]}")


def zip_bomb(path, full):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        with z.open(zipfile.ZipInfo("trace.json"), "w", force_zip64=True) as f:
            f.write(b'{"traceEvents":[' + event("a", 1).encode() + b",")
            for _ in range(5_000 if full else 128):
                f.write(b" " * (1 << 20))
            f.write(event("b", 3).encode() + b"]}")


def zstd_bomb(path, full):
    if not shutil.which("zstd"):
        return False
    with open(path, "wb") as out:
        p = subprocess.Popen(["zstd", "-q", "-c"], stdin=subprocess.PIPE, stdout=out)
        p.stdin.write(b'{"traceEvents":[' + event("a", 1).encode() + b",")
        for _ in range(10_240 if full else 128):
            p.stdin.write(b" " * (1 << 20))
        p.stdin.write(event("b", 3).encode() + b"]}")
        p.stdin.close()
        p.wait()


def zstd_window(path, full):
    # A frame that wants 2 GiB of history: magic, descriptor without content size, window byte, one empty block.
    with open(path, "wb") as f:
        f.write(b"\x28\xb5\x2f\xfd" + b"\x00" + b"\xa8" + b"\x01\x00\x00")


def random_bytes(path, full):
    with open(path, "wb") as f:
        f.write(os.urandom(1 << 20))


def zeros(path, full):
    with open(path, "wb") as f:
        f.truncate((4 << 30) if full else (64 << 20))


def database(path, extra, rows=100):
    db = sqlite3.connect(path)
    db.executescript(f"""CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);
        CREATE TABLE {KERNEL}(start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, correlationId INTEGER,
            shortName INTEGER);
        CREATE TABLE {RUNTIME}(start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);
        INSERT INTO StringIds VALUES(1, 'k'), (2, 'cudaLaunchKernel');""")
    db.executemany(f"INSERT INTO {KERNEL} VALUES(?,?,0,7,?,1)", ((i * 10, i * 10 + 5, i) for i in range(1, rows)))
    db.executemany(f"INSERT INTO {RUNTIME} VALUES(?,?,281474993487972,?,2)",
                   ((i * 10 - 3, i * 10 - 1, i) for i in range(1, rows)))
    db.commit()
    if callable(extra):
        extra(db)
    else:
        db.executescript(extra)
    db.commit()
    db.close()


def sql_triggers(path, full):
    database(path, f"CREATE TRIGGER t AFTER INSERT ON {KERNEL} BEGIN DELETE FROM {RUNTIME}; END;")


def sql_views(path, full):
    database(path, f"""DROP TABLE {KERNEL}; CREATE VIEW {KERNEL} AS WITH RECURSIVE c(i) AS
        (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i AS start, i AS end, 0 AS deviceId, 7 AS streamId,
        i AS correlationId, 1 AS shortName FROM c;""")


def sql_virtual(path, full):
    def extra(db):
        try:
            db.executescript("CREATE VIRTUAL TABLE NVTX_EVENTS USING fts5(start, end, text);"
                             "INSERT INTO NVTX_EVENTS VALUES(1, 2, 'x');")
        except sqlite3.OperationalError:
            pass
    database(path, extra)


def sql_generated(path, full):
    database(path, f"""DROP TABLE {KERNEL}; CREATE TABLE {KERNEL}(start INTEGER, end INTEGER AS (start + 1),
        deviceId TEXT AS (hex(start)), streamId INTEGER, correlationId INTEGER, shortName INTEGER);
        INSERT INTO {KERNEL}(start, streamId, correlationId, shortName) VALUES(1, 7, 1, 1), (5, 7, 2, 1);""")


def sql_types(path, full):
    database(path, f"""INSERT INTO {KERNEL} VALUES('x', x'00', 1.5, NULL, 'y', 1e300), (NULL, 5, 0, 7, 9, 1),
        (9223372036854775807, -9223372036854775808, 0, 7, 9, 1), (1e18, 1e19, 0, 7, 9, 1);
        UPDATE StringIds SET value = x'ff00ff' WHERE id = 1; INSERT INTO StringIds VALUES(9, 1.5), (10, NULL);""")


def sql_blobs(path, full):
    size = 900_000_000 if full else 50_000_000
    database(path, f"""INSERT INTO StringIds VALUES(5, zeroblob({size}));
        INSERT INTO {KERNEL} VALUES(5000, 5005, 0, 7, 9, 5), (6000, zeroblob({size}), 0, 7, 9, 5);""")


def sql_columns(path, full):
    columns = ", ".join("c%d INTEGER" % i for i in range(1900))
    database(path, f"CREATE TABLE NVTX_EVENTS({columns}, start INTEGER, end INTEGER, text TEXT);"
                   "INSERT INTO NVTX_EVENTS(start, end, text) VALUES(1, 2, 'x');")


def sql_processes(path, full):
    n = 100_000 if full else 10_000
    database(path, lambda db: db.executemany(f"INSERT INTO {RUNTIME} VALUES(?,?,?,?,2)", (
        (10 * i, 10 * i + 5, (1 << 48) + (i << 24), 1000 + i) for i in range(n))))


def sql_domains(path, full):
    def extra(db):
        db.execute("CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, text TEXT, "
                   "globalTid INTEGER, domainId INTEGER)")
        db.executemany("INSERT INTO NVTX_EVENTS VALUES(?,?,59,'r',281474993487972,?)", (
            (i, i + 5, i) for i in range(100_000 if full else 10_000)))
    database(path, extra)


def sql_corrupt(path, full):
    database(path, "", 20_000)
    with open(path, "r+b") as f:
        size = os.path.getsize(path)
        for k in range(5, 60):
            f.seek(size * k // 60)
            f.write(os.urandom(512))


def sql_cycle(path, full):
    # Interior pages of a tree that point to one another.
    database(path, "", 20_000)
    with open(path, "r+b") as f:
        data = bytearray(f.read())
        for page in range(1, len(data) // 4096):
            if data[page * 4096] == 5:
                data[page * 4096 + 8:page * 4096 + 12] = struct.pack(">I", page + 1)
        f.seek(0)
        f.write(data)


def symlink_loop(path, full):
    os.symlink(path, path)


def run(command, env=None, limit=None):
    def prepare():
        if limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    start = time.monotonic()
    p = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env, preexec_fn=prepare)
    deadline, status, usage = start + TIMEOUT, None, None
    while time.monotonic() < deadline:
        pid, status, usage = os.wait4(p.pid, os.WNOHANG)
        if pid:
            break
        time.sleep(0.01)
    else:
        p.kill()
        os.wait4(p.pid, 0)
        return None, TIMEOUT, 0, "hangs"
    p.returncode = 0
    words = p.stderr.read().decode(errors="replace").replace("\r", "\n").strip().split("\n")
    code = os.waitstatus_to_exitcode(status)
    text = next((w for w in words if w.startswith("lacuna:")), "")
    return code, time.monotonic() - start, usage.ru_maxrss / 1024, text


def rows(small, full, each):  # bound of a file of so many rows, bytes each
    return 100 + small * each / 2**20, 100 + full * each / 2**20


STREAM = (100, 100)
# Name, extension, maker, bound of the peak in MiB for the small and the full size, exit codes that are right.
CASES = [
    ("string of 1 GB", "json", long_string, (164, 164), (0, 3, 4)),
    ("nesting of 10^6", "json", nesting, STREAM, (0, 3, 4)),
    ("nesting outside the events", "json", nesting_outside, STREAM, (0, 3, 4)),
    ("10^7 names", "json", many_names, rows(3e5, 1e7, 200), (0,)),
    ("10^6 lanes", "json", many_lanes, rows(5e4, 1e6, 1200), (0,)),
    ("10^6 processes", "json", many_processes, rows(5e4, 1e6, 1200), (0,)),
    ("10^6 rows at once", "json", all_overlap, rows(5e4, 1e6, 400), (0,)),
    ("10^6 rows of one launch", "json", one_correlation, rows(5e4, 1e6, 800), (0,)),
    ("2 10^5 streams", "json", many_streams, rows(1e4, 2e5, 2000), (0,)),
    ("5 10^4 devices", "json", many_devices, rows(5e3, 5e4, 5000), (0,)),
    ("2 10^5 threads that launch", "json", many_launchers, rows(2e4, 4e5, 1200), (0,)),
    ("2 10^5 nested launches", "json", nested_launches, rows(2e4, 4e5, 800), (0,)),
    ("10^5 threads that wait", "json", waiting_threads, rows(1.5e4, 3e5, 1200), (0,)),
    ("2 10^5 overhead rows at once", "json", overhead_rows, rows(2e4, 4e5, 800), (0,)),
    ("gzip bomb", "json.gz", gzip_bomb, STREAM, (0, 3, 4)),
    ("zip bomb", "zip", zip_bomb, STREAM, (0, 3, 4)),
    ("zstd bomb", "zst", zstd_bomb, STREAM, (0, 3, 4)),
    ("zstd with a window of 2 GiB", "zst", zstd_window, STREAM, (3,)),
    ("random bytes", "json", random_bytes, STREAM, (3,)),
    ("zeros", "json", zeros, STREAM, (3,)),
    ("SQLite: triggers", "sqlite", sql_triggers, STREAM, (0,)),
    ("SQLite: endless view", "sqlite", sql_views, STREAM, (0,)),
    ("SQLite: virtual table", "sqlite", sql_virtual, STREAM, (0,)),
    ("SQLite: generated columns", "sqlite", sql_generated, STREAM, (0, 4)),
    ("SQLite: wrong types", "sqlite", sql_types, STREAM, (0, 4)),
    ("SQLite: huge blobs", "sqlite", sql_blobs, (164, 164), (0, 3, 4)),
    ("SQLite: 1,900 columns", "sqlite", sql_columns, STREAM, (0,)),
    ("SQLite: 10^5 processes", "sqlite", sql_processes, rows(1e4, 1e5, 1500), (0,)),
    ("SQLite: 10^5 NVTX domains", "sqlite", sql_domains, rows(1e4, 1e5, 1500), (0,)),
    ("SQLite: corrupt pages", "sqlite", sql_corrupt, STREAM, (3, 4)),
    ("SQLite: pages in a circle", "sqlite", sql_cycle, STREAM, (0, 3, 4)),
    ("symlink to itself", "json", symlink_loop, STREAM, (3,)),
]


def shrinking(lacuna, folder, env):
    """A file that is cut while it is read, at several moments: the worst of the runs."""
    path = os.path.join(folder, "shrinks.json")
    worst = (0, 0.0, 0.0, "")
    for delay in (0.0, 0.02, 0.05, 0.1, 0.2):
        write_json(path, (event("a", i * 2) for i in range(400_000)))
        cut = threading.Timer(delay, os.truncate, (path, 1 << 20))
        cut.start()
        result = run([lacuna, "summary", path], env)
        cut.join()
        if result[0] not in (0, 3, 4):
            return result
        worst = max(worst, result, key=lambda r: r[0])
    return worst


def full_disk(lacuna, folder, env):
    """No room for the index cache: the verb's result does not change."""
    path = os.path.join(folder, "large.json")
    write_json(path, (event("x" * 900, i * 2) for i in range(11_000)))
    time.sleep(3.2)  # what was written just now is not kept
    env = dict(env, XDG_CACHE_HOME=os.path.join(folder, "cache"))
    env.pop("LACUNA_CACHE", None)
    result = run([lacuna, "summary", path], env, limit=4096)
    left = [os.path.join(d, f) for d, _, files in os.walk(os.path.join(folder, "cache")) for f in files]
    return result if not left else (None, 0, 0, "left " + left[0])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("lacuna")
    options.add_argument("--full", action="store_true", help="the sizes of the issue")
    options.add_argument("--only", default="", help="cases whose name holds this")
    args = options.parse_args()
    env = dict(os.environ, LACUNA_CACHE="off", QT_QPA_PLATFORM="offscreen")
    failed = 0

    def report(name, result, bound, codes):
        nonlocal failed
        code, seconds, peak, text = result
        good = code in codes and peak <= bound
        failed += not good
        print("%-30s %-6s exit %-5s %7.2f s %7.0f of %5d MiB  %s" % (
            name, "ok" if good else "FAILED", code, seconds, peak, bound, text[:110]), flush=True)

    folder = tempfile.mkdtemp(prefix="lacuna-hostile-")
    try:
        for name, extension, make, bounds, codes in CASES:
            if args.only not in name:
                continue
            path = os.path.join(folder, "trace." + extension)
            if make(path, args.full) is False:
                print("%-30s skipped: its tool is not here" % name)
                continue
            before = sorted(os.listdir(folder))
            result = run([args.lacuna, "gaps", path], env)
            if sorted(os.listdir(folder)) != before:
                result = (None, 0, 0, "left files beside the input")
            report(name, result, bounds[args.full], codes)
            os.unlink(path)
        if args.only in "file that shrinks":
            report("file that shrinks", shrinking(args.lacuna, folder, env), rows(0, 4e5, 300)[1], (0, 3, 4))
        if args.only in "full disk for the cache":
            report("full disk for the cache", full_disk(args.lacuna, folder, env), 100, (0,))
    finally:
        shutil.rmtree(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
