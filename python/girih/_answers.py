"""The operations of the command line, and their answers."""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, List, Mapping, Optional, Sequence

from . import _foreign
from ._child import child
from ._errors import Error, Refused
from ._layout import settings, text


class Answer:
    """What an operation answers: str(r) is the report of the command line, and r.name or r["name"] a field of it.

    r.json is all of it, as docs/commands.md has it. An answer is true if nothing is wrong: where the command line would
    exit with 0.
    """

    def __init__(self, json: Mapping[str, Any], text: str = "", files: Sequence[str] = (), failed: bool = False):
        self.json = json
        self._failed = failed
        self._words = text
        self._files = files

    @property
    def arrays(self) -> List[Any]:
        """The buffers that a run was asked for with out, as arrays of NumPy."""
        import base64
        import io

        import numpy

        return [numpy.load(io.BytesIO(base64.b64decode(f))) for f in self._files]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "json":
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the answer has no {name}, but {', '.join(self.json)}") from None

    def __getitem__(self, name: str) -> Any:
        return _field(self.json[name])

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self.json]

    def __contains__(self, name: object) -> bool:
        return name in self.json

    def __bool__(self) -> bool:
        return not self._failed and bool(self.json.get("ok", True))

    def __str__(self) -> str:
        return self._words.rstrip("\n") if self._words else json.dumps(self.json, indent=1)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        import html

        pictures = "".join(p["text"] for p in self.json.get("pictures", ()) if p.get("text", "").startswith("<svg"))
        return f'<pre style="line-height:1.3">{html.escape(str(self))}</pre>{pictures}'


def _field(x: Any) -> Any:
    if isinstance(x, dict):
        return Answer(x)
    return [_field(y) for y in x] if isinstance(x, list) else x


class Picture(Answer):
    """A picture: a notebook shows it, and save writes it."""

    @property
    def data(self) -> bytes:
        """The content of the file."""
        import base64

        return base64.b64decode(self.json["data"]) if "data" in self.json else self.json["text"].encode()

    def save(self, path: Any) -> None:
        """Writes the picture. If that fails, a file that was there is as it was."""
        part = f"{os.fspath(path)}.{os.getpid()}.part"
        try:
            with open(part, "wb") as f:
                f.write(self.data)
            os.replace(part, path)
        except OSError as e:
            try:
                os.unlink(part)
            except OSError:
                pass  # it was not made
            raise Error("file", f"the picture cannot be written to {os.fspath(path)}: {e.strerror}") from e

    def _repr_svg_(self) -> Optional[str]:
        return self.json["text"] if self.json.get("format") == "svg" else None

    def _repr_png_(self) -> Optional[bytes]:
        return self.data if self.json.get("format") == "png" else None

    def _repr_html_(self) -> Optional[str]:  # type: ignore[override]
        return None

    def __str__(self) -> str:
        if self.json.get("format") == "txt":
            return self.json["text"]
        return f"<girih.Picture {self.json['as']} of {self.json.get('value', '')}, {self.json['format']}>"

    __repr__ = __str__


def ask(operation: str, /, **arguments: Any) -> Any:
    """The answer of an operation. Its arguments are those of the function of the operation; the values of set are run-time integers."""
    with_ = {k[:-1] if k.endswith("_") else k: (settings if k == "set" else _argument)(v) for k, v in arguments.items() if v is not None}
    drawn = operation == "draw"
    told = child.ask({"do": operation, "with": with_, "words": not drawn, "folder": _folder(arguments.get("run"))})
    answer = told["answer"]
    if told.get("refused") or drawn and not answer["ok"]:
        raise Refused.of(answer["error"])
    if drawn:
        return Picture(answer)
    return Answer(answer, told.get("text", ""), told.get("files", ()), told.get("failed", False))


def _folder(run: Any) -> str:
    """The folder of the files that the description of a run names: its own, or where Python is now."""
    try:
        return os.path.dirname(os.path.abspath(run)) if isinstance(run, os.PathLike) else os.getcwd()
    except OSError:
        return ""  # it has been removed


def _argument(v: Any) -> Any:
    """An argument as JSON. A path is the content of its file."""
    if isinstance(v, os.PathLike):
        return _foreign.content(v)
    if isinstance(v, (bool, int, float)):
        return v
    if isinstance(v, (list, range)):
        return [_argument(x) for x in v]
    return text(v)
