package service_test

import (
	"slices"
	"strings"
	"testing"

	"girih/internal/service"
)

// Layouts with F2 strides are accepted wherever swizzled layouts are, and act as the same function there.
func TestXorLayouts(t *testing.T) {
	t.Parallel()
	const xor, swizzled = "((8,8),64):((F2(72),F2(512)),F2(1))", "Sw<3,3,3> o 0 o (64,64):(64,1)"
	var s service.Session
	for _, threads := range []string{"", "rows", "cols", "((4,8),2):((128,1),64)", "((4,8),2):((F2(128),F2(1)),F2(64))"} {
		for _, access := range []string{"ldmatrix.x4", "ld.v4", "ld"} {
			ask := service.BankRequest{Type: "f16", Accesses: []string{access}, Threads: []string{threads}}
			ask.Expr = swizzled
			want := s.Bank(ask)
			ask.Expr = xor
			got := s.Bank(ask)
			if got.OK != want.OK {
				t.Errorf("bank %s %s: %v, and swizzled %v", access, threads, got.Error, want.Error)
				continue
			}
			if got.OK && (got.Degree != want.Degree || got.Accesses[0].Wavefronts != want.Accesses[0].Wavefronts) {
				t.Errorf("bank %s %s: %d wavefronts, swizzled %d",
					access, threads, got.Accesses[0].Wavefronts, want.Accesses[0].Wavefronts)
			}
		}
	}
	global := service.GlobalRequest{Expr: xor, Type: "f16", Accesses: []string{"ld.v4"}}
	got := s.Global(global)
	global.Expr = swizzled
	if want := s.Global(global); !got.OK || !want.OK || got.Accesses[0].Sectors != want.Accesses[0].Sectors {
		t.Errorf("global: %v, %v", got.Error, want.Error)
	}
	copies := service.CopiesRequest{MMARequest: service.MMARequest{Atom: "SM80_16x8x16_F32F16F16F32_TN"}, Memory: xor}
	fit := s.Copies(copies)
	copies.Memory = swizzled
	if want := s.Copies(copies); !fit.OK || len(fit.Copies) != len(want.Copies) || len(fit.Copies) == 0 {
		t.Errorf("copies: %d, swizzled %d: %v", len(fit.Copies), len(want.Copies), fit.Error)
	}
	copies.Memory = "(64,64):(F2(3),F2(192))"
	if r := s.Copies(copies); r.OK && r.Error == nil && len(r.Copies) == 0 {
		t.Errorf("copies of what is behind no swizzles: %+v", r)
	}
}

// A layout of 48 elements is drawn and written with 48 elements.
func TestXorLayoutsOfAnySize(t *testing.T) {
	t.Parallel()
	const expr = "(4,(4,3)):(F2(1),(F2(5),F2(16)))"
	offsets := []string{"0", "5", "10", "15", "16", "21", "26", "31", "32", "37", "42", "47"}
	var s service.Session
	grid := s.Grid(service.GridRequest{Expr: expr})
	if lines := strings.Split(grid.Text, "\n"); !grid.OK || len(lines) < 4 ||
		!slices.Equal(numbersIn(lines[3])[1:], offsets) {
		t.Errorf("grid: %v\n%s", grid.Error, grid.Text)
	}
	picture := s.Draw(service.DrawRequest{Expr: expr, Format: "txt"})
	if !picture.OK || picture.As != "layout" || !strings.Contains(picture.Text, "47") {
		t.Errorf("draw: %v\n%s", picture.Error, picture.Text)
	}
	fixed := s.Draw(service.DrawRequest{Expr: "(2,2,2):(F2(3),F2(4),F2(1))", As: "layout", Fix: "(_,_,1)", Format: "txt"})
	if !fixed.OK || !strings.Contains(fixed.Text, "2") ||
		strings.Contains(fixed.Text, "4") && !strings.Contains(fixed.Text, "F2(4)") {
		t.Errorf("draw: %v\n%s", fixed.Error, fixed.Text)
	}
	wide := s.Draw(service.DrawRequest{Expr: "(1048576,1048576):(F2(1),F2(1048576))", As: "layout", Format: "txt"})
	if !wide.OK || !strings.Contains(wide.Desc, "stride F2(1048576)") {
		t.Errorf("draw: %v, %s", wide.Error, wide.Desc)
	}
	bits := s.Draw(service.DrawRequest{Expr: expr, As: "matrix", Format: "txt"})
	if !bits.OK || !slices.ContainsFunc(bits.Notes, func(n string) bool { return strings.Contains(n, "48 elements") }) {
		t.Errorf("draw: %v, %v", bits.Error, bits.Notes)
	}
	for dialect, want := range map[string]string{
		"mlir":   `!cute.composed_layout<"S<2,0,2> o 0 o (4,(4,3)):(1,(4,16))">`,
		"triton": "",
	} {
		r := s.Show(service.ShowRequest{Expr: expr, As: dialect})
		if want == "" != (r.Error != nil) || want != "" && r.Texts[0].Text != want {
			t.Errorf("show as %s: %+v, %v", dialect, r.Texts, r.Error)
		}
	}
	r := s.Inspect(service.InspectRequest{Expr: expr})
	if !r.OK || len(r.Operands) != 1 || r.Operands[0].Size != 48 {
		t.Errorf("inspect: %v, %+v", r.Error, r.Operands)
	}
	if r := s.Inspect(service.InspectRequest{Expr: "(3,4):(F2(3),F2(5))"}); !r.OK || r.Operands[0].Size != 12 {
		t.Errorf("inspect: %v", r.Error)
	}
	if r := s.Linear(service.LinearRequest{Expr: expr}); !r.OK ||
		!slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "48 elements") }) {
		t.Errorf("linear: %v, %v", r.Error, r.Notes)
	}
}

// numbersIn returns the numbers in a line.
func numbersIn(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r < '0' || r > '9' })
}
