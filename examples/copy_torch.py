"""Copies between PyTorch tensors by kernels that girih plans, through CuPy's RawModule.

    python3 examples/copy_torch.py

copy(dst, src) is dst.copy_(src) for two tensors of one shape and type on a card: views, permuted, sliced and expanded
ones too. `girih copy ... --as ptx --json` answers with the kernel and with how it is launched, and nothing of that is
repeated here. Needs girih in PATH, torch and cupy.
"""
import functools
import json
import pathlib
import subprocess
import tempfile

import cupy
import torch


def layout(t):
    """The layout of a tensor: an element at a coordinate is so many elements behind data_ptr()."""
    return "({}):({})".format(",".join(map(str, t.shape)), ",".join(map(str, t.stride())))


def align(t):
    """The power of two, up to 256, that divides the address."""
    return min(t.data_ptr() & -t.data_ptr(), 256)


@functools.cache
def plan(src, dst, bits, src_align, dst_align):
    """The answer of girih, and the kernel on the current card."""
    done = subprocess.run(
        ["girih", "copy", src, dst, "--type", f"b{bits}", "--src-align", str(src_align), "--dst-align", str(dst_align),
         "--as", "ptx", "--json"], capture_output=True, text=True)
    if not done.stdout:
        raise RuntimeError(done.stderr)
    answer = json.loads(done.stdout)
    if not answer["ok"]:
        e = answer["error"]
        raise ValueError("{}: {} {}".format(e["code"], e["message"], e.get("hint", "")))
    launch = answer["launch"]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "copy.ptx"  # RawModule compiles CUDA C++, and loads PTX, from a file
        file.write_text(answer["source"])
        kernel = cupy.RawModule(path=str(file)).get_function(launch["entry"])
    if launch.get("dynamic"):
        kernel.max_dynamic_shared_size_bytes = launch["dynamic"]
    return answer, kernel


def copy(dst, src):
    """dst.copy_(src), and returns the plan."""
    if dst.shape != src.shape or dst.dtype != src.dtype:
        raise ValueError(f"expected one shape and type, found {dst.shape} {dst.dtype} and {src.shape} {src.dtype}")
    answer, kernel = plan(layout(src), layout(dst), 8 * src.element_size(), align(src), align(dst))
    launch = answer["launch"]
    address = {"src": src.data_ptr(), "dst": dst.data_ptr()}
    with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
        kernel(
            tuple(int(n) for n in launch["grid"]), (launch["block"],),
            tuple(address[p["name"]] for p in launch["params"]), shared_mem=launch.get("dynamic", 0))
    return answer["plan"]


def seconds(run):
    """The median time of a call."""
    times = []
    for _ in range(15):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        run()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) / 1e3)
    return sorted(times)[7]


def main():
    def new(*shape, dtype=torch.float16):
        return torch.randint(-9, 9, shape, device="cuda").to(dtype)

    x, n, odd, rgb = new(4096, 8192), new(16, 128, 56, 56), new(3, 1023, 1025), new(8, 512, 512, 3, dtype=torch.uint8)
    for name, src in {
        "transposed": x.t(),
        "NCHW to NHWC": n.permute(0, 2, 3, 1),
        "odd, transposed": odd.transpose(1, 2),
        "RGB to planes": rgb.permute(0, 3, 1, 2),
        "every second row and third column": x[::2, ::3],
        "a vector to all rows": x[0].expand(1024, -1),
        "contiguous": x,
    }.items():
        dst = torch.full(src.shape, 77, dtype=src.dtype, device="cuda")
        how = copy(dst, src)
        if not torch.equal(dst, src):
            raise SystemExit(f"{name}: WRONG, {how}")
        ours, theirs = seconds(lambda: copy(dst, src)), seconds(lambda: dst.copy_(src))
        print(f"{name}: right, {how['way']}, {ours * 1e6:.1f} us; copy_ {theirs * 1e6:.1f} us")


if __name__ == "__main__":
    main()
