package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// A reordered is an operation on a tensor (8,6), with the coordinates of its elements in order, by their definition.
type reordered struct {
	name string
	do   func(k *kernel.K, t kernel.Tensor) kernel.Tensor
	want func() [][2]int64
}

// nested returns the coordinates that f gives for the numbers of four nested loops, the first one innermost.
func nested(n0, n1, n2, n3 int64, f func(a, b, c, d int64) [2]int64) func() [][2]int64 {
	return func() (out [][2]int64) {
		for d := range n3 {
			for c := range n2 {
				for b := range n1 {
					for a := range n0 {
						out = append(out, f(a, b, c, d))
					}
				}
			}
		}
		return out
	}
}

func reorders() []reordered {
	tiles := nested(4, 2, 2, 3, func(a, b, c, d int64) [2]int64 { return [2]int64{c*4 + a, d*2 + b} })
	return []reordered{
		{"logical_divide", func(k *kernel.K, t kernel.Tensor) kernel.Tensor {
			return k.LogicalDivide(t, cute.Ints(4, 2))
		}, nested(4, 2, 2, 3, func(a, b, c, d int64) [2]int64 { return [2]int64{b*4 + a, d*2 + c} })},
		{"zipped_divide", func(k *kernel.K, t kernel.Tensor) kernel.Tensor {
			return k.ZippedDivide(t, cute.Ints(4, 2))
		}, tiles},
		{"tiled_divide", func(k *kernel.K, t kernel.Tensor) kernel.Tensor {
			return k.TiledDivide(t, cute.Ints(4, 2))
		}, tiles},
		{"flat_divide", func(k *kernel.K, t kernel.Tensor) kernel.Tensor {
			return k.FlatDivide(t, cute.Ints(4, 2))
		}, tiles},
		{"zipped_divide by layouts", func(k *kernel.K, t kernel.Tensor) kernel.Tensor {
			return k.ZippedDivide(t, cute.MakeTile(cute.MustParse("4:2"), cute.MustParse("2:3")))
		}, nested(4, 2, 2, 3, func(a, b, c, d int64) [2]int64 { return [2]int64{a*2 + c, b*3 + d} })},
		{"select", func(k *kernel.K, t kernel.Tensor) kernel.Tensor {
			return k.SelectModes(t, 1, 0)
		}, nested(6, 8, 1, 1, func(a, b, _, _ int64) [2]int64 { return [2]int64{b, a} })},
		{"take", func(k *kernel.K, t kernel.Tensor) kernel.Tensor {
			return k.TakeModes(t, 1, 2)
		}, nested(6, 1, 1, 1, func(a, _, _, _ int64) [2]int64 { return [2]int64{0, a} })},
		{"group_modes", func(k *kernel.K, t kernel.Tensor) kernel.Tensor {
			return k.Slice(k.GroupModes(t, 0, 2), kernel.Open)
		}, nested(8, 6, 1, 1, func(a, b, _, _ int64) [2]int64 { return [2]int64{a, b} })},
		{"coalesce", func(k *kernel.K, t kernel.Tensor) kernel.Tensor {
			return k.Coalesce(t)
		}, nested(8, 6, 1, 1, func(a, b, _, _ int64) [2]int64 { return [2]int64{a, b} })},
		{"composition", func(k *kernel.K, t kernel.Tensor) kernel.Tensor {
			return k.Composition(t, cute.MustParse("(3,4):(16,2)"))
		}, nested(3, 4, 1, 1, func(a, b, _, _ int64) [2]int64 { return [2]int64{(16*a + 2*b) % 8, (16*a + 2*b) / 8} })},
		{"filter_zeros", func(k *kernel.K, t kernel.Tensor) kernel.Tensor {
			return k.FilterZeros(k.Composition(t, cute.MustParse("(8,5):(1,0)")))
		}, nested(8, 1, 1, 1, func(a, _, _, _ int64) [2]int64 { return [2]int64{a, 0} })},
	}
}

// TestAlgebraOfTensors loads the elements of tensors by a linear index, in a Go loop and in a loop of the kernel, and
// compares them with the definitions of the operations.
func TestAlgebraOfTensors(t *testing.T) {
	t.Parallel()
	for _, layout := range []string{"(8,6):(1,8)", "(8,6):(7,1)", "((2,4),6):((24,1),4)", "Sw<2,1,2> o 0 o (8,6):(6,1)"} {
		in := cute.MustParseComposed(layout)
		for _, o := range reorders() {
			want := o.want()
			k, err := kernel.Trace("k", 32, func(k *kernel.K) {
				x := o.do(k, k.GlobalLayout("x", dtype.S32, in))
				y := k.GlobalLayout("y", dtype.S32, cute.MustParse(fmt.Sprintf("(%d,2):(1,%d)", len(want), len(want))))
				if n := x.Layout().Size(); n != int64(len(want)) {
					t.Errorf("%s of %s: %d elements, expected %d", o.name, layout, n, len(want))
				}
				for i := range x.Layout().Size() {
					k.Store(k.Load(x, kernel.Int(i)), y, kernel.Int(i), kernel.Int(0))
				}
				k.For(kernel.Int(0), kernel.Int(x.Layout().Size()), func(i kernel.Index) {
					k.Store(k.Load(x, i), y, i, kernel.Int(1))
				})
			})
			if err != nil {
				t.Errorf("%s of %s: %v", o.name, layout, err)
				continue
			}
			xs, ys := make([]float64, 128), make([]float64, 2*len(want))
			for i := range xs {
				xs[i] = float64(i)
			}
			n, err := in.Cosize()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := k.Simulate(context.Background(), kernel.Args{
				Tensors: map[string][]float64{"x": xs[:n], "y": ys},
			}); err != nil {
				t.Fatal(err)
			}
			for i := range ys {
				at := want[i%len(want)]
				v, err := in.Eval(cute.Ints(at[0], at[1]))
				if err != nil {
					t.Fatal(err)
				}
				if off, _ := v.Int64(); ys[i] != float64(off) {
					t.Errorf("%s of %s: element %d is %v, expected %d", o.name, layout, i, ys[i], off)
					break
				}
			}
		}
	}
}

// TestAlgebraRefuses checks the codes of the refusals of the algebra of tensors.
func TestAlgebraRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		code cute.Code
		do   func(k *kernel.K, x, open, r kernel.Tensor)
	}{
		{"a tile that does not divide", cute.CodeNotDivisible, func(k *kernel.K, x, _, _ kernel.Tensor) {
			k.ZippedDivide(x, cute.Ints(3, 2))
		}},
		{"an open mode", cute.CodeUnknown, func(k *kernel.K, _, open, _ kernel.Tensor) {
			k.ZippedDivide(open, cute.Ints(4, 2))
		}},
		{"the layout of an open mode", cute.CodeUnknown, func(_ *kernel.K, _, open, _ kernel.Tensor) { open.Layout() }},
		{"a group with an open mode", cute.CodeUnknown, func(k *kernel.K, _, open, _ kernel.Tensor) {
			k.GroupModes(open, 0, 2)
		}},
		{"a linear index into open modes", cute.CodeUnknown, func(k *kernel.K, _, open, _ kernel.Tensor) {
			k.Load(open, kernel.Int(0))
		}},
		{"a linear index outside", cute.CodeMode, func(k *kernel.K, x, _, _ kernel.Tensor) { k.Load(x, kernel.Int(48)) }},
		{"a negative linear index", cute.CodeMode, func(k *kernel.K, x, _, _ kernel.Tensor) { k.Load(x, kernel.Int(-1)) }},
		{"no tiler", cute.CodeType, func(k *kernel.K, x, _, _ kernel.Tensor) { k.LogicalDivide(x, nil) }},
		{"more indices", cute.CodeExtent, func(k *kernel.K, x, _, _ kernel.Tensor) { k.Composition(x, cute.MustParse("49:1")) }},
		{"a negative stride", cute.CodeExtent, func(k *kernel.K, x, _, _ kernel.Tensor) { k.Composition(x, cute.MustParse("2:-1")) }},
		{"no mode 2", cute.CodeMode, func(k *kernel.K, x, _, _ kernel.Tensor) { k.SelectModes(x, 0, 2) }},
		{"no mode -1", cute.CodeMode, func(k *kernel.K, x, _, _ kernel.Tensor) { k.TakeModes(x, -1, 1) }},
		{"no mode to group", cute.CodeMode, func(k *kernel.K, x, _, _ kernel.Tensor) { k.GroupModes(x, 1, 1) }},
		{"a coordinate as a number", cute.CodeType, func(k *kernel.K, _, _, _ kernel.Tensor) {
			k.Load(k.MakeIdentityTensor(kernel.Int(4)), kernel.Int(0))
		}},
		{"a copy of coordinates", cute.CodeType, func(k *kernel.K, _, _, r kernel.Tensor) {
			k.Copy(k.MakeIdentityTensor(kernel.Int(4)), r)
		}},
		{"the coordinate of a fragment", cute.CodeType, func(k *kernel.K, _, _, r kernel.Tensor) { k.Coord(r, kernel.Int(0)) }},
		{"another type", cute.CodeType, func(k *kernel.K, _, _, r kernel.Tensor) {
			k.Transform(r, r, func(v kernel.Value) kernel.Value { return v.Convert(dtype.S32) })
		}},
		{"a transform of memory", cute.CodeType, func(k *kernel.K, x, _, r kernel.Tensor) {
			k.Transform(x, r, kernel.Value.Neg)
		}},
		{"no function", cute.CodeType, func(k *kernel.K, _, _, r kernel.Tensor) { k.Transform(r, r, nil) }},
		{"no function of two", cute.CodeType, func(k *kernel.K, _, _, r kernel.Tensor) { k.Transform2(r, r, r, nil) }},
		{"no function to reduce", cute.CodeType, func(k *kernel.K, _, _, r kernel.Tensor) {
			k.Reduce(r, k.Number(dtype.F32, 0), nil)
		}},
		{"no predicate", cute.CodeType, func(k *kernel.K, _, _, r kernel.Tensor) { k.CopyPred(nil, r, r) }},
		{"no function of tiles", cute.CodeType, func(k *kernel.K, _, _, _ kernel.Tensor) {
			k.Grid(kernel.Int(1))
			k.ForTiles(kernel.TileScheduler{Tiles: kernel.Modes(kernel.Int(4))}, nil)
		}},
		{"another size", cute.CodeNotCongruent, func(k *kernel.K, _, _, r kernel.Tensor) {
			k.Transform2(r, r, k.MakeFragment(dtype.F32, parse("8:1")), kernel.Value.Add)
		}},
	} {
		_, err := kernel.Trace("k", 32, func(k *kernel.K) {
			n := k.Int("n", extent(1))
			tt.do(k, k.GlobalLayout("x", dtype.F32, parse("(8,6):(1,8)")),
				k.Global("open", dtype.F32, kernel.Modes(n, kernel.Int(6))), k.MakeFragment(dtype.F32, parse("4:1")))
		})
		if e, ok := errors.AsType[*kernel.Error](err); !ok || e.Err.Code != tt.code || e.File != "algebra_test.go" {
			t.Errorf("%s: expected %s, found %v", tt.name, tt.code, err)
		}
	}
}

// TestIdentity stores the coordinates of an identity tensor, partitioned as C, at the elements of C.
func TestIdentity(t *testing.T) {
	t.Parallel()
	mma := kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")),
		cute.MustParse("(2,2,1):(1,2,0)"), cute.Ints(32, 32, 16)))
	k, err := kernel.Trace("k", 128, func(k *kernel.K) {
		m, n := k.Int("m", extent(1)), k.Int("n", extent(1))
		c := k.Global("c", dtype.S32, kernel.Modes(m, n))
		k.Grid(m.CeilDiv(64), n.CeilDiv(32))
		part := func(t kernel.Tensor) kernel.Tensor {
			return k.ThrMMA(mma, k.ThreadIdx()).PartitionC(k.LocalTile(t, kernel.Shape(64, 32), k.BlockIdx(0), k.BlockIdx(1)))
		}
		tCgC, tCcC := part(c), part(k.MakeIdentityTensor(m, n))
		r := k.MakeFragmentLike(tCgC, dtype.S32)
		for i := range tCcC.Layout().Size() {
			at := kernel.Int(i)
			x, y := k.Coord(tCcC, at), k.Coord(tCgC, at)
			if len(x) != 2 || len(y) != 2 || x[0].String() != y[0].String() || x[1].String() != y[1].String() {
				t.Errorf("found the coordinates %v and %v", x, y)
			}
			k.Store(x[0].Mul(kernel.Int(1000)).Add(x[1]).Value(dtype.S32), r, at)
		}
		k.CopyPred(func(i kernel.Index) kernel.Cond {
			return kernel.ElemLess(k.Coord(tCcC, i), []kernel.Index{m, n.Sub(kernel.Int(3))})
		}, r, tCgC)
	})
	if err != nil {
		t.Fatal(err)
	}
	const m, n = 75, 41
	c := make([]float64, m*n)
	for i := range c {
		c[i] = -1
	}
	if _, err := k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"m": m, "n": n}, Tensors: map[string][]float64{"c": c},
	}); err != nil {
		t.Fatal(err)
	}
	for i := range c {
		want := float64(i%m*1000 + i/m)
		if i/m >= n-3 {
			want = -1
		}
		if c[i] != want {
			t.Fatalf("element (%d,%d) is %v", i%m, i/m, c[i])
		}
	}
}

// TestCopyPred copies under random conditions on the coordinates, whose vectors may hold in part.
func TestCopyPred(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 1))
	for range 40 {
		step, bound, by, seen := r.Int64N(5), r.Int64N(40), 1+r.Int64N(8), ""
		k, err := kernel.Trace("k", 32, func(k *kernel.K) {
			n := k.Int("n", extent(4))
			x, y := k.Global("x", dtype.F32, kernel.Modes(n)), k.Global("y", dtype.F32, kernel.Modes(n))
			k.Grid(n.CeilDiv(256))
			mine := func(t kernel.Tensor) kernel.Tensor {
				return k.LocalTile(k.LocalTile(t, kernel.Shape(256), k.BlockIdx(0)), kernel.Shape(8), k.ThreadIdx())
			}
			of := mine(k.MakeIdentityTensor(n))
			k.CopyPred(func(i kernel.Index) kernel.Cond {
				c := k.Coord(of, i.Div(by).Mul(kernel.Int(by)))[0]
				return c.Mul(kernel.Int(step)).Less(n.Add(kernel.Int(4 * bound)))
			}, mine(x), mine(y))
		})
		if err != nil {
			t.Fatal(err)
		}
		seen = k.Module.String()
		if by == 8 && !strings.Contains(seen, "ld.global.v4") {
			t.Errorf("one condition for 8 elements gives no vectors:\n%s", seen)
		}
		const n = 300
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = float64(i + 1)
		}
		if _, err := k.Simulate(context.Background(), kernel.Args{
			Ints: map[string]int64{"n": n}, Tensors: map[string][]float64{"x": x, "y": y},
		}); err != nil {
			t.Fatal(err)
		}
		for i := range int64(n) {
			c, want := i/8*8+i%8/by*by, 0.0
			if c*step < n+4*bound {
				want = float64(i + 1)
			}
			if y[i] != want {
				t.Fatalf("step %d, bound %d, by %d: element %d is %v, expected %v", step, bound, by, i, y[i], want)
			}
		}
	}
}
