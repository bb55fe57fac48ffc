package service

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"strings"
	"testing"

	"girih/internal/check/cmdline"
	"girih/internal/check/long"
	"girih/internal/lang/eval"
)

// Every kind of value has its default picture.
func TestDefaultPictures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expr, as, desc string }{
		{"(4,(2,2)):(1,(8,4))", "layout", ""},
		{"(4,4)", "layout", ""},
		{"4:2", "layout", "Holes: 3"},
		{"1048576:1048576", "layout", "Outline only"},
		{"(4,8):(1@0,1@1)", "layout", ""},
		{"composition(4:1, 2:2)", "composition", "not picked"},
		{"composition(Sw<1,0,2> o 0 o 8:1, 2:2)", "swizzle", ""},
		{"let a = complement(4:2,24); a", "complement", "fill the gap"},
		{"SM75_U32x4_LDSM_N", "copy", ""},
		{"Sw<2,0,2> o 0 o (4,4):(4,1)", "swizzle", "12 of 16 elements move"},
		{"(4,4):(4,1) o 1 o (2,2):(1,2)", "layout", ""},
		{"Sw<3,3,3>", "swizzle", "bank"},
		{"Sw<0,4,3>", "swizzle", ""},
		{"<2:2,(2,2):(1,4)>", "tile", "8 of the 18"},
		{"image((4,4):(2,3))", "list", "14 numbers"},
		{"linear{register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], out=[dim0:16,dim1:8]}", "linear", ""},
		{"linear((4,4):(4,1))", "linear", "invertible"},
		{`mma("SM80_16x8x16_F32F16F16F32_TN")`, "mma", ""},
		{"SM80_16x8x16_F32F16F16F32_TN", "mma", ""},
		{`tiled_mma("SM80_16x8x16_F32F16F16F32_TN",(2,2,1))`, "mma", "2 holders"},
		{`copy_atom("SM75_U32x4_LDSM_N","f16")`, "copy", ""},
		{`tiled_copy(copy_atom("UniversalCopy<uint128_t>","f16"),(32,8):(8,1),(1,8))`, "copy", "vector"},
		{"matrix{rows=[[1,0],[1,1]]}", "matrix", "invertible"},
	} {
		var s Session
		r := s.Draw(DrawRequest{Expr: c.expr})
		if !r.OK {
			t.Errorf("%s: %+v", c.expr, r.Error)
			continue
		}
		if r.As != c.as || !strings.Contains(r.Desc, c.desc) || r.Format != "svg" || r.Width <= 0 {
			t.Errorf("%s is drawn as %s %g wide, in %s, with %q; want %s with %q",
				c.expr, r.As, r.Width, r.Format, r.Desc, c.as, c.desc)
		}
		if err := xml.Unmarshal([]byte(r.Text), new(struct{})); err != nil {
			t.Errorf("%s: %v", c.expr, err)
		}
	}
}

// Every kind of picture draws its own example.
func TestPictureExamples(t *testing.T) {
	t.Parallel()
	for _, p := range Pictures() {
		args := cmdline.Split(p.Example)
		q := DrawRequest{Expr: args[0], As: p.Kind, Format: "txt"}
		for i := 1; i+1 < len(args); i += 2 {
			switch args[i] {
			case "--tv":
				q.Tile = args[i+1]
			case "--extents":
				q.Extents = args[i+1]
			case "--type":
				q.Type = args[i+1]
			case "--bank":
				q.Accesses = append(q.Accesses, args[i+1])
			case "--descriptor":
				q.Instr = args[i+1]
			case "--as":
			default:
				t.Errorf("%s: the example has the flag %s, which this test does not know", p.Kind, args[i])
			}
		}
		var s Session
		as := p.Kind
		if as == pictureOfValue {
			as = "layout"
		}
		if r := s.Draw(q); !r.OK || r.As != as || r.Text == "" {
			t.Errorf("%s: %s: %+v", p.Kind, p.Example, r.Error)
		}
		if p.Doc == "" || !strings.HasSuffix(p.Doc, ".") {
			t.Errorf("%s is documented as %q", p.Kind, p.Doc)
		}
	}
}

func TestDrawFormats(t *testing.T) {
	t.Parallel()
	var s Session
	for _, f := range DrawFormats() {
		r := s.Draw(DrawRequest{Expr: "(2,2):(1,2)", Format: f})
		if !r.OK || r.Format != f || len(r.Bytes()) == 0 {
			t.Errorf("%s: %+v", f, r.Error)
		}
		if again := s.Draw(DrawRequest{Expr: "(2,2):(1,2)", Format: f}); !bytes.Equal(r.Bytes(), again.Bytes()) {
			t.Errorf("%s: two pictures of a value differ", f)
		}
		if f != "png" {
			continue
		}
		img, err := png.Decode(bytes.NewReader(r.Data))
		if err != nil || img.Bounds().Dx() != int(2*r.Width+0.999) {
			t.Errorf("a PNG %v wide for %g points at scale 2: %v", img.Bounds(), r.Width, err)
		}
	}
	for file, want := range map[string]string{
		"a.svg": "svg", "a.b.PNG": "png", "x/y.tex": "tex", "a.tikz": "tex", "a.txt": "txt", "a": "", "a.gif": "",
		".svg": "svg", "a.": "",
	} {
		if got, err := DrawFormatOf(file); got != want || (err != nil) != (want == "") {
			t.Errorf("%q is %q, %v; want %q", file, got, err, want)
		}
	}
}

func TestDrawRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		req     DrawRequest
		code    string
		usage   bool
		message string
	}{
		{"an integer", DrawRequest{Expr: "7"}, "type", false, "nothing to draw of 7"},
		{"a truth value", DrawRequest{Expr: "true"}, "type", false, "kind bool"},
		{"nothing", DrawRequest{Expr: ""}, "", false, ""},
		{"a run-time integer", DrawRequest{Expr: "(M,4):(4,1)"}, "unknown", false, "known"},
		{"a run-time integer as a matrix", DrawRequest{Expr: "(M,4):(4,1)", As: "wiring"}, "unknown", false, "known"},
		{"syntax", DrawRequest{Expr: "(4,"}, "syntax", false, ""},
		{"kind", DrawRequest{Expr: "4:1", As: "heatmap"}, "syntax", true, "expected a kind of picture, one of layout, swizzle"},
		{"kind of another value", DrawRequest{Expr: "4:1", As: "mma"}, "type", false, "the picture mma shows an MMA"},
		{"format", DrawRequest{Expr: "4:1", Format: "gif"}, "syntax", true, "one of svg, png, tex, txt"},
		{"theme", DrawRequest{Expr: "4:1", Theme: "blue"}, "syntax", true, "one of light, dark, classic"},
		{"fill", DrawRequest{Expr: "4:1", ColorBy: "heat"}, "syntax", true, "one of auto, offset"},
		{"labels", DrawRequest{Expr: "4:1", Coords: "roman"}, "syntax", true, "auto, index or nested"},
		{"colors", DrawRequest{Expr: "4:1", Format: "txt", Color: "16"}, "syntax", true, "none, 256 or truecolor"},
		{"fix", DrawRequest{Expr: "(2,2):(1,2)", Fix: "(_"}, "syntax", true, "(_,_,0,1)"},
		{"fix beyond", DrawRequest{Expr: "(2,2):(1,2)", Fix: "(_,2)"}, "extent", false, "from 0 to 1, found 2"},
		{"cells", DrawRequest{Expr: "4:1", MaxCells: -1}, "syntax", true, "labelled cells"},
		{"scale", DrawRequest{Expr: "4:1", Format: "png", Scale: 100}, "syntax", true, "up to 16"},
		{"a large PNG", DrawRequest{Expr: "(64,64):(64,1)", Format: "png", Scale: 16}, "limit", false, ""},
		{"tile", DrawRequest{Expr: "(4,2):(1,4)", Tile: "x"}, "syntax", true, "such as 16,8"},
		{"encoding without a shape", DrawRequest{Expr: "blocked{sizePerThread=[1,2], threadsPerWarp=[8,4], warpsPerCTA=[1,1], order=[1,0]}"}, "type", false, "of some shape"},
		{"access", DrawRequest{Expr: "(8,8):(8,1)", Accesses: []string{"jump"}, Type: "f16"}, "", true, ""},
		{"access without a type", DrawRequest{Expr: "(8,8):(8,1)", Accesses: []string{"ld.32"}}, "syntax", true, "type of an element"},
		{"bank without an access", DrawRequest{Expr: "(8,8):(8,1)", As: "bank"}, "syntax", true, "expected an access"},
		{"operand", DrawRequest{Expr: "SM80_16x8x16_F32F16F16F32_TN", As: "tv", Operand: "Q"}, "syntax", true, "A, B or C"},
		{"a far swizzle", DrawRequest{Expr: "Sw<3,4,30>"}, "limit", false, "2^37"},
		{"an empty list", DrawRequest{Expr: "holes((2,2):(1,2))"}, "type", false, "empty list"},
	} {
		var s Session
		r := s.Draw(c.req)
		if r.OK || r.Error == nil || c.code != "" && r.Error.Code != c.code || r.Usage != c.usage ||
			!strings.Contains(r.Error.Message, c.message) {
			t.Errorf("%s: %+v, usage %t; want the code %s with %q, usage %t",
				c.name, r.Error, r.Usage, c.code, c.message, c.usage)
		}
	}
}

// TestDrawnOperation draws the operand of an operation, and a value not made by an operation.
func TestDrawnOperation(t *testing.T) {
	t.Parallel()
	for expr, op := range map[string]string{
		"composition((6,2):(8,2), (4,3):(3,1))":                       "composition",
		"(6,2):(8,2) o (4,3):(3,1)":                                   "composition",
		"let a = (6,2):(8,2); logical_divide(a, complement(2:1, 12))": "logical_divide",
		"(4,4):(4,1)": "",
	} {
		d := &drawJob{session: new(Session), req: DrawRequest{Expr: expr}}
		if info := d.evaluate(); info != nil {
			t.Errorf("%s: %s", expr, info.Message)
			continue
		}
		got := ""
		if d.op != nil {
			got = d.op.Op
		}
		if got != op {
			t.Errorf("%s is drawn as the operation %q, want %q", expr, got, op)
		}
	}
}

// The value of every example of the language has a picture in every format, or an error that says why not.
func TestDrawEveryExample(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("minutes under the race detector, in one goroutine")
	}
	drawn := 0
	for i, b := range eval.Builtins() {
		for _, as := range []string{"", "layout", "wiring", "matrix", "tv"} {
			if as != "" && long.Skips(i, 4) {
				continue
			}
			format := "svg"
			if as == "" {
				format = "txt"
			}
			r := new(Session).Draw(DrawRequest{Expr: b.Example, As: as, Format: format})
			switch {
			case r.OK:
				drawn++
				if r.Text == "" || r.Width <= 0 {
					t.Errorf("%s as %q is drawn as %q, %g wide", b.Example, as, r.Text, r.Width)
				}
			case r.Error == nil || r.Error.Code == "" || r.Error.Message == "" || r.Usage:
				t.Errorf("%s as %q: %+v, usage %t", b.Example, as, r.Error, r.Usage)
			case as == "" && r.Error.Code != "type" && r.Error.Code != "unknown":
				t.Errorf("%s: %+v", b.Example, r.Error)
			}
		}
	}
	if least := map[bool]int{false: 200, true: 300}[long.Tests()]; drawn < least {
		t.Errorf("only %d pictures, want %d", drawn, least)
	}
}
