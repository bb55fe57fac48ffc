package view

import (
	"reflect"
	"testing"

	"girih/banks"
	"girih/cute"
	"girih/internal/picture/draw"
	"girih/linear"
)

// A picture is a call whose scene the tests check.
type picture struct {
	name string
	draw func(Options) (*draw.Scene, error)
}

// composedOf returns a swizzled layout.
func composedOf(t testing.TB, b, m, s int, layout string) cute.Composed {
	t.Helper()
	w, err := cute.NewSwizzle(b, m, s)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cute.NewComposed(w, cute.Int(0), cute.MustParse(layout))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// planOf returns accesses to a memory on a machine.
func planOf(t testing.TB, machine, access string, mem banks.Memory, bits int, threads banks.Threads) BankCase {
	t.Helper()
	target, err := banks.ParseTarget(machine)
	if err != nil {
		t.Fatal(err)
	}
	a, err := banks.ParseAccess(access, bits)
	if err != nil {
		t.Fatal(err)
	}
	rule, err := target.Rule(a)
	if err != nil {
		t.Fatal(err)
	}
	p, err := banks.NewPlan(rule, mem, bits, threads)
	if err != nil {
		t.Fatal(err)
	}
	return BankCase{Name: mem.String(), Plan: p}
}

// fragment is the accumulator of m16n8 MMAs of four warps; two warps hold the same elements.
func fragment(t testing.TB) linear.Layout {
	t.Helper()
	l, err := linear.New([]linear.In{
		{Name: "register", Bases: [][]int64{{0, 1}, {8, 0}}},
		{Name: "lane", Bases: [][]int64{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}},
		{Name: "warp", Bases: [][]int64{{16, 0}, {0, 0}}},
		{Name: "block"},
	}, []linear.Dim{{Name: "dim0", Size: 32}, {Name: "dim1", Size: 8}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// pictures returns pictures of every kind and size.
func pictures(t testing.TB) []picture {
	l := func(f func(cute.Layout, Options) (*draw.Scene, error), text string) func(Options) (*draw.Scene, error) {
		return func(o Options) (*draw.Scene, error) { return f(cute.MustParse(text), o) }
	}
	tile := cute.MustParse("(128,8):(1,128)")
	store := planOf(t, "sm90", "st.32", tile, 32, banks.Partition(cute.MustParse("(32,8):(8,1)")))
	half := cute.MustParse("(8,64):(64,1)")
	rows := planOf(t, "sm90", "ldmatrix.x4", half, 16, banks.Rows())
	amd := planOf(t, "gfx950", "ds_read_b128", cute.MustParse("(64,8):(8,1)"), 16, banks.Rows())
	narrow := planOf(t, "sm90", "ld.16", half, 16, banks.Threads{})
	shifted, err := fragment(t).WithOrigin(3, 1)
	if err != nil {
		t.Fatal(err)
	}
	var out []picture
	add := func(name string, f func(Options) (*draw.Scene, error)) { out = append(out, picture{name, f}) }
	add("matrix", func(o Options) (*draw.Scene, error) { return Matrix(fragment(t), o), nil })
	add("matrix origin", func(o Options) (*draw.Scene, error) { return Matrix(shifted, o), nil })
	add("matrix empty", func(o Options) (*draw.Scene, error) { return Matrix(linear.Empty(), o), nil })
	add("wiring linear", func(o Options) (*draw.Scene, error) { return WiringLinear(shifted, o), nil })
	add("wiring linear empty", func(o Options) (*draw.Scene, error) { return WiringLinear(linear.Empty(), o), nil })
	for _, s := range []string{
		"():()", "1:0", "7:3", "(4,8):(8,1)", "((2,4),(4,8)):((1,16),(2,64))", "((3,4),5):((1,20),4)", "(4,6):(1,2)", "(8,8,2):(1,4,0)",
		"((4,8),2):((2@1,1@0),8@0)", "((32,64),(1024,4096),(3,5)):((1,65536),(64,1048576),(0,-7))", "(1099511627776,1048576):(1048576,1)",
		"(2,2):(4611686018427387904,1)", "(2,2):(-4611686018427387904,3)", "2:9223372036854775807", "(2,3):(-9223372036854775807,0)",
	} {
		add("wiring "+s, l(Wiring, s))
	}
	add("wiring swizzle", func(o Options) (*draw.Scene, error) {
		return WiringComposed(composedOf(t, 3, 3, 3, "(8,64):(64,1)"), o)
	})
	add("wiring far swizzle", func(o Options) (*draw.Scene, error) {
		return WiringComposed(composedOf(t, 2, 3, -5, "(8,4):(4,1)"), o)
	})
	add("swizzle", func(o Options) (*draw.Scene, error) { return Swizzle(composedOf(t, 3, 3, 3, "(8,64):(64,1)"), 16, o) })
	add("swizzle no width", func(o Options) (*draw.Scene, error) {
		return Swizzle(composedOf(t, 3, 0, 3, "(8,8):(8,1)"), 0, o)
	})
	add("swizzle rank 1", func(o Options) (*draw.Scene, error) { return Swizzle(composedOf(t, 1, 0, 1, "8:1"), 0, o) })
	add("swizzle large", func(o Options) (*draw.Scene, error) {
		return Swizzle(composedOf(t, 3, 2, 5, "(256,256):(256,1)"), 32, o)
	})
	add("swizzle up", func(o Options) (*draw.Scene, error) {
		return Swizzle(composedOf(t, 2, 1, -3, "(4,(4,8)):(1,(4,16))"), 64, o)
	})
	add("bank", func(o Options) (*draw.Scene, error) { return Bank(store, o) })
	add("bank ldmatrix", func(o Options) (*draw.Scene, error) { return Bank(rows, o) })
	add("bank 64", func(o Options) (*draw.Scene, error) { return Bank(amd, o) })
	add("bank 16 bits", func(o Options) (*draw.Scene, error) { return Bank(narrow, o) })
	add("banks", func(o Options) (*draw.Scene, error) { return Banks([]BankCase{store, rows, amd, narrow}, o) })
	add("tile", func(o Options) (*draw.Scene, error) { return BankTile(tile, store, o) })
	add("tile ldmatrix", func(o Options) (*draw.Scene, error) { return BankTile(half, rows, o) })
	add("tile 16 bits", func(o Options) (*draw.Scene, error) { return BankTile(half, narrow, o) })
	for _, s := range []string{"2305843009213693952:1", "(2305843009213693952,(2,1)):(1,(0,0))", "(1024,(1024,1024)):(1,(0,0))"} {
		add("outline "+s, func(o Options) (*draw.Scene, error) { return Layout(cute.MustParse(s), o) })
	}
	return out
}

// TestPicturesInside checks that no shape and no text is outside of its picture, that the same call draws the same,
// and that every theme works.
func TestPicturesInside(t *testing.T) {
	t.Parallel()
	for _, p := range pictures(t) {
		s, err := p.draw(Options{})
		if err != nil {
			t.Errorf("%s: %v", p.name, err)
			continue
		}
		for _, sh := range s.Shapes() {
			if b := bounds(s, sh); b[0] < 0 || b[1] < 0 || b[2] > s.W || b[3] > s.H {
				t.Errorf("%s: expected all of %+v inside of %v by %v, found %v", p.name, sh, s.W, s.H, b)
				break
			}
		}
		again, err := p.draw(Options{})
		if err != nil || !reflect.DeepEqual(s.Shapes(), again.Shapes()) || !reflect.DeepEqual(s.Styles(), again.Styles()) {
			t.Errorf("%s: expected the same picture twice, found another one", p.name)
		}
		for _, theme := range draw.Themes()[1:] {
			if other, err := p.draw(Options{Theme: theme}); err != nil || other.Background != theme.Paper {
				t.Errorf("%s: expected a picture in the theme %s, found %v", p.name, theme.Name, err)
			}
		}
	}
}

// bounds returns the left, upper, right and lower ends of a shape; for a path, of its steps' end points.
func bounds(s *draw.Scene, sh draw.Shape) [4]float64 {
	switch st := s.StyleOf(sh); sh.Kind {
	case draw.Text:
		w := draw.TextWidth(sh.Text, st.Size)
		from := map[draw.Anchor]float64{draw.Start: 0, draw.Middle: -w / 2, draw.Finish: -w}[st.Anchor]
		if st.Up {
			return [4]float64{sh.X - st.Size/2, sh.Y - from - w, sh.X + st.Size/2, sh.Y - from}
		}
		return [4]float64{sh.X + from, sh.Y - st.Size/2, sh.X + from + w, sh.Y + st.Size/2}
	case draw.Path:
		b := [4]float64{s.W, s.H, 0, 0}
		for _, q := range sh.Steps {
			if q.Verb != draw.Close {
				b = [4]float64{min(b[0], q.X), min(b[1], q.Y), max(b[2], q.X), max(b[3], q.Y)}
			}
		}
		return b
	case draw.Begin, draw.End:
		return [4]float64{}
	}
	return [4]float64{min(sh.X, sh.X+sh.W), min(sh.Y, sh.Y+sh.H), max(sh.X, sh.X+sh.W), max(sh.Y, sh.Y+sh.H)}
}

func BenchmarkPictures(b *testing.B) {
	for _, p := range pictures(b) {
		b.Run(p.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := p.draw(Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
