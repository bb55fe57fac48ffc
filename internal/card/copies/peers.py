# Times the copies of PyTorch and CuPy for girih-gpu bench copy: a line of JSON in, a line of JSON out.
import json
import statistics
import sys

peers, errors, keep = [], {}, None
try:
    import torch
except Exception as e:
    torch = None
    errors["PyTorch copy_"] = errors["torch.compile"] = type(e).__name__
try:
    import cupy
except Exception as e:
    cupy = None
    errors["CuPy"] = type(e).__name__


def prepare(case):
    """Returns [(name, run)] for a case: a source of that shape, every step-th element of it, permuted."""
    global errors
    runs = []
    perm, cut = case["perm"], tuple(slice(None, None, s) for s in case["step"])
    if torch:
        kind = {1: torch.uint8, 2: torch.float16, 4: torch.float32, 8: torch.float64, 16: torch.complex128}[case["bytes"]]
        x = torch.zeros(case["shape"], dtype=kind, device="cuda")
        view = x[cut].permute(perm)
        y = torch.empty(view.shape, dtype=kind, device="cuda")
        runs.append(("PyTorch copy_", lambda: y.copy_(view)))
        try:
            torch._dynamo.reset()

            def fresh(x):
                return x[cut].permute(perm).clone(memory_format=torch.contiguous_format)

            f = torch.compile(fresh, dynamic=False)
            f(x)
            runs.append(("torch.compile", lambda: f(x)))
        except Exception as e:
            errors["torch.compile"] = type(e).__name__ + ": " + str(e).split("\n")[0][:100]
        if cupy:
            a, b = cupy.from_dlpack(view), cupy.from_dlpack(y)
            stream = cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream)

            def run():
                with stream:
                    cupy.copyto(b, a)

            try:
                run()
                runs.append(("CuPy", run))
            except Exception as e:
                errors["CuPy"] = type(e).__name__ + ": " + str(e).split("\n")[0][:100]
    return runs


def once(run):
    a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    flush.zero_()
    a.record()
    run()
    b.record()
    b.synchronize()
    return a.elapsed_time(b)


if torch:
    flush = torch.empty(128 << 20, dtype=torch.uint8, device="cuda")
runs, times = [], []
for line in sys.stdin:
    q = json.loads(line)
    if q["do"] == "case":
        runs, times = [], []
        if torch:
            torch.cuda.empty_cache()
        runs = prepare(q)
        for _, run in runs:
            for _ in range(3):
                once(run)
        times = [[] for _ in runs]
        answer = {}
    elif q["do"] == "round":
        for t, (_, run) in zip(times, runs):
            t.append(once(run))
        answer = {}
    else:
        answer = [
            {"name": name, "seconds": statistics.median(t[-q["last"]:]) / 1e3} for t, (name, _) in zip(times, runs)
        ] + [{"name": name, "error": e} for name, e in errors.items()]
        if q["do"] == "end":
            runs = []
    print(json.dumps(answer), flush=True)
