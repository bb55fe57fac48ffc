package compat

import (
	"fmt"
	"strings"
	"testing"
)

// TestClaims compares the models with recorded output of the originals, from a survey of their disagreements on which
// the models are based. A refusal is written as "!" and a part of its text.
func TestClaims(t *testing.T) {
	t.Parallel()
	const (
		stride, shape = "!Stride Divisibility", "!Shape Divisibility"
		x, assertion  = "!x:x", "!AssertionError"
	)
	for _, row := range []struct {
		op, a, b            string
		static, dsl, pycute string // "" if no answer is claimed
	}{
		// Layouts of size 1.
		{"coalesce", "1:5", "", "1:0", "1:5", "1:0"},
		{"coalesce", "(1,1,1):(16,0,8)", "", "1:0", "1:8", "1:0"},
		{"coalesce", "(2,1,6):(1,6,2)", "(1,2)", "(2,1,6):(1,0,2)", "(2,1,6):(1,6,2)", ""},

		// Compositions whose stride does not divide an extent that it crosses.
		{"composition", "(4,3):(1,100)", "4:3", "(2,2):(3,100)", "(2,2):(3,100)", assertion},
		{"composition", "(8,3):(1,100)", "6:3", "(3,2):(3,100)", "(3,2):(3,100)", assertion},
		{"composition", "(3,3):(1,100)", "4:2", "(2,2):(2,100)", "(2,2):(2,100)", assertion},
		{"composition", "(6,3):(1,100)", "4:4", "(2,2):(4,100)", "(2,2):(4,100)", assertion},
		// Elements that pycute loses.
		{"composition", "(6,3):(3,1)", "3:3", shape, x, "2:9"},
		{"composition", "(2,2):(1,100)", "3:1", shape, x, "2:1"},
		// Refusals of pycute.
		{"composition", "(4,2):(1,100)", "2:3", "2:3", "2:3", assertion},
		{"composition", "(8,6):(6,8)", "(3,3):(1,3)", "(3,3):(6,18)", "(3,3):(6,18)", assertion},
		{"composition", "(2,8,2):(12,6,6)", "4:12", "(2,2):(36,6)", "(2,2):(36,6)", assertion},
		// A last mode of extent 1.
		{"composition", "(4,1):(3,4)", "3:16", "3:16", "3:16", "3:48"},
		{"composition", "1:1", "8:1", "8:1", "8:1", "8:0"},
		{"composition", "(4,3,1):(3,1,0)", "24:1", "(4,3,2):(3,1,0)", "(4,3,2):(3,1,0)", "(4,6):(3,1)"},
		// Negative strides.
		{"composition", "(4,6):(1,10)", "8:-2", "(2,4):(-2,-10)", "", "8:0"},
		{"composition", "(4,6):(1,10)", "3:-1", "3:-1", "", "3:0"},
		{"composition", "(3,6,2,8):(1,10,100,1000)", "16:9", "(2,2,4):(30,100,1000)", "", ""},
		{"composition", "(3,6,2,8):(1,10,100,1000)", "6:72", "6:2000", "", ""},
		{"composition", "(3,6,2,8):(1,10,100,1000)", "2:24", stride, "", ""},
		{"composition", "(4,3):(3,1)", "(24):(1)", "((4,6)):((3,1))", "", ""},
		{"composition", "(10,2):(16,4)", "(5,4):(1,5)", "(5,(2,2)):(16,(80,4))", "", ""},
		{"composition", "((2,3),4):((5,7),11)", "(6,2):(1@0,2@1)", "((2,3),2):((5,7),22)", "((2,3),2):((5,7),22)", "!coordinate"},
		// Modes beyond the tiler.
		{"composition", "(4,6,5):(1,4,24)", "<2>", "(2):(1)", "(2):(1)", "(2,6,5):(1,4,24)"},

		{"complement", "4:1", "", "1:0", "1:4", ""},
		{"complement", "4:0", "", "", "1:1", ""},
		{"complement", "4:1", "4", "1:0", "1:4", "1:0"},
		{"complement", "(2,2):(2,3)", "24", "!Non-injective", "(2,0,4):(1,4,6)", "(2,0,4):(1,4,6)"},
		{"complement", "(2,2):(2,3)", "", "!Non-injective", "!non-injective", ""},
		{"complement", "(2,2):(1,1)", "8", "", "(0,4):(2,2)", "(0,4):(2,2)"},
		{"complement", "(4,2):(1,6)", "24", "2:12", "2:12", "2:12"},
		{"complement", "(4,2):(1,10)", "24", "(2,2):(4,20)", "(2,2):(4,20)", "(2,2):(4,20)"},
		{"complement", "4:-1", "8", "(-1,0):(1,-4)", "(-1,-2):(1,-4)", ""},

		{"logical_divide", "(2,3,4):(1,2,6)", "8:1", "(8,3):(1,8)", "(8,2):(1,8)", "(8,3):(1,8)"},
		{"logical_divide", "(8,8):(1,8)", "4:3", "(4,(3,6)):(3,(1,12))", "(4,(3,4)):(3,(1,12))", ""},
		{"logical_divide", "(4,6):(1,4)", "5:1", "(5,5):(1,5)", "(5,3):(1,5)", ""},
		{"logical_divide", "10:1", "4:1", "(4,3):(1,4)", "(4,3):(1,4)", "(4,3):(1,4)"},
		{"logical_divide", "(6,4):(4,1)", "4:1", "(4,(2,4)):(4,(16,1))", "", assertion},
		{"logical_divide", "(9,4):(1,9)", "(2,3)", "((2,5),(3,2)):((1,2),(9,27))", "", ""},
		{"logical_divide", "(10,3):(1,100)", "4:1", "(4,(3,3)):(1,(4,100))", "", ""},
		{"logical_divide", "24:1", "(4,6):(1,4)", "((4,6),1):((1,4),0)", "((4,6),1):((1,4),24)", ""},
		{"logical_divide", "(4,2,3):(2,1,8)", "4:2", "((2,2),(2,3)):((4,1),(2,8))", "((2,2),(2,3)):((4,1),(2,8))", "((2,2),(2,3)):((4,1),(2,8))"},
		{
			"logical_divide", "(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>", "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))",
			"((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))", "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))",
		},
		{"zipped_divide", "((2,4),6):((1,2),8)", "<_,3>", "((2,3),(4,2)):((1,8),(2,24))", "((2,3),(4,2)):((1,8),(2,24))", ""},
		{"zipped_divide", "(8,6):(1,8)", "<_,3>", "!Mismatched ranks", x, "((1,3),(8,2)):((0,8),(1,24))"},
		{"flat_divide", "(8,32):(1,8)", "<4:1>", "((4),2,32):((1),4,8)", "(4,2,32):(1,4,8)", "!has no flat_divide"},

		{"right_inverse", "(3,3,8):(0,1,12)", "", "3:3", "3:3", "1:0"},
		{"right_inverse", "(3,2):(1,1)", "", "3:1", "3:1", "2:3"},
		{"right_inverse", "(4,4):(4,-1)", "", "1:0", "1:0", "1:0"},
		{"left_inverse", "4:2", "", "(2,4):(0,1)", "(2,4):(0,1)", "(2,4):(4,1)"},
		{"left_inverse", "(4,2):(1,16)", "", "(16,2):(1,4)", "(16,2):(1,4)", "(4,4,2):(1,8,4)"},
		{"left_inverse", "4:0", "", "4:0", "1:0", "1:0"},
		{"left_inverse", "(3,7):(0,0)", "", "21:0", "1:0", ""},
		{"left_inverse", "(4,8):(0,1)", "", "", "", "1:0"},

		{"logical_product", "4:1", "3", "(4,3):(1,4)", "(4,3):(1,4)", "(3,2):(1,3)"},
		{"logical_product", "(2,2):(1,8)", "5:1", shape, x, ""},
		{"logical_product", "(2,2):(4,1)", "(3,2):(1,3)", "!Divisibility", x, ""},
		{"logical_product", "(2,2):(4,1)", "6:1", "((2,2),(2,3)):((4,1),(2,8))", "", ""},
		{"logical_product", "4:0", "3:1", "(4,3):(0,1)", "(4,3):(0,1)", "(4,3):(0,1)"},
		{"logical_product", "2:4", "3:1", "(2,3):(4,1)", "(2,3):(4,1)", ""},
		{"logical_product", "(2,5):(5,1)", "<3:5,4:6>", "((2,3),(5,4)):((5,10),(1,30))", "", ""},
		{"blocked_product", "(2,5):(5,1)", "(3,4):(1,3)", "((2,3),(5,4)):((5,10),(1,30))", "", "!has no blocked_product"},
		{"blocked_product", "8:1", "2:1", "((8,2)):((1,8))", "((8,2)):((1,8))", ""},
		{"raked_product", "8:1", "2:1", "((2,8)):((8,1))", "((2,8)):((8,1))", ""},
		{"blocked_product", "3:2", "4:1", "((3,(2,2))):((2,(1,6)))", "", ""},
		{"blocked_product", "3:2", "(4):(1)", "((3,((2,2)))):((2,((1,6))))", "", ""},
		{"raked_product", "3:2", "4:1", "!Mismatched Ranks", x, ""},
		{"raked_product", "(2,2):(4,1)", "6:1", "(((2,3),2),(1,2)):(((2,8),4),(0,1))", "", ""},
		{"raked_product", "(2,5):(5,1)", "(3,4):(1,3)", "((3,2),(4,5)):((10,5),(30,1))", "", "!has no raked_product"},
	} {
		args := []string{row.a}
		if row.b != "" {
			args = append(args, row.b)
		}
		q, err := NewQuery(row.op, args...)
		if err != nil {
			t.Fatal(err)
		}
		for d, want := range map[Dialect]string{CPPStatic: row.static, DSL: row.dsl, Pycute: row.pycute} {
			if want != "" {
				check(t, q, d, values, want)
			}
		}
	}
}

// TestRunTimeClaims compares the model with output of C++ for integers that are known at run time.
func TestRunTimeClaims(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ op, a, b, want string }{
		{"coalesce", "(2,_3):(_1,2)", "", "(2,_3):(_1,2)"},
		{"coalesce", "(_4,3):(_1,_4)", "", "(_4,3):(_1,_4)"},
		{"coalesce", "(_2,1):(_1,_2)", "", "(_2,1):(_1,_2)"},
		{"coalesce", "(3,_4):(_0,_0)", "", "12:_0"},
		{"coalesce", "(_4,3):(_0,_0)", "", "(_4,3):(_0,_0)"},
		{"coalesce", "(3,4):(_0,_0)", "", "(3,4):(_0,_0)"},
		{"complement", "3:2", "_12", "(2,2):(_1,6)"},
		{"complement", "_4:2", "_24", "(2,3):(_1,8)"},
		{"complement", "4:_1", "24", "6:4"},
		{"complement", "_4:_1", "(_2,6)", "3:_4"},
		{"complement", "_4:_2", "(3,_8)", "(_2,3):(_1,_8)"},
		{"complement", "_1:_0", "(3,_8,_2)", "(3,_16):(_1,3)"},
		{"complement", "_64:_1", "(_32,_4,4)", "(_2,4):(_64,_128)"},
		{"complement", "_64:_1", "(32,_4,4)", "8:_64"},
		{"complement", "_64:_1", "(_32,_4,_4)", "_8:_64"},
		{"complement", "(3,4):(5,60)", "100", "!Dynamic-stride complement only for rank-1 layouts"},
		{"right_inverse", "(_4,3):(_1,_4)", "", "(_4,3):(_1,_4)"},
		{"right_inverse", "(_4,_2):(9,_1)", "", "_2:_4"},
		{"right_inverse", "(_2,_4):(9,_1)", "", "_4:_2"},
		{"right_inverse", "(2,_4):(_4,_1)", "", "(_4,2):(2,_1)"},
		{"left_inverse", "(_4,2):(_1,_16)", "", "(_16,2):(_1,_4)"},
		{"left_inverse", "4:2", "", "!Left inverse requires static strides."},
		{"logical_divide", "24:_1", "_4:_1", "(_4,6):(_1,_4)"},
		{"logical_divide", "(20,2):(_1,20)", "_4:_1", "((4,1),(5,2)):((_1,20),(_4,20))"},
		{"logical_divide", "(_6,2):(_1,6)", "_4:_1", "!Divisibility"},
		{"zipped_divide", "(100,60):(_1,100)", "(_32,_16)", "((_32,_16),(4,4)):((_1,100),(_32,1600))"},
		{"composition", "(4,3):(_1,4)", "_8:_2", "(2,4):(_2,4)"},
		{"composition", "(_4,_3):(_3,_1)", "8:_1", "(4,2):(_3,_1)"},
		{"composition", "(4,_3):(_3,_1)", "_8:_1", "(4,2):(_3,1)"},
		{"composition", "(_4,3,_5):(_1,_4,12)", "_20:_2", "(_2,3,3):(_2,_4,12)"}, // 18 elements instead of 20
		{"composition", "(_4,_3):(_1,_4)", "_5:0", "_5:0"},
		{"composition", "(_4,_3):(_1,_4)", "_2:3", "_2:3"},
		{"composition", "(_4,_3):(_1,_100)", "_5:0", "!divides by 0"},
		{"composition", "((_8,5),6,7):((_1,_8),40,240)", "<_64:_1,_64:_1>", "((_8,_8),_64):((_1,_8),40)"},
		{"composition", "(10,2):(16,4)", "(5,4):(1,5)", "((5,1),(2,2)):((16,4),(80,4))"},
	} {
		args := []string{row.a}
		if row.b != "" {
			args = append(args, row.b)
		}
		q, err := NewQuery(row.op, args...)
		if err != nil {
			t.Fatal(err)
		}
		check(t, q, CPPDynamic, marked, row.want)
	}
}

// marked writes a number as CuTe C++ prints it: a constant has an underscore.
func marked(n number) string {
	if n.known {
		return "_" + values(n)
	}
	return values(n)
}

func check(t *testing.T, q Query, d Dialect, as spelling, want string) {
	t.Helper()
	a := q.Answer(d)
	got := ""
	if a.Refusal == nil {
		got = a.layout.text(as)
	}
	part, refused := strings.CutPrefix(want, "!")
	if refused != (a.Refusal != nil) || !refused && got != want || refused && !strings.Contains(a.Refusal.Text, part) {
		t.Errorf("%v: %s = %q (%v), want %q", d, q.Expr(), got, a.Refusal, want)
	}
}

// TestBeyond checks that coalescing the left operand of a composition keeps the operand's values beyond its size.
func TestBeyond(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ in, cpp, dsl string }{
		{"(4,1):(1,0)", "(4,2):(1,0)", "(4,1):(1,0)"},
		{"(4,1):(1,4)", "8:1", "4:1"},
		{"(4,1):(1,3)", "(4,2):(1,3)", "(4,1):(1,3)"},
		{"(4,1,6):(1,3,4)", "24:1", "24:1"},
	} {
		o, err := readOperand(row.in)
		if err != nil {
			t.Fatal(err)
		}
		l := o.layout.constants()
		if got := (&cpp{}).coalesceBeyond(l).text(values); got != row.cpp {
			t.Errorf("C++: %s = %s, want %s", row.in, got, row.cpp)
		}
		if got := (&cutegen{}).coalesceBeyond(l).text(values); got != row.dsl {
			t.Errorf("DSL: %s = %s, want %s", row.in, got, row.dsl)
		}
	}
}

// TestBreaches checks that a refusal names the two leaves that break CuTe's own condition, and gives the numbers.
func TestBreaches(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		dialect Dialect
		op      string
		args    []string
		want    string
	}{
		{CPPStatic, "composition", []string{"(4,3):(3,1)", "6:1"}, "[] [6:1 4:3] the leaf 6:1 of the right operand takes 4 of the mode 4:3 of the left one, and 4 does not divide its 6: remainder 2"},
		{CPPStatic, "composition", []string{"(6,2):(1,7)", "3:8"}, "[] [3:8 6:1] the leaf 3:8 of the right operand reaches the mode 6:1 of the left one with the stride 8: 8 mod 6 = 2, and 8 is not below 6"},
		{CPPStatic, "composition", []string{"(8,(4,3)):(100,(3,1))", "<2,6:1>"}, "[1] [6:1 4:3] the leaf 6:1 of the right operand takes 4 of the mode 4:3 of the left one, and 4 does not divide its 6: remainder 2"},
		{Pycute, "composition", []string{"(6,2):(1,7)", "3:4"}, "[] [3:4 6:1] the leaf 3:4 of the right operand reaches the mode 6:1 of the left one with the stride 4: neither of 4 and 6 divides the other"},
		{CPPStatic, "complement", []string{"(4,2,2):(1,6,9)"}, "[] [2:6 2:9] the stride 9 of the mode 2:9 is smaller than 12 = 2*6, the block that 2:6 covers"},
		{CPPStatic, "left_inverse", []string{"(4,2,2):(1,6,9)"}, "[] [2:6 2:9] the stride 9 of the mode 2:9 is no multiple of 6, the stride of the mode 2:6 before it in the order of the strides"},
	} {
		q, err := NewQuery(tt.op, tt.args...)
		if err != nil {
			t.Fatal(err)
		}
		a := q.Answer(tt.dialect)
		if a.Refusal == nil || a.Refusal.Breach == nil {
			t.Errorf("%v: %s %q: %+v", tt.dialect, tt.op, tt.args, a)
			continue
		}
		if b := a.Refusal.Breach; fmt.Sprintf("%v %v %s", b.Mode, b.Pair, b.Says) != tt.want {
			t.Errorf("%v: %s %q: %v %v %s", tt.dialect, tt.op, tt.args, b.Mode, b.Pair, b.Says)
		}
	}
}
