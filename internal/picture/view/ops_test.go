package view_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/picture/draw"
	"girih/internal/picture/view"
)

// opCases are pictures of operations for the rules that apply to all pictures.
func opCases() []sceneCase {
	one := func(name string, f func(o view.Options) (*draw.Scene, error)) sceneCase { return sceneCase{name, f} }
	var out []sceneCase
	for _, c := range [][2]string{
		{"(6,2):(8,2)", "(4,3):(3,1)"},
		{"20:2", "(5,4):(4,1)"},
		{"(4,6):(1,5)", "8:2"},
		{"(4,6,8):(2,3,5)", "(6,12):(1,6)"},
		{"(4,4):(4,1)", "40:1"},
		{"(4,4):(4,1)", "(2,2):(0,1)"},
		{"(4,4):(4,1)", "(2,2):(1@0,1@1)"},
		{"(4,4):(1@0,1@1)", "8:2"},
		{"(128,64):(64,1)", "((32,4),(8,8)):((1,32),(128,1024))"},
		{"(1024,1024):(1,1024)", "(512,1024):(1,1024)"},
		{"4:1", "():()"},
		{"4:1", "4:-1"},
	} {
		out = append(out, one(c[0]+" o "+c[1], func(o view.Options) (*draw.Scene, error) {
			return view.Composition(cute.MustParse(c[0]), cute.MustParse(c[1]), o)
		}))
	}
	for _, c := range divides {
		out = append(out, one(c.op+c.a+c.tiler, func(o view.Options) (*draw.Scene, error) {
			return view.Divide(c.op, cute.MustParse(c.a), cute.MustParseTiler(c.tiler), o)
		}))
	}
	for _, c := range products {
		out = append(out, one(c.op+c.a+c.tiler, func(o view.Options) (*draw.Scene, error) {
			return view.Product(c.op, cute.MustParse(c.a), cute.MustParseTiler(c.tiler), o)
		}))
	}
	for _, c := range [][2]string{
		{"(2,3):(2,4)", "24"}, {"4:2", "32"}, {"(2,2):(1,6)", "60"}, {"(2,3):(2,3)", "24"}, {"4:0", "7"}, {"():()", "5"}, {"4:1", "4"}, {"3:7", "(5,6)"},
	} {
		out = append(out, one("complement"+c[0]+c[1], func(o view.Options) (*draw.Scene, error) {
			return view.Complement(cute.MustParse(c[0]), cute.MustParseTuple(c[1]), o)
		}))
	}
	for _, op := range []string{"right_inverse", "left_inverse", "inverse"} {
		for _, c := range []string{
			"(2,3):(3,1)", "(4,8):(1,5)", "(4,2):(2,16)", "(4,2):(2,2)", "(64,64):(64,1)", "4:0", "():()", "4:-1",
		} {
			out = append(out, one(op+c, func(o view.Options) (*draw.Scene, error) { return view.Inverse(op, cute.MustParse(c), o) }))
		}
	}
	profile := cute.Ints(1, 1)
	return append(
		out,
		one("coalesce", func(o view.Options) (*draw.Scene, error) {
			return view.Coalesce(cute.MustParse("(2,(1,6)):(1,(6,2))"), nil, o)
		}),
		one("coalesce by profile", func(o view.Options) (*draw.Scene, error) {
			return view.Coalesce(cute.MustParse("((2,4),(2,2)):((1,2),(8,16))"), &profile, o)
		}),
		one("coalesce of one element", func(o view.Options) (*draw.Scene, error) {
			return view.Coalesce(cute.MustParse("(1,1):(3,4)"), nil, o)
		}),
		one("slice", func(o view.Options) (*draw.Scene, error) {
			return view.Slice(cute.MustParse("((2,4),(3,2)):((1,6),(2,24))"), parsedCoord("((1,_),(_,0))"), o)
		}),
		one("compare", func(o view.Options) (*draw.Scene, error) {
			return view.Compare(cute.MustParse("(4,4):(4,1)"), cute.MustParse("(4,5):(1,4)"), o)
		}),
		one("tile_to_shape", func(o view.Options) (*draw.Scene, error) {
			return view.TileToShape(cute.MustParse("(4,4):(4,1)"), cute.Ints(8, 12), cute.Ints(1, 0), o)
		}),
	)
}

func parsedCoord(text string) cute.Coord {
	c, err := cute.ParseCoord(text)
	if err != nil {
		panic(err)
	}
	return c
}

type tileCase struct{ op, a, tiler string }

var divides = []tileCase{
	{"zipped_divide", "(4,6):(6,1)", "<2,3>"},
	{"logical_divide", "10:1", "4:1"},
	{"zipped_divide", "(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>"},
	{"flat_divide", "(8,8):(8,1)", "<2:4,4:1>"},
	{"tiled_divide", "(8,8,3):(8,1,64)", "<2:4,_>"},
	{"logical_divide", "(4,6):(6,1)", "(2,3)"},
	{"zipped_divide", "(5,4):(1,30)", "4:1"},
	{"logical_divide", "(7,5):(5,1)", "<2,3>"},
	{"flat_divide", "(7,5):(5,1)", "<2,3>"},
	{"zipped_divide", "(64,64):(64,1)", "<16,16>"},
	{"zipped_divide_exact", "(8,8):(8,1)", "<4,4>"},
	{"logical_divide", "(4,2,3):(2,1,8)", "4:2"},
	{"zipped_divide", "(4,4):(1@0,1@1)", "<2,2>"},
	{"zipped_divide", "(1024,1024):(1,1024)", "<16,16>"},
	{"logical_divide", "6:1", "(2,2):(1,2)"},
	{"tiled_divide", "(7,10):(10,1)", "<4:2,2:1>"},
}

var products = []tileCase{
	{"logical_product", "(8,16):(16,1)", "(4,2):(1,4)"},
	{"flat_product", "(2,80):(1,2)", "(3,2):(2,1)"},
	{"tiled_product", "(4,4):(4,1)", "<4:1,_>"},
	{"zipped_product", "(2,4,3):(4,1,8)", "<4:1,2:1>"},
	{"flat_product", "(2,4,3):(4,1,8)", "<2:1,_,2:2>"},
	{"zipped_product", "(2,4):(4,1)", "_"},
	{"blocked_product", "(2,5):(5,1)", "(3,4):(1,3)"},
	{"raked_product", "(2,5):(5,1)", "(3,4):(1,3)"},
	{"logical_product", "(2,2):(4,1)", "6:1"},
	{"zipped_product", "(2,5):(5,1)", "<3:5,4:6>"},
	{"logical_product", "(2,5):(5,1)", "<3:5,4:6>"},
	{"tiled_product", "(2,2):(1,2)", "(3,2):(2,1)"},
	{"flat_product", "(2,2):(1,2)", "(3,2):(2,1)"},
	{"blocked_product", "4:1", "(2,3):(1,2)"},
	{"raked_product", "(2,2):(1,2)", "3:1"},
	{"logical_product", "4:2", "2:0"},
	{"blocked_product", "((2,2),2):((1,4),2)", "(2,(2,2)):(1,(4,2))"},
	{"raked_product", "((2,2),2):((1,4),2)", "(2,(2,2)):(1,(4,2))"},
}

// The pictures of operations obey the rules for all pictures.
func TestOpSceneRules(t *testing.T) {
	t.Parallel()
	for _, c := range opCases() {
		for _, o := range []view.Options{
			{}, {Theme: draw.Themes()[1], Labels: view.LabelsNested}, {Theme: draw.Themes()[2], Labels: view.LabelsIndex},
		} {
			s, err := c.make(o)
			if e, ok := errors.AsType[*cute.Error](err); ok && (e.Code == cute.CodeCodomain || e.Code == cute.CodeNegative) {
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			checkScene(t, c.name+", "+themeName(o), s)
		}
	}
}

// A shownCell is a cell as drawn.
type shownCell struct {
	fill draw.Color
	text string
}

// paintedCells returns the fill of each cell by key, with the text that follows it.
func paintedCells(s *draw.Scene) map[string]shownCell {
	out := map[string]shownCell{}
	key := ""
	for _, sh := range s.Shapes() {
		switch {
		case sh.Kind == draw.Rect && sh.Key != "":
			key = sh.Key
			out[key] = shownCell{fill: s.StyleOf(sh).Fill}
		case sh.Kind == draw.Text && key != "":
			if p := out[key]; p.text == "" {
				p.text = sh.Text
				out[key] = p
			}
			key = ""
		}
	}
	return out
}

// A cell of B, the cell of A that it picks and the cell of the result have one color, and the result shows A's text.
func TestCompositionColors(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"(6,2):(8,2)", "(4,3):(3,1)"}, {"(4,6):(1,5)", "8:2"}, {"(4,6,8):(2,3,5)", "(6,12):(1,6)"}, {"24:3", "(2,3,4):(12,4,1)"},
	} {
		a, b := cute.MustParse(c[0]), cute.MustParse(c[1])
		s, err := view.Composition(a, b, view.Options{})
		if err != nil {
			t.Fatal(err)
		}
		at := paintedCells(s)
		seen := map[draw.Color]bool{}
		for i := range b.Size() {
			j, _ := b.At(i)
			bc, ac, rc := at[fmt.Sprintf("b%d", i)], at[fmt.Sprintf("a%d", j)], at[fmt.Sprintf("r%d", i)]
			if bc.text != strconv.FormatInt(j, 10) || ac.text != rc.text || bc.fill != ac.fill || bc.fill != rc.fill {
				t.Errorf("%s o %s at %d: B shows %v, A %v, the result %v", c[0], c[1], i, bc, ac, rc)
			}
			seen[bc.fill] = true
		}
		if len(seen) < int(b.Size()) {
			t.Errorf("%s o %s: %d colors for %d cells", c[0], c[1], len(seen), b.Size())
		}
	}
}

// If a composition is refused, the cell of the witness is framed in B, in A and in the values.
func TestCompositionRefused(t *testing.T) {
	t.Parallel()
	s, err := view.Composition(cute.MustParse("(4,6,8):(2,3,5)"), cute.MustParse("(6,12):(1,6)"), view.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(s.Desc, "(4,0): the value is 3") || !strings.Contains(s.Desc, "would have 8") {
		t.Errorf("the caption is %q", s.Desc)
	}
	_, at := keyedCells(s)
	framed := map[string]bool{}
	for _, sh := range s.Shapes() {
		if sh.Kind == draw.Rect && s.StyleOf(sh).Stroke == draw.Themes()[0].Bad {
			for key, c := range at {
				if c.X == sh.X && c.Y == sh.Y {
					framed[key] = true
				}
			}
		}
	}
	if len(framed) != 3 || !framed["b4"] || !framed["a4"] || !framed["r4"] {
		t.Errorf("framed are %v, want b4, a4, r4", framed)
	}
}

// The elements of the first tile have the colors of the first column of the zipped divide in every arrangement, and
// every element of A appears once in the result, padding excluded.
func TestDivideColors(t *testing.T) {
	t.Parallel()
	for _, c := range divides {
		a, tiler := cute.MustParse(c.a), cute.MustParseTiler(c.tiler)
		if a.Size() > 1024 || a.HasBasis() {
			continue
		}
		s, err := view.Divide(c.op, a, tiler, view.Options{})
		if err != nil {
			t.Fatal(err)
		}
		count := map[shownCell]int{}
		if strings.Contains(s.Desc, "too long for one grid") {
			checkTileAndRest(t, c, a, s)
			continue
		}
		bare := strings.Contains(s.Desc, "Cells are labelled in grids")
		for key, p := range paintedCells(s) {
			if bare {
				p.text = ""
			}
			switch key[0] {
			case 'a':
				count[p]++
			case 'r':
				if p.fill != draw.Themes()[0].Empty {
					count[p]--
				}
			}
		}
		for p, n := range count {
			if n != 0 {
				t.Errorf("%s(%s, %s): %v is %d times more often in A than in the result", c.op, c.a, c.tiler, p, n)
			}
		}
	}
}

// If the tile and the rest are drawn separately, the sums of their values are A's values.
func checkTileAndRest(t *testing.T, c tileCase, a cute.Layout, s *draw.Scene) {
	t.Helper()
	count := map[int64]int{}
	for i := range a.Size() {
		x, _ := a.At(i)
		count[x]++
	}
	at := paintedCells(s)
	for k1, x := range at {
		for k2, y := range at {
			if k1[0] == 't' && k2[0] == 'q' {
				u, err1 := strconv.ParseInt(x.text, 10, 64)
				v, err2 := strconv.ParseInt(y.text, 10, 64)
				if err1 != nil || err2 != nil {
					return // without labels
				}
				count[u+v]--
			}
		}
	}
	for x, n := range count {
		if n != 0 {
			t.Errorf("%s(%s, %s): %d is %d times more often in A than in tile and rest", c.op, c.a, c.tiler, x, n)
		}
	}
}

// In the result, each copy is the block shifted by one number, so cells of one hue differ as the block does. The
// block has the colors of the first copy.
func TestProductCopies(t *testing.T) {
	t.Parallel()
	theme := draw.Themes()[0]
	for _, c := range products {
		a := cute.MustParse(c.a)
		s, err := view.Product(c.op, a, cute.MustParseTiler(c.tiler), view.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(s.Desc, "too long for one grid") {
			continue
		}
		at := paintedCells(s)
		place := map[draw.Color][2]int64{} // a color identifies an element of a copy; copies repeat modulo 8
		for q := range int64(8) {
			for p := range a.Size() {
				place[theme.Shade(q, p, a.Size())] = [2]int64{q, p}
			}
		}
		shifts := map[int64]map[int64]bool{}
		cells := int64(0)
		for key, x := range at {
			if key[0] != 'r' {
				continue
			}
			cells++
			qp, ok := place[x.fill]
			v, err := strconv.ParseInt(x.text, 10, 64)
			if !ok || err != nil {
				t.Fatalf("%s: cell %s is %v", c.op, key, x)
			}
			base, _ := a.At(qp[1])
			if shifts[qp[0]] == nil {
				shifts[qp[0]] = map[int64]bool{}
			}
			shifts[qp[0]][v-base] = true
		}
		copies := cells / a.Size()
		for q, set := range shifts {
			want := (copies - q + 7) / 8
			if c.tiler == "2:0" {
				want = 1
			}
			if int64(len(set)) != want {
				t.Errorf("%s(%s, %s): the copies of hue %d lie at %d places, want %d", c.op, c.a, c.tiler, q, len(set), want)
			}
		}
	}
}

// The copies cover the line: every number is used, and none is marked as used twice.
func TestComplementCovers(t *testing.T) {
	t.Parallel()
	s, err := view.Complement(cute.MustParse("(2,2):(1,6)"), cute.Int(60), view.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(s.Desc, "covers 0 to 59, each integer once") || !strings.Contains(s.Desc, "3:2") ||
		!strings.Contains(s.Desc, "5:12") {
		t.Errorf("the caption is %q", s.Desc)
	}
	group, gaps := "", map[string]int{}
	for _, sh := range s.Shapes() {
		if sh.Kind == draw.Begin {
			group = sh.Key
		}
		if sh.Kind == draw.Rect && strings.HasPrefix(sh.Key, "n") && s.StyleOf(sh).Fill == draw.Themes()[0].Empty {
			gaps[group]++
		}
	}
	if gaps["image"] != 56 || gaps["cover"] != 0 {
		t.Errorf("%v numbers are empty, want 56 beside the image and none after all", gaps)
	}
}

// The exchanged lines are the inverse: the value v is above R(v).
func TestInverseLines(t *testing.T) {
	t.Parallel()
	s, err := view.Inverse("right_inverse", cute.MustParse("(2,3):(3,1)"), view.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string][]string{}
	group := ""
	for _, sh := range s.Shapes() {
		switch {
		case sh.Kind == draw.Begin:
			group = sh.Key
		case sh.Kind == draw.End:
			group = ""
		case sh.Kind == draw.Text && group != "":
			lines[group] = append(lines[group], sh.Text)
		}
	}
	for key, want := range map[string]string{ // coordinate and value alternate
		"given": "0 0 1 3 2 1 3 4 4 2 5 5", "sorted": "0 0 2 1 4 2 1 3 3 4 5 5",
	} {
		if got := strings.Join(lines[key][2:], " "); got != want {
			t.Errorf("the lines %s are %s, want %s", key, got, want)
		}
	}
	if len(lines["exchanged"]) != 14 {
		t.Errorf("exchanged: %v", lines["exchanged"])
	}
}

// Errors name what was expected.
func TestOpsRefuse(t *testing.T) {
	t.Parallel()
	l := cute.MustParse("(4,4):(4,1)")
	for name, c := range map[string]struct {
		err  error
		code cute.Code
	}{
		"divide":        {second(view.Divide("half", l, cute.Ints(2), view.Options{})), cute.CodeName},
		"divide rank":   {second(view.Divide("zipped_divide", l, cute.Ints(2, 2, 2), view.Options{})), cute.CodeRank},
		"product":       {second(view.Product("twice", l, cute.Ints(2), view.Options{})), cute.CodeName},
		"product tiler": {second(view.Product("raked_product", l, cute.Ints(2), view.Options{})), cute.CodeType},
		"inverse":       {second(view.Inverse("outverse", l, view.Options{})), cute.CodeName},
		"inverse basis": {
			second(view.Inverse("inverse", cute.MustParse("(4,4):(1@0,1@1)"), view.Options{})), cute.CodeCodomain,
		},
		"complement": {second(view.Complement(l, cute.Int(1<<40), view.Options{})), cute.CodeLimit},
		"complement reach": {
			second(view.Complement(cute.MustParse("2:9223372036854775807"), cute.Int(1), view.Options{})), cute.CodeLimit,
		},
		"complement both": {
			second(view.Complement(cute.MustParse("2:4611686018427387904"), cute.Int(1<<63-1), view.Options{})),
			cute.CodeLimit,
		},
		"complement none": {second(view.Complement(l, cute.Int(0), view.Options{})), cute.CodeExtent},
		"slice":           {second(view.Slice(l, parsedCoord("(_,9)"), view.Options{})), cute.CodeExtent},
	} {
		e, ok := errors.AsType[*cute.Error](c.err)
		if !ok || e.Code != c.code {
			t.Errorf("%s: %v, want %s", name, c.err, c.code)
		}
	}
}

func second(_ *draw.Scene, err error) error { return err }
