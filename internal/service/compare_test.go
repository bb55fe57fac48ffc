package service_test

import (
	"fmt"
	"testing"

	"girih/internal/service"
)

// TestCompare checks the answer for values of every kind, with and without elements. Package pictures tests by brute
// force which elements differ.
func TestCompare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, verdict, words string }{
		{"(4,8):(8,1)", "((2,2),8):((8,16),1)", "one function", "on all 32 coordinates"},
		{"32:1", "(4,8):(1,4)", "one function", "on all 32 indices, index by index: the shapes are (32) and (4,8)"},
		{"(4,8):(8,1)", "(4,8):(8,2)", "different", "at 28 of 32; first at (0,1), index 4: A gives 1, B gives 2"},
		{"8:1", "8:2", "different", "at 7 of 8; first at 1, index 1: A gives 1, B gives 2"},
		{"(2,2,2):(1,2,4)", "(2,2,2):(1,2,5)", "different", "at 4 of 8; first at (0,0,1), index 4: A gives 4, B gives 5"},
		{"(4,8):(8,1)", "16:1", "different", "A has 32 elements, B has 16; they differ first at index 1: 8 and 1"},
		{"32:1", "16:1", "different", "A has 32 elements, B has 16; up to there they agree"},
		{
			"2:9007199254740993", "2:9007199254740992", "different",
			"at 1 of 2; first at 1, index 1: A gives 9007199254740993, B gives 9007199254740992",
		},
		{"2:9007199254740993", "2:1", "different", "at 1 of 2; first at 1, index 1: A gives 9007199254740993, B gives 1"},
		{"Sw<2,0,3>", "Sw<2,0,3>", "one function", "on all numbers"},
		{"Sw<2,0,3>", "Sw<1,0,3>", "different", "first at index 16: A gives 18, B gives 16"},
		{"Sw<2,0,3>", "Sw<2,0,3> o 0 o 64:1", "one function", "on all 64 coordinates"},
		{"Sw<2,0,3>", "(8,8):(1,8)", "different", "at 48 of 64; first at index 8: A gives 9, B gives 8"},
		{"(8,8):(1,8)", "Sw<2,0,3>", "different", "at 48 of 64; first at (0,1), index 8: A gives 8, B gives 9"},
		{"40:1", "Sw<2,0,3>", "different", "at 24 of 40; first at 8, index 8: A gives 8, B gives 9"},
		{"(4,8):(1@0,1@1)", "(4,8):(1@0,1@1)", "one function", "on all 32 coordinates"},
		{"(4,8):(1@0,1@1)", "(4,8):(1@1,1@0)", "different", "at 28 of 32; first at (1,0), index 1: A gives (1,0), B gives (0,1)"},
		{"(2,2):(F2(1),F2(3))", "(2,2):(F2(1),F2(2))", "different", "at 2 of 4; first at (0,1), index 2: A gives 3, B gives 2"},
		{
			"linear{register=[[0,1]], lane=[[1,0]]}", "linear{register=[[1,0]], lane=[[0,1]]}", "different",
			"at 2 of 4; first at (0,1), index 1: A gives (0,1), B gives (1,0)",
		},
		{"(4,8):(1@0,1@1)", "(4,8):(1,4)", "not compared", "A gives coordinates, B gives offsets"},
		{"4", "mma(\"SM80_16x8x16_F32F16F16F32_TN\")", "not compared", "A is of kind int, which has no elements"},
		{"4:1", "mma(\"SM80_16x8x16_F32F16F16F32_TN\")", "not compared", "B has the operands A, B, C: compare their layouts one by one"},
		{
			"(131072,2):(1,0)", "4:1", "not compared",
			"A has more than 131,072 elements or places: it is not compared element by element",
		},
		{"():()", "Sw<1,0,1> o 1 o ():()", "different", "at 1 of 1; first at (), index 0: A gives 0, B gives 1"},
		{"", "4:1", "not compared", "A is empty"},
		{"let T = 4:2; T", "T", "one function", "on all 4 coordinates"},
	} {
		said(t, service.CompareRequest{A: c.a, B: c.b}, c.verdict, c.words)
	}
	for _, c := range []struct{ a, b, verdict, words string }{
		{"(4,8):(8,1)", "(8,4):(1,8)", "one function", "on all 32 coordinates"},
		{"(4,8):(8,1)", "(8,4):(8,1)", "different", "at 28 of 32; first at (1,0), index 1: A gives 8, B gives 1"},
		{"(4,8):(8,1)", "(4,8):(8,1)", "different", "the shapes are not each other's transpose: 4 × 8 and 4 × 8"},
		{"(4,8):(8,1)", "32:1", "not compared", "A(m,n) with B(n,m) is of values with two modes: A has 2, B has 1"},
	} {
		said(t, service.CompareRequest{A: c.a, B: c.b, Transpose: true}, c.verdict, c.words)
	}
	var s service.Session
	r := s.Compare(service.CompareRequest{A: "(2,3):(3,1)", B: "(3,2):(2,1)", Transpose: true})
	if got := fmt.Sprint(r.Differ, r.Partner); got != "[[1 5]] [0 3 1 4 2 5]" {
		t.Errorf("the elements that differ, and their partners: %s", got)
	}
	if r := s.Compare(service.CompareRequest{A: "4:1", B: "(4"}); r.OK || r.Error == nil {
		t.Errorf("what is no expression: %+v", r)
	}
}

func said(t *testing.T, q service.CompareRequest, verdict, words string) {
	t.Helper()
	var s service.Session
	if r := s.Compare(q); !r.OK || r.Verdict != verdict || r.Words != words {
		t.Errorf("%+v: %s, %q, %v; want %s, %q", q, r.Verdict, r.Words, r.Error, verdict, words)
	}
}

// TestCompareNamesTheRelation evaluates each relation that the answer names, so that none is a guess.
func TestCompareNamesTheRelation(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, want, check string }{
		{"(8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "B = Sw<3,3,3> o A", "Sw<3,3,3> o 0 o (8,64):(64,1)"},
		{"Sw<3,3,3> o 0 o (8,64):(64,1)", "(8,64):(64,1)", "B = Sw<3,3,3> o A", ""},
		{"Sw<3,3,3> o 0 o (8,64):(64,1)", "Sw<2,3,3> o 0 o (8,64):(64,1)", "B = Sw<1,5,3> o A", ""},
		{"64:1", "Sw<2,0,-3> o 0 o 64:1", "B = Sw<2,0,-3> o A", ""},
		{"(4,8):(8,1)", "(8,4):(1,8)", "B is A transposed: B(n,m) = A(m,n)", ""},
		{
			"(8,64):(64,1)", "Sw<3,3,3> o 0 o (64,8):(1,64)",
			"B(n,m) = Sw<3,3,3> o A(m,n): B is A transposed, too", "",
		},
		{"(4,8):(8,1)", "Sw<1,0,1> o 96 o (4,8):(8,4)", "", ""},
		{"32:1", "(4,8):(1,4)", "B is A regrouped: the modes (4,8) instead of (32), the same element at each index", ""},
		{"(4,8):(8,1)", "(4,8):(16,2)", "B = 32:2 o A", "32:2 o (4,8):(8,1)"},
		{"24:1", "(4,6):(6,1)", "B = A o (4,6):(6,1): the elements of A in another order", "24:1 o (4,6):(6,1)"},
		{"(4,8):(8,1)", "(4,8):(8,1)", "", ""},
		{"8:1", "8:0", "B = A o 8:0", "8:1 o 8:0"},
		{"(4,8):(8,0)", "(4,8):(8,1)", "", ""},
	} {
		r := new(service.Session).Compare(service.CompareRequest{A: c.a, B: c.b})
		if r.Relation != c.want {
			t.Errorf("%s and %s: %q, want %q", c.a, c.b, r.Relation, c.want)
		}
		if c.check == "" {
			continue
		}
		if r := new(service.Session).Compare(service.CompareRequest{A: c.check, B: c.b}); r.Verdict != "one function" {
			t.Errorf("%s is not %s: %s", c.check, c.b, r.Words)
		}
	}
}
