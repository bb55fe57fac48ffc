package eval_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/internal/lang/eval"
	"girih/symbolic"
)

// The text of an expression can be evaluated. With the same symbols and facts, the text has the same value everywhere,
// or its error says that a quotient would be negative.
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
			src := fmt.Sprintf("(%s,%s,%s); 0+%s", symbols[0], symbols[1], symbols[2], text)
			rs, err := e.Eval(src)
			quotient := func(sign string) bool { return strings.Contains(text, sign) }
			if slices.ContainsFunc([]string{"%", "/", "mod(", "floor(", "ceil("}, quotient) &&
				strings.Contains(fmt.Sprint(text, names), "-") {
				continue // the language rounds negative quotients up, as C++ does; symbols round down
			}
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
		f := [...]func(x, y symbolic.Int) (symbolic.Int, symbolic.Guard, error){
			symbolic.CeilDiv, symbolic.FloorDiv, symbolic.Mod,
		}[op-3]
		out, _, err = f(x, by)
	}
	if err != nil {
		return x // never positive, say
	}
	return out
}
