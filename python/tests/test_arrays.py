"""Arrays of NumPy as operands and coordinates."""

import itertools
import random
import unittest
import unittest.mock

import girih as g

try:
    import numpy
except ImportError:
    numpy = None


def shape(depth):
    if depth == 0 or random.random() < 0.4:
        return random.randint(1, 5)
    return tuple(shape(depth - 1) for _ in range(random.randint(1, 3)))


def strides(s):
    return random.randint(-9, 9) if isinstance(s, int) else tuple(map(strides, s))


def coordinate(s):
    """Of arrays of 4, and numbers, within the shape and beyond."""
    if isinstance(s, int) or random.random() < 0.5:
        n = 2 * g.size(s)
        return random.randrange(n) if random.random() < 0.3 else numpy.array(random.choices(range(n), k=4))
    return tuple(map(coordinate, s))


def item(c, i):
    if isinstance(c, tuple):
        return tuple(item(x, i) for x in c)
    return c if isinstance(c, int) else int(c[i])


@unittest.skipUnless(numpy, "needs numpy")
class Arrays(unittest.TestCase):
    def test_numbers(self):
        a = g.Layout("(4,8):(8,1)")
        for n in (numpy.int64(3), numpy.uint8(3), numpy.array(3)):
            self.assertEqual((a(n), str(a[numpy.int8(1)]), str(g.Layout((n, 2)))), (24, "8:1", "(3,2):(1,3)"))
            self.assertEqual(str(g.Layout(n)), "3:1")
        for wrong in (numpy.float32(1), numpy.bool_(True), numpy.array(1.0)):
            for do in (a, g.Layout):
                with self.assertRaises(g.Refused) as e:
                    do(wrong)
                self.assertEqual(e.exception.code, "type", wrong)
        n = g.size(("M", 8))
        self.assertEqual((str(numpy.int64(3) * n), str(n - numpy.int8(1))), ("24M", "8M-1"))
        with self.assertRaises(g.Refused) as e:
            g.size(numpy.zeros((4, 8)))
        self.assertIn("girih.Layout(x)", e.exception.hint)

    def test_coordinates(self):
        a = g.Layout("(4,8):(8,1)")
        self.assertEqual(a(numpy.arange(4)).tolist(), [0, 8, 16, 24])
        self.assertEqual(a(numpy.arange(4)[:, None], numpy.arange(8)).tolist(), a.offsets().tolist())
        self.assertEqual(a((numpy.arange(4), 1)).tolist(), [1, 9, 17, 25])
        self.assertEqual(a(numpy.array([[-1, 40]])).tolist(), [[a(-1), a(40)]])
        self.assertEqual(a(numpy.zeros((0, 3), int)).shape, (0, 3))
        self.assertEqual(numpy.asarray(a).dtype, numpy.int64)
        self.assertEqual(g.Layout("(2,4):(1@0,1@1)")(numpy.arange(4)).tolist(), [[0, 0], [1, 0], [0, 1], [1, 1]])
        self.assertEqual(g.Layout("(2,4):(1@0,1@1)").offsets().shape, (2, 4, 2))

    def test_by_the_definition(self):
        """As one by one, on layouts that random numbers make."""
        random.seed(1)
        for _ in range(100):
            s = shape(2)
            a, c = g.Layout(s, strides(s)), coordinate(s)
            with self.subTest(layout=str(a), coordinate=c):
                self.assertEqual(numpy.broadcast_to(a(c), 4).tolist(), [a(item(c, i)) for i in range(4)])

    def test_indices_and_coordinates(self):
        rows, columns = g.idx2crd(numpy.arange(40).reshape(5, 8), (4, 8))
        self.assertEqual((rows.shape, rows[0, 5], columns[0, 5], columns[4, 7]), ((5, 8), 1, 1, 9))
        self.assertEqual(g.crd2idx((rows, columns), (4, 8)).tolist(), numpy.arange(40).reshape(5, 8).tolist())
        self.assertEqual(g.crd2idx((rows, 2), (4, 8), (8, 1))[0, 1], 10)
        (i, j), k = g.idx2crd(numpy.arange(24), ((2, 3), 4))
        for n in range(24):
            self.assertEqual(((i[n], j[n]), k[n]), g.idx2crd(n, ((2, 3), 4)))
        for wrong in ((numpy.arange(4), (4, 8), (8, 1)), (-numpy.arange(4), (4, 8)), (numpy.arange(4.0), 4), (numpy.arange(4), "x:1")):
            with self.assertRaises(g.Refused):
                g.idx2crd(*wrong)

    def test_swizzled(self):
        a = g.Swizzle(3, 3, 3) @ g.Layout("(64,64):(64,1)")
        rows, columns = numpy.indices((64, 64))
        with unittest.mock.patch("girih._layout.eval_many", side_effect=AssertionError):
            self.assertTrue((a(rows, columns) == a.offsets()).all())  # of one listing
        self.assertEqual(a(numpy.array([5, 4097])).tolist(), [a(5), a(4097)])
        self.assertEqual(g.Swizzle(3, 3, 3)(numpy.array([0, 64])).tolist(), [0, 72])

    def test_large(self):
        n = 1 << 30
        a = g.Layout((n, n), (n, 1))
        x = numpy.arange(0, n, 1 << 12)
        self.assertTrue((a(x, x[::-1]) == x * n + x[::-1]).all())
        with self.assertRaises(g.Refused) as e:
            a.offsets()
        self.assertEqual(e.exception.code, "limit")
        with self.assertRaises(g.Refused) as e:
            a(numpy.array([1 << 50]), 0)
        self.assertEqual(e.exception.code, "overflow")
        with self.assertRaises(g.Refused) as e:
            g.Swizzle(3, 3, 3)(numpy.arange((1 << 20) + 1))
        self.assertEqual(e.exception.code, "limit")

    def test_refused(self):
        a = g.Layout("(4,8):(8,1)")
        for wrong, other in itertools.product(([True, False], [1.0, 2.0], [10**30], [1 << 63]), (0, 1)):
            with self.assertRaises(g.Refused) as e:
                a(numpy.array(wrong), other)
            self.assertEqual(e.exception.code, "type")
        for other in (None, 1.5, True):
            with self.assertRaises(g.Refused):
                a(numpy.arange(4), other)
        with self.assertRaises(ValueError):
            a(numpy.arange(3), numpy.arange(4))
        with self.assertRaises(g.Refused) as e:
            a((numpy.arange(2), 1, 2))
        self.assertEqual(e.exception.code, "not_congruent")
        with self.assertRaises(g.Refused):
            g.Layout(("M", 8), (8, "K"))(numpy.arange(4), 1)
