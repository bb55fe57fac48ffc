package view_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/internal/picture/draw"
	"girih/internal/picture/view"
	"girih/linear"
)

// A sceneCase is a picture for the rules that apply to all pictures.
type sceneCase struct {
	name string
	make func(o view.Options) (*draw.Scene, error)
}

func layoutCase(text string) sceneCase {
	return sceneCase{text, func(o view.Options) (*draw.Scene, error) { return view.Layout(cute.MustParse(text), o) }}
}

func tvCase(text, tile string) sceneCase {
	return sceneCase{text + " on " + tile, func(o view.Options) (*draw.Scene, error) {
		return view.TV(cute.MustParse(text), cute.MustParseTuple(tile), o)
	}}
}

func mmaCase(name string) sceneCase {
	return sceneCase{name, func(o view.Options) (*draw.Scene, error) {
		m, err := atom.FindMMA(name)
		if err != nil {
			return nil, err
		}
		return view.MMA(m, o)
	}}
}

// blocked is 16 by 16 elements: 8 x 4 lanes of 2 warps hold 2 adjacent elements each.
func blocked(t testing.TB) linear.Layout {
	t.Helper()
	l, err := linear.New([]linear.In{
		{Name: "register", Bases: [][]int64{{0, 1}, {0, 8}}},
		{Name: "lane", Bases: [][]int64{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}},
		{Name: "warp", Bases: [][]int64{{8, 0}}},
	}, []linear.Dim{{Name: "dim0", Size: 16}, {Name: "dim1", Size: 16}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// tiled returns a TiledMMA of four warps.
func tiled(t testing.TB) atom.TiledMMA {
	t.Helper()
	m, err := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	if err != nil {
		t.Fatal(err)
	}
	x, err := atom.MakeTiledMMA(m, cute.MustParse("(2,2,1)"), cute.MustParseTiler("<32,32,16>"))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func sceneCases(t testing.TB) []sceneCase {
	cases := []sceneCase{
		layoutCase("8:1"), layoutCase("100:3"), layoutCase("():()"), layoutCase("(3000):(2)"), layoutCase("1:0"), layoutCase("((2,4),8):((1,16),2)"),
		layoutCase("(4,(2,2)):(1,(8,4))"), layoutCase("((2,2),(2,(2,2))):((1,8),(2,(4,16)))"), layoutCase("(4,6,5):(1,4,24)"),
		layoutCase("(3,4,2,2):(1,3,12,24)"), layoutCase("(2,2,2,2,2,2,2):(1,2,4,8,16,32,64)"), layoutCase("(4,4):(2,3)"),
		layoutCase("(4,4):(0,-3)"),
		layoutCase("(4,5):(1@0,1@1)"), layoutCase("(128,128):(128,1)"), layoutCase("(128,128):(1,130)"), layoutCase("(100,100):(3,500)"),
		layoutCase("(512,512):(512,1)"), layoutCase("(1048576,1048576):(1048576,1)"),
		layoutCase("(4,4):(1000000,100000000000)"), layoutCase("(2,2,100):(1,2,4)"),
		tvCase("((4,8),(2,2)):((32,1),(16,8))", "(16,8)"), tvCase("((4,8),(2,2)):((32,1),(16,8))", "(128)"),
		tvCase("(32,4):(4,1)", "(128)"),
		tvCase("(4,4):(0,1)", "(2,2)"), tvCase("(4,4):(4,1)", "(5,2)"), tvCase("(4,8):(1,4)", "(4,4,2)"),
		tvCase("((16,8),(8,16)):((1024,1),(128,8))", "(128,128)"),
		tvCase("((8,8),(4,4)):((4,128),(1,32))", "(32,32)"), tvCase("((16,16),(8,8)):((8,1024),(1,128))", "(128,128)"),
		tvCase("((4,4),(2,2)):((1@0,1@1),(4@0,4@1))", "(8,8)"),
		mmaCase("SM80_16x8x16_F32F16F16F32_TN"), mmaCase("SM70_8x8x4_F32F16F16F32_NT"), mmaCase("SM90_64x64x16_F32F16F16_SS"),
		mmaCase("SM90_64x256x16_F32F16F16_SS"),
	}
	x := tiled(t)
	c, err := atom.FindCopyAtom("SM75_U32x4_LDSM_N", "f16")
	if err != nil {
		t.Fatal(err)
	}
	tc, err := atom.MakeTiledCopyA(c, x)
	if err != nil {
		t.Fatal(err)
	}
	return append(cases,
		sceneCase{"hardware", func(o view.Options) (*draw.Scene, error) {
			return view.Hardware(cute.MustParse("((4,8),(2,2)):((32,1),(16,8))"), cute.Ints(16, 8), o)
		}},
		sceneCase{"dual", func(o view.Options) (*draw.Scene, error) {
			return view.Dual(cute.MustParse("((4,8),(2,2)):((32,1),(16,8))"), cute.Ints(16, 8), o)
		}},
		sceneCase{"tiled mma", func(o view.Options) (*draw.Scene, error) { return view.TiledMMA(x, o) }},
		sceneCase{"tiled copy", func(o view.Options) (*draw.Scene, error) { return view.TiledCopy(tc, o) }},
		sceneCase{"copy atom", func(o view.Options) (*draw.Scene, error) { return view.CopyAtom(c, o) }},
		sceneCase{"blocked", func(o view.Options) (*draw.Scene, error) { return view.Linear(blocked(t), o) }},
		sceneCase{"tile", func(o view.Options) (*draw.Scene, error) {
			return view.Tile(cute.MustParseTiler("<2:2,(2,2):(1,4)>"), o)
		}},
		sceneCase{"timeline", func(o view.Options) (*draw.Scene, error) { return pipeline().Scene(o) }},
		sceneCase{"numbers", func(o view.Options) (*draw.Scene, error) { return view.Numbers("some", []int64{3, 70, 5, 3}, o) }},
	)
}

// In every picture, texts do not overlap and are inside of the picture, texts of cells are inside of their cells,
// groups are closed, and the same call gives the same bytes.
func TestSceneRules(t *testing.T) {
	t.Parallel()
	for _, c := range sceneCases(t) {
		for _, o := range []view.Options{
			{}, {Theme: draw.Themes()[1], Labels: view.LabelsNested}, {Theme: draw.Themes()[2], Labels: view.LabelsIndex},
		} {
			s, err := c.make(o)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			checkScene(t, fmt.Sprintf("%s, %s", c.name, themeName(o)), s)
			again, _ := c.make(o)
			if !reflect.DeepEqual(s, again) {
				t.Errorf("%s: two calls give different pictures", c.name)
			}
		}
	}
}

func themeName(o view.Options) string {
	if o.Theme == nil {
		return "default"
	}
	return o.Theme.Name
}

// A box is the area of a shape.
type box struct{ x1, y1, x2, y2 float64 }

func (a box) meets(b box) bool {
	const e = 0.01
	return a.x1 < b.x2-e && b.x1 < a.x2-e && a.y1 < b.y2-e && b.y1 < a.y2-e
}

func (a box) holds(b box) bool {
	const e = 0.01
	return a.x1 <= b.x1+e && a.y1 <= b.y1+e && b.x2 <= a.x2+e && b.y2 <= a.y2+e
}

// textBox returns the area of a text; it is as high as capitals and digits.
func textBox(s *draw.Scene, sh draw.Shape) box {
	st := s.StyleOf(sh)
	w, h := draw.TextWidth(sh.Text, st.Size), st.Size*0.75
	at := map[draw.Anchor]float64{draw.Start: 0, draw.Middle: 0.5, draw.Finish: 1}[st.Anchor]
	if st.Up {
		return box{sh.X - h/2, sh.Y - w*(1-at), sh.X + h/2, sh.Y + w*at}
	}
	return box{sh.X - w*at, sh.Y - h/2, sh.X + w*(1-at), sh.Y + h/2}
}

func checkScene(t *testing.T, name string, s *draw.Scene) {
	t.Helper()
	if s.W <= 0 || s.H <= 0 || math.IsNaN(s.W+s.H) || s.Title == "" {
		t.Errorf("%s: a picture of %g by %g with the title %q", name, s.W, s.H, s.Title)
	}
	var textBoxes []box
	var words []string
	open := 0
	shapes := s.Shapes()
	for i, sh := range shapes {
		switch sh.Kind {
		case draw.Begin:
			open++
		case draw.End:
			open--
		case draw.Text:
			b := textBox(s, sh)
			textBoxes, words = append(textBoxes, b), append(words, sh.Text)
			if !(box{0, 0, s.W, s.H}).holds(b) {
				t.Errorf("%s: the text %q at %v is outside of the picture, %g by %g", name, sh.Text, b, s.W, s.H)
			}
		case draw.Rect:
			if sh.Key == "" || i+1 == len(shapes) {
				continue
			}
			cell := box{sh.X, sh.Y, sh.X + sh.W, sh.Y + sh.H}
			for _, next := range shapes[i+1 : min(i+4, len(shapes))] {
				if next.Kind == draw.Rect && next.Key != "" {
					break
				}
				if next.Kind == draw.Text && !cell.holds(textBox(s, next)) && cell.meets(textBox(s, next)) {
					t.Errorf("%s: the text %q leaves its cell %v", name, next.Text, cell)
				}
			}
		}
	}
	if open != 0 {
		t.Errorf("%s: %d groups are open", name, open)
	}
	order := make([]int, len(textBoxes))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(a, b int) bool { return textBoxes[order[a]].y1 < textBoxes[order[b]].y1 })
	said := 0
	for k, i := range order {
		for _, j := range order[k+1:] {
			if textBoxes[j].y1 >= textBoxes[i].y2 {
				break
			}
			if textBoxes[i].meets(textBoxes[j]) && said < 5 {
				said++
				t.Errorf("%s: the texts %q and %q overlap", name, words[i], words[j])
			}
		}
	}
}

// keyedCells returns the cells of a scene by key, in painting order.
func keyedCells(s *draw.Scene) (keys []string, at map[string]draw.Shape) {
	at = map[string]draw.Shape{}
	for _, sh := range s.Shapes() {
		if sh.Kind == draw.Rect && sh.Key != "" {
			keys = append(keys, sh.Key)
			at[sh.Key] = sh
		}
	}
	return keys, at
}

// ranks returns for each value its index among the distinct values.
func ranks(xs []float64) map[float64]int {
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	out := map[float64]int{}
	for i, x := range slices.Compact(sorted) {
		out[x] = i
	}
	return out
}
