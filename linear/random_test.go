package linear

import (
	"testing"

	"pgregory.net/rapid"
)

// drawDims draws names with numbers of bits that add up to at most max.
func drawDims(t *rapid.T, label string, names []string, max int) []Dim {
	var out []Dim
	for _, name := range rapid.Permutation(names).Draw(t, label+" order") {
		n := rapid.IntRange(-1, 3).Draw(t, label+" bits of "+name)
		if n < 0 || n > max {
			continue
		}
		max -= n
		out = append(out, Dim{name, 1 << n})
	}
	return out
}

// drawLayout draws a layout between these dimensions; bases are often zero, equal or unit vectors.
func drawLayout(t *rapid.T, label string, ins, outs []Dim) Layout {
	od, err := fromDims("draw", outs)
	if err != nil {
		t.Fatal(err)
	}
	id, err := fromDims("draw", ins)
	if err != nil {
		t.Fatal(err)
	}
	l := Layout{ins: id, outs: od, cols: make([]uint64, id.total)}
	for j := range l.cols {
		l.cols[j] = drawFlat(t, label, od)
	}
	if rapid.IntRange(0, 3).Draw(t, label+" affine") == 0 {
		l.origin = drawFlat(t, label+" origin", od)
	}
	return l
}

func drawFlat(t *rapid.T, label string, d *dims) uint64 {
	all := uint64(1)<<d.total - 1
	switch rapid.IntRange(0, 4).Draw(t, label+" kind") {
	case 0:
		return 0
	case 1, 2:
		return rapid.Uint64Range(0, all).Draw(t, label)
	}
	if d.total == 0 {
		return 0
	}
	return 1 << rapid.IntRange(0, d.total-1).Draw(t, label+" bit")
}

// drawAny draws a layout with dimensions of its own.
func drawAny(t *rapid.T, label string) Layout {
	return drawLayout(t, label, drawDims(t, label+" in", []string{"a", "b", "c"}, 6),
		drawDims(t, label+" out", []string{"x", "y", "z"}, 6))
}

// points lists every input of the layout as coordinates by name.
func points(l Layout) []map[string]int64 {
	all := []map[string]int64{{}}
	for _, d := range l.InDims() {
		var next []map[string]int64
		for x := range d.Size {
			for _, p := range all {
				q := map[string]int64{d.Name: x}
				for k, v := range p {
					q[k] = v
				}
				next = append(next, q)
			}
		}
		all = next
	}
	return all
}

// eval follows the definition: the exclusive or of the origin and, for every set bit, a basis vector, by name.
func eval(l Layout, at map[string]int64) map[string]int64 {
	out := map[string]int64{}
	for i, d := range l.OutDims() {
		out[d.Name] = l.Origin()[i]
		for _, in := range l.Bases() {
			for k, b := range in.Bases {
				if at[in.Name]>>k&1 == 1 {
					out[d.Name] ^= b[i]
				}
			}
		}
	}
	return out
}

func same(a, b map[string]int64) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			return false
		}
	}
	return true
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func check(t *testing.T, prop func(t *rapid.T)) {
	t.Helper()
	t.Parallel()
	rapid.Check(t, prop)
}
