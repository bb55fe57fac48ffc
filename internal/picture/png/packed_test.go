package png

import (
	"os"
	"testing"
	"unicode"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// The packed outlines are the outlines of the fonts.
func TestPackedGlyphs(t *testing.T) {
	t.Parallel()
	for i, name := range []string{"font/DejaVuSansMono.ttf", "font/DejaVuSansMono-Bold.ttf"} {
		ttf, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		font, err := sfnt.Parse(ttf)
		if err != nil {
			t.Fatal(err)
		}
		f := faces()[i]
		if f.em != int(font.UnitsPerEm()) {
			t.Errorf("%s: the size is %d units, want %d", name, f.em, font.UnitsPerEm())
		}
		var buf sfnt.Buffer
		for r := missing; r <= unicode.MaxRune; r++ {
			index, _ := font.GlyphIndex(&buf, r)
			got, ok := f.glyphs[r]
			if want := index != 0 || r == missing; ok != want {
				t.Errorf("%s: character %U is there: %v, want %v", name, r, ok, want)
			}
			if ok {
				checkOutline(t, got, font, index)
			}
		}
	}
}

func checkOutline(t *testing.T, got []segment, font *sfnt.Font, index sfnt.GlyphIndex) {
	t.Helper()
	want, err := font.LoadGlyph(&sfnt.Buffer{}, index, fixed.I(int(font.UnitsPerEm())), nil)
	if err != nil || len(got) != len(want) {
		t.Fatalf("glyph %d has %d segments, want %d, %v", index, len(got), len(want), err)
	}
	ops := map[sfnt.SegmentOp]uint8{
		sfnt.SegmentOpLineTo: lineTo, sfnt.SegmentOpQuadTo: quadTo, sfnt.SegmentOpMoveTo: moveTo,
	}
	for i, s := range want {
		if got[i].op != ops[s.Op] {
			t.Errorf("glyph %d: operation %d of segment %d, want %d", index, got[i].op, i, ops[s.Op])
		}
		for j := range got[i].points() {
			p := fixed.P(int(got[i].at[0][j]), int(got[i].at[1][j]))
			if p != s.Args[j] {
				t.Errorf("glyph %d: point %d of segment %d is %v, want %v", index, j, i, p, s.Args[j])
			}
		}
	}
}
