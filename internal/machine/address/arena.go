package address

// This file stores sums, in blocks of memory and in a hash table.

// An arena is the memory of a space's values; the arena lives as long as the space.
type arena struct {
	sums     block[sum]
	forms    block[form]
	terms    block[term]
	places   block[place]
	patterns block[pattern]
	fields   block[field]
	divs     block[division]

	scratch []field        // the fields of the current pattern
	mixed   []contribution // the terms of the current mixture
	lent    []place        // used by the current divisions
}

// A block is memory for values and for short slices of them.
type block[T any] struct {
	free []T
	size int // the size of the last block
}

// take returns space for n values.
func (b *block[T]) take(n int) []T {
	if n > len(b.free) {
		b.size = min(max(8, 2*b.size), 128)
		b.free = make([]T, max(b.size, n))
	}
	out := b.free[:n:n]
	b.free = b.free[n:]
	return out
}

// one returns an empty value.
func (b *block[T]) one() *T { return &b.take(1)[0] }

// keep returns a copy of a slice.
func (b *block[T]) keep(xs []T) []T {
	if len(xs) == 0 {
		return nil
	}
	out := b.take(len(xs))
	copy(out, xs)
	return out
}

// A table holds sums by their hashes.
type table struct {
	buckets []*sum
	n       int
}

func (t *table) first(h uint64) *sum {
	if len(t.buckets) == 0 {
		return nil
	}
	return t.buckets[uint32(h)&uint32(len(t.buckets)-1)]
}

func (t *table) add(x *sum) {
	if t.n++; t.n > len(t.buckets) {
		old := t.buckets
		t.buckets = make([]*sum, max(64, 4*len(old)))
		for _, y := range old {
			for y != nil {
				next := y.next
				t.link(y)
				y = next
			}
		}
	}
	t.link(x)
}

func (t *table) link(x *sum) {
	at := &t.buckets[x.hash&uint32(len(t.buckets)-1)]
	x.next, *at = *at, x
}

// all calls f for each sum.
func (t *table) all(f func(*sum)) {
	for _, x := range t.buckets {
		for ; x != nil; x = x.next {
			f(x)
		}
	}
}
