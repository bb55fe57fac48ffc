// Package relation says which elements of the operands of an operation belong to which elements of its result: what
// pictures paint in one color, and what a page lights together. It reads derivations and divides indices; it has no
// algebra of its own.
package relation

import (
	"strings"

	"girih/cute"
)

// A Split takes the index of an element of a divide or of a product apart: into the place of the element in its tile,
// or in the block that is repeated, and the number of the tile, or of the copy.
type Split struct {
	digits []digit
	// Kept is set if the tiler has nothing for some mode, which the form has among the tiles or the copies.
	Kept bool
}

// A digit of an index, the fastest one first, has n values. A step of it counts step in the place, or in the number.
type digit struct {
	n, step int64
	counts  bool // the number
}

// A mode of the left operand as an operation cuts or repeats it.
type mode struct {
	place, parts int64 // how many elements a tile or the block has in it, and how many there are of these
	left         bool  // the tiler has nothing for it
}

// SplitOf returns how the index of the result of a divide, a product or tile_to_shape is taken apart, as the operation
// came about. It reports whether d is one of these, with a result.
func SplitOf(d *cute.Derivation) (Split, bool) {
	form, product := strings.CutSuffix(strings.TrimSuffix(d.Op, "_exact"), "_product")
	if form, _ = strings.CutSuffix(form, "_divide"); !d.OK || !product && !divides(d) && form != "tile_to_shape" {
		return Split{}, false
	}
	modes := modesOf(d)
	s := Split{digits: digitsOf(form, modes)}
	for _, m := range modes {
		s.Kept = s.Kept || m.left && form != "logical"
	}
	return s, true
}

// divides reports whether a derivation is one of a divide.
func divides(d *cute.Derivation) bool {
	return strings.HasSuffix(strings.TrimSuffix(d.Op, "_exact"), "_divide")
}

// modesOf returns the modes of the left operand as the operation came about: one for a whole that is cut or repeated,
// or those that the tiler has a part for or leaves alone.
func modesOf(d *cute.Derivation) []mode {
	var modes []mode
	byMode := false
	for _, s := range d.Steps {
		switch s := s.(type) {
		case cute.Fill:
			modes = append(modes, mode{s.Block, s.Copies, false})
		case cute.Pair:
			modes = append(modes, mode{s.Block.Size(), s.Copies.Size(), false})
		case *cute.Derivation:
			if s.Op == d.Op {
				byMode = true
				modes = append(modes, modesOf(s)...)
			}
		}
	}
	n := d.A.Size()
	switch b, whole := d.B.(cute.Layout); {
	case len(modes) > 0 || byMode:
		return modes
	case whole && divides(d):
		return []mode{{b.Size(), d.Result.Size() / b.Size(), false}}
	case whole:
		return []mode{{n, d.Result.Size() / n, false}}
	case divides(d):
		return []mode{{1, n, true}}
	}
	return []mode{{n, 1, true}}
}

// digitsOf returns the digits in the order in which a form has them.
func digitsOf(form string, modes []mode) []digit {
	var first, rest []digit
	place, number := int64(1), int64(1)
	for _, m := range modes {
		in, part := digit{m.place, place, false}, digit{m.parts, number, true}
		place, number = place*m.place, number*m.parts
		switch {
		case form == "raked":
			first = append(first, part, in)
		case form == "blocked", form == "logical", form == "tile_to_shape":
			first = append(first, in, part)
		case m.left && m.parts == 1:
			rest = append(rest, in)
		case m.left:
			rest = append(rest, part)
		default:
			first, rest = append(first, in), append(rest, part)
		}
	}
	return append(first, rest...)
}

// Size returns how many elements the digits count.
func (s Split) Size() int64 {
	n := int64(1)
	for _, d := range s.digits {
		n *= d.n
	}
	return n
}

// At returns the place of element i in its tile or in the block, and the number of the tile or of the copy.
func (s Split) At(i int64) (place, number int64) {
	for _, d := range s.digits {
		if d.counts {
			number += i % d.n * d.step
		} else {
			place += i % d.n * d.step
		}
		i /= d.n
	}
	return place, number
}

// Parts returns the extents of the shape that the numbers of the tiles or of the copies count.
func (s Split) Parts() []int64 {
	var n []int64
	for _, d := range s.digits {
		if d.counts {
			n = append(n, d.n)
		}
	}
	return n
}
