package truth

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"girih/cute"
	"girih/tensormap"
)

// A MapCase is a tensor map in the words of the driver, and whether the driver accepted it.
type MapCase struct {
	Rule     string   `json:"rule"` // the tested rule and value: "tiled: box: 257"
	Type     string   `json:"type"`
	Address  uint64   `json:"address"` // only its alignment matters, no memory is read
	Dims     []uint64 `json:"dims"`
	Strides  []uint64 `json:"strides"`
	Box      []uint32 `json:"box,omitempty"`
	Lower    []int32  `json:"lower,omitempty"`
	Upper    []int32  `json:"upper,omitempty"`
	Channels uint32   `json:"channels,omitempty"`
	Pixels   uint32   `json:"pixels,omitempty"`
	Steps    []uint32 `json:"steps,omitempty"` // nil if all are 1

	Interleave string `json:"interleave,omitempty"`
	Swizzle    string `json:"swizzle,omitempty"`
	Promotion  int    `json:"promotion,omitempty"`
	NaN        bool   `json:"nan,omitempty"`

	Accepted bool `json:"accepted"`
}

// mapSwizzles and mapInterleaves are the names of the driver's values, in the order of their numbers.
var (
	mapSwizzles    = []string{"none", "32B", "64B", "128B", "128B_ATOM_32B", "128B_ATOM_32B_FLIP_8B", "128B_ATOM_64B"}
	mapInterleaves = []string{"none", "16B", "32B"}
)

// Map returns the map of a case; the address of the case is added to memory. It returns an error for an unknown name.
func (c *MapCase) Map(memory uint64) (tensormap.Map, error) {
	t, err := tensormap.ParseType(c.Type)
	if err != nil {
		return tensormap.Map{}, err
	}
	swizzle, interleave := slices.Index(mapSwizzles, c.Swizzle), slices.Index(mapInterleaves, c.Interleave)
	promotion := slices.Index([]int{0, 64, 128, 256}, c.Promotion)
	if swizzle < 0 || interleave < 0 || promotion < 0 {
		return tensormap.Map{}, fail(cute.CodeName, "no swizzle %q, interleave %q or promotion %d",
			c.Swizzle, c.Interleave, c.Promotion)
	}
	m := tensormap.Map{
		Type: t, Address: memory + c.Address, Dims: integers(c.Dims), Strides: integers(c.Strides), Box: integers(c.Box),
		Steps: integers(c.Steps), Interleave: tensormap.Interleave(interleave), Swizzle: tensormap.Swizzle(swizzle),
		Promotion: tensormap.Promotion(promotion),
	}
	if c.NaN {
		m.Fill = tensormap.FillNaN
	}
	if c.Box == nil {
		m.Mode, m.Lower, m.Upper = tensormap.Im2col, integers(c.Lower), integers(c.Upper)
		m.Channels, m.Pixels = int64(c.Channels), int64(c.Pixels)
	}
	return m, nil
}

func integers[T uint16 | uint32 | int32 | uint64](from []T) []int64 {
	if from == nil {
		return nil
	}
	to := make([]int64, len(from))
	for i, x := range from {
		to[i] = int64(x)
	}
	return to
}

// bytes returns the size of an element.
func (c *MapCase) bytes() uint64 {
	t, err := tensormap.ParseType(c.Type)
	if err != nil {
		return 1
	}
	return uint64(t.Bits() / 8)
}

// A mapDraw draws tensor maps.
type mapDraw struct{ *rand.Rand }

// up returns n raised to a multiple of m.
func up(n, m uint64) uint64 { return (n + m - 1) / m * m }

// drawTiled returns a random legal map of boxes of a rank.
func (r mapDraw) drawTiled(rank int) MapCase {
	t := tensormap.Type(r.IntN(int(tensormap.TFloat32FTZ) + 1))
	size := uint64(t.Bits() / 8)
	c := MapCase{Type: t.PTX(), Interleave: "none", Promotion: []int{0, 64, 128, 256}[r.IntN(4)]}
	s := r.IntN(4)
	c.Swizzle = mapSwizzles[s]
	span := uint64(16) << s
	if s == 0 {
		span = 256 * size
	}
	unit := max(1, 16/size)
	inner := unit * (1 + r.Uint64N(max(1, min(span, 256*size)/(unit*size))))
	inner = min(inner, 256/unit*unit)
	stride := uint64(0)
	for i := range rank {
		d := 1 + r.Uint64N(300)
		c.Dims = append(c.Dims, d)
		c.Steps = append(c.Steps, 1)
		if i == 0 {
			c.Box = append(c.Box, uint32(inner))
			stride = up(d*size, 16)
			continue
		}
		c.Box = append(c.Box, uint32(1+r.IntN(12)))
		c.Strides = append(c.Strides, stride)
		stride *= d + r.Uint64N(3)
	}
	return c
}

// drawInterleaved returns a random legal map of slices of channels.
func (r mapDraw) drawInterleaved() MapCase {
	c := r.drawTiled(3 + r.IntN(3))
	t := c.bytes()
	unit := uint64(16)
	c.Interleave, c.Swizzle = "16B", "none"
	if r.IntN(2) == 0 {
		unit, c.Interleave, c.Swizzle = 32, "32B", "32B"
	}
	c.Box[0] = uint32(unit / t)
	stride := up(c.Dims[0]*t, unit)
	for i := range c.Strides {
		c.Strides[i] = stride
		stride *= c.Dims[i+1]
	}
	return c
}

// drawIm2col returns a random legal map of pixels.
func (r mapDraw) drawIm2col() MapCase {
	rank := 3 + r.IntN(3)
	c := r.drawTiled(rank)
	c.Channels, c.Box = c.Box[0], nil
	c.Pixels = uint32(1 + r.IntN(256))
	for i := range rank - 2 {
		c.Lower = append(c.Lower, int32(-r.IntN(4)))
		c.Upper = append(c.Upper, int32(-r.IntN(4)))
		c.Dims[i+1] += 8
	}
	stride := up(c.Dims[0]*c.bytes(), 16)
	for i := range c.Strides {
		c.Strides[i] = stride
		stride *= c.Dims[i+1]
	}
	return c
}

// A limit moves a legal map to the limit of a rule, or past the limit.
type limit struct {
	rule string
	base func(r mapDraw) MapCase
	to   func(r mapDraw, c *MapCase) bool // returns false if the map has no such field
}

// limits are the documented rules, each at its limit and past it.
func limits() []limit {
	all := slices.Concat(commonLimits(), boxLimits(), swizzleLimits(), im2colLimits())
	slices.SortFunc(all, func(a, b limit) int { return cmp.Compare(a.rule, b.rule) })
	return all
}

// A limitList collects limits of maps of one kind.
type limitList struct {
	kind string
	base func(r mapDraw) MapCase
	all  []limit
}

// add adds a rule; to returns false for a map that it cannot move there.
func (l *limitList) add(rule string, to func(c *MapCase) bool) {
	l.all = append(l.all, limit{l.kind + ": " + rule, l.base, func(_ mapDraw, c *MapCase) bool { return to(c) }})
}

// set adds a rule that every map can be moved to.
func (l *limitList) set(rule string, to func(c *MapCase)) {
	l.add(rule, func(c *MapCase) bool { to(c); return true })
}

// addStride adds a rule about the strides, for maps that have at least n.
func (l *limitList) addStride(rule string, n int, to func(c *MapCase, last *uint64) bool) {
	l.add(rule, func(c *MapCase) bool {
		return len(c.Strides) >= n && to(c, &c.Strides[len(c.Strides)-1])
	})
}

// anyTiled returns a tiled map of any rank, and plainTiled one of two modes or more without a swizzle.
func anyTiled(r mapDraw) MapCase { return r.drawTiled(1 + r.IntN(5)) }

func plainTiled(r mapDraw) MapCase {
	c := r.drawTiled(2 + r.IntN(4))
	c.Swizzle = "none"
	return c
}

// commonLimits are the rules for all kinds of maps.
func commonLimits() []limit {
	var all []limit
	for _, l := range []limitList{
		{kind: "tiled", base: anyTiled}, {kind: "interleaved", base: mapDraw.drawInterleaved}, {kind: "im2col", base: mapDraw.drawIm2col},
	} {
		l.set("any", func(*MapCase) {})
		for _, a := range []uint64{16, 32, 8, 4, 1} {
			l.set(fmt.Sprintf("address past a multiple of 64: %d", a), func(c *MapCase) { c.Address += a })
		}
		for _, d := range []uint64{0, 1, 1 << 32, 1<<32 + 1} {
			l.add(fmt.Sprintf("extent: %d", d), func(c *MapCase) bool {
				i := len(c.Dims) - 1 // no stride depends on this mode
				c.Dims[i] = d
				return i > 0 || d < 1<<32
			})
		}
		l.addStrides()
		for _, s := range []uint32{0, 1, 8, 9} {
			l.set(fmt.Sprintf("step of the first mode true: %d", s), func(c *MapCase) { c.Steps[0] = s })
			l.add(fmt.Sprintf("step of the first mode false: %d", s), func(c *MapCase) bool {
				i := len(c.Steps) - 1
				c.Steps[i] = s
				return i > 0
			})
		}
		for _, s := range mapSwizzles {
			l.set("swizzle: "+s, func(c *MapCase) { c.Swizzle = s })
		}
		for _, s := range mapInterleaves {
			l.set("interleave: "+s, func(c *MapCase) { c.Interleave = s })
		}
		l.set("NaN outside", func(c *MapCase) { c.NaN = true })
		all = append(all, l.all...)
	}
	return all
}

// addStrides adds the rules about strides.
func (l *limitList) addStrides() {
	for _, s := range []uint64{8, 16, 24, 32} {
		l.addStride(fmt.Sprintf("stride past a multiple of 64: %d", s), 1, func(_ *MapCase, last *uint64) bool {
			*last = up(*last, 64) + s
			return true
		})
	}
	for _, s := range []uint64{1<<40 - 64, 1 << 40, 1<<40 + 64} {
		l.addStride(fmt.Sprintf("stride: %d", s), 1, func(_ *MapCase, last *uint64) bool {
			*last = s
			return true
		})
	}
	l.addStride("stride smaller than the one before", 2, func(c *MapCase, last *uint64) bool {
		if c.Strides[len(c.Strides)-2] < 64 {
			return false
		}
		*last = 32
		return true
	})
	l.addStride("stride no multiple of the one before", 2, func(c *MapCase, last *uint64) bool {
		before := c.Strides[len(c.Strides)-2]
		if before < 64 {
			return false
		}
		*last = up(*last, 32) + 32
		return *last%before != 0
	})
	l.addStride("stride of 0", 1, func(_ *MapCase, last *uint64) bool {
		*last = 0
		return true
	})
	l.addStride("rows overlap", 1, func(c *MapCase, _ *uint64) bool {
		if c.Dims[0]*c.bytes() <= 64 {
			return false
		}
		c.Strides[0] = 32
		return true
	})
}

// boxLimits are the rules for the box of a tiled map, and for the rank of an interleaved one.
func boxLimits() []limit {
	l := limitList{kind: "tiled", base: plainTiled}
	for _, b := range []uint32{0, 1, 256, 257} {
		l.set(fmt.Sprintf("box: %d", b), func(c *MapCase) { c.Box[len(c.Box)-1] = b })
		l.set(fmt.Sprintf("inner box: %d", b), func(c *MapCase) { c.Box[0] = b })
	}
	for _, less := range []uint64{0, 1, 8} {
		l.add(fmt.Sprintf("inner box less than a multiple of 16 bytes by %d", less), func(c *MapCase) bool {
			if less%c.bytes() != 0 {
				return false
			}
			c.Box[0] -= uint32(less / c.bytes())
			return c.Box[0] > 0
		})
	}
	l.base = mapDraw.drawInterleaved
	for _, n := range []int{1, 2, 3} {
		for _, v := range mapInterleaves[1:] {
			l.set(fmt.Sprintf("interleave %s of rank %d", v, n), func(c *MapCase) {
				c.Interleave = v
				c.Swizzle = map[string]string{"16B": "none", "32B": "32B"}[v]
				c.Dims, c.Strides, c.Box, c.Steps = c.Dims[:n], c.Strides[:n-1], c.Box[:n], c.Steps[:n]
				for i := range c.Strides {
					c.Strides[i] = up(c.Strides[i], 32)
				}
			})
		}
	}
	return l.all
}

// swizzleLimits are the rules for the span of a swizzle.
func swizzleLimits() []limit {
	tiled := limitList{kind: "tiled", base: anyTiled}
	im2col := limitList{kind: "im2col", base: mapDraw.drawIm2col}
	for i, s := range mapSwizzles[1:4] {
		for _, more := range []uint64{0, 16} {
			tiled.add(fmt.Sprintf("inner box: the span of %s and %d bytes", s, more), func(c *MapCase) bool {
				c.Swizzle = s
				c.Box[0] = uint32((uint64(32)<<i + more) / c.bytes())
				return c.Box[0] <= 256
			})
			im2col.add(fmt.Sprintf("channels: the span of %s and %d bytes", s, more), func(c *MapCase) bool {
				c.Swizzle = s
				c.Channels = uint32((uint64(32)<<i + more) / c.bytes())
				return c.Channels <= 256
			})
		}
	}
	return append(tiled.all, im2col.all...)
}

// im2colLimits are the rules for channels, pixels and corners.
func im2colLimits() []limit {
	l := limitList{kind: "im2col", base: mapDraw.drawIm2col}
	for _, n := range []uint32{0, 1, 256, 257} {
		l.set(fmt.Sprintf("channels: %d", n), func(c *MapCase) { c.Channels, c.Swizzle = n, "none" })
	}
	for _, n := range []uint32{0, 1, 1023, 1024, 1025} {
		l.set(fmt.Sprintf("pixels: %d", n), func(c *MapCase) { c.Pixels = n })
	}
	for rank, edge := range map[int]int32{3: 1 << 15, 4: 1 << 7, 5: 1 << 4} {
		for _, n := range []int32{-edge - 1, -edge, edge - 1, edge} {
			for _, upper := range []bool{false, true} {
				rule := fmt.Sprintf("im2col: rank %d, upper %v: corner: %d", rank, upper, n)
				l.all = append(l.all, limit{rule, l.base, func(r mapDraw, c *MapCase) bool {
					if len(c.Dims) != rank {
						return false
					}
					corner := c.Lower
					if upper {
						corner = c.Upper
					}
					corner[r.IntN(len(corner))] = n
					return true
				}})
			}
		}
	}
	return l.all
}

// trim removes steps that are all 1.
func (c *MapCase) trim() {
	if !slices.ContainsFunc(c.Steps, func(s uint32) bool { return s != 1 }) {
		c.Steps = nil
	}
}

// MapCases returns n tensor maps: each limit of a rule in turn.
func MapCases(n int) []MapCase {
	r := mapDraw{rand.New(rand.NewPCG(17, 2026))}
	all := limits()
	var cases []MapCase
	for i := 0; len(cases) < n; i++ {
		l := all[i%len(all)]
		c := l.base(r)
		if l.to(r, &c) {
			c.Rule = l.rule
			c.trim()
			cases = append(cases, c)
		}
	}
	return cases
}
