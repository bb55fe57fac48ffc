package hostile

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"girih/internal/lang/eval"
)

// Modes writes a layout of n modes with the given extents and random strides below the given number.
func Modes(n int, extent func(i int) string, below int64) string {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	shape, stride := make([]string, n), make([]string, n)
	for i := range n {
		shape[i], stride[i] = extent(i), fmt.Sprint(random.Int64N(below))
	}
	return "(" + strings.Join(shape, ",") + "):(" + strings.Join(stride, ",") + ")"
}

// These functions are extents for [Modes].
func two(int) string      { return "2" }
func one(int) string      { return "1" }
func symbol(i int) string { return fmt.Sprintf("M%d", i) }

// first returns extents for [Modes]: 2 for the first n modes, and 1 for the others.
func first(n int) func(i int) string {
	return func(i int) string { return map[bool]string{true: "2", false: "1"}[i < n] }
}

// nest writes inner within n pairs of parentheses, and a 1 at the end of each pair.
func nest(n int, inner string) string {
	return strings.Repeat("(", n) + inner + strings.Repeat(",1)", n)
}

// An Operand is a value on which operations take long.
type Operand struct{ Name, Expr string }

const dense = "(2048,2048):(2049,7)"

// atom is an instruction that every machine since SM80 has.
const atom = "SM80_16x8x16_F32F16F16F32_TN"

// Operands returns values of the largest allowed size, one for each kind and shape.
func Operands() []Operand {
	columns := make([]string, 62)
	for i := range columns {
		columns[i] = fmt.Sprint(uint64(0x123456789abcdef)*uint64(2*i+1)>>2&(1<<62-1) | 1)
	}
	rows := make([]string, 62)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range rows {
		bits := make([]string, 62)
		for j := range bits {
			bits[j] = fmt.Sprint(random.IntN(2))
		}
		rows[i] = "[" + strings.Join(bits, ",") + "]"
	}
	return []Operand{
		{"wild", Modes(22, two, 1<<30)},
		{"close", Modes(22, two, 1<<21)},
		{"wilder", Modes(60, two, 1<<55)},
		{"primes", "(3,5,7,11,13,17,16):(1000003,30011,7919,104729,1299709,15485863,179424673)"},
		{"dense", dense},
		{"nearly", "(2,2048,1024):(1,3,6143)"},
		{"odd", "(1025,4091):(4093,1)"},
		{"backwards", "(2047,2049):(-2051,3)"},
		{"swizzled", "Sw<10,0,12> o 0 o " + dense},
		{"swizzled close", "Sw<5,0,17> o 3 o (4194304):(1)"},
		{"twice", "Sw<3,4,3> o 7 o (Sw<2,5,-3> o 1 o (2048,2048):(2048,1))"},
		{"long", Modes(1024, one, 1<<20)},
		{"long with 22", Modes(1024, first(22), 1<<30)},
		{"longer", Modes(60000, one, 1<<20)},
		{"line", "4194304:3"},
		{"far", "4194304:1099511627776"},
		{"endless", "9223372036854775807:1"},
		{"deep", nest(255, "2")},
		{"deep layout", nest(250, "2") + ":" + nest(250, "4194304")},
		{"tuple", "(" + strings.Repeat("2,", 1023) + "2)"},
		{"number", "4194303"},
		{"huge", "9223372036854775807"},
		{"coordinates", "(1024,1024,4):(E(0),E(1),E(2)+3*E(0))"},
		{"many coordinates", "(" + strings.Repeat("2,", 21) + "2):(" + basis(22) + ")"},
		{"tile", "<" + strings.Repeat("2:1,", 500) + "2:1>"},
		{"tile of wild", "<" + Modes(11, two, 1<<30) + "," + dense + ">"},
		{"open", "(" + strings.Repeat("_,2,", 500) + "_)"},
		{"symbols", Modes(20, symbol, 1<<20)},
		{"symbolic strides", symbolic(19)},
		{"guarded", "(M{>=1,<=4096},N{div=8},K{>=1},8,4):(N*K,K,1,M*N*K,7)"},
		{"many symbols", Modes(1000, symbol, 1<<20)},
		{"linear", "linear(Sw<10,0,11> o 0 o (2048,2048):(2048,1))"},
		{"wide linear", "linear{a=[" + strings.Join(columns, ",") + "]}"},
		{"xor", "to_xor(linear(Sw<10,0,11> o 0 o (2048,2048):(2048,1)))"},
		{"matrix", "matrix{rows=[" + strings.Join(rows, ",") + "]}"},
		{"mma", `tiled_mma("` + atom + `",(64,64,64))`},
		{"wide mma", `tiled_mma("` + atom + `",(32768,1,1))`},
		{"copy", `tiled_copy(copy_atom("UniversalCopy<uint128_t>","half_t"),(1024,1024):(1024,1),(1,8))`},
	}
}

// basis writes n coordinate strides that mix axes.
func basis(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%d*E(%d)+E(%d)", i*i+1, i%5, (i+1)%5)
	}
	return strings.Join(out, ",")
}

// symbolic writes a layout of n modes whose strides are products of symbols.
func symbolic(n int) string {
	shape, stride := make([]string, n), make([]string, n)
	for i := range n {
		shape[i], stride[i] = fmt.Sprintf("M%d", i), fmt.Sprintf("M%d*%d+M%d*M%d", (i+1)%n, i+1, (i+3)%n, (i+7)%n)
	}
	return "(" + strings.Join(shape, ",") + "):(" + strings.Join(stride, ",") + ")"
}

// small lists operands that accompany a large one: many functions accept such a second and third operand.
var small = []string{"2", "4194304", "(2,2)", "1:0", "3:5", "(1021,7):(7,1)", "_", "A", "offset", "index", "{}"}

// A Call is a program that binds operands and calls a function with them.
type Call struct{ Name, Program string }

// Calls returns calls of a function with all operands: alone, in pairs, and together with small ones.
func Calls(b eval.Builtin) []Call {
	var calls []Call
	add := func(name, args string, operands ...Operand) {
		var program strings.Builder
		for i, x := range operands {
			fmt.Fprintf(&program, "let %s=%s;", "xy"[i:i+1], x.Expr)
		}
		calls = append(calls, Call{name, program.String() + b.Name + "(" + args + ")"})
	}
	large := Operands()
	for _, x := range large {
		add(x.Name, "x", x)
		for _, y := range large {
			add(x.Name+", "+y.Name, "x,y", x, y)
		}
		for _, y := range small {
			add(x.Name+", "+y, "x,"+y, x)
			add(y+", "+x.Name, y+",x", x)
			for _, z := range small[:7] {
				add(x.Name+", "+y+", "+z, "x,"+y+","+z, x)
			}
			add(x.Name+", "+y+", "+x.Name, "x,"+y+",x", x)
		}
		add(x.Name+" 64 times", strings.Repeat("x,", 63)+"x", x)
	}
	return calls
}
