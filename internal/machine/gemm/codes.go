package gemm

import (
	"math"

	"girih/dtype"
)

// This file looks up the codes of small types. Encoding a number takes some 50 ns, and large matrices have hundreds of
// millions of numbers, which rarely need rounding. A number of a type of at most 16 bits has at most 10 bits of
// significand after the leading one, unless it is a large integer, so the upper 19 bits of a float32 identify it.

// codes maps the numbers of a type to their codes.
type codes struct {
	t     dtype.Type
	of    []uint32 // 1 + the code, by the upper bits of the float32; 0 for none
	value []float64
}

const keyShift = 23 - 10 // the number of low bits of a float32 that are left out of the index

// newCodes returns the codes of a type of at most 16 bits; nil for other types, or if few numbers will be looked up.
func newCodes(t dtype.Type, numbers int) *codes {
	if t == dtype.B1 {
		t = dtype.U1
	}
	if t.Bits() > 16 || numbers < 4*chunk {
		return nil
	}
	c := &codes{t: t, of: make([]uint32, 1<<(32-keyShift)), value: make([]float64, 1<<t.Bits())}
	for code := range c.value {
		x, err := t.Decode(uint64(code))
		if err != nil {
			return nil
		}
		if c.value[code] = x; math.IsNaN(x) {
			continue
		}
		if key, ok := keyOf(x); ok && c.of[key] == 0 {
			c.of[key] = 1 + uint32(code)
		}
	}
	return c
}

func keyOf(x float64) (key uint32, ok bool) {
	f := float32(x)
	b := math.Float32bits(f)
	return b >> keyShift, float64(f) == x && b&(1<<keyShift-1) == 0
}

// find returns the code of a number of the type.
func (c *codes) find(x float64) (uint64, bool) {
	key, ok := keyOf(x)
	if !ok || c.of[key] == 0 {
		return 0, false
	}
	return uint64(c.of[key] - 1), true
}
