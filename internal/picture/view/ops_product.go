package view

import (
	"errors"
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/picture/draw"
	"girih/internal/why/relation"
)

// Product draws a product of the block a with a tiler: the block, how it is repeated, and the result. In the result
// each copy of the block has its own hue, and each element of the block its own lightness. A line below shows the
// offsets in memory in the same colors, unless an offset is negative, too large or a coordinate. op is CuTe's name:
// logical_product, zipped_product, tiled_product, flat_product, blocked_product or raked_product; the last two accept a
// layout as the tiler. It returns cute.CodeName for another name, cute.CodeType for another tiler, and the errors of
// the product.
func Product(op string, a cute.Layout, t cute.Tiler, o Options) (*draw.Scene, error) {
	if !strings.HasSuffix(op, "_product") {
		return nil, unknownProduct(op)
	}
	d, err := cute.Derive(op, a, t)
	if err != nil {
		if e, ok := errors.AsType[*cute.Error](err); ok && e.Code == cute.CodeName {
			return nil, unknownProduct(op)
		}
		return nil, err
	}
	v := newProductPicture(op, d)
	v.opts = o
	return v.draw(fmt.Sprintf("%s(%v, %v) = %v", op, a, t, d.Result))
}

func unknownProduct(op string) error {
	return unknownOp("product", op, "logical_product, zipped_product, tiled_product, flat_product, blocked_product, raked_product")
}

// newProductPicture returns the picture of a product from its derivation: by a layout as a whole, which may have been
// written as an integer, or mode by mode.
func newProductPicture(op string, d *cute.Derivation) *productPicture {
	v := &productPicture{a: d.A, r: d.Result, raked: op == "raked_product"}
	v.byMode = op == "blocked_product" || v.raked
	if b, whole := d.B.(cute.Layout); whole {
		v.b = &b
	} else {
		v.byMode = op == "logical_product"
	}
	v.split, _ = relation.SplitOf(d)
	return v
}

// TileToShape draws tile_to_shape as [Product] draws a blocked product: the block, the numbers of the copies, and the
// result. It returns the errors of [cute.TileToShape].
func TileToShape(block cute.Layout, target, order cute.Tuple, o Options) (*draw.Scene, error) {
	d, err := cute.Derive("tile_to_shape", block, target, order)
	if err != nil {
		return nil, err
	}
	r := d.Result
	title := fmt.Sprintf("tile_to_shape(%v, %v) = %v", block, target, r)
	if order.Rank() > 0 {
		title = fmt.Sprintf("tile_to_shape(%v, %v, %v) = %v", block, target, order, r)
	}
	v := &productPicture{a: block, r: r, opts: o, byMode: true}
	v.split, _ = relation.SplitOf(d)
	return v.draw(title)
}

// A productPicture is a product to be drawn.
type productPicture struct {
	a, r   cute.Layout
	b      *cute.Layout // nil for a tile or a shape
	opts   Options
	byMode bool // mode i of the result is mode i of the block with its repeats; otherwise mode 0 is the block
	raked  bool // the repeats come first
	split  relation.Split
}

func (v *productPicture) draw(title string) (*draw.Scene, error) {
	if s := large(title, v.opts, []string{"A", "result"}, v.a, v.r); s != nil {
		return s, nil
	}
	t, n := v.opts.theme(), v.a.Size()
	count := v.r.Size() / n
	aText, err := values(v.a)
	if err != nil {
		return nil, err
	}
	rText, err := values(v.r)
	if err != nil {
		return nil, err
	}
	a := newSheet("A, the block: "+short(v.a.String(), 40), v.a.Shape(), v.opts, func(i int64) cell {
		return cell{fill: t.Shade(0, i, n), text: aText[i], key: fmt.Sprintf("a%d", i)}
	})
	b, err := v.copies(t, count)
	if err != nil {
		return nil, err
	}
	fill := func(i int64) draw.Color {
		p, q := v.split.At(i)
		return t.Shade(q, p, n)
	}
	r := newSheet("the result: "+v.form(), v.r.Shape(), v.opts, func(i int64) cell {
		return cell{fill: fill(i), text: rText[i], key: fmt.Sprintf("r%d", i)}
	})
	long := !v.byMode && !v.split.Kept && !squat(v.r.Shape(), sheetSide)
	if long {
		if r, err = v.starts(t); err != nil {
			return nil, err
		}
	} else {
		r.rules = nil
		r.part(t.Strong, 1.75, func(i int64) int64 { _, q := v.split.At(i); return q })
	}
	sameCells(v.opts, a, b, r)
	f := frame{title: title, body: line(v.opts, a, between("⊗"), b, between("="), r), legend: tileLegend(t, count, "copy")}
	if memory := v.memory(fill); memory != nil {
		f.body = above(f.body, memory)
	}
	f.notes = []string{
		fmt.Sprintf("%s of the block: the hue is the copy, the lightness the element of the block.",
			plural(int(count), "copy", "copies")),
	}
	if t.Classic {
		f.notes[0] = fmt.Sprintf("%s of the block: the color is the copy.", plural(int(count), "copy", "copies"))
	}
	if long {
		f.notes[0] += " The result is too long for one grid: it has the block at each of these offsets."
	}
	if count > int64(len(t.Hues)) {
		f.notes[0] += fmt.Sprintf(" Colors repeat after %d copies.", len(t.Hues))
	}
	f.notes = append(f.notes, bare(a, b, r)...)
	return f.draw(v.opts), nil
}

// starts returns the sheet of the offsets of the first elements of the copies.
func (v *productPicture) starts(t *draw.Theme) (*sheet, error) {
	modes := v.r.Modes()[1:]
	rest := modes[0]
	if len(modes) > 1 {
		var err error
		if rest, err = cute.MakeLayout(modes...); err != nil {
			return nil, err
		}
	}
	if v.a.Size()*rest.Size() != v.r.Size() { // in a flat product the block has several modes
		n := v.a.Size()
		text := make([]string, v.r.Size()/n)
		for q := range text {
			x, err := v.r.Eval(cute.Int(int64(q) * n))
			if err != nil {
				return nil, err
			}
			text[q] = x.String()
		}
		return newSheet("where the copies begin", cute.Int(v.r.Size()/n), v.opts, func(q int64) cell {
			return cell{fill: t.Hue(q), text: text[q], key: fmt.Sprintf("q%d", q)}
		}), nil
	}
	text, err := values(rest)
	if err != nil {
		return nil, err
	}
	return newSheet(fmt.Sprintf("where the copies begin: %s", short(rest.String(), 40)), rest.Shape(), v.opts,
		func(q int64) cell {
			return cell{fill: t.Hue(q), text: text[q], key: fmt.Sprintf("q%d", q)}
		}), nil
}

func (v *productPicture) form() string {
	switch {
	case v.raked:
		return "(repeats, block) in each mode"
	case v.split.Kept:
		return "the modes that are left alone stand among the repeats"
	case v.byMode:
		return "(block, repeats) in each mode"
	}
	return "a column is a copy"
}

// copies returns the sheet that shows how the block is repeated: the tiler if it is a layout, otherwise the numbers
// of the copies.
func (v *productPicture) copies(t *draw.Theme, count int64) (*sheet, error) {
	if v.b != nil && v.b.Size() == count {
		text, err := values(*v.b)
		if err != nil {
			return nil, err
		}
		return newSheet("B, how often: "+short(v.b.String(), 40), v.b.Shape(), v.opts, func(i int64) cell {
			return cell{fill: t.Hue(i), text: text[i], key: fmt.Sprintf("b%d", i)}
		}), nil
	}
	shape := cute.Ints(v.split.Parts()...)
	if !v.byMode && !v.split.Kept {
		modes := v.r.Shape().Modes()
		rest, err := cute.MakeTuple(modes[1:]...)
		if err != nil {
			return nil, err
		}
		if shape = rest; len(modes) == 2 && !modes[1].IsInt() {
			shape = modes[1]
		}
		if n, _ := shape.Product(); n != count {
			shape = cute.Ints(count)
		}
	}
	return newSheet("the copies", shape, v.opts, func(i int64) cell {
		return cell{fill: t.Hue(i), text: fmt.Sprint(i), key: fmt.Sprintf("b%d", i)}
	}), nil
}

// memory returns the line of the offsets in memory, in the colors of the elements of the result. It returns nil if an
// offset is negative, too large or a coordinate.
func (v *productPicture) memory(fill func(int64) draw.Color) part {
	offsets, err := v.r.AppendOffsets(nil)
	if err != nil || v.r.HasBasis() {
		return nil
	}
	l := &numberLine{title: "in memory"}
	for i, x := range offsets {
		if x < 0 || x >= lineCells {
			return nil
		}
		l.put(x, fill(int64(i)))
	}
	s := l.sheet(v.opts, 0)
	s.page(v.opts)
	return s
}
