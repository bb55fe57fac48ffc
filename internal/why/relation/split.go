// Package relation relates the elements of an operation's operands to the elements of its result. Pictures paint
// related elements in one color, and the page highlights them together. The package reads derivations and divides
// indices; it has no algebra of its own.
package relation

import (
	"strings"

	"girih/cute"
)

// A Split splits the index of an element of a divide into its place in a tile and the number of the tile. For a
// product, the two parts are the place in the block and the number of the copy.
type Split struct {
	digits []digit
	// Kept reports that the tiler leaves some mode alone, and that the form counts this mode among the tiles or copies.
	Kept bool
}

// A digit of an index has n values. One step of the digit adds step to the number if counts is set, and to the place
// otherwise. Digits are sorted, the fastest first.
type digit struct {
	n, step int64
	counts  bool // a step adds to the number
}

// A mode is a mode of the left operand that an operation cuts or repeats.
type mode struct {
	place, parts int64 // the extent of a tile or of the block in this mode, and the number of tiles or copies
	left         bool  // the tiler leaves this mode alone
}

// SplitOf returns the split of the result's indices for the divide, product or tile_to_shape with derivation d. It
// reports false for other operations, and if d has no result.
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

// divides reports whether d is the derivation of a divide.
func divides(d *cute.Derivation) bool {
	return strings.HasSuffix(strings.TrimSuffix(d.Op, "_exact"), "_divide")
}

// modesOf returns the modes of the left operand in a derivation: a single mode if the operand is cut or repeated as a
// whole, or every mode if the tiler has parts.
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

// digitsOf returns the digits of an index in the order of the form, such as zipped or raked.
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

// Size returns the number of elements that the digits count.
func (s Split) Size() int64 {
	n := int64(1)
	for _, d := range s.digits {
		n *= d.n
	}
	return n
}

// At returns the place of element i in its tile or block, and the number of the tile or copy.
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

// Parts returns the extents of the digits that count the tiles or copies.
func (s Split) Parts() []int64 {
	var n []int64
	for _, d := range s.digits {
		if d.counts {
			n = append(n, d.n)
		}
	}
	return n
}
