package service

import (
	"slices"
	"strings"
	"testing"
)

// Wherever a layout is read, a note says that a swizzle may act on bytes, and gives the layout in that case.
func TestSwizzleOfBytes(t *testing.T) {
	t.Parallel()
	const pasted = "S<3,4,3> o 0 o (8,64):(64,1)"
	const half, word = "Sw<3,3,3> o 0 o (8,64):(64,1)", "Sw<3,2,3> o 0 o (8,64):(64,1)"
	const made = "cute.make_composed_layout(cute.make_swizzle(3,4,3), 0, cute.make_layout((8,64), stride=(64,1)))"
	s := new(Session)
	for door, notes := range map[string][]string{
		"eval":    s.Eval(EvalRequest{Expr: pasted}).Notes,
		"dsl":     s.Eval(EvalRequest{Expr: made}).Notes,
		"let":     s.Eval(EvalRequest{Expr: "let a = " + pasted}).Notes,
		"read":    s.Read(ReadRequest{Text: pasted}).Items[0].Notes,
		"draw":    s.Draw(DrawRequest{Expr: pasted, Format: "txt"}).Notes,
		"layout":  s.Grid(GridRequest{Expr: pasted}).Notes,
		"show":    s.Show(ShowRequest{Expr: pasted}).Notes,
		"explain": s.Explain(ExplainRequest{Expr: pasted}).Notes,
		"inspect": s.Inspect(InspectRequest{Expr: pasted}).Notes,
		"linear":  s.Linear(LinearRequest{Expr: pasted}).Notes,
	} {
		said := func(n string) bool {
			return strings.Contains(n, half+" for elements of 16 bits") && strings.Contains(n, word+" for 32")
		}
		if !slices.ContainsFunc(notes, said) {
			t.Errorf("%s: the notes are %q", door, notes)
		}
	}
	for _, expr := range []string{
		half, word, "Sw<0,4,3> o 0 o 8:1", "8:1", "Sw<3,4,3>", "Sw<1,0,1> o 0 o Sw<3,4,3> o 0 o 8:1",
	} {
		if r := s.Eval(EvalRequest{Expr: expr}); !r.OK || len(r.Notes) > 0 {
			t.Errorf("%s: %+v, want a value and no notes", expr, r)
		}
	}
	// If the pointer is printed too, its swizzle acts on bytes.
	for _, it := range s.Read(ReadRequest{Text: "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)"}).Items {
		if strings.Contains(strings.Join(it.Notes, " "), "is meant for bytes") {
			t.Errorf("%s: %q", it.Value, it.Notes)
		}
	}
}

// The expression for a type contains the swizzle, in elements, that acts on the same addresses.
func TestReadInBytes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		typ, want string
	}{
		{"f64", "Sw<3,1,3> o 0 o (8,64):(64,1)"},
		{"f32", "Sw<3,2,3> o 0 o (8,64):(64,1)"},
		{"f16", "Sw<3,3,3> o 0 o (8,64):(64,1)"},
		{"e4m3", ""},
	} {
		r := new(Session).Inspect(InspectRequest{Expr: "Sw<3,4,3> o 0 o (8,64):(64,1)", Type: tt.typ})
		if !r.OK || r.InBytes != tt.want {
			t.Errorf("%s: %q, want %q", tt.typ, r.InBytes, tt.want)
		}
	}
}

// The note on the DSL's make_swizzle gives both units, and the swizzle of bytes equals the swizzle in the code of a
// TMA copy.
func TestSwizzleOfDSL(t *testing.T) {
	t.Parallel()
	s := new(Session)
	tma := s.TMA(TMARequest{Expr: "(128,64):(64,1)", Box: "8,64", Type: "f16", Swizzle: "128"})
	show := s.Show(ShowRequest{Expr: tma.Smem, As: "dsl"})
	const bytes = "make_swizzle(3, 4, 3)"
	notes := strings.Join(show.Notes, "\n")
	if !strings.Contains(tma.Text(), bytes) ||
		!strings.Contains(tma.Text(), "of bytes; of elements of f16 it is Sw<3,3,3>") ||
		!strings.Contains(notes, "write "+bytes+" for elements of 16 bits") {
		t.Errorf("the code of the copy: %s\nthe notes of show: %q", tma.Text(), show.Notes)
	}
}
