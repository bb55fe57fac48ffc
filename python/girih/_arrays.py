"""Arrays of NumPy as coordinates: a(numpy.arange(8)), a(rows, columns), a((i, j), k). They are broadcast, and the offsets
come as an array: by the definition if the layout has strides, of one listing of all offsets if there are about as many
coordinates, and otherwise of each coordinate that differs."""

from __future__ import annotations

import math
from typing import Any, Callable, List, Optional, Tuple

from ._errors import Refused

LIMIT = 1 << 20  # different coordinates that are asked for, and offsets that are listed


def has_array(coord: Any) -> bool:
    """Whether an array is in a coordinate. A number of NumPy, and an array without axes, is an integer."""
    if isinstance(coord, tuple):
        return any(has_array(c) for c in coord)
    return hasattr(coord, "dtype") and getattr(coord, "shape", ()) != ()


def offsets_at(coord: Any, layout: Any, evaluate: Callable[[List[Any]], List[Any]]) -> Any:
    """The offsets of a layout, or another function, at a coordinate with arrays; evaluate has those at coordinates."""
    import numpy

    leaves: List[Any] = []
    form = _leaves(coord, leaves)
    arrays = numpy.broadcast_arrays(*leaves)
    if not arrays[0].size:
        return numpy.zeros(arrays[0].shape, dtype=numpy.int64)
    ends = [int(x.max()) for x in arrays]
    if all(x.min() >= 0 for x in arrays) and hasattr(layout, "tolist"):
        shape = layout.shape
        extents = _extents(form, shape)
        strides = layout.stride if layout.kind == "layout" and extents else None
        if strides is not None and _is_known(strides) and sum(ends) * _largest(strides) < 1 << 62:
            return _sum(form, arrays, shape, strides)
        if extents and math.prod(extents) <= min(LIMIT, 32 * arrays[0].size) and all(e < s for e, s in zip(ends, extents)):
            return numpy.array(layout.tolist(), dtype=numpy.int64)[numpy.ravel_multi_index(arrays, extents, order="F")]
    points, which = numpy.unique(numpy.stack([x.ravel() for x in arrays]), axis=1, return_inverse=True)
    if points.shape[1] > LIMIT:
        raise Refused("limit", f"expected at most {LIMIT} different coordinates, found {points.shape[1]}", "give them in parts")
    offsets = evaluate([_coordinate(form, point) for point in points.T.tolist()])
    if not all(_is_known(x) for x in offsets):
        raise Refused("type", "expected a layout whose offsets are integers, to have an array of them", "ask at one coordinate")
    made = numpy.array(offsets, dtype=numpy.int64)[which.reshape(-1)]
    return made.reshape(arrays[0].shape + made.shape[1:])


def _is_known(x: Any) -> bool:
    """Whether all numbers of a tuple are known."""
    return all(map(_is_known, x)) if isinstance(x, tuple) else type(x) is int


def _largest(stride: Any) -> int:
    return max(map(_largest, stride), default=0) if isinstance(stride, tuple) else abs(stride)


def _sum(form: Any, leaves: List[Any], shape: Any, stride: Any) -> Any:
    """The offset by the definition: the sum of the products of coordinates and strides, where an integer in place of
    several modes counts through them, the last one without bound. The coordinates are not negative."""
    if not isinstance(form, int):
        return sum(_sum(f, leaves, s, d) for f, s, d in zip(form, shape, stride))
    x = leaves[form]
    if not isinstance(shape, tuple):
        return x * stride
    total = 0 * x
    for i, (s, d) in enumerate(zip(shape, stride)):
        size = _size(s) or 1
        total = total + _sum(0, [x if i + 1 == len(shape) else x % size], s, d)
        x = x // size
    return total


def _leaves(coord: Any, leaves: List[Any]) -> Any:
    """The nesting of a coordinate, with the numbers of the leaves that it appends as arrays."""
    import numpy

    if isinstance(coord, tuple):
        return tuple(_leaves(c, leaves) for c in coord)
    if coord is None:
        raise Refused("type", "a slice has no arrays as coordinates", "a.offsets()[rows, :] slices the array of all offsets")
    leaf = numpy.asarray(coord)
    if leaf.dtype.kind not in "iu" or leaf.dtype == numpy.uint64 and leaf.size and leaf.max() >= 1 << 63:
        raise Refused("type", f"expected coordinates that are integers of 64 bits, found {_found(coord, leaf)}", _hint(leaf))
    leaves.append(leaf.astype(numpy.int64))
    return len(leaves) - 1


def _found(coord: Any, leaf: Any) -> str:
    return f"an array of {leaf.dtype}" if leaf.ndim else repr(coord)


def _hint(leaf: Any) -> str:
    return "numpy.nonzero(mask) has the coordinates of a mask" if leaf.dtype.kind == "b" else ""


def _extents(form: Any, shape: Any) -> Optional[Tuple[int, ...]]:
    """The extent of each leaf, which may have several modes of the shape; None if they do not fit."""
    if isinstance(form, int):
        size = _size(shape)
        return None if size is None else (size,)
    if not isinstance(shape, tuple) or len(form) != len(shape):
        return None
    parts = [_extents(f, s) for f, s in zip(form, shape)]
    return None if None in parts else tuple(e for p in parts for e in p or ())


def _size(shape: Any) -> Optional[int]:
    if isinstance(shape, int):
        return shape
    sizes = [_size(s) for s in shape] if isinstance(shape, tuple) else [None]
    return None if None in sizes else math.prod(s or 1 for s in sizes)


def _coordinate(form: Any, point: List[int]) -> Any:
    return point[form] if isinstance(form, int) else tuple(_coordinate(f, point) for f in form)


def crd2idx(coord: Any, shape: Any, stride: Any = None) -> Any:
    """The indices of coordinates with arrays: the offsets of the layout with the shape and the strides."""
    from ._layout import Layout

    return Layout(shape, stride)(coord)


def idx2crd(index: Any, shape: Any, stride: Any = None) -> Any:
    """The coordinates of an array of indices, an array for each mode, in the nesting of the shape."""
    from ._layout import call

    if stride is not None or isinstance(index, tuple):
        raise Refused("type", "idx2crd takes an array of indices with a shape, and no strides", "idx2crd of one index takes strides")
    leaves: List[Any] = []
    _leaves(index, leaves)
    call("size", (shape,))  # refuses what is no shape
    if leaves[0].size and leaves[0].min() < 0 or not _is_known(shape):
        raise Refused("type", "idx2crd takes an array of indices that are not negative, and a tuple of integers as the shape")
    return _digits(leaves[0], shape)


def _digits(x: Any, shape: Any) -> Any:
    """An index taken apart, the last digit without bound."""
    if not isinstance(shape, tuple):
        return x
    digits = []
    for i, s in enumerate(shape):
        size = _size(s) or 1
        digits.append(_digits(x if i + 1 == len(shape) else x % size, s))
        x = x // size
    return tuple(digits)


OF_ARRAYS = {"crd2idx": crd2idx, "idx2crd": idx2crd}  # the functions of the language that take arrays
