package linear

import (
	"fmt"
	"strconv"
	"strings"

	"girih/cute"
)

//go:noinline
func fail(code cute.Code, op, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)}
}

// unknownDim is the error for a missing dimension.
func unknownDim(op, side, name string, d *dims) error {
	return fail(cute.CodeName, op, "expected one of the %s dimensions %s, found %q", side, d.list(), name)
}

// basisText writes a basis vector with its value: "register=2 -> (0, 3)".
func (l Layout) basisText(col int) string {
	d, k := l.ins.owner(col)
	return fmt.Sprintf("%s=%d -> %s", l.ins.names[d], int64(1)<<k, l.outs.text(l.cols[col]))
}

// at returns the refusal with a column's basis vector as witness.
func (l Layout) at(col int, e *cute.Error) error {
	e.Witness = &cute.Witness{
		Coord: l.ins.tuple(1 << col), Index: 1 << col, Value: l.outs.tuple(l.cols[col] ^ l.origin),
	}
	return e
}

// tuple returns the coordinates of a flat index, in the order of the dimensions.
func (d *dims) tuple(flat uint64) cute.Tuple { return cute.Ints(d.split(flat)...) }

// text writes the coordinates of a flat index: "(0, 3)".
func (d *dims) text(flat uint64) string {
	var b strings.Builder
	b.WriteByte('(')
	for i, x := range d.split(flat) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.FormatInt(x, 10))
	}
	b.WriteByte(')')
	return b.String()
}

// list writes the names with their sizes: "[dim0 (size 4), dim1 (size 2)]".
func (d *dims) list() string {
	var b strings.Builder
	b.WriteByte('[')
	for i := range d.len() {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s (size %d)", d.names[i], int64(1)<<d.bits[i])
	}
	b.WriteByte(']')
	return b.String()
}
