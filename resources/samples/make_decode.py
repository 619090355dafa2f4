#!/usr/bin/env python3
"""Writes decode_18ms.pt.trace.json.gz: an example that is made up, so that its figures are round.

A decode loop whose step takes 18.0 ms: 350 kernels and a copy of 7.0 ms in all, idle for 11.0 ms. Of those 6.10 ms pass
between kernels that are launched more slowly than they run, 0.88 ms in preparing the inputs, and 4.02 ms behind the
read of the sampled token (`.item()`): the call returns after 0.31 ms, sampling takes 3.61 ms more, and the next launch
0.10 ms. Equal bytes on every machine.
"""
import gzip
import json
import pathlib

STEPS, KERNELS = 12, 350
STEP = 18_000_000  # ns
KERNEL = 20_000  # the last one is as much shorter as the copy is long
COPY = 2_000
LAUNCH_TO_START = 100_000  # of the first kernel of a step
PREPARE_AFTER = 10  # kernels
PREPARE = 880_000
BETWEEN = 6_100_000  # sum of the other gaps between kernels
NAMES = [("aten::linear", "ampere_bf16_s16816gemm_bf16_128x64_ldg8_relu_f2f_stages_64x4_tn"),
         ("aten::mul", "void at::native::elementwise_kernel<128, 4, at::native::MulFunctor<float> >(int)"),
         ("aten::add", "void at::native::elementwise_kernel<128, 4, at::native::AddFunctor<float> >(int)"),
         ("aten::linear", "ampere_bf16_s16816gemm_bf16_64x64_ldg8_f2f_stages_64x5_tn"),
         ("aten::softmax", "void (anonymous namespace)::softmax_warp_forward<float, float, float, 7>(float*)"),
         ("aten::layer_norm", "void at::native::vectorized_layer_norm_kernel<float, float>(int, float)")]
PID, DEVICE, STREAM = 4711, 0, 7

rows = []
correlation = 0


def us(ns):
    """Microseconds with three digits, as the profiler writes them."""
    return ns / 1000


def row(category, name, begin, end, tid=PID, **args):
    rows.append({"ph": "X", "cat": category, "name": name, "pid": DEVICE if category in ("kernel", "gpu_memcpy")
                 else PID, "tid": tid, "ts": us(begin), "dur": us(end - begin), "args": args})


def step(number, begin):
    global correlation
    gaps = [BETWEEN // (KERNELS - 2)] * (KERNELS - 1)
    gaps[PREPARE_AFTER - 1] = PREPARE
    gaps[-1] += BETWEEN % (KERNELS - 2)
    start = begin + LAUNCH_TO_START
    host = begin + 1_000  # what the thread did so far
    forward = host
    for k in range(KERNELS):
        correlation += 1
        op, kernel = NAMES[k % len(NAMES)]
        end = start + (KERNEL if k + 1 < KERNELS else KERNEL - COPY)
        call = (begin + 2_000, start - 8_000) if k == 0 else (start - 14_000, start - 6_000)
        if k == PREPARE_AFTER:
            row("user_annotation", "prepare_inputs", host, call[0] - 20_000)
            host = call[0] - 20_000
        row("cpu_op", op, host, call[1] + 1_000, **{"External id": correlation})
        row("cuda_runtime", "cudaLaunchKernel", *call, correlation=correlation)
        row("kernel", kernel, start, end, STREAM, device=DEVICE, stream=STREAM, correlation=correlation,
            grid=[64, 1, 1], block=[128, 1, 1])
        host = call[1] + 1_000
        if k + 1 < KERNELS:
            start = end + gaps[k]
    copied = end + COPY
    row("user_annotation", "forward", forward, host)
    correlation += 1
    row("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", end, copied, STREAM, device=DEVICE, stream=STREAM,
        correlation=correlation, bytes=4)
    back = copied + 310_000
    row("user_annotation", "sample", host + 1_000, begin + STEP - 1_000)
    row("cpu_op", "aten::item", host + 2_000, back + 3_000)
    row("cpu_op", "aten::_local_scalar_dense", host + 3_000, back + 2_000)
    row("cuda_runtime", "cudaMemcpyAsync", host + 4_000, host + 9_000, correlation=correlation)
    correlation += 1
    row("cuda_runtime", "cudaStreamSynchronize", host + 10_000, back, correlation=correlation)
    row("user_annotation", f"ProfilerStep#{number}", begin, begin + STEP)


row("user_annotation", "decode_loop", 0, STEPS * STEP + 200_000)
for k in range(STEPS):
    step(k, 100_000 + k * STEP)
rows.sort(key=lambda r: (r["ts"], -r["dur"]))
head = [{"ph": "M", "name": "process_name", "pid": PID, "tid": 0, "args": {"name": "python"}},
        {"ph": "M", "name": "thread_name", "pid": PID, "tid": PID, "args": {"name": "thread 4711 (python)"}},
        {"ph": "M", "name": "process_labels", "pid": DEVICE, "tid": 0, "args": {"labels": "GPU 0"}}]
trace = {"schemaVersion": 1, "made_up": "An example by Lacuna's make_decode.py; nothing was measured",
         "traceEvents": head + rows}
text = json.dumps(trace, separators=(",", ":")).encode()
path = pathlib.Path(__file__).with_name("decode_18ms.pt.trace.json.gz")
with open(path, "wb") as file:  # neither name nor time in the head
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0, compresslevel=9) as packed:
        packed.write(text)
