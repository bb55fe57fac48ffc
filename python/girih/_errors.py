"""The errors of girih."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, List, Mapping, Optional


@dataclass(frozen=True)
class Witness:
    """Where an operation fails. Coordinates and values are texts in the notation of girih."""

    coord: str
    index: int
    value: str
    want: str
    other: Optional[str] = None


class Error(Exception):
    """All errors of girih.

    code: a word for programs: syntax, type, not_representable, limit, ...; girih.help(code) explains it
    message: what was expected and what was found, with the numbers
    witness: the first place that fails, if the error has one
    hint: what would work instead, or ""
    expr: the expression that has no value, if it was one: girih.explain(e.expr) says why, as girih.why(e) does
    """

    expr: Optional[str] = None
    set: Optional[Mapping[str, int]] = None  # the values of its run-time integers

    def __init__(self, code: str, message: str, hint: str = "", witness: Optional[Witness] = None):
        super().__init__(code, message, hint, witness)
        self.code = code
        self.message = message
        self.hint = hint
        self.witness = witness

    def __str__(self) -> str:
        text = f"{self.code}: {self.message}"
        if self.hint:
            text += f"\nhint: {self.hint}"
        return text

    def _render_traceback_(self) -> List[str]:
        """What a notebook shows: the lines of the user, and the error."""
        import traceback

        here = os.path.dirname(os.path.abspath(__file__))
        lines = []
        for f in traceback.extract_tb(self.__traceback__):
            if os.path.dirname(f.filename) != here and "IPython" not in f.filename:
                cell = "ipykernel" in f.filename or f.filename.startswith("<")
                place = "cell" if cell else f'"{f.filename}"'
                lines += [f"{place}, line {f.lineno}, in {f.name}", f"    {f.line}"]
        return [*lines, f"girih.{type(self).__name__}: {self}"]


class Refused(Error):
    """There is no answer: girih says why not."""

    @classmethod
    def of(cls, error: Any) -> Refused:
        """The error of an answer, as JSON has it."""
        w = error.get("witness")
        return cls(error["code"], error["message"], error.get("hint", ""), Witness(**w) if w else None)


class ProgramError(Error):
    """The program girih is missing, is another one, or ended."""

    def __init__(self, message: str, hint: str = ""):
        super().__init__("program", message, hint)

    def __reduce__(self) -> Any:
        return ProgramError, (self.message, self.hint)
