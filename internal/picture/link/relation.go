package link

import (
	"errors"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/why/relation"
)

// Cuts reports whether the second operand of an operation is a tuple that the operation does not read as a layout:
// such a tuple says how modes are cut, or how large something is, and has no elements.
func Cuts(op *eval.Application) bool {
	if len(op.Args) < 2 || op.Op == "blocked_product" || op.Op == "raked_product" || op.Op == "equivalent" {
		return false
	}
	_, tuple := op.Args[1].(eval.Tuple)
	return tuple
}

// errOperand says that an operation relates no elements because an operand has no elements.
var errOperand = errors.New("an operand has no elements to relate")

// Relate relates the elements of the operands and the result of an operation. The relation is empty if the operation
// relates no elements, or more than [MaxElements].
func Relate(op *eval.Application) (relation.Relation, error) {
	var none relation.Relation
	if slices.ContainsFunc(append(op.Args[:len(op.Args):len(op.Args)], op.Value), large) {
		return none, nil
	}
	name := strings.TrimSuffix(op.Op, "_exact")
	switch {
	case name == "equivalent" || name == "==":
		return relation.Same("a", "b"), nil
	case name == "coalesce" && op.Err == nil:
		return relation.Same("r", "a"), nil
	case name == "composition":
		return composition(op)
	case op.Err != nil || len(op.Args) == 0:
		return none, nil
	case name == "inverse" || strings.HasSuffix(name, "_inverse"):
		return inverse(op)
	case len(op.Args) < 2:
		return none, nil
	case strings.HasSuffix(name, "_divide"):
		return divide(op)
	case strings.HasSuffix(name, "_product") || name == "tile_to_shape":
		return product(op)
	}
	return none, nil
}

func inverse(op *eval.Application) (relation.Relation, error) {
	a, errA := valuesOf(op.Args[0])
	r, err := valuesOf(op.Value)
	if errA != nil || err != nil {
		return relation.Relation{}, err
	}
	return relation.Inverse(a, r), nil
}

func divide(op *eval.Application) (relation.Relation, error) {
	a, t, err := operands(op)
	if err != nil {
		return relation.Relation{}, err
	}
	x, err := relation.Divide(op.Op, a, t)
	if err != nil {
		return relation.Relation{}, err
	}
	return x.Relation()
}

// product relates the elements of a product, or of tile_to_shape, which may have an order as its third operand.
func product(op *eval.Application) (relation.Relation, error) {
	a, t, err := operands(op)
	if err != nil {
		return relation.Relation{}, err
	}
	all := []cute.Tiler{a, t}
	for _, v := range op.Args[2:] {
		order, ok := v.(eval.Tuple)
		if !ok {
			return relation.Relation{}, errOperand
		}
		all = append(all, order.Tuple)
	}
	x, err := cute.Derive(op.Op, all...)
	if err != nil {
		return relation.Relation{}, err
	}
	return relation.Product(x), nil
}

// composition relates the elements of a composition, even if the composition is refused.
func composition(op *eval.Application) (relation.Relation, error) {
	var none relation.Relation
	shape, _ := shapeOf(op.Args[0]) // a swizzle has no shape and takes integers
	switch b := op.Args[1].(type) {
	case eval.Layout:
		picks, err := relation.Picks(shape, b.Layout)
		if err != nil {
			return none, err
		}
		return pickedRelation(op, picks, b.Shape()), nil
	case eval.Composed, eval.Xor, eval.Linear:
		picks, err := valuesOf(b)
		if err != nil {
			return none, err
		}
		in, err := shapeOf(b)
		return pickedRelation(op, picks, in), err
	}
	t, err := tilerOf(op.Args[1])
	if err != nil || op.Err != nil {
		return none, err
	}
	id, err := cute.LayoutLeft(shape)
	if err != nil {
		return none, err
	}
	b, err := cute.CompositionBy(id, t)
	if err != nil {
		return none, err
	}
	picks, err := b.AppendOffsets(nil)
	return relation.ByPicks("r", picks), err
}

// pickedRelation relates the elements of a composition whose second operand has the given shape and picks the given
// elements of the first operand.
func pickedRelation(op *eval.Application, picks []int64, shape cute.Tuple) relation.Relation {
	if op.Err != nil {
		return relation.ByPicks("b", picks)
	}
	rows := int64(1)
	if m := shape.Modes(); len(m) > 0 {
		rows, _ = m[0].Product() // the size of a layout fits
	}
	return relation.Composition(picks, rows)
}

// operands returns the operands of a divide or a product. Their elements are related as the elements of their domains.
func operands(op *eval.Application) (cute.Layout, cute.Tiler, error) {
	t, err := tilerOf(op.Args[1])
	if err != nil {
		return cute.Layout{}, nil, err
	}
	if shape, ok := t.(cute.Tuple); ok && (op.Op == "blocked_product" || op.Op == "raked_product") {
		if t, err = cute.LayoutLeft(shape); err != nil {
			return cute.Layout{}, nil, err
		}
	}
	if x, ok := op.Args[0].(eval.Xor); ok {
		a, err := cute.LayoutLeft(x.Shape())
		return a, t, err
	}
	a, err := layoutOf(op.Args[0])
	return a, t, err
}

// layoutOf returns the layout of an operand: a shape is its compact layout, and a composed layout the layout inside.
func layoutOf(v eval.Value) (cute.Layout, error) {
	switch v := v.(type) {
	case eval.Layout:
		return v.Layout, nil
	case eval.Tuple:
		return cute.LayoutLeft(v.Tuple)
	case eval.Composed:
		return v.Layout(), nil
	}
	return cute.Layout{}, errOperand
}

// tilerOf returns the tiler that an operand is.
func tilerOf(v eval.Value) (cute.Tiler, error) {
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
	return nil, errOperand
}

// large reports whether a value has too many elements to relate one by one.
func large(v eval.Value) bool {
	shape, err := shapeOf(v)
	if err != nil {
		return false // the value has no elements
	}
	n, err := shape.Product()
	return err != nil || n > MaxElements
}

// shapeOf returns the domain of a value.
func shapeOf(v eval.Value) (cute.Tuple, error) {
	switch v := v.(type) {
	case eval.Tuple:
		return v.Tuple, nil
	case eval.Layout:
		return v.Shape(), nil
	case eval.Composed:
		return v.Shape(), nil
	case eval.Xor:
		return v.Shape(), nil
	case eval.Linear:
		var sizes []int64
		for _, d := range v.InDims() {
			sizes = append(sizes, d.Size)
		}
		return cute.Ints(sizes...), nil
	}
	return cute.Tuple{}, errOperand
}

// valuesOf returns the offsets of all elements of a value.
func valuesOf(v eval.Value) ([]int64, error) {
	switch v := v.(type) {
	case eval.Tuple:
		l, err := cute.LayoutLeft(v.Tuple)
		if err != nil {
			return nil, err
		}
		return l.AppendOffsets(nil)
	case eval.Linear:
		if outs := v.OutDims(); len(outs) != 1 || outs[0].Name != "offset" {
			return nil, errOperand
		}
		var out []int64
		for i := range uint64(1) << v.InBits() {
			x, err := v.Flat(i)
			if err != nil {
				return nil, err
			}
			out = append(out, int64(x))
		}
		return out, nil
	case interface {
		AppendOffsets([]int64) ([]int64, error)
	}:
		return v.AppendOffsets(nil)
	}
	return nil, errOperand
}
