package conform

import (
	"slices"
)

// This file holds the definitions of the operations, checked by looking at every value.

// A query is one operation on operands that the definitions can look at.
type query struct {
	op   string
	args []string // as the file spells them
	a, b mode     // the operands; b is ():() for an operation of one
	m    int64    // the size of the cotarget of a complement
}

// A finding is what a check found out.
type finding int

const (
	unknown finding = iota // too large, or not decided here
	holds
	breaks
)

// A definition says what an operation has to satisfy.
type definition struct {
	// satisfied reports whether r is a value of the operation, and if not where it breaks the definition.
	satisfied func(q query, r mode) (finding, breach)
	// unsolvable reports whether there is no value at all, and why.
	unsolvable func(q query) (finding, breach)
}

// definitionOf returns the definition of an operation, and false if this package has none.
func definitionOf(op string) (definition, bool) {
	switch op {
	case "coalesce":
		return definition{isCoalesced, never}, true
	case "composition":
		return definition{isComposition, noComposition}, true
	case "complement":
		return definition{isComplement, noComplement}, true
	case "right_inverse":
		return definition{isRightInverse, never}, true
	case "left_inverse":
		return definition{isLeftInverse, noLeftInverse}, true
	case "logical_divide", "zipped_divide", "tiled_divide", "flat_divide":
		return definition{isDivide, noDivide}, true
	case "logical_product", "zipped_product", "tiled_product", "flat_product":
		return definition{isProduct, noProduct}, true
	case "blocked_product", "raked_product":
		return definition{isModeProduct, noProduct}, true
	}
	return definition{}, false
}

// never is the answer for operations that have a value for every operand.
func never(query) (finding, breach) { return breaks, because("there is a value for every operand") }

func isCoalesced(q query, r mode) (finding, breach) {
	if r.leaves().equal(q.a.leaves()) {
		return holds, breach{}
	}
	if q.a.leaves().size() > maxTable {
		return breaks, because("not the same function")
	}
	return sameTable(r.leaves(), q.a.leaves().table())
}

// isComposition: R(i) = A(B(i)).
func isComposition(q query, r mode) (finding, breach) {
	if q.b.leaves().size() > maxTable {
		return unknown, breach{}
	}
	want, ok := q.b.through(q.a)
	if !ok {
		return unknown, breach{}
	}
	return sameTable(r.leaves(), want)
}

func noComposition(q query) (finding, breach) {
	a, b := q.a.leaves(), q.b.leaves()
	if b.size() > maxTable || !q.b.isInteger() {
		return unknown, breach{}
	}
	if composable(a, b) {
		return breaks, because("A(B(i)) is a layout")
	}
	return holds, because("no layout has the values A(B(i))")
}

// isComplement: the sums of a value of A and one of R are the offsets of a box, each once, at least as many as the
// cotarget has. Modes of A with stride 0 are left out.
func isComplement(q query, r mode) (finding, breach) {
	a, n := make(leaves, 0, 8), r.leaves()
	for _, l := range q.a.leaves() {
		if l.d != 0 {
			a = append(a, l)
		}
	}
	all := append(slices.Clone(a), n...)
	size := all.size()
	if size > maxTable {
		return unknown, breach{}
	}
	sums := all.table()
	if !injective(sums) {
		return breaks, because("A and the complement meet at %s", q.firstTwice(sums))
	}
	box := int64(1)
	for path := range q.a.paths(r.paths(map[string]bool{})) {
		top := int64(1)
		for _, l := range append(q.a.along(path), r.along(path)...) {
			if l.d < 0 {
				return unknown, breach{}
			}
			top += (l.s - 1) * l.d
		}
		box *= top
	}
	if box != size {
		return breaks, because("A and the complement cover %d of %d offsets%s", size, box, q.firstFree(sums))
	}
	if size < q.m {
		return breaks, because("A and the complement cover %d offsets, less than %d", size, q.m)
	}
	return holds, breach{}
}

// isWeak reports whether r is a weak complement of a layout that has no complement: its values ascend from 0, copies of
// A at them do not meet, and there are as many as fit below the cotarget (Cecka, arXiv 2603.02298, 3.5).
func (q query) isWeak(r mode) bool {
	if q.op != "complement" || !q.a.isInteger() || !r.isInteger() {
		return false
	}
	free, block, whole, ok := q.a.leaves().gapsThatFit()
	if !ok || whole {
		return false
	}
	rs := r.leaves()
	all := rs
	for _, l := range q.a.leaves() {
		if l.d != 0 {
			all = append(slices.Clip(all), l)
		}
	}
	if all.size() > maxTable || rs.size() != free.size()*max((q.m+block-1)/block, 1) {
		return false
	}
	values := rs.table()
	return slices.IsSorted(values) && values[0] == 0 && injective(all.table())
}

// covers returns how many offsets A and its complement r cover, and the least number that does for the cotarget: a
// multiple of the block.
func (q query) covers(r mode) (n, least int64) {
	if q.op != "complement" || !q.a.isInteger() {
		return 0, 0
	}
	_, block, _ := q.a.leaves().gaps()
	n = r.leaves().size() * (q.a.leaves().size() / q.a.leaves().repeats())
	return n, max((q.m+block-1)/block, 1) * block
}

func noComplement(q query) (finding, breach) {
	if !q.a.isInteger() {
		return unknown, breach{}
	}
	if _, _, ok := q.a.leaves().gaps(); !ok {
		return holds, because("the strides do not chain, so no complement exists")
	}
	return breaks, because("the strides chain, so a complement exists")
}

// isRightInverse: A(R(k)) = k, and R(k) is an index of A.
func isRightInverse(q query, r mode) (finding, breach) {
	rs := r.leaves()
	if rs.size() > maxTable || !q.a.isInteger() || !r.isInteger() {
		return unknown, breach{}
	}
	size := q.a.leaves().size()
	for k, x := range rs.table() {
		if x < 0 || x >= size && size <= maxTable {
			return breaks, because("the value %d at %d is no index of A", x, k)
		}
		if f, why := same(k, q.a.leaves().at(x), int64(k)); f != holds {
			return f, why
		}
	}
	return holds, breach{}
}

// isLeftInverse: R(A(i)) = i, and where A repeats offsets A(R(A(i))) = A(i).
func isLeftInverse(q query, r mode) (finding, breach) {
	a, rs := q.a.leaves(), r.leaves()
	if a.size() > maxTable || !q.a.isInteger() || !r.isInteger() {
		return unknown, breach{}
	}
	table := a.table()
	once := injective(table)
	for i, x := range table {
		got, want := rs.at(x), int64(i)
		if !once {
			got, want = a.at(got), x
		}
		if f, why := same(i, got, want); f != holds {
			return f, why
		}
	}
	return holds, breach{}
}

func noLeftInverse(q query) (finding, breach) {
	a := q.a.leaves()
	if a.size() > maxTable || !q.a.isInteger() {
		return unknown, breach{}
	}
	if !injective(a.table()) {
		return holds, because("A repeats an offset")
	}
	return unknown, breach{}
}

// isProduct: (A, A*∘B), with the index of A fastest.
func isProduct(q query, r mode) (finding, breach) {
	n := q.a.leaves().size()
	return q.isProductOf(r, leaves{{n, 1}}, leaves{{q.b.leaves().size(), n}})
}

// isModeProduct: mode k of the result holds mode k of A and mode k of the copies A*∘B, the one of A faster in a
// blocked product and slower in a raked one. The shorter operand has modes of size 1 at its end.
func isModeProduct(q query, r mode) (finding, breach) {
	as, bs := q.a.modes(), q.b.modes()
	var ia, ib leaves
	step := int64(1)
	for k := range max(len(as), len(bs)) {
		a, b := leaf{1, step}, leaf{1, step}
		if k < len(as) {
			a.s = as[k].leaves().size()
		}
		if k < len(bs) {
			b.s = bs[k].leaves().size()
		}
		if q.op == "raked_product" {
			a.d *= b.s
		} else {
			b.d *= a.s
		}
		ia, ib, step = append(ia, a), append(ib, b), step*a.s*b.s
	}
	return q.isProductOf(r, ia, ib)
}

// isProductOf checks the value of every element of every copy. Element i of copy j stands at index ia(i) + ib(j).
func (q query) isProductOf(r mode, ia, ib leaves) (finding, breach) {
	a, b, rs := q.a.leaves(), q.b.leaves(), r.leaves()
	if a.size() > maxTable || b.size() > maxTable || a.size()*b.size() > maxTable || !q.a.isInteger() || !q.b.isInteger() {
		return unknown, breach{}
	}
	places, ok := a.star()
	if !ok {
		return breaks, because("modes of A overlap")
	}
	as, at, copies := a.table(), ia.table(), ib.table()
	want := make([]int64, len(as)*len(copies))
	for j, x := range b.table() {
		place := places.at(x)
		for i, v := range as {
			want[at[i]+copies[j]] = v + place
		}
	}
	return sameTable(rs, want)
}

func noProduct(q query) (finding, breach) {
	b := q.b.leaves()
	if b.size() > maxTable || !q.a.isInteger() || !q.b.isInteger() {
		return unknown, breach{}
	}
	places, ok := q.a.leaves().star()
	if !ok {
		return holds, because("modes of A overlap")
	}
	if composable(places, b) {
		return breaks, because("A*∘B is a layout")
	}
	return holds, because("no layout has the values A*∘B")
}

// isInteger reports whether all strides are integers.
func (m mode) isInteger() bool {
	if !m.tuple {
		return m.path == ""
	}
	return !slices.ContainsFunc(m.kids, func(k mode) bool { return !k.isInteger() })
}

// paths adds the coordinate paths of m's strides to the set.
func (m mode) paths(set map[string]bool) map[string]bool {
	if !m.tuple && m.d != 0 {
		set[m.path] = true
	}
	for _, k := range m.kids {
		k.paths(set)
	}
	return set
}
