package gen_test

import (
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// TestLayouts checks that every drawn layout is as small as promised and of the promised kind.
func TestLayouts(t *testing.T) {
	t.Parallel()
	for name, g := range map[string]*rapid.Generator[cute.Layout]{
		"any": gen.Layouts(), "not negative": gen.NonNegativeLayouts(), "compact": gen.CompactLayouts(),
		"tiny":          gen.TinyStrides(),
		"powers of two": gen.PowersOfTwo(), "chained": gen.Chained(gen.MaxSize), "one axis": gen.SingleAxis(),
		"axes": gen.MultiAxis(), "chained axes": gen.ChainedAxes(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				l := g.Draw(t, "l")
				if l.Size() > gen.MaxSize || len(l.Shape().Leaves()) > gen.MaxLeaves {
					t.Fatalf("%v has %d elements in %d leaves", l, l.Size(), len(l.Shape().Leaves()))
				}
				o := oracle.Of(l)
				if name == "compact" && !oracle.Surjective(o, l.Size()) {
					t.Fatalf("%v is not compact", l)
				}
				if name == "chained" && !oracle.Complementable(o) {
					t.Fatalf("%v has no complement", l)
				}
			})
		})
	}
}

func TestDependent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		if l := gen.ManyLeaves().Draw(t, "many"); l.Size() > gen.MaxSize || len(l.Shape().Leaves()) < 5 {
			t.Fatalf("%v has %d elements in %d leaves", l, l.Size(), len(l.Shape().Leaves()))
		}
		shape := gen.Shapes(gen.MaxSize).Draw(t, "shape")
		tree := oracle.TreeOf(shape)
		if c := gen.Coords(shape).Draw(t, "c"); !oracle.TreeOf(c).Congruent(tree) {
			t.Fatalf("%v is not congruent to %v", c, shape)
		}
		if c := gen.WeakCoords(shape).Draw(t, "c"); !oracle.TreeOf(c).WeaklyCongruent(tree) {
			t.Fatalf("%v is not a coordinate of %v", c, shape)
		}
		a := gen.Layouts().Draw(t, "a")
		if b := gen.Into(a.Shape()).Draw(t, "b"); !canCompose(a, b) {
			t.Fatalf("%v does not address %v", b, a)
		}
		_ = gen.Tilers(a).Draw(t, "tiler").String()
		_ = gen.SliceCoords(shape).Draw(t, "slice").String()
		_ = gen.ComposedLayouts().Draw(t, "composed").String()
		if huge := gen.HugeLayouts().Draw(t, "huge"); huge.Size() < 1 {
			t.Fatalf("%v has the size %d", huge, huge.Size())
		}
	})
}

func canCompose(a, b cute.Layout) bool {
	_, ok := oracle.Compose(oracle.Of(a), oracle.Of(b))
	return ok
}
