package consistency

import "math/bits"

// MaxEvents is the largest number of events of an execution: a row of a relation is one word.
const MaxEvents = 64

// A Set is a set of events; bit i is event i.
type Set uint64

// Has reports whether event i is in s.
func (s Set) Has(i int) bool { return s>>uint(i)&1 != 0 }

// Add adds event i.
func (s *Set) Add(i int) { *s |= 1 << uint(i) }

// Size returns the number of events in s.
func (s Set) Size() int { return bits.OnesCount64(uint64(s)) }

// First returns the smallest event of s, which is not empty.
func (s Set) First() int { return bits.TrailingZeros64(uint64(s)) }

// A Relation is a set of pairs of events: r[i] has the events that i is related to. All relations of an execution
// have as many rows as it has events.
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

// then returns r ; s: i to k if i is related to a j by r, and j to k by s.
func (r Relation) then(s Relation) Relation {
	out := make(Relation, len(r))
	for i, row := range r {
		for ; row != 0; row &= row - 1 {
			out[i] |= s[row.First()]
		}
	}
	return out
}

// inverse returns the pairs of r the other way round.
func (r Relation) inverse() Relation {
	out := make(Relation, len(r))
	for i, row := range r {
		for ; row != 0; row &= row - 1 {
			out.Add(row.First(), i)
		}
	}
	return out
}

// Close adds the pairs that make r transitive, by Warshall's algorithm.
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
