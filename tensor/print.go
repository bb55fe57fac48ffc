package tensor

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// Print writes what CuTe's print_tensor writes (include/cute/util/print_tensor.hpp), without the underscores of static
// integers: the text of the tensor and a colon, then rows of mode 0 and columns of mode 1. Slices of mode 2 are
// separated by lines of dashes, and slices of mode 3 by lines of equals signs. Numbers have CuTe's widths: 5 for
// integers of 32 and 64 bits and below 8, 3 for truth values, %10.2e for floats, %11.3e for float64. A coordinate
// without an element is a point.
//
// It returns [cute.CodeRank] for more than four modes, [cute.CodeType] for a zero tensor, and the error of w.
func Print[T any](w io.Writer, t Tensor[T]) error {
	return printCells(w, t, t.String()+":\n", printStyle[T]{5, cell[T], point[T]})
}

// PrintValues is [Print] without the first line: print_tensor(t, false).
func PrintValues[T any](w io.Writer, t Tensor[T]) error {
	return printCells(w, t, "", printStyle[T]{5, cell[T], point[T]})
}

// PrintStream writes what CuTe's operator<< writes to a C++ stream: the layout, then the values 9 wide, floats with six
// digits. 8-bit integers, which C++ writes as characters, are written as numbers. It returns the errors of [Print].
func PrintStream[T any](w io.Writer, t Tensor[T]) error {
	return printCells(w, t, t.Layout().String()+"\n", printStyle[T]{9, streamCell[T], streamPoint[T]})
}

// A printStyle says how values and missing elements are written. The lines between slices have width characters per
// column.
type printStyle[T any] struct {
	width int
	cell  func(t Tensor[T], x T) string
	point func(t Tensor[T]) string
}

// printCells writes the head and the values.
func printCells[T any](w io.Writer, t Tensor[T], head string, style printStyle[T]) error {
	const op = "print_tensor"
	if t.v == nil {
		return missing(op, t.eng)
	}
	if t.Rank() > 4 {
		return advise("print a slice, or group modes",
			refuse(op, cute.CodeRank, "expected at most 4 modes to print, found %d in %v", t.Rank(), t.Shape()))
	}
	if err := countable(op, t.v); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	b.WriteString(head)
	n := [4]int64{1, 1, 1, 1}
	var buf [modes]int64
	copy(n[:], t.v.lay.AppendModeSizes(buf[:0]))
	line := func(c string) { b.WriteString(strings.Repeat(c, style.width*int(n[1])) + "\n") }
	for l := range n[3] {
		if l > 0 {
			line("=")
		}
		for k := range n[2] {
			if k > 0 {
				line("-")
			}
			for i := range n[0] {
				for j := range n[1] {
					if x, ok := t.element(i + n[0]*(j+n[1]*(k+n[2]*l))); ok {
						b.WriteString(style.cell(t, x))
					} else {
						b.WriteString(style.point(t))
					}
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.Flush()
}

// cell is CuTe's pretty_print (include/cute/util/print.hpp).
func cell[T any](t Tensor[T], x T) string {
	typ, isPacked := Type(t)
	switch x := any(x).(type) {
	case bool:
		if x {
			return "  1"
		}
		return "  0"
	case uint64:
		if isPacked {
			return codeCell(typ, x)
		}
		return fmt.Sprintf("%5d", x)
	case int, uint, int32, uint32, int64:
		return fmt.Sprintf("%5d", x)
	case float32:
		return exponent(float64(x), 10, 2)
	case float64:
		return exponent(x, 11, 3)
	}
	return "  " + fmt.Sprint(x)
}

// point returns a point in a cell of a value's width.
func point[T any](t Tensor[T]) string {
	var zero T
	return fmt.Sprintf("%*s", len(cell(t, zero)), ".")
}

// codeCell writes the value of a code.
func codeCell(typ dtype.Type, code uint64) string {
	switch {
	case typ.Kind() == dtype.Float:
		x, err := typ.Decode(code)
		if err != nil {
			x = math.NaN()
		}
		if typ == dtype.F64 {
			return exponent(x, 11, 3)
		}
		return exponent(x, 10, 2)
	case typ.Kind() == dtype.Signed:
		code = uint64(int64(code<<(64-typ.Bits())) >> (64 - typ.Bits()))
		if typ == dtype.S8 || typ == dtype.S16 {
			return "  " + strconv.FormatInt(int64(code), 10)
		}
		return fmt.Sprintf("%5d", int64(code))
	case typ.Bits() == 1:
		return fmt.Sprintf("%3d", code)
	case typ.Bits() == 8 || typ.Bits() == 16:
		return "  " + strconv.FormatUint(code, 10)
	}
	return fmt.Sprintf("%5d", code)
}

// exponent writes %width.digitse as C does, which spells infinity and NaN differently.
func exponent(x float64, width, digits int) string {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return fmt.Sprintf("%*s", width, special(x))
	}
	return fmt.Sprintf("%*.*e", width, digits, x)
}

func special(x float64) string {
	switch {
	case math.IsNaN(x) && math.Signbit(x):
		return "-nan"
	case math.IsNaN(x):
		return "nan"
	case x < 0:
		return "-inf"
	}
	return "inf"
}

func streamPoint[T any](Tensor[T]) string { return "        ." }

// streamCell is << with setw(9).
func streamCell[T any](t Tensor[T], x T) string {
	if typ, isPacked := Type(t); isPacked {
		code := any(x).(uint64)
		if typ.Kind() == dtype.Float {
			f, err := typ.Decode(code)
			if err != nil {
				f = math.NaN()
			}
			return general(f)
		}
		return fmt.Sprintf("%9s", strings.TrimSpace(codeCell(typ, code)))
	}
	switch x := any(x).(type) {
	case bool:
		if x {
			return "        1"
		}
		return "        0"
	case float32:
		return general(float64(x))
	case float64:
		return general(x)
	case cute.Tuple:
		s := x.String() // setw applies to the first thing written, the parenthesis
		if x.IsInt() {
			return fmt.Sprintf("%9s", s)
		}
		return "        " + s
	}
	return fmt.Sprintf("%9v", x)
}

// general writes a float as a C++ stream does: %g with six digits.
func general(x float64) string {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return fmt.Sprintf("%9s", special(x))
	}
	return fmt.Sprintf("%9s", strconv.FormatFloat(x, 'g', 6, 64))
}
