package consistency

import "math/bits"

// MaxEvents is the maximum number of events in an execution. A row of a relation is one word with a bit per event.
const MaxEvents = 64

// A Set is a set of events. Bit i is set if event i is in the set.
type Set uint64

// Has reports whether event i is in s.
func (s Set) Has(i int) bool { return s>>uint(i)&1 != 0 }

// Add adds event i.
func (s *Set) Add(i int) { *s |= 1 << uint(i) }

// Size returns the number of events in s.
func (s Set) Size() int { return bits.OnesCount64(uint64(s)) }

// First returns the smallest event of s, which must not be empty.
func (s Set) First() int { return bits.TrailingZeros64(uint64(s)) }

// A Relation is a set of pairs of events: r[i] is the set of events to which i is related. It has one row per event of
// the execution.
type Relation []Set

// Add relates i to j.
func (r Relation) Add(i, j int) { r[i].Add(j) }

// Has reports whether i is related to j.
func (r Relation) Has(i, j int) bool { return r[i].Has(j) }

// Empty reports whether r has no pair.
func (r Relation) Empty() bool {
	for _, row := range r {
		if row != 0 {
			return false
		}
	}
	return true
}

// Clone returns a copy of r.
func (r Relation) Clone() Relation { return append(Relation(nil), r...) }

// Unite adds the pairs of s to r.
func (r Relation) Unite(s Relation) {
	for i := range r {
		r[i] |= s[i]
	}
}

// then returns r ; s, which relates i to k if r relates i to some j and s relates j to k.
func (r Relation) then(s Relation) Relation {
	out := make(Relation, len(r))
	for i, row := range r {
		for ; row != 0; row &= row - 1 {
			out[i] |= s[row.First()]
		}
	}
	return out
}

// inverse returns r^-1, which relates j to i if r relates i to j.
func (r Relation) inverse() Relation {
	out := make(Relation, len(r))
	for i, row := range r {
		for ; row != 0; row &= row - 1 {
			out.Add(row.First(), i)
		}
	}
	return out
}

// Close adds the pairs that make r transitive. It uses Warshall's algorithm.
func (r Relation) Close() {
	for k := range r {
		for i := range r {
			if r.Has(i, k) {
				r[i] |= r[k]
			}
		}
	}
}

// loops returns the events that r relates to themselves.
func (r Relation) loops() Set {
	var s Set
	for i, row := range r {
		s |= row & (1 << uint(i))
	}
	return s
}
