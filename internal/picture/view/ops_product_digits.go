package view

import (
	"strings"

	"girih"
)

// This file takes the index of a product apart into an element of the block and a copy.

// A productDigit is a digit of the index of a product, the fastest one first: of the element of the block, or of the
// copy, where one step of it counts so many.
type productDigit struct {
	n, step int64
	copies  bool
}

// A productMode is a mode of the block with how often it is repeated.
type productMode struct {
	block, times int64
	left         bool // the tiler has nothing for it: in a zipped product it stands among the repeats
}

// digitsOf returns the digits in the order in which the form of a product has them.
func digitsOf(op string, modes []productMode) []productDigit {
	var blocks, repeats []productDigit
	place, copies := int64(1), int64(1)
	for _, m := range modes {
		blocks = append(blocks, productDigit{m.block, place, false})
		repeats = append(repeats, productDigit{m.times, copies, true})
		place, copies = place*m.block, copies*m.times
	}
	var first, rest []productDigit
	for i, m := range modes {
		switch {
		case op == "raked_product":
			first = append(first, repeats[i], blocks[i])
		case op == "blocked_product", op == "logical_product", op == "tile_to_shape":
			first = append(first, blocks[i], repeats[i])
		case m.left:
			rest = append(rest, blocks[i])
		default:
			first, rest = append(first, blocks[i]), append(rest, repeats[i])
		}
	}
	return append(first, rest...)
}

// productModes returns the modes of a product as it came about: one for a whole that is repeated, or those of the block
// that the tiler has a part for or leaves alone.
func productModes(d *girih.Derivation) []productMode {
	var modes []productMode
	byMode := false
	for _, s := range d.Steps {
		switch s := s.(type) {
		case girih.Pair:
			modes = append(modes, productMode{s.Block.Size(), s.Copies.Size(), false})
		case *girih.Derivation:
			if s.Op == d.Op {
				byMode = true
				modes = append(modes, productModes(s)...)
			}
		}
	}
	switch _, whole := d.B.(girih.Layout); {
	case len(modes) > 0 || byMode:
	case whole:
		modes = append(modes, productMode{d.A.Size(), d.Result.Size() / d.A.Size(), false})
	default:
		modes = append(modes, productMode{d.A.Size(), 1, true})
	}
	return modes
}

// leavesAlone reports whether the tiler has nothing for some mode, in a form that has it among the repeats.
func leavesAlone(op string, modes []productMode) bool {
	for _, m := range modes {
		if m.left && !strings.HasPrefix(op, "logical") {
			return true
		}
	}
	return false
}
