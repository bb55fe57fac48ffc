package descriptor

import (
	"girih/atom"
	"girih/cute"
)

// A window is the elements of a tile that one instruction reads: height by width from (row, k) on.
type window struct {
	tile          *Tile
	operand       Operand
	row, k, stage int64
	height, width int64
	address       int64 // the address of the tile, in bytes
}

// pieces are the pieces of 16 bytes of a window, for a major: where each begins, in bytes.
type pieces struct {
	window
	major         atom.Major
	along, across int64 // the numbers of pieces along the contiguous mode, and of rows of pieces
	at            []int64
}

// pieces finds the pieces of the window. It returns a misfit for the first one, in the order of core matrices, that is
// not 16 contiguous bytes at a multiple of 16.
func (w window) pieces(major atom.Major) (*pieces, *Misfit) {
	n := 128 / w.operand.Bits
	p := &pieces{window: w, major: major, along: w.width / n, across: w.height}
	if major == atom.MNMajor {
		p.along, p.across = w.height/n, w.width
	}
	if p.along*n*p.across != w.height*w.width {
		return p, p.misfit(0, 0, SW128, func(m *Misfit) { m.Short = true })
	}
	p.at = make([]int64, p.along*p.across)
	for i := range p.at {
		a, b := int64(i)%p.along, int64(i)/p.along
		first := p.element(a*n, b)
		at := first*w.operand.Bits/8 + w.address
		if first*w.operand.Bits%8 != 0 || at%unit != 0 {
			return p, p.misfit(a, b, SW128, func(m *Misfit) { m.At, m.Want = at, at/unit*unit })
		}
		for j := int64(1); j < n; j++ {
			if e := p.element(a*n+j, b); e != first+j {
				return p, p.misfit(a, b, SW128, func(m *Misfit) {
					m.Element = j
					m.At, m.Want = e*w.operand.Bits/8+w.address, at+j*w.operand.Bits/8
				})
			}
		}
		p.at[i] = at
	}
	return p, nil
}

// element returns the offset, in elements, of the element at (along, across).
func (p *pieces) element(along, across int64) int64 {
	if p.major == atom.MNMajor {
		along, across = across, along
	}
	return p.tile.at(p.row+across, p.k+along, p.stage)
}

// fields returns the descriptor that the pattern would have, with distances from the places of the pieces.
func (p *pieces) fields(pattern Pattern, base int64) Matrix {
	d := Matrix{Format: p.operand.Format, Pattern: pattern, Major: p.major, Base: base}
	linear := func(along, across int64) int64 { return pattern.swizzleByte(p.at[along+across*p.along], base) }
	d.Start = linear(0, 0)
	far := func(along, across int64) int64 {
		if along >= p.along || across >= p.across {
			return 0 // the result is not used
		}
		return linear(along, across) - d.Start
	}
	rows, width := pattern.Rows(), pattern.Width()/unit
	switch {
	case p.major == atom.KMajor && pattern == INTER:
		d.Leading, d.Stride = far(1, 0), far(0, rows)
	case p.major == atom.KMajor:
		d.Leading, d.Stride = unit, far(0, rows)
	case pattern == INTER:
		d.Leading, d.Stride = far(0, rows), far(1, 0)
	default:
		d.Leading, d.Stride = far(width, 0), far(0, rows)
	}
	return d
}

// agree counts the pieces that the descriptor finds, and returns the first one, in the order of core matrices, that it
// does not.
func (p *pieces) agree(d Matrix, most int) (found int, along, across int64) {
	along = -1
	if d.Major == atom.KMajor && d.Pattern != INTER && p.along*unit > d.Pattern.Width() {
		// The row of the pattern is shorter than the row of the instruction. The PTX ISA describes no layout for this
		// case, but an H200 continues reading at the leading offset.
		return 0, d.Pattern.Width() / unit, 0
	}
	bad := 0
	for b0 := int64(0); b0 < p.across; b0 += 8 {
		for a := range p.along {
			for b := b0; b < min(b0+8, p.across); b++ {
				if d.Pattern.swizzleByte(d.linear(a, b), d.Base) == p.at[a+b*p.along] {
					found++
					continue
				}
				if bad == 0 {
					along, across = a, b
				}
				if bad++; bad > most {
					return found, along, across
				}
			}
		}
	}
	return found, along, across
}

// fit finds the descriptor of the window. It tries the pattern and the major of another window if there is one, and
// otherwise all. If none fits it returns what is out of place under the pattern that finds the most pieces.
func (w window) fit(like *Matrix) (Matrix, *Misfit, error) {
	var worst *Misfit
	most := -1
	for _, major := range w.operand.Majors {
		if like != nil && like.Major != major {
			continue
		}
		p, bad := w.pieces(major)
		if bad != nil {
			if worst == nil {
				worst = bad
			}
			continue
		}
		for _, pattern := range w.operand.patterns(major) {
			if like != nil && like.Pattern != pattern {
				continue
			}
			d, found, bad := p.fitPattern(pattern)
			if bad == nil {
				return d, nil, nil
			}
			if found >= most {
				worst, most = bad, found
			}
		}
	}
	if worst == nil {
		return Matrix{}, nil, fail(cute.CodeType, "%v of %s has no pattern", w.operand.Which, w.operand.Name)
	}
	return Matrix{}, worst, nil
}

// fitPattern finds the descriptor of a pattern: first with the base offset of the tile's address, then with any. The
// number of pieces found counts without a base offset.
func (p *pieces) fitPattern(pattern Pattern) (d Matrix, found int, bad *Misfit) {
	first, bases := p.address>>7&7, int64(8)
	if pattern == INTER {
		first, bases = 0, 1
	}
	for i := range bases {
		e := p.fields(pattern, first^i)
		if _, along, _ := p.agree(e, 0); along < 0 && e.Check() == nil {
			return e, len(p.at), nil
		}
	}
	d = p.fields(pattern, first)
	found, along, across := p.agree(d, len(p.at))
	if along < 0 {
		return d, found, p.misfit(0, 0, pattern, func(m *Misfit) { m.Cause = d.Check() })
	}
	return d, found, p.misfit(along, across, pattern, func(m *Misfit) {
		m.Want, m.At = pattern.swizzleByte(d.linear(along, across), d.Base), p.at[along+across*p.along]
		m.Found, m.Of, m.Matrix = found, len(p.at), d
	})
}
