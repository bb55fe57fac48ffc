package eval_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/eval"
	"girih/symbolic"
)

// The text of an expression is one of the language, but for ceil, floor and min, which are written in other words here.
// Read with the same symbols and facts it has the same value everywhere.
func TestTextOfExpressions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var s symbolic.Scope
		symbols := make([]*symbolic.Symbol, 3)
		for i, name := range []string{"K", "M", "tile"} {
			f := symbolic.NoFacts()
			f.Div = rapid.SampledFrom([]int64{1, 1, 2, 3, 8}).Draw(t, "div")
			if rapid.Bool().Draw(t, "positive") {
				f.Min = 1
			}
			var err error
			if symbols[i], err = s.Named(name, f); err != nil {
				t.Fatal(err)
			}
		}
		x := drawInt(t, symbols, 3)
		text := x.String()
		for range 5 {
			at, names := symbolic.Values{}, map[string]int64{}
			for _, y := range symbols {
				q := int64(-12)
				if y.Facts().Min == 1 {
					q = 1
				}
				at[y] = y.Facts().Div * rapid.Int64Range(q, 12).Draw(t, y.Name()) // products of 8 fit
				names[y.Name()] = at[y]
			}
			want, err := x.At(at)
			if err != nil {
				t.Fatalf("%s at %v: %v", text, names, err)
			}
			var e eval.Env
			e.Set(names)
			src := fmt.Sprintf("(%s,%s,%s); 1*(%s)", symbols[0], symbols[1], symbols[2], spoken(text))
			rs, err := e.Eval(src)
			if err != nil || rs[1].Value.String() != fmt.Sprint(want) {
				t.Fatalf("%s, read as %s, at %v is %v, %v, want %d", text, src, names, rs, err, want)
			}
		}
	})
}

// drawInt draws an expression; divisors are positive.
func drawInt(t *rapid.T, symbols []*symbolic.Symbol, depth int) symbolic.Int {
	if depth == 0 || rapid.IntRange(0, 4).Draw(t, "stop") == 0 {
		if rapid.IntRange(0, 2).Draw(t, "leaf") == 0 {
			return symbolic.Const(rapid.Int64Range(-9, 16).Draw(t, "number"))
		}
		return symbolic.Of(rapid.SampledFrom(symbols).Draw(t, "symbol"))
	}
	x := drawInt(t, symbols, depth-1)
	var out symbolic.Int
	var err error
	switch op := rapid.IntRange(0, 5).Draw(t, "op"); op {
	case 0:
		out, err = symbolic.Add(x, drawInt(t, symbols, depth-1))
	case 1:
		out, err = symbolic.Mul(x, drawInt(t, symbols, depth-1))
	case 2:
		out = symbolic.Min(x, drawInt(t, symbols, depth-1))
	default:
		by := symbolic.Const(rapid.Int64Range(1, 12).Draw(t, "by"))
		if y := drawInt(t, symbols, depth-1); y.Facts().Min >= 1 {
			by = y
		}
		f := [...]func(x, y symbolic.Int) (symbolic.Int, symbolic.Guard, error){symbolic.CeilDiv, symbolic.FloorDiv, symbolic.Mod}[op-3]
		out, _, err = f(x, by)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// spoken writes the functions of a text in words of the language. Parentheses make tuples of rank 1 there, which products
// and divisors take for integers: so 1*(x) is x, and a divisor stays as it is.
func spoken(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		name, open := "", i
		for _, f := range []string{"ceil(", "floor(", "min("} {
			if strings.HasPrefix(text[i:], f) {
				name, open = f, i+len(f)-1
			}
		}
		if text[open] != '(' {
			b.WriteByte(text[i])
			continue
		}
		end := closing(text, open)
		inner := text[open+1 : end]
		if i == 0 || !strings.ContainsRune("/%", rune(text[i-1])) {
			b.WriteString("1*")
		}
		switch name {
		case "":
			fmt.Fprintf(&b, "(%s)", spoken(inner))
		case "min(":
			// The cosize of 2:x is 1+|x|.
			x, y := cut(inner, ',')
			fmt.Fprintf(&b, "((1*(%[1]s)+1*(%[2]s)-cosize(make_layout(2,1*(%[1]s)-1*(%[2]s)))+1)/2)", spoken(x), spoken(y))
		default:
			x, y := cut(inner, '/')
			quotient := map[string]string{"ceil(": "(ceil_div(1*(%s),1*(%s)))", "floor(": "((%s)/(%s))"}[name]
			fmt.Fprintf(&b, quotient, spoken(x), spoken(y))
		}
		i = end
	}
	return b.String()
}

// closing returns the place of the parenthesis that closes the one at open.
func closing(text string, open int) int {
	depth := 0
	for i := open; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	panic("no closing parenthesis in " + text)
}

// cut splits at the last separator outside parentheses: quotients associate to the left.
func cut(text string, separator byte) (before, after string) {
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ')':
			depth++
		case '(':
			depth--
		case separator:
			if depth == 0 {
				return text[:i], text[i+1:]
			}
		}
	}
	panic("no " + string(separator) + " in " + text)
}
