package kernel

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/address"
	"girih/symbolic"
)

// This file writes the formulas of a kernel in Python, in which // rounds down and % is never negative, as in an
// address.Expr.

// minus finds minus signs without a left operand, which Python binds closer than the // after them.
var minus = regexp.MustCompile(`(^|\()-`)

var pythonSigns = strings.NewReplacer("·", "*", " mod ", " % ", " xor ", " ^ ", "/", "//")

// formula returns an expression as Python. It refuses symbols that are not integers of the kernel.
func (t *torchFile) formula(x address.Expr) string {
	x.Symbols(func(s *address.Symbol) {
		for _, n := range t.k.numbers {
			if n == s {
				return
			}
		}
		t.refuse(cute.CodeUnknown, "use parameters and constants", "%v depends on %s, which the launch does not know", x,
			s.Name())
	})
	text := x.String()
	if strings.Contains(text, "...") {
		t.refuse(cute.CodeLimit, "pass it as an integer of its own", "a formula is too long: %v", x)
	}
	return minus.ReplaceAllString(pythonSigns.Replace(text), "${1}0 - ")
}

// tuple returns expressions as a Python tuple.
func (t *torchFile) tuple(xs []address.Expr) string {
	out := make([]string, len(xs))
	for i, x := range xs {
		out[i] = t.formula(x)
	}
	return tupleOf(out)
}

// numbersOf returns the range of a type of integers, as far as PyTorch passes it.
func numbersOf(d dtype.Type) symbolic.Facts {
	bits := min(d.Bits(), 63)
	if d.Kind() == dtype.Signed {
		return symbolic.Facts{Min: -1 << (d.Bits() - 1), Max: 1<<(d.Bits()-1) - 1}
	}
	return symbolic.Facts{Max: 1<<bits - 1}
}

// shape returns the extents and strides of a tensor as PyTorch has them; ok is false for memory: elements below a byte,
// and layouts that are nested or swizzled, which are passed without gaps.
func (t *torchFile) shape(a Argument) (extents, strides []string, ok bool) {
	r := a.root
	if r.extents == nil {
		for range r.outer.Stages() {
			return nil, nil, false
		}
		for _, m := range r.outer.Layout().Modes() {
			n, ok := m.Shape().Int64()
			d, ok2 := m.Stride().Int64()
			if !ok || !ok2 {
				return nil, nil, false
			}
			extents, strides = append(extents, fmt.Sprint(n)), append(strides, fmt.Sprint(d))
		}
		return extents, strides, a.Type.Bits() >= 8
	}
	for i, x := range r.extents {
		extents, strides = append(extents, t.formula(x)), append(strides, t.formula(r.strides[i]))
	}
	return extents, strides, a.Type.Bits() >= 8
}

// bytes returns the size of memory.
func (t *torchFile) bytes(a Argument) string {
	r := a.root
	if r.extents == nil {
		n, _ := r.outer.Cosize() // of a layout that was accepted
		return fmt.Sprint((n*int64(a.Type.Bits()) + 7) / 8)
	}
	last := "1"
	for i, x := range r.extents {
		last += fmt.Sprintf(" + (%s - 1) * (%s)", t.formula(x), t.formula(r.strides[i]))
	}
	return fmt.Sprintf("((%s) * %d + 7) // 8", last, a.Type.Bits())
}

// rank returns the number of dimensions of a tensor, and None for memory.
func (t *torchFile) rank(a Argument) string {
	extents, _, ok := t.shape(a)
	if !ok {
		return "None"
	}
	return fmt.Sprint(len(extents))
}

// broadcast returns the modes of a tensor that is only read which callers may leave out: they have a known extent and
// the stride 0, as the rows of a bias for columns. Each is written as its number and its extent.
func (t *torchFile) broadcast(a Argument) (out []string) {
	extents, strides, ok := t.shape(a)
	for i := range extents {
		if _, err := strconv.Atoi(extents[i]); ok && !a.Writes && err == nil && strides[i] == "0" {
			out = append(out, fmt.Sprintf("(%d, %s)", i, extents[i]))
		}
	}
	return out
}

// extents returns the shape of each tensor, and the bytes of memory.
func (t *torchFile) extents() string {
	return t.each(func(a Argument) string {
		if extents, _, ok := t.shape(a); ok {
			return tupleOf(extents)
		}
		return t.bytes(a)
	})
}

// strides returns the strides of each tensor, and None for memory.
func (t *torchFile) strides() string {
	return t.each(func(a Argument) string {
		if _, strides, ok := t.shape(a); ok {
			return tupleOf(strides)
		}
		return "None"
	})
}

func (t *torchFile) each(f func(a Argument) string) string {
	var out []string
	for _, a := range t.args {
		if a.root != nil {
			out = append(out, f(a))
		}
	}
	return tupleOf(out)
}

// maps returns the tensor maps by their number among the parameters.
func (t *torchFile) maps() string {
	var out []string
	for _, p := range t.k.maps {
		dims, strides, box := make([]string, len(p.dims)), make([]string, len(p.dims)-1), []string{}
		for axis, dim := range p.dims {
			dims[dim] = t.formula(p.extents[axis])
			if dim > 0 {
				strides[dim-1] = fmt.Sprintf("(%s) * %d", t.formula(p.strides[axis]), p.plan.Type.Bits()/8)
			}
		}
		for _, n := range p.plan.Box {
			box = append(box, fmt.Sprint(n))
		}
		at := 0
		for t.k.Params[at].Name != p.name {
			at++
		}
		out = append(out, fmt.Sprintf("%d: (%s, %s, %s, %d, %d, %d, %d)", at, tupleOf(dims), tupleOf(strides), tupleOf(box),
			p.plan.Type, p.plan.Swizzle, p.plan.Promotion, p.plan.Fill))
	}
	return strings.Join(out, ", ")
}
