package tensormap

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/ints"
)

// A Breach is a rule that a map breaks.
type Breach struct {
	Rule   Rule
	Dim    int    // the dimension, or -1
	Text   string // what the number is and what it may be: "boxDim[1] is 512, outside 1 to 256"
	Change string // the nearest legal choice: "boxDim[1] = 256, in 2 copies"
	Value  int64  // the nearest legal number, or -1 if it is not a number
}

// Legal reports whether the map keeps every rule.
func (m Map) Legal() bool { return len(m.Check()) == 0 }

// Err returns nil for a legal map, and otherwise an error with the first broken rule and the number of broken rules:
// CodeRank for the rank and the lengths, CodeType for types, CodeNotDivisible for alignments, CodeLimit for the rest.
func (m Map) Err() error {
	broken := m.Check()
	if len(broken) == 0 {
		return nil
	}
	b := broken[0]
	code := cute.CodeLimit
	switch b.Rule {
	case RuleLengths, RuleRank, RuleRankInterleave:
		code = cute.CodeRank
	case RuleDataType, RuleFillType:
		code = cute.CodeType
	case RuleAddress, RuleAddressInterleave, RuleAddressPacked, RuleStride, RuleStrideInterleave, RuleStridePacked,
		RuleBoxBytes, RuleDimPacked128, RuleDimPacked2:
		code = cute.CodeNotDivisible
	}
	more := ""
	if n := len(broken) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return refuse(code, b.Change, "%s%s", b.Text, more)
}

// Check returns all rules of the driver's documentation that the map breaks, in its order, and nothing for a legal map.
// Check follows the documentation only; [Map.Remarks] returns undocumented reasons to fail.
func (m Map) Check() []Breach {
	c := checker{m: m}
	c.lengths()
	c.types()
	c.address()
	c.dims()
	c.strides()
	if m.Mode == Tiled {
		c.box()
	} else {
		c.corners()
		c.pixels()
	}
	c.steps()
	c.interleave()
	if m.Mode == Im2colWide && m.Wide > W128 {
		c.broken(RuleWide, -1, "mode is %d, no CUtensorMapIm2ColWideMode", int(m.Wide)).change(-1, "mode = CU_TENSOR_MAP_IM2COL_WIDE_MODE_W")
	}
	c.swizzle()
	c.rest()
	return c.list
}

// A checker collects the broken rules of a map.
type checker struct {
	m    Map
	list []Breach
}

// broken adds a broken rule; change says how to keep it.
//
//go:noinline
func (c *checker) broken(r Rule, dim int, format string, args ...any) *checker {
	c.list = append(c.list, Breach{Rule: r, Dim: dim, Text: fmt.Sprintf(format, args...), Value: -1})
	return c
}

// change says what to change to keep the rule that was added last.
//
//go:noinline
func (c *checker) change(value int64, format string, args ...any) {
	b := &c.list[len(c.list)-1]
	b.Value, b.Change = value, fmt.Sprintf(format, args...)
}

// lengths checks the lengths of the arrays.
func (c *checker) lengths() {
	m, rank := c.m, c.m.Rank()
	if m.Mode > Im2colWide {
		c.broken(RuleLengths, -1, "there is no mode %d", int(m.Mode)).change(-1, "tiled, im2col or im2col::w")
	}
	want := func(name string, n, expected int) {
		if n != expected {
			c.broken(RuleLengths, -1, "%s has %s, %d expected for rank %d", name, numbersOf(n), expected, rank).
				change(int64(expected), "give %s %s", name, numbersOf(expected))
		}
	}
	want("globalStrides", len(m.Strides), max(rank-1, 0))
	if m.Steps != nil {
		want("elementStrides", len(m.Steps), rank)
	}
	switch m.Mode {
	case Tiled:
		want("boxDim", len(m.Box), rank)
	case Im2col:
		want("pixelBoxLowerCorner", len(m.Lower), max(rank-2, 0))
		want("pixelBoxUpperCorner", len(m.Upper), max(rank-2, 0))
	case Im2colWide:
		want("pixelBoxLowerCornerWidth", len(m.Lower), 1)
		want("pixelBoxUpperCornerWidth", len(m.Upper), 1)
	}
}

func numbersOf(n int) string {
	if n == 1 {
		return "1 number"
	}
	return fmt.Sprintf("%d numbers", n)
}

// types checks the type and the rank.
func (c *checker) types() {
	m, rank := c.m, c.m.Rank()
	if !m.Type.isKnown() {
		c.broken(RuleDataType, -1, "tensorDataType is %d, no CUtensorMapDataType (0 to %d)", int(m.Type), typeCount-1).
			change(-1, "the type of the elements: %s for 16-bit floats", Float16)
	}
	least := 1
	if m.Mode != Tiled {
		least = 3
	}
	switch {
	case rank < least:
		c.broken(RuleRank, -1, "tensorRank is %d, outside %d to 5%s", rank, least, of(m.Mode)).
			change(int64(least), "add dimensions of extent 1, with the stride of the whole tensor")
	case rank > 5:
		c.broken(RuleRank, -1, "tensorRank is %d, outside %d to 5%s", rank, least, of(m.Mode)).
			change(5, "merge dimensions that follow each other (a stride that is the stride before it times the extent "+
				"before it), or fix the outermost in the address")
	}
	if m.Mode == Tiled && m.Interleave != InterleaveNone && rank > 0 && rank < 3 {
		c.broken(RuleRankInterleave, -1, "tensorRank is %d, less than 3, with %s", rank, m.Interleave).
			change(3, "take dimensions of pixels, slices and images, or %s", InterleaveNone)
	}
}

func of(m Mode) string {
	if m == Tiled {
		return ""
	}
	return " of " + m.String()
}

// address checks the alignment of globalAddress, which depends on the other parameters.
func (c *checker) address() {
	check := func(r Rule, by uint64, why string) {
		if a := c.m.Address; a%by != 0 {
			down, up := a-a%by, a-a%by+by
			near := fmt.Sprintf("%s or %s", hex(down), hex(up))
			if up < a {
				near = hex(down)
			}
			c.broken(r, -1, "globalAddress is %s, no multiple of %d%s: %s mod %d = %d", hex(a), by, why, hex(a), by, a%by).
				change(-1, "begin at %s: allocate with that alignment, and slice by a multiple of it", near)
		}
	}
	check(RuleAddress, 16, "")
	if c.m.Interleave == Interleave32B {
		check(RuleAddressInterleave, 32, " ("+Interleave32B.String()+")")
	}
	if c.m.Type.isPadded() {
		check(RuleAddressPacked, 32, " ("+c.m.Type.String()+")")
	}
}

// dims checks globalDim: the extents of the tensor.
func (c *checker) dims() {
	for i, d := range c.m.Dims {
		switch {
		case d < 1:
			c.broken(RuleDim, i, "globalDim[%d] is %d, outside 1 to 2^32", i, d).
				change(1, "make no map for an empty tensor: skip the copy")
		case d > 1<<32:
			c.broken(RuleDim, i, "globalDim[%d] is %d, outside 1 to 2^32", i, d).
				change(1<<32, "split dimension %d in two, or move the address", i)
		}
	}
	if c.m.Rank() == 0 {
		return
	}
	multiple := func(r Rule, by int64) {
		if d := c.m.Dims[0]; d%by != 0 {
			c.broken(r, 0, "globalDim[0] is %d, no multiple of %d (%s): %d mod %d = %d", d, by, c.m.Type, d, by, d%by).
				change(up(d, by), "pad dimension 0 to %d elements", up(d, by))
		}
	}
	if c.m.Type.isPadded() {
		multiple(RuleDimPacked128, 128)
	}
	if c.m.Type == U4Align8 {
		multiple(RuleDimPacked2, 2)
	}
}

// up rounds x up to a multiple of by, or down if the multiple above overflows.
func up(x, by int64) int64 {
	r := x % by
	if r < 0 {
		r += by
	}
	if r == 0 {
		return x
	}
	if x > 0 && x-r+by < x {
		return x - r
	}
	return x - r + by
}

// strides checks the range and the alignment of globalStrides.
func (c *checker) strides() {
	each := func(r Rule, by int64, why string) {
		for i, s := range c.m.Strides {
			if s%by != 0 {
				c.broken(r, i+1, "globalStrides[%d] is %d bytes, no multiple of %d%s: %d mod %d = %d", i, s, by, why, s, by,
					((s%by)+by)%by).change(up(s, by), "pad dimension %d to a stride of %s", i+1, c.elements(up(s, by)))
			}
		}
	}
	each(RuleStride, 16, "")
	for i, s := range c.m.Strides {
		if s < 0 || s >= 1<<40 {
			at := "not below 2^40"
			if s < 0 {
				at = "below 0"
			}
			c.broken(RuleStrideLimit, i+1, "globalStrides[%d] is %d bytes, %s", i, s, at).
				change(-1, "fix dimension %d in the address: one map for each of its coordinates", i+1)
		}
	}
	if c.m.Interleave == Interleave32B {
		each(RuleStrideInterleave, 32, " ("+Interleave32B.String()+")")
	}
	if c.m.Type.isPadded() {
		each(RuleStridePacked, 32, " ("+c.m.Type.String()+")")
	}
}

// elements prints a number of bytes and the number of elements in them.
func (c *checker) elements(bytes int64) string {
	bits := c.m.Type.Bits()
	if bits == 0 || bytes > 1<<50 || bytes*8%bits != 0 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%d bytes, %d elements", bytes, bytes*8/bits)
}

// box checks the box of a tiled map.
func (c *checker) box() {
	m := c.m
	for i, b := range m.Box {
		most, step := int64(256), int64(1)
		if i == 0 {
			most, step = m.inner()
		}
		switch {
		case b < 1:
			c.broken(RuleBox, i, "boxDim[%d] is %d, outside 1 to 256", i, b).change(step, "boxDim[%d] = %d", i, step)
		case b > 256:
			n := fitting(b, most, step)
			c.broken(RuleBox, i, "boxDim[%d] is %d, outside 1 to 256", i, b).
				change(n, "boxDim[%d] = %d, in %s, each with its own coordinates", i, n, copies(b, n))
		}
	}
	if len(m.Box) == 0 || !m.Type.isKnown() {
		return
	}
	b, bits := m.Box[0], m.Type.Bits()
	if m.Interleave == InterleaveNone && b > 0 && b < 1<<50 && b*bits%128 != 0 {
		most, step := m.inner()
		n := min(up(b, step), most)
		c.broken(RuleBoxBytes, 0, "boxDim[0] is %d × %s bytes = %s bytes, no multiple of 16", b, size(bits), size(b*bits)).
			change(n, "boxDim[0] = %d, %s bytes; elements beyond the tensor are filled and cost nothing but memory", n,
				size(n*bits))
	}
	if m.Type.isPadded() && b != 128 {
		c.broken(RuleBoxPacked, 0, "boxDim[0] is %d, not 128 (%s)", b, m.Type).change(128, "boxDim[0] = 128")
	}
}

// fitting returns the largest multiple of step up to most that divides b, or most if that would be less than a quarter
// of it.
func fitting(b, most, step int64) int64 {
	for n := most / step * step; n >= max(most/4, 1); n -= step {
		if b%n == 0 {
			return n
		}
	}
	return most
}

// inner returns the largest extent of a box in dimension 0, and the number that must divide it.
func (m Map) inner() (most, step int64) {
	most, step = 256, 1
	bits := m.Type.Bits()
	if m.Interleave != InterleaveNone || bits == 0 {
		return most, step
	}
	step = 128 / ints.GCD(bits, 128)
	if span := m.Swizzle.Span(); span > 0 {
		most = min(most, span*8/bits)
	}
	return max(most/step*step, step), step
}

// corners checks the bounding box of an im2col map.
func (c *checker) corners() {
	m := c.m
	lo, hi := m.cornerLimits()
	suffix := ""
	if m.Mode == Im2colWide {
		suffix = "Width"
	}
	one := func(r Rule, name string, corner []int64) {
		for i, x := range corner {
			if x < lo || x > hi {
				near := min(max(x, lo), hi)
				c.broken(r, i, "%s%s[%d] is %d, outside %d to %d for rank %d", name, suffix, i, x, lo, hi, m.Rank()).
					change(near, "at most %d here: a larger filter or padding takes a tensor of lower rank (depth or height in the "+
						"batch), or one copy for each tap with mode tiled", near)
			}
		}
	}
	one(RuleLower, "pixelBoxLowerCorner", m.Lower)
	one(RuleUpper, "pixelBoxUpperCorner", m.Upper)
	first := m.firstPixel()
	for i := range min(len(m.Lower), len(m.Upper)) {
		d := i + first
		if d >= m.Rank() || m.Dims[d] < 1 || m.Dims[d] > 1<<32 || m.Lower[i] < lo || m.Lower[i] > hi || m.Upper[i] < lo ||
			m.Upper[i] > hi {
			continue
		}
		if n := m.Dims[d] + m.Upper[i] - m.Lower[i]; n < 1 {
			c.broken(RuleArea, i, "the bounding box has %d + %d - %d = %d pixels in dimension %d, not 1 or more", m.Dims[d],
				m.Upper[i],
				m.Lower[i], n, d).change(m.Lower[i]-m.Dims[d]+1, "pixelBoxUpperCorner[%d] = %d at least: the filter is larger than the "+
				"padded image", i, m.Lower[i]-m.Dims[d]+1)
		}
	}
}

// cornerLimits returns the range of a corner of an im2col map.
func (m Map) cornerLimits() (lo, hi int64) {
	switch {
	case m.Mode == Im2colWide || m.Rank() <= 3:
		return -1 << 15, 1<<15 - 1
	case m.Rank() == 4:
		return -1 << 7, 1<<7 - 1
	}
	return -1 << 4, 1<<4 - 1
}

// firstPixel returns the dimension of W: the first one after the channels, or 0 if its units are slices of channels.
func (m Map) firstPixel() int {
	if m.Interleave == InterleaveNone {
		return 1
	}
	return 0
}

// pixels checks the two extents of an im2col map.
func (c *checker) pixels() {
	m := c.m
	most, step := m.inner()
	if m.Channels < 0 || m.Channels > 256 {
		n := fitting(max(m.Channels, 1), most, step)
		c.broken(RuleChannels, -1, "channelsPerPixel is %d, outside 0 to 256", m.Channels).
			change(n, "channelsPerPixel = %d, in %s", n, copies(m.Channels, n))
	}
	if m.Type.isPadded() && m.Channels != 128 {
		c.broken(RuleChannelsPacked, -1, "channelsPerPixel is %d, not 128 (%s)", m.Channels, m.Type).change(128, "channelsPerPixel = 128")
	}
	if m.Mode == Im2colWide && m.Wide == W128 {
		return // pixelsPerColumn has no effect
	}
	if m.Pixels < 0 || m.Pixels > 1024 {
		c.broken(RulePixels, -1, "pixelsPerColumn is %d, outside 0 to 1024", m.Pixels).
			change(1024, "pixelsPerColumn = 1024, in %s", copies(m.Pixels, 1024))
	}
}

// steps checks the element strides.
func (c *checker) steps() {
	for i, s := range c.m.Steps {
		if s < 1 || s > 8 {
			c.broken(RuleStep, i, "elementStrides[%d] is %d, outside 1 to 8", i, s).
				change(min(max(s, 1), 8), "elementStrides[%d] = %d; a larger step is a dimension of its own: extent n/%d, stride %d times as "+
					"large", i, min(max(s, 1), 8), max(s, 1), max(s, 1))
		}
	}
}

// interleave checks the interleave and the span of the swizzle.
func (c *checker) interleave() {
	m := c.m
	if m.Interleave > Interleave32B {
		c.broken(RuleInterleave, -1, "interleave is %d, no CUtensorMapInterleave", int(m.Interleave)).change(0,
			"interleave = %s", InterleaveNone)
	}
	name, n := "channelsPerPixel", m.Channels
	if m.Mode == Tiled {
		name, n = "boxDim[0]", 0
		if len(m.Box) > 0 {
			n = m.Box[0]
		}
	}
	bits, span := m.Type.Bits(), m.Swizzle.Span()
	if m.Interleave == InterleaveNone && span > 0 && bits > 0 && n > span*8/bits {
		fit := span * 8 / bits
		c.broken(RuleSpan, 0, "%s is %d × %s bytes = %s bytes, more than %d, the span of %s", name, n, size(bits),
			product(n, bits), span, m.Swizzle).
			change(fit, "%s = %d, in %s%s", name, fit, copies(n, fit), wider(m.Swizzle, n, bits))
	}
	if m.Type == U6Align16 && m.Interleave != InterleaveNone {
		c.broken(RuleInterleavePacked, -1, "interleave is %s, not NONE (%s)", m.Interleave, m.Type).change(0,
			"interleave = %s", InterleaveNone)
	}
}

// product writes the bytes of n elements.
func product(n, bits int64) string {
	if n > 1<<50 {
		return "too many"
	}
	return size(n * bits)
}

// wider names the swizzle whose span holds a row of the box.
func wider(s Swizzle, n, bits int64) string {
	if s >= Swizzle128B || n > 1<<50 {
		return "; or " + SwizzleNone.String() + ", which has no span"
	}
	for w := s + 1; w <= Swizzle128B; w++ {
		if n*bits <= w.Span()*8 {
			return "; or " + w.String()
		}
	}
	return "; or " + SwizzleNone.String() + ", which has no span"
}

// swizzle checks the swizzle against the type, the interleave and the box.
func (c *checker) swizzle() {
	m := c.m
	if !m.Swizzle.isKnown() {
		c.broken(RuleSwizzle, -1, "swizzle is %d, no CUtensorMapSwizzle (0 to %d)", int(m.Swizzle), swizzleCount-1).
			change(int64(Swizzle128B), "swizzle = %s", Swizzle128B)
		return
	}
	if m.Interleave == Interleave32B && m.Swizzle != Swizzle32B {
		c.broken(RuleSwizzleInterleave, -1, "swizzle is %s, not %s, with %s", m.Swizzle, Swizzle32B, m.Interleave).
			change(int64(Swizzle32B), "swizzle = %s", Swizzle32B)
	}
	among := func(r Rule, why string, allowed ...Swizzle) {
		names := make([]string, len(allowed))
		for i, s := range allowed {
			if s == m.Swizzle {
				return
			}
			names[i] = strings.TrimPrefix(s.String(), swizzlePrefix)
		}
		c.broken(r, -1, "swizzle is %s, none of %s (%s)", m.Swizzle, strings.Join(names, ", "), why).
			change(int64(Swizzle128B), "swizzle = %s", Swizzle128B)
	}
	wide := m.Mode == Im2colWide
	if wide {
		among(RuleSwizzleWide, m.Mode.String(), Swizzle64B, Swizzle128B, Swizzle128BAtom32B)
	}
	switch {
	case m.Type == U6Align16 && wide:
		among(RuleSwizzleU6, m.Type.String(), Swizzle64B, Swizzle128B, Swizzle128BAtom32B)
	case m.Type == U6Align16:
		among(RuleSwizzleU6, m.Type.String(), SwizzleNone, Swizzle128B, Swizzle128BAtom32B, Swizzle128BAtom64B)
	case m.Type == U4Align16 && wide:
		among(RuleSwizzleU4, m.Type.String(), Swizzle128B, Swizzle128BAtom32B)
	case m.Type == U4Align16:
		among(RuleSwizzleU4, m.Type.String(), SwizzleNone, Swizzle128B, Swizzle128BAtom32B)
	}
}

// rest checks the promotion and the fill.
func (c *checker) rest() {
	m := c.m
	if m.Promotion > Promotion256B {
		c.broken(RulePromotion, -1, "l2Promotion is %d, no CUtensorMapL2promotion", int(m.Promotion)).
			change(int64(Promotion128B), "l2Promotion = %s", Promotion128B)
	}
	if m.Fill > FillNaN {
		c.broken(RuleFill, -1, "oobFill is %d, no CUtensorMapFloatOOBfill", int(m.Fill)).change(0, "oobFill = %s", FillZero)
	}
	if m.Fill == FillNaN && m.Type.isKnown() && !m.Type.Float() {
		c.broken(RuleFillType, -1, "oobFill is %s, and %s is no floating-point type", m.Fill, m.Type).change(0,
			"oobFill = %s", FillZero)
	}
}
