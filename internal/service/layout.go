package service

import (
	"fmt"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
)

// What Grid prints at most.
const (
	MaxGridCells = 1 << 16
	MaxGrids     = 64
)

// gridOperation is the row of layouts as text.
func gridOperation() Operation {
	return Operation{
		Name: "grid", Doc: "Print a layout as a grid of its offsets",
		Command: &Command{
			Use:   "layout EXPR",
			Args:  []string{"expr"},
			Wrong: "layout needs one expression",
			Flags: []Flag{
				{Field: "coords", Usage: "label the axes with nested coordinates such as (0,1)"},
			},
			Long: `Print a layout as a grid of its offsets, as CuTe's print_layout does: mode 0 goes
down, mode 1 across. Modes after these make one grid for each of their
coordinates. Composed layouts, such as swizzled ones, and layouts whose offsets
are coordinates are printed too; a shape is printed as its compact column-major
layout.`,
			Example: `  girih layout '((2,2),4):((1,8),2)'
  girih layout --coords '((2,2),4):((1,8),2)'
  girih layout 'Sw<2,0,3> o 0 o (8,8):(8,1)'
  girih layout 'get(zipped_divide((64,64):(64,1), <8,8>), 0)'`,
		},
		Form: &Form{Draws: "expr"},
		do: method[GridRequest, GridResponse]{
			do: (*Session).Grid,
			said: func(q GridRequest, r GridResponse, _ Door) Answer {
				return Answer{
					Fault: Fault{In: q.Expr}, OK: r.OK, Text: func() string { return r.Text }, Notes: r.Notes,
					Error: r.Error,
				}
			},
		}.caller(),
	}
}

// A GridRequest asks for a layout drawn as text.
type GridRequest struct {
	Expr   string `json:"expr"`
	Coords bool   `json:"coords,omitempty"` // label axes with nested coordinates, such as (0,1), instead of indices
}

// A GridResponse is the layout drawn as text, as CuTe's print_layout does: the layout on the first line, then a
// box for each offset, mode 0 down and mode 1 across.
type GridResponse struct {
	OK    bool          `json:"ok"`
	Kind  string        `json:"kind,omitempty"`
	Value string        `json:"value,omitempty"` // the layout
	Text  string        `json:"text,omitempty"`  // the layout as a picture of several lines
	Notes []string      `json:"notes,omitempty"`
	Error *report.Error `json:"error,omitempty"`
}

// Grid evaluates the program and draws the value of its last statement: a layout, a composed layout, or a shape, which
// is its compact column-major layout. A layout of rank 1 is one column. A layout of rank above 2 is drawn as one grid
// for each coordinate of the further modes, below a line such as (_,_,3). Above [MaxGridCells] elements or [MaxGrids]
// grids it returns an error of code "limit".
func (s *Session) Grid(req GridRequest) GridResponse {
	v, notes, fault := s.last(req.Expr)
	if fault != nil {
		return GridResponse{Error: fault}
	}
	t, err := tabulate(v.Value)
	if err != nil {
		info := report.Of(err)
		info.End = len(req.Expr)
		return GridResponse{Error: info}
	}
	label := labeller(appendIndex)
	if req.Coords {
		label = appendCoord
	}
	return GridResponse{OK: true, Kind: string(t.kind), Value: t.title, Text: t.draw(label), Notes: notes}
}

// A table is a function on the coordinates of a shape, with all values.
type table struct {
	kind   eval.Kind
	title  string
	modes  []cute.Tuple // the modes of the shape, at least 2
	cosize int64        // the cosize of the innermost layout, which gives the width of the cells; 0 on overflow
	ints   []int64      // the values in colexicographic order,
	coords []cute.Tuple // or in the same order coordinates, if ints cannot hold the values
}

// tabulate evaluates a function at all its coordinates, within the limits.
func tabulate(v eval.Value) (*table, error) {
	switch f := v.(type) {
	case nil:
		return nil, report.ErrNothing
	case eval.Tuple:
		l, err := cute.LayoutLeft(f.Tuple)
		if err != nil {
			return nil, err
		}
		return tabulate(eval.Layout{Layout: l})
	case eval.Layout:
		t, err := newTable(v, f.Layout)
		if err != nil {
			return nil, err
		}
		if f.HasBasis() {
			err = t.evaluate(f.Size(), f.Eval)
		} else {
			t.ints, err = f.AppendOffsets(nil)
		}
		return t, err
	case eval.Xor:
		l, err := cute.LayoutLeft(f.Shape())
		if err != nil {
			return nil, err
		}
		t, err := newTable(v, l)
		if err != nil {
			return nil, err
		}
		if t.ints, err = f.AppendOffsets(nil); err != nil {
			return nil, err
		}
		t.cosize, err = f.Cosize()
		return t, err
	case eval.Composed:
		t, err := newTable(v, f.Layout())
		if err != nil {
			return nil, err
		}
		return t, t.evaluate(f.Size(), f.Eval)
	}
	if r, ok := v.(eval.DynamicLayout); ok {
		return nil, &cute.Error{
			Code: cute.CodeUnknown, Msg: fmt.Sprintf("a grid needs integers that are known, found %s", r),
			Hint: "write numbers in the place of the run-time integers",
		}
	}
	return nil, notDrawn(v)
}

// newTable returns a table, still without values, for a function with the domain of l.
func newTable(v eval.Value, l cute.Layout) (*table, error) {
	t := &table{kind: v.Kind(), title: v.String(), modes: l.Shape().Modes()}
	if err := t.checkSize(l); err != nil {
		return nil, err
	}
	for len(t.modes) < 2 {
		t.modes = append(t.modes, cute.Int(1))
	}
	t.cosize, _ = l.Cosize() // where the cosize overflows, the values are wide themselves
	return t, nil
}

// evaluate fills the table from a function of the index.
func (t *table) evaluate(size int64, at func(cute.Tuple) (cute.Tuple, error)) error {
	t.coords = make([]cute.Tuple, size)
	for i := range t.coords {
		var err error
		if t.coords[i], err = at(cute.Int(int64(i))); err != nil {
			return err
		}
	}
	return nil
}

func notDrawn(v eval.Value) error {
	e := &cute.Error{
		Code: cute.CodeType, Op: "layout",
		Msg: fmt.Sprintf("a grid shows a layout, found a value of kind %s: %v", v.Kind(), v),
	}
	if v.Kind() == eval.KindSwizzle {
		e.Hint = fmt.Sprintf("apply it to a layout: %v o 0 o (8,8):(8,1)", v)
	}
	return e
}

func (t *table) checkSize(l cute.Layout) error {
	size := l.Size()
	if size > MaxGridCells {
		return &cute.Error{
			Code: cute.CodeLimit, Op: "layout",
			Msg:  fmt.Sprintf("%s has %d elements, a grid shows at most %d", t.title, size, MaxGridCells),
			Hint: fmt.Sprintf("take a tile of it, as in get(zipped_divide(%s, %s), 0)", t.title, tileOf(l.Rank())),
		}
	}
	if len(t.modes) <= 2 {
		return nil
	}
	cells := extent(t.modes[0]) * extent(t.modes[1]) // the product is at most size
	if grids := size / cells; grids > MaxGrids {
		return &cute.Error{
			Code: cute.CodeLimit, Op: "layout",
			Msg: fmt.Sprintf("%s is %d grids of %d by %d, one for each coordinate of the modes after the first two; at "+
				"most %d are shown",
				t.title, grids, extent(t.modes[0]), extent(t.modes[1]), MaxGrids),
			Hint: fmt.Sprintf("slice it, as in (%s)%s", t.title, openCoord(make([]int64, len(t.modes)-2))),
		}
	}
	return nil
}

// tileOf returns a tile of 16 by 16, or of 16 for rank 1.
func tileOf(rank int) string {
	if rank < 2 {
		return "<16>"
	}
	return "<16,16>"
}

// extent returns the size of a mode of a shape.
func extent(mode cute.Tuple) int64 {
	n, err := mode.Product()
	if err != nil {
		return 1 // cannot happen: the sizes of layouts fit
	}
	return n
}
