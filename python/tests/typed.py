"""Calls as type checkers see them: mypy --strict typed.py."""

from typing import Any, List

import girih as g

a: g.Layout = g.Layout((4, 8), (8, 1))
b: g.Layout = g.coalesce(a)
c: g.Layout = g.logical_divide(a, (2, None))
n: int = a.size()
yes: bool = g.is_injective(a)
s: g.Swizzle = g.make_swizzle(3, 4, 3)
offset: Any = a(1, 2)
picture: g.Picture = g.draw(a, theme="dark")
answer: g.Answer = g.bank(a, "f16", ["ldmatrix.x4"], set={"M": 4})
checked: g.Answer = g.check("", [None, 1.5], grid=(1, 2), seeds=4)
reason: g.Answer = g.why("text")
values: List[Any] = g.eval_many(["1", a])
names: List[str] = g.__all__


async def later() -> g.Answer:
    done: g.Answer = await g.aio.check("")
    return done


try:
    g.complement(a)
except g.Refused as e:
    code: str = e.code
    want: str = e.witness.want if e.witness else e.hint
g.nothing  # type: ignore[attr-defined]
g.coalesce()  # type: ignore[call-arg]
g.bank(a, "f16", "ld", dtype=1)  # type: ignore[call-arg]
