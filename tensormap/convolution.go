package tensormap

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/symbolic"
)

// A Convolution describes the activations of a convolution, for their im2col map. Its lists are in the order of
// frameworks: N, D, H, W, C, where D and H may be missing; lists about the filter have no N and no C.
type Convolution struct {
	Image   []int64 // the extents of the activations: (N,W,C), (N,H,W,C) or (N,D,H,W,C)
	Strides []int64 // the strides of the activations, in elements; nil for a packed tensor
	Filter  []int64 // the extents of the filter: (H,W)
	Lower   []int64 // the padding before each dimension, in pixels; nil for none
	Upper   []int64 // the padding after each dimension; nil for the same as Lower
	Stride  []int64 // the distance between outputs, in pixels; nil for ones
	Dilated []int64 // the distance between the taps of the filter, in pixels; nil for ones

	Type     Type
	Address  uint64
	Channels int64 // the channels that one instruction copies
	Pixels   int64 // the pixels that one instruction copies
	Swizzle  Swizzle
}

// fill gives missing lists their values.
func (c Convolution) fill() (Convolution, error) {
	n := len(c.Image) - 2
	if n < 1 || n > 3 {
		return c, refuse(cute.CodeRank, "(N,W,C), (N,H,W,C) or (N,D,H,W,C)", "the image has %d extents, not 3 to 5",
			len(c.Image))
	}
	some := func(xs []int64, x int64) []int64 {
		if xs == nil {
			return slices.Repeat([]int64{x}, n)
		}
		return xs
	}
	c.Lower, c.Stride, c.Dilated = some(c.Lower, 0), some(c.Stride, 1), some(c.Dilated, 1)
	if c.Upper == nil {
		c.Upper = c.Lower
	}
	if err := c.checkFilter(n); err != nil {
		return c, err
	}
	if c.Strides == nil {
		var err error
		if c.Strides, err = channelsLast(c.Image); err != nil {
			return c, err
		}
	}
	return c, c.checkStrides()
}

// checkFilter refuses lists that do not contain n numbers, and numbers impossible in a convolution.
func (c Convolution) checkFilter(n int) error {
	for _, xs := range [][]int64{c.Filter, c.Lower, c.Upper, c.Stride, c.Dilated} {
		if len(xs) != n {
			return refuse(cute.CodeRank, "one number for each of D, H and W", "expected %d numbers, found %v", n, xs)
		}
		for _, x := range xs {
			if x < 0 || x > 1<<20 {
				return refuse(cute.CodeLimit, "", "%d is outside 0 to 2^20", x)
			}
		}
	}
	for i := range n {
		if c.Filter[i] < 1 || c.Stride[i] < 1 || c.Dilated[i] < 1 {
			return refuse(cute.CodeExtent, "", "filter, stride and dilation are 1 or more, found %d, %d and %d",
				c.Filter[i], c.Stride[i], c.Dilated[i])
		}
	}
	return nil
}

// channelsLast returns the strides of a contiguous image whose last dimension, the channels, has stride 1.
func channelsLast(image []int64) ([]int64, error) {
	at := int64(1)
	strides := make([]int64, len(image))
	for i := len(image) - 1; i >= 0; i-- {
		strides[i] = at
		if image[i] < 1 || image[i] > 1<<32 || i > 0 && float64(at)*float64(image[i]) > 1<<50 {
			return nil, refuse(cute.CodeLimit, "", "the image has extents %v", image)
		}
		if i > 0 {
			at *= image[i]
		}
	}
	return strides, nil
}

// checkStrides refuses strides that are impossible in the channels-last format.
func (c Convolution) checkStrides() error {
	if len(c.Strides) != len(c.Image) {
		return refuse(cute.CodeRank, "", "expected %d strides, found %d", len(c.Image), len(c.Strides))
	}
	if last := c.Strides[len(c.Strides)-1]; last != 1 {
		return refuse(cute.CodeNotRepresentable, "use the channels-last format",
			"the channels have the stride %d, not 1", last)
	}
	for _, s := range c.Strides {
		if s < 0 || s > 1<<50 {
			return refuse(cute.CodeLimit, "", "the stride %d is outside 0 to 2^50", s)
		}
	}
	return nil
}

// Map returns the map, as CUTLASS makes it for the forward pass. The bounding box holds the pixels at which a filter
// can begin: its lower corner is the padding before the image, and its upper corner the padding after the image minus
// the reach of the filter, (extent - 1)·dilation. The stride of the convolution is the step from pixel to pixel
// (include/cute/atom/copy_traits_sm90_im2col.hpp). The map may be illegal. The error has the code CodeRank if the
// lengths of lists do not agree, CodeExtent and CodeLimit for numbers that no convolution has, and CodeNotRepresentable
// if the channels are not contiguous.
func (c Convolution) Map() (Map, error) {
	c, err := c.fill()
	if err != nil {
		return Map{}, err
	}
	n := len(c.Image) - 2
	m := Map{
		Mode: Im2col, Type: c.Type, Address: c.Address, Dims: []int64{c.Image[n+1]}, Steps: []int64{1}, Swizzle: c.Swizzle,
		Channels: c.Channels, Pixels: c.Pixels,
	}
	for i := n - 1; i >= 0; i-- {
		m.Dims = append(m.Dims, c.Image[i+1])
		m.Strides = append(m.Strides, c.Strides[i+1]*c.Type.Bits()/8)
		m.Steps = append(m.Steps, c.Stride[i])
		m.Lower = append(m.Lower, -c.Lower[i])
		m.Upper = append(m.Upper, c.Upper[i]-(c.Filter[i]-1)*c.Dilated[i])
	}
	m.Dims = append(m.Dims, c.Image[0])
	m.Strides = append(m.Strides, c.Strides[0]*c.Type.Bits()/8)
	m.Steps = append(m.Steps, 1)
	return m, nil
}

// Open returns the plan of an image whose extents and strides, in the order of Image, are known only at run time, and
// the convolution with numbers in their place; the numbers of c are ignored. The errors are the errors of
// [Convolution.Map], and CodeNotRepresentable if the stride of the channels is not known to be 1.
func (c Convolution) Open(image, strides []symbolic.Int) (Plan, Convolution, error) {
	numbers := func(xs []symbolic.Int) []int64 {
		out := make([]int64, len(xs))
		for i, x := range xs {
			var known bool
			if out[i], known = x.Int64(); !known {
				out[i] = 1 << 20 // no rule refuses it
			}
		}
		return out
	}
	n := len(image) - 1
	if _, known := strides[n].Int64(); !known {
		return Plan{}, c, refuse(cute.CodeNotRepresentable, "use the channels-last format", "the channels have the stride %s, not 1",
			strides[n].Numbered())
	}
	c.Image, c.Strides = numbers(image), numbers(strides)
	m, err := c.Map()
	if err != nil {
		return Plan{}, c, err
	}
	p := Plan{Map: m, Run: new(RunTime), tensor: tensor{at: &Case{}}}
	p.dimension(0, image[n], strides[n], mode{})
	for d := 1; d <= n; d++ { // W, H, D, N
		at := n - d
		p.dimension(d, image[at], strides[at], mode{})
		p.pixels(d, image[at], strides[at])
	}
	p.prune()
	return p, c, p.math.err
}

// pixels adds the rules of an im2col map for dimension d.
func (p *Plan) pixels(d int, extent, stride symbolic.Int) {
	below := symbolic.NoMore(symbolic.Const(0), stride)
	if holds, _ := below.Decide(); !holds {
		p.clause(mode{}, stride, Clause{Rule: RuleStrideLimit, Dim: d, If: below, Text: "not below 0", Change: "begin at the other end"})
	}
	i := d - 1
	if _, known := extent.Int64(); known || i >= len(p.Map.Lower) {
		return
	}
	least := p.Map.Lower[i] - p.Map.Upper[i] + 1
	p.clause(mode{}, extent, Clause{
		Rule: RuleArea, Dim: d, If: symbolic.NoMore(symbolic.Const(least), extent),
		Text:   fmt.Sprintf("at least %d so that the bounding box has a pixel", least),
		Change: "pad more: the filter is larger than the padded image",
	})
	p.Run.Clauses[len(p.Run.Clauses)-1].Dim = i // the dimension of the corners
}

// Output returns the extents of the result: (N,P,Q), or one fewer or more. The errors are the errors of
// [Convolution.Map], and CodeExtent if the filter is larger than the padded image.
func (c Convolution) Output() ([]int64, error) {
	c, err := c.fill()
	if err != nil {
		return nil, err
	}
	out := []int64{c.Image[0]}
	for i := range c.Filter {
		room := c.Image[i+1] + c.Lower[i] + c.Upper[i] - (c.Filter[i]-1)*c.Dilated[i] - 1
		if room < 0 {
			return nil, refuse(cute.CodeExtent, "pad more", "the filter is larger than the padded image in dimension %d", i+1)
		}
		out = append(out, room/c.Stride[i]+1)
	}
	return out, nil
}

// Start returns the beginning of the instruction that loads the pixels of the outputs from number p on, for one tap of
// the filter, (D,H,W), and the channels from number channel on. The errors are the errors of [Convolution.Output], and
// CodeMode for an output, a tap or a channel that does not exist.
func (c Convolution) Start(p, channel int64, tap []int64) (Start, error) {
	out, err := c.Output()
	if err != nil {
		return Start{}, err
	}
	c, _ = c.fill() // Output checked it
	n := len(c.Filter)
	if len(tap) != n || channel < 0 || channel >= c.Image[n+1] || p < 0 {
		return Start{}, refuse(cute.CodeMode, "", "there is no output %d, tap %v, channel %d", p, tap, channel)
	}
	s := Start{Coord: []int64{channel}}
	for i := n - 1; i >= 0; i-- {
		if tap[i] < 0 || tap[i] >= c.Filter[i] {
			return Start{}, refuse(cute.CodeMode, "", "there is no tap %v in a filter of %v", tap, c.Filter)
		}
		s.Coord = append(s.Coord, p%out[i+1]*c.Stride[i]-c.Lower[i])
		s.Offsets = append(s.Offsets, tap[i]*c.Dilated[i])
		p /= out[i+1]
	}
	s.Coord = append(s.Coord, p)
	if p >= c.Image[0] {
		return Start{}, refuse(cute.CodeMode, "", "image %d is not among the %d", p, c.Image[0])
	}
	return s, nil
}
