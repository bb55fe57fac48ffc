package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/banks"
	"girih/internal/picture/draw"
)

// A look is how the cells of a field are drawn.
type look struct {
	*field
	theme     *draw.Theme
	warp      int64
	by        ColorBy
	labels    bool
	vector    int      // consecutive offsets in a merged cell; 1 for none
	across    bool     // the vectors run along rows
	block     *pattern // the block that a cell represents; nil if cells are not blocks
	alias     []bool
	aliasNote string
	ramp      []draw.Color // fills from the least to the greatest offset, used for cells without labels
	lo, hi    int64
	unit      int64        // the length of a vector for ColorVector
	banks     []draw.Color // the fills for ColorBank
	bits      int          // the width of an element, for ColorBank
}

func (v *look) fillName() string {
	switch v.by {
	case ColorThread:
		return "thread, which is the value"
	case ColorWarp:
		return fmt.Sprintf("warp, which is the value over %d", v.warp)
	case ColorVector:
		return fmt.Sprintf("vector: the value over %d", v.unit)
	case ColorBank:
		return "bank"
	case ColorGroup:
		return "group of 4 banks"
	}
	return fmt.Sprintf("offset modulo %d", len(v.theme.Offsets))
}

// isBanked reports whether fills mean banks or groups of banks.
func (v *look) isBanked() bool { return v.by == ColorBank || v.by == ColorGroup }

// look decides how much detail to show.
func (f *field) look(o Options) *look {
	v := &look{field: f, theme: o.theme(), warp: o.warp(), labels: true, vector: 1}
	v.by = f.fillBy(o.ColorBy)
	if v.isBanked() {
		v.banks, v.bits = bankFills(v.theme, v.by), cmp.Or(o.ElemBits, 8*bankBytes)
	}
	v.alias, v.aliasNote = f.aliases()
	if v.by == ColorVector && f.ints != nil {
		down, across := f.vectors()
		v.unit = int64(max(down, across))
	}
	if n := int64(len(f.ints) + len(f.crds)); n > o.labelLimit() {
		v.labels = f.ints != nil && f.shape.Rank() > 1 && v.merge(n, o)
	}
	if (!v.labels || v.block != nil) && v.by == ColorOffset && f.ints != nil {
		v.lo, v.hi = slices.Min(f.ints), slices.Max(f.ints)
		light, dark := v.theme.Paper, v.theme.Levels[0]
		for i := range rampSteps {
			v.ramp = append(v.ramp, draw.Mix(light, dark, 0.06+0.94*float64(i)/(rampSteps-1)))
		}
	}
	return v
}

// fillBy returns the meaning of the fills if a picture is asked for the given one.
func (f *field) fillBy(by ColorBy) ColorBy {
	if by == ColorAuto {
		by = f.auto
	}
	banked := by == ColorBank || by == ColorGroup
	if by == ColorAuto || by == ColorValue || banked && f.ints == nil {
		return ColorOffset
	}
	return by
}

// merge merges the n cells of a grid that are too many for labels into vectors, or else into blocks, and reports
// whether either is possible.
func (v *look) merge(n int64, o Options) bool {
	if v.isBanked() { // a merged cell would have many banks
		return false
	}
	rows, cols := v.extents()
	down, across := v.vectors()
	v.vector, v.across = max(down, across), across > down
	if v.vector >= 4 && n/int64(v.vector) <= 2*o.labelLimit() && v.fits(rows, cols) {
		return true
	}
	v.vector = 1
	v.block = v.blocks(rows, cols)
	return v.block != nil
}

// rampSteps is the number of fills from the least to the greatest offset.
const rampSteps = 32

// rampFill returns the ramp's fill for an offset.
func (v *look) rampFill(x int64) draw.Color {
	if v.hi == v.lo {
		return v.ramp[0]
	}
	at := (float64(x) - float64(v.lo)) / (float64(v.hi) - float64(v.lo))
	return v.ramp[min(int(at*rampSteps), rampSteps-1)]
}

// rampSwatch explains the ramp.
func (v *look) rampSwatch() swatch {
	s := swatch{text: fmt.Sprintf("offset %d to %d", v.lo, v.hi)}
	for i := 0; i < rampSteps; i += 4 {
		s.fills = append(s.fills, v.ramp[i])
	}
	return s
}

// fits reports whether labels on merged cells keep the picture at a viewable size.
func (v *look) fits(rows, cols int) bool {
	last := v.ints[len(v.ints)-1]
	chars := len(strconv.FormatInt(last, 10))
	w, h := draw.TextWidth("…", textSize)+2*cellPad, 2*textLine+2*cellPad
	w += draw.TextWidth(strings.Repeat("0", chars), textSize)
	if v.across {
		return w*1.8*float64(cols/v.vector) <= labelledSide && textCell*float64(rows) <= labelledSide
	}
	return w*float64(cols) <= labelledSide && h*float64(rows/v.vector) <= labelledSide
}

// labelledSide is the size of a picture, in points, above which merged cells are merged further.
const labelledSide = 1700

// vectors returns the lengths of the runs of consecutive offsets, down and across, that occur everywhere in all
// panels.
func (f *field) vectors() (down, across int) {
	rows, cols := f.extents()
	down, across = 16, 16
	per := rows * cols
	for from := 0; from < len(f.ints) && max(down, across) > 1; from += per {
		at := func(k int) int64 { return f.ints[from+k/cols+k%cols*rows] }
		next := func(a, b int) bool { return at(b) == at(a)+1 }
		down, across = colsOf(rows, cols).run(down, next), rowsOf(rows, cols).run(across, next)
	}
	return down, across
}

// extents returns the rows and columns of a panel.
func (f *field) extents() (rows, cols int) {
	modes := f.shape.Modes()
	rows, cols = 1, 1
	if len(modes) > 0 {
		rows = extent(modes[0])
	}
	if len(modes) > 1 {
		cols = extent(modes[1])
	}
	return rows, cols
}

// shade returns the fill of a number, unless fills are banks.
func (v *look) shade(x int64) draw.Color {
	mod := func(x int64) int64 { return max(x, -(x + 1)) } // -1 maps to 0, because an index must not be negative
	switch v.by {
	case ColorNone:
		return draw.None
	case ColorThread:
		return v.theme.Hue(mod(x))
	case ColorWarp:
		return v.theme.Hue(mod(x / v.warp))
	case ColorVector:
		return v.theme.Hue(mod(x / max(v.unit, 1)))
	}
	return v.theme.Offset(x)
}

// cell returns the cell of an index, or of the vector that starts at it.
func (v *look) cell(i int64) cell {
	tone := v.tone(i)
	div := tone
	if v.vector > 1 {
		div = tone / int64(v.vector)
	}
	c := cell{}
	if v.banks != nil {
		c.fill = v.banks[banks.BankOf(tone, v.bits)]
	} else {
		c.fill = v.shade(tone)
	}
	if v.vector > 1 && v.by == ColorOffset {
		c.fill = v.theme.Offset(div)
	}
	if v.ramp != nil {
		c.fill = v.rampFill(tone)
	}
	if v.labels {
		c.text = v.text(i)
		c.key = "i" + strconv.FormatInt(i, 10)
		switch last := "…" + strconv.FormatInt(tone+int64(v.vector)-1, 10); {
		case v.vector > 1 && v.across:
			c.text += last
		case v.vector > 1:
			c.second = last
		}
	}
	if v.alias != nil && v.alias[i] {
		c.mark |= markBad
	}
	return c
}
