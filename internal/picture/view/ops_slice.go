package view

import (
	"fmt"

	"girih/cute"
	"girih/internal/picture/draw"
)

// Slice draws a slice: the whole layout with the elements that the coordinate leaves open highlighted, and the slice
// itself, which begins at the offset of the fixed modes. It returns the errors of [cute.Layout.SliceAndOffset], and
// cute.CodeExtent for a coordinate outside of the shape.
func Slice(a cute.Layout, c cute.Coord, o Options) (*draw.Scene, error) {
	r, base, err := a.SliceAndOffset(c)
	if err != nil {
		return nil, err
	}
	if err := inside(c, a.Shape()); err != nil {
		return nil, err
	}
	title := fmt.Sprintf("%v%s = %v + %v", a, coordText(c), base, r)
	if s := large(title, o, []string{"A", "the slice"}, a, r); s != nil {
		return s, nil
	}
	in, err := inSlice(a.Shape(), c)
	if err != nil {
		return nil, err
	}
	texts, err := values(a)
	if err != nil {
		return nil, err
	}
	whole := newSheet("A: "+short(a.String(), 48), a.Shape(), o, func(i int64) cell {
		x := cell{text: texts[i], key: fmt.Sprintf("a%d", i)}
		if in[i] {
			x.mark = markFocus
		} else {
			x.mark = markFaint
		}
		return x
	})
	whole.frame(o.theme().Select, 2.5, func(i int64) bool { return in[i] })
	cut, err := values(r)
	if err != nil {
		return nil, err
	}
	part := newSheet(fmt.Sprintf("%s: %v, from offset %v on", coordText(c), r, base), r.Shape(), o, func(i int64) cell {
		return cell{text: cut[i], mark: markFocus, key: fmt.Sprintf("r%d", i)}
	})
	sameCells(o, whole, part)
	f := frame{title: title, body: line(o, whole, between("→"), part)}
	f.notes = []string{
		fmt.Sprintf("Highlighted: the %d of %d elements that %s picks. The slice counts from its own origin, the offset %v.",
			r.Size(), a.Size(), coordText(c), base),
	}
	f.notes = append(f.notes, bare(whole)...)
	return f.draw(o), nil
}

func coordText(c cute.Coord) string {
	if text := c.String(); text != "" && text[0] == '(' {
		return text
	}
	return "(" + c.String() + ")"
}

// inSlice reports for each index of a shape whether a coordinate with open modes picks it, that is whether the slice
// of the layout of indices contains it.
func inSlice(shape cute.Tuple, c cute.Coord) ([]bool, error) {
	id, err := cute.LayoutLeft(shape)
	if err != nil {
		return nil, err
	}
	l, base, err := id.SliceAndOffset(c)
	if err != nil {
		return nil, err
	}
	from, _ := base.Int64()
	in := make([]bool, id.Size())
	for i := range l.Size() {
		x, err := l.At(i)
		if err != nil {
			return nil, err
		}
		if x += from; x >= 0 && x < id.Size() {
			in[x] = true
		}
	}
	return in, nil
}
