package codegen

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// This file writes CuTe C++. A fully static value is a type followed by {}, as CUTLASS writes its own atoms. Any other
// value is a call such as make_layout, in which a static integer is Int<4>{} and a dynamic integer is a variable.

// predefined lists the N above 10 for which CuTe defines a name _N (include/cute/numeric/integral_constant.hpp). CuTe
// also defines names for 0 to 10.
var predefined = map[int64]bool{
	12: true, 16: true, 24: true, 32: true, 40: true, 48: true, 56: true, 64: true, 72: true, 80: true, 88: true,
	96: true, 104: true, 112: true, 120: true, 128: true, 136: true, 144: true, 152: true, 160: true, 168: true,
	176: true, 184: true, 192: true, 200: true, 208: true, 216: true, 224: true, 232: true, 240: true, 248: true,
	256: true, 384: true, 512: true, 768: true, 1024: true, 2048: true, 4096: true, 8192: true, 16384: true,
	32768: true, 65536: true, 131072: true, 262144: true, 524288: true,
}

type cppWriter struct {
	strings.Builder
	names *names
}

func writeCPP(n node) (string, error) {
	if err := cppLacks(n); err != nil {
		return "", err
	}
	w := &cppWriter{names: newNames(n, cppWords, cppTypes)}
	if err := w.node(n); err != nil {
		return "", err
	}
	return w.String() + w.names.comment("//"), nil
}

// node writes a value as an expression.
func (w *cppWriter) node(n node) error {
	switch n := n.(type) {
	case boolean:
		w.WriteString(strconv.FormatBool(bool(n)))
	case order:
		w.WriteString(string(n) + "{}")
	case keep:
		w.WriteByte('_')
	case tuple:
		return w.tuple(n.tree)
	case list:
		return w.call("make_tuple", len(n), func(i int) error { return w.node(n[i]) })
	default:
		if allStatic(n) {
			w.static(n)
			w.WriteString("{}")
			return nil
		}
		return w.dynamic(n)
	}
	return nil
}

// tuple writes a tuple that is not part of a layout, by the alias that fits its leaves.
func (w *cppWriter) tuple(t tree) error {
	if b, ok := t.(branch); ok && isStatic(t) && !has(t, isOpen) {
		w.types(alias(t), b)
		w.WriteString("{}")
		return nil
	}
	return w.value(strings.ToLower(alias(t)), t)
}

// alias returns the alias that fits the leaves of a tuple. In CuTe all aliases are the same type.
func alias(t tree) string {
	switch {
	case has(t, isSum):
		return "Stride"
	case isShape(t):
		return "Shape"
	}
	return "Coord"
}

// dynamic writes a value with dynamic integers.
func (w *cppWriter) dynamic(n node) error {
	switch n := n.(type) {
	case layout:
		return w.call("make_layout", 2, func(i int) error {
			if i == 0 {
				return w.value("shape", n.shape)
			}
			return w.value("stride", n.stride)
		})
	case composed:
		// composition(F, offset, L) makes a ComposedLayout from all three (include/cute/layout_composed.hpp).
		s := n.stages[0]
		return w.call("composition", 3, func(i int) error {
			switch i {
			case 0:
				return w.node(s.outer)
			case 1:
				return w.value("coord", s.offset)
			}
			return w.node(rest(n))
		})
	case tile:
		return w.call("make_tile", len(n), func(i int) error { return w.node(n[i]) })
	}
	return nil
}

// rest returns the chain without its outermost stage.
func rest(c composed) node {
	if len(c.stages) == 1 {
		return c.inner
	}
	return composed{c.stages[1:], c.inner}
}

// call writes name(arg, ...).
func (w *cppWriter) call(name string, n int, arg func(i int) error) error {
	w.WriteString(name + "(")
	for i := range n {
		if i > 0 {
			w.WriteString(", ")
		}
		if err := arg(i); err != nil {
			return err
		}
	}
	w.WriteByte(')')
	return nil
}

// value writes a tree as an expression: make_shape(Int<2>{}, n). kind is "shape", "stride" or "coord".
func (w *cppWriter) value(kind string, t tree) error {
	switch t := t.(type) {
	case number:
		w.number(t)
	case open:
		w.WriteByte('_')
	case sum:
		if s := t[0]; s.scale.formula != nil {
			w.WriteString(w.names.text(cppExpr, s.scale, levelMul) + " * " + basis(s.path) + "{}")
			return nil
		}
		w.leafType(t)
		w.WriteString("{}")
	case branch:
		return w.call("make_"+kind, len(t), func(i int) error { return w.value(kind, t[i]) })
	}
	return nil
}

// number writes an integer as an expression.
func (w *cppWriter) number(x number) {
	if x.formula == nil {
		w.WriteString(constant(x.static) + "{}")
		return
	}
	w.WriteString(w.names.text(cppExpr, x, levelAdd))
}

// static writes the type of a static layout, chain, swizzle, tile or tiler.
func (w *cppWriter) static(n node) {
	switch n := n.(type) {
	case layout:
		w.WriteString("Layout<")
		w.typeOf("Shape", n.shape)
		w.WriteByte(',')
		w.typeOf("Stride", n.stride)
	case swizzle:
		fmt.Fprintf(w, "Swizzle<%d,%d,%d", n.b, n.m, n.s)
	case composed:
		s := n.stages[0]
		w.WriteString("ComposedLayout<")
		w.static(s.outer)
		w.WriteByte(',')
		w.typeOf("Coord", s.offset)
		w.WriteByte(',')
		w.static(rest(n))
	case tile:
		w.WriteString("Tile<")
		for i, m := range n {
			if i > 0 {
				w.WriteByte(',')
			}
			w.static(m)
		}
	case tuple:
		w.typeOf("Shape", n.tree)
		return
	case keep:
		w.WriteString("Underscore")
		return
	}
	w.WriteByte('>')
}

// typeOf writes the type of a static tree, with the alias for its tuples.
func (w *cppWriter) typeOf(alias string, t tree) {
	if b, ok := t.(branch); ok {
		w.types(alias, b)
		return
	}
	w.leafType(t)
}

func (w *cppWriter) types(alias string, b branch) {
	w.WriteString(alias + "<")
	for i, t := range b {
		if i > 0 {
			w.WriteByte(',')
		}
		w.typeOf(alias, t)
	}
	w.WriteByte('>')
}

// leafType writes the type of a static leaf: _4, Int<11>, E<0>, ScaledBasis<_2,1>.
func (w *cppWriter) leafType(leaf tree) {
	switch leaf := leaf.(type) {
	case number:
		if n := leaf.static; n >= 0 && n <= 10 || predefined[n] {
			fmt.Fprintf(w, "_%d", n)
			return
		}
		w.WriteString(constant(leaf.static))
	case sum:
		t := leaf[0]
		if t.scale.static == 1 {
			w.WriteString(basis(t.path))
			return
		}
		w.WriteString("ScaledBasis<")
		w.leafType(t.scale)
		w.WriteString("," + indices(t.path, ",") + ">")
	case open:
		w.WriteString("Underscore")
	}
}

// constant returns the type of a static integer. Int takes an int, C any integer.
func constant(x int64) string {
	switch {
	case x == math.MinInt64: // C++ would read it as a minus and a number that is too large
		return fmt.Sprintf("C<%d-1>", x+1)
	case x < math.MinInt32 || x > math.MaxInt32:
		return fmt.Sprintf("C<%d>", x)
	}
	return fmt.Sprintf("Int<%d>", x)
}

// basis returns the type of a unit coordinate. CuTe's parameters are outermost first: E<0,1> prints as 1@1@0.
func basis(path []int) string { return "E<" + indices(path, ",") + ">" }

func indices(path []int, sep string) string {
	var b strings.Builder
	for i, p := range path {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(strconv.Itoa(p))
	}
	return b.String()
}

// cppLacks refuses values that CuTe C++ does not have.
func cppLacks(n node) error {
	// The masks are shifted ints (include/cute/swizzle.hpp).
	if err := wideSwizzle(CPP, n, 31); err != nil {
		return err
	}
	return lacks(n, func(leaf tree) error {
		if s, ok := leaf.(sum); ok && len(s) > 1 {
			return refuse(CPP, "a stride points along one axis, %s does not", leafText(leaf))
		}
		return nil
	})
}
