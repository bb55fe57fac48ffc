package conform

import (
	"math"
	"slices"

	"girih/internal/lang/eval"
)

// newQuery reads the operands of an operation that has a definition. It reports false for others, and for tilers
// that tile mode by mode.
func newQuery(op string, args []string) (query, bool) {
	if b, ok := eval.Lookup(op); ok {
		op = b.Name
	}
	q := query{op: op, args: args, b: mode{tuple: true}}
	if _, ok := definitionOf(op); !ok || len(args) == 0 || len(args) > 2 {
		return q, false
	}
	var ok bool
	if q.a, ok = readShape(args[0]); !ok {
		if q.a, ok = readLayout(args[0]); !ok {
			return q, false
		}
	}
	if q.a.isHuge() {
		return q, false
	}
	switch op {
	case "coalesce", "right_inverse", "left_inverse":
		return q, len(args) == 1
	case "complement":
		if len(args) == 2 {
			q.m, ok = product(args[1])
		}
		return q, ok
	}
	if len(args) != 2 {
		return q, false
	}
	q.b, ok = readShape(args[1])
	switch {
	case !ok:
		q.b, ok = readLayout(args[1])
		ok = ok && !q.b.isHuge()
	case q.b.tuple && op != "blocked_product" && op != "raked_product":
		return q, false // a shape tiles by mode
	}
	return q, ok
}

// isHuge reports whether extent times stride of some leaf leaves 64 bits, so that nothing can be checked.
func (m mode) isHuge() bool {
	if !m.tuple {
		return m.d != 0 && m.s > math.MaxInt64/max(m.d, -m.d)
	}
	return slices.ContainsFunc(m.kids, mode.isHuge)
}

// readShape reads a shape as its compact column-major layout, in which modes of extent 1 have stride 0.
func readShape(text string) (mode, bool) {
	t, rest, ok := readTree(strip(text))
	if !ok || rest != "" {
		return mode{}, false
	}
	next := int64(1)
	var compact func(m *mode) bool
	compact = func(m *mode) bool {
		for i := range m.kids {
			if !compact(&m.kids[i]) {
				return false
			}
		}
		if m.tuple {
			return true
		}
		if m.s < 1 || m.path != "" {
			return false
		}
		if m.s > 1 {
			m.d = next
		}
		next *= m.s
		return true
	}
	return t, compact(&t)
}

// product returns the product of the integers of a shape; that of the empty shape is 1.
func product(shape string) (int64, bool) {
	t, rest, ok := readTree(strip(shape))
	if !ok || rest != "" {
		return 0, false
	}
	n := int64(1)
	for _, x := range t.ints() {
		n *= x
	}
	return n, true
}

// ints returns the integers of a tree from left to right.
func (m mode) ints() []int64 {
	if !m.tuple {
		return []int64{m.s}
	}
	var xs []int64
	for _, k := range m.kids {
		xs = append(xs, k.ints()...)
	}
	return xs
}
