package explain

import (
	"fmt"
	"slices"

	"girih/cute"
)

// mostChecked limits the indices at which a result is compared with its definition.
const mostChecked = 1024

// checkedIndices returns the indices below size that are checked: all of them, or mostChecked evenly spread ones,
// including the last.
func checkedIndices(size int64) []int64 {
	n := min(size, mostChecked)
	out := make([]int64, n)
	if n == size {
		for i := range out {
			out[i] = int64(i)
		}
		return out
	}
	step := (size - 1) / (n - 1)
	for i := range out {
		out[i] = int64(i) * step
	}
	out[n-1] = size - 1
	return out
}

// atAll describes how many of the indices below size were checked.
func atAll(size int64) string {
	switch {
	case size == 1:
		return "at the only index"
	case size <= mostChecked:
		return fmt.Sprintf("at all %d indices", size)
	}
	return fmt.Sprintf("at %d of %d indices, the last one among them", mostChecked, size)
}

// verify records a statement if f holds at every checked index below size. Otherwise it names the first index at which
// f does not hold.
func (x *Explanation) verify(what string, size int64, f func(i int64) bool) {
	if i, ok := firstNot(checkedIndices(size), f); ok {
		x.refute(what, "index %d", i)
		return
	}
	x.Check = what + " " + atAll(size)
}

// confirm records the text check if f holds at every index below n. Otherwise it names the first index at which f
// does not hold.
func (x *Explanation) confirm(check, what string, n int64, f func(i int64) bool) {
	x.Check = check
	if i, ok := firstNot(sequence(n), f); ok {
		x.refute(what, "index %d", i)
	}
}

// compare refutes the check if the result and made, the layout that the steps produce, differ as functions of indices.
func (x *Explanation) compare(op *Operation, what string, made cute.Layout) {
	r, ok := op.layoutResult()
	if !ok {
		return
	}
	if same, d := cute.Equivalent(made, r); !same {
		x.refute(what, "index %d", d.Index)
	}
}

// refute records the place at which a statement does not hold.
//
//go:noinline
func (x *Explanation) refute(what, where string, place any) {
	x.Check = what + " does not hold at " + fmt.Sprintf(where, place)
}

// firstNot returns the first index for which f is false, if there is one.
func firstNot(indices []int64, f func(i int64) bool) (int64, bool) {
	k := slices.IndexFunc(indices, func(i int64) bool { return !f(i) })
	if k < 0 {
		return 0, false
	}
	return indices[k], true
}

// sameValue reports whether two values are equal. The coordinate (0,0) equals the integer 0.
func sameValue(a, b cute.Tuple) bool {
	x, err1 := cute.ArithmeticTuple(a)
	y, err2 := cute.ArithmeticTuple(b)
	return err1 == nil && err2 == nil && x.Equal(y)
}

// verifyLeft records the check of a left inverse. back(i) is the index to which the inverse maps value(i), the value of
// the layout at index i.
func (x *Explanation) verifyLeft(
	size int64, back func(i int64) (int64, bool), value func(i int64) (cute.Tuple, bool),
) {
	if _, less := firstNot(checkedIndices(size), func(i int64) bool { k, ok := back(i); return ok && k == i }); !less {
		x.Check = "R(A(i)) = i " + atAll(size)
		return
	}
	x.verify("A(R(A(i))) = A(i)", size, func(i int64) bool {
		k, ok := back(i)
		u, ok1 := value(i)
		v, ok2 := value(k)
		return ok && ok1 && ok2 && sameValue(u, v)
	})
	x.Check += ": of the indices that share an offset, R gives the least"
}

// at returns the value of a layout at an index or a coordinate, for integer and coordinate strides.
func at(l cute.Layout, c cute.Tuple) (cute.Tuple, bool) {
	v, err := l.Eval(c)
	return v, err == nil
}

// values returns the values of a layout at the first n indices, as text.
func values(l cute.Layout, n int64) string {
	n = min(n, l.Size())
	text := ""
	for i := range n {
		v, ok := at(l, cute.Int(i))
		if !ok {
			break
		}
		if i > 0 {
			text += " "
		}
		text += v.String()
	}
	if n < l.Size() {
		text += " ..."
	}
	return text
}
