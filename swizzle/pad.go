package swizzle

import (
	"cmp"
	"slices"
	"sort"

	"girih/cute"
)

// A Padding is a layout with free elements after every row of some length.
type Padding struct {
	Layout cute.Layout // the padded layout
	Pads   []Pad       // the paddings, beginning with the innermost
	Bytes  int64       // by how many bytes the tile becomes longer, rounded up
}

// A Pad leaves Elements elements free after every Every elements of the layout before padding.
type Pad struct{ Every, Elements int64 }

// pads is the search for paddings.
type pads struct {
	t       *tile
	layout  cute.Layout
	extents []int64
	strides []int64
	period  int64 // how many elements one row of banks holds
	tried   int
}

// newPads returns the search, or false if the layout cannot be padded: it is composed, or a stride is negative.
func (t *tile) newPads() (*pads, bool) {
	l, ok := t.Layout.(cute.Layout)
	if !ok || l.HasBasis() {
		return nil, false
	}
	p := &pads{t: t, layout: l, extents: l.Shape().Leaves(), strides: l.Stride().Leaves()}
	for _, d := range p.strides {
		if d < 0 {
			return nil, false
		}
	}
	for _, a := range t.accesses {
		p.period = max(p.period, int64(a.rule.Banks())*32/int64(t.ElemBits))
	}
	p.period = max(p.period, 1)
	return p, true
}

// rows returns the distances after which free elements are possible: strides that divide all larger strides and exceed
// the reach of all smaller modes.
func (p *pads) rows(extents, strides []int64) []int64 {
	var rows []int64
	for _, s := range strides {
		if s <= 1 || slices.Contains(rows, s) {
			continue
		}
		inside, whole := int64(0), true
		for i, d := range strides {
			switch {
			case d < s:
				inside += d * (extents[i] - 1)
			case extents[i] > 1 && d%s != 0:
				whole = false
			}
		}
		if whole && inside < s {
			rows = append(rows, s)
		}
	}
	slices.Sort(rows)
	return rows
}

// padOffset moves an offset: add elements are left free after every `every` elements.
func padOffset(x, every, add int64) int64 { return x + x/every*add }

// moveBy moves an offset by pads, the inner pad first; the distance of each pad counts elements before any padding.
func moveBy(list []Pad, x int64) int64 {
	for i, pad := range list {
		every := pad.Every
		for _, before := range list[:i] {
			every = padOffset(every, before.Every, before.Elements)
		}
		x = padOffset(x, every, pad.Elements)
	}
	return x
}

// single returns, for each row length, the least padding that frees all accesses, the cheapest first. A pad longer than
// a row of banks changes banks like a pad shorter by one row of banks, so the search is complete.
func (p *pads) single() []Padding {
	var out []Padding
	for _, every := range p.rows(p.extents, p.strides) {
		for add := int64(1); add <= p.period; add++ {
			p.tried++
			f := func(x uint64) uint64 { return uint64(padOffset(int64(x), every, add)) }
			if p.t.conflictFree(f) {
				if pad, ok := p.padding([]Pad{{every, add}}); ok {
					out = append(out, pad)
				}
				break
			}
		}
	}
	sortPaddings(out)
	return out
}

// maxPairs bounds how many pairs of pads are simulated.
const maxPairs = 1 << 14

// double returns the paddings at two row lengths, the cheapest first, if there are not too many pairs to try.
func (p *pads) double() (out []Padding, done bool) {
	rows := p.rows(p.extents, p.strides)
	if n := int64(len(rows)); n*(n-1)/2*p.period*p.period > maxPairs {
		return nil, false
	}
	for i, inner := range rows {
		for _, outer := range rows[i+1:] {
			for a := int64(1); a <= p.period; a++ {
				every := padOffset(outer, inner, a)
				for b := int64(1); b <= p.period; b++ {
					p.tried++
					f := func(x uint64) uint64 { return uint64(padOffset(padOffset(int64(x), inner, a), every, b)) }
					if p.t.conflictFree(f) {
						if pad, ok := p.padding([]Pad{{inner, a}, {outer, b}}); ok {
							out = append(out, pad)
						}
						break
					}
				}
			}
		}
	}
	sortPaddings(out)
	return out, true
}

func sortPaddings(ps []Padding) {
	sort.SliceStable(ps, func(i, j int) bool {
		a, b := &ps[i], &ps[j]
		return cmp.Or(cmp.Compare(a.Bytes, b.Bytes), cmp.Compare(a.total(), b.total())) < 0
	})
}

func (p Padding) total() int64 {
	n := int64(0)
	for _, x := range p.Pads {
		n += x.Elements
	}
	return n
}

// padding returns the layout with pads, the inner one first.
func (p *pads) padding(list []Pad) (Padding, bool) {
	strides := slices.Clone(p.strides)
	for i, d := range strides {
		strides[i] = moveBy(list, d)
	}
	l, err := cute.New(cute.Ints(p.extents...), cute.Ints(strides...))
	if err != nil {
		return Padding{}, false
	}
	cosize, err := l.Cosize()
	if err != nil {
		return Padding{}, false
	}
	if l, err = l.Unflatten(p.layout.Shape()); err != nil {
		return Padding{}, false
	}
	longer := cosize - p.t.cosize
	return Padding{Layout: l, Pads: list, Bytes: (longer*int64(p.t.ElemBits) + 7) / 8}, true
}
