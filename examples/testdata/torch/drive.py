"""Runs calls of a kernel's Python file with a PyTorch and a driver that only record: JSON in, JSON out.

    python3 drive.py FILE < calls.json

A call has the field "call", one of "operator", "function" and "warm", its arguments, and fields of torch.state.
"""
import ctypes
import importlib.util
import json
import sys
import types

import torch

P, I, U = ctypes.c_void_p, ctypes.c_int, ctypes.c_uint
log, maps, keep = [], [], []


def function(*types):
    """A C function that records its arguments."""
    def wrap(f):
        def called(*args):
            try:
                return f(*args) or 0
            except Exception as e:  # C has no exceptions
                log.append({"exception": repr(e)})
                return 999
        keep.append(ctypes.CFUNCTYPE(I, *types)(called))
        setattr(driver, f.__name__, keep[-1])
        return f
    return wrap


def words(at, n, kind=ctypes.c_uint64):
    return list((kind * n).from_address(at))


driver = types.SimpleNamespace()
stack = []


@function(U)
def cuInit(flags):
    pass


@function(P, I)
def cuDeviceGet(out, index):
    I.from_address(out).value = index


@function(P, I)
def cuDevicePrimaryCtxRetain(out, device):
    P.from_address(out).value = 0x1000_0000_0000 + device


@function(P)
def cuCtxPushCurrent_v2(context):
    stack.append(context)


@function(P)
def cuCtxPopCurrent_v2(out):
    P.from_address(out).value = stack.pop()


@function(P, P, U, P, P)
def cuModuleLoadDataEx(out, image, n, options, values):
    log.append({"load": stack[-1] - 0x1000_0000_0000, "ptx": ctypes.string_at(image).decode()})
    assert words(options, n, I) == [5, 6]
    text, size = words(values, 2)
    if torch.state.stream == 13:
        ctypes.memmove(text, b"ptxas error : no", 17)
        return 218
    P.from_address(out).value = 0x2000_0000_0000 + stack[-1]


@function(P, P, ctypes.c_char_p)
def cuModuleGetFunction(out, module, name):
    log[-1]["entry"] = name.decode()
    P.from_address(out).value = module + 1


@function(P, I, I)
def cuFuncSetAttribute(f, attribute, value):
    log[-1]["attribute"] = [attribute, value]


@function(I, P)
def cuGetErrorName(status, out):
    keep.append(ctypes.c_char_p(b"CUDA_ERROR_%d" % status))
    P.from_address(out).value = P.from_buffer(keep[-1]).value


@function(P, I, U, P, P, P, P, P, I, I, I, I)
def cuTensorMapEncodeTiled(out, kind, rank, address, dims, strides, box, steps, interleave, swizzle, promotion, fill):
    assert out % 64 == 0 and stack
    maps.append(dict(
        type=kind, address=address, dims=words(dims, rank), strides=words(strides, rank - 1), box=words(box, rank, U),
        steps=words(steps, rank, U), interleave=interleave, swizzle=swizzle, promotion=promotion, fill=fill))
    ctypes.memmove(out, b"map %d" % (len(maps) - 1), 16)


@function(P, P, P, P)
def cuLaunchKernelEx(config, f, params, extra):
    gx, gy, gz, bx, by, bz, shared = words(config, 7, U)
    stream, attributes = words(config + 32, 2)
    launch = dict(grid=[gx, gy, gz], block=[bx, by, bz], shared=shared, stream=stream, attributes=[], params=[],
                  context=stack[-1] - 0x1000_0000_0000)
    for i in range(words(config + 48, 1, U)[0]):
        launch["attributes"].append([words(attributes + 72 * i, 1, U)[0]] + words(attributes + 72 * i + 8, 3, U))
    for size, at in zip(sizes, words(params, len(sizes))):
        data = ctypes.string_at(at, size)
        launch["params"].append(maps[int(data[4:].rstrip(b"\0"))] if size == 128 else data.hex())
    log.append(launch)


def argument(x):
    if not isinstance(x, dict):
        return x
    return torch.Tensor(x["shape"], x["strides"], getattr(torch, x["type"]), torch.device(x.get("device", "cuda:0")),
                        x.get("address", 1 << 16), x.get("requires_grad", False))


def open_library(name):
    assert name == "libcuda.so.1"
    return driver


real, ctypes.CDLL = ctypes.CDLL, open_library
work = json.load(sys.stdin)
sizes = work["sizes"]
spec = importlib.util.spec_from_file_location("kernel", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
spec.loader.exec_module(module)  # as importlib.reload does
answers = []
for call in work["calls"]:
    log.clear()
    encoded = len(maps)
    module._plans.clear() if call.get("forget") else None
    for name in vars(torch.state):
        if name in call:
            setattr(torch.state, name, tuple(call[name]) if name == "capability" else call[name])
    args = [argument(x) for x in call.get("args", [])]
    answer = {}
    try:
        if call["call"] == "warm":
            module.warm(call.get("on"))
        elif call["call"] == "fake":
            torch.ops.fake(*args)
        elif call["call"] == "operator":
            module._op(*args)
            answer["versions"] = [x.version for x in args if isinstance(x, torch.Tensor)]
        else:
            out = getattr(module, module.NAME)(*args)
            out = out if isinstance(out, tuple) else (out,)
            answer["out"] = [{"shape": t.shape, "strides": t.stride(), "type": t.dtype.name, "address": t.data_ptr()} for t in out]
    except Exception as e:
        answer["error"] = f"{type(e).__name__}: {e}"
    if stack:
        answer["error"] = "a context is left"
    answer["log"], answer["encoded"] = list(log), len(maps) - encoded
    answers.append(answer)
json.dump({"schema": getattr(torch.ops.girih, module.NAME).schema, "answers": answers}, sys.stdout)
