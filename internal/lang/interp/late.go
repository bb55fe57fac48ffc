package interp

import (
	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
)

// This file handles tensors whose layout the CuTe DSL knows only at run time: an array of PyTorch that is passed to a
// compiled function directly, and a tensor after mark_layout_dynamic. Such a tensor has two layouts. The layout with
// known integers is used to run all operations. The layout with run-time integers, late, provides the trace-time texts;
// each operation on the tensor at trace time is also applied to late.
//
//	foo(torch.ones(2, 3))    # in foo, print(t.layout) is (?,?):(?,1), and cute.printf("{}", t.layout) is (2,3):(3,1)

// errUnknownLate is the error for the trace-time text of a tensor whose layout is known only at run time.
var errUnknownLate = errorf(cute.CodeUnknown, "the layout of the tensor is known at run time only, and its text at trace time "+
	"is not known here; cute.printf prints it")

// atTrace reports whether the running code is traced, so that trace-time texts are printed.
func (r *runner) atTrace() bool {
	return r.lang == program.Python && r.trace != nil && !r.trace.past && r.kernel.isFirst()
}

// markLate implements mark_layout_dynamic(leading_dim): afterwards all extents are known only at run time, and all
// strides except one that is 1.
func (r *runner) markLate(a Algebra, c *arguments) (Value, error) {
	l, ok := a.view().Layout().(cute.Layout)
	if !ok || l.Depth() > 1 {
		return nil, errorf(cute.CodeType, "expected a flat layout, found %v", a.view().Layout())
	}
	sizes, strides := l.Shape().Leaves(), l.Stride().Leaves()
	leading, err := leadingMode(sizes, strides, c)
	if err != nil {
		return nil, err
	}
	shape, stride := make(Tuple, len(sizes)), make(Tuple, len(sizes))
	for i := range sizes {
		if shape[i], err = r.runTime("Int32", Int(sizes[i]), program.Span{}); err != nil {
			return nil, err
		}
		if stride[i], err = r.runTime("Int32", Int(strides[i]), program.Span{}); err != nil {
			return nil, err
		}
		if i == leading {
			stride[i] = Int(1)
		}
	}
	v, err := r.callValues("make_layout", shape, stride)
	if err != nil {
		return nil, err
	}
	a.setLate(v)
	return a, nil
}

// leadingMode returns the mode whose stride 1 stays known: the mode that the caller gives, or else the mode with stride
// 1. It returns -1 if there is none.
func leadingMode(sizes, strides []int64, c *arguments) (int, error) {
	leading := -1
	for i, d := range strides {
		if d == 1 && (leading < 0 || sizes[leading] == 1) {
			leading = i
		}
	}
	if c == nil {
		return leading, nil
	}
	v := c.take("leading_dim")
	if v == nil && len(c.pos) > 0 {
		v = c.pos[0]
	}
	n, given := integerOf(v)
	switch {
	case !given:
		return leading, nil
	case n < 0 || n >= int64(len(sizes)) || strides[n] != 1:
		return 0, errorf(cute.CodeType, "expected a mode with the stride 1 as the leading mode, found %d", n)
	}
	return int(n), nil
}

// markCompact implements mark_compact_shape_dynamic. The trace-time text of the result is unknown here.
func (r *runner) markCompact(a Algebra, _ *arguments) (Value, error) {
	a.late = &Algebra{}
	return a, nil
}

// setLate sets the trace-time layout. It becomes unknown if v is not a layout.
func (a *Algebra) setLate(v Value) {
	a.late = &Algebra{}
	if l, ok := v.(Algebra); ok && l.Value.Kind() == eval.KindLayout && l.Static != "" {
		a.late = &l
	} else if ok && l.Value.Kind() == eval.KindLayout {
		a.late = nil // the whole layout is known
	}
}

// passLate returns the argument for a compiled function. An array of PyTorch that is passed directly gets a run-time
// layout.
func (r *runner) passLate(v Value) (Value, error) {
	switch x := v.(type) {
	case Algebra:
		if !x.isTensor() || !x.host {
			return v, nil
		}
		w := *x.window
		w.host, w.numpy = false, false
		x.window = &w
		return r.markLate(x, nil)
	case *List:
		if err := r.py.Enter(); err != nil { // a list may contain itself
			return nil, err
		}
		defer r.py.Leave()
		list := &List{Elems: make([]Value, len(x.Elems))}
		for i, e := range x.Elems {
			var err error
			if list.Elems[i], err = r.passLate(e); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return v, nil
}

// passAll is passLate for all arguments.
func (r *runner) passAll(c *arguments) (err error) {
	for i := range c.pos {
		if c.pos[i], err = r.passLate(c.pos[i]); err != nil {
			return err
		}
	}
	for i := range c.keys {
		if c.keys[i].Value, err = r.passLate(c.keys[i].Value); err != nil {
			return err
		}
	}
	return nil
}

// latesOf returns the trace-time layouts of the tensors with the given names. It returns nil if there is none, or if
// nothing is traced.
func (r *runner) latesOf(names []string, v Value) map[string]*Algebra {
	var lates map[string]*Algebra
	dynamic := false
	for _, name := range names {
		a := r.temps[name]
		if a.late == nil && a.Static != "" {
			dynamic = true
		}
		if a.late != nil && r.atTrace() {
			if lates == nil {
				lates = make(map[string]*Algebra)
			}
			lates[name] = a.late
		}
	}
	if a, ok := v.(Algebra); ok && dynamic && lates == nil && a.Value.Kind() == eval.KindTensor && r.atTrace() {
		return map[string]*Algebra{"": {}} // a tensor of coordinates with run-time extents
	}
	return lates
}

// solveLate evaluates a tree again, with the trace-time layouts of the tensors that are named in the tree. v is the
// value for the known layouts.
func (r *runner) solveLate(tree syntax.Expr, lates map[string]*Algebra, v Value) Value {
	for name, l := range lates {
		if l.Value == nil {
			return withLate(v, nil)
		}
		r.Env.Give(name, l.bound)
	}
	const name = " value"
	res, err := r.Env.Assign(name, tree)
	bound, _ := r.Env.Take(name)
	if err != nil {
		return withLate(v, nil)
	}
	return withLate(v, r.fromResult(res, bound))
}

// withLate returns a value v that operations made from tensors, with its trace-time value late.
func withLate(v, late Value) Value {
	a, isAlgebra := v.(Algebra)
	switch {
	case isAlgebra && a.Value.Kind() == eval.KindTensor:
		a.setLate(late)
		return a
	case late != nil:
		return late
	}
	return v
}
