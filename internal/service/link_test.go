package service_test

import (
	"slices"
	"testing"

	"girih/internal/service"
)

// The test checks the relations of operations. Package relation tests them for all kinds of layouts, and package
// pictures tests that the page lights the related elements.
func TestLink(t *testing.T) {
	t.Parallel()
	var s service.Session
	for _, c := range []struct {
		expr, link string // the links in order: from>to by
		cuts       bool
		table      string
		want       []int64
	}{
		{"(6,2):(8,2) o (4,3):(3,1)", "br>a picks r>b", false, "picks", []int64{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}},
		{"composition(Sw<1,0,1>, 4:1)", "br>a picks r>b", false, "picks", []int64{0, 1, 2, 3}},
		{"composition((2,2):(F2(3),F2(1)), (2,2):(F2(2),F2(3)))", "br>a picks r>b", false, "picks", []int64{0, 2, 3, 1}},
		{"composition((4,2):(2,1), (2,2):(1@1,1@0))", "br>a picks r>b", false, "picks", []int64{0, 4, 1, 5}},
		{"composition((4,2):(2,1), <2,2>)", "r>a picks", false, "picks", []int64{0, 1, 4, 5}},
		{"(6,2):(1,7) o (3,2):(2,3)", "b>a picks", false, "picks", []int64{0, 2, 4, 3, 5, 7}},
		{"let A = (2,2):(1,2); A o 3:1", "br>a picks r>b", false, "picks", []int64{0, 1, 2}},
		{"right_inverse((2,2):(2,1))", "a>r values r>a inverse", false, "inverse", []int64{0, 2, 1, 3}},
		{"zipped_divide(6:1, 4:1)", "r>a of r>b place", false, "of", []int64{0, 1, 2, 3, 4, 5, -1, -1}},
		{"zipped_divide((2,4):(4,1), (1,2))", "r>a of", true, "tile", []int64{0, 0, 1, 1, 2, 2, 3, 3}},
		{"logical_divide(Sw<1,0,1> o 0 o 4:1, 2:2)", "r>a of r>b place", false, "of", []int64{0, 2, 1, 3}},
		{"logical_product(2:1, 2:1)", "r>a place r>b copy", false, "copy", []int64{0, 0, 1, 1}},
		{"raked_product(2:1, (2))", "r>a place r>b copy", false, "copy", []int64{0, 1, 0, 1}},
		{"tile_to_shape(2:1, (4))", "r>a place", true, "copy", []int64{0, 0, 1, 1}},
		{"coalesce((2,2):(1,2))", "r>a", false, "", nil},
		{"equivalent((2,2):(1,2), 4:1)", "a>b", false, "", nil},
		{"complement(2:1, 4)", "", true, "", nil},
		{"logical_product(1024:1, 1024:1)", "", false, "", nil}, // there are too many elements to relate them one by one
		{"4:1", "", false, "", nil},
		{"size(4:1)", "", false, "", nil},
	} {
		r := s.Link(service.LinkRequest{Expr: c.expr})
		var links string
		for _, x := range r.Links {
			if links != "" {
				links += " "
			}
			if links += x.From + ">" + x.To; x.By != "" {
				links += " " + x.By
			}
		}
		if !r.OK || links != c.link || r.Cuts != c.cuts || !slices.Equal(r.Tables[c.table], c.want) {
			t.Errorf("%s: %s, cuts %v, %v, %v; want %s, cuts %v, %v",
				c.expr, links, r.Cuts, r.Tables, r.Error, c.link, c.cuts, c.want)
		}
	}
	if r := s.Link(service.LinkRequest{Expr: "(4"}); r.OK || r.Error == nil {
		t.Errorf("what is no expression: %+v", r)
	}
}
