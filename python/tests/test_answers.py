import json
import os
import tempfile
import unittest
import urllib.request
from pathlib import Path

import girih as g
from . import SCALE, python

try:
    import numpy
except ImportError:
    numpy = None


class Answers(unittest.TestCase):
    def test_words_and_fields(self):
        r = g.bank("(8,64):(64,1)", "f16", "ldmatrix.x4")
        self.assertIn("8-way", str(r))
        self.assertEqual((r.degree, r["degree"], r.accesses[0].wavefronts), (8, 8, 64))
        self.assertTrue(r._repr_html_().startswith("<pre"))
        with self.assertRaises(AttributeError):
            r.nothing
        self.assertEqual(g.swizzle(g.Layout("(8,64):(64,1)"), "f16", ["ldmatrix.x4"]).kind, "swizzle")
        self.assertIn("72", str(g.why("ValueError: N must be a multiple of 8, got 70")))

    def test_refused(self):
        with self.assertRaises(g.Refused):
            g.bank("(8,64):(64,1)", "f17", "ldmatrix.x4")
        r = g.explain("(6,3):(3,1) o 3:3")  # says why there is none
        self.assertEqual(r.error.code, "not_representable")
        self.assertIn("instead", str(r))
        self.assertIn("</pre><svg", g.explain("8:1 o 4:2", figures="svg")._repr_html_())

    def test_truth(self):
        """An answer is true where the command line exits with 0."""
        for good, bad in (
            (g.tma("(64,64):(64,1)", type="f16", box=(64, 64)), g.tma("(64,512):(512,1)", type="f16", box=(1, 300), swizzle="none")),
            (g.compare("8:1", "(2,4):(1,2)"), g.compare("8:1", "4:1")),
        ):
            self.assertTrue(good, str(good))
            self.assertFalse(bad, str(bad))

    def test_exceptions_are_read(self):
        try:
            raise ValueError("N must be a multiple of 128, got 300")
        except ValueError as e:
            self.assertIn("256", str(g.why(e)))

    def test_pictures(self):
        p = g.draw("(4,8):(8,1)")
        self.assertTrue(p._repr_svg_().startswith("<svg"))
        self.assertTrue(g.Layout("(4,8):(8,1)")._repr_svg_().startswith("<svg"))
        self.assertTrue(g.draw("(4,8):(8,1)", format="png")._repr_png_().startswith(b"\x89PNG"))
        self.assertTrue(g.mma("SM80_16x8x16_F32F16F16F32_TN")._repr_svg_().startswith("<svg"))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.svg"
            p.save(path)
            self.assertEqual(path.read_bytes(), p.data)
            with self.assertRaises(g.Error) as e:
                p.save(Path(folder) / "none" / "a.svg")
            self.assertEqual(e.exception.code, "file")

    def test_explorer(self):
        url = g.explore(g.Layout("(4,8):(8,1)"), open=False)
        self.assertRegex(url, r"^http://127\.0\.0\.1:\d+/#e=\(4,8\):\(8,1\)$")
        self.assertEqual(g.explore(open=False), url.partition("#")[0])
        self.assertIn(b"girih", urllib.request.urlopen(url.partition("#")[0]).read())


class Checks(unittest.TestCase):
    def test_a_kernel_without_arguments(self):
        self.assertTrue(g.check(SCALE, grid=1))
        self.assertTrue(g.lint(SCALE))

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scale.ptx"
            path.write_text(SCALE)
            self.assertTrue(g.check(path))
            self.assertTrue(g.check(str(path)))
            with self.assertRaises(g.Error) as e:
                g.check(Path(folder) / "none.ptx")
            self.assertIn("cannot be read", str(e.exception))
        with self.assertRaises(g.Error):
            g.check(17)

    def test_numbers(self):
        args = dict(x=None, y=None, n=0)
        for a in (1, 2.5, float("nan"), float("inf"), -float("inf")):
            self.assertTrue(g.check(SCALE, dict(args, a=a), grid=1))
        with self.assertRaises(g.Error) as e:
            g.check(SCALE, dict(args, a=1.0, n=1.0))
        self.assertIn("argument n: expected an integer or an array, found 1.0", str(e.exception))

    def test_files_of_a_run(self):
        """The names of files are relative to the description, or to where Python is."""
        run = {"block": 1, "buffers": [{"name": "x", "type": "f32", "file": "x.bin"}],
               "params": [{"kind": "buffer", "buffer": "x"}] * 2
               + [{"kind": "scalar", "type": "f32", "value": 1}, {"kind": "scalar", "type": "u32", "value": 0}]}  # fmt: skip
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "x.bin").write_bytes(bytes(4))
            path = Path(folder) / "run.json"
            path.write_text(json.dumps(run))
            self.assertTrue(g.check(SCALE, run=path))
            try:
                os.chdir(folder)
                self.assertTrue(g.check(SCALE, run=run))
                self.assertTrue(g.check(SCALE, run=json.dumps(run)))
            finally:
                os.chdir(before)

    @unittest.skipUnless(numpy, "needs numpy")
    def test_arguments(self):
        x = numpy.arange(100, dtype=numpy.float32)
        y = numpy.zeros(100, dtype=numpy.float32)
        r = g.sim(SCALE, [x, y, 2.0, 100], grid=4, block=32, out=["y"])
        self.assertTrue(r, str(r))
        self.assertTrue((r.arrays[0] == 2 * x).all())
        self.assertTrue(g.check(SCALE, {"x": x, "y": y, "a": 2.0, "n": 100}, grid=4, block=32))
        wrong = g.check(SCALE, [x, y, 2.0, 128], grid=4, block=32)
        self.assertFalse(wrong)
        self.assertEqual(wrong.findings[0].kind, "out-of-bounds")
        both = numpy.zeros(200, dtype=numpy.float32)
        r = g.sim(SCALE, [both[:100], both[100:], 1.0, 100], grid=4, block=32, out=["x"])
        self.assertTrue(r, str(r))
        self.assertEqual(r.arrays[0].shape, (200,))
        for args, want in (
            ([x, y, 2.0, 100, 5], "expected 4 arguments, x, y, a, n, found 5"),
            ([[1, 2], y, 2.0, 100], "argument x: expected an array, found a list"),
            ([object(), y, 2.0, 100], "argument x: expected an array or a number, found object"),
            (dict(x=x, y=y, a=2.0), "the argument n is missing"),
            (dict(x=x, y=y, a=2.0, n=1, m=1), "the kernel has no parameter m, but x, y, a, n"),
        ):
            with self.assertRaises(g.Error) as e:
                g.check(SCALE, args)
            self.assertIn(want, str(e.exception))

    @unittest.skipUnless(numpy, "needs numpy")
    def test_expected_outputs(self):
        x = numpy.arange(96, dtype=numpy.float32)
        y = numpy.zeros((8, 12), dtype=numpy.float32).T
        args = [x, y, 2.0, 96]
        want = 2 * x.reshape(8, 12).T

        def check(**expected):
            return g.check(SCALE, args, grid=3, block=32, **expected)

        self.assertTrue(check(expect={"y": want, "x": x}))
        self.assertFalse(check(expect={"y": want + 0.5}))
        self.assertTrue(check(expect={"y": want + 0.5}, atol=1))
        self.assertTrue(check(expect={"y": want * 1.001}, rtol=0.01))
        self.assertEqual(check(expect={"x": want.reshape(96)}).findings, [])
        both = numpy.zeros(200, dtype=numpy.float32)
        for wrong, message in (
            ({"z": x}, "the kernel has no parameter z, but x, y, a, n"),
            ({"a": x}, "the argument a is no array"),
            ({"y": x}, "the shape of the argument y, (12, 8), found (96,)"),
            ({"x": numpy.array(["a"] * 96)}, "expect: could not convert"),
        ):
            with self.assertRaises(g.Error) as e:
                check(expect=wrong)
            self.assertIn(message, e.exception.message)
        with self.assertRaises(g.Error) as e:
            g.check(SCALE, [x, both[:96], 2.0, 96], expect={"y": x})
        self.assertIn("384 of 800 bytes", e.exception.message)
        for wrong in (dict(), dict(run={})):
            with self.assertRaises(g.Error):
                g.check(SCALE, expect={"y": x}, **wrong)

    @unittest.skipUnless(numpy, "needs numpy")
    def test_a_compiled_kernel_of_triton(self):
        class Metadata:  # as Triton 3.6 has it
            name, num_warps, shared, num_ctas, cluster_dims = "scale", 1, 0, 1, (1, 1, 1)

        class Parameter:
            def __init__(self, name, is_constexpr=False):
                self.name, self.is_constexpr = name, is_constexpr

        class Function:
            params = [Parameter("x"), Parameter("y"), Parameter("a"), Parameter("n"), Parameter("one"), Parameter("BLOCK", True)]

        class Source:
            fn = Function
            signature = {"x": "*fp32", "y": "*fp32", "a": "fp32", "n": "i32", "one": "constexpr", "BLOCK": "constexpr"}

        class Kernel:
            asm, metadata, src = {"ptx": SCALE}, Metadata, Source

        x = numpy.arange(64, dtype=numpy.float32)
        self.assertTrue(g.check(Kernel, [x, x.copy(), 2.0, 64], grid=2, block=32))
        self.assertTrue(g.check(Kernel, [x, x.copy(), 2.0, 64, 1], grid=2, block=32))
        self.assertTrue(g.check(Kernel, [x, x.copy(), 2.0, 64, 1, 32], grid=2, block=32))
        self.assertTrue(g.check(Kernel, dict(x=x, y=x.copy(), a=2.0, n=64), grid=2, block=32))
        with self.assertRaises(g.Error) as e:
            g.check(Kernel, dict(x=x, a=2.0, n=64), grid=2)
        self.assertIn("argument y is missing", str(e.exception))

    @unittest.skipUnless(numpy and os.name == "posix", "needs numpy and limits of files")
    def test_a_full_disk(self):
        r = python(f"""
            import numpy, os, resource, tempfile, girih as g
            folder = tempfile.mkdtemp()
            path = os.path.join(folder, "a.svg")
            with open(path, "w") as f: f.write("before")
            p = g.draw("(4,8):(8,1)")
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
            x = numpy.zeros(100, "f")
            for do in (lambda: p.save(path), lambda: g.check({SCALE!r}, [x, x.copy(), 2.0, 100])):
                try: do()
                except g.Error as e: print(e.code, str(e).count(chr(10)))
            print(open(path).read(), os.listdir(folder))
        """)
        self.assertEqual(r.stdout, "file 0\nfile 0\nbefore ['a.svg']\n", r.stderr)
