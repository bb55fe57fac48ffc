package png

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"

	"girih/internal/picture/draw"
)

// Limits bound a picture.
type Limits struct {
	Width int // the width in pixels
	Bytes int // the size of the file in bytes
}

// leastScale is the scale, in pixels per point, at which text is still legible.
const leastScale = 0.5

// EncodeWithin returns a scene as a PNG picture with a palette, at the largest scale up to 2 that keeps the limits. Of
// more than 256 colors, the rarer ones become the nearest of the 256 most frequent ones: those are mixtures at edges.
// No picture is scaled below a half, where text is no longer legible: a scene of more than twice the width in points
// becomes wider than the limit, and if there are still too many bytes, the error wraps [ErrSize].
func EncodeWithin(s *draw.Scene, most Limits) ([]byte, error) {
	scale := max(leastScale, min(2, float64(most.Width)/s.W))
	for scale >= leastScale {
		width, height, err := pixels(s, scale)
		if err != nil {
			return nil, err
		}
		c := newCanvas(width, height, s.Background)
		p := painter{c: c, s: s, scale: scale, glyphs: map[glyphKey]glyph{}}
		for i := range s.Shapes() {
			p.shape(&s.Shapes()[i])
		}
		c.reduce()
		var b bytes.Buffer
		f := &file{w: &b, level: zlib.BestCompression}
		if err := f.picture(c, s, scale); err != nil || b.Len() <= most.Bytes {
			return b.Bytes(), err
		}
		scale *= min(0.95*math.Sqrt(float64(most.Bytes)/float64(b.Len())), 0.95)
	}
	return nil, fmt.Errorf("%w: expected a picture that is legible in %d bytes, found a scene of %.0f x %.0f points",
		ErrSize, most.Bytes, s.W, s.H)
}

// reduce leaves at most 256 colors.
func (c *canvas) reduce() {
	count := map[draw.Color]int{}
	for _, p := range c.pix {
		count[p]++
	}
	if len(count) <= 256 {
		return
	}
	colors := slices.Collect(maps.Keys(count))
	sort.Slice(colors, func(i, j int) bool {
		a, b := colors[i], colors[j]
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) < 0
	})
	nearest := map[draw.Color]draw.Color{}
	for i, x := range colors {
		to := x
		if i >= 256 {
			to = slices.MinFunc(colors[:256], func(a, b draw.Color) int { return cmp.Compare(apart(a, x), apart(b, x)) })
		}
		nearest[x] = to
	}
	for i, p := range c.pix {
		c.pix[i] = nearest[p]
	}
}

// apart returns the squared distance of two colors.
func apart(a, b draw.Color) (d int) {
	for shift := 0; shift < 32; shift += 8 {
		x := int(a>>shift&0xff) - int(b>>shift&0xff)
		d += x * x
	}
	return d
}
