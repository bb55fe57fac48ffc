

# From here on all files are alike.

_WRITTEN = tuple(t[1] for t in TENSORS if t[4])
_NOTHING = (None,) * 8  # the plan of calls whose written tensors are empty
_LIMIT = 256  # entries of a table

_lock = threading.Lock()
_cuda_library = None
_loaded = {}  # device number -> (context, function)
_plans = {}  # types, shapes, strides, device and integers -> plan


class _Attribute(ctypes.Structure):  # CUlaunchAttribute
    _fields_ = [("id", ctypes.c_uint), ("pad", ctypes.c_uint), ("value", ctypes.c_uint * 16)]


class _Config(ctypes.Structure):  # CUlaunchConfig
    _fields_ = [
        *((name, ctypes.c_uint) for name in ("gx", "gy", "gz", "bx", "by", "bz", "shared")),
        ("stream", ctypes.c_void_p), ("attributes", ctypes.c_void_p), ("count", ctypes.c_uint)]


_attributes = (_Attribute * 2)()
_count = 0
if CLUSTER:
    _attributes[_count].id, _attributes[_count].value[:3] = 4, CLUSTER  # CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
    _count += 1
if OVERLAP:
    _attributes[_count].id, _attributes[_count].value[0] = 6, 1  # ..._PROGRAMMATIC_STREAM_SERIALIZATION
    _count += 1


def _refuse(text, kind=ValueError):
    raise kind(f"{NAME}: {text}")


def _driver():
    global _cuda_library
    if _cuda_library is None:
        try:
            _cuda_library = ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
        except OSError as e:
            _refuse(f"the library of NVIDIA's driver is missing: {e}", RuntimeError)
    return _cuda_library


def _call(name, *args, log=None):
    """Calls a function of the driver; an error is an exception with its name and log."""
    status = getattr(_driver(), name)(*args)
    if status:
        _failed(name, status, log.value.decode(errors="replace") if log else "")


def _failed(name, status, log=""):
    text = ctypes.c_char_p()
    _driver().cuGetErrorName(status, ctypes.byref(text))
    text = (text.value or b"error %d" % status).decode()
    _refuse(f"{name} failed: {text}" + ("\n" + log if log else ""), RuntimeError)


def _load(index):
    """The context of a device and the kernel on it, which the first call loads."""
    with _lock:
        if index in _loaded:
            return _loaded[index]
        with torch.cuda.device(index):
            if torch.cuda.is_current_stream_capturing():
                _refuse("the first call on a device loads the kernel, which a CUDA graph cannot capture: call warm() before",
                        RuntimeError)
        major, minor = torch.cuda.get_device_capability(index)
        chip, number = 10 * major + minor, int(TARGET[3:].rstrip("af"))
        if chip < number or TARGET[-1] == "a" and chip != number or TARGET[-1] == "f" and major != number // 10:
            _refuse(f"the kernel is for {TARGET}, and cuda:{index} is sm_{chip}", RuntimeError)
        device, context, module, function = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        _call("cuInit", 0)
        _call("cuDeviceGet", ctypes.byref(device), index)
        _call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        _call("cuCtxPushCurrent_v2", context)
        try:
            log = ctypes.create_string_buffer(1 << 14)
            options = (ctypes.c_int * 2)(5, 6)  # CU_JIT_ERROR_LOG_BUFFER, and its bytes
            values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
            _call("cuModuleLoadDataEx", ctypes.byref(module), PTX.encode(), 2, options, values, log=log)
            _call("cuModuleGetFunction", ctypes.byref(function), module, ENTRY.encode())
            if SHARED:
                _call("cuFuncSetAttribute", function, 8, SHARED)  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            if CLUSTER and CLUSTER[0] * CLUSTER[1] * CLUSTER[2] > 8:
                _call("cuFuncSetAttribute", function, 14, 1)  # ..._NON_PORTABLE_CLUSTER_SIZE_ALLOWED
        finally:
            _call("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))
        _loaded[index] = context, function
        return _loaded[index]


def warm(device=None):
    """Loads the kernel on a device, by default the current one: what a CUDA graph cannot capture."""
    if not torch.cuda.is_available():
        _refuse("PyTorch has no CUDA device: torch.cuda.is_available() is False", RuntimeError)
    index = None if device is None else torch.device(device).index
    _load(torch.cuda.current_device() if index is None else index)


def _fits(dtype, want):
    if isinstance(want, int):
        return dtype.itemsize == want
    return dtype is getattr(torch, want, None)


def _typed(name, tensor, rank):
    if not isinstance(tensor, torch.Tensor):
        _refuse(f"{name} is a {type(tensor).__name__}, expected a tensor", TypeError)
    if rank is not None and tensor.dim() != rank:
        _refuse(f"{name} has {tensor.dim()} dimensions, expected {rank}")


def _widened(tensor, rank, modes):
    """The tensor with its modes of stride 0, if it has come without them."""
    if isinstance(tensor, torch.Tensor) and tensor.dim() == rank - len(modes):
        for at, n in modes:
            tensor = tensor.unsqueeze(at).expand(*tensor.shape[:at], n, *tensor.shape[at:])
    return tensor


def _checked(args):
    """The integers of the kernel; refuses tensors that it was not made for."""
    first = None
    for name, at, dtype, _, _, rank in TENSORS:
        t = args[at]
        _typed(name, t, rank)
        if t.device.type != "cuda":
            if not torch.cuda.is_available():
                _refuse("PyTorch has no CUDA device: torch.cuda.is_available() is False", RuntimeError)
            _refuse(f"{name} is on {t.device}, and the kernel runs on a CUDA device")
        if first is None:
            first = name, t.device
        if t.device != first[1]:
            _refuse(f"{name} is on {t.device}, and {first[0]} on {first[1]}")
        if not _fits(t.dtype, dtype):
            _refuse(f"{name} has elements {t.dtype}, expected {f'torch.{dtype}' if isinstance(dtype, str) else f'{dtype} bytes'}")
    ints = _ints(*args)
    for (name, at, *_), shape in zip(TENSORS, _extents(*ints)):
        t = args[at]
        if isinstance(shape, int):
            if not t.is_contiguous() or t.numel() * t.element_size() < shape:
                _refuse(f"{name} has shape {tuple(t.shape)} and strides {t.stride()}, expected {shape} bytes without gaps")
        elif tuple(t.shape) != shape:
            known = ", ".join(f"{i[0]} = {n} ({i[4]})" for i, n in zip(INTS, ints))
            _refuse(f"{name} has shape {tuple(t.shape)}, expected {shape} with {known}")
    if _WRITTEN and all(args[at].numel() == 0 for at in _WRITTEN):
        return None
    for (name, low, high, step, source), n in zip(INTS, ints):
        if not low <= n <= high or n % step:
            what = f"a number from {low} to {high}" if step < 2 else f"a multiple of {step} from {low} to {high}"
            _refuse(f"{name} is {n} ({source}), expected {what}")
    for (name, at, *_), shape, strides in zip(TENSORS, _extents(*ints), _strides(*ints)):
        t = args[at]
        if strides is not None and any(n > 1 and s != d for n, s, d in zip(shape, t.stride(), strides)):
            _refuse(f"{name} of shape {shape} has strides {t.stride()}, expected {strides}: copy it to "
                    f"torch.empty_strided({shape}, {strides}, ...)")
    return ints


def _kept(table, key, value):
    if len(table) >= _LIMIT:
        table.clear()
    table[key] = value
    return value


def _plan(key, args):
    """What calls with the same types, shapes, strides, device and integers launch."""
    ints = _checked(args)
    if ints is None:
        return _kept(_plans, key, _NOTHING)
    grid = (*_grid(*ints), 1, 1)[:3]
    for n, most, c in zip(grid, (2**31 - 1, 65535, 65535), CLUSTER or (1, 1, 1)):
        if not 0 < n <= most or n % c:
            _refuse(f"a grid of {grid} blocks is impossible: expected 1 to {most} there, a multiple of {c}")
    index = args[TENSORS[0][1]].device.index
    cells = [c(ints[n]) if kind == "int" else None for kind, n, c in PARAMS]
    # The last two are for launches, by addresses and numbers, and by streams.
    return _kept(_plans, key, (*_load(index), index, grid + (BLOCK, 1, 1, SHARED), cells, _maps(*ints), {}, {}))


def _span(t):
    """The first byte of a tensor, the byte after its last one, and whether it has all bytes in between."""
    elements, dense = 1, True
    for d, n in sorted((d, n) for n, d in zip(t.shape, t.stride()) if n > 1 and d):
        dense, elements = dense and d <= elements, elements + (n - 1) * d
    return t.data_ptr(), t.data_ptr() + elements * t.element_size(), dense


def _apart(args):
    """Refuses a written tensor that shares memory with another one: a thread may read there what another has written.
    Tensors with gaps may lie in one range of memory without a common byte: they are refused only for the same start."""
    full = [(name, written, *_span(args[at])) for name, at, _, _, written, _ in TENSORS if args[at].numel()]
    for i, (name, written, start, end, dense) in enumerate(full):
        for other, too, first, last, solid in full[:i]:
            if (written or too) and (start == first or dense and solid and start < last and first < end):
                _refuse(f"{name} at {start:#x} to {end - 1:#x} shares memory with {other} at {first:#x} to {last - 1:#x}, and "
                        f"the kernel writes {name if written else other}: clone() one of them")


def _params(plan, key, args):
    """The parameters of a launch, and what they point to. Nobody writes to them, so that all threads may use them."""
    _apart(args)  # once for these addresses
    context, _, _, _, cells, geometries, launches, _ = plan
    cells = cells.copy()
    for i, (kind, n, c) in enumerate(PARAMS):
        if kind == "float":
            cells[i] = c(args[n])
        elif kind != "int":
            name, at, _, align, _, _ = TENSORS[n]
            address = args[at].data_ptr()
            if address % align:
                _refuse(f"{name} begins at {address:#x}, expected a multiple of {align} bytes")
            cells[i] = _encode(context, geometries[i], address) if kind == "map" else ctypes.c_void_p(address)
    return _kept(launches, key, ((ctypes.c_void_p * len(cells))(*map(ctypes.addressof, cells)), cells))


def _encode(context, geometry, address):
    """The tensor map of a tensor at an address: it is passed by value, and depends on nothing else."""
    (dims, strides, box, kind, swizzle, promotion, fill), rank = geometry, len(geometry[0])
    memory = ctypes.create_string_buffer(192)
    cell = (ctypes.c_char * 128).from_buffer(memory, 64 - ctypes.addressof(memory) % 64)
    u64, u32 = ctypes.c_uint64 * rank, ctypes.c_uint32 * rank
    _call("cuCtxPushCurrent_v2", context)
    try:
        _call("cuTensorMapEncodeTiled", ctypes.byref(cell), kind, rank, ctypes.c_void_p(address), u64(*dims),
              u64(*strides, 0), u32(*box), u32(*[1] * rank), 0, swizzle, promotion, fill)
    except RuntimeError as e:
        raise RuntimeError(f"{e} (address {address:#x}, dims {dims}, strides {strides}, box {box}, swizzle {swizzle})") from None
    finally:
        _call("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))
    return cell


def _run(*args):
    """Launches the kernel on the current stream of the device of its tensors."""
    if _grads(*args):
        _no_grad(args)
    key = _key(*args)
    plan = _plans.get(key) or _plan(key, args)
    context, function, index, config, _, _, launches, configs = plan
    if context is None:
        return
    key = _addresses(*args)
    params = launches.get(key) or _params(plan, key, args)
    stream = _stream(index)
    launch = configs.get(stream) or _kept(
        configs, stream, _Config(*config, stream, ctypes.addressof(_attributes), _count))
    driver = _driver()
    status = driver.cuCtxPushCurrent_v2(context)
    if status:
        _failed("cuCtxPushCurrent_v2", status)
    status = driver.cuLaunchKernelEx(ctypes.byref(launch), function, params[0], None)
    driver.cuCtxPopCurrent_v2(ctypes.byref(ctypes.c_void_p()))
    if status:
        _failed("cuLaunchKernelEx", status)
    for i in _WRITTEN:
        if not args[i].is_inference():
            torch.autograd.graph.increment_version(args[i])


_stream = getattr(torch._C, "_cuda_getCurrentRawStream", None) or (lambda i: torch.cuda.current_stream(i).cuda_stream)


def _no_grad(args):
    if torch.is_grad_enabled():
        for name, at, *_ in TENSORS:
            if args[at].requires_grad:
                _refuse(f"the kernel has no derivative, and {name} requires one: detach() it, or use torch.no_grad()", RuntimeError)


if "_library" not in globals():  # not when the module is reloaded
    if not hasattr(torch.library, "register_fake"):
        _refuse(f"the file needs PyTorch 2.4 or newer, found {torch.__version__}", RuntimeError)
    if hasattr(torch.ops.girih, NAME):
        _refuse(f"torch.ops.girih.{NAME} exists already: change NAME in one of the two files", RuntimeError)
    _library, _defined = torch.library.Library("girih", "FRAGMENT"), NAME + SCHEMA
    _tags = [t for t in ("pt2_compliant_tag", "needs_exact_strides") if hasattr(torch.Tag, t)]
    if len(_tags) < 2:
        _tags.append("needs_fixed_stride_order")
    _library.define(_defined, tags=[getattr(torch.Tag, t) for t in _tags])
    _library.impl(NAME, lambda *args: _run(*args), "CompositeExplicitAutograd")
    torch.library.register_fake("girih::" + NAME, lambda *args: _no_grad(args), lib=_library)
if _defined != NAME + SCHEMA:
    _refuse("the arguments are others than before: start Python again", RuntimeError)
_op = getattr(torch.ops.girih, NAME).default
