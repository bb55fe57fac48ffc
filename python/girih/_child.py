"""The program girih, as a child that answers requests: a JSON object a line in, a JSON object a line out.

There is one child for each process. It starts with the first call and ends with its input, so that nothing is left when
Python ends, however Python ends. Calls from several threads are under way at the same time: one of the waiting threads
reads, and hands the answers of the others over.

What ends early is safe to ask again, because requests change nothing: after Ctrl-C the child, which may be in the middle
of a line, is ended, and the calls of other threads go on with the next child. After a fork the new process has a child of
its own.

The child is a direct one, so that Python learns how it ended and the system forgets it at once. A grandchild, which the
first process of the system inherits, would stay a zombie in each container whose first process takes note of no children.
An exec would leave a zombie, too, to a program that does not know of it: so the child is ended before.
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
from typing import Any, Dict, List, Optional, Set, Tuple

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
    except (FileNotFoundError, NotADirectoryError):
        pass  # the package is not installed, as in a checkout
    except OSError as e:
        raise ProgramError(f"the package girih {VERSION} cannot be read: {e.strerror or e}") from None
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
    """One run of the program. It is in the list of all runs until it has ended, so that one whose end is interrupted by a
    second Ctrl-C is ended by the next call."""

    def __init__(self, runs: List[_Run]) -> None:
        self.path = program()
        self.runs = runs
        self.process: Any = None
        self.input: Any = None
        self.output: Any = None
        self.errors = _scratch()
        self.late = False  # it did not greet in time
        self.asking: Set[int] = set()  # threads
        self.writing = threading.Lock()
        self.turn = threading.Condition()  # guards what follows
        self.reading = False  # a thread reads
        self.answers: Dict[int, bytes] = {}  # read for other threads
        self.ended: Optional[Exception] = None
        self.rest = b""  # read, and not yet a line
        try:
            runs.append(self)
            self.process = self._start()
            self.input, self.output = self.process.stdin, self.process.stdout
            self._greet()
        except BaseException:
            self.stop()
            raise

    def _start(self) -> subprocess.Popen:
        apart: Dict[str, Any] = {"start_new_session": True}  # Ctrl-C is for Python
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
        try:
            return subprocess.Popen(
                [self.path, "lines"], bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, **apart
            )
        except (OSError, RuntimeError) as e:  # a RuntimeError of an interpreter that may not start processes
            raise ProgramError(f"the program {self.path} does not start: {getattr(e, 'strerror', None) or e}") from None

    def _greet(self) -> None:
        """Reads the first line, which says which girih it is."""
        timer = threading.Timer(GREETING_SECONDS, self._too_late)
        timer.daemon = True
        try:
            timer.start()
        except RuntimeError:
            pass  # no thread may start here: it takes what time it takes
        try:
            line = self._line()
        finally:
            timer.cancel()
        if self.late:
            raise ProgramError(f"the program {self.path} did not say within {GREETING_SECONDS} seconds which girih it is")
        if not line:
            raise self._death(f"the program {self.path}", f"said that it is girih {VERSION}")
        try:
            hello = json.loads(line)
            version, protocol = hello["girih"], hello["lines"]
        except (ValueError, KeyError, TypeError):
            raise ProgramError(f"the program {self.path} is not girih {VERSION}" + self._said()) from None
        if version != VERSION or protocol != PROTOCOL:
            raise ProgramError(f"the package girih {VERSION} needs the program of its version, found {version} at {self.path}")

    def _too_late(self) -> None:
        self.late = True
        self._kill()

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
            try:
                piece = self.output.read(1 << 16)
            except (OSError, ValueError):
                piece = b""  # somebody closed the files of this process
            if not piece:
                self.rest = b""
                return b""

    def alive(self) -> bool:
        return self.ended is None and self.process.poll() is None

    def ask(self, call: Call, number: int, request: bytes) -> Dict[str, Any]:
        """The answer to a request."""
        me = threading.get_ident()
        if me in self.asking:
            raise ProgramError("a call was interrupted by one of the same thread, of a signal handler or a finalizer", "ask in another thread")
        try:
            self.asking.add(me)
            call.write(self, number, request)
            line = self._wait(number)
        finally:
            self.asking.discard(me)
        try:
            return json.loads(line)
        except ValueError:
            raise self._nonsense(line) from None

    def _wait(self, number: int) -> bytes:
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
                death = self._death("the program girih", "answered")
                with self.turn:
                    self.ended = self.ended or death
                raise self.ended
            if self.ended:  # the end of its input takes requests back
                raise self.ended
            try:
                whose = int(line[6 : line.index(b",")])  # {"id":7,...
            except ValueError:
                raise self._nonsense(line) from None
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

    def _death(self, who: str, before: str) -> ProgramError:
        """Why the output ended."""
        status = self._end(patience=1)
        how = f"ended with status {status}"
        if status < 0:
            try:
                how = f"was ended by {signal.Signals(-status).name}"
            except ValueError:
                how = f"was ended by signal {-status}"
        return ProgramError(f"{who} {how} before it {before}" + self._said(), "the next call starts it again")

    def _nonsense(self, line: bytes) -> ProgramError:
        self.stop()
        return ProgramError(f"expected an answer of {self.path}, found {line[:60]!r}", "the next call starts it again")

    def _said(self) -> str:
        """The first line of its errors, after a colon."""
        if self.errors == subprocess.DEVNULL:
            return ""
        try:
            self.errors.seek(0)
            said = self.errors.readline(500).decode("utf-8", "replace").strip()
        except OSError:
            return ""
        return f": {said}" if said else ""

    def stop(self) -> None:
        """Ends it. Threads that wait for it ask the next one."""
        self.ended = self.ended or _Stopped()
        if self.process is not None:
            self._end(patience=0)
        with self.turn:
            self.turn.notify_all()
            if not self.reading:
                self._close()
        if self in self.runs:
            self.runs.remove(self)

    def _end(self, patience: float) -> int:
        """The status of the process when it has ended, which it gets some seconds for."""
        while self.process.poll() is None:
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                self._kill()
                patience = 5
        return self.process.returncode

    def _kill(self) -> None:
        """Ends the process, and what it started: the program may be a script that starts girih."""
        if self.process.poll() is None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except (AttributeError, OSError):
                self.process.kill()

    def finish(self) -> None:
        """Ends it by the end of its input."""
        self.ended = self.ended or _Stopped()
        if self.input is not None:
            try:
                self.input.close()
            except OSError:
                pass
            self._end(patience=1)
        self.stop()

    def _close(self) -> None:
        for stream in (self.input, self.output, self.errors):
            if stream is not None and stream != subprocess.DEVNULL:
                try:
                    stream.close()
                except OSError:
                    pass  # what was not written is of no use

    def forget(self) -> None:
        """In a forked process: it is the child of another one."""
        if self.process is not None:
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
        self._hooked = False
        self._over = False  # Python ends
        atexit.register(self._at_exit)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(
                before=lambda: self._lock.acquire(), after_in_parent=lambda: self._lock.release(), after_in_child=self._forked
            )  # fmt: skip

    def _reset(self) -> None:
        self._lock = threading.RLock()  # held while one starts, so that no fork has pipes that _forked does not know
        self._starting = False
        self._run: Optional[_Run] = None
        self._runs: List[_Run] = []  # that have not ended
        self._numbers = itertools.count(1)

    def _forked(self) -> None:
        for run in self._runs:
            run.forget()
        self._reset()

    def _at_exit(self) -> None:
        self._over = True
        self.close()

    def _audit(self, event: str, args: Any) -> None:
        if event == "os.exec":
            self.close()

    def _running(self) -> _Run:
        run = self._run
        if run is not None and run.alive():
            return run
        if self._over and threading.current_thread().daemon:
            threading.Event().wait()  # Python leaves it where it is
        with self._lock:
            if self._starting:
                raise ProgramError("a call was interrupted by one of the same thread, of a signal handler or a finalizer", "ask in another thread")
            if self._run is None or not self._run.alive():
                for run in list(self._runs):
                    run.stop()
                if not self._hooked:
                    self._hooked = True
                    sys.addaudithook(self._audit)
                try:
                    self._starting = True
                    self._run = _Run(self._runs)
                finally:
                    self._starting = False
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
            run = None
            try:
                run = self._running()
                return run.ask(call, number, body)
            except _Stopped:
                pass
            except ProgramError:
                raise
            except BaseException:
                if run is not None:
                    run.stop()
                raise

    @property
    def pid(self) -> Optional[int]:
        """The number of the process, None if none runs."""
        return self._run.process.pid if self._run is not None and self._run.alive() else None

    def close(self) -> None:
        """Ends the program. The next call starts it again."""
        with self._lock:
            runs, self._run = list(self._runs), None
        for run in runs:
            run.finish()


child = Child()
explorer = Child()  # of its own, so that Ctrl-C in a call does not end the page
