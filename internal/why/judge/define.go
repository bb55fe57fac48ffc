package judge

import (
	"slices"
	"strings"
)

// This file checks the definitions of the operations at every value.

// A Query is one operation on operands that the definitions cover.
type Query struct {
	Op   string
	Args []string // as spelled in the file of vectors
	A, B Mode     // the operands; B is ():() if there is only one
	M    int64    // the size of the cotarget of a complement
}

// A Finding is the result of a check.
type Finding int

const (
	Unknown Finding = iota // too many values, or not decided by this check
	Holds
	Breaks
)

// A definition checks the condition that the value of an operation must satisfy.
type definition struct {
	// satisfied reports whether r is a value of the operation, and if not, where r breaks the definition.
	satisfied func(q Query, r Mode) (Finding, breach)
	// unsolvable reports whether the operation has no value, and why.
	unsolvable func(q Query) (Finding, breach)
}

// definitionOf returns the definition of an operation, and false for an unknown operation.
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

// Satisfies reports whether r is a value of the operation, and if not, why.
func (q Query) Satisfies(r Mode) (Finding, string) {
	f, why := q.definition().satisfied(q, r)
	return f, why.text
}

// Unsolvable reports whether the operation has no value, and why.
func (q Query) Unsolvable() (Finding, string) {
	f, why := q.definition().unsolvable(q)
	return f, why.text
}

// definition returns the definition of the operation. [NewQuery] refuses operations without a definition.
func (q Query) definition() definition {
	def, _ := definitionOf(q.Op)
	return def
}

// never implements unsolvable for operations that always have a value.
func never(Query) (Finding, breach) { return Breaks, because("there is a value for every operand") }

func isCoalesced(q Query, r Mode) (Finding, breach) {
	if r.Leaves().Equal(q.A.Leaves()) {
		return Holds, breach{}
	}
	if q.A.Leaves().Size() > MaxValues {
		return Breaks, because("not the same function")
	}
	return sameTable(r.Leaves(), q.A.Leaves().Table())
}

// isComposition checks that R(i) = A(B(i)).
func isComposition(q Query, r Mode) (Finding, breach) {
	if q.B.Leaves().Size() > MaxValues {
		return Unknown, breach{}
	}
	want, ok := q.B.through(q.A)
	if !ok {
		return Unknown, breach{}
	}
	return sameTable(r.Leaves(), want)
}

func noComposition(q Query) (Finding, breach) {
	a, b := q.A.Leaves(), q.B.Leaves()
	if b.Size() > MaxValues || !q.B.IsInteger() {
		return Unknown, breach{}
	}
	if composable(a, b) {
		return Breaks, because("A(B(i)) is a layout")
	}
	return Holds, because("no layout has the values A(B(i))")
}

// isComplement checks that the sums of a value of A and a value of R are the offsets of a box, each once, and that the
// box is at least as large as the cotarget. Modes of A with stride 0 are left out.
func isComplement(q Query, r Mode) (Finding, breach) {
	a, n := make(Leaves, 0, 8), r.Leaves()
	for _, l := range q.A.Leaves() {
		if l.D != 0 {
			a = append(a, l)
		}
	}
	all := append(slices.Clone(a), n...)
	size := all.Size()
	if size > MaxValues {
		return Unknown, breach{}
	}
	sums := all.Table()
	if !Injective(sums) {
		return Breaks, because("A and the complement meet at %s", q.firstTwice(sums))
	}
	box := int64(1)
	for path := range q.A.paths(r.paths(map[string]bool{})) {
		top := int64(1)
		for _, l := range append(q.A.Along(path), r.Along(path)...) {
			if l.D < 0 {
				return Unknown, breach{}
			}
			top += (l.S - 1) * l.D
		}
		box *= top
	}
	if box != size {
		return Breaks, because("A and the complement cover %d of %d offsets%s", size, box, q.firstFree(sums))
	}
	if size < q.M {
		return Breaks, because("A and the complement cover %d offsets, less than %d", size, q.M)
	}
	return Holds, breach{}
}

// isWeak reports whether r is a weak complement of a layout that has no complement: the values of r ascend from 0,
// copies of A at these values do not overlap, and r has as many values as fit below the cotarget (Cecka, arXiv
// 2603.02298, 3.5).
func (q Query) isWeak(r Mode) bool {
	if q.Op != "complement" || !q.A.IsInteger() || !r.IsInteger() {
		return false
	}
	free, block, whole, ok := q.A.Leaves().gapsThatFit()
	if !ok || whole {
		return false
	}
	rs := r.Leaves()
	all := rs
	for _, l := range q.A.Leaves() {
		if l.D != 0 {
			all = append(slices.Clip(all), l)
		}
	}
	if all.Size() > MaxValues || rs.Size() != free.Size()*max((q.M+block-1)/block, 1) {
		return false
	}
	values := rs.Table()
	return slices.IsSorted(values) && values[0] == 0 && Injective(all.Table())
}

// Covers returns how many offsets A and its complement r cover, and the smallest multiple of the block that suffices
// for the cotarget.
func (q Query) Covers(r Mode) (n, least int64) {
	if q.Op != "complement" || !q.A.IsInteger() {
		return 0, 0
	}
	_, block, _ := q.A.Leaves().gaps()
	n = r.Leaves().Size() * (q.A.Leaves().Size() / q.A.Leaves().Repeats())
	return n, max((q.M+block-1)/block, 1) * block
}

func noComplement(q Query) (Finding, breach) {
	if !q.A.IsInteger() {
		return Unknown, breach{}
	}
	if _, _, ok := q.A.Leaves().gaps(); !ok {
		return Holds, because("the strides do not chain, so no complement exists")
	}
	return Breaks, because("the strides chain, so a complement exists")
}

// isRightInverse checks that A(R(k)) = k, and that R(k) is an index of A.
func isRightInverse(q Query, r Mode) (Finding, breach) {
	rs := r.Leaves()
	if rs.Size() > MaxValues || !q.A.IsInteger() || !r.IsInteger() {
		return Unknown, breach{}
	}
	size := q.A.Leaves().Size()
	for k, x := range rs.Table() {
		if x < 0 || x >= size && size <= MaxValues {
			return Breaks, because("the value %d at %d is no index of A", x, k)
		}
		if f, why := same(k, q.A.Leaves().At(x), int64(k)); f != Holds {
			return f, why
		}
	}
	return Holds, breach{}
}

// isLeftInverse checks that R(A(i)) = i or, if A repeats offsets, that A(R(A(i))) = A(i).
func isLeftInverse(q Query, r Mode) (Finding, breach) {
	a, rs := q.A.Leaves(), r.Leaves()
	if a.Size() > MaxValues || !q.A.IsInteger() || !r.IsInteger() {
		return Unknown, breach{}
	}
	table := a.Table()
	once := Injective(table)
	for i, x := range table {
		got, want := rs.At(x), int64(i)
		if !once {
			got, want = a.At(got), x
		}
		if f, why := same(i, got, want); f != Holds {
			return f, why
		}
	}
	return Holds, breach{}
}

func noLeftInverse(q Query) (Finding, breach) {
	a := q.A.Leaves()
	if a.Size() > MaxValues || !q.A.IsInteger() {
		return Unknown, breach{}
	}
	if !Injective(a.Table()) {
		return Holds, because("A repeats an offset")
	}
	return Unknown, breach{}
}

// isProduct checks that R is (A, A*∘B), in which the index of A runs fastest.
func isProduct(q Query, r Mode) (Finding, breach) {
	n := q.A.Leaves().Size()
	return q.isProductOf(r, Leaves{{n, 1}}, Leaves{{q.B.Leaves().Size(), n}})
}

// isModeProduct checks that mode k of the result combines mode k of A with mode k of the copies A*∘B. The mode of A
// runs faster in a blocked product and slower in a raked product. Modes of size 1 extend the shorter operand.
func isModeProduct(q Query, r Mode) (Finding, breach) {
	as, bs := q.A.Modes(), q.B.Modes()
	var ia, ib Leaves
	step := int64(1)
	for k := range max(len(as), len(bs)) {
		a, b := Leaf{1, step}, Leaf{1, step}
		if k < len(as) {
			a.S = as[k].Leaves().Size()
		}
		if k < len(bs) {
			b.S = bs[k].Leaves().Size()
		}
		if q.Op == "raked_product" {
			a.D *= b.S
		} else {
			b.D *= a.S
		}
		ia, ib, step = append(ia, a), append(ib, b), step*a.S*b.S
	}
	return q.isProductOf(r, ia, ib)
}

// isProductOf checks the value of every element of every copy. Element i of copy j has the index ia(i) + ib(j) in r.
func (q Query) isProductOf(r Mode, ia, ib Leaves) (Finding, breach) {
	a, b, rs := q.A.Leaves(), q.B.Leaves(), r.Leaves()
	if a.Size() > MaxValues || b.Size() > MaxValues || a.Size()*b.Size() > MaxValues || !q.A.IsInteger() || !q.B.IsInteger() {
		return Unknown, breach{}
	}
	places, ok := a.star()
	if !ok {
		return Breaks, because("modes of A overlap")
	}
	as, at, copies := a.Table(), ia.Table(), ib.Table()
	want := make([]int64, len(as)*len(copies))
	for j, x := range b.Table() {
		place := places.At(x)
		for i, v := range as {
			want[at[i]+copies[j]] = v + place
		}
	}
	return sameTable(rs, want)
}

func noProduct(q Query) (Finding, breach) {
	b := q.B.Leaves()
	if b.Size() > MaxValues || !q.A.IsInteger() || !q.B.IsInteger() {
		return Unknown, breach{}
	}
	places, ok := q.A.Leaves().star()
	if !ok {
		return Holds, because("modes of A overlap")
	}
	if composable(places, b) {
		return Breaks, because("A*∘B is a layout")
	}
	return Holds, because("no layout has the values A*∘B")
}

// IsInteger reports whether all strides are integers.
//
//go:noinline
func (m Mode) IsInteger() bool {
	if !m.Tuple {
		return m.Path == ""
	}
	return !slices.ContainsFunc(m.Kids, func(k Mode) bool { return !k.IsInteger() })
}

// paths adds the coordinate paths of m's strides to the set.
func (m Mode) paths(set map[string]bool) map[string]bool {
	if !m.Tuple && m.D != 0 {
		set[m.Path] = true
	}
	for _, k := range m.Kids {
		k.paths(set)
	}
	return set
}

// Chainless reports whether the operation needs the complement of a layout that has no complement.
func (q Query) Chainless() bool {
	m := q.A
	switch {
	case AnyDivide(q.Op):
		m = q.B
	case q.Op == "coalesce", q.Op == "composition", q.Op == "right_inverse", q.Op == "left_inverse":
		return false
	}
	_, _, whole, ok := m.Leaves().gapsThatFit()
	if AnyProduct(q.Op) {
		whole = true // copies need not cover every offset
	}
	return m.IsInteger() && !(ok && whole)
}

// AnyProduct reports whether op is one of the products.
func AnyProduct(op string) bool { return strings.HasSuffix(op, "_product") }
