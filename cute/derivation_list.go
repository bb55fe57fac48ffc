package cute

import (
	"fmt"
	"sync"
)

// This file derives operations on shapes, and those whose operands are no pair with a layout.

// A listDeriver runs an operation on a list of operands, and takes down them and the result.
type listDeriver func(d *Derivation, operands []Tiler, c caller) error

var listDerivers = sync.OnceValue(func() map[string]listDeriver {
	return map[string]listDeriver{
		"common_refinement": ofShapes(commonRefinement), "ceil_div": ofShapes(ceilDiv), "shape_div": ofShapes(shapeDiv),
		"tile_to_shape": deriveFill, "recognize": deriveRecognized,
		"idx2crd": ofShapes(idx2crd), "crd2crd": deriveCrd2Crd,
		"crd2idx": ofShapes(func(c, shape Tuple, t *trace) (Tuple, error) {
			i, err := crd2idx(c, shape, t)
			return Int(i), err
		}),
		"congruent": ofRelation(sameNesting), "weakly_congruent": ofRelation(nestsIn), "compatible": ofRelation(refinedBy),
	}
})

func noDerivation(op string, operands int) *Error {
	return &Error{
		Code: CodeName, Op: "derive",
		Msg: fmt.Sprintf("there is no derivation of %q with %d operands", op, operands),
	}
}

// tuplesOf returns operands that are tuples.
func tuplesOf(op string, operands []Tiler) ([]Tuple, error) {
	out := make([]Tuple, len(operands))
	for i, x := range operands {
		t, ok := x.(Tuple)
		if !ok {
			return nil, &Error{Code: CodeType, Op: op, Msg: fmt.Sprintf("expected a tuple, found %v", x)}
		}
		out[i] = t
	}
	return out, nil
}

// ofShapes runs an operation from two shapes to a shape.
func ofShapes(f func(a, b Tuple, t *trace) (Tuple, error)) listDeriver {
	return func(d *Derivation, operands []Tiler, c caller) error {
		if len(operands) != 2 {
			return noDerivation(d.Op, len(operands))
		}
		shapes, err := tuplesOf(d.Op, operands)
		if err != nil {
			return err
		}
		d.From, d.B = shapes[0], shapes[1]
		d.To, err = f(shapes[0], shapes[1], c.trace)
		return err
	}
}

// ofRelation compares two tuples.
func ofRelation(at relation) listDeriver {
	return func(d *Derivation, operands []Tiler, c caller) error {
		return ofShapes(func(a, b Tuple, t *trace) (Tuple, error) {
			d.Holds = (&matching{by: at, trace: t}).holds(a, b)
			return Tuple{}, nil
		})(d, operands, c)
	}
}

// deriveCrd2Crd runs crd2crd of a coordinate and two shapes, which are From, B and C; To is the coordinate.
func deriveCrd2Crd(d *Derivation, operands []Tiler, c caller) error {
	if len(operands) != 3 {
		return noDerivation(d.Op, len(operands))
	}
	ts, err := tuplesOf(d.Op, operands)
	if err != nil {
		return err
	}
	d.From, d.B = ts[0], ts[1]
	d.To, err = crd2crd(ts[0], ts[1], ts[2], c.trace)
	return err
}

// deriveFill runs tile_to_shape of a block, a target and maybe an order.
func deriveFill(d *Derivation, operands []Tiler, c caller) error {
	if len(operands) != 2 && len(operands) != 3 {
		return noDerivation(d.Op, len(operands))
	}
	block, ok := operands[0].(Layout)
	if !ok {
		return &Error{Code: CodeType, Op: d.Op, Msg: fmt.Sprintf("expected a layout, found %v", operands[0])}
	}
	shapes, err := tuplesOf(d.Op, operands[1:])
	if err != nil {
		return err
	}
	order := Tuple{}
	if len(shapes) == 2 {
		order = shapes[1]
	}
	d.A, d.B = block, shapes[0]
	d.Result, err = tileToShape(block, shapes[0], order, c)
	return err
}

// deriveRecognized runs recognize on a table, whose entries are integers or coordinates.
func deriveRecognized(d *Derivation, operands []Tiler, c caller) error {
	entries, err := tuplesOf(d.Op, operands)
	if err != nil {
		return err
	}
	offsets := make([]int64, len(entries))
	for i, t := range entries {
		x, ok := t.Int64()
		if !ok {
			d.Result, err = recognizeCoordinates(entries, c.trace)
			return err
		}
		offsets[i] = x
	}
	d.Result, err = recognize(offsets, c)
	return err
}
