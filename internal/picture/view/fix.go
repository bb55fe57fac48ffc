package view

import (
	"fmt"
	"strings"

	"girih/cute"
)

// The largest numbers of modes and panels that are drawn.
const (
	drawnRank   = 4
	drawnPanels = 64
)

// fixing returns which modes to fix and where: as the caller requests, and at 0 for the modes that do not fit in the
// picture, with a sentence about the latter. It returns cute.CodeNotCongruent if the coordinate does not fit the
// shape.
func fixing(shape cute.Tuple, want cute.Coord) (*cute.Coord, string, error) {
	asked := want.String() != "()"
	modes := shape.Modes()
	if asked {
		rest, err := shape.Slice(want)
		if err != nil {
			return nil, "", err
		}
		if err := inside(want, shape); err != nil {
			return nil, "", err
		}
		if rest.Rank() <= drawnRank {
			return &want, "", nil
		}
		return nil, "", &cute.Error{
			Code: cute.CodeRank, Op: "draw",
			Msg: fmt.Sprintf("expected a coordinate that leaves at most %d modes of %s open, found %s, which leaves %d",
				drawnRank, shape, want, rest.Rank()),
		}
	}
	keep := len(modes)
	panels := int64(1)
	for i := 2; i < len(modes); i++ {
		n, _ := modes[i].Product()
		if panels *= min(n, drawnPanels+1); i >= drawnRank || panels > drawnPanels {
			keep = i
			break
		}
	}
	if keep == len(modes) {
		return nil, "", nil
	}
	var open, example []string
	for i := range modes {
		switch {
		case i < keep:
			open, example = append(open, "_"), append(example, "_")
		default:
			open = append(open, "0")
			last := "0"
			if i == len(modes)-1 {
				last = "1"
			}
			example = append(example, last)
		}
	}
	c, err := cute.ParseCoord("(" + strings.Join(open, ",") + ")")
	if err != nil {
		return nil, "", err
	}
	what := fmt.Sprintf("Mode %d of the %d is", keep, len(modes))
	if keep+1 < len(modes) {
		what = fmt.Sprintf("Modes %d to %d are", keep, len(modes)-1)
	}
	return &c, fmt.Sprintf("%s fixed at 0; fix them elsewhere for another slice, as in (%s).", what,
		strings.Join(example, ",")), nil
}

// inside returns an error for a coordinate outside of the shape.
func inside(c cute.Coord, shape cute.Tuple) error {
	if n, ok := shape.Int64(); ok || c.Rank() == 1 && !strings.HasPrefix(c.String(), "(") {
		if n == 0 {
			n, _ = shape.Product()
		}
		t, fixed := c.Tuple()
		if x, isInt := t.Int64(); fixed && isInt && (x < 0 || x >= n) {
			return &cute.Error{
				Code: cute.CodeExtent, Op: "draw", Msg: fmt.Sprintf("expected a coordinate from 0 to %d, found %d", n-1, x),
			}
		}
		return nil
	}
	modes := shape.Modes()
	for i, m := range c.Modes() {
		if i < len(modes) {
			if err := inside(m, modes[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
