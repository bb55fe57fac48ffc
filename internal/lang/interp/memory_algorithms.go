package interp

import (
	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/tensor"
	"girih/tensor/tiled"
)

// This file implements the algorithms of CuTe on tensors with storage. Package tensor runs them on the codes.

// storage returns argument i as a tensor with storage.
func (c *arguments) storage(i int) (Algebra, error) {
	if i >= len(c.pos) {
		return Algebra{}, errorf(cute.CodeRank, "expected at least %d arguments, found %d", i+1, len(c.pos))
	}
	a, ok := c.pos[i].(Algebra)
	if !ok || !a.isTensor() {
		return a, errNoMemory
	}
	return a, nil
}

func clearTensor(r *runner, c *arguments, _ dtype.Type) (Value, error) {
	a, err := c.storage(len(c.pos) - 1)
	if err != nil {
		return nil, err
	}
	return None{}, r.fillTensor(a, CInt{Type: CIntType})
}

// fillTensor implements fill(t, x), and cooperative_fill<N>(tid, t, x).
func fillTensor(r *runner, c *arguments, _ dtype.Type) (Value, error) {
	if len(c.pos) < 2 {
		return nil, errorf(cute.CodeRank, "expected a tensor and a number, found %d arguments", len(c.pos))
	}
	a, err := c.storage(len(c.pos) - 2)
	if err != nil {
		return nil, err
	}
	return None{}, r.fillTensor(a, c.pos[len(c.pos)-1])
}

// fillTensor sets all elements of a tensor.
func (r *runner) fillTensor(a Algebra, v Value) error {
	code, err := r.toCode(a.typ, v)
	if err != nil {
		return err
	}
	c, err := r.codes(a)
	if err != nil {
		return err
	}
	if err := tensor.Fill(c.Tensor, code); err != nil {
		return err
	}
	return r.markWritten(a, c)
}

// copyTensor implements copy(src, dst) and copy(tiled_copy, src, dst). The argument pred= of the CuTe DSL is the
// predicate of copy_if.
func copyTensor(r *runner, c *arguments, _ dtype.Type) (Value, error) {
	if pred := c.take("pred"); pred != nil && pred != (None{}) {
		c.pos = append(c.pos[:len(c.pos)-2:len(c.pos)-2], append([]Value{pred}, c.pos[len(c.pos)-2:]...)...)
		return copyTensorIf(r, c, 0)
	}
	if len(c.pos) < 2 {
		return nil, errorf(cute.CodeRank, "expected a source and a destination, found %d arguments", len(c.pos))
	}
	if ok, err := r.copyRange(c); ok {
		return None{}, err
	}
	dst, err := c.storage(len(c.pos) - 1)
	if err != nil {
		return nil, err
	}
	src := c.pos[len(c.pos)-2]
	if len(c.pos) == 3 {
		if by, ok := copyAtomOf(c.pos[0]); ok {
			return None{}, r.copyBy(by, src, dst)
		}
	}
	return None{}, r.copyTo(src, dst)
}

// copyAtomOf returns the copy atom that a value is or contains.
func copyAtomOf(v Value) (atom.CopyAtom, bool) {
	a, ok := v.(Algebra)
	if !ok {
		return atom.CopyAtom{}, false
	}
	switch x := withNumbers(a).(type) {
	case eval.TiledCopy:
		return x.Atom(), true
	case eval.CopyAtom:
		return x.CopyAtom, true
	case eval.ThrSlice:
		of, _ := x.Of()
		t, ok := of.(eval.TiledCopy)
		if ok {
			return t.Atom(), true
		}
	}
	return atom.CopyAtom{}, false
}

// copyTo copies a tensor, with or without storage, to a tensor with storage.
func (r *runner) copyTo(src Value, dst Algebra) error { return r.convertTensor(src, dst, nil) }

// convertTensor sets dst(i) = src(i) for each i where the predicate is true. A nil predicate is true everywhere.
func (r *runner) convertTensor(src Value, dst Algebra, pred *tensor.Tensor[bool]) error {
	from, typ, err := r.source(src, dst, pred)
	if err != nil {
		return err
	}
	to, err := r.codes(dst)
	if err != nil {
		return err
	}
	w := &window{typ: typ}
	var failed error
	convert := func(code uint64) uint64 {
		if typ == dst.typ {
			return code
		}
		v, err := r.fromCode(w, code)
		if err == nil {
			code, err = r.toCode(dst.typ, v)
		}
		if err != nil {
			failed = err
		}
		return code
	}
	switch {
	case pred != nil:
		if from, err = tensor.Lazy(from, convert); err == nil {
			err = tensor.CopyIf(*pred, from, to.Tensor)
		}
	case typ == dst.typ:
		err = tensor.Copy(from, to.Tensor)
	default:
		err = tensor.Transform(from, to.Tensor, convert)
	}
	if err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	if pred != nil {
		for i, p := range to.at {
			if is, err := pred.At(int64(i)); err != nil || !is {
				to.at[i] = tensor.NoPlace
			}
			_ = p
		}
	}
	return r.markWritten(dst, to)
}

// source returns the codes of a tensor that is read where the predicate is true. For a tensor without storage, the
// elements are its coordinates or offsets.
func (r *runner) source(src Value, dst Algebra, pred *tensor.Tensor[bool]) (tensor.Tensor[uint64], dtype.Type, error) {
	none := tensor.Tensor[uint64]{}
	a, ok := src.(Algebra)
	if !ok {
		return none, 0, errorf(cute.CodeType, "expected a tensor to copy from, found %s", r.describe(src))
	}
	if a.isTensor() {
		c, err := r.codes(a)
		if err != nil {
			return none, 0, err
		}
		for i, p := range c.at {
			if p == tensor.NoPlace {
				continue
			}
			if pred != nil {
				if is, err := pred.At(int64(i)); err != nil || !is {
					continue
				}
			}
			if err := r.reads(a, p); err != nil {
				return none, 0, a.at(int64(i), err)
			}
		}
		return c.Tensor, a.typ, nil
	}
	t, ok := withNumbers(a).(eval.Tensor)
	if !ok {
		return none, 0, errNoMemory
	}
	first, isInt := t.First().Int64()
	if !isInt {
		return none, 0, errorf(cute.CodeType, "expected a tensor of numbers to copy from, found one of coordinates")
	}
	numbers, err := tensor.Counting(first, t.Layout())
	if err != nil {
		return none, 0, err
	}
	codes, err := tensor.Lazy(numbers, func(n int64) uint64 { return uint64(n) })
	return codes, dtype.S64, err
}

// copyBy implements copy(atom, src, dst), one thread's copy with an instruction. The first mode of both tensors
// contains the values of the instruction.
func (r *runner) copyBy(by atom.CopyAtom, src Value, dst Algebra) error {
	a, ok := src.(Algebra)
	if !ok || !a.isTensor() || by.Threads() > 1 {
		if by.Threads() > 1 {
			return r.copyTogether(by, a, dst)
		}
		return r.copyTo(src, dst)
	}
	one, err := oneThread(by)
	if err != nil {
		return err
	}
	from, err := r.loadTensor(a)
	if err != nil {
		return err
	}
	to, err := r.codes(dst)
	if err != nil {
		return err
	}
	s, err := asOneThread(from.Tensor)
	if err != nil {
		return err
	}
	d, err := asOneThread(to.Tensor)
	if err != nil {
		return err
	}
	if a.typ.Bits() != dst.typ.Bits() || a.typ.Bits() != one.Atom().Type.Bits() || s.Extent(0) != one.TileSize() {
		return r.copyTo(src, dst)
	}
	if err := tiled.Copy(one, s, d); err != nil {
		return err
	}
	return r.markWritten(dst, to)
}

// oneThread returns the tiled copy with one thread and one instruction.
func oneThread(by atom.CopyAtom) (atom.TiledCopy, error) {
	thread, err := cute.LayoutLeft(cute.Ints(1))
	if err != nil {
		return atom.TiledCopy{}, err
	}
	values, err := cute.LayoutLeft(cute.Ints(by.NumVal()))
	if err != nil {
		return atom.TiledCopy{}, err
	}
	return atom.MakeTiledCopy(by, thread, values)
}

// asOneThread groups the modes after the first into one mode: (V,Rest).
func asOneThread(t tensor.Tensor[uint64]) (tensor.Tensor[uint64], error) {
	return t.Map(func(l cute.Layout) (cute.Layout, error) {
		if l.Shape().IsInt() || l.Rank() == 1 {
			one, err := cute.LayoutLeft(cute.Int(1))
			if err != nil {
				return l, err
			}
			return cute.MakeLayout(l, one)
		}
		return l.GroupModes(1, l.Rank())
	})
}

// copyTensorIf implements copy_if(pred, src, dst) and copy_if(tiled_copy, pred, src, dst). The predicate is a tensor,
// or a function of an index.
func copyTensorIf(r *runner, c *arguments, _ dtype.Type) (Value, error) {
	n := len(c.pos)
	if n < 3 {
		return nil, errorf(cute.CodeRank, "expected a predicate, a source and a destination, found %d arguments", n)
	}
	dst, err := c.storage(n - 1)
	if err != nil {
		return nil, err
	}
	pred, err := r.predicate(c.pos[n-3], c.pos[n-2], dst)
	if err != nil {
		return nil, err
	}
	return None{}, r.convertTensor(c.pos[n-2], dst, &pred)
}

// predicate returns the truth value of each index of a copy.
func (r *runner) predicate(pred, src Value, dst Algebra) (tensor.Tensor[bool], error) {
	size := dst.view().Size()
	values := make([]bool, size)
	none := tensor.Tensor[bool]{}
	if err := r.hold(len(values)); err != nil {
		return none, err
	}
	n := int64(1)
	if a, isAlgebra := pred.(Algebra); isAlgebra {
		list, err := r.truths(a)
		if err != nil {
			return none, err
		}
		// A predicate with fewer values applies to whole instructions, whose values are mode 0.
		if m := int64(len(list)); m > 0 && size%m == 0 {
			n = size / m
		}
		if n*int64(len(list)) != size {
			return none, errorf(cute.CodeNotCongruent, "expected a predicate for %v, found one of %d values",
				dst.view().Shape(), len(list))
		}
		for i := range values {
			values[i] = list[int64(i)/n]
		}
	} else {
		for i := range values {
			v, err := r.apply(pred, r.hostInt(int64(i)))
			if err != nil {
				return none, err
			}
			if values[i], err = r.truth(v); err != nil {
				return none, err
			}
		}
	}
	l, err := cute.LayoutLeft(cute.Int(size))
	if err != nil {
		return none, err
	}
	_ = src
	return tensor.Make(values, l)
}

// truths returns the truth values of a tensor, which may be the result of lazy::transform.
func (r *runner) truths(a Algebra) ([]bool, error) {
	if !a.isTensor() {
		return r.lazyTruths(a)
	}
	c, err := r.loadTensor(a)
	if err != nil {
		return nil, err
	}
	list := make([]bool, c.Size())
	for i := range list {
		code, err := c.At(int64(i))
		if err != nil {
			return nil, err
		}
		list[i] = code != 0
	}
	return list, nil
}

// lazyTruths applies the function of lazy::transform to the coordinates in a tensor.
func (r *runner) lazyTruths(a Algebra) ([]bool, error) {
	t, ok := withNumbers(a).(eval.Tensor)
	if !ok || a.lazy == nil {
		return nil, errNoMemory
	}
	n := t.Size()
	if err := r.work(int(n)); err != nil {
		return nil, err
	}
	list := make([]bool, n)
	for i := range list {
		at, err := t.At(int64(i))
		if err != nil {
			return nil, err
		}
		v, err := r.apply(a.lazy, r.hostTuple(at))
		if err != nil {
			return nil, err
		}
		if list[i], err = r.truth(v); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// lazyTransform implements lazy::transform(t, f), which returns a tensor whose elements f computes when they are used.
func (r *runner) lazyTransform(x *program.Call) (Value, error) {
	c, err := r.evaluateArguments(x)
	if err != nil {
		return nil, err
	}
	if len(c.pos) == 2 {
		a, ok := c.pos[0].(Algebra)
		if ok && !a.isTensor() && a.Value.Kind() == eval.KindTensor {
			a.lazy = c.pos[1]
			return a, nil
		}
	}
	return nil, r.at(x, errorf(cute.CodeType, "expected a tensor of coordinates and a function"))
}

// hostInt returns an integer of the program's language.
func (r *runner) hostInt(n int64) Value { return r.hostTuple(cute.Int(n)) }

// cooperativeCopy implements cooperative_copy<THREADS, BITS>(tid, src, dst).
func cooperativeCopy(r *runner, c *arguments, _ dtype.Type) (Value, error) {
	if len(c.pos) < 3 {
		return nil, errorf(cute.CodeRank, "expected a thread, a source and a destination, found %d arguments", len(c.pos))
	}
	tid, ok := integerOf(c.pos[0])
	if !ok {
		return nil, errorf(cute.CodeType, "expected the number of a thread, found %s", r.describe(c.pos[0]))
	}
	switch {
	case r.kernel == nil:
		r.noteAt(r.here.Pos(), "cooperative_copy copies the parts of all threads, as no kernel runs")
	case tid != 0:
		return None{}, nil // thread 0 does the work of all threads, because they have the same tensors
	}
	c.pos = c.pos[1:3]
	return copyTensor(r, c, 0)
}

// axpby implements axpby(a, x, b, y), which sets y = a*x + b*y. Without storage it does nothing.
func axpby(r *runner, c *arguments, _ dtype.Type) (Value, error) {
	if len(c.pos) < 4 {
		return nil, errorf(cute.CodeRank, "expected axpby(a, x, b, y), found %d arguments", len(c.pos))
	}
	x, err := c.storage(1)
	if err != nil {
		return nil, err
	}
	y, err := c.storage(3)
	if err != nil {
		return nil, err
	}
	alpha, beta := c.pos[0], c.pos[2]
	zero, _ := numberOf(beta)
	srcs := []Algebra{x}
	if zero.float() != 0 {
		srcs = append(srcs, y)
	}
	return None{}, r.elementwise(srcs, y, func(v []Value) (Value, error) {
		sum, err := r.combine("*", alpha, v[0], nowhere)
		if err != nil || len(v) == 1 {
			return sum, err
		}
		old, err := r.combine("*", beta, v[1], nowhere)
		if err != nil {
			return nil, err
		}
		return r.combine("+", sum, old, nowhere)
	})
}

// transform implements transform(t, f), transform(src, dst, f) and transform(a, b, dst, f).
func transform(r *runner, c *arguments, _ dtype.Type) (Value, error) {
	n := len(c.pos) - 1
	if n < 1 || n > 3 {
		return nil, errorf(cute.CodeRank, "expected tensors and a function, found %d arguments", n+1)
	}
	list := make([]Algebra, n)
	for i := range list {
		var err error
		if list[i], err = c.storage(i); err != nil {
			return nil, err
		}
	}
	srcs := list[:max(1, n-1)]
	return None{}, r.elementwise(srcs, list[n-1], func(v []Value) (Value, error) { return r.apply(c.pos[n], v...) })
}

// elementwise sets dst(i) = f(srcs(i)...). dst may be one of srcs.
func (r *runner) elementwise(srcs []Algebra, dst Algebra, f func(v []Value) (Value, error)) error {
	reads := make([]read, len(srcs))
	for i, s := range srcs {
		var err error
		if reads[i], err = r.loadTensor(s); err != nil {
			return err
		}
		if m, n := reads[i].Size(), dst.view().Size(); m != n {
			return errorf(cute.CodeNotCongruent, "expected %d elements as in %v, found %d in %v", n, dst.view().Shape(), m,
				reads[i].Shape())
		}
	}
	to, err := r.codes(dst)
	if err != nil {
		return err
	}
	l, err := cute.LayoutLeft(to.Shape())
	if err != nil {
		return err
	}
	results, err := tensor.Alloc[uint64](l)
	if err != nil {
		return err
	}
	compute := func(i int64, v []Value) error {
		for k, s := range srcs {
			code, err := reads[k].At(i)
			if err != nil {
				return err
			}
			if v[k], err = r.fromCode(s.window, code); err != nil {
				return err
			}
		}
		x, err := f(v)
		if err != nil {
			return err
		}
		code, err := r.toCode(dst.typ, x)
		if err != nil {
			return err
		}
		return results.Set(code, i)
	}
	if err := r.eachIndex(to.Size(), len(srcs), compute); err != nil {
		return err
	}
	if err := tensor.Copy(results, to.Tensor); err != nil {
		return err
	}
	return r.markWritten(dst, to)
}

// eachIndex calls f for each index of a tensor, with a slice of n values for its use, and counts the work.
func (r *runner) eachIndex(size int64, n int, f func(i int64, v []Value) error) error {
	v := make([]Value, n)
	for i := range size {
		if err := f(i, v); err != nil {
			return err
		}
		if err := r.work(1); err != nil {
			return err
		}
	}
	return nil
}
