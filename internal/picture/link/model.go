package link

import (
	"fmt"
	"slices"
	"strconv"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
)

// MaxElements is the number of elements that a [Model] lists, in all operands together. A larger value has an outline,
// whose size does not depend on the number of elements.
const MaxElements = 1 << 17

// A Model is a value with its elements. A value without elements, such as an integer, has only the text.
type Model struct {
	Type   string   `json:"type,omitempty"`   // the type of the elements
	Bits   int      `json:"bits,omitempty"`   // the width of an element in bits
	Shared *Stretch `json:"shared,omitempty"` // where elements are in shared memory, for a value with offsets

	Tree     *ShapeTree `json:"tree,omitempty"`     // the shape and the strides of a layout
	Operands []Operand  `json:"operands,omitempty"` // one, or A, B and C of an MMA, or S and D of a copy
	Matrix   *BitMatrix `json:"matrix,omitempty"`   // the map over bits, where the value is one
	NoMatrix string     `json:"no_matrix,omitempty"`
	Swizzle  *Bits      `json:"swizzle,omitempty"` // of a swizzle, or of the outermost function of a composed layout
	// InBytes is the expression for the value if its swizzle is meant for bytes, not for elements.
	InBytes string `json:"in_bytes,omitempty"`
	Outline bool   `json:"outline,omitempty"` // there are more than [MaxElements] elements: the operands list none
	Facts   []Fact `json:"facts,omitempty"`

	// Symbols are the run-time integers of the program, by the names under which values are set.
	Symbols []string `json:"symbols,omitempty"`
	// Trials are numbers for Symbols, permitted by the facts about them, for a first look.
	Trials []int64 `json:"trials,omitempty"`
	// Extents is the shape, mode by mode, of a layout with run-time integers.
	Extents []string `json:"extents,omitempty"`
}

// A ShapeTree is a shape with its strides, mode by mode. A leaf has an extent and a stride, a node its modes.
type ShapeTree struct {
	Extent int64       `json:"extent"`           // at a node, the product of the extents below it
	Stride string      `json:"stride,omitempty"` // the stride of a leaf: an integer, or a coordinate as 1@0
	Modes  []ShapeTree `json:"modes,omitempty"`
}

// An Operand is a table of elements. Element i has the colexicographic index i in the domain of the value; the columns
// hold the element's places. A column that does not apply to the value is absent.
type Operand struct {
	Name  string  `json:"name,omitempty"` // A, B, C, S or D; empty if there is only one operand
	Text  string  `json:"text"`           // the layout
	Size  int64   `json:"size"`
	Modes []int64 `json:"modes"` // the sizes of the modes of the domain

	// The logical grid. Further modes make panels of it.
	Rows    int64  `json:"rows"`
	Cols    int64  `json:"cols"`
	Panels  int64  `json:"panels"`
	RowName string `json:"row_name,omitempty"`
	ColName string `json:"col_name,omitempty"`
	// the default fill, as package view names it; empty for the offset
	Fill string `json:"fill,omitempty"`
	// The labels along the grid, if they are nested coordinates and not just indices.
	RowLabels []string `json:"row_labels,omitempty"`
	ColLabels []string `json:"col_labels,omitempty"`
	// The coordinates of the panels in the further modes, such as 1,0; nested if the modes are nested.
	PanelCoords []string `json:"panel_coords,omitempty"`
	PanelLabels []string `json:"panel_labels,omitempty"`
	// The extents of the leaves of the modes, innermost first, for borders.
	RowLeaves []int64 `json:"row_leaves,omitempty"`
	ColLeaves []int64 `json:"col_leaves,omitempty"`

	Threads int64 `json:"threads,omitempty"` // the number of threads in the hardware grid
	Values  int64 `json:"values,omitempty"`
	Warp    int64 `json:"warp,omitempty"` // the threads of a warp, or of a wavefront
	// For an operand made of several atoms: two elements belong to the same atom if both numbers, of their threads and
	// of their values, are equal. A thread that takes no part, such as one between the threads of a quad-pair, has -1.
	ThreadAtom []int64 `json:"thread_atom,omitempty"`
	ValueAtom  []int64 `json:"value_atom,omitempty"`

	// The lane of each thread of an atom (ThrID), if the instruction's threads are not the first lanes of a warp.
	ThrID []int64 `json:"thr_id,omitempty"`

	// the memory of an operand that no thread holds, such as shared memory; the operand has no threads or
	// offsets
	Space string `json:"space,omitempty"`

	// the row of each element; absent if element i is at row i%Rows, column i/Rows%Cols, panel i/Rows/Cols
	Row    []int64 `json:"row,omitempty"`
	Col    []int64 `json:"col,omitempty"`
	Offset []int64 `json:"offset,omitempty"`
	// The offsets in decimals, instead of Offset, if one of them is beyond 2^53: a reader of JSON that uses floating
	// point would change its digits.
	Exact  []string `json:"exact,omitempty"`
	Coord  []string `json:"coord,omitempty"` // the value, if it is a coordinate
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
	Origin []int    `json:"origin,omitempty"` // the value at 0, if it is not 0
	Rank   int      `json:"rank"`
}

// A Fact is a known property of a value: size 32, cosize 40, injective true.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Inspect returns a value with its elements of the given type, and notes on the value. With a tile, such as (16,8), a
// layout is read as a thread-value layout onto the colexicographic indices of the tile.
func Inspect(v eval.Value, typ dtype.Type, tile string) (Model, []string, error) {
	i := &inspection{Model: Model{Type: typ.String(), Bits: typ.Bits()}, left: MaxElements}
	if err := i.value(v, tile); err != nil {
		return Model{}, nil, err
	}
	if slices.ContainsFunc(i.Operands, func(o Operand) bool { return o.Offset != nil || o.Exact != nil }) {
		i.Shared = stretchOf(i.Bits)
	}
	return i.Model, i.notes, nil
}

// An inspection fills a model; left is the number of elements that still fit.
type inspection struct {
	Model
	notes []string
	left  int64
}

func (i *inspection) value(v eval.Value, tile string) error {
	if tile != "" {
		return i.tileMap(v, tile)
	}
	switch x := v.(type) {
	case eval.Tuple:
		if l, err := cute.LayoutLeft(x.Tuple); err == nil && !x.IsInt() { // any other tuple has no elements
			return i.layout(l)
		}
	case eval.Layout:
		return i.layout(x.Layout)
	case eval.Composed:
		return i.composedLayout(x.Composed)
	case eval.DynamicLayout:
		i.extents(x)
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

// extents lists the extents of a layout with run-time integers.
func (i *inspection) extents(l eval.DynamicLayout) {
	for _, m := range l.Layout.Modes() {
		i.Extents = append(i.Extents, m.Shape().String())
	}
}

// tileMap reads a layout as a thread-value layout onto a tile.
func (i *inspection) tileMap(v eval.Value, tile string) error {
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

// maxExact is the largest integer up to which 64-bit floating point represents every integer.
const maxExact = 1<<53 - 1

// setOffsets gives an operand its offsets: as numbers, or as texts if a number may lose digits in JSON.
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

//go:noinline
func (i *inspection) fact(name string, value any) {
	i.Facts = append(i.Facts, Fact{name, fmt.Sprint(value)})
}
