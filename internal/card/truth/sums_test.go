package truth

import (
	"testing"

	"girih/atom"
	"girih/descriptor"
)

// The test checks that operands can be drawn for every kind of operation, and that a card's results return them in the
// order of k.
func TestSums(t *testing.T) {
	t.Parallel()
	for _, name := range tried() {
		m, err := atom.FindMMA(name)
		if err != nil {
			t.Fatal(err)
		}
		r, _ := rigOf(t, name, descriptor.INTER)
		x := &multiplication{rig: r}
		s := newSums(x)
		batch := s.batch("k")
		n := 0
		s.each(make([]uint32, batch.Cases*batch.Threads*batch.Words), func(y Sum) {
			n++
			want := int(m.Shape[2])
			if m.Sparse != nil {
				want /= int(m.Sparse.Of / m.Sparse.Kept)
			}
			if len(y.A) != want || len(y.B) != want || y.D != 0 {
				t.Fatalf("%s: %+v", name, y)
			}
		})
		if want := perKind * len(draws) * int(m.Shape[0]*m.Shape[1]); n != want {
			t.Errorf("%s: %d sums, want %d", name, n, want)
		}
	}
}
