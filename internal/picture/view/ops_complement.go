package view

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/picture/draw"
)

// Complement draws the complement of a up to a cotarget: a, its complement, and the number line up to the cotarget.
// On the line, a's image has the first hue, and each shift of it by an element of the complement has another hue;
// together they cover the line. Each mode s:d of the complement is a span above the line that covers s times d. For a
// layout without a complement, it draws the image and the reason. It returns cute.CodeLimit for a cotarget above
// 1,024, cute.CodeCodomain for coordinate strides, cute.CodeNegative and cute.CodeExtent.
func Complement(a cute.Layout, cotarget cute.Tuple, o Options) (*draw.Scene, error) {
	if a.HasBasis() {
		return nil, &cute.Error{
			Code: cute.CodeCodomain, Op: "draw",
			Msg: fmt.Sprintf("expected integer strides for the number line of a complement, found %s", a),
		}
	}
	m, err := cotarget.Product()
	if err != nil {
		return nil, err
	}
	r, refused := cute.Complement(a, cotarget)
	title := fmt.Sprintf("complement(%v, %v)", a, cotarget)
	if refused == nil {
		title += fmt.Sprintf(" = %v", r)
	}
	image, err := a.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	if least := slices.Min(image); least < 0 {
		return nil, refused
	}
	// Unsigned, because the number after the largest int64 and the sum of two numbers must fit.
	top := max(uint64(max(m, 0)), uint64(slices.Max(image))+1)
	shifts := []int64{0}
	if refused == nil {
		if r.Size() > lineCells {
			return tooLong(uint64(r.Size()))
		}
		if shifts, err = r.AppendOffsets(nil); err != nil {
			return nil, err
		}
		top = max(top, uint64(slices.Max(image))+uint64(slices.Max(shifts))+1)
	}
	if top > lineCells || m < 1 {
		if m < 1 {
			return nil, refused
		}
		return tooLong(top)
	}
	v := &complementPicture{a: a, image: image, shifts: shifts, opts: o, cotarget: m, top: int64(top)}
	if refused != nil {
		return v.draw(title, nil, refused), nil
	}
	return v.draw(title, &r, nil), nil
}

func tooLong(n uint64) (*draw.Scene, error) {
	return nil, &cute.Error{
		Code: cute.CodeLimit, Op: "draw",
		Msg:  fmt.Sprintf("expected at most %d integers on the number line of a complement, found %d", lineCells, n),
		Hint: "draw it with smaller extents in the same order",
	}
}

// A complementPicture is a complement to be drawn.
type complementPicture struct {
	a             cute.Layout
	image, shifts []int64
	opts          Options
	cotarget, top int64
}

func (v *complementPicture) draw(title string, r *cute.Layout, refused error) *draw.Scene {
	t := v.opts.theme()
	n := int64(len(v.image))
	only := &numberLine{title: fmt.Sprintf("The image of A among 0 to %d: the rest is gaps", v.top-1)}
	only.grow(v.top)
	all := &numberLine{title: "A, shifted by each element of the complement"}
	all.grow(v.top)
	place := map[int64]int64{} // with a stride of 0, several indices have one number
	for i, x := range v.image {
		if _, ok := place[x]; !ok {
			place[x] = int64(i)
			only.put(x, t.Shade(0, int64(i), n))
		}
	}
	for q, s := range v.shifts {
		for i, x := range v.image {
			if place[x] == int64(i) {
				all.put(x+s, t.Shade(int64(q), int64(i), n))
			}
		}
	}
	a := newSheet("A: "+short(v.a.String(), 40), v.a.Shape(), v.opts, func(i int64) cell {
		return cell{fill: t.Shade(0, place[v.image[i]], n), text: fmt.Sprint(v.image[i]), key: fmt.Sprintf("a%d", i)}
	})
	f := frame{title: title}
	period := v.period(r)
	image := only.sheet(v.opts, period)
	image.key = "image"
	if refused != nil {
		f.body = above(a, image)
		f.notes = []string{"Refused: " + refused.Error() + "."}
		return f.draw(v.opts)
	}
	c := newSheet("its complement: "+short(r.String(), 40), r.Shape(), v.opts, func(i int64) cell {
		return cell{fill: t.Hue(i), text: fmt.Sprint(v.shifts[i]), key: fmt.Sprintf("c%d", i)}
	})
	sameCells(v.opts, a, c)
	cover := all.sheet(v.opts, period)
	cover.key = "cover"
	cover.frame(t.Select, 2.5, func(i int64) bool { return only.hits[i] > 0 })
	sameCells(v.opts, image, cover)
	f.body = above(line(v.opts, a, between("+"), c), image, withSpans(cover, spansOf(*r, cover.cols)))
	f.legend = tileLegend(t, int64(len(v.shifts)), "shift")
	for i := range f.legend.items {
		f.legend.items[i].text = fmt.Sprintf("+%d", v.shifts[i])
	}
	f.notes = v.notes(*r, all)
	return f.draw(v.opts)
}

// period returns the number of integers after which the picture repeats: the largest stride of the complement that
// fits in a line.
func (v *complementPicture) period(r *cute.Layout) int {
	if r == nil {
		return 0
	}
	p := int64(0)
	for _, d := range r.Stride().Flatten().Leaves() {
		if d <= 48 && d > 1 {
			p = max(p, d)
		}
	}
	return int(p)
}

// notes explain which part covers what, and the gaps mode by mode.
func (v *complementPicture) notes(r cute.Layout, all *numberLine) []string {
	missing, shared := all.counts()
	notes := []string{fmt.Sprintf("Framed: A itself. With its copies it covers 0 to %d, each integer once.", v.top-1)}
	if missing+shared > 0 {
		notes[0] = fmt.Sprintf(
			"Framed: A itself. With its copies it covers all but %d of 0 to %d; %d are covered more than once.", missing,
			v.top-1, shared)
	}
	sizes, strides := r.Shape().Flatten().Leaves(), r.Stride().Flatten().Leaves()
	for i := range sizes {
		if sizes[i] == 1 {
			continue
		}
		if strides[i] == 1 {
			notes = append(notes,
				fmt.Sprintf("Mode %d:%d of the complement: %d integers side by side fill the gap before A's next element.",
					sizes[i], strides[i], sizes[i]))
			continue
		}
		notes = append(notes, fmt.Sprintf(
			"Mode %d:%d of the complement: the block of %d that is full by then, %d times, fills %d.", sizes[i], strides[i],
			strides[i], sizes[i], sizes[i]*strides[i]))
	}
	if v.top > v.cotarget {
		notes = append(notes, fmt.Sprintf("The cotarget %d is rounded up to %d.", v.cotarget, v.top))
	}
	return notes
}

// A span is a bracket above the first line of a number line, divided into steps.
type span struct {
	steps, step int64
	text        string
}

// spansOf returns the spans of those modes of a complement that fit in the first line.
func spansOf(r cute.Layout, cols int) []span {
	sizes, strides := r.Shape().Flatten().Leaves(), r.Stride().Flatten().Leaves()
	var out []span
	for i, s := range sizes {
		if s > 1 && s*strides[i] <= int64(cols) {
			out = append(out, span{s, strides[i], fmt.Sprintf("%d:%d", s, strides[i])})
		}
	}
	return out
}

const spanRoom = 22.0

// withSpans puts spans above the squares of a sheet whose columns have no labels.
func withSpans(s *sheet, spans []span) part {
	room := spanRoom * float64(len(spans))
	title := s.title
	s.title = ""
	return &stack{gap: 2, parts: []part{
		&sketch{w: 0, h: titleRoom + room, draw: func(p *painter, x, y float64) {
			p.Text(p.bold(p.theme.Ink, 12, draw.Start), x, y+titleRoom/2-2, title)
			for k, sp := range spans {
				sp.paint(p, x, y+titleRoom+room-spanRoom*float64(k), s.unitW)
			}
		}},
		s,
	}}
}

// paint paints the bracket, which ends at y below.
func (sp span) paint(p *painter, x, y, unit float64) {
	st := p.stroke(p.theme.Soft, 1.25)
	end := x + unit*float64(sp.steps*sp.step)
	p.Line(st, x+1, y-5, end-1, y-5)
	for i := range sp.steps + 1 {
		at := min(max(x+unit*float64(i*sp.step), x+1), end-1)
		p.Line(st, at, y-7, at, y-3)
	}
	tx, anchor := (x+end)/2, draw.Middle
	if draw.TextWidth(sp.text, textSize) > end-x {
		tx, anchor = x, draw.Start
	}
	p.Text(p.ink(p.theme.Ink, textSize, anchor), tx, y-15, sp.text)
}
