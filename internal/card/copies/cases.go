package copies

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"girih/cute"
)

// A copyCase is a copy as other libraries describe it: a row-major tensor, or every n-th of its elements, permuted into
// another row-major tensor.
type copyCase struct {
	Name  string
	Shape []int64
	Perm  []int
	Step  []int64 // by mode of the source: the step; 1 for all elements
	Bytes int64
	goal  float64 // the smallest acceptable share of the speed of a device copy; 0 for none
}

// layouts returns the two layouts of the case, the last mode of the destination first.
func (c *copyCase) layouts() (src, dst cute.Layout, err error) {
	n := len(c.Shape)
	strides := make([]int64, n)
	next := int64(1)
	for i := n - 1; i >= 0; i-- {
		strides[i], next = next*c.Step[i], next*c.Shape[i]
	}
	var shape, from []int64
	for i := n - 1; i >= 0; i-- {
		m := c.Perm[i]
		shape = append(shape, (c.Shape[m]+c.Step[m]-1)/c.Step[m])
		from = append(from, strides[m])
	}
	if src, err = cute.New(cute.Ints(shape...), cute.Ints(from...)); err != nil {
		return src, dst, err
	}
	dst, err = cute.LayoutLeft(cute.Ints(shape...))
	return src, dst, err
}

// drawSeed is the seed of the permutations in the table of docs/performance.md.
const drawSeed = 2026

// copyCases returns the cases of the table: named cases, and permutations drawn with a seed.
func copyCases(seed uint64) []copyCase {
	all := func(name string, goal float64, bytes int64, shape []int64, perm ...int) copyCase {
		c := copyCase{Name: name, Shape: shape, Perm: perm, Bytes: bytes, goal: goal}
		for range shape {
			c.Step = append(c.Step, 1)
		}
		return c
	}
	big, five := []int64{16384, 16384}, []int64{24, 32, 40, 48, 56}
	out := []copyCase{
		all("16384x16384 transposed f16", 0.94, 2, big, 1, 0),
		all("16384x16384 transposed f32", 0.93, 4, big, 1, 0),
		all("16384x16384 transposed f64", 0.92, 8, big, 1, 0),
		all("16384x16384 transposed u8", 0.85, 1, big, 1, 0),
		all("NCHW to NHWC (64,256,112,112) f16", 0.85, 2, []int64{64, 256, 112, 112}, 0, 2, 3, 1),
		all("NHWC to NCHW (64,112,112,256) f16", 0.85, 2, []int64{64, 112, 112, 256}, 0, 3, 1, 2),
		all("heads (16,4096,32,128) to (16,32,4096,128) f16", 0.88, 2, []int64{16, 4096, 32, 128}, 0, 2, 1, 3),
		all("16x4095x4097 transposed f16", 0.75, 2, []int64{16, 4095, 4097}, 0, 2, 1),
		all("5-D (24,32,40,48,56) to (4,2,0,3,1) f32", 0.75, 4, five, 4, 2, 0, 3, 1),
		all("5-D (24,32,40,48,56) to (3,1,4,0,2) f16", 0.75, 2, five, 3, 1, 4, 0, 2),
		all("contiguous f16", 0.98, 2, []int64{1 << 28}, 0),
		all("NHWC to NCHW (256,512,512,3) u8", 0, 1, []int64{256, 512, 512, 3}, 0, 3, 1, 2),
		all("NCHW to NHWC (256,3,512,512) u8", 0, 1, []int64{256, 3, 512, 512}, 0, 2, 3, 1),
	}
	for _, s := range []int64{2, 3, 16} {
		out = append(out, copyCase{
			Name:  fmt.Sprintf("every %s element f32", map[int64]string{2: "second", 3: "third", 16: "16th"}[s]),
			Shape: []int64{1 << 28}, Perm: []int{0}, Step: []int64{s}, Bytes: 4,
		})
	}
	out = append(out, copyCase{
		Name: "every second row of 16384x16384 f16", Shape: big, Perm: []int{0, 1}, Step: []int64{2, 1}, Bytes: 2,
	})
	return append(out, drawnCases(20, seed)...)
}

// drawnCases are permutations of tensors of about 512 MiB, drawn with a seed: nothing is tuned for them.
func drawnCases(n int, seed uint64) []copyCase {
	rng := rand.New(rand.NewPCG(20, seed))
	var out []copyCase
	for len(out) < n {
		rank := 2 + rng.IntN(5)
		bytes := []int64{1, 2, 2, 4, 4, 8}[rng.IntN(6)]
		left := float64(int64(512<<20) / bytes)
		c := copyCase{Bytes: bytes, Perm: rng.Perm(rank)}
		moved := false
		for i := range rank {
			// Extents are drawn between a fourth and four times the extent of a cube.
			each := math.Pow(left, 1/float64(rank-i))
			e := int64(each)
			if i < rank-1 {
				e = max(int64(each*math.Pow(4, 2*rng.Float64()-1)), 2)
			}
			if rng.IntN(2) == 0 && e > 16 {
				e = e / 8 * 8
			}
			c.Shape, c.Step = append(c.Shape, e), append(c.Step, 1)
			left /= float64(e)
			moved = moved || c.Perm[i] != i
		}
		if !moved {
			continue
		}
		var shape, perm []string
		for i := range rank {
			shape, perm = append(shape, fmt.Sprint(c.Shape[i])), append(perm, fmt.Sprint(c.Perm[i]))
		}
		c.Name = fmt.Sprintf("drawn (%s) to (%s) %d bits", strings.Join(shape, ","), strings.Join(perm, ","), 8*bytes)
		out = append(out, c)
	}
	return out
}
