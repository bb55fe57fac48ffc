package conform

import "girih/internal/ints"

// This file looks at the front of answers that are too large to look at as a whole.

// A function gives the value of an operation at an index, by its definition.
type function func(i int64) int64

// judgeFront compares the first values of an answer, where the definition gives the value at an index.
func (q query) judgeFront(r mode) Judgement {
	size, okSize := r.leaves().count()
	f, want, ok := q.byIndex()
	if !ok || !okSize {
		return Judgement{Why: because("there are more than %d values", maxTable).text}
	}
	rs, looked := r.leaves(), min(size, want, maxTable)
	for i := range looked {
		if g, why := same(int(i), rs.at(i), f(i)); g != holds {
			return Judgement{Standing: Wrong, Why: why.text, At: why.at}
		}
	}
	if size != want {
		return Judgement{Standing: Wrong, Why: because("%d elements for %d", size, want).text}
	}
	return Judgement{Standing: Right, Looked: looked}
}

// byIndex returns the values of an operation as a function of the index, and how many there are.
func (q query) byIndex() (f function, size int64, ok bool) {
	a, b := q.a.leaves(), q.b.leaves()
	na, okA := a.count()
	nb, okB := b.count()
	if !okA || !okB {
		return nil, 0, false
	}
	switch q.op {
	case "coalesce":
		return a.at, na, true
	case "composition":
		return func(i int64) int64 { return a.at(b.at(i)) }, nb, true
	case "logical_divide", "zipped_divide", "tiled_divide", "flat_divide":
		free, block, chain := b.gaps()
		if !chain || na%block != 0 {
			return nil, 0, false
		}
		t := append(append(append(leaves{}, b...), free...), leaf{na / block, block})
		n, ok := t.count()
		return func(i int64) int64 { return a.at(t.at(i)) }, n, ok
	case "logical_product", "zipped_product", "tiled_product", "flat_product":
		places, fits := a.star()
		n, okN := ints.Mul(na, nb)
		return func(i int64) int64 { return a.at(i%na) + places.at(b.at(i/na)) }, n, fits && okN
	}
	return nil, 0, false
}

// count returns the product of the extents, and false if it leaves 64 bits.
func (ls leaves) count() (n int64, ok bool) {
	n = 1
	for _, l := range ls {
		if n, ok = ints.Mul(n, l.s); !ok {
			return 0, false
		}
	}
	return n, true
}
