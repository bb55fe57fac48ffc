import copy
import pickle
import unittest

import girih as g
from girih import _names


class Values(unittest.TestCase):
    def test_layouts(self):
        a = g.Layout("(4,8):(8,1)")
        self.assertEqual(str(a), "(4,8):(8,1)")
        self.assertEqual(repr(a), 'girih.Layout("(4,8):(8,1)")')
        self.assertEqual(str(g.Layout((4, 8), (8, 1))), "(4,8):(8,1)")
        self.assertEqual(str(g.Layout((4, (2, 2)))), "(4,(2,2)):(1,(4,8))")
        self.assertEqual(str(g.Layout(8)), "8:1")
        self.assertEqual(str(g.Layout([4, [2, 2]], [1, [4, 8]])), "(4,(2,2)):(1,(4,8))")
        self.assertEqual((a.shape, a.stride), ((4, 8), (8, 1)))
        self.assertEqual(g.Layout("8:1").shape, 8)
        self.assertEqual((a.size(), a.cosize(), a.rank(), len(a)), (32, 32, 2, 2))
        with self.assertRaises(g.Refused) as e:
            g.Layout("Sw<3,3,3>")
        self.assertEqual(e.exception.code, "type")

    def test_operators(self):
        a = g.Layout("(6,2):(8,2)")
        self.assertEqual(str(a @ "(4,3):(3,1)"), "((2,2),3):((24,2),8)")
        self.assertEqual(str(g.Swizzle(3, 3, 3) @ g.Layout("(8,64):(64,1)")), "Sw<3,3,3> o 0 o (8,64):(64,1)")
        self.assertEqual(str("4:1" @ g.Layout("2:1")), "2:1")
        self.assertEqual((a(3), a(1, 1), a((1, 1))), (24, 10, 10))
        self.assertEqual(str(a(1, None)), "(2):(2)")
        self.assertEqual(str(a / "2:1"), "(2,(3,2)):(8,(16,2))")
        self.assertEqual(str(g.Layout("4:1") * "2:1"), "(4,2):(1,4)")
        self.assertEqual([str(m) for m in a], ["6:8", "2:2"])
        self.assertEqual(str(g.Layout("(4,(2,3)):(1,(4,8))")[1, 0]), "2:4")
        self.assertEqual(str(a[-1]), "2:2")
        for mode in (2, -3):
            with self.assertRaises(IndexError):
                a[mode]

    def test_equal_as_functions(self):
        self.assertTrue(g.Layout("(4,2):(1,4)") == g.Layout("8:1"))
        self.assertTrue(g.Layout("(4,2):(2,1)") != g.Layout("8:1"))
        self.assertFalse(g.Layout("8:1") == g.Swizzle(3, 3, 3))
        self.assertFalse(g.Layout("8:1") == 8)
        with self.assertRaises(TypeError):
            hash(g.Layout("8:1"))

    def test_python_values(self):
        self.assertEqual(g.eval("1 + 1"), 2)
        self.assertIs(g.eval("8:1 == 8:1"), True)
        self.assertEqual(g.eval("(4,(2,3))"), (4, (2, 3)))
        self.assertEqual(g.eval("(4)"), (4,))
        self.assertEqual(g.offsets("(2,3):(3,1)"), [0, 3, 1, 4, 2, 5])
        layout, offset = g.slice_and_offset((1, None), "(4,8):(8,1)")
        self.assertEqual((str(layout), offset), ("(8):(1)", 8))
        m = g.eval("size((M,8):(8,1))")
        self.assertEqual((str(m), m.kind), ("8M", "int"))
        self.assertEqual(g.eval("size((M,8):(8,1))", set={"M": 4}), 32)

    def test_operands(self):
        self.assertEqual(str(g.logical_divide("(8,8):(8,1)", (g.Layout("2:1"), None))), "((2,4),8):((8,16),1)")
        self.assertEqual(str(g.coalesce("(2,(1,6)):(1,(6,2))")), "12:1")
        self.assertEqual(g.ceil(100, 64), 2)
        self.assertEqual(str(g.transpose(g.matrix([[1, 1], [0, 1]]))), "matrix{rows=[[1,0],[1,1]]}")
        self.assertEqual(str(g.recognize([0, 4, 8])), "3:4")
        self.assertEqual(str(g.LdMatrix8x8x16bOp(True, 4)), "LdMatrix8x8x16bOp(transpose=True,num_matrices=4)")
        self.assertEqual(g.mma("SM80_16x8x16_F32F16F16F32_TN").kind, "mma_atom")
        self.assertEqual(str(g.compose("8:1", "4:2")), "4:2")
        with self.assertRaises(g.Refused):
            g.size(object())

    def test_errors(self):
        with self.assertRaises(g.Error) as e:
            g.composition("(6,3):(3,1)", "3:3")
        self.assertEqual(e.exception.code, "not_representable")
        self.assertEqual(e.exception.witness.want, "18")
        self.assertIn("hint: ", str(e.exception))
        again = pickle.loads(pickle.dumps(e.exception))
        self.assertEqual((str(again), again.expr), (str(e.exception), "composition((6,3):(3,1),3:3)"))
        self.assertIn("instead", str(g.why(e.exception)))
        with self.assertRaises(g.Error) as e:
            g.bank("8:1", "f99", "ld")
        self.assertIn("The code of an error", str(g.why(e.exception)))
        try:
            g.Layout(0)
        except g.Error as error:
            shown = "\n".join(error._render_traceback_())
        self.assertIn("test_values.py", shown)
        self.assertNotIn("_layout.py", shown)

    def test_values_do_not_change(self):
        a = g.Layout("8:1")
        with self.assertRaises(AttributeError):
            a.kind = "int"
        for b in (pickle.loads(pickle.dumps(a)), copy.deepcopy(a)):
            self.assertEqual((type(b), str(b), b.kind), (g.Layout, "8:1", "layout"))

    def test_values_are_there(self):
        self.assertTrue(g.Swizzle(3, 3, 3))
        self.assertTrue(g.Layout(()))

    def test_repr_is_python(self):
        for v in (g.Layout("8:1"), g.Swizzle(3, 3, 3), g.mma("SM80_16x8x16_F32F16F16F32_TN")):
            self.assertEqual(eval(repr(v), {"girih": g}), v)

    def test_numbers(self):
        """What is no integer of 64 bits is refused, whole."""
        for value in (2.5, float("nan")):
            with self.assertRaises(TypeError):
                g.eval("M", set={"M": value})
        for value in (10**30, 10**5000, float("nan")):
            with self.assertRaises(g.Refused):
                g.size(value)
        with self.assertRaises(g.Error) as e:
            g.check("", seeds=float("nan"), run="{}")
        self.assertIn("finite", e.exception.message)

    def test_set(self):
        """Every operation takes the values of run-time integers."""
        a = g.Layout(("M", 64), (64, 1))
        self.assertEqual(str(g.eval(a, set={"M": 8})), "(8,64):(64,1)")
        self.assertEqual(g.bank(a, "f16", "ldmatrix.x4", set={"M": 64}).degree, 8)
        self.assertTrue(g.draw(a, set={"M": 8})._repr_svg_())
        for wrong in ({"M": 8.0}, {"M": True}, "M=8"):
            with self.assertRaises(TypeError):
                g.bank(a, "f16", "ldmatrix.x4", set=wrong)

    def test_integers_of_run_time(self):
        n = g.size("(M,64):(64,1)")
        for value, want in ((n + 1, 193), (2 + n, 194), (n * 2, 384), (2 * n, 384), (n - 1, 191), (200 - n, 8), (n // 5, 38), (n % 5, 2),
                            (n - n, 0)):  # fmt: skip
            self.assertEqual(g.eval(value, set={"M": 3}), want, str(value))
        self.assertEqual(eval(repr(n), {"girih": g}), n)
        for wrong in (lambda: n + 1.5, lambda: n + True, lambda: g.Layout("8:1") + 1, lambda: 2 * g.Layout("8:1"), lambda: n % "2", lambda: n / 2):
            with self.assertRaises(TypeError):
                wrong()

    def test_truth_values_are_no_integers(self):
        a = g.Layout("(4,8):(8,1)")
        for wrong in (lambda: a(True), lambda: a(1, True), lambda: g.Layout((True, 8)), lambda: g.Layout(True), lambda: a(1.0)):
            with self.assertRaises(g.Refused) as e:
                wrong()
            self.assertEqual(e.exception.code, "type")
        for wrong in (True, 1.0, "x", slice(0, 1)):
            with self.assertRaises(TypeError):
                a[wrong]

    def test_names(self):
        for meant in _names.ELSEWHERE.values():
            self.assertTrue(callable(getattr(g, meant)), meant)
        for name, want in {"prefix_product": "compact_col_major", "coalese": "coalesce", "xyzzy": "girih.help()"}.items():
            with self.assertRaises(AttributeError) as e:
                getattr(g, name)
            self.assertIn(want, str(e.exception))
        self.assertFalse(hasattr(g, "__path__x"))
        self.assertEqual(f"{g.Layout('8:1'):>5}", "  8:1")

    def test_notes(self):
        a = g.zipped_divide("(M,K):(K,1)", "<128,64>")
        self.assertEqual(a.notes, ("padded unless 128 | M and 64 | K",))

    def test_eval_many(self):
        values = g.eval_many(["1+1", "8:1 o 4:2", g.Layout("2:1")])
        self.assertEqual([str(v) for v in values], ["2", "4:2", "2:1"])
        self.assertEqual(g.eval_many([]), [])
        many = g.eval_many(f"{i}+{i}" for i in range(20000))
        self.assertEqual(many, [2 * i for i in range(20000)])
        with self.assertRaises(g.Refused) as e:
            g.eval_many(["1", "8:"])
        self.assertIn("expression 1, 8:", str(e.exception))
        self.assertEqual([type(v) for v in g.eval_many(["1", "8:"], errors="return")], [int, g.Refused])

    def test_every_function_has_its_doc(self):
        for name in g.__all__:
            self.assertTrue(getattr(g, name).__doc__, name)
        for name in ("coalesce", "logical_divide", "right_inverse", "tv_layout_A"):
            self.assertTrue(callable(getattr(g.Layout, name)), name)
