package pictures

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/service"
)

// What the page says about two values agrees with their elements.
func TestPicturesCompare(t *testing.T) {
	t.Parallel()
	needsNode(t)
	r := rand.New(rand.NewPCG(3, 4))
	type pair struct {
		a, b      scene
		transpose bool
	}
	var pairs []pair
	for range 150 {
		a := randomLayout(r)
		b := a
		switch r.IntN(4) {
		case 0:
			b = randomLayout(r)
		case 1:
			a, b = randomLinear(r), randomLinear(r)
		}
		pairs = append(pairs, pair{a, b, r.IntN(3) == 0})
	}
	same := pair{randomLinear(r), scene{}, false}
	same.b = same.a
	pairs = append(pairs, same)
	questions := make([]question, len(pairs))
	for k, p := range pairs {
		questions[k] = question{
			Ask: "compare",
			Answers: []string{
				inspected(t, p.a.request), inspected(t, p.b.request),
				answered(t, "compare", service.CompareRequest{A: p.a.request.Expr, B: p.b.request.Expr, Transpose: p.transpose}),
			},
		}
	}
	type shown struct {
		Kind, Words    string
		A, B, To, Back []int64
	}
	kinds := make(map[string]int)
	for k, got := range shows[shown](t, questions) {
		p := pairs[k]
		x, y := p.a.operands[0], p.b.operands[0]
		kinds[got.Kind]++
		if got.Kind == "not compared" {
			continue // the picture makes no statement, so it cannot be wrong
		}
		value := func(e element) string {
			if e.offset != nil {
				return e.offset.String()
			}
			return fmt.Sprintf("(%d,%d)", e.row, e.col)
		}
		other := func(i int64) int64 {
			if !p.transpose {
				return i
			}
			rows := x.rows
			return i/rows + y.rows*(i%rows)
		}
		var differ []int64
		for i := range int64(min(len(x.elements), len(y.elements))) {
			if j := other(i); j < int64(len(y.elements)) && value(x.elements[i]) != value(y.elements[j]) {
				differ = append(differ, i)
			}
		}
		same := len(differ) == 0 && len(x.elements) == len(y.elements)
		if (got.Kind == "one function") != same && !strings.Contains(got.Words, "transpose") {
			t.Errorf("%s and %s, transposed %v: %s, %s; they differ at %v",
				p.a.request.Expr, p.b.request.Expr, p.transpose, got.Kind, got.Words, differ)
		}
		if strings.Contains(got.Words, "transpose") {
			continue
		}
		if !slices.Equal(got.A, differ) {
			t.Errorf("%s and %s: marked %v, they differ at %v", p.a.request.Expr, p.b.request.Expr, got.A, differ)
		}
		for n, i := range got.A {
			if got.To[n] != other(i) || got.B[n] != other(i) || got.Back[n] != i {
				t.Errorf("%s and %s: element %d belongs to %d, not %d", p.a.request.Expr, p.b.request.Expr, i, other(i), got.To[n])
			}
		}
		if len(differ) > 0 {
			i := differ[0]
			want := fmt.Sprintf("A gives %s, B gives %s", value(x.elements[i]), value(y.elements[other(i)]))
			if len(x.elements) == len(y.elements) && !strings.Contains(got.Words, want) {
				t.Errorf("%s and %s: %q, want %q", p.a.request.Expr, p.b.request.Expr, got.Words, want)
			}
		}
	}
	if kinds["one function"] < 20 || kinds["different"] < 30 {
		t.Errorf("%v", kinds)
	}
	// Pairs that were once wrongly called equal functions: atoms with the same A, and functions over bits with
	// different values.
	known := [][3]string{
		{`mma("SM80_16x8x16_F32F16F16F32_TN")`, `mma("SM80_16x8x16_F16F16F16F16_TN")`, "not compared"},
		{"linear{register=[[0,1]], lane=[[1,0]]}", "linear{register=[[1,0]], lane=[[0,1]]}", "different"},
		{"linear{block=[[0,1],[1,0]]}", "linear{block=[[1,0],[0,1]]}", "different"},
		{"Sw<2,0,3>", "Sw<1,0,3>", "different"},
		{"Sw<2,0,3>", "Sw<2,0,3> o 0 o 64:1", "one function"},
		{"Sw<2,0,3>", "Sw<2,0,3>", "one function"},
		{"Sw<2,0,3>", "(8,8):(1,8)", "different"},
		{"32:1", "(4,8):(1,4)", "one function"},
		{"2:9007199254740993", "2:9007199254740992", "different"},
		{"(4,8):(1@0,1@1)", "(4,8):(1@0,1@1)", "one function"},
		{"(4,8):(1@0,1@1)", "(4,8):(1,4)", "not compared"},
		{"(131072,2):(1,0)", "(131072,2):(1,0)", "not compared"},
	}
	questions = nil
	for _, c := range known {
		questions = append(questions, question{Ask: "compare", Answers: []string{
			inspected(t, service.InspectRequest{Expr: c[0]}), inspected(t, service.InspectRequest{Expr: c[1]}),
			answered(t, "compare", service.CompareRequest{A: c[0], B: c[1]}),
		}})
	}
	for k, got := range shows[shown](t, questions) {
		if c := known[k]; got.Kind != c[2] {
			t.Errorf("%s and %s: %s, %s; want %s", c[0], c[1], got.Kind, got.Words, c[2])
		}
	}
}

// In the operands of an operation, an element lights exactly the elements that the operation relates to it.
func TestPicturesLinks(t *testing.T) {
	t.Parallel()
	needsNode(t)
	type shown struct {
		Lit    map[string][][]int64
		Colors map[string][]string
		Tables map[string][]int64
	}
	cases := [][3]string{
		{"composition", "(6,2):(8,2)", "(4,3):(3,1)"},
		{"composition", "20:2", "(5,4):(4,1)"},
		{"composition", "(10,2):(16,4)", "(5,4):(1,5)"},
		{"right_inverse", "(2,4,6):(4,1,8)", ""},
		{"right_inverse", "(4,8):(8,1)", ""},
		{"left_inverse", "(4,8):(10,1)", ""},
		{"left_inverse", "(4,8):(8,1)", ""},
		{"logical_product", "(2,2):(4,1)", "6:1"},
		{"logical_product", "(2,2):(1,2)", "(2,3):(3,1)"},
		{"logical_product", "4:1", "(2,3):(1,4)"},
		{"zipped_product", "4:1", "(2,3):(3,1)"},
		{"logical_product", "4:1", "3:2"},
		{"blocked_product", "(2,5):(5,1)", "(3,4):(1,3)"},
		{"blocked_product", "(2,5):(5,1)", "(3,4):(4,1)"},
		{"blocked_product", "(2,2):(1,2)", "(2,3):(3,1)"},
		{"raked_product", "(2,5):(5,1)", "(3,4):(1,3)"},
		{"raked_product", "(2,5):(5,1)", "(3,4):(4,1)"},
		{"raked_product", "(2,2):(2,1)", "(3,2):(2,1)"},
		{"blocked_product", "(2,2):(1,2)", "(3,4)"},
		{"blocked_product", "((2,2),2):((1,4),2)", "((2,3),2):((2,4),1)"},
		{"logical_divide", "(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>"},
		{"logical_divide", "(8,16):(16,1)", "<4,8>"},
		{"logical_divide", "(8,16):(16,1)", "(4,8)"},
		{"logical_divide", "(8,(2,8),3):(1,(8,16),128)", "<(2,2):(1,4),4:2>"},
		{"logical_divide", "(8,16):(1,8)", "<_,4>"},
		{"logical_divide", "24:1", "4:2"},
		{"logical_divide", "(4,6):(1,4)", "(2,2):(1,4)"},
		{"logical_divide", "((4,2),6):((1,4),8)", "<<2,2>,3>"},
		{"zipped_divide", "(8,16,3):(1,8,128)", "<_,4>"},
		{"tiled_divide", "(8,16,3):(48,3,1)", "<4>"},
		{"flat_divide", "((4,2),6):((1,4),8)", "<<2,_>,3>"},
		{"zipped_divide", "(6,4):(1,6)", "<4,3>"},
		{"logical_divide", "10:1", "4"},
		{"logical_product", "(2,3):(1,2)", "<4,2>"},
		{"zipped_product", "(2,3):(1,2)", "<_,2:1>"},
		{"zipped_divide", "(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>"},
		{"tiled_divide", "(8,16):(16,1)", "<4,8>"},
		{"flat_divide", "(8,16):(16,1)", "<4,8>"},
		{"flat_divide", "(8,16):(16,1)", "(4,8)"},
		{"flat_divide", "(8,4,2):(1,8,32)", "<2,2>"},
		{"zipped_divide", "24:1", "4:2"},
		{"flat_divide", "(4,6):(1,4)", "(2,2):(1,4)"},
		{"coalesce", "(2,(1,6)):(1,(6,2))", ""},
	}
	var questions []question
	values := make([][3]cute.Layout, len(cases))
	for k, c := range cases {
		call := c[0] + "(" + c[1] + ")"
		if c[2] != "" {
			call = c[0] + "(" + c[1] + ", " + c[2] + ")"
		}
		q := question{Ask: "link", Op: c[0], Answers: []string{
			inspected(t, service.InspectRequest{Expr: c[1]}), "", inspected(t, service.InspectRequest{Expr: call}),
			answered(t, "link", service.LinkRequest{Expr: call}),
		}}
		layout := func(text string) cute.Layout {
			switch x := valueOf(t, text).(type) {
			case eval.Layout:
				return x.Layout
			case eval.Tuple:
				return cute.MustParse(x.Tuple.String())
			}
			return cute.Layout{}
		}
		values[k][0], values[k][2] = layout(c[1]), layout(call)
		if c[2] != "" {
			q.Answers[1] = inspected(t, service.InspectRequest{Expr: c[2]})
			values[k][1] = layout(c[2])
		}
		questions = append(questions, q)
	}
	at := func(l cute.Layout, i int64) int64 {
		x, err := l.At(i)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for k, got := range shows[shown](t, questions) {
		c := cases[k]
		a, b, res := values[k][0], values[k][1], values[k][2]
		where := func(key string, e int64, want func(i int64) bool, n int64) {
			t.Helper()
			var list []int64
			for i := range n {
				if want(i) {
					list = append(list, i)
				}
			}
			if lit := got.Lit[key]; int64(len(lit)) <= e || !slices.Equal(lit[e], list) {
				t.Errorf("%v: element %d lights in %s %v, want %v", c, e, key, lit, list)
			}
		}
		switch {
		case c[0] == "composition":
			for i := range res.Size() {
				if at(res, i) != at(a, at(b, i)) {
					t.Fatalf("%v: not a composition", c)
				}
				where("rb", i, func(j int64) bool { return i == j }, b.Size())
				where("br", i, func(j int64) bool { return i == j }, res.Size())
				where("ra", i, func(j int64) bool { return at(b, i) == j }, a.Size())
				where("ba", i, func(j int64) bool { return at(b, i) == j }, a.Size())
			}
			for j := range a.Size() {
				where("ar", j, func(i int64) bool { return at(b, i) == j }, res.Size())
				where("ab", j, func(i int64) bool { return at(b, i) == j }, b.Size())
			}
		case strings.HasSuffix(c[0], "_inverse"):
			for j := range a.Size() {
				where("ar", j, func(i int64) bool { return at(a, j) == i || at(res, i) == j }, res.Size())
			}
		case strings.HasSuffix(c[0], "_product"):
			// The elements of a copy of A are the elements of A, shifted by the complement of A at a value of B. An
			// element of B determines the shift.
			place, number := got.Tables["place"], got.Tables["copy"]
			moved := make(map[int64]int64)
			for i := range res.Size() {
				by := at(res, i) - at(a, place[i])
				if was, ok := moved[number[i]]; ok && was != by {
					t.Errorf("%v: element %d of copy %d is moved by %d, others by %d", c, i, number[i], by, was)
				}
				moved[number[i]] = by
				where("ra", i, func(j int64) bool { return j == place[i] }, a.Size())
				if len(got.Lit["rb"]) > 0 {
					where("rb", i, func(j int64) bool { return j == number[i] }, b.Size())
				}
			}
			if len(got.Lit["rb"]) > 0 {
				for x := range b.Size() {
					for y := range b.Size() {
						if (at(b, x) < at(b, y)) != (moved[x] < moved[y]) {
							t.Errorf("%v: B has %d and %d, the copies are moved by %d and %d", c, at(b, x), at(b, y), moved[x], moved[y])
						}
					}
				}
			}
			told(t, c, got.Colors["r"], func(i int) int64 { return number[i]%8 + 8*place[i] }, nil)
			told(t, c, got.Colors["a"], func(i int) int64 { return int64(i) }, nil)
		case strings.HasSuffix(c[0], "_divide"):
			of := got.Tables["of"]
			for i := range res.Size() {
				if of[i] >= 0 && at(res, i) != at(a, of[i]) {
					t.Errorf("%v: element %d is %d, element %d of A is %d", c, i, at(res, i), of[i], at(a, of[i]))
				}
				where("ra", i, func(j int64) bool { return j == of[i] }, a.Size())
			}
			// The tiles are the columns of zipped_divide; the elements of a tile are at the places of the elements of
			// B.
			zipped, err := cute.ZippedDivide(a, cute.MustParseTiler(c[2]))
			if err != nil {
				t.Fatal(err)
			}
			tile, err := zipped.Mode(0)
			if err != nil {
				t.Fatal(err)
			}
			column := make(map[int64]int64)
			for i := range zipped.Size() {
				if real, err := zipped.Padding.Contains(cute.Int(i)); err != nil || real {
					column[at(zipped.Layout, i)] = i
				}
			}
			for i := range res.Size() {
				if of[i] < 0 {
					continue
				}
				if want := column[at(res, i)] / tile.Size(); want != got.Tables["tile"][i] {
					t.Errorf("%v: element %d is in tile %d, want %d", c, i, got.Tables["tile"][i], want)
				}
				if len(got.Lit["rb"]) > 0 {
					where("rb", i, func(j int64) bool { return j == column[at(res, i)]%tile.Size() }, b.Size())
				}
			}
			told(t, c, got.Colors["r"], func(i int) int64 { return got.Tables["tile"][i] % 8 }, nil)
			tileOf := func(i int) int64 { return column[at(a, int64(i))] / tile.Size() % 8 }
			told(t, c, got.Colors["a"], tileOf, got.Colors["r"][:1])
		default: // coalesce preserves the indices
			for j := range a.Size() {
				where("ar", j, func(i int64) bool { return i == j }, res.Size())
			}
		}
	}
}

// told checks what colors mean: elements with equal keys have equal colors, and elements with different keys have
// different colors. first is the color of key 0, if it is known.
func told(t *testing.T, c [3]string, colors []string, key func(i int) int64, first []string) {
	t.Helper()
	of, keys := make(map[int64]string), make(map[string]int64)
	if first != nil {
		of[0], keys[first[0]] = first[0], 0
	}
	for i, x := range colors {
		k := key(i)
		if was, ok := of[k]; ok && was != x {
			t.Errorf("%v: element %d of %d has the color %s, others %s", c, i, k, x, was)
		}
		if was, ok := keys[x]; ok && was != k {
			t.Errorf("%v: element %d of %d has the color of %d", c, i, k, was)
		}
		of[k], keys[x] = x, k
	}
}
