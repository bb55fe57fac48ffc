package product

import (
	"math/rand/v2"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// A Cube is a matrix, or several, in memory.
type Cube struct {
	shape, stride []int64
	X             []float64 // by offset
}

// cubeOf draws small integers under a layout.
func cubeOf(l cute.Layout, t dtype.Type, r *rand.Rand) Cube {
	c := empty(l)
	for i := range c.X {
		if c.X[i] = float64(r.IntN(5) - 2); t == dtype.U8 {
			c.X[i] += 2
		}
	}
	return c
}

func empty(l cute.Layout) Cube {
	return Cube{l.Shape().Leaves(), l.Stride().Leaves(), make([]float64, kernel.Must(l.Cosize()))}
}

// At returns an element; a cube without a third mode is the same for all products.
func (c Cube) At(i, j, l int64) *float64 {
	at := i*c.stride[0] + j*c.stride[1]
	if len(c.stride) == 3 {
		at += l * c.stride[2]
	}
	return &c.X[at]
}

// under returns the cube under another layout.
func (c Cube) under(l cute.Layout) Cube {
	to := empty(l)
	products := int64(1)
	if len(to.shape) == 3 {
		products = to.shape[2]
	}
	for i := range to.shape[0] {
		for j := range to.shape[1] {
			for l := range products {
				*to.At(i, j, l) = *c.At(i, j, l)
			}
		}
	}
	return to
}
