package tile_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/tile"
	"girih/symbolic"
)

// TestAlignmentIsCertain draws layouts, coordinates and values of symbols. An address must be a multiple of its certain
// alignment, and the vectors of a view must be contiguous, aligned and whole; if everything is known, the address must
// not have a larger alignment.
func TestAlignmentIsCertain(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	sm100 := target(t, "sm100")
	wide, across := 0, 0
	for range 4000 {
		v, at, known := drawView(t, r)
		typ := []dtype.Type{dtype.F16, dtype.F32, dtype.U8, dtype.E2M1}[r.IntN(4)]
		p := tile.Pointer{Type: typ, Space: tile.Global, Align: 4 << r.IntN(4)}
		a, err := tile.NewAlignment(p, v)
		if err != nil {
			t.Fatalf("%v at %v: %v", v.Layout, v.At, err)
		}
		bits := int64(typ.Bits())
		offset, err := a.Offset().At(at)
		if err != nil {
			t.Fatal(err)
		}
		address := p.Align*8 + offset*bits
		name := fmt.Sprintf("%v, %v + %v of %v", p, v.Layout, v.Offset, v.At)
		if address%a.Bits() != 0 {
			t.Fatalf("%s: address %d is no multiple of %d bits", name, address, a.Bits())
		}
		if known && (offset*bits)%(2*a.Bits()) == 0 && p.Align*8%(2*a.Bits()) == 0 {
			t.Fatalf("%s: %d bits are certain, and twice that", name, a.Bits())
		}
		rest, err := a.Layout().At(at)
		if err != nil {
			t.Fatal(err)
		}
		vector := a.Vector(sm100)
		if vector > bits {
			wide++
		}
		wholeVectors(t, name, vectorCase{rest, offset, p.Align * 8, bits, vector})
		if wider, block := a.Across(sm100); wider > 0 {
			across++
			if wider <= vector {
				t.Fatalf("%s: %s, but %d bits are no wider than %d", name, block, wider, vector)
			}
			wholeVectors(t, name, vectorCase{rest, offset, p.Align * 8, bits, wider})
		}
	}
	if across < 20 {
		t.Errorf("only %d views have wider vectors across modes", across)
	}
	if wide < 300 {
		t.Errorf("only %d views have vectors", wide)
	}
}

type vectorCase struct {
	rest                       cute.Layout
	offset, base, bits, vector int64
}

// wholeVectors checks that the elements of a view are whole vectors.
func wholeVectors(t *testing.T, name string, c vectorCase) {
	t.Helper()
	offsets, err := c.rest.AppendOffsets(nil)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(offsets)
	offsets = slices.Compact(offsets)
	n := c.vector / c.bits
	if int64(len(offsets))%n != 0 {
		t.Fatalf("%s: %d elements are no vectors of %d", name, len(offsets), n)
	}
	for i := int64(0); i < int64(len(offsets)); i += n {
		if (c.base+(c.offset+offsets[i])*c.bits)%c.vector != 0 {
			t.Fatalf("%s: the vector of %d bits at %d is not aligned", name, c.vector, offsets[i])
		}
		for j := range n {
			if offsets[i+j] != offsets[i]+j {
				t.Fatalf("%s: the vector of %d elements at %d has %d", name, n, offsets[i], offsets[i+j])
			}
		}
	}
}

// drawView draws a layout of two or three modes, one of them of stride 1, with symbols among strides, extents and
// coordinates, and their values; known says that there are no symbols.
func drawView(t *testing.T, r *rand.Rand) (tile.View, symbolic.Values, bool) {
	t.Helper()
	var scope symbolic.Scope
	at := symbolic.Values{}
	integer := func(name string, x, div int64) symbolic.Tuple {
		if r.IntN(3) > 0 {
			return symbolic.Number(symbolic.Const(x))
		}
		s, err := scope.Named(name, symbolic.Facts{Div: div, Min: 0, Max: 1 << 40})
		if err != nil {
			t.Fatal(err)
		}
		at[s] = x
		return symbolic.Number(symbolic.Of(s))
	}
	n := 2 + r.IntN(2)
	var shape, stride, coord, shift []symbolic.Tuple
	one := r.IntN(n)
	pitch := int64(1)
	for k := range n {
		extent := int64(1+r.IntN(4)) << r.IntN(4)
		div := extent & -extent
		if k == one && k > 0 {
			pitch = 32
		}
		step := pitch << r.IntN(4) * int64(1+r.IntN(3))
		e, d := integer("n"+fmt.Sprint(k), extent, div), integer("s"+fmt.Sprint(k), step, step&-step)
		if k == one {
			d = symbolic.Number(symbolic.Const(1))
			pitch = 32
		} else {
			pitch = 64 * step
		}
		if v, fixed := d.Int(); fixed && k != one && r.IntN(4) == 0 {
			if x, number := v.Int64(); number { // backwards
				d = symbolic.Number(symbolic.Const(-x))
			}
		}
		shape, stride = append(shape, e), append(stride, d)
		c := int64(r.IntN(int(extent)))
		if r.IntN(3) > 0 || k == one {
			coord = append(coord, symbolic.Open())
		} else {
			coord = append(coord, integer("c"+fmt.Sprint(k), c, max(c&-c, 1)))
		}
		shift = append(shift, integer("o"+fmt.Sprint(k), c, max(c&-c, 1)))
	}
	l, err := symbolic.New(symbolic.Nest(shape...), symbolic.Nest(stride...))
	if err != nil {
		t.Fatal(err)
	}
	v := tile.View{Layout: l, At: symbolic.Nest(coord...)}
	if r.IntN(3) == 0 {
		v.Offset = symbolic.Nest(shift...)
	}
	return v, at, len(at) == 0
}

// TestAlignmentKnown checks alignments that were computed by hand.
func TestAlignmentKnown(t *testing.T) {
	t.Parallel()
	sm90, sm100 := target(t, "sm90"), target(t, "sm100")
	for _, x := range []struct {
		layout, at string
		typ        dtype.Type
		align      int64
		want       string
		v90, v100  int64
	}{
		{"(128,64):(64,1)", "(3,_)", dtype.F16, 16, "ptr<f16, gmem, align<16>>", 128, 128},
		{"(128,64):(64,1)", "(3,_)", dtype.F16, 32, "ptr<f16, gmem, align<32>>", 128, 256},
		{"(128,12):(12,1)", "(1,_)", dtype.F16, 16, "ptr<f16, gmem, align<8>>", 64, 64},
		{"(128,12):(12,1)", "(2,_)", dtype.F16, 16, "ptr<f16, gmem, align<16>>", 64, 64},
		{"(128,77):(77,1)", "(_,_)", dtype.F16, 16, "ptr<f16, gmem, align<16>>", 16, 16},
		{"(128,64):(1,128)", "(_,5)", dtype.F32, 16, "ptr<f32, gmem, align<16>>", 128, 128},
		{"(128,64):(1,128)", "(5,_)", dtype.F32, 16, "ptr<f32, gmem, align<4>>", 32, 32},
		{"(128,64):(64,1)", "", dtype.E2M1, 32, "ptr<e2m1, gmem, align<32>>", 128, 256},
	} {
		l := symbolic.FromLayout(cute.MustParse(x.layout))
		v := tile.View{Layout: l}
		if x.at != "" {
			v.At = coordinate(x.at)
		}
		a, err := tile.NewAlignment(tile.Pointer{Type: x.typ, Space: tile.Global, Align: x.align}, v)
		if err != nil {
			t.Fatal(err)
		}
		if a.Pointer().String() != x.want || a.Vector(sm90) != x.v90 || a.Vector(sm100) != x.v100 {
			t.Errorf("%s at %s: %v, %d, %d", x.layout, x.at, a.Pointer(), a.Vector(sm90), a.Vector(sm100))
		}
	}
}

// coordinate makes a coordinate from digits and underscores.
func coordinate(text string) symbolic.Tuple {
	var list []symbolic.Tuple
	for _, c := range text {
		switch {
		case c == '_':
			list = append(list, symbolic.Open())
		case c >= '0' && c <= '9':
			list = append(list, symbolic.Number(symbolic.Const(int64(c-'0'))))
		}
	}
	return symbolic.Nest(list...)
}

// TestNeeds checks that declaring the needs gives the vector.
func TestNeeds(t *testing.T) {
	t.Parallel()
	sm90 := target(t, "sm90")
	view := func(div int64) tile.View {
		var scope symbolic.Scope
		ld, err := scope.Named("ld", symbolic.Facts{Div: div, Min: 1, Max: 1 << 40})
		if err != nil {
			t.Fatal(err)
		}
		stride := symbolic.Nest(symbolic.Number(symbolic.Of(ld)), symbolic.Number(symbolic.Const(1)))
		l, err := symbolic.New(symbolic.FromTuple(cute.Ints(128, 64)), stride)
		if err != nil {
			t.Fatal(err)
		}
		return tile.View{Layout: l}
	}
	p := tile.Pointer{Type: dtype.F16, Space: tile.Global, Align: 2}
	a, err := tile.NewAlignment(p, view(1))
	if err != nil || a.Vector(sm90) != 16 {
		t.Fatalf("%v, %v", a.Vector(sm90), err)
	}
	for bits := int64(32); bits <= 128; bits *= 2 {
		needs := a.Needs(bits)
		if len(needs) != 2 {
			t.Fatalf("%d bits: %+v", bits, needs)
		}
		q := p
		q.Align = needs[0].Multiple
		b, err := tile.NewAlignment(q, view(needs[1].Multiple))
		if err != nil || b.Vector(sm90) != bits || len(b.Needs(bits)) != 0 {
			t.Errorf("%d bits: %+v gives %d, %v", bits, needs, b.Vector(sm90), err)
		}
	}
}

// TestAlignmentRefusals causes each error, and checks its code.
func TestAlignmentRefusals(t *testing.T) {
	t.Parallel()
	l := symbolic.FromLayout(cute.MustParse("(8,4):(4,1)"))
	good := tile.Pointer{Type: dtype.F16, Space: tile.Global, Align: 16}
	for _, x := range []struct {
		p    tile.Pointer
		v    tile.View
		code cute.Code
	}{
		{tile.Pointer{Align: 16}, tile.View{Layout: l}, cute.CodeType},
		{tile.Pointer{Type: dtype.F16, Align: 12}, tile.View{Layout: l}, cute.CodeExtent},
		{tile.Pointer{Type: dtype.F32, Align: 2}, tile.View{Layout: l}, cute.CodeExtent},
		{good, tile.View{Layout: symbolic.FromLayout(cute.MustParse("(8,4):(1@0,1@1)"))}, cute.CodeCodomain},
		{good, tile.View{Layout: l, At: coordinate("1,2,3")}, cute.CodeRank},
	} {
		if _, err := tile.NewAlignment(x.p, x.v); !isCode(err, x.code) {
			t.Errorf("%v %v: expected %s, found %v", x.p, x.v.At, x.code, err)
		}
	}
}
