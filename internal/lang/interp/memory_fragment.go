package interp

import (
	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
)

// This file makes the fragments of the operands of an MMA, and finds the MMA that a value is.

// fragment returns the implementation of make_fragment_A, partition_fragment_A or a similar function, which returns
// registers for an operand of an MMA. If the instruction reads the operand from shared memory, the fragment is the part
// itself.
func fragment(name, operand string) memoryRow {
	o := map[string]atom.Operand{"A": atom.OperandA, "B": atom.OperandB, "C": atom.OperandC}[operand]
	return func(r *runner, c *arguments, _ dtype.Type) (Value, error) {
		if len(c.pos) != 2 {
			return nil, errNoMemory
		}
		m, _, ok := mmaOf(c.pos[0])
		if !ok {
			return nil, errNoMemory
		}
		part := c.pos[1]
		if m.Atom().Space(o) == atom.SharedMemory {
			if a, ok := part.(Algebra); ok && a.isTensor() && name[0] == 'm' {
				return a, nil
			}
			return nil, errNoMemory
		}
		v, err := r.callValues(name, c.pos[0], part)
		if err != nil {
			return nil, err
		}
		l, err := r.layoutOf([]Value{v})
		if err != nil {
			return nil, err
		}
		elem := m.Atom().Types.Of(o).Type
		if m.Atom().Space(o) == atom.TensorMemory {
			return r.inTensorMemory(elem, l)
		}
		return r.allocatedIn(atom.Registers, elem, l)
	}
}

// retile returns the implementation of retile_S or retile_D, which returns the same registers in the form in which a
// tiled copy addresses them.
func retile(name string) memoryRow {
	return func(r *runner, c *arguments, _ dtype.Type) (Value, error) {
		if len(c.pos) != 2 {
			return nil, errNoMemory
		}
		a, ok := c.pos[1].(Algebra)
		if !ok || !a.isTensor() {
			return nil, errNoMemory
		}
		l, err := r.callValues("layout", a)
		if err != nil {
			return nil, err
		}
		v, err := r.callValues(name, c.pos[0], l)
		if err != nil {
			return nil, err
		}
		to, err := r.layoutOf([]Value{v})
		if err != nil {
			return nil, err
		}
		made, err := r.tensorOn(a.window, a.view().Start(), to)
		made.mixed = a.mixed
		return made, err
	}
}

// mmaOf returns the tiled MMA that a value is or whose thread it is, and the number of that thread.
func mmaOf(v Value) (m atom.TiledMMA, thread int64, ok bool) {
	a, isAlgebra := v.(Algebra)
	if !isAlgebra {
		return m, 0, false
	}
	switch x := withNumbers(a).(type) {
	case eval.TiledMMA:
		return x.TiledMMA, -1, true
	case eval.MMAAtom:
		m, err := atom.MakeTiledMMA(x.MMA, oneAtom(), nil)
		return m, -1, err == nil
	case eval.ThrSlice:
		of, thread := x.Of()
		t, ok := of.(eval.TiledMMA)
		return t.TiledMMA, thread, ok
	}
	return m, 0, false
}

func oneAtom() cute.Layout {
	l, _ := cute.LayoutLeft(cute.Ints(1, 1, 1)) // these extents always form a layout
	return l
}
