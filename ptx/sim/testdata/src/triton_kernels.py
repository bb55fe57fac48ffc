# Triton kernels, launched once each and compared with PyTorch: NAME.ptx, NAME.json and NAME.BUFFER.out, as corpus writes them.
#
#   python3 triton_kernels.py FOLDER
import json
import pathlib
import re
import sys

import numpy as np
import torch
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


@triton.jit
def softmax(x, out, cols, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    row = tl.program_id(0) * cols
    v = tl.load(x + row + i, mask=i < cols, other=-float("inf"))
    v = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row + i, v / tl.sum(v, axis=0), mask=i < cols)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        at = tl.load(a + rm[:, None] * K + k + rk[None, :], mask=(rm[:, None] < M) & (k + rk[None, :] < K), other=0.0)
        bt = tl.load(b + (k + rk[:, None]) * N + rn[None, :], mask=(k + rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(at, bt, acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def layernorm(x, gain, bias, out, cols, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    row = tl.program_id(0) * cols
    mask = i < cols
    v = tl.load(x + row + i, mask=mask, other=0.0)
    mean = tl.sum(v, axis=0) / cols
    d = tl.where(mask, v - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(d * d, axis=0) / cols + 1e-5)
    g = tl.load(gain + i, mask=mask, other=0.0)
    b = tl.load(bias + i, mask=mask, other=0.0)
    tl.store(out + row + i, d * scale * g + b, mask=mask)


@triton.jit
def histogram(x, bins, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.atomic_add(bins + (v & 63), 1, mask=i < n)


@triton.jit
def scan(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    row = tl.program_id(0) * n
    v = tl.load(x + row + i, mask=i < n, other=0)
    tl.store(out + row + i, tl.cumsum(v, axis=0), mask=i < n)


# Types as the descriptions name them: NumPy's, and the one in which PyTorch gets it.
TYPES = {"f32": np.float32, "f16": np.float16, "s32": np.int32}


def lcg(kind, count, seed, mod, sub, scale):
    """Elements by the generator of harness.h, and its description."""
    s, values = seed, []
    for _ in range(count):
        s = (s * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)
        values.append(float((s >> 33) % mod - sub) * 2.0**scale)
    fill = {"kind": "lcg", "seed": seed, "mod": mod, "sub": sub, "scale": scale}
    return np.array(values).astype(TYPES[kind]), fill


def same(kind, count, value):
    """A buffer of the same bytes."""
    return np.frombuffer(bytes([value]) * (count * np.dtype(TYPES[kind]).itemsize), TYPES[kind]).copy(), {"kind": "byte", "value": value}


class Run:
    def __init__(self, name, function, grid, options):
        self.name, self.function, self.grid, self.options = name, function, grid, options
        self.buffers, self.args, self.params, self.tensors, self.bounds = [], [], [], {}, {}

    def buffer(self, name, kind, made, written=False):
        values, fill = made
        t = torch.from_numpy(values).cuda()
        self.buffers.append({"name": name, "type": kind, "bytes": int(values.nbytes), "fill": fill})
        self.params.append({"kind": "buffer", "buffer": name, "offset": 0})
        self.args.append(t)
        self.tensors[name] = t
        if written:
            self.bounds[name] = {}
        return t

    def i32(self, v):
        self.params.append({"kind": "scalar", "type": "s32", "bytes": int(v).to_bytes(4, "little", signed=True).hex()})
        self.args.append(v)

    def launch(self):
        self.kernel = self.function[tuple(self.grid)](*self.args, **self.options)
        torch.cuda.synchronize()

    def save(self, out):
        ptx = self.kernel.asm["ptx"]
        ptx = re.sub(r'"/[^"]*/', '"', ptx)  # the folder of this file is of no interest
        entry, signature = re.search(r"\.entry\s+(\w+)\s*\(([^{]*?)\)", ptx, re.S).groups()
        declared = re.findall(r"\.param\s+(.*)", signature)
        params = list(self.params)
        # What Triton adds, pointers to scratch memory that these kernels do not use, is null.
        for p in declared[len(params) :]:
            params.append({"kind": "scalar", "type": "u64", "bytes": "00" * (4 if "32" in p.split()[0] else 8)})
        if len(declared) < len(params):
            raise ValueError(f"{len(declared)} parameters in the PTX, {len(params)} passed")
        meta = self.kernel.metadata
        written = 0
        (out / f"{self.name}.ptx").write_text(ptx)
        outputs = []
        for name, bound in self.bounds.items():
            data = self.tensors[name].cpu().numpy().tobytes()
            (out / f"{self.name}.{name}.out").write_bytes(data)
            written += len(data)
            outputs.append({"buffer": name, "file": f"{self.name}.{name}.out", **bound})
        text = json.dumps(
            {
                "name": self.name,
                "ptx": f"{self.name}.ptx",
                "source": "triton_kernels.py",
                "entry": entry,
                "grid": (list(self.grid) + [1, 1])[:3],
                "block": [32 * meta.num_warps, 1, 1],
                "cluster": [getattr(meta, "num_ctas", 1), 1, 1],
                "shared": meta.shared,
                "buffers": self.buffers,
                "params": params,
                "outputs": outputs,
            },
            indent=1,
        )
        (out / f"{self.name}.json").write_text(text + "\n")
        return written + len(text) + len(ptx)


def run_add(r):
    x = r.buffer("x", "f32", lcg("f32", 3000, 700, 1 << 24, 1 << 23, -21))
    y = r.buffer("y", "f32", lcg("f32", 3000, 701, 1 << 24, 1 << 23, -20))
    out = r.buffer("out", "f32", same("f32", 3000, 255), True)
    r.i32(3000)
    r.launch()
    return torch.equal(out, x + y)


def run_softmax(r):
    x = r.buffer("x", "f32", lcg("f32", 6 * 777, 702, 1 << 20, 1 << 19, -16))
    out = r.buffer("out", "f32", same("f32", 6 * 777, 255), True)
    r.i32(777)
    r.bounds["out"] = {"rel": 1e-5, "abs": 1e-9}
    r.launch()
    return torch.allclose(out, x.view(6, 777).softmax(1).view(-1), rtol=1e-5, atol=1e-9)


def run_matmul(r):
    a = r.buffer("a", "f16", lcg("f16", 100 * 136, 703, 2048, 1024, -10))
    b = r.buffer("b", "f16", lcg("f16", 136 * 72, 704, 2048, 1024, -10))
    c = r.buffer("c", "f32", same("f32", 100 * 72, 255), True)
    for v in (100, 72, 136):
        r.i32(v)
    r.launch()
    want = a.double().view(100, 136) @ b.double().view(136, 72)
    return torch.allclose(c.double().view(100, 72), want, rtol=1e-4, atol=1e-3)


def run_layernorm(r):
    x = r.buffer("x", "f32", lcg("f32", 7 * 500, 705, 1 << 20, 1 << 19, -17))
    gain = r.buffer("gain", "f32", lcg("f32", 500, 706, 4096, 0, -11))
    bias = r.buffer("bias", "f32", lcg("f32", 500, 707, 4096, 2048, -11))
    out = r.buffer("out", "f32", same("f32", 7 * 500, 255), True)
    r.i32(500)
    r.bounds["out"] = {"rel": 1e-5, "abs": 1e-5}
    r.launch()
    want = torch.nn.functional.layer_norm(x.view(7, 500), (500,), gain, bias, 1e-5).view(-1)
    return torch.allclose(out, want, rtol=1e-4, atol=1e-4)


def run_histogram(r):
    x = r.buffer("x", "s32", lcg("s32", 3500, 708, 1000, 0, 0))
    bins = r.buffer("bins", "s32", same("s32", 64, 0), True)
    r.i32(3500)
    r.launch()
    return torch.equal(bins, torch.bincount(x & 63, minlength=64).int())


def run_scan(r):
    x = r.buffer("x", "s32", lcg("s32", 4 * 900, 709, 2001, 1000, 0))
    out = r.buffer("out", "s32", same("s32", 4 * 900, 255), True)
    r.i32(900)
    r.launch()
    return torch.equal(out.view(4, 900), torch.cumsum(x.view(4, 900), 1).int())


RUNS = [
    ("triton_add", add, run_add, (3,), dict(BLOCK=1024)),
    ("triton_softmax", softmax, run_softmax, (6,), dict(BLOCK=1024, num_warps=4)),
    ("triton_matmul", matmul, run_matmul, (2, 2), dict(BM=64, BN=64, BK=32, num_warps=4, num_stages=3)),
    ("triton_layernorm", layernorm, run_layernorm, (7,), dict(BLOCK=512, num_warps=2)),
    ("triton_histogram", histogram, run_histogram, (4,), dict(BLOCK=1024)),
    ("triton_scan", scan, run_scan, (4,), dict(BLOCK=1024)),
]


def main():
    out = pathlib.Path(sys.argv[1])
    for name, function, fill, grid, options in RUNS:
        try:
            r = Run(name, function, grid, options)
            ok = fill(r)
            written = r.save(out)
            print(f"{name} {'ok' if ok else 'WRONG'} {written}", flush=True)
        except Exception as e:  # the others are still worth having
            print(f"# {name}: {type(e).__name__}: {e}")
            print(f"{name} FAILED 0", flush=True)


if __name__ == "__main__":
    main()
