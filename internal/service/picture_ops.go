package service

import (
	"fmt"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/picture/draw"
	"girih/internal/picture/view"
)

// opPictures are the pictures of operations: what happens to the operands.
func opPictures() []Picture {
	return []Picture{
		{
			Kind: "composition", Doc: "A composition: the cells of B, the cells of A that they pick, and the result; " +
				"also of one that is refused.",
			Example: "'(6,2):(8,2) o (4,3):(3,1)' --as composition", draw: drawComposition, ops: []string{"composition"},
			failed: true,
		},
		{
			Kind: "divide", Doc: "A divide: the tiles inside of the whole, the first one framed, and the result as it is " +
				"arranged; padding is crossed out.",
			Example: "'zipped_divide((4,6):(6,1), <2,3>)' --as divide", draw: drawDivide, ops: []string{
				"logical_divide",
				"zipped_divide", "tiled_divide", "flat_divide",
			},
		},
		{
			Kind: "product", Doc: "A product or tile_to_shape: the block, how it is repeated, and the result with its " +
				"copies, in memory too.",
			Example: "'blocked_product((2,5):(5,1), (3,4):(1,3))' --as product", draw: drawProduct,
			ops: []string{
				"logical_product", "zipped_product", "tiled_product", "flat_product", "blocked_product", "raked_product",
				"tile_to_shape",
			},
		},
		{
			Kind: "complement", Doc: "A complement: the gaps of A on the number line, and the copies of A that fill them.",
			Example: "'complement((2,3):(2,4), 24)' --as complement", draw: drawComplement, ops: []string{"complement"},
			failed: true,
		},
		{
			Kind: "inverse", Doc: "A right, left or plain inverse: coordinates and values, sorted, exchanged, and both grids.",
			Example: "'right_inverse((2,3):(3,1))' --as inverse", draw: drawInverse, ops: []string{
				"right_inverse",
				"left_inverse", "inverse",
			}, failed: true,
		},
		{
			Kind: "coalesce", Doc: "A coalesce: which modes are merged into which, and the same offsets before and after.",
			Example: "'coalesce((2,(1,6)):(1,(6,2)))' --as coalesce", draw: drawCoalesce, ops: []string{"coalesce"},
		},
		{
			Kind: "slice", Doc: "A slice, such as L(_,2): its elements highlighted in the whole, and the slice.",
			Example: "'(4,6):(6,1)(_,2)' --as slice", draw: drawSlice, ops: []string{"slice"},
		},
		{
			Kind: "compare", Doc: "Two layouts side by side, where they differ marked: A == B, or the list of the two.",
			Example: "'(4,4):(4,1) == (4,4):(1,4)' --as compare", draw: drawCompare, ops: []string{"=="},
		},
	}
}

// operation returns the name and the operands of the operation that made the value, or failed, if the picture shows
// that operation.
func (d *drawJob) operation(kind, what string) (string, []eval.Value, error) {
	found := clip(d.text()) + ", which is not an operation"
	if d.op != nil {
		if findPicture(kind).shows(d.op.Op) {
			return d.op.Op, d.op.Args, nil
		}
		found = d.op.Op
	}
	return "", nil, &cute.Error{
		Code: cute.CodeType, Op: "draw", Msg: fmt.Sprintf("the picture %s shows %s with its operands, found %s", kind,
			what, found),
		Hint: "write the operation out: " + findPicture(kind).Example,
	}
}

// operandLayout returns a value as a layout: a shape is its compact layout. For a composed layout it returns the
// inner layout, with a note: these operations do not change the outer functions.
func (d *drawJob) operandLayout(kind string, v eval.Value) (cute.Layout, error) {
	switch v := v.(type) {
	case eval.Layout:
		return v.Layout, nil
	case eval.Tuple:
		if !v.IsInt() || kind != "compare" {
			return cute.LayoutLeft(v.Tuple)
		}
	case eval.Composed:
		d.notes = unique(append(d.notes, fmt.Sprintf("drawn for the layout inside of %s; what is outside stays as it is",
			clip(v.String()))))
		return v.Layout(), nil
	case eval.DynamicLayout, eval.DynamicComposed, eval.DynamicTuple, eval.DynamicTile:
		return cute.Layout{}, runTime(v)
	}
	return cute.Layout{}, &cute.Error{
		Code: cute.CodeType, Op: "draw", Msg: fmt.Sprintf("the picture %s shows operations on layouts, found an "+
			"operand of kind %s: %s", kind, v.Kind(), clip(v.String())),
	}
}

// operandTiler returns a value as a tiler.
func (d *drawJob) operandTiler(kind string, v eval.Value) (cute.Tiler, error) {
	switch v := v.(type) {
	case eval.Layout:
		return v.Layout, nil
	case eval.Tuple:
		return v.Tuple, nil
	case eval.Tile:
		return v.Tile, nil
	case eval.Coord:
		if v.String() == "_" {
			return cute.Keep, nil
		}
	}
	_, err := d.operandLayout(kind, v)
	if err == nil {
		err = mismatch(kind, "a tiler", v)
	}
	return nil, err
}

func drawComposition(d *drawJob) (*draw.Scene, error) {
	_, args, err := d.operation("composition", "a composition")
	if err != nil {
		return nil, err
	}
	if c, ok := args[0].(eval.Composed); ok && c.Layout().HasBasis() != c.HasBasis() {
		return nil, mismatch("composition", "a composition of layouts", args[0])
	}
	a, err := d.operandLayout("composition", args[0])
	if err != nil {
		return nil, err
	}
	b, ok := args[1].(eval.Layout)
	if ok {
		return view.Composition(a, b.Layout, d.opts)
	}
	t, err := d.operandTiler("composition", args[1])
	if err != nil {
		return nil, err
	}
	id, err := cute.LayoutLeft(a.Shape())
	if err != nil {
		return nil, err
	}
	picks, err := cute.CompositionBy(id, t)
	if err != nil {
		return nil, err
	}
	return view.Composition(a, picks, d.opts)
}

func drawDivide(d *drawJob) (*draw.Scene, error) {
	op, args, err := d.operation("divide", "a divide")
	if err != nil {
		return nil, err
	}
	a, err := d.operandLayout("divide", args[0])
	if err != nil {
		return nil, err
	}
	t, err := d.operandTiler("divide", args[1])
	if err != nil {
		return nil, err
	}
	return view.Divide(op, a, t, d.opts)
}

func drawProduct(d *drawJob) (*draw.Scene, error) {
	op, args, err := d.operation("product", "a product")
	if err != nil {
		return nil, err
	}
	a, err := d.operandLayout("product", args[0])
	if err != nil {
		return nil, err
	}
	if op == "tile_to_shape" {
		target, err := d.operandTuple("product", args[1])
		if err != nil {
			return nil, err
		}
		order := cute.Ints()
		if len(args) > 2 {
			if order, err = d.operandTuple("product", args[2]); err != nil {
				return nil, err
			}
		}
		return view.TileToShape(a, target, order, d.opts)
	}
	t, err := d.operandTiler("product", args[1])
	if err != nil {
		return nil, err
	}
	if shape, ok := t.(cute.Tuple); ok && (op == "blocked_product" || op == "raked_product") {
		if t, err = cute.LayoutLeft(shape); err != nil {
			return nil, err
		}
	}
	return view.Product(op, a, t, d.opts)
}

// operandTuple returns a value as a tuple of integers.
func (d *drawJob) operandTuple(kind string, v eval.Value) (cute.Tuple, error) {
	if t, ok := v.(eval.Tuple); ok {
		return t.Tuple, nil
	}
	if _, err := d.operandLayout(kind, v); err != nil {
		return cute.Tuple{}, err
	}
	return cute.Tuple{}, mismatch(kind, "a shape", v)
}

func drawComplement(d *drawJob) (*draw.Scene, error) {
	_, args, err := d.operation("complement", "a complement")
	if err != nil {
		return nil, err
	}
	a, err := d.operandLayout("complement", args[0])
	if err != nil {
		return nil, err
	}
	cotarget, err := a.Coshape()
	if len(args) > 1 {
		cotarget, err = d.operandTuple("complement", args[1])
	}
	if err != nil {
		return nil, err
	}
	return view.Complement(a, cotarget, d.opts)
}

func drawInverse(d *drawJob) (*draw.Scene, error) {
	op, args, err := d.operation("inverse", "an inverse")
	if err != nil {
		return nil, err
	}
	a, err := d.operandLayout("inverse", args[0])
	if err != nil {
		return nil, err
	}
	return view.Inverse(op, a, d.opts)
}

func drawCoalesce(d *drawJob) (*draw.Scene, error) {
	_, args, err := d.operation("coalesce", "a coalesce")
	if err != nil {
		return nil, err
	}
	a, err := d.operandLayout("coalesce", args[0])
	if err != nil {
		return nil, err
	}
	if len(args) < 2 {
		return view.Coalesce(a, nil, d.opts)
	}
	profile, err := d.operandTuple("coalesce", args[1])
	if err != nil {
		return nil, err
	}
	return view.Coalesce(a, &profile, d.opts)
}

func drawSlice(d *drawJob) (*draw.Scene, error) {
	_, args, err := d.operation("slice", "a slice, such as L(_,2),")
	if err != nil {
		return nil, err
	}
	var c cute.Coord
	switch x := args[0].(type) {
	case eval.Coord:
		c = x.Coord
	case eval.Tuple:
		if c, err = cute.Fixed(x.Tuple); err != nil {
			return nil, err
		}
	default:
		return nil, mismatch("slice", "a slice of a layout", args[0])
	}
	a, err := d.operandLayout("slice", args[1])
	if err != nil {
		return nil, err
	}
	return view.Slice(a, c, d.opts)
}

func drawCompare(d *drawJob) (*draw.Scene, error) {
	var args []eval.Value
	if list, ok := d.value.(eval.List); ok {
		args = list
	} else if d.op != nil {
		args = d.op.Args
	}
	if len(args) != 2 {
		return nil, &cute.Error{
			Code: cute.CodeType, Op: "draw", Msg: fmt.Sprintf("the picture compare shows two layouts, found %s",
				clip(d.text())),
			Hint: "write A == B, " + findPicture("compare").Example,
		}
	}
	a, err := d.operandLayout("compare", args[0])
	if err != nil {
		return nil, err
	}
	b, err := d.operandLayout("compare", args[1])
	if err != nil {
		return nil, err
	}
	return view.Compare(a, b, d.opts)
}
