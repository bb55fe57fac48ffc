"""The program girih, as a child that answers requests: a JSON object a line in, a JSON object a line out.

There is one child for each process. It starts with the first call and ends with its input, so that nothing is left when
Python ends, however Python ends. Calls from several threads are under way at the same time: one of the waiting threads
reads, and hands the answers of the others over.

What ends early is safe to ask again, because requests change nothing: after Ctrl-C the child, which may be in the middle
of a line, is ended, and the calls of other threads go on with the next child. After a fork the new process has a child of
its own.
"""

from __future__ import annotations

import atexit
import contextvars
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from typing import Any, Dict, List, Optional, Tuple

from ._errors import Error, ProgramError
from ._operations import VERSION

PROTOCOL = 1
GREETING_SECONDS = 30  # how long a program may take to say that it is girih

NAME = "girih.exe" if os.name == "nt" else "girih"


def program() -> str:
    """The path of the program: of the variable GIRIH, of the installed package, or found on PATH."""
    if os.environ.get("GIRIH"):
        return os.environ["GIRIH"]
    site = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    places = [os.path.join(site, "bin", NAME)]  # pip install --target
    try:
        with open(os.path.join(site, f"girih-{VERSION}.dist-info", "RECORD"), encoding="utf-8") as record:
            names = [line.split(",")[0].strip('"') for line in record]
        places = [os.path.join(site, n) for n in names if os.path.basename(n) == NAME] + places
    except OSError:
        pass  # the package is not installed, as in a checkout
    for place in places:
        if os.path.exists(place):
            return os.path.normpath(place)
    found = shutil.which("girih")
    if found:
        return found
    raise ProgramError(
        f"the program girih {VERSION} is missing: it is not at {os.path.normpath(places[0])} and not on PATH",
        "install the wheel again, or set the environment variable GIRIH to the path of the program",
    )


class _Stopped(Exception):
    """This process ended the child: ask the next one."""


class _Run:
    """One run of the program."""

    def __init__(self) -> None:
        self.path = program()
        self.errors = _scratch()
        self.writing = threading.Lock()
        self.turn = threading.Condition()  # guards what follows
        self.reading = False  # a thread reads
        self.answers: Dict[int, bytes] = {}  # read for other threads
        self.ended: Optional[Exception] = None
        self.rest = b""  # read, and not yet a line
        self.process = self._start()
        self.input: Any = self.process.stdin
        self.output: Any = self.process.stdout
        self._greet()

    def _start(self) -> subprocess.Popen:
        apart: Dict[str, Any] = {"start_new_session": True}  # Ctrl-C is for Python
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
        try:
            return subprocess.Popen(
                [self.path, "lines"], bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, **apart
            )
        except OSError as e:
            if self.errors != subprocess.DEVNULL:
                self.errors.close()
            raise ProgramError(f"the program {self.path} does not start: {e.strerror or e}") from None

    def _greet(self) -> None:
        """Reads the first line, which says which girih it is."""
        timer = threading.Timer(GREETING_SECONDS, self.process.kill)
        timer.daemon = True
        timer.start()
        try:
            line = self._line()
        except BaseException:
            self.stop()
            raise
        finally:
            timer.cancel()
        try:
            hello = json.loads(line)
            version, protocol = hello["girih"], hello["lines"]
        except (ValueError, KeyError, TypeError):
            said = self._said()
            self.stop()
            raise ProgramError(f"the program {self.path} is not girih {VERSION}" + (f": {said}" if said else "")) from None
        if version != VERSION or protocol != PROTOCOL:
            self.stop()
            raise ProgramError(f"the package girih {VERSION} needs the program of its version, found {version} at {self.path}")

    def _line(self) -> bytes:
        """The next line; b"" at the end."""
        parts: List[bytes] = []
        piece = self.rest
        while True:
            end = piece.find(b"\n") + 1
            if end:
                self.rest = piece[end:]
                parts.append(piece[:end])
                return b"".join(parts)
            parts.append(piece)
            piece = self.output.read(1 << 16)
            if not piece:
                self.rest = b""
                return b""

    def alive(self) -> bool:
        return self.ended is None and self.process.poll() is None

    def wait(self, number: int) -> bytes:
        """The line that answers a request which was written."""
        with self.turn:
            while True:
                if number in self.answers:
                    return self.answers.pop(number)
                if self.ended:
                    raise self.ended
                if not self.reading:
                    break
                self.turn.wait()
            self.reading = True
        try:
            return self._read_until(number)
        finally:
            with self.turn:
                self.reading = False
                if self.ended:
                    self._close()
                self.turn.notify_all()

    def _read_until(self, number: int) -> bytes:
        while True:
            line = self._line()
            if not line:
                with self.turn:
                    self.ended = self.ended or self._death()
                raise self.ended
            whose = int(line[6 : line.index(b",")])  # {"id":7,...
            if whose == number:
                return line
            with self.turn:
                self.answers[whose] = line
                self.turn.notify_all()

    def write(self, line: bytes) -> None:
        with self.writing:
            view = memoryview(line)
            try:
                while view:
                    view = view[self.input.write(view) :]
            except (OSError, ValueError):
                pass  # it has ended: reading says how

    def _death(self) -> Exception:
        """Why the output ended."""
        status = self.process.wait()
        how = f"ended with status {status}"
        if status < 0:
            try:
                how = f"was ended by {signal.Signals(-status).name}"
            except ValueError:
                how = f"was ended by signal {-status}"
        said = self._said()
        return ProgramError(f"the program girih {how} before it answered" + (f": {said}" if said else ""), "the next call starts it again")

    def _said(self) -> str:
        """The first line of its errors."""
        if self.errors == subprocess.DEVNULL:
            return ""
        self.errors.seek(0)
        return self.errors.readline(500).decode("utf-8", "replace").strip()

    def stop(self) -> None:
        """Ends it. Threads that wait for it ask the next one."""
        with self.turn:
            self.ended = self.ended or _Stopped()
            self.turn.notify_all()
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        with self.turn:
            if not self.reading:
                self._close()

    def finish(self) -> None:
        """Ends it at the end of Python, by the end of its input."""
        try:
            self.input.close()
            self.process.wait(1)
        except (OSError, subprocess.TimeoutExpired):
            pass
        self.stop()

    def _close(self) -> None:
        for stream in (self.input, self.output, self.errors):
            if stream != subprocess.DEVNULL:
                try:
                    stream.close()
                except OSError:
                    pass  # what was not written is of no use

    def forget(self) -> None:
        """In a forked process: it is the child of another one."""
        self.process.returncode = 0
        self._close()


def _scratch() -> Any:
    """A file for the errors of the program, or none if there is no place for one."""
    try:
        return tempfile.TemporaryFile()
    except OSError:
        return subprocess.DEVNULL


class Call:
    """The requests of a call that can be cancelled."""

    def __init__(self) -> None:
        self.lock = threading.Lock()  # held while a request is written, so that it is cancelled after it or not written
        self.cancelled = False
        self.under_way: List[Tuple[_Run, int]] = []

    def write(self, run: _Run, number: int, request: bytes) -> None:
        with self.lock:
            if self.cancelled:
                raise ProgramError("the call is cancelled")
            self.under_way.append((run, number))
            run.write(request)

    def cancel(self) -> None:
        with self.lock:
            self.cancelled = True
            for run, number in self.under_way:
                run.write(b'{"id":%d,"cancel":true}\n' % number)


current: contextvars.ContextVar = contextvars.ContextVar("girih_call", default=None)


class Child:
    """The program girih, started when it is needed."""

    def __init__(self) -> None:
        self._reset()
        atexit.register(self.close)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)

    def _reset(self) -> None:
        self._lock = threading.Lock()  # held while one starts
        self._run: Optional[_Run] = None
        self._numbers = itertools.count(1)

    def _forked(self) -> None:
        if self._run is not None:
            self._run.forget()
        self._reset()

    def _running(self) -> _Run:
        run = self._run
        if run is not None and run.alive():
            return run
        with self._lock:
            if self._run is None or not self._run.alive():
                old, self._run = self._run, None
                if old is not None:
                    old.stop()
                self._run = _Run()
            return self._run

    def ask(self, request: Dict[str, Any]) -> Dict[str, Any]:
        """The answer to a request."""
        number = next(self._numbers)
        try:
            body = json.dumps(dict(request, id=number), allow_nan=False).encode() + b"\n"
        except ValueError:
            raise Error("type", "expected numbers that are finite, found infinity or none") from None
        call = current.get() or Call()
        while True:
            run = self._running()
            try:
                call.write(run, number, body)
                return json.loads(run.wait(number))
            except _Stopped:
                continue
            except ProgramError:
                raise
            except BaseException:
                run.stop()
                raise

    @property
    def pid(self) -> Optional[int]:
        """The number of the process, None if none runs."""
        return self._run.process.pid if self._run is not None and self._run.alive() else None

    def close(self) -> None:
        """Ends the program. The next call starts it again."""
        with self._lock:
            run, self._run = self._run, None
        if run is not None:
            run.finish()


child = Child()
explorer = Child()  # of its own, so that Ctrl-C in a call does not end the page
