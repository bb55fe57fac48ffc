package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih"
	"girih/draw"
)

// A field is a function on the coordinates of a shape, with its values: what a layout grid shows.
type field struct {
	title string
	shape girih.Tuple
	ints  []int64       // the values in colexicographic order,
	crds  []girih.Tuple // or these, where they are coordinates
	notes []string
	fixed *girih.Coord // which modes are fixed where, nil for none
}

// panel returns the name of the panel at a place along the modes after the first two: (_,_,3), or with the fixed modes where some
// are.
func (f *field) panel(at ...string) string {
	open := slices.Repeat([]string{"_"}, 2+len(at))
	if f.fixed != nil {
		open = open[:0]
		n := 0
		for _, m := range f.fixed.Modes() {
			open = append(open, m.String())
			if m.HasOpen() {
				n++
			}
			if m.HasOpen() && m.String() != "_" {
				n = -len(open) - len(at) // modes within modes are open: their names would be wrong
			}
		}
		if n != 2+len(at) {
			open = slices.Repeat([]string{"_"}, 2+len(at))
		}
	}
	k := 0
	for i, m := range open {
		if m == "_" {
			if k++; k > 2 {
				open[i] = at[k-3]
			}
		}
	}
	return "(" + strings.Join(open, ",") + ")"
}

// text returns the value at an index.
func (f *field) text(i int64) string {
	if f.crds != nil {
		return f.crds[i].String()
	}
	return strconv.FormatInt(f.ints[i], 10)
}

// tone returns the number by which the fill of a value is chosen.
func (f *field) tone(i int64) int64 {
	if f.crds == nil {
		return f.ints[i]
	}
	sum := int64(0)
	for _, x := range f.crds[i].Flatten().Leaves() {
		sum += x
	}
	return sum
}

// layoutField evaluates a layout, whose modes may be fixed, at all its coordinates.
func layoutField(l girih.Layout, o Options) (*field, error) {
	f := &field{title: l.String(), shape: l.Shape()}
	base := girih.Int(0)
	fixed, note, err := fixing(l.Shape(), o.Fix)
	if err != nil {
		return nil, err
	}
	if note != "" {
		f.notes = append(f.notes, note)
	}
	if fixed != nil {
		if l, base, err = l.SliceAndOffset(*fixed); err != nil {
			return nil, err
		}
		f.fixed = fixed
		f.title += " at " + fixed.String()
		f.shape = l.Shape()
	}
	if l.Size() > DrawnCells {
		return f, nil
	}
	if l.HasBasis() {
		return f, f.evaluate(l.Size(), func(i girih.Tuple) (girih.Tuple, error) {
			v, err := l.Eval(i)
			if err != nil || fixed == nil {
				return v, err
			}
			return v.Add(base)
		})
	}
	if f.ints, err = l.AppendOffsets(nil); err != nil {
		return nil, err
	}
	if b, ok := base.Int64(); ok && b != 0 {
		for i := range f.ints {
			f.ints[i] += b
		}
	}
	return f, nil
}

// composedField is layoutField of a composed layout.
func composedField(c girih.Composed, o Options) (*field, error) {
	f := &field{title: c.String(), shape: c.Shape()}
	fixed, note, err := fixing(c.Shape(), o.Fix)
	if err != nil {
		return nil, err
	}
	if note != "" {
		f.notes = append(f.notes, note)
	}
	if fixed != nil {
		if c, err = c.SliceAndOffset(*fixed); err != nil {
			return nil, err
		}
		f.fixed = fixed
		f.title += " at " + fixed.String()
		f.shape = c.Shape()
	}
	if c.Size() > DrawnCells {
		return f, nil
	}
	if c.HasBasis() {
		return f, f.evaluate(c.Size(), c.Eval)
	}
	f.ints, err = c.AppendOffsets(nil)
	return f, err
}

func (f *field) evaluate(size int64, at func(girih.Tuple) (girih.Tuple, error)) error {
	f.crds = make([]girih.Tuple, size)
	for i := range f.crds {
		var err error
		if f.crds[i], err = at(girih.Int(int64(i))); err != nil {
			return err
		}
	}
	return nil
}

// The modes that are drawn, and the panels that they make, at most.
const (
	drawnRank   = 4
	drawnPanels = 64
)

// fixing returns which modes to fix where: what the caller asks for, and 0 in the modes that a picture has no room for, with a
// sentence that says so. It returns girih.CodeNotCongruent for a coordinate that does not fit the shape.
func fixing(shape girih.Tuple, want girih.Coord) (*girih.Coord, string, error) {
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
		return nil, "", &girih.Error{
			Code: girih.CodeRank, Op: "draw",
			Msg: fmt.Sprintf("expected a coordinate that leaves at most %d modes of %s open, found %s, which leaves %d", drawnRank, shape, want, rest.Rank()),
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
	c, err := girih.ParseCoord("(" + strings.Join(open, ",") + ")")
	if err != nil {
		return nil, "", err
	}
	what := fmt.Sprintf("Mode %d of the %d is", keep, len(modes))
	if keep+1 < len(modes) {
		what = fmt.Sprintf("Modes %d to %d are", keep, len(modes)-1)
	}
	return &c, fmt.Sprintf("%s fixed at 0; fix them elsewhere for another slice, as in (%s).", what, strings.Join(example, ",")), nil
}

// inside refuses a coordinate beyond the shape.
func inside(c girih.Coord, shape girih.Tuple) error {
	if n, ok := shape.Int64(); ok || c.Rank() == 1 && !strings.HasPrefix(c.String(), "(") {
		if n == 0 {
			n, _ = shape.Product()
		}
		t, fixed := c.Tuple()
		if x, isInt := t.Int64(); fixed && isInt && (x < 0 || x >= n) {
			return &girih.Error{Code: girih.CodeExtent, Op: "draw", Msg: fmt.Sprintf("expected a coordinate from 0 to %d, found %d", n-1, x)}
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

// aliases returns for each index whether another one has the same value, and a sentence that says so, "" if there are none.
func (f *field) aliases() ([]bool, string) {
	n := len(f.ints)
	if n == 0 {
		return nil, ""
	}
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		switch x, y := f.ints[a], f.ints[b]; {
		case x < y || x == y && a < b:
			return -1
		}
		return 1
	})
	var flags []bool
	shared, first := 0, [2]int32{-1, -1}
	for i := 1; i < n; i++ {
		a, b := order[i-1], order[i]
		if f.ints[a] != f.ints[b] {
			continue
		}
		if flags == nil {
			flags = make([]bool, n)
		}
		if !flags[a] {
			shared++
			if first[0] < 0 || a < first[0] {
				first = [2]int32{a, b}
			}
		}
		flags[a], flags[b] = true, true
	}
	if flags == nil {
		return nil, ""
	}
	return flags, fmt.Sprintf("Aliases: %s held by more than one cell, first %d at %s and %s.",
		counted(shared, "offset is", "offsets are"), f.ints[first[0]], f.coord(int64(first[0])), f.coord(int64(first[1])))
}

// holes says which values between the least and the greatest are not there, or returns "".
func (f *field) holes() string {
	if len(f.ints) == 0 {
		return ""
	}
	sorted := slices.Clone(f.ints)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	lo, hi := sorted[0], sorted[len(sorted)-1]
	missing := uint64(hi) - uint64(lo) + 1 - uint64(len(sorted))
	if missing == 0 {
		return ""
	}
	at := lo
	for i := range sorted {
		if sorted[i] != lo+int64(i) {
			at = lo + int64(i)
			break
		}
	}
	if missing == 1 {
		return fmt.Sprintf("Holes: no cell has offset %d; the others from %d to %d are there.", at, lo, hi)
	}
	return fmt.Sprintf("Holes: %d of the offsets from %d to %d belong to no cell, the first is %d.", missing, lo, hi, at)
}

// coord returns the coordinate of an index in the shape.
func (f *field) coord(i int64) string {
	c, err := girih.Idx2Crd(girih.Int(i), f.shape)
	if err != nil {
		return strconv.FormatInt(i, 10)
	}
	return c.String()
}

// counted returns "1 cell is" or "7 cells are".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// run returns the largest power of two v, at most most, such that all groups of v squares that start at multiples of v along an
// axis continue each other; across says which axis. next reports whether the square b continues a; both are row-major.
func run(rows, cols int, across bool, most int, next func(a, b int) bool) int {
	step, n, lines := cols, rows, cols
	if across {
		step, n, lines = 1, cols, rows
	}
	v := 1
	for 2*v <= most && n%(2*v) == 0 {
		v *= 2
	}
	for line := 0; line < lines && v > 1; line++ {
		base := line
		if across {
			base = line * cols
		}
		for i := 0; i+1 < n && v > 1; i++ {
			if (i+1)%v != 0 && !next(base+i*step, base+(i+1)*step) {
				for v > 1 && (i+1)%v != 0 {
					v /= 2
				}
			}
		}
	}
	return v
}

// shade returns the fill of a cell.
func shade(t *draw.Theme, by ColorBy, x, vector, warp int64) draw.Color {
	mod := func(x int64) int64 { return max(x, -(x + 1)) } // -1 is as good as 0, but no index is negative
	switch by {
	case ColorNone:
		return draw.None
	case ColorThread:
		return t.Hue(mod(x))
	case ColorWarp:
		return t.Hue(mod(x / warp))
	case ColorVector:
		return t.Hue(mod(x / max(vector, 1)))
	}
	return t.Offset(x)
}
