package tensor

import (
	"fmt"

	"girih/cute"
)

// A store is an engine without the type of its elements.
type store interface {
	length() int64
	memory(lo, hi int64) (from, to uintptr)
	text(base int64, origin cute.Tuple) string
}

// An operand is a tensor without the type of its elements.
type operand struct {
	v   *view
	eng store
}

func (t Tensor[T]) operand() operand { return operand{t.v, t.eng} }

// String returns the text of the tensor.
func (o operand) String() string { return o.v.text(o.eng) }

// maxElements is the largest number of elements that an algorithm visits. Only layouts that repeat places have more.
const maxElements = 1 << 32

// countable refuses views of more than maxElements elements.
func countable(op string, v *view) error {
	if n := v.size(); n > maxElements {
		return advise("slice the modes of stride 0 away",
			refuse(op, cute.CodeLimit, "%v has %d elements, more than the %d that are gone through",
				v.layout(), n, int64(maxElements)))
	}
	return nil
}

// writable refuses a destination that cannot be written, sizes that differ, and too many elements.
func writable[T any](op string, dst Tensor[T], srcs ...operand) error {
	if dst.v == nil {
		return missing(op, dst.eng)
	}
	if dst.eng.readOnly() {
		return dst.unwritable(op)
	}
	if err := countable(op, dst.v); err != nil {
		return err
	}
	for _, s := range srcs {
		if s.v == nil {
			return missing(op, s.eng)
		}
		if s.v.size() != dst.v.size() {
			return sizesDiffer(op, s.v.lay.Shape(), dst.v.lay.Shape())
		}
	}
	return nil
}

// checkUnpadded refuses padded tensors, for operations without a predicate.
func checkUnpadded(op string, all ...operand) error {
	for _, o := range all {
		if len(o.v.axes) > 0 {
			return advise("use the operation with a predicate: see Predicate, CopyIf, AxpbyIf",
				refuse(op, cute.CodeMode, "%v is padded: some of its %d coordinates have no element", o, o.v.size()))
		}
	}
	return nil
}

// single refuses to write different elements to one place: two indices with one position in dst but two positions in
// some source. If all sources agree, the result does not depend on the order, and there is no conflict. Only indices
// that holds accepts count; nil accepts all. It reports whether dst is injective.
func single(op string, dst *view, holds func(i int64) bool, srcs ...operand) (injective bool, err error) {
	if !dst.slow && !tables(dst.links) && !dst.lay.HasBasis() {
		one, _, err := cute.IsInjective(dst.lay)
		if err == nil && one {
			return true, nil
		}
	}
	n := dst.size()
	if n > cute.EnumLimit {
		return false, advise("write a tile at a time",
			refuse(op, cute.CodeLimit, "the places that %v writes more than once are found by looking at all %d elements, more than %d",
				dst.layout(), n, int64(cute.EnumLimit)))
	}
	first := make(map[int64]int64, n)
	injective = true
	for i := range n {
		if holds != nil && !holds(i) {
			continue
		}
		p, ok := dst.at(i)
		if !ok {
			continue
		}
		j, seen := first[p]
		if !seen {
			first[p] = i
			continue
		}
		injective = false
		for _, s := range srcs {
			a, _ := s.v.at(j)
			b, _ := s.v.at(i)
			if a != b {
				return false, dst.collision(op, j, i, p)
			}
		}
	}
	return injective, nil
}

func tables(links []link) bool {
	for _, k := range links {
		if k.table {
			return true
		}
	}
	return false
}

// collision is the error for the elements with indices j and i, both at place p.
func (v *view) collision(op string, j, i, p int64) error {
	shape := v.lay.Shape()
	a, err1 := cute.Idx2Crd(cute.Int(j), shape)
	b, err2 := cute.Idx2Crd(cute.Int(i), shape)
	if err1 != nil || err2 != nil {
		a, b = cute.Int(j), cute.Int(i)
	}
	return &cute.Error{
		Code: cute.CodeNotInjective, Op: op,
		Msg: fmt.Sprintf("the coordinates %v and %v of the destination %v are one place, %d, and the source has an element for each",
			a, b, v.layout(), p),
		Witness: &cute.Witness{Coord: a, Index: j, Value: cute.Int(p), Want: cute.Int(p), Other: &b},
		Hint:    "no order of writing is promised: slice the modes of stride 0 away, or reduce over them",
	}
}

// overlaps reports whether two tensors may share memory: whether the ranges of their addresses overlap.
func overlaps(a, b operand) bool {
	alo, ahi := a.within()
	blo, bhi := b.within()
	af, at := a.eng.memory(alo, ahi)
	bf, bt := b.eng.memory(blo, bhi)
	return af < bt && bf < at
}

// within returns bounds of the positions, clipped to the storage.
func (o operand) within() (lo, hi int64) {
	n := o.eng.length()
	if o.v.coords || n < 1 {
		return 0, 0
	}
	lo, hi, ok := o.v.rough()
	if !ok {
		return 0, n - 1
	}
	return max(lo, 0), min(hi, n-1)
}

// samePlaces reports whether the layouts of two views prove that they have the same position at every index.
func samePlaces(a, b *view) bool {
	if a.composed || b.composed {
		x, okA := a.layout().(cute.Composed)
		y, okB := b.layout().(cute.Composed)
		return okA && okB && a.base == b.base && x.Equal(y)
	}
	if a.base != b.base {
		return false
	}
	same, _ := cute.Equivalent(a.lay, b.lay)
	return same
}
