package tensor

import (
	"girih/cute"
)

// A Number is a Go type that can be added and multiplied.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64 |
		~complex64 | ~complex128
}

// Fill sets every element to x: fill(t, x). Padding is not written. It returns [cute.CodeType] for a tensor that cannot
// be written or a zero tensor, and [cute.CodeLimit] above 2^32 elements.
func Fill[T any](t Tensor[T], x T) error {
	const op = "fill"
	if err := writable(op, t); err != nil {
		return err
	}
	s, inMemory := t.eng.(*slice[T])
	c := newCursor(t.v)
	var buf [chunk]int64
	for part := c.next(buf[:]); len(part) > 0; part = c.next(buf[:]) {
		switch {
		case inMemory && len(t.v.axes) == 0:
			for _, p := range part {
				s.data[p] = x
			}
		default:
			for _, p := range part {
				if p != padding {
					t.eng.set(p, x)
				}
			}
		}
	}
	return nil
}

// Clear sets every element to its zero value: clear(t). It returns the errors of [Fill].
func Clear[T any](t Tensor[T]) error {
	var zero T
	return Fill(t, zero)
}

// Reduce returns op(...op(op(init, t(0)), t(1))..., t(size-1)): reduce(t, init, op), in colexicographic order. Padding
// is skipped. It returns [cute.CodeType] for a zero tensor or a nil op, and [cute.CodeLimit] above 2^32 elements.
func Reduce[T, R any](t Tensor[T], init R, op func(R, T) R) (R, error) {
	if t.v == nil || op == nil {
		return init, missing("reduce", t.eng)
	}
	if err := countable("reduce", t.v); err != nil {
		return init, err
	}
	for _, x := range t.All() {
		init = op(init, x)
	}
	return init, nil
}

// Transform sets dst(i) = f(src(i)) for every index: transform(src, dst, f), and transform(t, f) with t for both. It is
// also how elements are converted.
//
// All of src is read before any of dst is written, so src and dst may overlap. It returns [cute.CodeNotCongruent] if
// the sizes differ, [cute.CodeNotInjective] if dst has one place for two elements of src, [cute.CodeMode] for padded
// tensors, [cute.CodeType] for a destination that cannot be written, and [cute.CodeLimit] if the decision needs too
// many elements.
func Transform[S, T any](src Tensor[S], dst Tensor[T], f func(S) T) error {
	const op = "transform"
	if src.v == nil || f == nil {
		return missing(op, src.eng)
	}
	src = src.flat()
	return write(assignment{op, nil}, dst, func(p []int64, _ int64) T { return f(src.eng.get(p[0])) }, src.operand())
}

// TransformBinary sets dst(i) = f(a(i), b(i)) for every index: transform(a, b, dst, f). It returns the errors of
// [Transform].
func TransformBinary[A, B, T any](a Tensor[A], b Tensor[B], dst Tensor[T], f func(A, B) T) error {
	const op = "transform"
	if a.v == nil || b.v == nil || f == nil {
		return missing(op, a.eng, b.eng)
	}
	a, b = a.flat(), b.flat()
	return write(assignment{op, nil}, dst, func(p []int64, _ int64) T {
		return f(a.eng.get(p[0]), b.eng.get(p[1]))
	}, a.operand(), b.operand())
}

// Axpby sets y(i) = alpha·x(i) + beta·y(i) for every index: axpby(alpha, x, beta, y). If beta is 0, y is not read, so
// its contents do not matter, NaN included. It returns the errors of [Transform].
func Axpby[T Number](alpha T, x Tensor[T], beta T, y Tensor[T]) error {
	return axpby(summand[T]{alpha, x}, summand[T]{beta, y}, nil)
}

// AxpbyIf is [Axpby] at the indices at which the predicate is true. It returns the errors of [CopyIf].
func AxpbyIf[T Number](pred Tensor[bool], alpha T, x Tensor[T], beta T, y Tensor[T]) error {
	if pred.v == nil {
		return missing("axpby", pred.eng)
	}
	return axpby(summand[T]{alpha, x}, summand[T]{beta, y}, &pred)
}

// A summand is a number times a tensor.
type summand[T Number] struct {
	by T
	t  Tensor[T]
}

// axpby sets y's tensor to ax + by, only where the predicate is true if there is one.
func axpby[T Number](ax, by summand[T], pred *Tensor[bool]) error {
	const op = "axpby"
	alpha, x, beta, y := ax.by, ax.t, by.by, by.t
	if x.v == nil || y.v == nil {
		return missing(op, x.eng, y.eng)
	}
	x = x.flat()
	if beta == 0 {
		return write(assignment{op, pred}, y, func(p []int64, _ int64) T { return alpha * x.eng.get(p[0]) }, x.operand())
	}
	return write(assignment{op, pred}, y, func(p []int64, _ int64) T {
		return alpha*x.eng.get(p[0]) + beta*y.eng.get(p[1])
	}, x.operand(), y.operand())
}

// CopyIf sets dst(i) = src(i) at the indices at which the predicate is true: copy_if(pred, src, dst). The other
// elements of dst keep their values. Source and destination may be padded where the predicate is false, which is how
// tiles at the border are copied: with the predicate of the tensor ([Tensor.Predicate]), or one from an identity tensor
// ([InBounds]).
//
// All of src and of the predicate is read before any of dst is written. It returns [cute.CodeNotCongruent] if the
// sizes differ, [cute.CodeMode] if the predicate is true at padding or is padded itself, [cute.CodeNotInjective] if
// dst has one place for two elements of src that are copied, [cute.CodeType] for a destination that cannot be written,
// and [cute.CodeLimit].
func CopyIf[T any](pred Tensor[bool], src, dst Tensor[T]) error {
	const op = "copy_if"
	if pred.v == nil || src.v == nil {
		return missing(op, pred.eng, src.eng)
	}
	src = src.flat()
	return write(assignment{op, &pred}, dst, func(p []int64, _ int64) T { return src.eng.get(p[0]) }, src.operand())
}

// An assignment is an operation that sets all elements, or those where the predicate is true.
type assignment struct {
	op   string
	pred *Tensor[bool]
}

// write sets dst(i) to value(positions of the sources at i, i) where the predicate is true, after all checks.
func write[T any](as assignment, dst Tensor[T], value func(p []int64, i int64) T, srcs ...operand) error {
	op, pred := as.op, as.pred
	if err := writable(op, dst, srcs...); err != nil {
		return err
	}
	all := append([]operand{dst.operand()}, srcs...)
	var holds func(i int64) bool
	if pred == nil {
		if err := checkUnpadded(op, all...); err != nil {
			return err
		}
	} else {
		if err := checkPredicate(op, *pred, all); err != nil {
			return err
		}
		holds = func(i int64) bool { x, ok := pred.element(i); return ok && x }
	}
	injective, err := single(op, dst.v, holds, srcs...)
	if err != nil {
		return err
	}
	staged := false
	for _, s := range srcs {
		staged = staged || (overlaps(dst.operand(), s) && !(injective && samePlaces(dst.v, s.v)))
	}
	if pred != nil {
		staged = staged || overlaps(dst.operand(), pred.operand())
	}
	w := walk[T]{dst: dst, value: value, holds: holds, srcs: srcs}
	if !staged {
		w.each(dst.eng.set)
		return nil
	}
	var places []int64
	var values []T
	w.each(func(at int64, x T) { places, values = append(places, at), append(values, x) })
	for k, p := range places {
		dst.eng.set(p, values[k])
	}
	return nil
}

// checkPredicate refuses a predicate that is padded, of another size, or true where an operand has no element.
func checkPredicate(op string, pred Tensor[bool], all []operand) error {
	if pred.v.size() != all[0].v.size() {
		return sizesDiffer(op, pred.Shape(), all[0].v.lay.Shape())
	}
	if err := checkUnpadded(op, pred.operand()); err != nil {
		return err
	}
	for _, o := range all {
		if len(o.v.axes) == 0 {
			continue
		}
		for i, in := range pred.All() {
			if in && !o.v.holds(i) {
				c, err := cute.Idx2Crd(cute.Int(i), o.v.lay.Shape())
				if err != nil {
					return err
				}
				return &cute.Error{
					Code: cute.CodeMode, Op: op, Msg: "the predicate is true at the coordinate " + c.String() + " of " + o.String() +
						", which is padding",
					Witness: &cute.Witness{Coord: c, Index: i}, Hint: "Predicate is true at the elements only",
				}
			}
		}
	}
	return nil
}

// A walk visits the indices of a destination and its sources.
type walk[T any] struct {
	dst   Tensor[T]
	value func(p []int64, i int64) T
	holds func(i int64) bool
	srcs  []operand
}

// each calls set with the position and the value of each selected index.
func (w walk[T]) each(set func(at int64, x T)) {
	d := newCursor(w.dst.v)
	cs := make([]*cursor, len(w.srcs))
	bufs := make([][chunk]int64, len(w.srcs)+1)
	parts := make([][]int64, len(w.srcs))
	p := make([]int64, len(w.srcs))
	for k, s := range w.srcs {
		cs[k] = newCursor(s.v)
	}
	i := int64(0)
	for part := d.next(bufs[0][:]); len(part) > 0; part = d.next(bufs[0][:]) {
		for k := range cs {
			parts[k] = cs[k].next(bufs[k+1][:])
		}
		for j, at := range part {
			if w.holds == nil || w.holds(i) {
				for k := range p {
					p[k] = parts[k][j]
				}
				set(at, w.value(p, i))
			}
			i++
		}
	}
}
