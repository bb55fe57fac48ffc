package eval

import (
	"fmt"
	"strings"
	"sync"

	"girih"
	"girih/symbolic"
)

// This file calls functions with run-time integers among the arguments.

// dynamicCalls holds the functions that do more than rearrange modes. A function that is neither here nor in
// rearranging needs integers that are known.
var dynamicCalls = sync.OnceValue(func() map[string]func(c *call) (Value, error) {
	own := func(c *call) (Value, error) { return c.fn.call(c) }
	calls := map[string]func(c *call) (Value, error){
		"ceil": own, "floor": own, "mod": own, "min": own, "abs": own, "Int32": own, "Int64": own,
		"coalesce":             (*call).dynamicCoalesce,
		"composition":          func(c *call) (Value, error) { return dynamicPair(c.args[0], c.args[1]) },
		"complement":           func(c *call) (Value, error) { return c.dynamicComplement(symbolic.Complement) },
		"complement_exact":     func(c *call) (Value, error) { return c.dynamicComplement(symbolic.ComplementExact) },
		"right_inverse":        onDynamicLayout(symbolic.RightInverse),
		"left_inverse":         onDynamicLayout(symbolic.LeftInverse),
		"inverse":              onDynamicLayout(symbolic.Inverse),
		"make_layout":          (*call).dynamicMakeLayout,
		"make_ordered_layout":  (*call).dynamicOrdered,
		"make_layout_like":     (*call).dynamicLike,
		"make_identity_layout": fromDynamicShape(symbolic.Identity),
		"make_basis_like":      strideOf(symbolic.Identity),
		"as_arithmetic_tuple":  asArithmeticTuple,
		"layout_left":          fromDynamicShape(compactLeft),
		"layout_right":         fromDynamicShape(compactRight),
		"compact_col_major":    strideOf(compactLeft),
		"compact_row_major":    strideOf(compactRight),
		"make_composed_layout": func(c *call) (Value, error) { return composedOf(c.args[0], c.args[1], c.args[2]) },
		"make_tuple":           (*call).dynamicMakeTuple,
		"tile_to_shape":        (*call).dynamicTileToShape,
		"crd2idx":              (*call).dynamicCrd2Idx,
		"idx2crd":              (*call).dynamicIdx2Crd,
		"increment":            (*call).dynamicIncrement,
		"eval":                 func(c *call) (Value, error) { return c.env.dynamicApply(c.args[0], c.args[1:]) },
		"slice":                func(c *call) (Value, error) { return c.env.dynamicApply(c.args[1], c.args[:1]) },
		"dice":                 (*call).dynamicDice,
		"slice_and_offset":     (*call).dynamicSliceAndOffset,
		"shape":                func(c *call) (Value, error) { return c.dynamicPart(symbolic.Layout.Shape) },
		"stride":               func(c *call) (Value, error) { return c.dynamicPart(symbolic.Layout.Stride) },
		"size":                 (*call).dynamicSize,
		"product":              (*call).dynamicSize,
		"cosize":               (*call).dynamicCosize,
		"product_each":         (*call).dynamicProductEach,
		"ceil_div":             dynamicQuotients("ceil_div", symbolic.CeilDivPositive),
		"shape_div":            dynamicQuotients("shape_div", symbolic.ShapeDiv),
		"elem_less":            (*call).dynamicLess,
		"rank":                 (*call).dynamicRank,
		"depth":                (*call).dynamicRank,
		"congruent":            (*call).dynamicRank,
		"weakly_congruent":     (*call).dynamicRank,
		"inner":                (*call).dynamicInner,
		"outer":                (*call).dynamicInner,
		"offset":               (*call).dynamicInner,
		"filter_zeros":         func(c *call) (Value, error) { return c.onInner(0, symbolic.FilterZeros) },
		"filter": func(c *call) (Value, error) {
			return c.onInner(0, func(l symbolic.Layout) (symbolic.Layout, error) {
				f, err := symbolic.FilterZeros(l)
				if err != nil {
					return f, err
				}
				return symbolic.Coalesce(f)
			})
		},
		"with_shape":        (*call).dynamicWithShape,
		"nullspace":         onDynamicLayout(symbolic.Nullspace),
		"coshape":           (*call).dynamicCoshape,
		"domain_offset":     (*call).dynamicDomainOffset,
		"crd2crd":           (*call).dynamicCrd2Crd,
		"equivalent":        (*call).dynamicEquivalent,
		"is_injective":      dynamicQuestion(symbolic.Injective),
		"is_bijective":      dynamicQuestion(symbolic.Bijective),
		"is_compact":        dynamicQuestion(symbolic.IsCompact),
		"is_surjective":     dynamicQuestion(symbolic.Surjective),
		"upcast":            (*call).dynamicRecast,
		"downcast":          (*call).dynamicRecast,
		"recast_layout":     (*call).dynamicRecast,
		"max_common_layout": (*call).dynamicCommonLayout,
		"max_common_vector": (*call).dynamicCommonVector,
		"compatible":        (*call).dynamicCompatible,
		"common_refinement": (*call).dynamicRefinement,
		"blocked_product":   dynamicProduct(symbolic.BlockedProduct),
		"raked_product":     dynamicProduct(symbolic.RakedProduct),
	}
	for i, name := range []string{"logical", "zipped", "tiled", "flat"} {
		f := symbolic.Form(i)
		calls[name+"_divide"] = func(c *call) (Value, error) { return c.dynamicDivide(f, false) }
		calls[name+"_divide_exact"] = func(c *call) (Value, error) { return c.dynamicDivide(f, true) }
		calls[name+"_product"] = func(c *call) (Value, error) {
			return c.dynamicTiled(func(l symbolic.Layout, t symbolic.Tiler) (symbolic.Layout, error) { return symbolic.Multiply(l, t, f) })
		}
	}
	return calls
})

// dynamicCall calls the function with run-time integers among its arguments. An error is that of the function that was
// called, whatever it consists of.
func (c *call) dynamicCall() (Value, error) {
	v, err := c.dynamicValue()
	if e, ok := err.(*girih.Error); ok && e.Op != c.fn.Name {
		named := *e
		named.Op = c.fn.Name
		return nil, &named
	}
	return v, err
}

func (c *call) dynamicValue() (Value, error) {
	if args, ok := rearranging[c.fn.Name]; ok {
		return c.rearrange(args)
	}
	if f, ok := dynamicCalls()[c.fn.Name]; ok {
		if ofMode[c.fn.Name] {
			if err := c.takeMode(); err != nil {
				return nil, err
			}
		}
		return f(c)
	}
	for _, a := range c.args {
		if dynamic(a) {
			return nil, &girih.Error{
				Code: girih.CodeUnknown, Op: c.fn.Name,
				Msg:  fmt.Sprintf("needs integers that are known, found %s%s", a, ofUnknowns(a)),
				Hint: "write numbers in the place of the run-time integers, or give the names values: let M = 8; in front",
			}
		}
	}
	return c.fn.call(c)
}

// ofMode are the functions of a layout or of one of its modes, size<0,1>(L).
var ofMode = map[string]bool{"size": true, "cosize": true, "coshape": true, "shape": true, "stride": true, "rank": true, "depth": true}

// takeMode replaces argument 0 by the mode of it that the numbers name.
func (c *call) takeMode() error {
	path, err := c.path()
	if err != nil || len(path) == 0 {
		return err
	}
	var v Value
	switch a := c.args[0].(type) {
	case Tuple, DynamicTuple:
		t, errT := asDynamicTuple(a)
		if errT != nil {
			return errT
		}
		r, errT := symbolic.RearrangeTuples(func(ids ...girih.Tuple) (girih.Tuple, error) { return ids[0].Mode(path...) }, t)
		v, err = DynamicTuple{r, guardOf(a)}, errT
	default:
		l, errL := c.dynamicInnerOf(0)
		if errL != nil {
			return errL
		}
		r, errL := symbolic.Rearrange(func(ids ...girih.Layout) (girih.Layout, error) { return ids[0].Mode(path...) }, l)
		v, err = DynamicLayout{r}, errL
	}
	if err != nil {
		return err
	}
	c.args, c.tmpl = []Value{v}, nil
	return nil
}

// ofUnknowns names the run-time integers of a value, for an error.
func ofUnknowns(v Value) string {
	names := unknowns(v)
	switch len(names) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(", where %s is not", names[0])
	}
	return fmt.Sprintf(", where %s are not", strings.Join(names, ", "))
}
