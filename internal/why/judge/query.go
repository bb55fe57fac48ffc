package judge

import (
	"math"
	"slices"
)

// NewQuery reads the operands of an operation that has a definition. It reports false for others, and for tilers
// that tile mode by mode.
func NewQuery(op string, args []string) (Query, bool) {
	q := Query{Op: op, Args: args, B: Mode{Tuple: true}}
	if _, ok := definitionOf(op); !ok || len(args) == 0 || len(args) > 2 {
		return q, false
	}
	var ok bool
	if q.A, ok = ReadShape(args[0]); !ok {
		if q.A, ok = ReadLayout(args[0]); !ok {
			return q, false
		}
	}
	if q.A.isHuge() {
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
	q.B, ok = ReadShape(args[1])
	switch {
	case !ok:
		q.B, ok = ReadLayout(args[1])
		ok = ok && !q.B.isHuge()
	case q.B.Tuple && op != "blocked_product" && op != "raked_product":
		return q, false // a shape tiles by mode
	}
	return q, ok
}

// isHuge reports whether extent times stride of some leaf leaves 64 bits, so that nothing can be checked.
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
