package judge

import "girih/internal/ints"

// This file checks the first values of answers that have too many values to check them all.

// A function returns the value at index i by the definition of an operation.
type function func(i int64) int64

// judgeFront compares the first values of an answer with the definition, if the definition gives the value at an index.
func (q Query) judgeFront(r Mode) Judgement {
	size, okSize := r.Leaves().count()
	f, want, ok := q.byIndex()
	if !ok || !okSize {
		return Judgement{Why: because("there are more than %d values", MaxValues).text}
	}
	rs, looked := r.Leaves(), min(size, want, MaxValues)
	for i := range looked {
		if g, why := same(int(i), rs.At(i), f(i)); g != Holds {
			return Judgement{Standing: Wrong, Why: why.text, At: why.at}
		}
	}
	if size != want {
		return Judgement{Standing: Wrong, Why: because("%d elements for %d", size, want).text}
	}
	return Judgement{Standing: Right, Looked: looked}
}

// byIndex returns the values of an operation as a function of the index, and the number of values.
func (q Query) byIndex() (f function, size int64, ok bool) {
	a, b := q.A.Leaves(), q.B.Leaves()
	na, okA := a.count()
	nb, okB := b.count()
	if !okA || !okB {
		return nil, 0, false
	}
	switch q.Op {
	case "coalesce":
		return a.At, na, true
	case "composition":
		return func(i int64) int64 { return a.At(b.At(i)) }, nb, true
	case "logical_divide", "zipped_divide", "tiled_divide", "flat_divide":
		free, block, chain := b.gaps()
		if !chain || na%block != 0 {
			return nil, 0, false
		}
		t := append(append(append(Leaves{}, b...), free...), Leaf{na / block, block})
		n, ok := t.count()
		return func(i int64) int64 { return a.At(t.At(i)) }, n, ok
	case "logical_product", "zipped_product", "tiled_product", "flat_product":
		places, fits := a.star()
		n, okN := ints.Mul(na, nb)
		return func(i int64) int64 { return a.At(i%na) + places.At(b.At(i/na)) }, n, fits && okN
	}
	return nil, 0, false
}

// count returns the product of the extents, and false if it does not fit in 64 bits.
func (ls Leaves) count() (n int64, ok bool) {
	n = 1
	for _, l := range ls {
		if n, ok = ints.Mul(n, l.S); !ok {
			return 0, false
		}
	}
	return n, true
}
