package emit

import (
	"math"
	"regexp"
	"strings"

	"girih/cute"
	"girih/internal/machine/address"
)

// This file writes numbers of threads, blocks, loops and parameters.

// word finds the symbols of a formula.
var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_.]*`)

// formula returns an expression in the language. Divisions round down in an expression, towards zero in C++, and
// partly so in the DSL: an expression whose dividends may be negative is refused.
func (w *writer) formula(x address.Expr, symbol func(name string) string) string {
	text := x.String()
	if strings.Contains(text, "...") {
		w.refuse(cute.CodeLimit, "a formula is too long: %v", x)
	}
	if lo, _ := x.Dividends(); lo < 0 {
		w.refuse(cute.CodeNegative, "%v divides a number that may be negative, which C++ rounds to zero", x)
	}
	text = strings.NewReplacer(" mod ", " @ ", " xor ", " ^ ", "·", "*", "/", w.d.div).Replace(text)
	text = word.ReplaceAllStringFunc(text, symbol)
	return strings.ReplaceAll(text, "@", "%")
}

// index returns an expression with the names that the kernel's body has for its symbols. It is an int in C++.
func (w *writer) index(x address.Expr) string {
	if lo, hi := x.Range(); lo < math.MinInt32 || hi > math.MaxInt32 {
		w.refuse(cute.CodeOverflow, "%v is from %d to %d, and a coordinate has 32 bits", x, lo, hi)
	} else if _, hi = x.Dividends(); hi > math.MaxInt32 {
		w.refuse(cute.CodeOverflow, "%v divides a number up to %d, and a coordinate has 32 bits", x, hi)
	}
	return w.formula(x, func(name string) string {
		if text, ok := w.d.symbols[name]; ok {
			return text
		}
		if !w.known[name] {
			w.refuse(cute.CodeUnknown, "%v has %s, which is computed by code that is not written", x, name)
		}
		return name
	})
}

// coordinates returns the numbers of a step.
func (w *writer) coordinates(at []Index) []string {
	var out []string
	for _, i := range at {
		if i.Open {
			out = append(out, w.d.open)
			continue
		}
		out = append(out, w.d.alone(w.index(i.X)))
	}
	return out
}

// extents returns the shape, or the strides, of a tensor in global memory: static numbers are static.
func (w *writer) extents(make string, at []Index) string {
	var out []string
	for _, i := range at {
		if n, ok := i.X.Int64(); ok {
			out = append(out, w.static(n))
			continue
		}
		out = append(out, w.formula(i.X, func(name string) string {
			if make == "stride" {
				return w.d.wide(name)
			}
			return name
		}))
	}
	return w.d.tuple(make, out)
}

// condition returns a condition.
func (w *writer) condition(c *Cond) string {
	if c.Never {
		return w.d.never
	}
	var parts []string
	for _, h := range c.Holds {
		parts = append(parts, w.operand(h))
	}
	for _, l := range c.Less {
		parts = append(parts, w.index(l[0])+" < "+w.index(l[1]))
	}
	if parts == nil {
		return w.d.always
	}
	return strings.Join(parts, w.d.and)
}
