package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"unicode"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"girih/internal/door/web/deflate"
	"girih/internal/file"
)

// packGlyphs writes glyphs.gz, the outlines of the fonts font/*.ttf, to the folder of package png, which describes
// the format.
func packGlyphs(dir string) error {
	var all []byte
	for _, name := range []string{"DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"} {
		ttf, err := os.ReadFile(filepath.Join(dir, "font", name))
		if err != nil {
			return err
		}
		if all, err = appendFont(all, ttf); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return file.Replace(filepath.Join(dir, "glyphs.gz"), deflate.Gzip(all), 0o644)
}

// appendFont appends the outlines of all characters of a font. Glyph 0, the box for missing characters, counts as
// character -1.
func appendFont(to, ttf []byte) ([]byte, error) {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		return nil, err
	}
	var buf sfnt.Buffer
	var runes []byte
	var all outlines
	count, last := 0, rune(0)
	for r := rune(-1); r <= unicode.MaxRune; r++ {
		var index sfnt.GlyphIndex
		if r >= 0 {
			if index, err = f.GlyphIndex(&buf, r); err != nil {
				return nil, err
			}
			if index == 0 {
				continue
			}
		}
		segments, err := f.LoadGlyph(&buf, index, fixed.I(int(f.UnitsPerEm())), nil)
		if err == nil {
			err = all.add(segments)
		}
		if err != nil {
			return nil, fmt.Errorf("character %d: %w", r, err)
		}
		runes = binary.AppendVarint(runes, int64(r-last))
		count, last = count+1, r
	}
	to = binary.AppendVarint(to, int64(f.UnitsPerEm()))
	to = binary.AppendVarint(to, int64(count))
	return slices.Concat(to, runes, all.ops, all.xs, all.ys), nil
}

// outlines are the columns of the outlines of a font: similar numbers side by side compress better.
type outlines struct{ ops, xs, ys []byte }

// add appends an outline, and a 0 to the operations. Each coordinate is written as its difference from the point
// before it, in units of the font.
func (o *outlines) add(segments sfnt.Segments) error {
	var at fixed.Point26_6
	for _, s := range segments {
		op := slices.Index([]sfnt.SegmentOp{sfnt.SegmentOpLineTo, sfnt.SegmentOpQuadTo, sfnt.SegmentOpMoveTo}, s.Op) + 1
		if op == 0 {
			return fmt.Errorf("expected lines and quadratic curves, found operation %d", s.Op)
		}
		o.ops = binary.AppendVarint(o.ops, int64(op))
		points := 1
		if s.Op == sfnt.SegmentOpQuadTo {
			points = 2
		}
		for _, p := range s.Args[:points] {
			if p.X%64 != 0 || p.Y%64 != 0 {
				return fmt.Errorf("expected a point in whole units, found %v", p)
			}
			o.xs = binary.AppendVarint(o.xs, int64(p.X-at.X)/64)
			o.ys = binary.AppendVarint(o.ys, int64(p.Y-at.Y)/64)
			at = p
		}
	}
	o.ops = append(o.ops, 0)
	return nil
}
