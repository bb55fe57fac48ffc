"""Layouts of other libraries. None of them is needed: the classes here have the names, the attributes and the printed
form of theirs. Those of the CuTe DSL are stand-ins, because it needs a GPU's libraries; only what it prints is read."""

import unittest

import girih as g

try:
    import numpy
except ImportError:
    numpy = None


def of(module, **attributes):
    """An object of a class of a module."""
    printed = attributes.pop("printed", None)
    made = type("Stand", (), {"__module__": module, "__repr__": lambda self: printed})()
    made.__dict__.update(attributes)
    return made


class Foreign(unittest.TestCase):
    def test_pycute(self):
        a = of("pycute.layout", shape=(4, (2, 2)), stride=(1, (4, 8)))
        s = of("pycute.swizzle", bits=3, base=3, shift=3)
        self.assertEqual(str(g.Layout(a)), "(4,(2,2)):(1,(4,8))")
        self.assertEqual(str(g.Swizzle(s)), "Sw<3,3,3>")
        self.assertEqual(str(g.Layout(of("pycute.swizzle", layoutB=s, offset=0, layoutA=a))), "Sw<3,3,3> o 0 o (4,(2,2)):(1,(4,8))")
        self.assertEqual(str(g.Layout("16:1") @ a), "(4,(2,2)):(1,(4,8))")

    def test_tensor_layouts(self):
        s = of("tensor_layouts.layouts", bits=3, base=0, shift=3)
        a = of("tensor_layouts.layouts", shape=(8, 8), stride=(8, 1), swizzle=None)
        b = of("tensor_layouts.layouts", shape=(8, 8), stride=(8, 1), swizzle=s)
        self.assertEqual(str(g.Layout(a)), "(8,8):(8,1)")
        self.assertEqual(str(g.Layout(b)), "Sw<3,0,3> o 0 o (8,8):(8,1)")
        self.assertEqual(str(g.Layout(of("tensor_layouts.layouts", outer=s, inner=a, preoffset=8))), "Sw<3,0,3> o 8 o (8,8):(8,1)")
        m = of("tensor_layouts.atoms", name="SM80_16x8x16_F32F16F16F32_TN")
        self.assertEqual(g.mma(m), g.mma("SM80_16x8x16_F32F16F16F32_TN"))

    def test_cute_dsl(self):
        for printed, want in {
            "(4,8):(8,1)": "(4,8):(8,1)",
            "S<3,4,3> o 0 o (8,64):(64,1)": "Sw<3,4,3> o 0 o (8,64):(64,1)",
            "tensor<ptr<f16, smem> o (8,64):(64,1)>": "(8,64):(64,1)",
        }.items():
            self.assertEqual(str(g.Layout(of("cutlass.cute.typing", printed=printed))), want)

    def test_triton(self):
        blocked = of("triton.experimental.gluon.language._layouts", printed=(
            "BlockedLayout(size_per_thread=[1, 4], threads_per_warp=[8, 4], warps_per_cta=[4, 1], order=[1, 0], cga_layout=[])"
        ))
        self.assertEqual(g.Value(blocked).kind, "encoding")
        self.assertTrue(g.draw(blocked, tile=(32, 16))._repr_svg_().startswith("<svg"))
        linear = of("triton._C.libtriton.linear_layout", bases=[("lane", [[0, 1], [0, 2]]), ("warp", [[1, 0]])], out_dims=[("d0", 2), ("d1", 4)])
        self.assertEqual(str(g.Value(linear)), "linear{lane=[[0,1],[0,2]], warp=[[1,0]], out=[d0:2,d1:4]}")
        fp16 = type("dtype", (), {"__module__": "triton.language.core", "__str__": lambda self: "fp16"})()
        self.assertEqual(g.bank("(8,64):(64,1)", fp16, "ldmatrix.x4").type, "f16")

    def test_types_of_python(self):
        """float is 64 bits in NumPy, 32 in C++."""
        for t, want in ((float, "f32"), (int, "s32"), (bool, "s32")):
            with self.assertRaises(g.Refused) as e:
                g.bank("(8,64):(64,1)", t, "ld")
            self.assertIn(want, e.exception.hint)

    @unittest.skipUnless(numpy, "needs numpy")
    def test_numpy(self):
        x = numpy.zeros((4, 8), dtype=numpy.float16)
        self.assertEqual(str(g.Layout(x)), "(4,8):(8,1)")
        self.assertEqual(str(g.Layout(x.T[::2])), "(4,4):(2,8)")
        a = g.Layout("(4,8):(8,1)")
        offsets = a.offsets()
        self.assertEqual(offsets.shape, (4, 8))
        self.assertTrue(all(offsets[i, j] == a(i, j) for i in range(4) for j in (0, 3, 7)))
        self.assertTrue((numpy.asarray(a) == offsets).all())
        self.assertEqual(str(g.Layout.from_offsets(offsets)), "(4,8):(8,1)")
        self.assertEqual(str(g.Layout.from_offsets(numpy.array([0, 4, 8]))), "3:4")
        self.assertEqual(g.Layout("6:2").offsets().tolist(), g.Layout("6:2").tolist())
        self.assertEqual(a(numpy.int64(3)), 24)
        self.assertEqual(g.bank("(8,64):(64,1)", numpy.float16, "ldmatrix.x4").type, "f16")
        self.assertEqual(g.bank("(8,64):(64,1)", x.dtype, "ldmatrix.x4").type, "f16")

    def test_pytorch(self):
        tensor = of("torch", shape=(4, 8), dtype="torch.float16", stride=None)
        tensor.stride = lambda: (8, 1)
        self.assertEqual(str(g.Layout(tensor)), "(4,8):(8,1)")

    def test_others(self):
        with self.assertRaises(g.Refused) as e:
            g.Layout(object())
        self.assertIn("found builtins.object", str(e.exception))
