"""Kernels: PTX as text, in a file or of a compiled kernel of Triton, with the arguments of a launch."""

from __future__ import annotations

import json
import math
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _operations
from ._errors import Error
from ._foreign import content
from ._answers import Answer

Extent = Union[int, Sequence[int]]
Arguments = Union[Sequence[Any], Mapping[str, Any]]


def check(
    kernel: Any,
    args: Optional[Arguments] = None,
    *,
    grid: Optional[Extent] = None,
    block: Optional[Extent] = None,
    shared: Optional[int] = None,
    expect: Optional[Mapping[str, Any]] = None,
    rtol: float = 0,
    atol: float = 0,
    run: Any = None,
    entry: Optional[str] = None,
    **options: Any,
) -> Answer:
    """Checks a kernel for races, missing fences and waits, and all else that a run on the CPU shows.

    kernel: PTX as text, the name of a file that ends in .ptx, or a compiled kernel of Triton
    args: the arguments in their order, or by name: arrays of NumPy, tensors of PyTorch (of a GPU, too), numbers, None
        for a null pointer. Without args the buffers and the numbers are made up; the answer says where that matters.
    grid, block: blocks of the grid and threads of a block, as (x, y, z) or an integer
    shared: dynamic shared memory in bytes; of a kernel of Triton it is known
    expect: arrays that arguments must be equal to after the run, by name: expect={"y": x.T}; with rtol and atol within
        |got - expected| <= atol + rtol * |expected|, as of numpy.allclose
    run: the whole launch instead, as docs/simulator.md describes it: a dictionary, a text, or a path, to
        whose folder the names of its files are relative
    options: those of girih check: seeds=8, exhaustive=10000, strict=True, needless=True, ignore=["race:12"]

    The answer is true if nothing is wrong: assert girih.check(kernel, [x, y, n], grid=4).
    """
    about = dict(grid=grid, block=block, shared=shared)
    return _launch("check", kernel, args, about, _Expected(expect or {}, rtol, atol), run, entry, options)


def sim(
    kernel: Any,
    args: Optional[Arguments] = None,
    *,
    grid: Optional[Extent] = None,
    block: Optional[Extent] = None,
    shared: Optional[int] = None,
    expect: Optional[Mapping[str, Any]] = None,
    rtol: float = 0,
    atol: float = 0,
    run: Any = None,
    entry: Optional[str] = None,
    **options: Any,
) -> Answer:
    """Runs a kernel on the CPU, and counts what it moves. The arguments are those of check.

    With out=["y"] the buffers of these parameters are read after the run: answer.arrays.
    """
    about = dict(grid=grid, block=block, shared=shared)
    return _launch("sim", kernel, args, about, _Expected(expect or {}, rtol, atol), run, entry, options)


def lint(kernel: Any, **options: Any) -> Answer:
    """Says what the text of PTX proves to be wrong or slow, without running it. The kernel is as of check."""
    return _operations.lint(ptx_of(kernel), **options)


def ptx_of(kernel: Any) -> str:
    """The PTX of a kernel: a text, a file, or a compiled kernel of Triton."""
    if isinstance(kernel, os.PathLike) or isinstance(kernel, str) and "\n" not in kernel and kernel.endswith(".ptx"):
        return content(kernel)
    if isinstance(kernel, str):
        return kernel
    asm = getattr(kernel, "asm", None)
    try:
        return asm["ptx"]  # type: ignore[index]
    except (KeyError, TypeError):
        raise Error(
            "type",
            f"expected PTX as text, a file, or a compiled kernel of Triton, found {type(kernel).__name__}",
            "a kernel of Triton is compiled by a launch, kernel[grid](...), or by kernel.warmup(..., grid=grid)",
        ) from None


class _Expected(NamedTuple):
    """What arguments hold after a run."""

    arrays: Mapping[str, Any]
    rtol: float
    atol: float


def _launch(
    name: str, kernel: Any, args: Any, about: Dict[str, Any], expected: _Expected, run: Any, entry: Optional[str], options: Dict[str, Any]
) -> Answer:
    do = getattr(_operations, name)
    ptx = ptx_of(kernel)
    options = {k + "_" if k == "continue" else k: v for k, v in options.items()}
    if run is not None:
        if args is not None or expected.arrays or any(v is not None for v in about.values()):
            raise Error("type", "run is the whole launch: it comes without args, grid, block, shared and expect")
        return do(ptx, run=json.dumps(run) if isinstance(run, Mapping) else run, entry=entry, **options)
    metadata = getattr(kernel, "metadata", None)
    launch = _skeleton(ptx, entry or getattr(metadata, "name", None))
    given = {k: v for k, v in {**_of_triton(metadata), **{k: v for k, v in about.items() if v is not None}}.items()}
    launch.update({k: [v] if k != "shared" and isinstance(v, int) else v for k, v in given.items()})
    launch["guessed"] = [g for g in launch.get("guessed", ()) if g not in given]
    if args is None:
        if expected.arrays:
            raise Error("type", "expect needs args, whose arrays it is compared with")
        return do(ptx, run=json.dumps(launch), entry=entry, **options)
    named = _named(args, *_parameters(kernel, ptx, launch))
    launch["guessed"] = [g for g in launch["guessed"] if not g.startswith(("buffers[", "params["))]
    try:
        with tempfile.TemporaryDirectory(prefix="girih-") as folder:
            _Arguments(Path(folder), launch, named).fill(expected)
            return do(ptx, run=json.dumps(launch), entry=entry, **options)
    except OSError as e:
        raise Error("file", f"the arguments cannot be written to a temporary file: {e.strerror or e}") from e


def _skeleton(ptx: str, entry: Optional[str]) -> Dict[str, Any]:
    """What the PTX says of a launch, as girih sim --init writes it."""
    launch = json.loads(_operations.sim(ptx, init=True, entry=entry).json["skeleton"])
    launch.pop("ptx", None)
    return launch


def _of_triton(metadata: Any) -> Dict[str, Any]:
    """What a compiled kernel of Triton says of its launches."""
    if metadata is None:
        return {}
    known: Dict[str, Any] = {"shared": getattr(metadata, "shared", 0)}
    clusters = getattr(metadata, "cluster_dims", None) or (getattr(metadata, "num_ctas", 1),)
    if max(clusters) > 1:
        known["cluster"] = list(clusters)
    return known


def _parameters(kernel: Any, ptx: str, launch: Mapping[str, Any]) -> Tuple[List[str], List[List[str]]]:
    """The names of the parameters, and other lists of names in whose order arguments may come. Triton compiles constants
    in: those that are declared as constants, and arguments that are 1."""
    source = getattr(kernel, "src", None)
    signature = getattr(source, "signature", None)
    if not isinstance(signature, Mapping):
        head = re.search(rf"\.entry\s+{re.escape(launch['entry'])}\s*\((.*?)\)", ptx, re.DOTALL)
        return re.findall(r"([\w$]+)\s*(?:\[\d+\]\s*)?(?=,|$)", head[1].strip()) if head else [], []
    names = [str(k) for k, t in signature.items() if t != "constexpr"]
    declared = [p.name for p in getattr(getattr(source, "fn", None), "params", ()) if not p.is_constexpr]
    return names, [declared, [str(k) for k in signature]]


def _named(args: Arguments, names: List[str], others: List[List[str]]) -> List[Tuple[str, Any]]:
    """The arguments of the parameters, with their names."""
    known = [n for order in [names, *others] for n in order]
    if not isinstance(args, Mapping):
        args = list(args)
        order = next((o for o in [names, *others] if len(o) == len(args)), None)
        if order is None:
            raise Error("type", f"expected {len(names)} arguments, {', '.join(names)}, found {len(args)}")
        args = dict(zip(order, args))
    for name in names:
        if name not in args:
            raise Error("type", f"the argument {name} is missing")
    for name in args:
        if name not in known:
            raise Error("type", f"the kernel has no parameter {name}, but {', '.join(names)}")
    return [(n, args[n]) for n in names]


class _Arguments:
    """Writes the arguments into the description of a launch, and arrays into files."""

    def __init__(self, folder: Path, launch: Dict[str, Any], args: Sequence[Tuple[str, Any]]):
        self.folder = folder
        self.launch = launch
        self.args = args
        self.buffers: Dict[int, Dict[str, Any]] = {}  # by the address of their memory

    def fill(self, expected: _Expected) -> None:
        params = self.launch["params"]
        for i, (name, value) in enumerate(self.args):
            params[i] = self.param(name, value, params[i])
        made = list(self.buffers.values())
        names = {b["name"] for b in made}
        used = {p.get("buffer") for p in params}
        made += [b for b in self.launch.get("buffers", ()) if b["name"] in used and b["name"] not in names]
        self.launch["buffers"] = made
        self.launch["outputs"] = [{"buffer": b["name"]} for b in made]
        for name, array in expected.arrays.items():
            file = self.folder / f"expected{len(list(self.folder.iterdir()))}.bin"
            buffer = self.expect(name, array, file)
            output = next(o for o in self.launch["outputs"] if o["buffer"] == buffer)
            output.update(file=str(file), rel=float(expected.rtol), abs=float(expected.atol))

    def expect(self, name: str, array: Any, file: Path) -> str:
        """Writes the memory of an argument when it is equal to an array, and returns its buffer."""
        i = next((i for i, (n, _) in enumerate(self.args) if n == name), None)
        if i is None:
            raise Error("type", f"expect: the kernel has no parameter {name}, but {', '.join(n for n, _ in self.args)}")
        param, argument = self.launch["params"][i], self.args[i][1]
        if param["kind"] != "buffer" or not hasattr(argument, "shape"):
            raise Error("type", f"expect: the argument {name} is no array")
        found = tuple(getattr(array, "shape", ()))
        if found != tuple(argument.shape):
            raise Error("type", f"expect: expected the shape of the argument {name}, {tuple(argument.shape)}, found {found}")
        data = _filled(argument, array)
        buffer = next(b for b in self.launch["buffers"] if b["name"] == param["buffer"])
        if len(data) != buffer["bytes"]:
            raise Error(
                "type", f"expect: the argument {name} is {len(data)} of {buffer['bytes']} bytes of an array", "pass a copy, or expect the whole"
            )  # fmt: skip
        file.write_bytes(data)
        return buffer["name"]

    def param(self, name: str, value: Any, guess: Dict[str, Any]) -> Dict[str, Any]:
        if isinstance(value, Mapping):
            return dict(value)
        if value is None:
            return {"kind": "scalar", "type": "u64", "value": 0}
        if hasattr(value, "dtype") and getattr(value, "shape", ()) != ():
            return self.pointer(name, value)
        if hasattr(value, "untyped_storage"):
            return self.pointer(name, value)  # a tensor without axes is in memory, too
        if isinstance(value, (list, tuple)):
            raise Error("type", f"argument {name}: expected an array, found a {type(value).__name__}", "numpy.array(...) is one")
        number = value.item() if hasattr(value, "item") else value
        if not isinstance(number, (int, float)):
            raise Error("type", f"argument {name}: expected an array or a number, found {type(value).__name__}", "run=... describes others")
        kind = _scalar_type(value, guess)
        if isinstance(number, float) and kind[0] != "f":
            raise Error("type", f"argument {name}: expected an integer or an array, found {number}", "the kernel declares " + kind)
        if isinstance(number, float) and not math.isfinite(number):
            number = str(number)  # JSON has no such numbers
        return {"kind": "scalar", "type": kind, "value": int(number) if isinstance(number, bool) else number}

    def pointer(self, name: str, array: Any) -> Dict[str, Any]:
        """Arrays that share memory share a buffer."""
        address, start, read = _memory(array)
        if address not in self.buffers:
            data = read()
            path = self.folder / f"{len(self.buffers)}.bin"
            path.write_bytes(data)
            kind = _ELEMENTS.get(str(array.dtype).rpartition(".")[2], "u8")
            self.buffers[address] = {"name": name, "type": kind, "bytes": len(data), "file": str(path)}
        param = {"kind": "buffer", "buffer": self.buffers[address]["name"]}
        if start != address:
            param["offset"] = start - address
        return param


# The types of elements, by their names in NumPy and PyTorch.
_ELEMENTS = {
    "float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16",
    "float8_e4m3fn": "e4m3", "float8_e5m2": "e5m2",
    "int64": "s64", "int32": "s32", "int16": "s16", "int8": "s8",
    "uint64": "u64", "uint32": "u32", "uint16": "u16", "uint8": "u8", "bool": "u8",
}  # fmt: skip


def _scalar_type(value: Any, guess: Dict[str, Any]) -> str:
    """The type of a number: as wide as the parameter, which the PTX may declare as bits."""
    declared = str(guess.get("type") or "u64")
    bits = declared.lstrip("abcdefghijklmnopqrstuvwxyz")
    if isinstance(value, float) or str(getattr(value, "dtype", "")).rpartition(".")[2].startswith("float"):
        return declared if declared[0] in "fsu" else f"f{bits}"
    if declared[0] == "f":
        return declared
    return f"s{bits}" if value < 0 else f"u{bits}"


def _filled(argument: Any, array: Any) -> bytes:
    """The memory of a copy of an argument that is equal to an array."""
    if hasattr(argument, "untyped_storage"):
        return _memory(argument.detach().clone().copy_(array))[2]()
    copy = argument.copy(order="K")
    try:
        copy[...] = array
    except (TypeError, ValueError) as e:
        raise Error("type", f"expect: {e}") from None
    return _memory(copy)[2]()


def _memory(array: Any) -> Tuple[int, int, Any]:
    """The address of the memory that an array is in, the address of its first element, and what reads the memory."""
    if hasattr(array, "untyped_storage"):  # PyTorch
        storage = array.untyped_storage()
        uint8 = sys.modules["torch"].uint8

        def read() -> bytes:
            return array.detach().new_empty(0, dtype=uint8).set_(storage).cpu().numpy().tobytes()

        return storage.data_ptr(), array.data_ptr(), read
    if not hasattr(array, "__array_interface__"):
        raise Error("type", f"expected an array of NumPy or a tensor of PyTorch, found {type(array).__name__}")
    owner = array
    while hasattr(owner.base, "__array_interface__"):
        owner = owner.base
    if not (owner.flags.c_contiguous or owner.flags.f_contiguous):
        raise Error("type", f"expected an array in one piece of memory, found strides {owner.strides}")
    begin = owner.__array_interface__["data"][0]
    return begin, array.__array_interface__["data"][0], lambda: owner.tobytes(order="A")
