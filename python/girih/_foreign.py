"""Objects of other libraries: arrays, element types, and layouts of PyCuTe, tensor-layouts, Triton and the CuTe DSL.

No library is imported: an object is known by the module of its class, and read by its attributes or its printed form.
"""

from __future__ import annotations

import os
import traceback
from typing import Any, Optional

from ._errors import Error, Refused

LIBRARIES = ("pycute", "tensor_layouts", "triton", "cutlass")


def library(x: Any) -> str:
    """The library that an object is of."""
    roots = [(c.__module__ or "").partition(".")[0] for c in type(x).__mro__]
    return next((r for r in roots if r in LIBRARIES), roots[0])


def text(x: Any) -> str:
    """An object in the notation of girih."""
    if isinstance(x, type):
        return _type(x)
    if hasattr(x, "tolist") and hasattr(x, "dtype"):
        return _numbers(x)
    if hasattr(type(x), "__index__"):
        return str(x.__index__())
    known = library(x)
    if known in ("numpy", "torch", "ml_dtypes"):
        return _type(x)
    if isinstance(x, Error):
        return str(x)
    if isinstance(x, BaseException):
        return "".join(traceback.format_exception(type(x), x, x.__traceback__))
    if known in ("pycute", "tensor_layouts"):
        return _strided(x)
    if known == "triton":
        return _triton(x)
    if known in LIBRARIES:
        return str(x)
    raise Refused("type", f"expected a layout, an integer, a tuple or a text, found {type(x).__module__}.{type(x).__qualname__}")


def _numbers(x: Any) -> str:
    """An integer of NumPy, or an array of integers as a tuple or a matrix of them."""
    from ._layout import text as text_of

    if str(x.dtype).rpartition(".")[2].startswith(("float", "complex", "bfloat", "object")):
        hint = "girih.Layout(x) is the layout of its memory" if getattr(x, "shape", ()) != () else ""
        raise Refused("type", f"expected integers, found {'an array' if hint else 'a number'} of {x.dtype}", hint)
    return text_of(x.tolist())


def memory(x: Any) -> Optional[str]:
    """The layout in memory of an array or a tensor, in elements; None of other objects."""
    if not (hasattr(x, "dtype") and hasattr(x, "shape")) or x.shape == () and not callable(getattr(x, "stride", None)):
        return None
    from ._layout import text as text_of

    if callable(getattr(x, "stride", None)):  # PyTorch
        return f"{text_of(tuple(x.shape))}:{text_of(tuple(x.stride()))}"
    if hasattr(x, "strides") and hasattr(x, "itemsize"):
        if any(s % x.itemsize for s in x.strides):
            raise Refused("divisibility", f"expected strides that are multiples of {x.itemsize} bytes, found {x.strides}")
        return f"{text_of(tuple(x.shape))}:{text_of(tuple(s // x.itemsize for s in x.strides))}"
    return None


def _type(x: Any) -> str:
    """The name of a type of elements: torch.float16, numpy.float16, cutlass.Float16."""
    if x in (float, int, bool, complex):
        wide, narrow = ("numpy.float64", "f32") if x in (float, complex) else ("numpy.int64", "s32")
        raise Refused("type", f"expected a type of elements, found {x.__name__} of Python", f'{wide} or "{narrow}"? NumPy and C++ differ')
    name = getattr(x, "__name__", None) or getattr(x, "name", None) or str(x)
    return str(name).rpartition(".")[2]


def _strided(x: Any) -> str:
    """A layout with shape and stride, and perhaps a swizzle, or a swizzle, or a composition of them."""
    from ._layout import text as text_of

    if hasattr(x, "outer") and hasattr(x, "inner"):  # of tensor-layouts: outer(preoffset + inner(c))
        return f"{text_of(x.outer)} o {x.preoffset} o {text_of(x.inner)}"
    if hasattr(x, "bits") and hasattr(x, "base") and hasattr(x, "shift"):
        return f"Sw<{x.bits},{x.base},{x.shift}>"
    if hasattr(x, "layoutB") and hasattr(x, "layoutA"):  # of PyCuTe
        return f"{text_of(x.layoutB)} o {x.offset} o {text_of(x.layoutA)}"
    if not hasattr(x, "stride"):
        return str(getattr(x, "name", x))  # an instruction
    plain = f"{text_of(_nested(x.shape))}:{text_of(_nested(x.stride))}"
    swizzle = getattr(x, "swizzle", None)
    return plain if swizzle is None else f"{text_of(swizzle)} o 0 o {plain}"


def _nested(x: Any) -> Any:
    return tuple(_nested(y) for y in x) if isinstance(x, (tuple, list)) else x


def _triton(x: Any) -> str:
    """A layout of Gluon prints its fields; a type of Triton its name."""
    if type(x).__name__ == "constexpr":
        from ._layout import text as text_of

        return text_of(x.value)
    if hasattr(x, "bases") and hasattr(x, "out_dims"):  # a linear layout
        inputs = "".join(f"{name}={_brackets(rows)}, " for name, rows in x.bases)
        return f"linear{{{inputs}out=[{','.join(f'{name}:{size}' for name, size in x.out_dims)}]}}"
    return str(x) if type(x).__name__ == "dtype" else repr(x)


def _brackets(x: Any) -> str:
    return str([list(row) for row in x]).replace(" ", "")


def content(path: Any) -> str:
    """The text of a file."""
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read()
    except OSError as e:
        raise Error("file", f"{os.fspath(path)} cannot be read: {e.strerror}") from None
