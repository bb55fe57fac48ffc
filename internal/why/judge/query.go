package judge

import (
	"math"
	"slices"
)

// NewQuery reads the operands of an operation that has a definition. It reports false for other operations, and for
// tilers that tile mode by mode.
func NewQuery(op string, args []string) (Query, bool) {
	q := Query{Op: op, Args: args, B: Mode{Tuple: true}}
	if _, ok := definitionOf(op); !ok || len(args) == 0 || len(args) > 2 {
		return q, false
	}
	var ok bool
	if q.A, _, ok = readOperand(args[0]); !ok || q.A.isHuge() {
		return q, false
	}
	switch op {
	case "coalesce", "right_inverse", "left_inverse":
		return q, len(args) == 1
	case "complement":
		if len(args) == 2 {
			q.M, ok = ShapeSize(args[1])
		}
		return q, ok
	}
	if len(args) != 2 {
		return q, false
	}
	b, isShape, ok := readOperand(args[1])
	q.B = b
	if isShape {
		tilesByMode := b.Tuple && op != "blocked_product" && op != "raked_product"
		return q, ok && !tilesByMode
	}
	return q, ok && !b.isHuge()
}

// readOperand reads a layout, or a shape, which it converts to its compact layout.
func readOperand(text string) (m Mode, isShape, ok bool) {
	if m, ok = ReadShape(text); ok {
		return m, true, true
	}
	m, ok = ReadLayout(text)
	return m, false, ok
}

// isHuge reports whether extent times stride of some leaf does not fit in 64 bits, so that nothing can be checked.
func (m Mode) isHuge() bool {
	if !m.Tuple {
		return m.D != 0 && m.S > math.MaxInt64/max(m.D, -m.D)
	}
	return slices.ContainsFunc(m.Kids, Mode.isHuge)
}

// ReadShape reads a shape as its compact column-major layout, in which modes of extent 1 have stride 0.
func ReadShape(text string) (Mode, bool) {
	t, rest, ok := ReadTree(Strip(text))
	if !ok || rest != "" {
		return Mode{}, false
	}
	next := int64(1)
	var compact func(m *Mode) bool
	compact = func(m *Mode) bool {
		for i := range m.Kids {
			if !compact(&m.Kids[i]) {
				return false
			}
		}
		if m.Tuple {
			return true
		}
		if m.S < 1 || m.Path != "" {
			return false
		}
		if m.S > 1 {
			m.D = next
		}
		next *= m.S
		return true
	}
	return t, compact(&t)
}

// ShapeSize returns the product of the integers of a shape. The empty shape has size 1.
func ShapeSize(shape string) (int64, bool) {
	t, rest, ok := ReadTree(Strip(shape))
	if !ok || rest != "" {
		return 0, false
	}
	n := int64(1)
	for _, x := range t.Ints() {
		n *= x
	}
	return n, true
}

// Ints returns the integers of a tree from left to right.
func (m Mode) Ints() []int64 {
	if !m.Tuple {
		return []int64{m.S}
	}
	var xs []int64
	for _, k := range m.Kids {
		xs = append(xs, k.Ints()...)
	}
	return xs
}
