package address

// This file has where sums are kept: in blocks, and in a table by their hashes.

// A room is memory for the sums of a space, which live as long as it does.
type room struct {
	sums   []sum
	terms  block[term]
	places block[place]
	fields block[field]

	scratch []field // of the pattern under way
}

// sum returns an empty sum.
func (r *room) sum() *sum {
	if len(r.sums) == 0 {
		r.sums = make([]sum, 32)
	}
	x := &r.sums[0]
	r.sums = r.sums[1:]
	return x
}

// A block is memory for short slices.
type block[T any] struct{ free []T }

// keep returns a copy of a slice.
func (b *block[T]) keep(xs []T) []T {
	n := len(xs)
	if n == 0 {
		return nil
	}
	if n > len(b.free) {
		b.free = make([]T, max(64, n))
	}
	out := b.free[:n:n]
	copy(out, xs)
	b.free = b.free[n:]
	return out
}

// A table has sums by their hashes.
type table struct {
	buckets []*sum
	n       int
}

func (t *table) first(h uint64) *sum {
	if len(t.buckets) == 0 {
		return nil
	}
	return t.buckets[h&uint64(len(t.buckets)-1)]
}

func (t *table) add(x *sum) {
	if t.n++; t.n > len(t.buckets) {
		old := t.buckets
		t.buckets = make([]*sum, max(128, 4*len(old)))
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
	at := &t.buckets[x.hash&uint64(len(t.buckets)-1)]
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
