package codegen

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/f2"
	"girih/internal/lang/triton"
	"girih/linear"
)

// This file writes values over F2. A value that a dialect cannot write is written as an equal CuTe layout, if there is
// one.

type (
	// A linearMap is a linear layout.
	linearMap struct{ linear.Layout }
	// An xorMap is a layout with F2 strides.
	xorMap struct{ linear.XorLayout }
	// A bitMatrix is a matrix over F2.
	bitMatrix struct{ f2.Matrix }
	// An f2Number is a number without carries.
	f2Number uint64
	// An encodingRecord is an encoding of Triton.
	encodingRecord struct{ triton.Encoding }
)

func (linearMap) isNode()      {}
func (xorMap) isNode()         {}
func (bitMatrix) isNode()      {}
func (f2Number) isNode()       {}
func (encodingRecord) isNode() {}

// Linear returns a linear layout.
func Linear(l linear.Layout) Value { return Value{node: linearMap{l}} }

// Xor returns a layout with F2 strides.
func Xor(x linear.XorLayout) Value { return Value{node: xorMap{x}} }

// Matrix returns a matrix over F2.
func Matrix(m f2.Matrix) Value { return Value{node: bitMatrix{m}} }

// F2 returns a number whose additions and multiplications have no carries.
func F2(x f2.Vector) Value { return Value{node: f2Number(x)} }

// isBits reports whether the value is over F2.
func isBits(n node) bool {
	switch n.(type) {
	case linearMap, xorMap, bitMatrix, f2Number, encodingRecord:
		return true
	}
	return false
}

// Encoding returns an encoding of Triton.
func Encoding(e triton.Encoding) Value { return Value{node: encodingRecord{e}} }

// writeBits writes a value over F2.
func writeBits(d Dialect, n node) (string, error) {
	if d == JSON {
		return bitsJSON(n), nil
	}
	switch n := n.(type) {
	case linearMap:
		return writeLinear(d, n)
	case xorMap:
		return writeXor(d, n.XorLayout)
	case bitMatrix:
		if d == LaTeX {
			return latexMatrix(n.Matrix), nil
		}
		return "", refuse(d, "there is no value for a matrix over F2")
	}
	return "", refuse(d, "there is no value for %s: an encoding is a layout with the shape of a tensor, linear(..., (16,16))",
		bitsText(n))
}

// bitsJSON returns the structure of a value over F2.
func bitsJSON(n node) string {
	switch n := n.(type) {
	case linearMap:
		return linearJSON(n)
	case xorMap:
		return xorJSON(n)
	case bitMatrix:
		return fmt.Sprintf(`{"kind":"matrix","rows":%s}`, rowsText(n.Matrix))
	case f2Number:
		return fmt.Sprintf(`{"kind":"f2","value":%d}`, uint64(n))
	case encodingRecord:
		return recordJSON(n.Record())
	}
	return "null"
}

// bitsText returns a short text for a value that few dialects can write.
func bitsText(n node) string {
	switch n := n.(type) {
	case f2Number:
		return fmt.Sprintf("F2(%d)", uint64(n))
	case encodingRecord:
		return n.String()
	}
	return "this"
}

// recordJSON writes the fields of an encoding, with Triton's names.
func recordJSON(r triton.Record) string {
	fields := []string{`"kind":"encoding"`, fmt.Sprintf(`"name":%q`, r.Name)}
	for _, f := range r.Fields {
		fields = append(fields, fmt.Sprintf("%q:%s", f.Key, valueJSON(f.Value)))
	}
	return "{" + strings.Join(fields, ",") + "}"
}

func valueJSON(v any) string {
	switch v := v.(type) {
	case triton.Record:
		return recordJSON(v)
	case []any:
		out := make([]string, len(v))
		for i, x := range v {
			out[i] = valueJSON(x)
		}
		return "[" + strings.Join(out, ",") + "]"
	case string:
		return fmt.Sprintf("%q", v)
	}
	return fmt.Sprint(v)
}

// writeXor writes a layout with F2 strides as a map over bits if the dialect has maps, otherwise as a layout of the
// same shape inside swizzles.
func writeXor(d Dialect, x linear.XorLayout) (string, error) {
	switch d {
	case Triton, LaTeX, Go:
		if n := x.Size(); n&(n-1) != 0 {
			return "", refuse(d, "a map over bits would go on beyond the %d elements of %v", n, x)
		}
		l, err := x.Linear()
		if err != nil {
			return "", err
		}
		return writeLinear(d, linearMap{l})
	}
	c, err := x.BehindSwizzles()
	if err != nil {
		return "", err
	}
	return writeComposed(d, c)
}

// writeComposed writes a composed layout, or an equal layout if there is one.
func writeComposed(d Dialect, c cute.Composed) (string, error) {
	if c.Outer() == nil {
		return Write(d, Layout(c.Layout()))
	}
	return Write(d, ComposedLayout(c))
}

func writeLinear(d Dialect, n linearMap) (string, error) {
	switch d {
	case Triton:
		return fromBases(n.Layout)
	case LaTeX:
		return latexMatrix(n.Matrix()), nil
	case Go:
		return linearGo(n), nil
	}
	if len(n.OutDims()) > 1 {
		l, offset, err := n.ToLayout()
		if err != nil {
			return "", err
		}
		for _, x := range offset.Leaves() {
			if x != 0 {
				return "", refuse(d, "a layout is 0 at 0, and this map is %v", offset)
			}
		}
		return Write(d, Layout(l))
	}
	c, err := n.ToComposed()
	if err != nil {
		return "", err
	}
	return writeComposed(d, c)
}

// fromBases writes Triton's from_bases(bases, names of the outputs, their sizes, whether it must be surjective).
func fromBases(l linear.Layout) (string, error) {
	if err := zeroAtZero(l.Origin()); err != nil {
		return "", err
	}
	var ins, outs, sizes []string
	for _, in := range l.Bases() {
		ins = append(ins, fmt.Sprintf(`("%s", %s)`, in.Name, listText(in.Bases, ", ")))
	}
	for _, d := range l.OutDims() {
		if d.Size > maxTriton {
			return "", refuse(Triton, "the values of a linear layout stay below 2^30, the size of %s is %d", d.Name, d.Size)
		}
		outs, sizes = append(outs, `"`+d.Name+`"`), append(sizes, fmt.Sprint(d.Size))
	}
	return fmt.Sprintf(`LinearLayout.from_bases([%s], [%s], [%s], False)`, strings.Join(ins, ", "),
		strings.Join(outs, ", "), strings.Join(sizes, ", ")), nil
}

// vector returns the values along the axes as a tuple, or as an integer for a single axis.
func vector(xs []int64) cute.Tuple {
	if len(xs) == 1 {
		return cute.Int(xs[0])
	}
	return cute.Ints(xs...)
}

// listText writes [[1, 0], [0, 1]].
func listText(rows [][]int64, comma string) string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = strings.ReplaceAll(fmt.Sprint(r), " ", comma)
	}
	return "[" + strings.Join(out, comma) + "]"
}

func linearJSON(n linearMap) string {
	var ins, outs []string
	for _, in := range n.Bases() {
		ins = append(ins, fmt.Sprintf(`{"name":%q,"bases":%s}`, in.Name, listText(in.Bases, ",")))
	}
	for _, d := range n.OutDims() {
		outs = append(outs, fmt.Sprintf(`{"name":%q,"size":%d}`, d.Name, d.Size))
	}
	return fmt.Sprintf(`{"kind":"linear_layout","ins":[%s],"outs":[%s],"origin":%s}`, strings.Join(ins, ","),
		strings.Join(outs, ","), strings.ReplaceAll(fmt.Sprint(n.Origin()), " ", ","))
}

func xorJSON(n xorMap) string {
	var w jsonWriter
	w.WriteString(`{"kind":"xor_layout","shape":`)
	w.tree(treeOf(n.Shape()))
	strides := make([]int64, len(n.Strides()))
	for i, s := range n.Strides() {
		strides[i] = int64(s)
	}
	fmt.Fprintf(&w, `,"strides":%s}`, strings.ReplaceAll(fmt.Sprint(strides), " ", ","))
	return w.String()
}

func rowsText(m f2.Matrix) string {
	rows := make([][]int64, m.Rows())
	for i := range rows {
		rows[i] = make([]int64, m.Cols())
		for j := range rows[i] {
			rows[i][j] = int64(m.At(i, j))
		}
	}
	return listText(rows, ",")
}

// latexMatrix writes \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}.
func latexMatrix(m f2.Matrix) string {
	var rows []string
	for i := range m.Rows() {
		var row []string
		for j := range m.Cols() {
			row = append(row, fmt.Sprint(m.At(i, j)))
		}
		rows = append(rows, strings.Join(row, " & "))
	}
	return `\begin{pmatrix} ` + strings.Join(rows, ` \\ `) + ` \end{pmatrix}`
}

// linearGo writes linear.New(...), and the origin if there is one.
func linearGo(n linearMap) string {
	var b strings.Builder
	b.WriteString("linear.New([]linear.In{")
	for i, in := range n.Bases() {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "{Name: %q, Bases: [][]int64%s}", in.Name,
			strings.NewReplacer("[", "{", "]", "}").Replace(listText(in.Bases, ", ")))
	}
	b.WriteString("}, []linear.Dim{")
	for i, d := range n.OutDims() {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "{Name: %q, Size: %d}", d.Name, d.Size)
	}
	b.WriteString("})")
	if !n.IsLinear() {
		return fmt.Sprintf("%s // and WithOrigin(%s)", b.String(),
			strings.Trim(strings.ReplaceAll(fmt.Sprint(n.Origin()), " ", ", "), "[]"))
	}
	return b.String()
}
