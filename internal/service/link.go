package service

import (
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/why/relation"
)

// A LinkRequest asks how the elements of the operands and of the result of an operation belong together.
type LinkRequest struct {
	Expr string `json:"expr" jsonschema:"an expression; its last operation is meant"`
}

// A LinkResponse has the relation of the operation that a program applied last, which may have been refused. Of one
// that relates no elements, or more than [MaxInspected], it has no links.
type LinkResponse struct {
	OK bool   `json:"ok"`
	Op string `json:"op,omitempty"`
	// The second operand says how each mode is cut, or how large something is: as an operand it has no elements.
	Cuts bool `json:"cuts,omitempty"`
	relation.Relation

	Error *ErrorInfo `json:"error,omitempty"` // why there is no operation
}

// Link evaluates the program and relates the operands and the result of its last operation.
func (s *Session) Link(req LinkRequest) LinkResponse {
	d := &drawJob{session: s, req: DrawRequest{Expr: req.Expr}}
	if info := d.evaluate(); info != nil && (d.op == nil || d.op.Err == nil) {
		return LinkResponse{Error: info}
	}
	r := LinkResponse{OK: true}
	if d.op == nil {
		return r
	}
	r.Op, r.Cuts = d.op.Op, cuts(d.op)
	// What has an error has no relation: that of the operation is told by what computes it.
	if rel, err := d.relation(d.op); err == nil {
		r.Relation = rel
	}
	return r
}

// cuts reports whether the second operand of an operation is a tuple that it does not take as a layout.
func cuts(op *eval.Application) bool {
	if len(op.Args) < 2 || op.Op == "blocked_product" || op.Op == "raked_product" || op.Op == "equivalent" {
		return false
	}
	_, tuple := op.Args[1].(eval.Tuple)
	return tuple
}

// relation relates the elements of an operation.
func (d *drawJob) relation(op *eval.Application) (relation.Relation, error) {
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
		return d.linkComposition(op)
	case op.Err != nil || len(op.Args) == 0:
		return none, nil
	case name == "inverse" || strings.HasSuffix(name, "_inverse"):
		a, errA := valuesOf(op.Args[0])
		r, err := valuesOf(op.Value)
		if errA != nil || err != nil {
			return none, err
		}
		return relation.Inverse(a, r), nil
	case len(op.Args) < 2:
		return none, nil
	case strings.HasSuffix(name, "_divide"):
		a, t, err := d.linked(op)
		if err != nil {
			return none, err
		}
		x, err := relation.Divide(op.Op, a, t)
		if err != nil {
			return none, err
		}
		return x.Relation()
	case strings.HasSuffix(name, "_product") || name == "tile_to_shape":
		a, t, err := d.linked(op)
		if err != nil {
			return none, err
		}
		operands := []cute.Tiler{a, t}
		for _, v := range op.Args[2:] {
			order, err := d.operandTuple("product", v)
			if err != nil {
				return none, err
			}
			operands = append(operands, order)
		}
		x, err := cute.Derive(op.Op, operands...)
		if err != nil {
			return none, err
		}
		return relation.Product(x), nil
	}
	return none, nil
}

// linkComposition relates the elements of a composition, also of one that is refused.
func (d *drawJob) linkComposition(op *eval.Application) (relation.Relation, error) {
	var none relation.Relation
	shape, _ := shapeOf(op.Args[0]) // a swizzle has none and takes integers
	switch b := op.Args[1].(type) {
	case eval.Layout:
		picks, err := relation.Picks(shape, b.Layout)
		if err != nil {
			return none, err
		}
		return linkPicks(op, picks, b.Shape()), nil
	case eval.Composed, eval.Xor, eval.Linear:
		picks, err := valuesOf(b)
		if err != nil {
			return none, err
		}
		in, err := shapeOf(b)
		return linkPicks(op, picks, in), err
	}
	t, err := d.operandTiler("composition", op.Args[1])
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
	return relation.Picked("r", picks), err
}

// linkPicks relates the elements of a composition with an operand of a shape, which picks these.
func linkPicks(op *eval.Application, picks []int64, shape cute.Tuple) relation.Relation {
	if op.Err != nil {
		return relation.Picked("b", picks)
	}
	rows := int64(1)
	if m := shape.Modes(); len(m) > 0 {
		rows, _ = m[0].Product() // the size of a layout fits
	}
	return relation.Composition(picks, rows)
}

// linked returns the operands of a divide or a product: their elements are related as those of the domain are.
func (d *drawJob) linked(op *eval.Application) (cute.Layout, cute.Tiler, error) {
	t, err := d.operandTiler("divide", op.Args[1])
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
	a, err := d.operandLayout("divide", op.Args[0])
	return a, t, err
}

// large reports whether a value has more elements than are related one by one.
func large(v eval.Value) bool {
	shape, err := shapeOf(v)
	if err != nil {
		return false // it has no elements
	}
	n, err := shape.Product()
	return err != nil || n > MaxInspected
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
	return cute.Tuple{}, errNothing
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
			return nil, errNothing
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
	return nil, errNothing
}
