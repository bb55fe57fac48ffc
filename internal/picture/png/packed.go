package png

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"io"
)

// packedGlyphs has the outlines of font/*.ttf in gzip, so that a program needs no reader of fonts. It is a list of
// numbers in the encoding of [binary.AppendVarint]. For each font, regular and then bold, these are: the size of the
// font in its units; the number of characters; each character as its difference from the one before, beginning with
// [missing]; the operations of each outline, with a 0 after them; all X; and all Y. A coordinate is the difference
// from the point before it in the same outline.
//
//go:generate go run girih/internal/cmd/release glyphs .
//go:embed glyphs.gz
var packedGlyphs []byte

// missing has the box that is drawn for characters that a font lacks.
const missing rune = -1

// The operations of a segment.
const (
	lineTo = iota + 1
	quadTo // a control point and an end
	moveTo
)

// A segment is a piece of an outline: at has the X of its points, and then their Y, in units of the font. Y grows
// downwards.
type segment struct {
	op uint8
	at [2][2]int16
}

// points is the number of points of a segment.
func (s *segment) points() int {
	if s.op == quadTo {
		return 2
	}
	return 1
}

// unpackFaces reads packedGlyphs. A file that does not unpack would fail every test of this package.
func unpackFaces() [2]face {
	z, err := gzip.NewReader(bytes.NewReader(packedGlyphs))
	if err != nil {
		panic(err) // the file is in the binary
	}
	numbers, err := io.ReadAll(z)
	if err != nil {
		panic(err)
	}
	next := func() int {
		v, n := binary.Varint(numbers)
		numbers = numbers[n:]
		return int(v)
	}
	return [2]face{unpackFace(next), unpackFace(next)}
}

// unpackFace reads a font from the numbers that next returns.
func unpackFace(next func() int) face {
	f := face{em: next(), glyphs: map[rune][]segment{}}
	runes, last := make([]rune, next()), rune(0)
	for i := range runes {
		last += rune(next())
		runes[i] = last
	}
	for _, r := range runes {
		f.glyphs[r] = []segment{}
		for op := next(); op != 0; op = next() {
			f.glyphs[r] = append(f.glyphs[r], segment{op: uint8(op)})
		}
	}
	for axis := range 2 {
		for _, r := range runes {
			at := int16(0)
			for i := range f.glyphs[r] {
				s := &f.glyphs[r][i]
				for j := range s.points() {
					at += int16(next())
					s.at[axis][j] = at
				}
			}
		}
	}
	return f
}
