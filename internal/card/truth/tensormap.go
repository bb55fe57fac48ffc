package truth

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"girih/cute"
	"girih/tensormap"
)

// A MapCase is a tensor map that a driver is asked for, in the words of the driver, and what it said.
type MapCase struct {
	Rule     string   `json:"rule"` // that it is about, and on which side: "box at most 256: 257"
	Type     string   `json:"type"`
	Address  uint64   `json:"address"` // multiples of 16 and so on count, no memory is read
	Dims     []uint64 `json:"dims"`
	Strides  []uint64 `json:"strides"`
	Box      []uint32 `json:"box,omitempty"`
	Lower    []int32  `json:"lower,omitempty"`
	Upper    []int32  `json:"upper,omitempty"`
	Channels uint32   `json:"channels,omitempty"`
	Pixels   uint32   `json:"pixels,omitempty"`
	Steps    []uint32 `json:"steps,omitempty"` // none for ones

	Interleave string `json:"interleave,omitempty"`
	Swizzle    string `json:"swizzle,omitempty"`
	Promotion  int    `json:"promotion,omitempty"`
	NaN        bool   `json:"nan,omitempty"`

	Accepted bool `json:"accepted"`
}

// mapSwizzles and mapInterleaves are the driver's, in the order of its numbers.
var (
	mapSwizzles    = []string{"none", "32B", "64B", "128B", "128B_ATOM_32B", "128B_ATOM_32B_FLIP_8B", "128B_ATOM_64B"}
	mapInterleaves = []string{"none", "16B", "32B"}
)

// Map returns the map of a case, whose address is that of its memory and what the case adds. The error is that of a
// name that nothing has.
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

// bytes returns how many bytes an element has.
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

// tiled returns a random legal map of boxes of some rank.
func (r mapDraw) tiled(rank int) MapCase {
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

// interleaved returns a random legal map of slices of channels.
func (r mapDraw) interleaved() MapCase {
	c := r.tiled(3 + r.IntN(3))
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

// im2col returns a random legal map of pixels.
func (r mapDraw) im2col() MapCase {
	rank := 3 + r.IntN(3)
	c := r.tiled(rank)
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

// A limit moves a legal map to the limit of a rule, or past it.
type limit struct {
	rule string
	base func(r mapDraw) MapCase
	to   func(r mapDraw, c *MapCase) bool // false: the map has no such place
}

// limits are the documented rules, each at its limit and one past it.
func limits() []limit {
	var all []limit
	tiled := func(r mapDraw) MapCase { return r.tiled(1 + r.IntN(5)) }
	plain := func(r mapDraw) MapCase {
		c := r.tiled(2 + r.IntN(4))
		c.Swizzle = "none"
		return c
	}
	add := func(rule string, base func(mapDraw) MapCase, to func(mapDraw, *MapCase) bool) {
		all = append(all, limit{rule, base, to})
	}
	for _, base := range []struct {
		name string
		draw func(mapDraw) MapCase
	}{{"tiled", tiled}, {"interleaved", mapDraw.interleaved}, {"im2col", mapDraw.im2col}} {
		name := base.name
		add(name+": any", base.draw, func(mapDraw, *MapCase) bool { return true })
		for _, a := range []uint64{16, 32, 8, 4, 1} {
			add(fmt.Sprintf("%s: address past a multiple of 64: %d", name, a), base.draw, func(_ mapDraw, c *MapCase) bool {
				c.Address += a
				return true
			})
		}
		for _, d := range []uint64{0, 1, 1 << 32, 1<<32 + 1} {
			add(fmt.Sprintf("%s: extent: %d", name, d), base.draw, func(r mapDraw, c *MapCase) bool {
				i := len(c.Dims) - 1 // no stride depends on it
				c.Dims[i] = d
				return i > 0 || d < 1<<32
			})
		}
		for _, s := range []uint64{8, 16, 24, 32} {
			add(fmt.Sprintf("%s: stride past a multiple of 64: %d", name, s), base.draw, func(_ mapDraw, c *MapCase) bool {
				if len(c.Strides) == 0 {
					return false
				}
				i := len(c.Strides) - 1
				c.Strides[i] = up(c.Strides[i], 64) + s
				return true
			})
		}
		for _, s := range []uint64{1<<40 - 64, 1 << 40, 1<<40 + 64} {
			add(fmt.Sprintf("%s: stride: %d", name, s), base.draw, func(_ mapDraw, c *MapCase) bool {
				if len(c.Strides) == 0 {
					return false
				}
				c.Strides[len(c.Strides)-1] = s
				return true
			})
		}
		add(name+": stride smaller than the one before", base.draw, func(_ mapDraw, c *MapCase) bool {
			n := len(c.Strides)
			if n < 2 || c.Strides[n-2] < 64 {
				return false
			}
			c.Strides[n-1] = 32
			return true
		})
		add(name+": stride no multiple of the one before", base.draw, func(_ mapDraw, c *MapCase) bool {
			n := len(c.Strides)
			if n < 2 || c.Strides[n-2] < 64 {
				return false
			}
			c.Strides[n-1] = up(c.Strides[n-1], 32) + 32
			return c.Strides[n-1]%c.Strides[n-2] != 0
		})
		add(name+": stride of 0", base.draw, func(_ mapDraw, c *MapCase) bool {
			if len(c.Strides) == 0 {
				return false
			}
			c.Strides[len(c.Strides)-1] = 0
			return true
		})
		add(name+": rows overlap", base.draw, func(_ mapDraw, c *MapCase) bool {
			if len(c.Strides) == 0 || c.Dims[0]*c.bytes() <= 64 {
				return false
			}
			c.Strides[0] = 32
			return true
		})
		for _, s := range []uint32{0, 1, 8, 9} {
			for _, first := range []bool{true, false} {
				add(fmt.Sprintf("%s: step of the first mode %v: %d", name, first, s), base.draw, func(_ mapDraw, c *MapCase) bool {
					i := 0
					if !first {
						i = len(c.Steps) - 1
					}
					c.Steps[i] = s
					return first || i > 0
				})
			}
		}
		for i, s := range mapSwizzles {
			add(fmt.Sprintf("%s: swizzle: %s", name, s), base.draw, func(_ mapDraw, c *MapCase) bool {
				c.Swizzle = mapSwizzles[i]
				return true
			})
		}
		for i, s := range mapInterleaves {
			add(fmt.Sprintf("%s: interleave: %s", name, s), base.draw, func(_ mapDraw, c *MapCase) bool {
				c.Interleave = mapInterleaves[i]
				return true
			})
		}
		add(name+": NaN outside", base.draw, func(_ mapDraw, c *MapCase) bool { c.NaN = true; return true })
	}
	for _, b := range []uint32{0, 1, 256, 257} {
		add(fmt.Sprintf("tiled: box: %d", b), plain, func(_ mapDraw, c *MapCase) bool {
			c.Box[len(c.Box)-1] = b
			return true
		})
		add(fmt.Sprintf("tiled: inner box: %d", b), plain, func(_ mapDraw, c *MapCase) bool {
			c.Box[0] = b
			return true
		})
	}
	for _, less := range []uint64{0, 1, 8} {
		rule := fmt.Sprintf("tiled: inner box less than a multiple of 16 bytes by %d", less)
		add(rule, plain, func(_ mapDraw, c *MapCase) bool {
			if less%c.bytes() != 0 {
				return false
			}
			c.Box[0] -= uint32(less / c.bytes())
			return c.Box[0] > 0
		})
	}
	for i, s := range mapSwizzles[1:4] {
		for _, more := range []uint64{0, 16} {
			add(fmt.Sprintf("tiled: inner box: the span of %s and %d bytes", s, more), tiled, func(_ mapDraw, c *MapCase) bool {
				c.Swizzle = s
				c.Box[0] = uint32((uint64(32)<<i + more) / c.bytes())
				return c.Box[0] <= 256
			})
			rule := fmt.Sprintf("im2col: channels: the span of %s and %d bytes", s, more)
			add(rule, mapDraw.im2col, func(_ mapDraw, c *MapCase) bool {
				c.Swizzle = s
				c.Channels = uint32((uint64(32)<<i + more) / c.bytes())
				return c.Channels <= 256
			})
		}
	}
	for _, n := range []int{1, 2, 3} {
		for _, v := range mapInterleaves[1:] {
			add(fmt.Sprintf("tiled: interleave %s of rank %d", v, n), mapDraw.interleaved, func(_ mapDraw, c *MapCase) bool {
				c.Interleave = v
				c.Swizzle = map[string]string{"16B": "none", "32B": "32B"}[v]
				c.Dims, c.Strides, c.Box, c.Steps = c.Dims[:n], c.Strides[:n-1], c.Box[:n], c.Steps[:n]
				for i := range c.Strides {
					c.Strides[i] = up(c.Strides[i], 32)
				}
				return true
			})
		}
	}
	for _, n := range []uint32{0, 1, 256, 257} {
		add(fmt.Sprintf("im2col: channels: %d", n), mapDraw.im2col, func(_ mapDraw, c *MapCase) bool {
			c.Channels, c.Swizzle = n, "none"
			return true
		})
	}
	for _, n := range []uint32{0, 1, 1023, 1024, 1025} {
		add(fmt.Sprintf("im2col: pixels: %d", n), mapDraw.im2col, func(_ mapDraw, c *MapCase) bool {
			c.Pixels = n
			return true
		})
	}
	for rank, edge := range map[int]int32{3: 1 << 15, 4: 1 << 7, 5: 1 << 4} {
		for _, n := range []int32{-edge - 1, -edge, edge - 1, edge} {
			for _, upper := range []bool{false, true} {
				rule := fmt.Sprintf("im2col: rank %d, upper %v: corner: %d", rank, upper, n)
				add(rule, mapDraw.im2col, func(r mapDraw, c *MapCase) bool {
					if len(c.Dims) != rank {
						return false
					}
					corner := c.Lower
					if upper {
						corner = c.Upper
					}
					corner[r.IntN(len(corner))] = n
					return true
				})
			}
		}
	}
	slices.SortFunc(all, func(a, b limit) int {
		if a.rule < b.rule {
			return -1
		} else if a.rule > b.rule {
			return 1
		}
		return 0
	})
	return all
}

// trim leaves out steps that are all 1.
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
