package syntax_test

import (
	"errors"
	"fmt"

	"girih/internal/lang/syntax"
)

// Text becomes a tree, and the tree canonical text.
func Example() {
	x, err := syntax.ParseExpr("cute::composition( (_6, _2):(_8, _2), 4 : 3 )")
	fmt.Println(x, err)
	// Output: composition((6,2):(8,2),4:3) <nil>
}

func ExampleParse() {
	prog, err := syntax.Parse("let a = (4,8):(8,1)  # row-major\na(2,_); a o 8:1")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range prog.Stmts {
		fmt.Printf("%T %s\n", s.X, s)
	}
	// Output:
	// *syntax.Layout let a = (4,8):(8,1)
	// *syntax.Call a(2,_)
	// *syntax.Compose a o 8:1
}

// An incomplete source may be continued on a new line.
func ExampleParse_incomplete() {
	_, err := syntax.Parse("let a = (4,8):(8,")
	var e *syntax.Error
	if errors.As(err, &e) {
		fmt.Println(e)
		fmt.Println(e.Code, e.Incomplete)
	}
	// Output:
	// col 18: expected an expression, found end of input
	// syntax true
}

func ExampleParseExpr() {
	x, err := syntax.ParseExpr("(4,8):(8,1)(3)")
	if err != nil {
		fmt.Println(err)
		return
	}
	syntax.Walk(x, func(n syntax.Expr) bool {
		fmt.Printf("%2d-%-2d %T %s\n", n.Pos(), n.End(), n, n)
		_, tuple := n.(*syntax.Tuple)
		return !tuple
	})
	// Output:
	//  0-14 *syntax.Apply (4,8):(8,1)(3)
	//  0-11 *syntax.Layout (4,8):(8,1)
	//  0-5  *syntax.Tuple (4,8)
	//  6-11 *syntax.Tuple (8,1)
	// 12-13 *syntax.Int 3
}

func ExampleFormat() {
	for _, src := range []string{
		"cute::Swizzle<3, 4, 3>{} ∘ (_8, Int<64>{}) : (_64, _1)",
		"[ 3:3 ; (2,4):(1,8) ]",
		"size< 0 >( L ) * -2",
	} {
		x, err := syntax.ParseExpr(src)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(syntax.Format(x))
	}
	// Output:
	// Sw<3,4,3> o (8,64):(64,1)
	// <3:3,(2,4):(1,8)>
	// size<0>(L) * -2
}

func ExampleTokens() {
	const src = "let a = o o _4 !"
	for _, t := range syntax.Tokens(src) {
		fmt.Printf("%d %s %q\n", t.Pos, t.Kind, t.Text(src))
	}
	// Output:
	// 0 let "let"
	// 4 name "a"
	// 6 = "="
	// 8 name "o"
	// 10 ∘ "o"
	// 12 integer "_4"
	// 15 illegal "!"
}

func ExamplePosition() {
	line, column := syntax.Position("a ∘\nb ∘ c", 10)
	fmt.Println(line, column)
	// Output: 2 5
}

// Every node returns its text; the parts of a node are its fields.
func ExampleExpr() {
	for _, src := range []string{
		"4", "1@0", "_", "true", "M", "K{div=8}", "8M", "?@0", "(4,8)", "4:1", "<4,_>", "blocked{order=[1,0]}", `mma("F32")`,
		"Sw<3,4,3>", "size(a)", "(4:1)(3)", "a o b", "-M", "M + 1",
	} {
		x, err := syntax.ParseExpr(src)
		if err != nil {
			fmt.Println(err)
			return
		}
		switch x := x.(type) {
		case *syntax.Int:
			fmt.Printf("%T %d\n", x, x.Value)
		case *syntax.Basis:
			fmt.Printf("%T %d along %d\n", x, x.Value, x.Path)
		case *syntax.Bool:
			fmt.Printf("%T %t\n", x, x.Value)
		case *syntax.Ident:
			fmt.Printf("%T %q\n", x, x.Name)
		case *syntax.Symbol:
			fmt.Printf("%T %q, %v\n", x, x.Name, x.Facts)
		case *syntax.Scaled:
			fmt.Printf("%T %d times %v\n", x, x.Value, x.X)
		case *syntax.Along:
			fmt.Printf("%T %v along %d\n", x, x.X, x.Path)
		case *syntax.Tuple:
			fmt.Printf("%T %v\n", x, x.Elems)
		case *syntax.Layout:
			fmt.Printf("%T %v : %v\n", x, x.Shape, x.Stride)
		case *syntax.Tiler:
			fmt.Printf("%T %v\n", x, x.Elems)
		case *syntax.Record:
			list := x.Field("order").(*syntax.List)
			fmt.Printf("%T %q with %q, a %T of %d\n", x, x.Name, x.Fields[0].Name, list, len(list.Elems))
		case *syntax.Swizzle:
			fmt.Printf("%T %d %d %d\n", x, x.B, x.M, x.S)
		case *syntax.Call:
			fmt.Printf("%T %q on a %T\n", x, x.Name, x.Args[0].X)
		case *syntax.Apply:
			fmt.Printf("%T %v at %v\n", x, x.Fn, x.Args)
		case *syntax.Compose:
			fmt.Printf("%T %v\n", x, x.Operands)
		case *syntax.Unary:
			fmt.Printf("%T %v %v\n", x, x.Op, x.X)
		case *syntax.Binary:
			fmt.Printf("%T %v %v %v\n", x, x.X, x.Op, x.Y)
		default:
			fmt.Printf("%T %v\n", x, x)
		}
	}
	// Output:
	// *syntax.Int 4
	// *syntax.Basis 1 along [0]
	// *syntax.Wildcard _
	// *syntax.Bool true
	// *syntax.Ident "M"
	// *syntax.Symbol "K", {div=8}
	// *syntax.Scaled 8 times M
	// *syntax.Along ? along [0]
	// *syntax.Tuple [4 8]
	// *syntax.Layout 4 : 1
	// *syntax.Tiler [4 _]
	// *syntax.Record "blocked" with "order", a *syntax.List of 2
	// *syntax.Call "mma" on a *syntax.Text
	// *syntax.Swizzle 3 4 3
	// *syntax.Call "size" on a *syntax.Ident
	// *syntax.Apply (4:1) at [3]
	// *syntax.Compose [a b]
	// *syntax.Unary - M
	// *syntax.Binary M + 1
}

// Children come after their parent, and are skipped if visit returns false.
func ExampleWalk() {
	x, err := syntax.ParseExpr("f((4,8), 4:(1,2))")
	if err != nil {
		fmt.Println(err)
		return
	}
	syntax.Walk(x, func(n syntax.Expr) bool {
		fmt.Println(n)
		_, layout := n.(*syntax.Layout)
		return !layout
	})
	// Output:
	// f((4,8),4:(1,2))
	// (4,8)
	// 4
	// 8
	// 4:(1,2)
}

// A method-style call has the receiver as its first argument; an argument may have a key.
func ExampleArg() {
	x, err := syntax.ParseExpr("a.upcast(n=2)")
	if err != nil {
		fmt.Println(err)
		return
	}
	call := x.(*syntax.Call)
	for _, a := range call.Args {
		fmt.Printf("%q %v\n", a.Key, a.X)
	}
	// Output:
	// "" a
	// "n" 2
}

func ExampleRecord_Field() {
	x, err := syntax.ParseExpr("blocked{sizePerThread=[1,4], order=[1,0]}")
	if err != nil {
		fmt.Println(err)
		return
	}
	r := x.(*syntax.Record)
	fmt.Println(r.Field("order"), r.Field("lanes"))
	// Output: [1,0] <nil>
}

func ExampleField() {
	x, err := syntax.ParseExpr("blocked{sizePerThread=[1,4], order=[1,0]}")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range x.(*syntax.Record).Fields {
		fmt.Println(f.Name, f.NamePos, f.X)
	}
	// Output:
	// sizePerThread 8 [1,4]
	// order 29 [1,0]
}

func ExampleStmt() {
	p, err := syntax.Parse("let a = 4:1; a")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range p.Stmts {
		fmt.Printf("%q %v\n", s.Name, s.X)
	}
	// Output:
	// "a" 4:1
	// "" a
}

func ExampleFacts() {
	x, err := syntax.ParseExpr("K{div=8, >=1, <=4096}")
	if err != nil {
		fmt.Println(err)
		return
	}
	f := x.(*syntax.Symbol).Facts
	fmt.Println(f.Div, f.Min, f.Max, f)
	// Output: 8 1 4096 {div=8,>=1,<=4096}
}

func ExampleError() {
	_, err := syntax.Parse("let a = 4:1\na o (8")
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		fmt.Println(e.Code, e.Pos, e.End, e.Incomplete)
		fmt.Println(e.Msg)
	}
	// Output:
	// syntax 18 18 true
	// expected ')' or ',' to continue the tuple opened at line 2, column 5, found end of input
}

// The text of an error begins with the line and the column.
func ExampleError_Error() {
	_, err := syntax.Parse("let a = 4:1\na o )")
	fmt.Println(err)
	// Output: 2:5: expected an expression, found ')'
}

func ExampleCode() {
	for _, src := range []string{"4:", "99999999999999999999"} {
		_, err := syntax.Parse(src)
		if e, ok := errors.AsType[*syntax.Error](err); ok {
			fmt.Println(e.Code)
		}
	}
	// Output:
	// syntax
	// overflow
}

func ExampleKind() {
	for _, t := range syntax.Tokens("(4,_) 'o") {
		fmt.Print(t.Kind, " ")
	}
	fmt.Println()
	// Output: ( integer , _ ) illegal name
}

func ExampleToken_Text() {
	const src = "let a = 4:1"
	fmt.Println(syntax.Tokens(src)[1].Text(src))
	// Output: a
}

func ExampleOp() {
	fmt.Println(syntax.OpAdd, syntax.OpSub, syntax.OpMul, syntax.OpDiv, syntax.OpMod, syntax.OpEqual)
	// Output: + - * / % ==
}

// The span of a node cuts its text out of the source.
func ExampleSpan() {
	const src = "a o size(b)"
	x, err := syntax.ParseExpr(src)
	if err != nil {
		fmt.Println(err)
		return
	}
	second := x.(*syntax.Compose).Operands[1]
	fmt.Println(src[second.Pos():second.End()])
	// Output: size(b)
}

func ExampleSpan_Pos() {
	x, err := syntax.ParseExpr("  (4,8)")
	fmt.Println(x.Pos(), err)
	// Output: 2 <nil>
}

func ExampleSpan_End() {
	x, err := syntax.ParseExpr("  (4,8)")
	fmt.Println(x.End(), err)
	// Output: 7 <nil>
}

func ExampleIsInstruction() {
	fmt.Println(syntax.IsInstruction("SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>"), syntax.IsInstruction("SMEM"))
	// Output: true false
}
