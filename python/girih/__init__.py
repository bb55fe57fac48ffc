"""girih computes with the layouts of GPU kernels (CuTe): exactly, or it says why not.

    >>> import girih as g
    >>> a = g.Layout("(6,2):(8,2)")
    >>> a @ "(4,3):(3,1)"
    girih.Layout("((2,2),3):((24,2),8)")

Operands are values of girih, integers, tuples, texts in the notation of girih, arrays of NumPy, and layouts of PyCuTe,
tensor-layouts, Triton and the CuTe DSL. docs/python.md of girih is the manual.
"""

from __future__ import annotations

import builtins as _builtins
from typing import TYPE_CHECKING, Any, Mapping, Optional

from . import _operations
from ._answers import Answer, Picture
from ._check import check, lint, sim
from ._child import Call as _Call
from ._child import child as _answering
from ._child import current as _current
from ._child import explorer as _explorer
from ._errors import Error, ProgramError, Refused, Witness
from ._layout import Integer, Layout, Swizzle, Value, call, eval_many, evaluate
from ._operations import *  # noqa: F403
from ._operations import VERSION as __version__


def eval(expr: Any, *coord: Any, set: Optional[Mapping[str, int]] = None) -> Any:
    """The value of an expression in the notation of girih: eval("(4,8):(8,1) o 4:2").

    Integers, truth values, tuples and lists are Python's. With coordinates it is the offset of a layout there:
    eval(a, 1, 2) is a(1, 2). set has the values of run-time integers: eval("size((M,8):(8,1))", set={"M": 4}).
    """
    if coord:
        return call("eval", (expr, *coord))
    return evaluate(expr, set=set)


def draw(expr: Any, **options: Any) -> Picture:
    """Draws a value. The options are those of girih draw, such as as_="tv", tile="(16,8)", theme="dark", type="f16";
    format is svg if it is not given.
    """
    options.setdefault("format", "svg")
    return _operations.draw(expr, **options)  # type: ignore[return-value]


def why(text: Any, *, steps: Optional[bool] = None) -> Answer:
    """Says what failed in a pasted compiler error, exception or dump, and what works.

    text: what was printed, from the first error on; a path of a file with it; or an exception. Of an error of girih it
        explains the expression, or the code of the error.
    """
    if not isinstance(text, Error):
        return _operations.why(text, steps=steps)
    if text.expr is not None:
        try:
            return _operations.explain(text.expr, set=text.set)
        except Refused:
            pass  # what cannot be read cannot be derived
    return _operations.help(text.code)


def explore(expr: Any = None, *, open: bool = True) -> str:
    """Opens the explorer in a browser, with a value, and returns its address. It ends with Python."""
    import webbrowser
    from urllib.parse import quote

    from ._layout import text

    answer = _explorer.ask({"do": "explore"})["answer"]
    if not answer["ok"]:
        raise Refused.of(answer["error"])
    url = answer["url"]
    if expr is not None:
        url += "#e=" + quote(text(expr), safe="(),:<>@")
    if open:
        webbrowser.open(url)
    return url


if not TYPE_CHECKING:
    draw.__wrapped__ = _operations.draw  # for the signature, and the completion of options
    draw.__doc__ = (draw.__doc__ or "") + (_operations.draw.__doc__ or "").partition("\n")[2]

    def __getattr__(name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"module 'girih' has no attribute {name!r}")
        from . import _names

        raise AttributeError(_names.unknown(name, __all__))


class _Aio:
    """The functions of girih for asyncio: await girih.aio.check(...). A call that is cancelled ends."""

    def __getattr__(self, name: str) -> Any:
        do: Any = globals().get(name)
        if name.startswith("_") or not callable(do):
            raise AttributeError(f"girih has no function {name}")

        async def call(*args: Any, **named: Any) -> Any:
            import asyncio  # half of the time of import girih

            under_way = _Call()
            token = _current.set(under_way)
            try:
                return await asyncio.to_thread(do, *args, **named)
            except asyncio.CancelledError:
                under_way.cancel()
                raise
            finally:
                _current.reset(token)

        call.__name__, call.__doc__ = name, do.__doc__
        return call


aio = _Aio()


def close() -> None:
    """Ends the program that girih asks. The next call starts it again."""
    _answering.close()
    _explorer.close()


__all__ = [
    "Answer", "Error", "Integer", "Layout", "Picture", "ProgramError", "Refused", "Swizzle", "Value", "Witness",
    "aio", "check", "close", "draw", "eval_many", "explore", "lint", "sim", "why",
]  # fmt: skip
__all__ += _operations.__all__  # in a form that type checkers read
if not TYPE_CHECKING:
    __all__ = [n for n in __all__ if not hasattr(_builtins, n)]
