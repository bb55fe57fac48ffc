package triton

import (
	"slices"

	"girih/cute"
	"girih/linear"
)

// Names of input dimensions.
const (
	register  = "register"
	lane      = "lane"
	warp      = "warp"
	block     = "block"
	offset    = "offset"
	partition = "partition"
	row       = "row"
	col       = "col"
)

// A tile is a layout under construction: a product of identities, with the sizes of its output dimensions so far. The
// first error stays and makes later steps do nothing.
type tile struct {
	op   string
	ins  []linear.In
	size []int64
	err  error
}

// newTile returns the tile of one element of a tensor of the given rank, with the given input dimensions of size 1.
func newTile(op string, rank int, ins ...string) *tile {
	t := &tile{op: op, size: ones(rank)}
	for _, name := range ins {
		t.ins = append(t.ins, linear.In{Name: name})
	}
	return t
}

// in returns an input dimension. It appends the dimension if there is none with that name.
func (t *tile) in(name string) *linear.In {
	i := slices.IndexFunc(t.ins, func(in linear.In) bool { return in.Name == name })
	if i < 0 {
		i = len(t.ins)
		t.ins = append(t.ins, linear.In{Name: name})
	}
	return &t.ins[i]
}

// identity repeats the tile n times along a dimension of the tensor, counted by an input dimension. If n is 0, identity
// repeats it once.
func (t *tile) identity(in string, n int64, dim int) {
	for ; n > 1; n /= 2 {
		basis := make([]int64, len(t.size))
		basis[dim] = t.size[dim]
		t.push(in, basis)
		t.size[dim] = max(1, t.scale(2, dim))
	}
}

// zeros multiplies the size of an input dimension by n with zero bases.
func (t *tile) zeros(in string, n int64) {
	for ; n > 1; n /= 2 {
		t.push(in, make([]int64, len(t.size)))
	}
}

// push appends a basis vector unchanged.
//
//go:noinline
func (t *tile) push(in string, basis []int64) {
	d := t.in(in)
	d.Bases = append(d.Bases, basis)
}

// product appends the bases of an input dimension beyond the tile, as a product of layouts does. The sizes of the tile
// are multiplied afterwards, by times, because several input dimensions share them.
func (t *tile) product(in string, bases [][]int64) {
	for _, basis := range bases {
		beyond := make([]int64, len(t.size))
		for d, x := range basis {
			beyond[d] = t.scale(x, d)
		}
		t.push(in, beyond)
	}
}

// times multiplies the sizes.
func (t *tile) times(by []int64) {
	for d, n := range by {
		t.size[d] = max(1, t.scale(n, d))
	}
}

// scale returns x times the size of a dimension. If that is too large, it returns 0 and records an error.
func (t *tile) scale(x int64, dim int) int64 {
	if x > (1<<linear.MaxBits)/t.size[dim] {
		t.overflow(dim)
		return 0
	}
	return x * t.size[dim]
}

func (t *tile) overflow(dim int) {
	if t.err == nil {
		t.err = fail(cute.CodeOverflow, t.op, "expected at most 2^%d elements along a dimension, found more along dim%d",
			linear.MaxBits, dim)
	}
}

// nd repeats the tile along all dimensions, in that order.
func (t *tile) nd(in string, n []int64, order []int) {
	for _, d := range order {
		t.identity(in, n[d], d)
	}
}

// ndBroadcast is nd, but along one dimension the input dimension gets zero bases.
func (t *tile) ndBroadcast(in string, n []int64, order []int, still int) {
	for _, d := range order {
		if d == still {
			t.zeros(in, n[d])
		} else {
			t.identity(in, n[d], d)
		}
	}
}

// fit makes the tile as large as the shape: dimensions that are too small repeat, in the given order, in the first
// input dimension, and coordinates beyond the shape become 0.
func (t *tile) fit(shape []int64, order []int) {
	for _, d := range order {
		t.identity(t.ins[0].Name, shape[d]/t.size[d], d)
	}
	for _, in := range t.ins {
		for _, basis := range in.Bases {
			for d, n := range shape {
				if basis[d] >= n {
					basis[d] = 0
				}
			}
		}
	}
	copy(t.size, shape)
}

// layout returns the layout of the tile.
func (t *tile) layout() (linear.Layout, error) {
	if t.err != nil {
		return linear.Layout{}, t.err
	}
	outs := make([]linear.Dim, len(t.size))
	for d, n := range t.size {
		outs[d] = linear.Dim{Name: dimName(d), Size: n}
	}
	return linear.New(t.ins, outs)
}
