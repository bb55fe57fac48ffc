package eval

import (
	"math"
	"strconv"

	"girih/cute"
	"girih/internal/lang/syntax"
)

// This file notes where Python or C++ computes a different value. An expression alone has girih's
// arithmetic: integers of 64 bits, / and % rounded toward 0.

// noteArithmetic notes the values of a op b in Python and in C++ where they differ from t.
func (c *call) noteArithmetic(op syntax.Op, a, b Tuple, t cute.Tuple) {
	if !a.IsInt() || !b.IsInt() {
		c.noteSequences(op, a, b)
		return
	}
	x, y := a.Leaves()[0], b.Leaves()[0]
	floor, rest := x/y1(y), x%y1(y)
	if rest != 0 && (rest < 0) != (y < 0) {
		floor, rest = floor-1, rest+y
	}
	switch n := t.Leaves()[0]; {
	case op == syntax.OpDiv && floor*y != x:
		c.env.note("%d / %d rounds toward 0, as in C++; in Python / gives %s and // gives %d", x, y,
			strconv.FormatFloat(float64(x)/float64(y), 'g', 6, 64), floor)
	case op == syntax.OpMod && rest != n:
		c.env.note("%d %% %d has the sign of %d, as in C++; in Python it is %d", x, y, x, rest)
	case isInt32(x) && isInt32(y) && !isInt32(n):
		c.env.note("%d exceeds the int of C++, where %d %s %d is undefined", n, x, op, y)
	}
}

// noteSequences notes what + and * of tuples are in Python.
func (c *call) noteSequences(op syntax.Op, a, b Tuple) {
	switch {
	case a.HasBasis() || b.HasBasis(): // no tuples in Python
	case op == syntax.OpAdd && !a.IsInt() && !b.IsInt():
		c.env.noteOnce("the sum of tuples adds their elements; in Python + joins them")
	case op == syntax.OpMul && a.IsInt() != b.IsInt():
		c.env.noteOnce("the product multiplies each element; in Python a tuple is repeated")
	}
}

// y1 returns y, or 1 for the divisor 0 of an operation that does not divide.
func y1(y int64) int64 {
	if y == 0 {
		return 1
	}
	return y
}

func isInt32(n int64) bool { return n >= math.MinInt32 && n <= math.MaxInt32 }
