"""What the Python files of kernels use of PyTorch, without PyTorch: tensors are shapes and addresses."""
import contextlib
import types

state = types.SimpleNamespace(available=True, device=0, stream=0, capturing=False, grad=True, next=1 << 20, capability=(9, 0))


class dtype:
    def __init__(self, name, itemsize):
        self.name, self.itemsize = name, itemsize

    def __repr__(self):
        return "torch." + self.name


for _name, _size in dict(float64=8, float32=4, float16=2, bfloat16=2, int64=8, int32=4, int16=2, uint8=1, uint32=4,
                         float8_e4m3fn=1, float8_e5m2=1).items():
    globals()[_name] = dtype(_name, _size)


class device:
    def __init__(self, text):
        text = str(text)
        self.type, _, index = text.partition(":")
        self.index = int(index) if index else 0 if self.type == "cuda" else None

    def __repr__(self):
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other):
        return repr(self) == repr(other)

    def __hash__(self):
        return hash(repr(self))


class Tensor:
    def __init__(self, shape, strides, dtype, device, address, requires_grad=False):
        self.shape, self._strides, self.dtype, self.device = tuple(shape), tuple(strides), dtype, device
        self._address, self.requires_grad, self.version = address, requires_grad, 0

    def stride(self, i=None):
        return self._strides if i is None else self._strides[i]

    def get_device(self):
        return -1 if self.device.index is None else self.device.index

    def dim(self):
        return len(self.shape)

    def data_ptr(self):
        return self._address

    def element_size(self):
        return self.dtype.itemsize

    def is_inference(self):
        return False

    def numel(self):
        n = 1
        for x in self.shape:
            n *= x
        return n

    def is_contiguous(self):
        want = 1
        for n, d in zip(reversed(self.shape), reversed(self._strides)):
            if n > 1 and d != want:
                return False
            want *= n
        return True

    def clone(self):
        return empty_strided(self.shape, self._strides, dtype=self.dtype, device=self.device)


def empty_strided(shape, strides, dtype, device):
    state.next += 1 << 20
    return Tensor(shape, strides, dtype, device, state.next)


def empty(n, dtype, device):
    return empty_strided((n,), (1,), dtype, device)


def is_grad_enabled():
    return state.grad


@contextlib.contextmanager
def _on(index):
    before, state.device = state.device, index
    yield
    state.device = before


cuda = types.SimpleNamespace(
    is_available=lambda: state.available, current_device=lambda: state.device, device=_on,
    is_current_stream_capturing=lambda: state.capturing, get_device_capability=lambda index: state.capability)
_C = types.SimpleNamespace(_cuda_getCurrentRawStream=lambda index: 1000 * index + state.stream)
Tag = types.SimpleNamespace(pt2_compliant_tag="pt2_compliant_tag", needs_fixed_stride_order="needs_fixed_stride_order")


def _increment(tensor):
    tensor.version += 1


autograd = types.SimpleNamespace(graph=types.SimpleNamespace(increment_version=_increment))
ops = types.SimpleNamespace(girih=types.SimpleNamespace())


class _Library:
    def __init__(self, namespace, kind):
        assert (namespace, kind) == ("girih", "FRAGMENT")

    def define(self, schema, tags):
        name = schema.partition("(")[0]
        assert not hasattr(ops.girih, name), f"{name} is there"
        setattr(ops.girih, name, types.SimpleNamespace(schema=schema, tags=tags))

    def impl(self, name, f, key):
        assert key == "CompositeExplicitAutograd"
        getattr(ops.girih, name).default = f


library = types.SimpleNamespace(Library=_Library, register_fake=lambda name, f, lib: setattr(ops, "fake", f))
