package view

import (
	"fmt"

	"girih"
	"girih/atom"
	"girih/draw"
)

// TiledCopy draws the source and the destination of a TiledCopy side by side on its tile: who reads each element, and who writes
// it, as [TV] does. It returns the errors of TV.
func TiledCopy(c atom.TiledCopy, o Options) (*draw.Scene, error) {
	title := fmt.Sprintf("%s, %s, tile %s, %d threads", c.Atom().Name, c.Atom().Type, c.Shape(), c.Size())
	return twoPanels(title, c.LayoutSrcTV(), c.LayoutDstTV(), c.Shape(), o)
}

// CopyAtom draws the source and the destination of a copy instruction side by side. Its elements have no coordinates, only
// numbers; they are drawn in lines, as many to a line as one thread of the source has. It returns the errors of [TV].
func CopyAtom(a atom.CopyAtom, o Options) (*draw.Scene, error) {
	n := int64(0)
	for _, l := range []girih.Layout{a.ValSrc, a.ValDst} {
		size, err := l.Cosize()
		if err != nil {
			return nil, err
		}
		n = max(n, size)
	}
	line := min(a.NumValSrc(), 64)
	if line < 4 {
		line = 8
	}
	if n < line || n%line != 0 {
		line = n
	}
	title := fmt.Sprintf("%s, %s, %s", a.Name, a.Type, counted(int(a.Threads()), "thread", "threads"))
	// The numbers of the elements go across the lines: element i is in line i/line, at i modulo line.
	tile := girih.Ints(n/line, line)
	cross, err := girih.New(girih.Ints(line, n/line), girih.Ints(n/line, 1))
	if err != nil {
		return nil, err
	}
	src, err := girih.Composition(cross, a.ValSrc)
	if err != nil {
		return nil, err
	}
	dst, err := girih.Composition(cross, a.ValDst)
	if err != nil {
		return nil, err
	}
	return twoPanels(title, src, dst, tile, o)
}

// twoPanels draws a source and a destination.
func twoPanels(title string, src, dst girih.Layout, tile girih.Tuple, o Options) (*draw.Scene, error) {
	f := frame{title: title}
	var gs []part
	var hs []*holders
	for _, tv := range []girih.Layout{src, dst} {
		h, err := holdersOf(tv, tile)
		if err != nil {
			return nil, err
		}
		hs = append(hs, h)
	}
	looks := perPanel(hs, o)
	for i, name := range []string{"source", "destination"} {
		m := looks[hs[i]]
		g := m.grid(hs[i], 0)
		g.title, g.key = name, name
		gs = append(gs, g)
		f.notes = append(f.notes, m.notes(hs[i], name+": ")...)
		if n := m.detailNote(); n != "" {
			f.notes = append(f.notes, name+": "+n)
		}
		f.legend.merge(m.legend())
	}
	f.body = beside(gs...)
	return f.draw(o), nil
}
