package eval

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/f2"
	"girih/linear"
)

// This file holds the values over F2, the field with two elements.

// The kinds of values over F2.
const (
	KindLinear Kind = "linear_layout"
	KindXor    Kind = "xor_layout" // a layout with F2 strides
	KindMatrix Kind = "matrix"
	KindF2     Kind = "f2" // F2(9), or a tuple of such numbers
)

type (
	// A Linear is a linear layout.
	Linear struct{ linear.Layout }
	// A Xor is a layout with F2 strides.
	Xor struct{ linear.XorLayout }
	// A Matrix is a matrix over F2.
	Matrix struct{ f2.Matrix }
	// An F2 is a number that is added and multiplied without carries, or a tuple of such numbers.
	F2 struct {
		Number f2.Vector
		Elems  []F2
		Nested bool // the value is a tuple of the elements, not a number
	}
	// Names are the names of dimensions in an argument.
	Names []string
)

func (Linear) value() {}
func (Xor) value()    {}
func (Matrix) value() {}
func (F2) value()     {}
func (Names) value()  {}

// Kind returns [KindLinear].
func (Linear) Kind() Kind { return KindLinear }

// Kind returns [KindXor].
func (Xor) Kind() Kind { return KindXor }

// Kind returns [KindMatrix].
func (Matrix) Kind() Kind { return KindMatrix }

// Kind returns [KindF2].
func (F2) Kind() Kind { return KindF2 }

// Kind returns "names".
func (Names) Kind() Kind { return "names" }

// String returns the names in parentheses.
func (n Names) String() string { return "(" + strings.Join(n, ",") + ")" }

// String returns F2(9), or numbers in parentheses.
func (x F2) String() string {
	if !x.Nested {
		return fmt.Sprintf("F2(%d)", uint64(x.Number))
	}
	elems := make([]string, len(x.Elems))
	for i, e := range x.Elems {
		elems[i] = e.String()
	}
	return "(" + strings.Join(elems, ",") + ")"
}

// number returns the number inside any number of parentheses.
func (x F2) number() (f2.Vector, bool) {
	for x.Nested && len(x.Elems) == 1 {
		x = x.Elems[0]
	}
	return x.Number, !x.Nested
}

// leaves returns the numbers, left to right.
func (x F2) leaves() []f2.Vector {
	if !x.Nested {
		return []f2.Vector{x.Number}
	}
	var out []f2.Vector
	for _, e := range x.Elems {
		out = append(out, e.leaves()...)
	}
	return out
}

// pattern returns the nesting, with 1 for every number.
func (x F2) pattern() (cute.Tuple, error) {
	if !x.Nested {
		return cute.Int(1), nil
	}
	elems := make([]cute.Tuple, len(x.Elems))
	for i, e := range x.Elems {
		var err error
		if elems[i], err = e.pattern(); err != nil {
			return cute.Tuple{}, err
		}
	}
	return cute.MakeTuple(elems...)
}

// String returns the rows, matrix{rows=[[1,0],[0,1]]}. For a matrix without rows it returns the number of columns.
func (m Matrix) String() string {
	var b strings.Builder
	b.WriteString("matrix{rows=[")
	for i := range m.Rows() {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('[')
		for j := range m.Cols() {
			if j > 0 {
				b.WriteByte(',')
			}
			b.WriteByte('0' + byte(m.At(i, j)))
		}
		b.WriteByte(']')
	}
	b.WriteByte(']')
	if m.Rows() == 0 && m.Cols() > 0 {
		fmt.Fprintf(&b, ", cols=%d", m.Cols())
	}
	b.WriteByte('}')
	return b.String()
}

// String returns the bases, the sizes of the outputs, and the origin if it is not 0:
// linear{register=[[0,1],[8,0]], lane=[[0,2]], out=[dim0:16,dim1:4]}.
func (l Linear) String() string {
	var b strings.Builder
	b.WriteString("linear{")
	for _, in := range l.Bases() {
		b.WriteString(in.Name + "=[")
		for k, basis := range in.Bases {
			if k > 0 {
				b.WriteByte(',')
			}
			writeCoords(&b, basis)
		}
		b.WriteString("], ")
	}
	b.WriteString("out=[")
	for i, d := range l.OutDims() {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%s:%d", d.Name, d.Size)
	}
	b.WriteByte(']')
	if !l.IsLinear() {
		b.WriteString(", origin=")
		writeCoords(&b, l.Origin())
	}
	b.WriteByte('}')
	return b.String()
}

// writeCoords writes coordinates in brackets.
func writeCoords(b *strings.Builder, xs []int64) {
	b.WriteByte('[')
	for i, x := range xs {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprint(b, x)
	}
	b.WriteByte(']')
}
