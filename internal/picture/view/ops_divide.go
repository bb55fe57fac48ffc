package view

import (
	"errors"
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/picture/draw"
	"girih/internal/why/relation"
)

// Divide draws a divide of a by a tiler: all of a with its tiles, the first one framed, and the result as the
// operation arranges it. The hue is the tile, the lightness the place in it; padding is crossed out. op is CuTe's
// name: logical_divide, zipped_divide, tiled_divide or flat_divide, or one of them with _exact. It returns
// cute.CodeName for another name, and the errors of the divide.
func Divide(op string, a cute.Layout, t cute.Tiler, o Options) (*draw.Scene, error) {
	d, err := relation.Divide(op, a, t)
	if err != nil {
		if e, ok := errors.AsType[*cute.Error](err); ok && e.Code == cute.CodeName {
			return nil, unknownOp("divide", op, "logical_divide, zipped_divide, tiled_divide, flat_divide")
		}
		return nil, err
	}
	title := fmt.Sprintf("%s(%v, %v) = %v", op, a, t, d.Layout)
	if s := large(title, o, []string{"A", "result"}, a, d.Layout); s != nil {
		return s, nil
	}
	v := &dividePicture{a: a, d: d, opts: o}
	if err := v.tiles(t); err != nil {
		return nil, err
	}
	return v.draw(title, strings.TrimSuffix(op, "_exact"))
}

// A dividePicture is a divide to be drawn.
type dividePicture struct {
	a    cute.Layout
	d    relation.Division
	opts Options
	of   []int64 // by index of the result, the index in a; -1 for padding
	// For each index of a: its tile and its place in the tile; and the number of both.
	tile, place   []int64
	count, length int64
	zipped        cute.Layout
	full          bool // the first tile has no padding
}

// tiles finds the tile of each element from the zipped divide, in which each tile is a column.
func (v *dividePicture) tiles(t cute.Tiler) error {
	z, err := cute.ZippedDivide(v.a, t)
	if err != nil {
		return err
	}
	m, err := z.Mode(0)
	if err != nil {
		return err
	}
	v.zipped, v.length = z.Layout, m.Size()
	v.count = z.Size() / v.length
	if v.of, err = v.d.Elements(); err != nil {
		return err
	}
	v.full = true
	v.tile, v.place = make([]int64, v.a.Size()), make([]int64, v.a.Size())
	for i := len(v.of) - 1; i >= 0; i-- {
		place, tile := v.d.Split.At(int64(i))
		if j := v.of[i]; j >= 0 {
			v.tile[j], v.place[j] = tile, place
		} else if tile == 0 {
			v.full = false
		}
	}
	return nil
}

func (v *dividePicture) draw(title, op string) (*draw.Scene, error) {
	t := v.opts.theme()
	aText, err := values(v.a)
	if err != nil {
		return nil, err
	}
	dText, err := values(v.d.Layout)
	if err != nil {
		return nil, err
	}
	fill := func(j int64) draw.Color { return t.Shade(v.tile[j], v.place[j], v.length) }
	a := newSheet("A: "+short(v.a.String(), 48), v.a.Shape(), v.opts, func(j int64) cell {
		return cell{fill: fill(j), text: aText[j], key: fmt.Sprintf("a%d", j)}
	})
	a.rules = nil
	a.part(t.Strong, 1.75, func(j int64) int64 { return v.tile[j] })
	a.frame(t.Select, 3, func(j int64) bool { return v.tile[j] == 0 })
	if !strings.HasPrefix(op, "logical") && !squat(v.d.Shape(), sheetSide) {
		return v.modes(title, a)
	}
	padded := 0
	r := newSheet(arrangedAs[op], v.d.Shape(), v.opts, func(i int64) cell {
		if j := v.of[i]; j >= 0 {
			return cell{fill: fill(j), text: dText[i], key: fmt.Sprintf("r%d", i)}
		}
		padded++
		text := dText[i]
		if v.opts.Columns > 0 {
			text = "×" // characters cannot show diagonals
		}
		return cell{mark: markEmpty | markFaint, text: text, key: fmt.Sprintf("r%d", i)}
	})
	sameCells(v.opts, a, r)
	first := func(j int64) bool { return j >= 0 && v.tile[j] == 0 }
	r.rules = nil
	r.part(t.Strong, 1.75, func(i int64) int64 {
		if j := v.of[i]; j >= 0 {
			return v.tile[j]
		}
		return -1
	})
	r.frame(t.Select, 3, func(i int64) bool { return first(v.of[i]) })
	parts := []part{a, between("→"), r}
	if tile, err := v.first(); err != nil {
		return nil, err
	} else if tile != nil && !strings.HasPrefix(op, "logical") && !strings.HasPrefix(op, "flat") {
		tile.tight, tile.unitW, tile.unitH = r.tight, r.unitW, r.unitH
		parts = append(parts, tile)
	}
	f := frame{title: title, body: crossOut(line(v.opts, parts...), r, func(i int64) bool { return v.of[i] < 0 })}
	f.notes = []string{v.says(t) + " Both sides show A's values."}
	if padded > 0 {
		f.notes = append(f.notes, fmt.Sprintf("Crossed out: %s for no element of A. It was %s.",
			plural(padded, "cell stands", "cells stand"), v.d.Padding))
	}
	f.notes = append(f.notes, bare(a, r)...)
	f.legend = tileLegend(t, v.count, "tile")
	return f.draw(v.opts), nil
}

// first returns the first tile with its modes separated; in a zipped or tiled divide they form one column. It returns
// nil if the tile has one mode or contains padding.
func (v *dividePicture) first() (*sheet, error) {
	m, err := v.zipped.Mode(0)
	if err != nil || m.Rank() < 2 || !v.full {
		return nil, err
	}
	text, err := values(m)
	if err != nil {
		return nil, err
	}
	t := v.opts.theme()
	s := newSheet(fmt.Sprintf("the first tile: %v", m), m.Shape(), v.opts, func(p int64) cell {
		return cell{fill: t.Shade(0, p, v.length), text: text[p], key: fmt.Sprintf("t%d", p)}
	})
	s.rules = nil
	s.frame(t.Select, 3, func(int64) bool { return true })
	return s, nil
}

// says explains the colors.
func (v *dividePicture) says(t *draw.Theme) string {
	what := "the hue is the tile, the lightness the place in it"
	if t.Classic {
		what = "the color is the tile"
	}
	note := fmt.Sprintf("%s of %s: %s; the first tile is framed.", plural(int(v.count), "tile", "tiles"),
		plural(int(v.length), "element", "elements"), what)
	if v.count > int64(len(t.Hues)) {
		note += fmt.Sprintf(" Colors repeat after %d tiles.", len(t.Hues))
	}
	return note
}

// modes draws the result as its two modes, one tile and the start of each tile, for a result that would be too tall
// or too wide to view.
func (v *dividePicture) modes(title string, a *sheet) (*draw.Scene, error) {
	t := v.opts.theme()
	ms := v.zipped.Modes()
	in, err := values(ms[0])
	if err != nil {
		return nil, err
	}
	rest, err := cute.MakeLayout(ms[1:]...)
	if err != nil {
		return nil, err
	}
	if len(ms) == 2 {
		rest = ms[1]
	}
	at, err := values(rest)
	if err != nil {
		return nil, err
	}
	tile := newSheet(fmt.Sprintf("a tile: %v", ms[0]), ms[0].Shape(), v.opts, func(p int64) cell {
		return cell{fill: t.Shade(0, p, v.length), text: in[p], key: fmt.Sprintf("t%d", p)}
	})
	places := newSheet(fmt.Sprintf("where the tiles begin: %v", rest), rest.Shape(), v.opts, func(q int64) cell {
		return cell{fill: t.Hue(q), text: at[q], key: fmt.Sprintf("q%d", q)}
	})
	sameCells(v.opts, tile, places)
	tile.frame(t.Select, 3, func(int64) bool { return true })
	f := frame{
		title: title, body: line(v.opts, a, between("→"), &stack{parts: []part{tile, places}}),
		legend: tileLegend(t, v.count, "tile"),
	}
	f.notes = []string{v.says(t) + " The result is too long for one grid, so the modes of its tile and the modes of the rest are apart: their sum is A's value."}
	if !v.d.Padding.None() {
		f.notes = append(f.notes, fmt.Sprintf("It was %s; the padding is not drawn.", v.d.Padding))
	}
	f.notes = append(f.notes, bare(a, tile, places)...)
	return f.draw(v.opts), nil
}

// arrangedAs explains how each divide arranges its result.
var arrangedAs = map[string]string{
	"logical_divide": "(tile, rest) in each mode that is tiled",
	"zipped_divide":  "((tile), (rest)): a column is a tile",
	"tiled_divide":   "((tile), rest, rest, ...): a column is a tile",
	"flat_divide":    "(tile, ..., rest, ...): mode 0 down",
}

// tileLegend names the hue of each tile, if there are enough hues.
func tileLegend(t *draw.Theme, n int64, name string) legend {
	var l legend
	if n > int64(len(t.Hues)) {
		return l
	}
	for i := range n {
		l.items = append(l.items, swatch{fills: []draw.Color{t.Hue(i)}, text: fmt.Sprintf("%s %d", name, i)})
	}
	return l
}

// crossOut paints a diagonal through the cells of a sheet for which bad is true, when their places are known.
func crossOut(body part, s *sheet, bad func(i int64) bool) part {
	return &overlay{part: body, over: func(p *painter) {
		if p.opts.Columns > 0 {
			return
		}
		st := p.stroke(draw.Mix(p.theme.Soft, p.theme.Paper, 0.35), 0.75)
		for i := range s.size {
			if !bad(i) {
				continue
			}
			r, c := s.at(i)
			x, y := s.place(float64(r), float64(c))
			p.Line(st, x, y+s.unitH, x+s.unitW, y)
		}
	}}
}
