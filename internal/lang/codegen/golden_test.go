package codegen

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"girih/cute"
)

var update = flag.Bool("u", false, "rewrite the golden file")

const goldenFile = "testdata/golden.txt"

// named returns a dynamic integer with a name and facts.
func named(name string, f facts) number { return number{formula: symbol(name), facts: f} }

// of returns an operation.
func of(o op, args ...expr) expr { return operation{o, args} }

// chain returns a composed layout from its parts: texts of layouts or numbers of swizzles.
func chain(t *testing.T, outer cute.Outer, offset string, inner cute.Inner) cute.Composed {
	t.Helper()
	c, err := cute.NewComposed(outer, cute.MustParseTuple(offset), inner)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func swizzleOf(t *testing.T, b, m, s int) cute.Swizzle {
	t.Helper()
	w, err := cute.NewSwizzle(b, m, s)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// rounded returns an operation on M+1 and 8*T.
func rounded(o op) number {
	return number{formula: of(o, of(opAdd, symbol("M"), literal(1)), of(opMul, literal(8), symbol("T")))}
}

// A goldenCase is a value with its name in the golden file.
type goldenCase struct {
	name  string
	value Value
}

// staticCases have only known integers.
func staticCases(t *testing.T) []goldenCase {
	t.Helper()
	var cs []goldenCase
	add := func(kind, text string, v Value) { cs = append(cs, goldenCase{kind + " " + text, v}) }
	for _, b := range []bool{true, false} {
		add("bool", fmt.Sprint(b), Bool(b))
	}
	for _, s := range []string{
		"4", "11", "-3", "2147483648", "-9223372036854775808", "(4,(2,2))", "(8)", "()", "(0,-1)",
		"1@0", "2@1@0", "(1@0,2@1)", "(1@0+2@1)",
	} {
		add("tuple", s, Tuple(cute.MustParseTuple(s)))
	}
	for _, s := range []string{"_", "(_,3)", "((_,2),_)", "(4,(2))"} {
		add("coord", s, Coord(cute.MustParseCoord(s)))
	}
	for _, s := range []string{
		"4:1", "(8):(1)", "():()", "(2,(1,6)):(1,(6,2))", "(11,524288):(-1,4294967296)", "(4,8):(1@0,2@1)",
		"((2,4),4):((1@0@0,-1@1@0),1@1)", "(2,2):(1@63,0)", "(2,2):(1@0-2@1,1@1)", "(4,2):(1,2)", "(4,2):(-1,4)", "4:268435456",
	} {
		add("layout", s, Layout(cute.MustParse(s)))
	}
	for _, w := range []cute.Swizzle{
		swizzleOf(t, 3, 4, 3), swizzleOf(t, 2, 0, -2), swizzleOf(t, 0, 0, 0), swizzleOf(t, 10, 11, 12),
	} {
		add("swizzle", w.String(), Swizzle(w))
	}
	mma := chain(t, swizzleOf(t, 2, 0, 3), "0", cute.MustParse("(8,8):(8,1)"))
	for _, c := range []cute.Composed{
		mma,
		chain(t, swizzleOf(t, 2, 0, 3), "5", cute.MustParse("(4,4):(4,1)")),
		chain(t, cute.MustParse("(4,4):(4,1)"), "(2,3)", cute.MustParse("(2,2):(1@0,1@1)")),
		chain(t, cute.MustParse("(8,4):(4,1)"), "0", cute.MustParse("(4,4):(1,4)")),
		chain(t, swizzleOf(t, 1, 0, 1), "1", chain(t, cute.MustParse("(8,4):(4,1)"), "2", cute.MustParse("(4,4):(1,4)"))),
		chain(t, cute.MustParse("(4,2):(1,3)"), "0", cute.MustParse("8:1")),
		chain(t, swizzleOf(t, 2, 0, 3), "0", cute.MustParse("(512,1024):(1024,1)")),
	} {
		add("composed", c.String(), ComposedLayout(c))
	}
	for _, s := range []string{"_", "<4,_,(2,4):(4,1)>", "<3:3,(2,(2,4))>", "<<2,4:1>,_>", "<>", "(2,3)", "(2,2):(2,1)"} {
		add("tiler", s, Tiler(cute.MustParseTiler(s)))
	}
	add("list", "{}", Value{})
	add("list", "{1,3}", List(Tuple(cute.Int(1)), Tuple(cute.Int(3))))
	add("list", "{2:1,0}", List(Layout(cute.MustParse("2:1")), Tuple(cute.Int(0))))
	add("order", "LayoutRight", OrderValue(LayoutRight))
	return cs
}

// dynamicCases are values in the form that a front end with symbolic integers passes.
func dynamicCases() []goldenCase {
	m, n := named("M", facts{}), named("", facts{})
	k := named("K", facts{div: 8})
	wide := named("", facts{div: 8, bits: 64})
	tiles := number{formula: of(opCeil, symbol("M"), literal(128))}
	padded := number{
		formula: of(opMul, of(opAdd, symbol("M"), literal(7), literal(-1)), of(opFloor, symbol("T"), literal(8)),
			of(opMod, symbol("T"), literal(8))),
	}
	narrow := number{
		formula: of(opMin, symbol("M"), of(opMax, literal(8), of(opAdd, symbol("N"), of(opMul, literal(-2), symbol("M"))))),
		facts:   facts{div: 2, bits: 32},
	}
	two := layout{branch{static(2), m}, branch{static(1), static(2)}}
	return []goldenCase{
		{"int", Value{node: tuple{m}}},
		{"int of a formula", Value{node: tuple{tiles}}},
		{"int with facts", Value{node: tuple{wide}}},
		{"coord", Value{node: tuple{branch{open{}, m}}}},
		{"named", Value{node: two}},
		{"nameless", Value{node: layout{branch{n, branch{wide, static(4)}}, branch{static(1), branch{n, named("n1", facts{})}}}}},
		{"facts", Value{node: layout{branch{k, static(4)}, branch{static(1), k}}}},
		{"formulas", Value{node: layout{branch{tiles, padded, narrow}, branch{static(1), static(2), static(3)}}}},
		{"one mode", Value{node: layout{m, static(1)}}},
		{"coordinates", Value{node: layout{branch{m, k}, branch{sum{{k, []int{0}}}, sum{{number{formula: of(opAdd, symbol("N"), literal(1))}, []int{1, 0}}}}}}},
		{"sum of coordinates", Value{node: layout{branch{m, static(4)}, branch{sum{{m, []int{0}}, {static(-2), []int{1}}}, sum{{static(1), []int{1}}}}}}},
		{"swizzled", Value{node: composed{[]stage{{swizzle{3, 4, 3}, static(0)}}, two}}},
		{"dynamic offset", Value{node: composed{[]stage{{swizzle{3, 4, 3}, k}}, layout{static(8), static(1)}}}},
		{"chain", Value{node: composed{[]stage{{swizzle{1, 0, 1}, static(0)}, {two, n}}, two}}},
		{"tile", Value{node: tile{tuple{m}, keep{}, two, layout{static(4), static(1)}, tuple{branch{static(2), n}}}}},
		{"long name", Value{node: layout{named("num_rows", facts{}), static(1)}}},
		{"list", Value{node: list{tuple{m}, two}}},
		{"division of a sum", Value{node: tuple{branch{rounded(opCeil), rounded(opFloor), rounded(opMod)}}}},
		{"words", Value{node: layout{branch{named("E", facts{}), named("is", facts{}), named("int", facts{})}, branch{static(1), named("is_", facts{}), named("is", facts{div: 2})}}}},
	}
}

// TestGolden compares all dialects with texts that a person has read; the texts of C++ and pycute were also checked by
// a compiler and an interpreter. go test -u rewrites the file.
func TestGolden(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, group := range [][]goldenCase{staticCases(t), dynamicCases()} {
		for _, c := range group {
			fmt.Fprintf(&b, "== %s\n", c.name)
			for _, d := range Dialects() {
				text, err := Write(d, c.value)
				if err != nil {
					text = "error: " + err.Error()
				}
				fmt.Fprintf(&b, "%-7s %s\n", d, strings.ReplaceAll(text, "\n", "\n        "))
			}
			b.WriteByte('\n')
		}
	}
	got := b.String()
	if *update {
		if err := os.WriteFile(goldenFile, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(data), "\n")
	title := ""
	for i := range min(len(gotLines), len(wantLines)) {
		if strings.HasPrefix(wantLines[i], "== ") {
			title = wantLines[i]
		}
		if gotLines[i] != wantLines[i] {
			t.Fatalf("%s line %d, %s:\n%s\nwant\n%s", goldenFile, i+1, title, gotLines[i], wantLines[i])
		}
	}
	if len(gotLines) != len(wantLines) {
		t.Errorf("%d lines, want %d", len(gotLines), len(wantLines))
	}
}
