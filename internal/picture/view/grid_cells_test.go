package view_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/internal/picture/draw"
	"girih/internal/picture/view"
)

// places returns the row and column of each keyed cell.
func places(s *draw.Scene) map[string][2]int {
	keys, at := keyedCells(s)
	var xs, ys []float64
	for _, k := range keys {
		xs, ys = append(xs, at[k].X), append(ys, at[k].Y)
	}
	col, row := ranks(xs), ranks(ys)
	out := map[string][2]int{}
	for _, k := range keys {
		out[k] = [2]int{row[at[k].Y], col[at[k].X]}
	}
	return out
}

// In a layout of rank 2, the cell of each index is at its coordinate and shows its offset.
func TestLayoutCells(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"(4,(2,2)):(1,(8,4))", "(3,5):(7,-2)", "((2,3),4):((12,4),1)"} {
		l := cute.MustParse(text)
		s, err := view.Layout(l, view.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows := int(must(l.Mode(0)).Size())
		at := places(s)
		if len(at) != int(l.Size()) {
			t.Errorf("%s: %d cells, want %d", text, len(at), l.Size())
		}
		values := cellTexts(s)
		for i := range int(l.Size()) {
			key := fmt.Sprintf("i%d", i)
			if want := [2]int{i % rows, i / rows}; at[key] != want {
				t.Errorf("%s: index %d is at %v, want %v", text, i, at[key], want)
			}
			x, err := l.Eval(cute.Int(int64(i)))
			if err != nil || values[key] != x.String() {
				t.Errorf("%s: index %d carries %q, want %v, %v", text, i, values[key], x, err)
			}
		}
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// cellTexts returns the texts of each keyed cell; a blank separates two lines.
func cellTexts(s *draw.Scene) map[string]string {
	out := map[string]string{}
	var cell draw.Shape
	for _, sh := range s.Shapes() {
		switch {
		case sh.Kind == draw.Rect && sh.Key != "":
			cell = sh
		case sh.Kind == draw.Text && cell.Key != "" && sh.X > cell.X && sh.X < cell.X+cell.W && sh.Y > cell.Y &&
			sh.Y < cell.Y+cell.H:
			out[cell.Key] = strings.TrimSpace(out[cell.Key] + " " + sh.Text)
		}
	}
	return out
}

// filled counts the shapes with a fill.
func filled(s *draw.Scene, c draw.Color) int {
	n := 0
	for _, sh := range s.Shapes() {
		if sh.Kind == draw.Rect && s.StyleOf(sh).Fill == c {
			n++
		}
	}
	return n
}

func TestAliasesAndHoles(t *testing.T) {
	t.Parallel()
	bad := draw.Themes()[0].Bad
	for _, c := range []struct {
		layout string
		marked int // the number of marked cells, and of swatches of the legend
		notes  []string
	}{
		{"(4,4):(2,3)", 4 + 1, []string{"2 offsets are held", "6 at (3,0) and (0,2)", "2 of the offsets from 0 to 15", "first is 1"}},
		{"(4,4):(1,4)", 0, nil},
		{"(2,2):(0,1)", 4 + 1, []string{"2 offsets are held", "0 at (0,0) and (1,0)"}},
		{"4:2", 0, []string{"3 of the offsets from 0 to 6"}},
		{"(2,2):(1,3)", 0, []string{"no cell has offset 2; the others from 0 to 4"}},
		{"(2,2):(-1,-1)", 2 + 1, []string{"1 offset is held", "-1 at (1,0) and (0,1)"}},
	} {
		s, err := view.Layout(cute.MustParse(c.layout), view.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := filled(s, bad); n != c.marked {
			t.Errorf("%s: %d marks, want %d", c.layout, n, c.marked)
		}
		for _, n := range c.notes {
			if !strings.Contains(s.Desc, n) {
				t.Errorf("%s: the captions are %q, want %q in them", c.layout, s.Desc, n)
			}
		}
		if c.notes == nil && s.Desc != "" {
			t.Errorf("%s: the captions are %q, want none", c.layout, s.Desc)
		}
	}
}

// Each block of a mode has a border, and outer levels have thicker borders.
func TestModeBorders(t *testing.T) {
	t.Parallel()
	s, err := view.Layout(cute.MustParse("(2,(2,2,3)):(12,(1,2,4))"), view.Options{})
	if err != nil {
		t.Fatal(err)
	}
	widths := map[float64]int{}
	for _, sh := range s.Shapes() {
		if sh.Kind == draw.Line {
			widths[s.StyleOf(sh).Width]++
		}
	}
	if len(widths) != 2 || widths[3] != 2 || widths[2] != 3 {
		t.Errorf("borders by width: %v, want 2 of width 3 between blocks of 4, and 3 of width 2 inside of them", widths)
	}
	if got := texts(s)[1]; got != "(0,0,0)" {
		t.Errorf("the first column is labelled %q", got)
	}
}

// From rank 3 on, there is a panel for each coordinate of the further modes, in the order of the layout.
func TestPanels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ layout, fix, panels, note string }{
		{"(2,2,3):(1,2,4)", "", "(_,_,0) (_,_,1) (_,_,2)", ""},
		{"(2,2,2,2):(1,2,4,8)", "", "(_,_,0,0) (_,_,0,1) (_,_,1,0) (_,_,1,1)", ""},
		{"(2,2,2,2,2):(1,2,4,8,16)", "", "(_,_,0,0,0) (_,_,0,1,0) (_,_,1,0,0) (_,_,1,1,0)", "Mode 4 of the 5 is fixed at 0"},
		{"(2,2,2,2,2):(1,2,4,8,16)", "(_,1,_,0,_)", "(_,1,_,0,0) (_,1,_,0,1)", ""},
		{"(2,2,100):(1,2,4)", "", "", "Mode 2 of the 3 is fixed at 0"},
		{"(2,(2,2),2):(1,(2,4),8)", "(_,(_,1),_)", "(_,_,0) (_,_,1)", ""},
	} {
		o := view.Options{}
		if c.fix != "" {
			o.Fix = cute.MustParseCoord(c.fix)
		}
		s, err := view.Layout(cute.MustParse(c.layout), o)
		if err != nil {
			t.Fatal(err)
		}
		var panels []string
		for _, x := range texts(s)[1:] {
			if strings.HasPrefix(x, "(_") {
				panels = append(panels, x)
			}
		}
		if got := strings.Join(panels, " "); got != c.panels || !strings.Contains(s.Desc, c.note) {
			t.Errorf("%s at %q: panels %q with %q, want %q with %q", c.layout, c.fix, got, s.Desc, c.panels, c.note)
		}
	}
}

func TestDetailOfLayouts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		layout string
		cells  int // the number of cells with labels
		note   string
	}{
		{"(64,64):(64,1)", 4096, ""},
		{"(64,128):(128,1)", 512, "A cell is 16 consecutive offsets"},
		{"(128,128):(128,1)", 512, "A cell is a block of 4 by 8 elements; its number is the offset of the first, +128 for each row and +1 for each column."},
		{"(128,128):(1,130)", 512, "A cell is a block of 4 by 8 elements; its number is the offset of the first, +1 for each row and +130 for each column."},
		{"(100,100):(3,500)", 500, "A cell is a block of 4 by 5 elements"},
		{"((2,64),128):((1,300),2)", 512, "block of 4 by 8 elements; its number is the offset of the first."},
		{"((8,16),(8,16)):((8,1024),(1,64))", 512, "+8 for each row and +1 for each column"},
		{"(512,512):(512,1)", 512, "A cell is a block of 16 by 32 elements"},
		{"(67,67):(1,67)", 0, "4489 cells: too many to label"},
		{"((5,40),64):((1,7),1000)", 0, "12800 cells: too many to label"},
		{"(513,512):(512,1)", 0, "Outline only: 262656 elements"},
	} {
		s, err := view.Layout(cute.MustParse(c.layout), view.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(cellTexts(s)); n != c.cells || !strings.Contains(s.Desc, c.note) {
			t.Errorf("%s: %d labelled cells with %q, want %d with %q", c.layout, n, s.Desc, c.cells, c.note)
		}
		if s.W > 5000 || s.H > 5000 {
			t.Errorf("%s: %g by %g points", c.layout, s.W, s.H)
		}
	}
}

// The cell of each thread and value is where the layout places it.
func TestTVCells(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tv   string
		m, n int
	}{{"((4,8),(2,2)):((32,1),(16,8))", 16, 8}, {"(8,4):(1,8)", 4, 8}, {"((2,4),(3,2)):((3,12),(1,6))", 6, 8}} {
		l := cute.MustParse(c.tv)
		s, err := view.TV(l, cute.Ints(int64(c.m), int64(c.n)), view.Options{})
		if err != nil {
			t.Fatal(err)
		}
		at, text := places(s), cellTexts(s)
		threads := int(must(l.Mode(0)).Size())
		if len(at) != int(l.Size()) {
			t.Errorf("%s: %d cells, want %d", c.tv, len(at), l.Size())
		}
		offsets := must(l.AppendOffsets(nil))
		for i, x := range offsets {
			key := fmt.Sprintf("t%dv%d", i%threads, i/threads)
			if want := [2]int{int(x) % c.m, int(x) / c.m}; at[key] != want {
				t.Errorf("%s: %s is at %v, want %v", c.tv, key, at[key], want)
			}
			if want := fmt.Sprintf("T%d V%d", i%threads, i/threads); text[key] != want {
				t.Errorf("%s: %s carries %q, want %q", c.tv, key, text[key], want)
			}
		}
	}
}

func TestTVDetailAndFlags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, tv, tile, example, note string }{
		{"elements", "(32,4):(4,1)", "(8,16)", "T0 V0", ""},
		{"vectors down", "(1024,4):(4,1)", "(64,64)", "T0 V0-3", "A cell is a vector: 4 elements"},
		{"vectors", "((16,8),(8,16)):((1024,1),(128,8))", "(128,128)", "T0 V0-7", "A cell is a vector: 8 elements"},
		{"blocks of a thread", "((16,16),(8,8)):((8,1024),(128,1))", "(128,128)", "T0 V0-63 T0 V0", "A cell is a block of 8 by 8 elements: T0 V0-63 is values 0 to 63 of thread 0. All cells look like the first"},
		{"blocks of a warp", "((4,8,4),(2,2,16)):((128,1,16),(64,8,512))", "(64,128)", "", "8 by 8 elements: T0-31 V0-1 is values 0 to 1 of each of the threads 0 to 31. All cells look like the first"},
		{"blocks, two holders", "((4,8,4,2),(2,2,16)):((128,1,16,0),(64,8,512))", "(64,128)", "", "Every element has 2 holders: the first of them is named."},
		{"blocks too large to draw one", "((32,4),(2,64)):((1,32),(8192,128))", "(128,128)", "", "A cell is a block of 4 by 128 elements: T0-3 V0-127"},
		{"two holders", "(4,2):(0,1)", "(1,2)", "T0 ×4 V0", "Every element has 4 holders"},
		{"two threads", "((2,2),2):((0,2),1)", "(1,4)", "T0,1 V0", "Every element has 2 holders: T0,1 are threads 0 and 1"},
		{"some shared", "(2,2):(1,1)", "(1,3)", "T0 V0", "1 element has several holders, up to 2"},
		{"holes", "(2,1):(2,1)", "(2,2)", "T0 V0", "2 elements are held by no thread"},
		{"outside", "(4,1):(2,1)", "(2,2)", "T0 V0", "2 values are outside"},
	} {
		s, err := view.TV(cute.MustParse(c.tv), cute.MustParseTuple(c.tile), view.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, sh := range s.Shapes() {
			if sh.X < 0 || sh.X+sh.W > s.W || sh.Y+sh.H > s.H {
				t.Errorf("%s: a shape at (%g,%g) of %g by %g reaches out of the page", c.name, sh.X, sh.Y, sh.W, sh.H)
			}
		}
		if got := cellTexts(s)["t0v0"]; c.example != "" && got != c.example {
			t.Errorf("%s: the first cell carries %q, want %q", c.name, got, c.example)
		}
		if !strings.Contains(s.Desc, c.note) {
			t.Errorf("%s: captions %q, want %q", c.name, s.Desc, c.note)
		}
	}
}

// B is drawn as K by N, with C below it and to the right of A.
func TestMMAPanels(t *testing.T) {
	t.Parallel()
	m := must(atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN"))
	s, err := view.MMA(m, view.Options{})
	if err != nil {
		t.Fatal(err)
	}
	groups := map[string][]draw.Shape{}
	key := ""
	for _, sh := range s.Shapes() {
		switch {
		case sh.Kind == draw.Begin:
			key = sh.Key
		case sh.Kind == draw.End:
			key = ""
		case sh.Kind == draw.Rect && sh.Key != "":
			groups[key] = append(groups[key], sh)
		}
	}
	for o, n := range map[string]int{"A": 256, "B": 128, "C": 128} {
		if len(groups[o]) != n {
			t.Errorf("%s has %d cells, want %d", o, len(groups[o]), n)
		}
	}
	a, b, c := groups["A"][0], groups["B"][0], groups["C"][0]
	if a.Y != c.Y || b.X != c.X || a.X >= c.X || b.Y >= c.Y {
		t.Errorf("the panels begin at A (%g,%g), B (%g,%g), C (%g,%g)", a.X, a.Y, b.X, b.Y, c.X, c.Y)
	}
	for _, sh := range groups["B"] {
		var thread, value int64
		fmt.Sscanf(sh.Key, "t%dv%d", &thread, &value)
		p, err := m.At(atom.OperandB, thread, value)
		row, col := int64((sh.Y-b.Y)/sh.H+0.5), int64((sh.X-b.X)/sh.W+0.5)
		if err != nil || p.Row != col || p.Column != row {
			t.Errorf("%s of B is drawn at k=%d, n=%d, and is at k=%d, n=%d: %v", sh.Key, row, col, p.Column, p.Row, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	scene := func(_ *draw.Scene, err error) error { return err }
	fixed := func(layout, at string) error {
		return scene(view.Layout(cute.MustParse(layout), view.Options{Fix: cute.MustParseCoord(at)}))
	}
	for _, c := range []struct {
		name string
		err  error
		code cute.Code
	}{
		{"fix beyond the extent", fixed("(2,3):(1,2)", "(_,3)"), cute.CodeExtent},
		{"fix of another rank", fixed("(2,3):(1,2)", "(_,_,0)"), cute.CodeNotCongruent},
		{"fix too little", fixed("(2,2,2,2,2,2):(1,2,4,8,16,32)", "(_,_,_,_,_,0)"), cute.CodeRank},
		{"tv of rank 1", scene(view.TV(cute.MustParse("8:1"), cute.Ints(8), view.Options{})), cute.CodeRank},
		{"tile of rank 4", scene(view.TV(cute.MustParse("(2,2):(1,2)"), cute.Ints(1, 1, 2, 2), view.Options{})), cute.CodeRank},
		{"tile of extent 0", scene(view.TV(cute.MustParse("(2,2):(1,2)"), cute.Ints(0, 2), view.Options{})), cute.CodeExtent},
		{"large tile", scene(view.TV(cute.MustParse("(2,2):(1,2)"), cute.Ints(1024, 1024), view.Options{})), cute.CodeLimit},
		{"huge tile", scene(view.TV(cute.MustParse("(2,2):(1,2)"), cute.Ints(1<<40, 1<<40), view.Options{})), cute.CodeLimit},
		{"many pairs", scene(view.TV(cute.MustParse("(2097152,2):(0,1)"), cute.Ints(2, 2), view.Options{})), cute.CodeLimit},
		{"many rows", scene(view.Hardware(cute.MustParse("(524288,2):(0,1)"), cute.Ints(2, 2), view.Options{})), cute.CodeLimit},
		{"many rows, both", scene(view.Dual(cute.MustParse("(524288,2):(0,1)"), cute.Ints(2, 2), view.Options{})), cute.CodeLimit},
		{"tiler of rank 9", scene(view.Tile(cute.MustParseTiler("<2,2,2,2,2,2,2,2,2>"), view.Options{})), cute.CodeRank},
		{"tiler of tiles", scene(view.Tile(cute.MustParseTiler("<<2,2>,2>"), view.Options{})), cute.CodeType},
		{"negative tiler", scene(view.Tile(cute.MustParseTiler("<2:-1,2>"), view.Options{})), cute.CodeNegative},
		{"wide tiler", scene(view.Tile(cute.MustParseTiler("<2:1000000,2>"), view.Options{})), cute.CodeLimit},
		{"widest tiler", scene(view.Tile(cute.MustParseTiler("<2:9223372036854775807,2>"), view.Options{})), cute.CodeLimit},
		{"no numbers", scene(view.Numbers("", nil, view.Options{})), cute.CodeExtent},
		{"wide numbers", scene(view.Numbers("", []int64{-1 << 62, 1 << 62}, view.Options{})), cute.CodeLimit},
	} {
		if e, ok := errors.AsType[*cute.Error](c.err); !ok || e.Code != c.code {
			t.Errorf("%s: %v, want the code %s", c.name, c.err, c.code)
		}
	}
}
