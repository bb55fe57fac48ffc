package service

import (
	"fmt"
	"slices"
	"strconv"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
)

// MaxInspected is the number of elements of which [Session.Inspect] returns the places, in all operands together; of
// more it returns what does not grow with them.
const MaxInspected = 1 << 17

// An InspectRequest asks for a value in the form of which linked views are made: element by element.
type InspectRequest struct {
	Expr string `json:"expr"`
	// Tile reads a layout as a thread-value layout onto the colexicographic indices of a tile of this shape, such as
	// (16,8).
	Tile string `json:"tile,omitempty"`
	Type string `json:"type,omitempty"` // the type of the elements, for bytes and banks; f32 if it is empty
}

// An InspectResponse is a value with its elements. Of a kind without elements, as an integer, it has the text only.
type InspectResponse struct {
	OK     bool     `json:"ok"`
	Kind   string   `json:"kind,omitempty"`
	Value  string   `json:"value,omitempty"` // the canonical text
	Notes  []string `json:"notes,omitempty"`
	Static string   `json:"static,omitempty"` // the text at trace time, where it differs

	Type   string   `json:"type,omitempty"`   // the type of the elements
	Bits   int      `json:"bits,omitempty"`   // its width
	Shared *Stretch `json:"shared,omitempty"` // where they lie in shared memory, of a value with offsets

	Tree     *ShapeTree `json:"tree,omitempty"`     // the shape and the strides of a layout
	Operands []Operand  `json:"operands,omitempty"` // one, or A, B and C of an MMA, or S and D of a copy
	Matrix   *BitMatrix `json:"matrix,omitempty"`   // the map over bits, where the value is one
	NoMatrix string     `json:"no_matrix,omitempty"`
	Swizzle  *Bits      `json:"swizzle,omitempty"` // of a swizzle, or of the outermost function of a composed layout
	// the expression that the value is if its swizzle is meant for bytes and not for elements
	InBytes string `json:"in_bytes,omitempty"`
	Outline bool   `json:"outline,omitempty"` // there are more than [MaxInspected] elements: the operands have none
	Facts   []Fact `json:"facts,omitempty"`

	// the run-time integers of the program, by the names that a value is given under
	Symbols []string `json:"symbols,omitempty"`
	// a number for each of them that its facts admit, for a first look
	Trials []int64 `json:"trials,omitempty"`
	// the shape, mode by mode, of a layout whose elements are known at run time only
	Extents []string `json:"extents,omitempty"`

	Error *ErrorInfo `json:"error,omitempty"`
	Place *Place     `json:"place,omitempty"` // where in the expression the error is
}

// A Place is the bytes [Pos, End) of an expression.
type Place struct {
	Pos int `json:"pos"`
	End int `json:"end"`
}

// A ShapeTree is a shape with its strides, mode by mode. A leaf has an extent and a stride, a node its modes.
type ShapeTree struct {
	Extent int64       `json:"extent"`           // the product, at a node
	Stride string      `json:"stride,omitempty"` // of a leaf: an integer, or a coordinate as 1@0
	Modes  []ShapeTree `json:"modes,omitempty"`
}

// An Operand is a table of elements. Element i has the colexicographic index i in the domain of the value; the columns
// have its places. A column that the value does not have is absent.
type Operand struct {
	Name  string  `json:"name,omitempty"` // A, B, C, S, D; empty for a single one
	Text  string  `json:"text"`           // the layout
	Size  int64   `json:"size"`
	Modes []int64 `json:"modes"` // the sizes of the modes of the domain

	// The logical grid. Further modes make panels of it.
	Rows    int64  `json:"rows"`
	Cols    int64  `json:"cols"`
	Panels  int64  `json:"panels"`
	RowName string `json:"row_name,omitempty"`
	ColName string `json:"col_name,omitempty"`
	// what the fill is where none is asked for, as package view names it; empty for the offset
	Fill string `json:"fill,omitempty"`
	// The labels along the grid where they say more than the index: nested coordinates.
	RowLabels []string `json:"row_labels,omitempty"`
	ColLabels []string `json:"col_labels,omitempty"`
	// The coordinates of the panels in the further modes, as 1,0; and as these are nested, where that says more.
	PanelCoords []string `json:"panel_coords,omitempty"`
	PanelLabels []string `json:"panel_labels,omitempty"`
	// The extents of the leaves of the modes, innermost first, for borders.
	RowLeaves []int64 `json:"row_leaves,omitempty"`
	ColLeaves []int64 `json:"col_leaves,omitempty"`

	Threads int64 `json:"threads,omitempty"` // the hardware grid
	Values  int64 `json:"values,omitempty"`
	Warp    int64 `json:"warp,omitempty"` // the threads of a warp, or of a wavefront
	// Of an operand that is made of several atoms: elements are of one if the numbers of their threads are the same, and
	// those of their values. A thread that takes no part, as those between the threads of a quad-pair, has -1.
	ThreadAtom []int64 `json:"thread_atom,omitempty"`
	ValueAtom  []int64 `json:"value_atom,omitempty"`

	// The lane of each thread of an atom, where the threads of the instruction are not the first lanes of a warp: its
	// ThrID.
	ThrID []int64 `json:"thr_id,omitempty"`

	// where an operand lies that no thread holds: shared memory; it has no threads and no offsets
	Space string `json:"space,omitempty"`

	// of each element; absent where element i is at row i%Rows, column i/Rows%Cols, panel i/Rows/Cols
	Row    []int64 `json:"row,omitempty"`
	Col    []int64 `json:"col,omitempty"`
	Offset []int64 `json:"offset,omitempty"`
	// The offsets in decimals, in place of Offset, where one of them is beyond 2^53: what reads JSON into floating point
	// would change its digits.
	Exact  []string `json:"exact,omitempty"`
	Coord  []string `json:"coord,omitempty"` // the value, where it is a coordinate
	Thread []int64  `json:"thread,omitempty"`
	Value  []int64  `json:"value,omitempty"`
}

// Bits are the numbers of a swizzle Sw<B,M,S>.
type Bits struct {
	B int `json:"b"`
	M int `json:"m"`
	S int `json:"s"`
}

// A BitMatrix is the matrix over F2 of a value: row r is output bit r, column j input bit j.
type BitMatrix struct {
	Ins    []string `json:"ins"`  // the name of each column
	Outs   []string `json:"outs"` // the name of each row
	Rows   [][]int  `json:"rows"`
	Origin []int    `json:"origin,omitempty"` // the value at 0, where it is not 0
	Rank   int      `json:"rank"`
}

// A Fact is something that is known of a value: size 32, cosize 40, injective true.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Inspect evaluates the program and returns the value of its last statement with all its elements.
func (s *Session) Inspect(req InspectRequest) InspectResponse {
	last, notes, fault := s.few("inspect", req.Expr)
	switch {
	case fault != nil:
		return InspectResponse{Error: fault, Place: &Place{fault.Pos, fault.End}}
	case last.Value == nil:
		return InspectResponse{OK: true, Kind: KindNone}
	}
	if req.Type == "" {
		req.Type = "f32"
	}
	typ, err := dtype.Parse(req.Type)
	if err != nil {
		return InspectResponse{Error: whole(err, req.Expr)}
	}
	i := &inspection{
		InspectResponse: InspectResponse{
			OK: true, Kind: string(last.Value.Kind()), Value: last.Value.String(), Notes: notes, Static: last.Static,
			Type: typ.String(), Bits: typ.Bits(), Symbols: s.env.Symbols(), Trials: s.env.Trials(),
			InBytes: readInBytes(last.Value.String(), typ.Bits()),
		},
		left: MaxInspected,
	}
	if err := i.value(last.Value, req.Tile); err != nil {
		info := whole(err, req.Expr)
		return InspectResponse{Error: info, Place: &Place{info.Pos, info.End}}
	}
	if slices.ContainsFunc(i.Operands, func(o Operand) bool { return o.Offset != nil || o.Exact != nil }) {
		i.Shared = stretchOf(i.Bits)
	}
	return i.InspectResponse
}

// An inspection fills a response; left is the number of elements that still fit.
type inspection struct {
	InspectResponse
	left int64
}

func (i *inspection) value(v eval.Value, tile string) error {
	if tile != "" {
		return i.tiled(v, tile)
	}
	switch x := v.(type) {
	case eval.Tuple:
		if x.IsInt() {
			return nil
		}
		l, err := cute.LayoutLeft(x.Tuple)
		if err != nil {
			return nil // a tuple that is no shape has no elements
		}
		return i.layout(l)
	case eval.Layout:
		return i.layout(x.Layout)
	case eval.Composed:
		return i.composed(x.Composed)
	case eval.DynamicLayout:
		for _, m := range x.Layout.Modes() {
			i.Extents = append(i.Extents, m.Shape().String())
		}
	case eval.Swizzle:
		return i.swizzle(x.Swizzle)
	case eval.Linear:
		return i.linear(x.Layout)
	case eval.Xor:
		return i.xor(x.XorLayout)
	case eval.Matrix:
		i.Matrix = bitMatrix(x.Matrix, nil, nil)
	case eval.MMAAtom:
		return i.mmaAtom(x.MMA)
	case eval.TiledMMA:
		return i.tiledMMA(x.TiledMMA)
	case eval.TiledCopy:
		return i.tiledCopy(x.TiledCopy)
	}
	return nil
}

// tiled reads a layout as a thread-value layout onto a tile.
func (i *inspection) tiled(v eval.Value, tile string) error {
	shape, err := cute.ParseTuple(tile)
	if err != nil {
		return err
	}
	l, ok := v.(eval.Layout)
	if !ok || l.Rank() != 2 || l.HasBasis() {
		return &cute.Error{
			Code: cute.CodeType, Op: "inspect",
			Msg: fmt.Sprintf("expected a thread-value layout, of rank 2 and with integers as strides, for the tile %s, found %v",
				tile, v),
		}
	}
	i.Tree = shapeTree(l.Shape(), l.Stride())
	return i.threadValue(Operand{}, l.Layout, shape)
}

// maxExact is the greatest of the integers that floating point of 64 bits has without a gap.
const maxExact = 1<<53 - 1

// setOffsets gives an operand its offsets: as numbers, or as texts where a number may lose digits on its way.
func (o *Operand) setOffsets(offsets []int64) {
	for _, x := range offsets {
		if x > maxExact || x < -maxExact {
			o.Exact = make([]string, len(offsets))
			for k, x := range offsets {
				o.Exact[k] = strconv.FormatInt(x, 10)
			}
			return
		}
	}
	o.Offset = offsets
}

func (i *inspection) fact(name string, value any) {
	i.Facts = append(i.Facts, Fact{name, fmt.Sprint(value)})
}
