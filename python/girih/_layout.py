"""Values and calls. A value holds its canonical text; what it is asked for, the program computes."""

from __future__ import annotations

import json
import operator
import re
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _arrays, _foreign, _operations
from ._child import child
from ._errors import Error, Refused
from ._operations import Methods

Operand = Any  # a value, an integer, a tuple, a text in the notation of girih, or an object of another library


class Value(Methods):
    """A value of the language: a layout, a swizzle, an MMA, a linear layout, ...

    str(v) is its canonical text, v.kind the kind of the value, and v.notes what a reader should know about how it
    was computed. The functions of girih are its methods: v.size() is girih.size(v).
    """

    __slots__ = ("_text", "kind", "notes")
    _text: str
    kind: str
    notes: Tuple[str, ...]

    def __init__(self, x: Operand):
        made = evaluate(text(x))
        if not isinstance(made, type(self)):
            name = type(self).__name__.lower()
            raise Refused("type", f"expected {'an' if name[0] == 'i' else 'a'} {name}, found {_named(made)}")
        self._set(made._text, made.kind, made.notes)

    def _set(self, text: str, kind: str, notes: Sequence[str]) -> None:
        object.__setattr__(self, "_text", text)
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "notes", tuple(notes))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a {type(self).__name__} does not change: there is no setting {name}")

    def __reduce__(self) -> Any:
        return _restore, (type(self), self._text, self.kind, self.notes)

    def __str__(self) -> str:
        return self._text

    def __format__(self, spec: str) -> str:
        return format(self._text, spec)

    def __repr__(self) -> str:
        shown = repr(self._text) if '"' in self._text else f'"{self._text}"'
        return f"girih.{type(self).__name__}({shown})"

    def __call__(self, *coord: Any) -> Any:
        """The offset at an index or a coordinate. None leaves a mode as it is: a(1, None) is a slice.

        Arrays of integers are coordinates as in NumPy, and give an array of offsets: a(numpy.arange(8)), a(rows, columns).
        As in CuTe C++, a coordinate outside of the shape counts on, and -1 is the one before 0, not the last.
        """
        crd = coord[0] if len(coord) == 1 else coord
        if _arrays.has_array(crd):
            return _arrays.offsets_at(crd, self, self._offsets_at)
        return call("eval", (self, crd))

    def _offsets_at(self, coords: Sequence[Any]) -> List[Any]:
        values = eval_many((f"eval({self._text},{text(c)})" for c in coords), errors="return")
        for v in values:
            if isinstance(v, Refused):
                raise v
        return values

    def __matmul__(self, other: Operand) -> Any:
        """a @ b is the composition a o b: first b, then a."""
        return call("composition", (self, other))

    def __rmatmul__(self, other: Operand) -> Any:
        return call("composition", (other, self))

    def __truediv__(self, tiler: Operand) -> Any:
        """a / t is logical_divide(a, t)."""
        return call("logical_divide", (self, tiler))

    def __mul__(self, tiler: Operand) -> Any:
        """a * t is logical_product(a, t)."""
        return call("logical_product", (self, tiler))

    def __getitem__(self, mode: Union[int, Tuple[int, ...]]) -> Any:
        """Mode i; a[1, 0] is mode 0 of mode 1, and a[-1] the last mode."""
        given = mode if isinstance(mode, tuple) else (mode,)
        if any(isinstance(m, (slice, bool)) for m in given):
            raise TypeError("a mode is an integer: a[0], a[1, 0]; girih.take(a, begin, end) takes several")
        path = tuple(operator.index(m) for m in given)
        if any(m < 0 for m in path[1:]):
            raise IndexError("only the first mode of a path may be counted from the end")
        if path[0] < 0 or path[0] >= 1 << 20:
            rank = len(self)
            if not -rank <= path[0] < rank:
                raise IndexError(f"there is no mode {path[0]} of {rank}")
            path = (path[0] % rank,) + path[1:]
        try:
            return call("get", (self, *path))
        except Refused as e:
            if len(path) == 1 and path[0] >= len(self):
                raise IndexError(f"there is no mode {path[0]} of {len(self)}") from e
            raise

    def __len__(self) -> int:
        """The number of modes."""
        return call("rank", (self,))

    def __bool__(self) -> bool:
        """A value is there, whatever the number of its modes, and without any."""
        return True

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> Any:
        """Whether two layouts are the same function of indices; other values are equal if their texts are."""
        if not isinstance(other, Value):
            return NotImplemented
        if self._text == other._text:
            return True
        if isinstance(self, Layout) and isinstance(other, Layout):
            return call("equivalent", (self, other))
        return False

    __hash__ = None  # type: ignore[assignment]  # layouts with different texts may be equal: use str(a) as a key

    def _repr_svg_(self) -> Optional[str]:
        """The picture in a notebook, None of a value that has none."""
        try:
            return _operations.draw(self, format="svg").text
        except Error:
            return None


class Layout(Value):
    """A layout: Layout("(4,8):(8,1)"), Layout((4, 8), (8, 1)), or Layout((4, 8)), which is column-major.

    Layout(x) also takes an array of NumPy or a tensor of PyTorch, whose layout in memory it is, in elements, and
    layouts of the CuTe DSL, PyCuTe, tensor-layouts and Triton.
    """

    __slots__ = ()

    def __init__(self, shape: Operand, stride: Operand = None):
        shape, stride = _tuples(shape), _tuples(stride)
        if stride is not None:
            shape = f"make_layout({text(shape)},{text(stride)})"
        elif isinstance(shape, (int, tuple)) or _is_number(shape):
            shape = f"make_layout({text(shape)})"
        else:
            shape = _foreign.memory(shape) or shape
        super().__init__(shape)

    @classmethod
    def from_offsets(cls, offsets: Any) -> Any:
        """The layout with these offsets, at the indices 0, 1, ...; of an array with axes, at its coordinates."""
        extents = tuple(getattr(offsets, "shape", ()))
        if len(extents) < 2:
            return call("recognize", (list(offsets),))
        flat = [int(x) for x in offsets.flatten(order="F")]
        return evaluate(f"with_shape(recognize({text(flat)}),{text(extents)})")

    @property
    def shape(self) -> Any:  # type: ignore[override]
        """The extents, as nested tuples."""
        return call("shape", (self,))

    @property
    def stride(self) -> Any:  # type: ignore[override]
        """The strides, as nested tuples."""
        return call("stride", (self,))

    def tolist(self) -> List[int]:
        """The offsets at the indices 0, 1, ..., size - 1, of 1048576 elements at most."""
        return list(call("offsets", (self,)))

    def offsets(self) -> Any:  # type: ignore[override]
        """The offsets as an array of NumPy with an axis for each mode: a.offsets()[i, j] is a(i, j). The layout has 1048576
        elements at most; a(rows, columns) has the offsets of a part of a larger one."""
        try:
            import numpy
        except ImportError:
            raise Error("type", "offsets() returns an array of NumPy, which is not installed", "a.tolist() has the offsets") from None
        sizes = (call("size", (self,)),) if len(self) == 1 else tuple(m.size() for m in self)
        listed = numpy.array(self.tolist(), dtype=numpy.int64)
        return listed.reshape(sizes + listed.shape[1:], order="F")

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if copy is False:
            raise ValueError("the array of the offsets is always a new one")
        return self.offsets() if dtype is None else self.offsets().astype(dtype)


class Swizzle(Value):
    """A swizzle: Swizzle(3, 4, 3), or Swizzle("Sw<3,4,3>"). It is a function: s(8), s @ a."""

    __slots__ = ()

    def __init__(self, bits: Operand, base: Optional[int] = None, shift: Optional[int] = None):
        super().__init__(bits if base is None or shift is None else f"Sw<{bits},{base},{shift}>")


class Integer(Value):
    """An integer that is known at run time only: size((M,64)) is 64M. It is added, subtracted, multiplied, and divided by // and %;
    girih.eval(n, set={"M": 8}) is its value."""

    __slots__ = ()
    __truediv__ = None  # type: ignore[assignment]
    __array_ufunc__ = None  # so that numbers of NumPy leave the operations to it

    def __add__(self, x: Operand) -> Any:
        return _computed(self, "a + b", x)

    def __radd__(self, x: Operand) -> Any:
        return _computed(x, "a + b", self)

    def __sub__(self, x: Operand) -> Any:
        return _computed(self, "a - b", x)

    def __rsub__(self, x: Operand) -> Any:
        return _computed(x, "a - b", self)

    def __mul__(self, x: Operand) -> Any:
        return _computed(self, "a * b", x)

    def __rmul__(self, x: Operand) -> Any:
        return _computed(x, "a * b", self)

    def __floordiv__(self, x: Operand) -> Any:
        return _computed(self, "floor(a/b)", x)

    def __mod__(self, x: Operand) -> Any:
        return _computed(self, "mod(a,b)", x)


def _computed(a: Any, operation: str, b: Any) -> Any:
    """An operation on integers, one of which is known at run time only. Parentheses would make tuples of them."""
    for x in (a, b):
        if isinstance(x, bool) or not (isinstance(x, (int, Integer)) or _is_number(x)):
            return NotImplemented
    names = re.sub(r"\b[ab]\b", r"girih_\g<0>", operation)  # names that no run-time integer has
    return evaluate(f"let girih_a = {text(a)}; let girih_b = {text(b)}; {names}")


_CLASSES = {"layout": Layout, "composed_layout": Layout, "xor_layout": Layout, "swizzle": Swizzle, "int": Integer}


def _restore(cls: type, text: str, kind: str, notes: Sequence[str]) -> Value:
    v: Value = object.__new__(cls)
    v._set(text, kind, notes)
    return v


def _is_number(x: Any) -> bool:
    """Whether an object is an integer of NumPy, or an array of one without axes."""
    return hasattr(x, "dtype") and getattr(x, "shape", None) == () and hasattr(x, "__index__") and not hasattr(x, "untyped_storage")


def _named(x: Any) -> str:
    return f"a {x.kind.replace('_', ' ')}: {x}" if isinstance(x, Value) else f"{type(x).__name__}: {x}"


# Texts.


def text(x: Operand) -> str:
    """An operand in the notation of girih."""
    if isinstance(x, Value):
        return x._text
    if isinstance(x, str):
        return x
    if x is None:
        return "_"
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, int):
        if x.bit_length() > 4096:  # Python has no text of numbers far above
            raise Refused("overflow", f"an integer of {x.bit_length()} bits does not fit in 64 bits")
        return int.__repr__(x)
    if isinstance(x, tuple):
        return _tuple([text(y) for y in x])
    if isinstance(x, (list, range)):
        rows: Any = x
        if x and all(isinstance(row, list) for row in rows):  # of a matrix
            return "[" + ",".join(f"[{','.join(text(y) for y in row)}]" for row in rows) + "]"
        return _tuple([text(y) for y in x])
    return _foreign.text(x)


def _tuple(parts: List[str]) -> str:
    """A tuple with layouts is a tiler, by mode."""
    if any(":" in p for p in parts):
        return "<" + ",".join(parts) + ">"
    return "(" + ",".join(parts) + ")"


_INTEGERS = re.compile(r"[-0-9(){},]*")


def _plain(value: str) -> Any:
    """The integers, tuples and lists of a text, None if it has something else. Sets of numbers are lists."""
    if not _INTEGERS.fullmatch(value):
        return None
    is_list = value.startswith("{")
    try:
        made = json.loads(value.translate(_BRACKETS))
    except ValueError:
        return None
    return made if is_list else _tuples(made)


_BRACKETS = str.maketrans("(){}", "[][]")


def _tuples(x: Any) -> Any:
    return tuple(_tuples(y) for y in x) if isinstance(x, (list, tuple)) else x


# Calls.


def of_answer(answer: Mapping[str, Any]) -> Any:
    """The value of an answer of eval: integers, truth values and tuples are Python's."""
    if not answer["ok"]:
        raise Refused.of(answer["error"])
    kind = answer["kind"]
    if kind == "none":
        raise Refused("syntax", "expected an expression, found nothing")
    value = answer["value"]
    if kind == "bool":
        return value == "true"
    if kind == "int":
        made = _plain(value)
        if made is not None:
            return made
    elif kind in ("tuple", "list"):
        made = _plain(value)
        if made is not None:
            return made
        if kind == "list":
            return tuple(evaluate(part) for part in _parts(value))
    notes = [n for n in answer.get("notes", ()) if not n.startswith("read as ")]
    return _restore(_CLASSES.get(kind, Value), value, kind, notes)


def _parts(value: str) -> List[str]:
    """What is between the commas of a list, but not of values in it."""
    parts, depth, begin = [], 0, 1
    for i, c in enumerate(value):
        depth += (c in "({[") - (c in ")}]")
        if c == "," and depth == 1 or depth == 0:
            parts.append(value[begin:i])
            begin = i + 1
    return parts


def evaluate(expr: Operand, *, set: Optional[Mapping[str, int]] = None) -> Any:
    """The value of an expression; statements may come before it: let a = 8:1; a o 4:2."""
    with_: Dict[str, Any] = {"expr": text(expr)}
    if set:
        with_["set"] = settings(set)
    try:
        return of_answer(child.ask({"do": "eval", "with": with_})["answer"])
    except Refused as e:
        e.expr, e.set = with_["expr"], set
        raise


def settings(values: Any) -> Any:
    """The values of run-time integers, as --set has them."""
    if not isinstance(values, Mapping):
        raise TypeError(f'set: expected a dictionary, set={{"M": 4}}, found {values!r}')
    for name, value in values.items():
        if isinstance(value, bool) or not hasattr(type(value), "__index__"):
            raise TypeError(f"set: expected an integer as the value of {name}, found {value!r}")
    return [f"{name}={operator.index(value)}" for name, value in values.items()]


BATCH = 500  # expressions in a request of eval_many, of about as many bytes as BATCH_BYTES
BATCH_BYTES = 1 << 20


def eval_many(exprs: Iterable[Operand], *, errors: str = "raise") -> List[Any]:
    """The values of many expressions, faster than one by one. With errors="return" an expression without a value has
    its error in the place of the value."""
    if errors not in ("raise", "return"):
        raise ValueError(f'expected errors="raise" or errors="return", found {errors!r}')
    texts = [text(e) for e in exprs]
    values: List[Any] = []
    while len(values) < len(texts):
        batch: List[Dict[str, str]] = []
        room = BATCH_BYTES
        for t in texts[len(values) : len(values) + BATCH]:
            if room < 0:
                break
            room -= len(t)
            batch.append({"expr": t})
        for answer in child.ask({"do": "eval", "each": batch})["answers"]:
            try:
                values.append(of_answer(answer))
            except Refused as e:
                if errors == "raise":
                    e.message = f"expression {len(values)}, {texts[len(values)]}: {e.message}"
                    raise
                values.append(e)
    return values


def call(name: str, required: tuple, optional: tuple = (), named: Optional[Mapping[str, Any]] = None) -> Any:
    """The value of a function of the language."""
    if name in _arrays.OF_ARRAYS and _arrays.has_array(required[0]):
        return _arrays.OF_ARRAYS[name](*required, *optional)
    operands = list(required)
    last = max((i for i, x in enumerate(optional) if x is not None), default=-1)
    operands += optional[: last + 1]
    texts = [_written(name, x) for x in operands]
    texts += [f"{k}={_written(name, v)}" for k, v in (named or {}).items()]
    return evaluate(f"{name}({','.join(texts)})")


def _written(name: str, x: Operand) -> str:
    """An operand of a function: a quotient of two has the word "/" before them, and classes of the CuTe DSL have the truth values of Python."""
    if isinstance(x, bool) and name[0].isupper():
        return str(x)
    if isinstance(x, tuple) and x and isinstance(x[0], str) and x[0] == "/":
        return f"{text(x[1])}/{text(x[2])}"
    return text(x)
