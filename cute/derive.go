package cute

import (
	"fmt"
	"sync"
)

// Derive runs an operation and returns its derivation. The function of that name has the same result and error. After
// an error the derivation contains the steps before the error; for a composition, the steps of every leaf.
//
// The operations, with operands as the functions take them:
//
//   - composition ([CompositionBy]); coalesce ([Coalesce], [CoalesceProfile]); nullspace
//   - complement, complement_exact and weak_complement; without a cotarget, each extends to the cosize
//   - right_inverse, left_inverse and inverse
//   - the divides, exact or not; the Result is the layout, padded or not
//   - the products, with blocked_product and raked_product; tile_to_shape with an order or without
//   - layout_add, max_common_layout, greatest_common_domain, common_refinement
//   - upcast, downcast, and recast_layout with the pair of the old and the new width
//   - recognize with the entries of a table
//   - ceil_div, shape_div; congruent, weakly_congruent and compatible; crd2idx and idx2crd with a shape, and crd2crd
//
// [DeriveEval] and [DeriveSlice] are for evaluations and slices. A shape in place of a layout means the shape's
// compact layout. Derive returns [CodeName] for another name or number of operands, and [CodeType] for operands of
// other kinds.
func Derive(op string, operands ...Tiler) (*Derivation, error) {
	return Until(nil).Derive(op, operands...)
}

// Derive is the function [Derive]. It returns the errors of Derive and of u.
func (u Until) Derive(op string, operands ...Tiler) (*Derivation, error) {
	d := &Derivation{Op: op}
	if f, ok := listDerivers()[op]; ok {
		err := f(d, operands, caller{u, &trace{[]*Derivation{d}}})
		d.OK = err == nil
		return d, err
	}
	f, ok := derivers()[deriver{op, len(operands)}]
	if !ok {
		return d, noDerivation(op, len(operands))
	}
	var err error
	switch a := operands[0].(type) {
	case Layout:
		d.A = a
	case Tuple: // a shape means its compact layout
		if d.A, err = LayoutLeft(a); err != nil {
			return d, err
		}
	default:
		return d, &Error{Code: CodeType, Op: op, Msg: fmt.Sprintf("expected a layout or a shape, found %v", operands[0])}
	}
	if len(operands) > 1 {
		d.B = operands[1]
	}
	d.Result, err = f(d.A, d.B, caller{u, &trace{[]*Derivation{d}}})
	d.OK = err == nil
	return d, err
}

// A deriver is the key of an operation: its name and its number of operands.
type deriver struct {
	op       string
	operands int
}

// derivers lists the operations on a layout and possibly a tiler, as functions that record their steps.
var derivers = sync.OnceValue(func() map[deriver]func(a Layout, b Tiler, c caller) (Layout, error) {
	complement := func(op string, how coverage) func(Layout, Tiler, caller) (Layout, error) {
		return func(a Layout, b Tiler, c caller) (Layout, error) {
			if b == nil {
				return complementer{op, how, c.trace}.cosizeOf(a)
			}
			cotarget, ok := b.(Tuple)
			if !ok {
				return Layout{}, &Error{Code: CodeType, Op: op, Msg: fmt.Sprintf("expected an integer or a shape, found %v", b)}
			}
			return complementer{op, how, c.trace}.of(a, cotarget)
		}
	}
	one := func(f func(Layout, caller) (Layout, error)) func(Layout, Tiler, caller) (Layout, error) {
		return func(a Layout, _ Tiler, c caller) (Layout, error) { return f(a, c) }
	}
	two := func(op string, f func(a, b Layout, c caller) (Layout, error)) func(Layout, Tiler, caller) (Layout, error) {
		return func(a Layout, b Tiler, c caller) (Layout, error) {
			l, ok := b.(Layout)
			if !ok {
				return Layout{}, &Error{Code: CodeType, Op: op, Msg: fmt.Sprintf("expected a layout, found %v", b)}
			}
			return f(a, l, c)
		}
	}
	all := map[deriver]func(Layout, Tiler, caller) (Layout, error){
		{"composition", 2}: compositionBy,
		{"coalesce", 1}:    one(coalesceAny),
		{"coalesce", 2}: func(a Layout, b Tiler, c caller) (Layout, error) {
			profile, ok := b.(Tuple)
			if !ok {
				return Layout{}, &Error{Code: CodeType, Op: "coalesce", Msg: fmt.Sprintf("expected a profile, found %v", b)}
			}
			return perMode{"coalesce", coalesceAny}.coalesce(a, profile, c)
		},
		{"complement", 1}:       complement("complement", coversSize),
		{"complement", 2}:       complement("complement", coversSize),
		{"complement_exact", 2}: complement("complement", coversExactly),
		{"weak_complement", 1}:  complement("weak_complement", coversSome),
		{"weak_complement", 2}:  complement("weak_complement", coversSome),
		{"right_inverse", 1}:    one(func(a Layout, c caller) (Layout, error) { return rightInverse(a, c.trace) }),
		{"left_inverse", 1}:     one(leftInverse),
		{"nullspace", 1}: one(func(a Layout, c caller) (Layout, error) {
			return nullspace(a, c.trace.over(a.cod)), nil
		}),
		{"inverse", 1}:    one(func(a Layout, c caller) (Layout, error) { return fullInverse(a, c.trace) }),
		{"layout_add", 2}: two("layout_add", layoutAdd), {"max_common_layout", 2}: two("max_common_layout", maxCommonLayout),
		{"greatest_common_domain", 2}: func(a Layout, b Tiler, c caller) (Layout, error) {
			switch b := b.(type) {
			case Tuple:
				return greatestCommonDomain(a.Shape(), b, c.trace)
			case Layout:
				return greatestCommonDomain(a.Shape(), b.Shape(), c.trace)
			}
			msg := fmt.Sprintf("expected a shape, found %v", b)
			return Layout{}, &Error{Code: CodeType, Op: "greatest_common_domain", Msg: msg}
		},
		{"blocked_product", 2}: two("blocked_product", blockedProduct),
		{"raked_product", 2}:   two("raked_product", rakedProduct),
	}
	cast := func(op string, f func(Layout, int64, *trace) (Layout, error)) func(Layout, Tiler, caller) (Layout, error) {
		return func(a Layout, b Tiler, c caller) (Layout, error) {
			t, _ := b.(Tuple)
			n, ok := t.Int64()
			if !ok {
				return Layout{}, &Error{Code: CodeType, Op: op, Msg: fmt.Sprintf("expected an integer, found %v", b)}
			}
			return f(a, n, c.trace.over(a.cod))
		}
	}
	all[deriver{"upcast", 2}], all[deriver{"downcast", 2}] = cast("upcast", upcast), cast("downcast", downcast)
	all[deriver{"recast_layout", 2}] = func(a Layout, b Tiler, c caller) (Layout, error) {
		t, ok := b.(Tuple)
		if !ok || t.leaves() != 2 || t.cod != nil {
			return Layout{}, &Error{
				Code: CodeType, Op: "recast_layout",
				Msg: fmt.Sprintf("expected the old and the new width, found %v", b),
			}
		}
		return recast(a, t.v[0], t.v[1], c.trace)
	}
	for f := range operation(flat + 1) {
		divide, product := opLogicalDivide+f, opLogicalProduct+f
		all[deriver{divide.String(), 2}] = func(a Layout, b Tiler, c caller) (Layout, error) {
			d, err := divideBy(divide, a, b, c)
			return d.Layout, err
		}
		all[deriver{divide.String() + "_exact", 2}] = func(a Layout, b Tiler, c caller) (Layout, error) {
			return divideExact(divide, a, b, c)
		}
		all[deriver{product.String(), 2}] = func(a Layout, b Tiler, c caller) (Layout, error) {
			return multiplyBy(product, a, b, c)
		}
	}
	return all
})

// The rest of this file derives operations on shapes, and others whose operands are not a layout with a tiler.

// A listDeriver runs an operation on a list of operands, and records the operands and the result.
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

// tuplesOf returns the operands as tuples, or an error if an operand is not a tuple.
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

// ofShapes returns the listDeriver of an operation from two shapes to a shape.
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

// ofRelation returns the listDeriver of a relation of two tuples.
func ofRelation(at relation) listDeriver {
	return func(d *Derivation, operands []Tiler, c caller) error {
		return ofShapes(func(a, b Tuple, t *trace) (Tuple, error) {
			d.Holds = (&matching{by: at, trace: t}).holds(a, b)
			return Tuple{}, nil
		})(d, operands, c)
	}
}

// deriveCrd2Crd runs crd2crd on a coordinate and two shapes. The coordinate and the shapes become From and B; the
// resulting coordinate becomes To.
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

// deriveFill runs tile_to_shape on a block, a target and possibly an order.
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

// deriveRecognized runs recognize on a table of integers or coordinates.
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

// DeriveEval returns the derivation of the value of a layout, or of a composed layout, at a coordinate. The derivation
// contains [Digits] for each integer of the coordinate; for a composed layout it contains the derivation of the inner
// layout, and each [Stage]. From is the coordinate with one number for each leaf of the layout, and To the value. The
// errors come from [Layout.Eval] and [Composed.Eval].
func DeriveEval(f Inner, c Tuple) (*Derivation, error) {
	d := &Derivation{Op: "eval", B: c}
	t := &trace{[]*Derivation{d}}
	var err error
	switch f := f.(type) {
	case Layout:
		d.A = f
		d.To, err = f.eval(c, t)
	case Composed:
		d.A = f.inner()
		d.To, err = f.eval(c, t)
	}
	d.OK = err == nil
	return d, err
}

// DeriveSlice returns the derivation of a slice. It contains, for each fixed mode, the derivation of the mode's offset,
// named eval; for each open mode, an [OpenMode]. Result is the slice, and To its offset. It returns the errors of
// [Layout.SliceAndOffset].
func DeriveSlice(l Layout, c Coord) (*Derivation, error) {
	d := &Derivation{Op: "slice_and_offset", A: l}
	var err error
	d.Result, d.To, err = l.sliceAndOffset(c, &trace{[]*Derivation{d}})
	d.OK = err == nil
	return d, err
}
