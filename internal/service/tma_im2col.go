package service

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/symbolic"
	"girih/tensormap"
)

// convolution plans an im2col copy.
func (j *tmaJob) convolution() TMAResponse {
	c, info := j.filter()
	if info != nil {
		return TMAResponse{Error: info, Fault: j.fault}
	}
	share := max(j.copy.Multicast, 1) // the number of CTAs that each load a part of the pixels for all of them
	if c.Pixels%share != 0 {
		return TMAResponse{Error: report.Of(&cute.Error{
			Code: cute.CodeNotDivisible, Op: "tma", Msg: fmt.Sprintf("%d CTAs do not share %d pixels evenly", share, c.Pixels),
			Hint: fmt.Sprintf("the nearest is %d pixels", (c.Pixels+share-1)/share*share),
		})}
	}
	c.Pixels /= share
	p, out, err := j.convolve(&c)
	if err != nil {
		return TMAResponse{Error: report.Of(err)}
	}
	p.Map.Promotion, p.Map.Fill = j.copy.Promotion, j.copy.Fill
	m := p.Map
	p.Expect = m.Bytes() * share
	r := j.response(p)
	r.Instructions, r.Expect, r.Shared, r.Output = 1, p.Expect, m.SharedBytes()*share, out
	if b := m.SharedBytes(); share > 1 && b%m.Align() != 0 {
		r.Legal = false
		r.Broken = append(r.Broken, TMABreach{
			Rule: "landing", Text: fmt.Sprintf("the part of a CTA has %d bytes, and the next begins at no multiple of %d", b,
				m.Align()),
			Change: "more pixels, or fewer CTAs that share them", Source: "CUDA Programming Guide, Tensor Memory Access",
		})
	}
	if info := j.taps(&r, c, m); info != nil {
		return TMAResponse{Error: info, Fault: j.fault}
	}
	r.verdict(m)
	j.conditions(&r, []tensormap.Outcome{{Plan: p}})
	if r.Legal {
		r.Code = tmaCode(j.writer().Im2col(c, p))
	}
	return r
}

// convolve plans the copy, and returns the extents of the result if the extents of the image are known.
func (j *tmaJob) convolve(c *tensormap.Convolution) (p tensormap.Plan, out []int64, err error) {
	if j.open != nil {
		shape, stride := j.open.Shape().Integers(), j.open.Stride().Integers()
		p, *c, err = c.Open(shape, stride)
		return p, nil, err
	}
	if p.Map, err = c.Map(); err != nil {
		return p, nil, err
	}
	out, err = c.Output()
	return p, out, err
}

// filter reads the convolution: the image, the words of --im2col, and the box.
func (j *tmaJob) filter() (tensormap.Convolution, *report.Error) {
	c := tensormap.Convolution{Type: j.copy.Type, Address: j.copy.Address, Swizzle: tensormap.Swizzle128B}
	if info := j.image(&c); info != nil {
		return c, info
	}
	if info := j.filterWords(&c); info != nil {
		return c, info
	}
	box, ok := tmaNumbers(j.req.Box)
	if !ok || len(box) != 2 {
		return c, j.wrong("with --im2col, --box has the pixels and the channels of one copy: --box 128,64")
	}
	c.Pixels, c.Channels = box[0], box[1]
	info := j.filterSwizzle(&c)
	return c, info
}

// image sets the extents and the strides of the image. Extents and strides known only at run time are in
// j.open.
func (j *tmaJob) image(c *tensormap.Convolution) *report.Error {
	switch t := j.value.(type) {
	case eval.Tuple:
		c.Image = t.Leaves()
	case eval.DynamicTuple:
		if info := j.channelsLast(t.Tuple); info != nil {
			return info
		}
		c.Image = make([]int64, len(j.open.Shape().Integers()))
	case eval.DynamicLayout:
		for _, m := range j.open.Modes() {
			if _, ok := m.Shape().Int(); !ok {
				return j.wrong("expected one extent for each of N, D, H, W and C, found %s", m.Shape())
			}
		}
		c.Image = make([]int64, len(j.open.Modes()))
	default:
		for _, m := range j.copy.Global.Modes() {
			if m.Shape().Rank() != 1 {
				return j.wrong("expected one extent for each of N, D, H, W and C, found %s", m.Shape())
			}
			c.Image = append(c.Image, m.Size())
			c.Strides = append(c.Strides, m.Stride().Flatten().Leaves()...)
		}
	}
	return nil
}

// filterWords reads the words of --im2col: alternating names and numbers. A single number applies to all
// dimensions.
func (j *tmaJob) filterWords(c *tensormap.Convolution) *report.Error {
	fields := map[string]*[]int64{
		"filter": &c.Filter, "kernel": &c.Filter, "kernel_size": &c.Filter, "pad": &c.Lower, "padding": &c.Lower,
		"lower": &c.Lower, "upper": &c.Upper, "stride": &c.Stride, "strides": &c.Stride, "dilation": &c.Dilated,
		"dilated": &c.Dilated,
	}
	n := len(c.Image) - 2
	words := strings.Fields(strings.NewReplacer("=", " ", ":", " ", ";", " ").Replace(j.req.Im2col))
	for i := 0; i < len(words); i += 2 {
		if i+1 == len(words) {
			return j.wrong("expected numbers after %s in --im2col", words[i])
		}
		list, ok := tmaNumbers(words[i+1])
		if !ok {
			return j.wrong("expected numbers after %s in --im2col, found %.40q", words[i], words[i+1])
		}
		field := fields[strings.ToLower(strings.TrimLeft(words[i], "-"))]
		if field == nil {
			return j.wrong("expected filter, pad, upper, stride or dilation in --im2col, found %.40q", words[i])
		}
		if *field = list; len(list) == 1 && n > 1 {
			*field = slices.Repeat(list, n)
		}
	}
	return nil
}

// filterSwizzle sets the swizzle of the request, or the swizzle, if any, that spans exactly the channels of a pixel.
func (j *tmaJob) filterSwizzle(c *tensormap.Convolution) *report.Error {
	if j.req.Swizzle != "" {
		var err error
		if c.Swizzle, err = tensormap.ParseSwizzle(j.req.Swizzle); err != nil {
			j.fault = Fault{Usage: true}
			return report.Of(err)
		}
		return nil
	}
	row := c.Channels * c.Type.Bits()
	for c.Swizzle > tensormap.SwizzleNone && row != c.Swizzle.Span()*8 {
		c.Swizzle--
	}
	if c.Swizzle == tensormap.SwizzleNone && row > 128*8 {
		j.notes = append(j.notes, fmt.Sprintf("%d channels are more than the 128 bytes that a swizzle spans: without one this is one copy; %d channels "+
			"of each pixel, in several copies, take CU_TENSOR_MAP_SWIZZLE_128B", c.Channels, 128*8/c.Type.Bits()))
	}
	return nil
}

// channelsLast makes a tensor from a bare shape: packed, with the channels last.
func (j *tmaJob) channelsLast(t symbolic.Tuple) *report.Error {
	l, err := symbolic.LayoutRight(t)
	if err != nil {
		return report.Of(report.Under("tma", err))
	}
	j.open = &l
	return nil
}

// pixelsKnown reports whether the image's extents, other than the numbers of images and channels, are known.
func (j *tmaJob) pixelsKnown() bool {
	if j.open == nil {
		return true
	}
	list := j.open.Shape().Integers()
	return !slices.ContainsFunc(list[1:len(list)-1], func(x symbolic.Int) bool { _, known := x.Int64(); return !known })
}

// taps lists where the copies of a tile begin, one for each tap of the filter.
func (j *tmaJob) taps(r *TMAResponse, c tensormap.Convolution, m tensormap.Map) *report.Error {
	first := int64(0)
	if j.req.Tile != "" {
		list, ok := tmaNumbers(j.req.Tile)
		if !ok || list[0] < 0 || list[0] > 1<<40 {
			return j.wrong("expected the number of a tile of pixels, found %.40q", j.req.Tile)
		}
		first = list[0]
	}
	if !m.Legal() {
		return nil
	}
	if first+j.copy.Multicast > 1 && !j.pixelsKnown() {
		r.Notes = append(r.Notes, "where the pixels of a tile begin depends on extents of the image that are not known: no instruction is listed")
		return j.parts(r)
	}
	tap, share := make([]int64, len(c.Filter)), max(j.copy.Multicast, 1)
	for len(r.Issue) < 1<<10 {
		for cta := range share {
			s, err := c.Start((first*share+cta)*c.Pixels, 0, tap)
			if err != nil && cta > 0 { // the part begins after the last output
				continue
			}
			if err != nil {
				return report.Of(err)
			}
			r.Issue = append(r.Issue, TMACopy{CTA: cta, Coord: s.Coord, Offset: s.Offsets, Shared: cta * m.SharedBytes()})
		}
		if !nextTap(tap, c.Filter) {
			break
		}
	}
	return j.parts(r)
}

// nextTap counts through the taps of a filter, the last dimension fastest; false after the last one.
func nextTap(tap, filter []int64) bool {
	for i := len(tap) - 1; i >= 0; i-- {
		if tap[i]++; tap[i] < filter[i] {
			return true
		}
		tap[i] = 0
	}
	return false
}
