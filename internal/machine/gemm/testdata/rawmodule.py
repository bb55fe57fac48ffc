#!/usr/bin/env python3
"""Runs kernels that girih-gpu writes on PyTorch tensors, through CuPy's RawModule, and compares with float64.

  rawmodule.py [girih-gpu]     the command, girih-gpu of the path if it is missing

Needs PyTorch, CuPy and a card of sm_90. Prints a line for each product and exits with 1 if one is wrong.
"""

import json
import os
import subprocess
import sys
import tempfile

import cupy
import numpy
import torch

COMMAND = sys.argv[1] if len(sys.argv) > 1 else "girih-gpu"

CASES = [  # atom, type of A and B, type of D
    ("SM80_16x8x16_F32F16F16F32_TN", torch.float16, torch.float32),
    ("SM80_16x8x16_F32BF16BF16F32_TN", torch.bfloat16, torch.float32),
    ("SM80_8x8x4_F64F64F64F64_TN", torch.float64, torch.float64),
    ("SM80_16x8x32_S32S8S8S32_TN", torch.int8, torch.int32),
    ("SM89_16x8x32_F32E4M3E4M3F32_TN", torch.float8_e4m3fn, torch.float32),
    ("SM90_64x128x16_F32F16F16_SS", torch.float16, torch.float32),
    ("SM90_64x64x16_F16F16F16_RS", torch.float16, torch.float16),
    ("UniversalFMA<float,float,float>", torch.float32, torch.float32),
]
SIZES = [(256, 256, 256), (127, 65, 33)]


def load(atom):
    """Returns the kernel as CuPy has it, for matrices of any size, and the tile and the threads of a block."""
    out = subprocess.run([COMMAND, "gemm", "--atom", atom, "--print", "--json"], check=True, stdout=subprocess.PIPE).stdout
    program = json.loads(out)
    with tempfile.NamedTemporaryFile("w", suffix=".ptx", delete=False) as f:
        f.write(program["ptx"])
    module = cupy.RawModule(path=f.name)
    kernel = module.get_function(program["name"])
    os.unlink(f.name)
    return kernel, program["tile"], program["threads"]


def draw(rows, columns, dtype, wide):
    """Returns a matrix of small integers, a part of a wider one: rows need not follow each other."""
    x = torch.randint(-2, 3, (rows, columns + wide), device="cuda")
    return x.to(dtype)[:, :columns]


def stream():
    """Returns PyTorch's stream as CuPy has it, which calls it from_external since version 14."""
    current = torch.cuda.current_stream()
    if hasattr(cupy.cuda.Stream, "from_external"):
        return cupy.cuda.Stream.from_external(current)
    return cupy.cuda.ExternalStream(current.cuda_stream)


def product(kernel, tile, threads, a, b, c, d):
    m, k = a.shape
    n = b.shape[0]
    grid = ((m + tile[0] - 1) // tile[0], (n + tile[1] - 1) // tile[1])
    with stream():
        kernel(grid, (threads,), (
            numpy.uint32(m), numpy.uint32(n), numpy.uint32(k),
            numpy.uint32(a.stride(0)), numpy.uint32(b.stride(0)), numpy.uint32(d.stride(0)), numpy.uint32(c is not None),
            numpy.uint64(a.data_ptr()), numpy.uint64(b.data_ptr()), numpy.uint64(0 if c is None else c.data_ptr()),
            numpy.uint64(d.data_ptr())))


def main():
    torch.manual_seed(1)
    torch.zeros(1, device="cuda")  # PyTorch's context is CuPy's
    wrong = 0
    for atom, ab, out in CASES:
        kernel, tile, threads = load(atom)
        for m, n, k in SIZES:
            for with_c in (False, True):
                a, b = draw(m, k, ab, 3), draw(n, k, ab, 0)
                d = torch.full((m, n + 5), 77, device="cuda").to(out)
                c = draw(m, n, out, 5) if with_c else None
                product(kernel, tile, threads, a, b, c, d)
                torch.cuda.synchronize()
                want = torch.matmul(a.to(torch.float64), b.to(torch.float64).T)
                if with_c:
                    want += c.to(torch.float64)
                off = (d[:, :n].to(torch.float64) - want).abs().max().item()
                kept = bool((d[:, n:].to(torch.float64) == 77).all())
                right = off == 0 and kept
                wrong += not right
                print(f"{'right' if right else 'WRONG'}  {atom}  {m}x{n}x{k}{' with C' if with_c else ''}  off by {off}")
    return 1 if wrong else 0


sys.exit(main())
