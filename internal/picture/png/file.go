package png

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"
	"slices"

	"girih/internal/picture/draw"
)

// The color types of PNG.
const (
	truecolor      = 2
	indexed        = 3
	truecolorAlpha = 6
)

// A file writes the chunks of a PNG file.
type file struct {
	w     io.Writer
	level int // the level of compression
	err   error
}

// write writes a canvas as a PNG file, with a palette if it has at most 256 colors.
func write(w io.Writer, c *canvas, s *draw.Scene, scale float64) error {
	f := &file{w: w, level: zlib.BestSpeed}
	return f.picture(c, s, scale)
}

func (f *file) picture(c *canvas, s *draw.Scene, scale float64) error {
	f.write([]byte("\x89PNG\r\n\x1a\n"))
	colors, index := palette(c)
	kind := byte(indexed)
	if colors == nil {
		kind = truecolor
		if !opaque(c) {
			kind = truecolorAlpha
		}
	}
	header := binary.BigEndian.AppendUint32(nil, uint32(c.w))
	header = binary.BigEndian.AppendUint32(header, uint32(c.h))
	f.chunk("IHDR", append(header, 8, kind, 0, 0, 0))
	f.resolution(scale)
	f.text("Title", s.Title)
	f.text("Description", s.Desc)
	f.palette(colors)
	data := &idat{f: f}
	f.rows(bufio.NewWriterSize(data, 1<<16), c, kind, index)
	f.chunk("IEND", nil)
	return f.err
}

func (f *file) write(b []byte) {
	if f.err == nil {
		_, f.err = f.w.Write(b)
	}
}

func (f *file) chunk(name string, data []byte) {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	f.write(append(b, name...))
	f.write(data)
	sum := crc32.Update(crc32.ChecksumIEEE([]byte(name)), crc32.IEEETable, data)
	f.write(binary.BigEndian.AppendUint32(nil, sum))
}

// resolution writes the number of pixels per metre: 96 pixels per inch at scale 1, as in CSS.
func (f *file) resolution(scale float64) {
	dots := min(max(math.Round(96*scale/0.0254), 1), math.MaxInt32)
	b := binary.BigEndian.AppendUint32(nil, uint32(dots))
	b = binary.BigEndian.AppendUint32(b, uint32(dots))
	f.chunk("pHYs", append(b, 1))
}

// text writes a keyword and a text in UTF-8, unless the text is empty.
func (f *file) text(keyword, text string) {
	if text == "" {
		return
	}
	b := append([]byte(keyword), 0, 0, 0, 0, 0) // end, not compressed, no language, no translation
	f.chunk("iTXt", append(b, bytes.ToValidUTF8(bytes.ReplaceAll([]byte(text), []byte{0}, nil), []byte("\uFFFD"))...))
}

func (f *file) palette(colors []draw.Color) {
	if colors == nil {
		return
	}
	var rgb, alpha []byte
	for i, c := range colors {
		r, g, b, a := c.RGBA()
		rgb = append(rgb, r, g, b)
		if a != 255 {
			for len(alpha) < i {
				alpha = append(alpha, 255)
			}
			alpha = append(alpha, a)
		}
	}
	f.chunk("PLTE", rgb)
	if alpha != nil {
		f.chunk("tRNS", alpha)
	}
}

// rows writes the rows of pixels. A row equal to the row above is written with the filter Up and zeros. Most rows of
// a grid are, and the compressor needs almost no time for them.
func (f *file) rows(w *bufio.Writer, c *canvas, kind byte, index *index) {
	z, err := zlib.NewWriterLevel(w, f.level)
	if err != nil {
		f.err = err
		return
	}
	size := map[byte]int{indexed: 1, truecolor: 3, truecolorAlpha: 4}[kind]
	line, same := make([]byte, 1+c.w*size), make([]byte, 1+c.w*size)
	same[0] = 2
	var above []draw.Color
	for y := range c.h {
		row := c.pix[y*c.w : (y+1)*c.w]
		if above != nil && slices.Equal(row, above) {
			_, err = z.Write(same)
		} else {
			encode(line[1:], row, kind, index)
			_, err = z.Write(line)
		}
		if err != nil {
			break
		}
		above = row
	}
	for _, end := range []func() error{z.Close, w.Flush} {
		if e := end(); err == nil {
			err = e
		}
	}
	if f.err == nil {
		f.err = err
	}
}

// encode writes the bytes of a row.
func encode(line []byte, row []draw.Color, kind byte, index *index) {
	switch kind {
	case indexed:
		last, at := draw.Color(0), index.find(0)
		for i, c := range row {
			if c != last {
				last, at = c, index.find(c)
			}
			line[i] = at
		}
	case truecolor:
		for i, c := range row {
			line[3*i], line[3*i+1], line[3*i+2] = byte(c>>24), byte(c>>16), byte(c>>8)
		}
	case truecolorAlpha:
		for i, c := range row {
			binary.BigEndian.PutUint32(line[4*i:], uint32(c))
		}
	}
}

// An idat writes its input as IDAT chunks.
type idat struct{ f *file }

func (d *idat) Write(b []byte) (int, error) {
	d.f.chunk("IDAT", b)
	return len(b), d.f.err
}

func opaque(c *canvas) bool {
	for _, p := range c.pix {
		if p&0xff != 0xff {
			return false
		}
	}
	return true
}

// An index finds colors in a palette. It is a hash table of 1024 slots, at most a quarter full, with linear search.
type index struct {
	colors [1024]draw.Color
	number [1024]uint8
	taken  [1024]bool
}

// place returns the slot of a color, or the free slot where it belongs.
func (x *index) place(c draw.Color) int {
	at := int(uint32(c)*0x9e3779b1>>22) & 1023
	for x.taken[at] && x.colors[at] != c {
		at = (at + 1) & 1023
	}
	return at
}

// find returns the number of a color, 0 if it is not there.
func (x *index) find(c draw.Color) uint8 { return x.number[x.place(c)] }

// palette returns the colors of a canvas in order of first appearance, or nil if there are more than 256.
func palette(c *canvas) ([]draw.Color, *index) {
	x := &index{}
	var colors []draw.Color
	var last draw.Color
	for i, p := range c.pix {
		if i > 0 && p == last {
			continue
		}
		last = p
		at := x.place(p)
		if x.taken[at] {
			continue
		}
		if len(colors) == 256 {
			return nil, nil
		}
		x.taken[at], x.colors[at], x.number[at] = true, p, uint8(len(colors))
		colors = append(colors, p)
	}
	return colors, x
}
