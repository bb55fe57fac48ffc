package symbolic_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"girih/symbolic"
)

// cLike writes expressions over nonnegative numbers in C.
type cLike struct{}

func (cLike) Const(x int64) string             { return strconv.FormatInt(x, 10) }
func (cLike) Symbol(s *symbolic.Symbol) string { return s.Name() }
func (cLike) Sum(terms []string) string        { return "(" + strings.Join(terms, " + ") + ")" }
func (cLike) Product(factors []string) string  { return strings.Join(factors, " * ") }

func (cLike) Apply(op symbolic.Op, args []string) string {
	switch op {
	case symbolic.OpFloor:
		return "(" + args[0] + " / " + args[1] + ")"
	case symbolic.OpCeil:
		return "((" + args[0] + " + " + args[1] + " - 1) / " + args[1] + ")"
	case symbolic.OpMod:
		return "(" + args[0] + " % " + args[1] + ")"
	}
	return string(op) + "(" + strings.Join(args, ", ") + ")"
}

// Fold writes, in another language, the number of bytes in M whole tiles of halves.
func ExampleFold() {
	tiles, _, _ := symbolic.CeilDiv(dim("M"), symbolic.Const(128))
	bytes, _ := symbolic.Mul(tiles, symbolic.Const(2*128*64))
	fmt.Println(bytes)
	fmt.Println(symbolic.Fold(bytes, cLike{}))
	// Output:
	// 16384*ceil(M/128)
	// 16384 * ((M + 128 - 1) / 128)
}

// divisions counts the expensive operations of an expression.
type divisions struct{}

func (divisions) Const(int64) int             { return 0 }
func (divisions) Symbol(*symbolic.Symbol) int { return 0 }
func (divisions) Sum(terms []int) int         { return total(terms) }
func (divisions) Product(factors []int) int   { return total(factors) }

func (divisions) Apply(op symbolic.Op, args []int) int {
	n := total(args)
	if op == symbolic.OpCeil || op == symbolic.OpFloor || op == symbolic.OpMod {
		n++
	}
	return n
}

func total(xs []int) int {
	sum := 0
	for _, x := range xs {
		sum += x
	}
	return sum
}

// A Builder can also count: here the divisions in the offset for a coordinate and for an index.
func ExampleBuilder() {
	m, i := dim("M"), dim("i")
	a := layout(tuple(m, dim("K")), tuple(dim("ld"), symbolic.Const(1)))
	for _, at := range []symbolic.Tuple{tuple(i, dim("j")), symbolic.Number(i)} {
		v, _, _ := a.Eval(at)
		x, _ := v.Int()
		fmt.Println(x, "takes", symbolic.Fold(x, divisions{}))
	}
	// Output:
	// i*ld+j takes 0
	// ld*mod(i,M)+floor(i/M) takes 2
}

// An Op is the name of a function that a Builder gets.
func ExampleOp() {
	fmt.Println(cLike{}.Apply(symbolic.OpMin, []string{"M", "128"}))
	// Output: min(M, 128)
}

// Facts returns what is known about an expression: 64 divides the offset of a tile, and the offset is not negative.
func ExampleInt_Facts() {
	var s symbolic.Scope
	tile, _ := s.Named("tile", symbolic.Facts{Div: 1, Min: 0, Max: 15})
	k, _ := s.Named("K", symbolic.Facts{Div: 8, Min: 8, Max: math.MaxInt64})
	x, _ := symbolic.Mul(symbolic.Of(tile), symbolic.Const(64))
	fmt.Println(x, x.Facts())
	x, _ = symbolic.Mul(symbolic.Of(tile), symbolic.Of(k))
	fmt.Println(x, x.Facts())
	// Output:
	// 64tile {div=64,>=0,<=960}
	// K*tile {div=8,>=0}
}

func ExampleVector_Axes() {
	stride, _ := symbolic.Mul(symbolic.Const(8), dim("M"))
	symbolic.OnAxis(stride, 1, 0).Axes(func(x symbolic.Int, path []int) { fmt.Println(x, path) })
	symbolic.Scalar(stride).Axes(func(x symbolic.Int, path []int) { fmt.Println(x, path) })
	// Output:
	// 8M [1 0]
	// 8M []
}
