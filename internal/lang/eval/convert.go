package eval

import (
	"fmt"
	"strings"

	"girih/cute"
)

// This file converts values to the kinds that functions expect, by the rules in the package comment.

// typeError returns the error for a value of the wrong kind.
func typeError(op, what, want string, found Value) *cute.Error {
	noun := article(found.Kind())
	if found.Kind() == KindInt && dynamic(found) {
		noun = "a run-time integer"
	}
	return &cute.Error{
		Code: cute.CodeType, Op: op,
		Msg: fmt.Sprintf("%s must be %s, found %s: %s", what, want, noun, found),
	}
}

// article returns a kind with its article: a tiled MMA, an MMA atom.
func article(k Kind) string {
	switch k {
	case KindBool:
		return "a truth value"
	case KindInt:
		return "an integer"
	case KindCoord:
		return "a coordinate with underscores"
	case KindXor:
		return "a layout with F2 strides"
	case KindF2:
		return "a number over F2"
	case KindIndexMap:
		return "a map of indices"
	}
	spelled := strings.NewReplacer("thr_mma", "ThrMMA", "thr_copy", "ThrCopy", "mma", "MMA", "tma", "TMA", "_", " ")
	noun := spelled.Replace(string(k))
	switch k {
	case KindOrder, KindEncoding, KindMMAAtom:
		return "an " + noun
	}
	return "a " + noun
}

// asLayout converts a value to a layout. A shape becomes its compact column-major layout.
func asLayout(v Value) (cute.Layout, error) {
	switch v := v.(type) {
	case Layout:
		return v.Layout, nil
	case Tuple:
		return cute.LayoutLeft(v.Tuple)
	}
	return cute.Layout{}, typeError("", "the operand", "a layout", v)
}

// asTiler converts a value to a tiler. A shape or a coordinate with underscores tiles mode by mode.
func asTiler(v Value) (cute.Tiler, error) {
	switch v := v.(type) {
	case Layout:
		return v.Layout, nil
	case Tuple:
		return v.Tuple, nil
	case Tile:
		return v.Tile, nil
	case Coord:
		return v.Coord.Tiler(), nil
	}
	return nil, typeError("", "the tiler", "a layout, a shape, a tile or _", v)
}

// checkShapes refuses a tiler that contains a tuple that is not a shape, so that the text of every tile can be read
// back.
func checkShapes(t cute.Tiler) error {
	switch t := t.(type) {
	case cute.Tuple:
		_, err := cute.LayoutLeft(t)
		return err
	case cute.Tile:
		for _, m := range t.Modes() {
			if err := checkShapes(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// asCoord converts a value to a coordinate.
func asCoord(v Value) (cute.Coord, error) {
	switch v := v.(type) {
	case Coord:
		return v.Coord, nil
	case Tuple:
		return cute.Fixed(v.Tuple)
	}
	return cute.Coord{}, typeError("", "the coordinate", "an integer, a tuple or _", v)
}
