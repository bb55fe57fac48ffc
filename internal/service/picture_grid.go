package service

import (
	"errors"
	"fmt"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/internal/picture/draw"
	"girih/internal/picture/view"
)

// gridPictures are the pictures of layouts, swizzles, tilers and lists.
func gridPictures() []Picture {
	return []Picture{
		{
			Kind: "layout", Doc: "A grid of the offsets of a layout, composed layout or shape, one for each coordinate of " +
				"the modes after the second.",
			Example: "'((2,2),(4,2)):((1,8),(2,16))'", draw: drawLayout,
		},
		{
			Kind: "swizzle", Doc: "What a swizzle does to the offsets of a layout: which bits are added where, before, and " +
				"after; with the type of the elements by bank.",
			Example: "'Sw<3,3,3> o 0 o (8,64):(64,1)' --type f16", draw: drawSwizzle,
		},
		{
			Kind: "tile", Doc: "The elements that a tiler of one or two modes picks, numbered in its order.",
			Example: "'<2:2,(2,2):(1,4)>'", draw: drawTile,
		},
		{
			Kind: "list", Doc: "A list: numbers as marked places of a strip, anything else each for itself.",
			Example: "'image((4,4):(2,3))'", draw: drawList,
		},
	}
}

func drawLayout(d *drawJob) (*draw.Scene, error) {
	switch v := d.value.(type) {
	case eval.Layout:
		return view.Layout(v.Layout, d.opts)
	case eval.Composed:
		return view.ComposedLayout(v.Composed, d.opts)
	case eval.Xor:
		return view.Xor(v.XorLayout, d.opts)
	case eval.Tuple:
		l, err := cute.LayoutLeft(v.Tuple)
		if e, ok := errors.AsType[*cute.Error](err); ok {
			return nil, &cute.Error{
				Code: cute.CodeType, Op: "draw",
				Msg: fmt.Sprintf("there is nothing to draw of %s: it is no shape: %s", clip(v.String()), e.Msg),
			}
		}
		return view.Layout(l, d.opts)
	case eval.Swizzle:
		c, err := swizzleDomain(v.Swizzle)
		if err != nil {
			return nil, err
		}
		return view.ComposedLayout(c, d.opts)
	}
	return nil, d.mismatch("layout", "a layout, a composed layout, one with F2 strides or a shape")
}

// swizzleDomain applies a swizzle to a row-major tile of the swizzle's size: a row for each value of the added
// bits, as long as the range of the bits below them; 8 by 8 for the identity.
func swizzleDomain(w cute.Swizzle) (cute.Composed, error) {
	reach := max(w.S(), -w.S())
	low := w.M() + max(reach, 2)
	high := max(w.B(), 2)
	if low+high > 18 {
		return cute.Composed{}, &cute.Error{
			Code: cute.CodeLimit, Op: "draw", Msg: fmt.Sprintf("expected a swizzle of offsets below %d, found %v, which "+
				"needs offsets up to 2^%d", view.DrawnCells, w, low+high),
			Hint: fmt.Sprintf("apply it to a tile: %v o 0 o (8,64):(64,1)", w),
		}
	}
	rows, cols := int64(1)<<high, int64(1)<<low
	l, err := cute.New(cute.Ints(rows, cols), cute.Ints(cols, 1))
	if err != nil {
		return cute.Composed{}, err
	}
	return cute.NewComposed(w, cute.Int(0), l)
}

func drawSwizzle(d *drawJob) (*draw.Scene, error) {
	bits := 0
	if d.req.Type != "" {
		t, info := elementType(d.req.Type)
		if info != nil {
			return nil, d.wrong(info)
		}
		bits = t.Bits()
	}
	var c cute.Composed
	switch v := d.value.(type) {
	case eval.Swizzle:
		var err error
		if c, err = swizzleDomain(v.Swizzle); err != nil {
			return nil, err
		}
		if v.Swizzle.B() == 0 {
			return view.ComposedLayout(c, d.opts)
		}
	case eval.Composed:
		if c = v.Composed; c.Size() > view.DrawnCells && d.req.As == "" {
			return view.ComposedLayout(c, d.opts)
		}
	default:
		return nil, d.mismatch("swizzle", "a swizzle, or a swizzled layout")
	}
	return view.Swizzle(c, bits, d.opts)
}

// wrong is the error for a part of the request other than the expression.
func (d *drawJob) wrong(info *report.Error) error {
	d.usage = true
	return &cute.Error{Code: cute.Code(info.Code), Msg: info.Message, Hint: info.Hint}
}

func drawTile(d *drawJob) (*draw.Scene, error) {
	switch v := d.value.(type) {
	case eval.Tile:
		return view.Tile(v.Tile, d.opts)
	case eval.Layout:
		return view.Tile(v.Layout, d.opts)
	case eval.Tuple:
		return view.Tile(v.Tuple, d.opts)
	}
	return nil, d.mismatch("tile", "a tiler")
}

// listed limits the values of a list that are drawn one by one.
const listed = 16

func drawList(d *drawJob) (*draw.Scene, error) {
	list, ok := d.value.(eval.List)
	if !ok {
		return nil, d.mismatch("list", "a list")
	}
	if len(list) == 0 {
		return nil, &cute.Error{Code: cute.CodeType, Op: "draw", Msg: "there is nothing to draw of an empty list"}
	}
	var xs []int64
	for _, v := range list {
		t, ok := v.(eval.Tuple)
		x, isInt := t.Int64()
		if !ok || !isInt {
			return d.each(list)
		}
		xs = append(xs, x)
	}
	return view.Numbers(clip(d.value.String()), xs, d.opts)
}

// each draws the values of a list one above the other.
func (d *drawJob) each(list eval.List) (*draw.Scene, error) {
	if len(list) > listed {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "draw", Msg: fmt.Sprintf("expected a list of at most %d values to draw, found %d",
				listed, len(list)),
			Hint: "draw one of them: get(..., 0)",
		}
	}
	var scenes []*draw.Scene
	for _, v := range list {
		e := &drawJob{session: d.session, req: d.req, opts: d.opts, value: v}
		e.opts.Title = ""
		kind, err := e.byDefault()
		if err != nil {
			return nil, err
		}
		s, err := findPicture(kind).draw(e)
		if err != nil {
			return nil, err
		}
		scenes = append(scenes, s)
	}
	return view.Stack(scenes, d.opts), nil
}
