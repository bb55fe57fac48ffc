package syntax_test

import (
	"errors"
	"fmt"

	"girih/syntax"
)

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
	const src = "let a = o o _4 $"
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
	// 15 illegal "$"
}

func ExamplePosition() {
	line, column := syntax.Position("a ∘\nb ∘ c", 10)
	fmt.Println(line, column)
	// Output: 2 5
}
