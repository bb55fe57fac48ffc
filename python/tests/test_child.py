import asyncio
import multiprocessing
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
from pathlib import Path

import girih as g
from girih._child import Call, _Run, child, current
from . import SPIN, python

POSIX = unittest.skipUnless(os.name == "posix", "needs POSIX")
LINUX = unittest.skipUnless(sys.platform.startswith("linux"), "looks into /proc")


def gone(pid: int, orphan: bool = False) -> bool:
    """Waits until a process has ended and its parent has taken note; that of an orphan is not Python."""
    for _ in range(200):
        try:
            with open(f"/proc/{pid}/stat") as f:
                if f.read().rpartition(")")[2].split()[0] == "Z" and orphan:
                    return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.05)
    return False


def spinning(pid: int) -> None:
    """Waits until a process works."""
    def ticks():
        with open(f"/proc/{pid}/stat") as f:
            return sum(map(int, f.read().rpartition(")")[2].split()[11:13]))

    before = ticks()
    for _ in range(3000):
        if ticks() >= before + 20:
            return
        time.sleep(0.01)
    raise AssertionError(f"the process {pid} does not work")


class Children(unittest.TestCase):
    def setUp(self):
        g.eval("1")

    def test_one_child_for_many_calls(self):
        pid = child.pid
        self.assertEqual([g.eval(f"{i}+1") for i in range(100)], list(range(1, 101)))
        self.assertEqual(child.pid, pid)
        if os.name == "posix":
            self.assertEqual(os.getsid(pid), pid)  # Ctrl-C at a terminal is for Python alone

    @POSIX
    def test_killed_while_idle(self):
        pid = child.pid
        os.kill(pid, signal.SIGKILL)
        child._run.process.wait()
        self.assertEqual(g.eval("1+1"), 2)
        self.assertNotEqual(child.pid, pid)

    @LINUX
    def test_killed_during_a_call(self):
        pid = child.pid

        def kill():
            spinning(pid)
            os.kill(pid, signal.SIGKILL)

        t = threading.Thread(target=kill)
        t.start()
        with self.assertRaises(g.ProgramError) as e:
            g.check(SPIN)
        t.join()
        self.assertEqual(e.exception.message, "the program girih was ended by SIGKILL before it answered")
        self.assertTrue(gone(pid))
        self.assertEqual(g.eval("1+1"), 2)

    def test_threads(self):
        got = {}

        def work(k):
            got[k] = [g.eval(f"{k}*1000+{i}") for i in range(50)]

        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(got, {k: [k * 1000 + i for i in range(50)] for k in range(8)})

    @LINUX
    def test_a_long_call_keeps_no_other_waiting(self):
        async def both():
            long = asyncio.ensure_future(g.aio.check(SPIN))
            await asyncio.to_thread(spinning, child.pid)
            self.assertEqual(await g.aio.eval("1+1"), 2)
            self.assertFalse(long.done())
            pid = child.pid
            long.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await long
            self.assertEqual(child.pid, pid)

        asyncio.run(both())

    def test_cancelled_before_it_asks(self):
        """A call of several requests may be cancelled between them."""
        call = Call()
        call.cancel()
        token = current.set(call)
        try:
            with self.assertRaises(g.ProgramError):
                g.check(SPIN, steps=1000)
        finally:
            current.reset(token)

    def test_asyncio(self):
        async def many():
            return await asyncio.gather(*(g.aio.eval(f"{i}+1") for i in range(50)))

        self.assertEqual(asyncio.run(many()), list(range(1, 51)))
        with self.assertRaises(AttributeError):
            g.aio.nothing

    @POSIX
    def test_fork(self):
        pid = child.pid
        out, into = os.pipe()
        forked = os.fork()
        if forked == 0:
            os.write(into, b"%d %d" % (g.eval("40+2"), child.pid))
            child.close()
            os._exit(0)
        os.waitpid(forked, 0)
        answer, other = os.read(out, 100).split()
        os.close(out), os.close(into)
        self.assertEqual((answer, child.pid, g.eval("1+1")), (b"42", pid, 2))
        self.assertNotEqual(int(other), pid)

    @POSIX
    def test_fork_while_another_thread_calls(self):
        """The forked process has none of the threads that hold locks of its parent, and none of its pipes."""
        pipe = child._run.input.fileno()
        with child._lock, child._run.turn, child._run.writing:
            forked = os.fork()
        if forked == 0:
            signal.alarm(30)
            try:
                os.fstat(pipe)
                os._exit(1)
            except OSError:
                os._exit(0 if g.eval("40+2") == 42 else 2)
        self.assertEqual(os.waitpid(forked, 0)[1], 0)
        self.assertEqual(g.eval("1+1"), 2)

    @POSIX
    def test_a_pool_of_forks(self):
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map(g.eval, [f"{i}+1" for i in range(20)]), list(range(1, 21)))

    @LINUX
    def test_nothing_is_left(self):
        for end in ("", "raise SystemExit(3)", "os._exit(0)", "os.kill(os.getpid(), 9)", "g.explore(open=False)"):
            r = python(f"""
                import os, girih as g
                from girih._child import child, explorer
                g.eval("1")
                print(child.pid, flush=True)
                {end}
            """)
            self.assertTrue(gone(int(r.stdout), orphan=end.startswith("os.")), end)
            self.assertEqual(r.stderr, "", end)

    @LINUX
    def test_an_exec_leaves_no_zombie(self):
        """The program that takes the place of Python would never take note of the end of its child."""
        r = python("""
            import os, sys, girih as g
            from girih._child import child
            g.eval("1")
            try: os.execv("/nonexistent", ["x"])
            except OSError: print(g.eval("1+1"))
            os.execv(sys.executable, [sys.executable, "-c", f"import os; print(os.path.exists('/proc/{child.pid}'))"])
        """)
        self.assertEqual((r.stdout, r.stderr), ("2\nFalse\n", ""))

    @LINUX
    def test_closed_during_a_call(self):
        """The call goes on with the next program."""
        got = []
        pid = child.pid
        t = threading.Thread(target=lambda: got.append(g.check(SPIN, steps=50000000).findings[0].kind))
        t.start()
        spinning(pid)
        g.close()
        t.join()
        self.assertEqual(got, ["steps"])
        self.assertNotEqual(child.pid, pid)

    @LINUX
    def test_interrupted_starts(self):
        """Wherever an interrupt comes, the child ends, and nothing of it is left open."""
        before = len(os.listdir("/proc/self/fd"))
        for name in ("_line", "_greet", "_wait", "write"):
            g.close()
            pids = []

            def interrupt(run, *_):
                pids.append(run.process.pid)
                raise KeyboardInterrupt

            with unittest.mock.patch.object(_Run, name, interrupt), self.assertRaises(KeyboardInterrupt):
                g.eval("1+1")
            self.assertTrue(gone(pids[0]), name)
        pids = []

        def interrupted_end(run, patience):
            pids.append(run.process.pid)
            raise KeyboardInterrupt

        g.eval("1")
        with unittest.mock.patch.object(_Run, "_wait", side_effect=KeyboardInterrupt), self.assertRaises(KeyboardInterrupt):
            with unittest.mock.patch.object(_Run, "_end", interrupted_end):  # by a second Ctrl-C
                g.eval("1+1")
        self.assertEqual(g.eval("1+1"), 2)
        self.assertTrue(gone(pids[0]))
        g.close()
        self.assertLessEqual(len(os.listdir("/proc/self/fd")), before)

    @LINUX
    def test_without_threads(self):
        """A process that may start no thread, as in some interpreters and at the limit of a user, can ask."""
        g.close()
        with unittest.mock.patch.object(threading.Timer, "start", side_effect=RuntimeError("can't start new thread")):
            self.assertEqual(g.eval("1+1"), 2)
        for error, want in ((BlockingIOError(11, "too many"), "too many"), (RuntimeError("not here"), "not here")):
            g.close()
            with unittest.mock.patch.object(subprocess, "Popen", side_effect=error), self.assertRaises(g.ProgramError) as e:
                g.eval("1+1")
            self.assertIn("does not start: " + want, e.exception.message)

    @POSIX
    def test_a_signal_handler_in_a_call(self):
        """A call within a call of the same thread would wait for ever."""
        said = []

        def handler(*_):
            try:
                g.eval("1+1")
            except g.ProgramError as e:
                said.append(e.message)

        pid = child.pid
        old = signal.signal(signal.SIGALRM, handler)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
            self.assertEqual(g.check(SPIN, steps=2000000).findings[0].kind, "steps")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, old)
        self.assertIn("interrupted by one of the same thread", said[0])
        self.assertEqual((g.eval("1+1"), child.pid), (2, pid))

    @POSIX
    def test_a_stopped_child(self):
        os.kill(child.pid, signal.SIGSTOP)
        pid = child.pid
        g.close()
        self.assertTrue(gone(pid))
        self.assertEqual(g.eval("1+1"), 2)

    @POSIX
    def test_closed_files(self):
        """As daemons do with all files that they do not know."""
        r = python("""
            import os, girih as g
            g.eval("1")
            os.closerange(3, 100)
            try: g.eval("1+1")
            except g.ProgramError as e: print(e.message)
            print(g.eval("1+1"))
        """)
        # The first call may find the end of the child, or start another one before it asks.
        self.assertRegex(r.stdout, "^(the program girih (ended with status 0|was ended by SIGKILL) before it answered\\n)?2\\n$")

    @LINUX
    def test_threads_at_the_end(self):
        """Daemons that are in a call when Python ends start no other child, and say nothing."""
        r = python(f"""
            import threading, time, girih as g
            from girih import _child
            g.eval("1")
            starts = []
            start = _child._Run._start
            _child._Run._start = lambda run: starts.append(1) or start(run)
            _child.atexit.register(lambda: (_child.child._at_exit(), time.sleep(0.2), print(len(starts))))
            for _ in range(3):
                threading.Thread(target=lambda: g.check({SPIN!r}), daemon=True).start()
            while len(_child.child._run.asking) < 3: pass
        """)
        self.assertEqual((r.stdout, r.stderr), ("0\n", ""))

    @LINUX
    def test_ctrl_c(self):
        program = f"""
import signal, sys, threading, girih as g
from girih._child import child
signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored in what a shell runs in the background
g.eval("1")
pid = child.pid
print(pid, flush=True)
other = []
t = threading.Thread(target=lambda: other.append(g.check({SPIN!r}, steps=30000000).findings[0].kind))
t.start()
try:
    g.check({SPIN!r})
except KeyboardInterrupt:
    print("interrupted", g.eval("1+1"), child.pid != pid, flush=True)
t.join()
print(*other)
"""
        p = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, start_new_session=True)
        pid = int(p.stdout.readline())
        spinning(pid)
        os.killpg(p.pid, signal.SIGINT)  # as a terminal does
        out, _ = p.communicate(timeout=120)
        self.assertEqual(out, "interrupted 2 True\nsteps\n")
        self.assertTrue(gone(pid))

    @POSIX
    def test_a_missing_or_wrong_program(self):
        with tempfile.TemporaryDirectory() as folder:
            def script(name, text, mode=0o755):
                path = Path(folder) / name
                path.write_text(text)
                path.chmod(mode)
                return str(path)

            for path, want in {
                "/nonexistent/girih": "does not start: No such file or directory",
                script("text", "hello"): "does not start: ",
                script("locked", "#!/bin/sh\n", 0o644): "does not start: Permission denied",
                script("other", "#!/bin/sh\necho hello; exec cat\n"): "is not girih",
                script("silent", "#!/bin/sh\necho no room >&2\n"): "ended with status 0 before it said that it is girih 0.1.0: no room",
                script("broken", "#!/bin/sh\nkill -SEGV $$\n"): "was ended by SIGSEGV before it said",
                script("liar", '#!/bin/sh\necho \'{"girih":"0.1.0","lines":1}\'\nread x; echo lie; exec cat\n'): "expected an answer of ",
                script("cut", '#!/bin/sh\necho \'{"girih":"0.1.0","lines":1}\'\nread x; echo \'{"id":1,"ans\'\n'): "expected an answer of ",
                script("older", '#!/bin/sh\necho \'{"girih":"0.0.1","lines":1}\'; exec cat\n'): "found 0.0.1 at ",
            }.items():
                r = python("""
                    import girih as g
                    try: g.eval("1")
                    except g.ProgramError as e: print(e.message)
                """, GIRIH=path)
                self.assertEqual(r.stderr, "", path)
                self.assertIn(want, r.stdout)
                self.assertEqual(r.stdout.count("\n"), 1, r.stdout)
            r = python("""
                import os, girih as g, girih._child
                os.environ.pop("GIRIH", None)
                os.environ["PATH"] = "/nonexistent"
                girih._child.__file__ = "/nonexistent/girih/_child.py"
                try: g.eval("1")
                except g.ProgramError as e: print(e)
            """)
            self.assertIn("is missing", r.stdout)
            self.assertIn("hint: install the wheel again", r.stdout)
