package eval

import (
	"fmt"
	"slices"
	"sync"

	"girih"
	"girih/symbolic"
)

// This file calls functions with run-time integers among the arguments.

// dynamicCalls holds the functions that do more than rearrange modes. A function that is neither here nor in rearranging
// needs integers that are known.
var dynamicCalls = sync.OnceValue(func() map[string]func(c *call) (Value, error) {
	own := func(c *call) (Value, error) { return c.fn.call(c) }
	calls := map[string]func(c *call) (Value, error){
		"ceil": own, "floor": own, "mod": own, "min": own, "abs": own,
		"coalesce":             (*call).dynamicCoalesce,
		"composition":          func(c *call) (Value, error) { return dynamicPair(c.args[0], c.args[1]) },
		"complement":           (*call).dynamicComplement,
		"right_inverse":        onDynamicLayout(symbolic.RightInverse),
		"left_inverse":         onDynamicLayout(symbolic.LeftInverse),
		"inverse":              onDynamicLayout(symbolic.Inverse),
		"make_layout":          (*call).dynamicMakeLayout,
		"make_ordered_layout":  (*call).dynamicOrdered,
		"make_layout_like":     (*call).dynamicLike,
		"make_identity_layout": fromDynamicShape(symbolic.Identity),
		"make_basis_like":      strideOf(symbolic.Identity),
		"layout_left":          fromDynamicShape(compactLeft),
		"layout_right":         fromDynamicShape(compactRight),
		"compact_col_major":    strideOf(compactLeft),
		"compact_row_major":    strideOf(compactRight),
		"make_composed_layout": func(c *call) (Value, error) { return makeDynamicComposed(c.args[0], c.args[1], c.args[2]) },
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
		"ceil_div":             dynamicQuotients("ceil_div", symbolic.CeilDiv),
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
		"with_shape":      (*call).dynamicWithShape,
		"coshape":         (*call).dynamicCoshape,
		"domain_offset":   (*call).dynamicDomainOffset,
		"crd2crd":         (*call).dynamicCrd2Crd,
		"equivalent":      (*call).dynamicEquivalent,
		"is_injective":    dynamicQuestion(symbolic.Injective, "repeat no offset"),
		"is_bijective":    dynamicQuestion(symbolic.Bijective, "are 0, ..., size-1, each once"),
		"is_compact":      dynamicQuestion(symbolic.Bijective, "are 0, ..., size-1, each once"),
		"is_surjective":   dynamicQuestion(symbolic.Bijective, "are 0, ..., size-1, each once"),
		"upcast":          (*call).dynamicRecast,
		"downcast":        (*call).dynamicRecast,
		"recast_layout":   (*call).dynamicRecast,
		"blocked_product": dynamicProduct(symbolic.BlockedProduct),
		"raked_product":   dynamicProduct(symbolic.RakedProduct),
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

// dynamicCall calls the function with run-time integers among its arguments.
func (c *call) dynamicCall() (Value, error) {
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
				Msg:  fmt.Sprintf("needs integers that are known, found %s", a),
				Hint: "give run-time integers their values in the expression",
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

// rearranging lists the functions that only rearrange modes, with the arguments whose modes they are; none for all.
var rearranging = map[string][]int{
	"get": {0}, "select": {0}, "take": {0}, "group_modes": {0}, "flatten": {0}, "unflatten": {0}, "reverse": {0},
	"tile_unzip": {0}, "append": {0, 1}, "prepend": {0, 1}, "append_to_rank": {0, 1}, "prepend_to_rank": {0, 1},
	"replace": {0, -1}, "zip": nil,
}

// rearrange calls the function with arguments whose leaves are numbered.
func (c *call) rearrange(which []int) (Value, error) {
	if d, ok := c.args[0].(DynamicTile); ok {
		return c.tileMode(d)
	}
	if d, ok := c.args[0].(DynamicComposed); ok {
		c.args = slices.Clone(c.args)
		c.args[0] = DynamicLayout{d.Inner}
		v, err := c.rearrange(which)
		if err != nil {
			return nil, err
		}
		if d.Inner, err = asDynamicLayout(v); err != nil {
			return nil, err
		}
		return settled(d, nil)
	}
	var at []int
	var ls []symbolic.Layout
	var ts []symbolic.Tuple
	var g symbolic.Guard
	for i, a := range c.args {
		if which != nil && !slices.Contains(which, i) && !(slices.Contains(which, -1) && i == len(c.args)-1) {
			if dynamic(a) {
				return nil, c.bad(i, "known integers")
			}
			continue
		}
		switch a.(type) {
		case Layout, DynamicLayout:
			l, err := asDynamicLayout(a)
			if err != nil {
				return nil, err
			}
			ls = append(ls, l)
		case Tuple, DynamicTuple, Coord:
			t, err := asDynamicTuple(a)
			if err != nil {
				return nil, err
			}
			if t.HasOpen() {
				return c.openModes(t)
			}
			ts = append(ts, t)
		default:
			return nil, c.bad(i, "a layout or a tuple")
		}
		g = g.And(guardOf(a))
		at = append(at, i)
	}
	if len(ls) > 0 && len(ts) > 0 {
		return nil, c.bad(at[1], "of the same kind")
	}
	called := *c
	if len(ls) > 0 {
		l, err := symbolic.Rearrange(func(ids ...girih.Layout) (girih.Layout, error) {
			called.args = slices.Clone(c.args)
			for i, id := range ids {
				called.args[at[i]] = Layout{id}
			}
			v, err := c.fn.call(&called)
			if err != nil {
				return girih.Layout{}, err
			}
			return asLayout(v)
		}, ls...)
		return settled(DynamicLayout{l}, err)
	}
	t, err := symbolic.RearrangeTuples(func(ids ...girih.Tuple) (girih.Tuple, error) {
		called.args = slices.Clone(c.args)
		for i, id := range ids {
			called.args[at[i]] = Tuple{id}
		}
		v, err := c.fn.call(&called)
		if err != nil {
			return girih.Tuple{}, err
		}
		t, ok := v.(Tuple)
		if !ok {
			return girih.Tuple{}, typeError(c.fn.Name, "the result", "a tuple", v)
		}
		return t.Tuple, nil
	}, ts...)
	return settled(DynamicTuple{t, g}, err)
}

// openModes takes modes of a coordinate with underscores and run-time integers.
func (c *call) openModes(t symbolic.Tuple) (Value, error) {
	path, err := c.numbers(1)
	if err != nil {
		return nil, err
	}
	modes := t.Modes()
	switch c.fn.Name {
	case "get":
		for _, p := range path {
			if modes = t.Modes(); p < 0 || p >= len(modes) {
				return nil, &girih.Error{Code: girih.CodeMode, Op: "get", Msg: fmt.Sprintf("mode %d does not exist: there are %d, numbered from 0", p, len(modes))}
			}
			t = modes[p]
		}
		return settled(DynamicTuple{Tuple: t}, nil)
	case "select":
		var out []symbolic.Tuple
		for _, p := range path {
			if p < 0 || p >= len(modes) {
				return nil, &girih.Error{Code: girih.CodeMode, Op: "select", Msg: fmt.Sprintf("mode %d does not exist: there are %d, numbered from 0", p, len(modes))}
			}
			out = append(out, modes[p])
		}
		return settled(DynamicTuple{Tuple: symbolic.Nest(out...)}, nil)
	}
	return nil, c.bad(0, "without underscores")
}

// tileMode takes a mode of a tile.
func (c *call) tileMode(d DynamicTile) (Value, error) {
	path, err := c.numbers(1)
	if err != nil {
		return nil, err
	}
	if c.fn.Name != "get" {
		return nil, c.bad(0, "a layout or a tuple")
	}
	t := d.Tiler
	for _, p := range path {
		modes := t.Modes()
		if p < 0 || p >= len(modes) {
			return nil, &girih.Error{Code: girih.CodeMode, Op: "get", Msg: fmt.Sprintf("mode %d does not exist: there are %d, numbered from 0", p, len(modes))}
		}
		t = modes[p]
	}
	if l, ok := t.Layout(); ok {
		return settled(DynamicLayout{l}, nil)
	}
	return DynamicTile{t}, nil
}

// onInner calls f with the layout, or with that inside a composed one.
func (c *call) onInner(i int, f func(symbolic.Layout) (symbolic.Layout, error)) (Value, error) {
	switch c.args[i].(type) {
	case DynamicComposed, Composed:
		d, err := asDynamicComposed(c.args[i])
		if err != nil {
			return nil, err
		}
		d.Inner, err = f(d.Inner)
		return settled(d, err)
	}
	l, err := asDynamicLayout(c.args[i])
	if err != nil {
		return nil, err
	}
	r, err := f(l)
	return settled(DynamicLayout{r}, err)
}

func onDynamicLayout(f func(symbolic.Layout) (symbolic.Layout, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		l, err := asDynamicLayout(c.args[0])
		if err != nil {
			return nil, err
		}
		r, err := f(l)
		return settled(DynamicLayout{r}, err)
	}
}

func (c *call) dynamicCoalesce() (Value, error) {
	if len(c.args) == 1 {
		return c.onInner(0, symbolic.Coalesce)
	}
	p, err := c.tuple(1)
	if err != nil {
		return nil, err
	}
	return c.onInner(0, func(l symbolic.Layout) (symbolic.Layout, error) { return symbolic.CoalesceProfile(l, p) })
}

func (c *call) dynamicComplement() (Value, error) {
	l, err := asDynamicLayout(c.args[0])
	if err != nil {
		return nil, err
	}
	var target symbolic.Tuple
	switch a := c.argOr(1).(type) {
	case nil:
		n, err := l.Cosize()
		if err != nil {
			return nil, err
		}
		target = symbolic.Number(n)
	case Layout, DynamicLayout:
		m, err := asDynamicLayout(a)
		if err != nil {
			return nil, err
		}
		target = m.Shape()
	default:
		if target, err = asDynamicTuple(a); err != nil {
			return nil, c.bad(1, "a shape")
		}
		if _, err := symbolic.New(target, target); err != nil {
			return nil, err
		}
		l = l.If(guardOf(a))
	}
	r, err := symbolic.Complement(l, target)
	return settled(DynamicLayout{r}, err)
}

// dynamicMakeTuple nests integers and coordinates, or makes a tile of tilers.
func (c *call) dynamicMakeTuple() (Value, error) {
	for _, a := range c.args {
		if _, err := asDynamicTuple(a); err != nil || c.expr.Name == "make_tile" {
			return dynamicTile(c.args)
		}
	}
	return dynamicNest(c.args)
}

// argOr returns argument i, or nil.
func (c *call) argOr(i int) Value {
	if i < len(c.args) {
		return c.args[i]
	}
	return nil
}

func (c *call) dynamicMakeLayout() (Value, error) {
	if _, err := asDynamicTuple(c.args[0]); err == nil {
		switch s := c.argOr(1).(type) {
		case nil:
			return fromDynamicShape(compactLeft)(c)
		case Order:
			f := compactLeft
			if s == "LayoutRight" {
				f = compactRight
			}
			return fromDynamicShape(f)(c)
		}
		return dynamicLayout(c.args[0], c.args[1])
	}
	ls := make([]symbolic.Layout, len(c.args))
	for i, a := range c.args {
		var err error
		if ls[i], err = asDynamicLayout(a); err != nil {
			return nil, c.bad(i, "a layout")
		}
	}
	l, err := symbolic.Make(ls...)
	return settled(DynamicLayout{l}, err)
}

func compactLeft(t symbolic.Tuple) (symbolic.Layout, error)  { return symbolic.Compact(t, false) }
func compactRight(t symbolic.Tuple) (symbolic.Layout, error) { return symbolic.Compact(t, true) }

// dynamicShape takes a tuple, or the shape of a layout.
func (c *call) dynamicShape(i int) (symbolic.Tuple, error) {
	switch a := c.args[i].(type) {
	case Tuple, DynamicTuple:
		return asDynamicTuple(a)
	case Composed, DynamicComposed:
		d, err := asDynamicComposed(a)
		return d.Inner.Shape(), err
	case Layout, DynamicLayout:
		l, err := asDynamicLayout(a)
		return l.Shape(), err
	}
	return symbolic.Tuple{}, c.bad(i, "a shape")
}

func fromDynamicShape(f func(symbolic.Tuple) (symbolic.Layout, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		s, err := c.dynamicShape(0)
		if err != nil {
			return nil, err
		}
		l, err := f(s)
		return settled(DynamicLayout{l.If(guardOf(c.args[0]))}, err)
	}
}

func strideOf(f func(symbolic.Tuple) (symbolic.Layout, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		v, err := fromDynamicShape(f)(c)
		if err != nil {
			return nil, err
		}
		l, err := asDynamicLayout(v)
		return settled(DynamicTuple{l.Stride(), l.Guard()}, err)
	}
}

func (c *call) dynamicOrdered() (Value, error) {
	s, err := c.dynamicShape(0)
	if err != nil {
		return nil, err
	}
	if dynamic(c.args[1]) {
		return nil, c.bad(1, "known integers")
	}
	o, err := c.tuple(1)
	if err != nil {
		return nil, err
	}
	l, err := symbolic.Ordered(s, o.Leaves())
	return settled(DynamicLayout{l.If(guardOf(c.args[0]))}, err)
}

// dynamicLike orders by the strides as far as they are known: those that are not come last, as CuTe has them.
func (c *call) dynamicLike() (Value, error) {
	l, err := c.dynamicInnerOf(0)
	if err != nil {
		return nil, err
	}
	r, err := symbolic.Like(l)
	return settled(DynamicLayout{r}, err)
}

// dynamicInnerOf takes a layout, or that inside a composed one.
func (c *call) dynamicInnerOf(i int) (symbolic.Layout, error) {
	switch a := c.args[i].(type) {
	case Composed, DynamicComposed:
		d, err := asDynamicComposed(a)
		return d.Inner, err
	}
	return asDynamicLayout(c.args[i])
}

func (c *call) dynamicTileToShape() (Value, error) {
	target, err := c.dynamicShape(1)
	if err != nil {
		return nil, err
	}
	var order []int64
	if len(c.args) > 2 {
		if dynamic(c.args[2]) {
			return nil, c.bad(2, "known integers")
		}
		o, err := c.tuple(2)
		if err != nil {
			return nil, err
		}
		order = o.Leaves()
	}
	return c.onInner(0, func(l symbolic.Layout) (symbolic.Layout, error) {
		return symbolic.TileToShape(l.If(guardOf(c.args[1])), target, order)
	})
}

func (c *call) dynamicCrd2Idx() (Value, error) {
	shape, err := c.dynamicShape(1)
	if err != nil {
		return nil, err
	}
	at, err := asDynamicTuple(c.args[0])
	if err != nil {
		return nil, c.bad(0, "a coordinate")
	}
	var t symbolic.Tuple
	var g symbolic.Guard
	if len(c.args) > 2 {
		stride, errD := asDynamicTuple(c.args[2])
		if errD != nil {
			return nil, c.bad(2, "a stride")
		}
		l, errL := symbolic.New(shape, stride)
		if errL != nil {
			return nil, errL
		}
		t, g, err = l.Eval(at)
	} else {
		t, g, err = symbolic.Crd2Idx(at, shape)
	}
	return settled(DynamicTuple{t, g.And(guardOf(c.args[0])).And(guardOf(c.args[1]))}, err)
}

func (c *call) dynamicIdx2Crd() (Value, error) {
	if len(c.args) > 2 {
		return nil, c.bad(2, "left out where integers are not known")
	}
	shape, err := c.dynamicShape(1)
	if err != nil {
		return nil, err
	}
	at, err := asDynamicTuple(c.args[0])
	if err != nil {
		return nil, c.bad(0, "an index")
	}
	t, g, err := symbolic.Idx2Crd(at, shape)
	return settled(DynamicTuple{t, g.And(guardOf(c.args[0])).And(guardOf(c.args[1]))}, err)
}

func (c *call) dynamicIncrement() (Value, error) {
	shape, err := c.dynamicShape(1)
	if err != nil {
		return nil, err
	}
	at, err := asDynamicTuple(c.args[0])
	if err != nil {
		return nil, c.bad(0, "a coordinate")
	}
	t, g, err := symbolic.Increment(at, shape)
	return settled(DynamicTuple{t, g.And(guardOf(c.args[0])).And(guardOf(c.args[1]))}, err)
}

// sliceTuple slices or dices a tuple by a coordinate whose integers do not matter.
func sliceTuple(v Value, at symbolic.Tuple, f func(girih.Tuple, girih.Coord) (girih.Tuple, error)) (Value, error) {
	t, err := asDynamicTuple(v)
	if err != nil {
		return nil, err
	}
	r, err := symbolic.RearrangeTuples(func(ids ...girih.Tuple) (girih.Tuple, error) { return f(ids[0], at.Pattern()) }, t)
	return settled(DynamicTuple{r, guardOf(v)}, err)
}

func (c *call) dynamicDice() (Value, error) {
	at, err := asDynamicTuple(c.args[0])
	if err != nil {
		return nil, c.bad(0, "a coordinate")
	}
	if dynamic(c.args[0]) {
		return nil, c.bad(0, "a coordinate of known integers and _")
	}
	switch v := c.args[1].(type) {
	case Tuple, DynamicTuple, Coord:
		return sliceTuple(v, at, girih.Tuple.Dice)
	}
	return c.onInner(1, func(l symbolic.Layout) (symbolic.Layout, error) {
		return symbolic.Rearrange(func(ids ...girih.Layout) (girih.Layout, error) { return ids[0].Dice(at.Pattern()) }, l)
	})
}

func (c *call) dynamicSliceAndOffset() (Value, error) {
	at, err := asDynamicTuple(c.args[0])
	if err != nil {
		return nil, c.bad(0, "a coordinate")
	}
	l, err := asDynamicLayout(c.args[1])
	if err != nil {
		return nil, err
	}
	s, off, err := l.Slice(at)
	if err != nil {
		return nil, err
	}
	v, err := settled(DynamicLayout{s.If(guardOf(c.args[0]))}, nil)
	if err != nil {
		return nil, err
	}
	x, err := settled(DynamicTuple{Tuple: off}, nil)
	return List{v, x}, err
}

// dynamicPart returns the shape or the stride.
func (c *call) dynamicPart(part func(symbolic.Layout) symbolic.Tuple) (Value, error) {
	l, err := c.dynamicInnerOf(0)
	if err != nil {
		return nil, err
	}
	return settled(DynamicTuple{part(l), l.Guard()}, nil)
}

func (c *call) dynamicSize() (Value, error) {
	var n symbolic.Int
	var err error
	switch c.args[0].(type) {
	case DynamicTuple:
		var t symbolic.Tuple
		if t, err = asDynamicTuple(c.args[0]); err == nil {
			n, err = t.Product()
		}
	default:
		var l symbolic.Layout
		if l, err = c.dynamicInnerOf(0); err == nil {
			n, err = l.Size()
		}
	}
	return settled(DynamicTuple{symbolic.Number(n), guardOf(c.args[0])}, err)
}

func (c *call) dynamicCosize() (Value, error) {
	l, err := c.dynamicInnerOf(0)
	if err != nil {
		return nil, err
	}
	n, err := l.Cosize()
	return settled(DynamicTuple{symbolic.Number(n), l.Guard()}, err)
}

func (c *call) dynamicProductEach() (Value, error) {
	t, err := asDynamicTuple(c.args[0])
	if err != nil {
		return nil, c.bad(0, "a tuple")
	}
	var elems []symbolic.Tuple
	for _, m := range t.Modes() {
		n, err := m.Product()
		if err != nil {
			return nil, err
		}
		elems = append(elems, symbolic.Number(n))
	}
	if _, ok := t.Leaf(); ok {
		return settled(DynamicTuple{t, guardOf(c.args[0])}, nil)
	}
	return settled(DynamicTuple{symbolic.Nest(elems...), guardOf(c.args[0])}, nil)
}

func dynamicQuotients(op string, f func(x, y symbolic.Int) (symbolic.Int, symbolic.Guard, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		a, err := asDynamicTuple(c.args[0])
		if err != nil {
			return nil, c.bad(0, "an integer or a tuple")
		}
		b, err := asDynamicTuple(c.args[1])
		if err != nil {
			return nil, c.bad(1, "an integer or a tuple")
		}
		g := guardOf(c.args[0]).And(guardOf(c.args[1]))
		t, err := symbolic.Zip(op, a, b, func(v, w symbolic.Vector) (symbolic.Vector, error) {
			x, okX := v.Int()
			y, okY := w.Int()
			if !okX || !okY {
				return symbolic.Vector{}, &girih.Error{Code: girih.CodeType, Op: op, Msg: "expected integers, found coordinates"}
			}
			q, h, err := f(x, y)
			g = g.And(h)
			return symbolic.Scalar(q), err
		})
		return settled(DynamicTuple{t, g}, err)
	}
}

func (c *call) dynamicLess() (Value, error) {
	return compareDynamic("elem_less", c.args[0], c.args[1], symbolic.LessIf)
}

// compareDynamic returns the truth value of a comparison.
func compareDynamic(op string, a, b Value, f func(t, u symbolic.Tuple) (symbolic.Guard, bool)) (Value, error) {
	t, errT := asDynamicTuple(a)
	u, errU := asDynamicTuple(b)
	if errT != nil || errU != nil {
		return Bool(false), nil
	}
	g, ok := f(t, u)
	if !ok {
		if op == "==" {
			return Bool(false), nil
		}
		return nil, &girih.Error{Code: girih.CodeNotCongruent, Op: op, Msg: fmt.Sprintf("expected tuples of the same nesting, found %s and %s", a, b)}
	}
	return settled(DynamicBool{g}, nil)
}

// dynamicRank asks what depends on the nesting only, of tuples with 0 in the place of every integer.
func (c *call) dynamicRank() (Value, error) {
	called := *c
	called.args = make([]Value, len(c.args))
	for i := range c.args {
		s, err := c.dynamicShape(i)
		if err != nil {
			return nil, err
		}
		t, closed := s.Pattern().Tuple()
		if !closed {
			return nil, c.bad(i, "without underscores")
		}
		called.args[i] = Tuple{t}
	}
	return c.fn.call(&called)
}

func (c *call) dynamicInner() (Value, error) {
	d, err := asDynamicComposed(c.args[0])
	if err != nil {
		return nil, c.bad(0, "a composed layout")
	}
	switch c.fn.Name {
	case "inner":
		return settled(DynamicLayout{d.Inner}, nil)
	case "offset":
		return settled(DynamicTuple{Tuple: d.Offset}, nil)
	}
	return d.Outer, nil
}

func (c *call) dynamicRecast() (Value, error) {
	last := 0
	if c.fn.Name == "recast_layout" {
		last = len(c.args) - 1
	}
	ns := slices.Clone(c.tmpl)
	for i, a := range c.args {
		if i == last {
			continue
		}
		if dynamic(a) {
			return nil, c.bad(i, "a known integer")
		}
		n, err := c.integer(i)
		if err != nil {
			return nil, err
		}
		ns = append(ns, n)
	}
	up, down := int64(1), int64(1)
	switch {
	case c.fn.Name == "upcast" && len(ns) == 1:
		up = ns[0]
	case c.fn.Name == "downcast" && len(ns) == 1:
		down = ns[0]
	case len(ns) == 2 && ns[1] > 0 && ns[0]%ns[1] == 0:
		up = ns[0] / ns[1]
	case len(ns) == 2 && ns[0] > 0 && ns[1]%ns[0] == 0:
		down = ns[1] / ns[0]
	default:
		return nil, &girih.Error{Code: girih.CodeUnknown, Op: c.fn.Name, Msg: "with run-time integers one width must divide the other"}
	}
	return c.onInner(last, func(l symbolic.Layout) (symbolic.Layout, error) {
		if down > 1 {
			return symbolic.Downcast(l, down)
		}
		return symbolic.Upcast(l, up)
	})
}

func (c *call) dynamicTiled(f func(symbolic.Layout, symbolic.Tiler) (symbolic.Layout, error)) (Value, error) {
	t, err := asDynamicTiler(c.args[1])
	if err != nil {
		return nil, err
	}
	return c.onInner(0, func(l symbolic.Layout) (symbolic.Layout, error) { return f(l.If(guardOf(c.args[1])), t) })
}

func (c *call) dynamicDivide(f symbolic.Form, exact bool) (Value, error) {
	return c.dynamicTiled(func(l symbolic.Layout, t symbolic.Tiler) (symbolic.Layout, error) {
		d, err := symbolic.Divide(l, t, f)
		if err != nil {
			return symbolic.Layout{}, err
		}
		if exact && (len(d.Padded) > 0 || !d.Padding.None()) {
			why := d.Padding.String()
			if len(d.Padded) > 0 {
				why = d.Padded.String() + " does not hold"
			}
			return symbolic.Layout{}, &girih.Error{
				Code: girih.CodeNotDivisible, Op: c.fn.Name,
				Msg:  fmt.Sprintf("%s does not divide %s evenly: %s", t, l, why),
				Hint: "the divide that is not exact returns the padded layout and the predicate",
			}
		}
		if exact {
			return d.If(d.Whole), nil
		}
		if !d.Padding.None() {
			c.env.note("%v", d.Padding)
		}
		if len(d.Padded) > 0 {
			c.env.note("padded: %s does not hold", d.Padded)
		}
		if len(d.Whole) > 0 {
			c.env.whole = append(c.env.whole, d.Whole)
		}
		return d.Layout, nil
	})
}

func dynamicProduct(f func(a, b symbolic.Layout) (symbolic.Layout, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		b, err := asDynamicLayout(c.args[1])
		if err != nil {
			return nil, err
		}
		return c.onInner(0, func(a symbolic.Layout) (symbolic.Layout, error) { return f(a, b) })
	}
}
