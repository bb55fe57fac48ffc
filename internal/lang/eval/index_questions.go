package eval

import (
	"errors"
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/lang/indexmap"
)

// This file answers questions about maps of indices that are no layouts, and composes and inverts them.

// An indexQuestion is a question whose answer for a map is yes or no.
type indexQuestion struct {
	once bool // whether no value occurs twice
	all  bool // whether every value of the codomain occurs
}

// indexClaim returns the method of a question about a map. A note names two indices with one value, an index whose
// value is outside the codomain, or a value that no index has. Without a codomain, the box of the values is meant.
//
//go:noinline
func indexClaim(q indexQuestion) method {
	return func(c *call) (Value, error) {
		m, ok := c.args[0].(IndexMap)
		if !ok {
			return nil, c.bad(1, "an integer or a shape")
		}
		t, err := c.over(m)
		if err != nil {
			return nil, err
		}
		codomain, _ := t.Box()
		if len(c.args) > 1 {
			s, err := c.shape(1)
			if err != nil {
				return nil, err
			}
			if codomain = s.Leaves(); len(codomain) != t.Outputs() {
				return nil, &cute.Error{
					Code: cute.CodeRank, Op: c.fn.Name,
					Msg: fmt.Sprintf("expected an extent of the codomain for each of the %d results, found %v", t.Outputs(), s),
				}
			}
			if i := t.Outside(codomain); i >= 0 {
				c.env.note("at %s the value is %v, outside the codomain %s", t.Where(i), t.At(i), boxText(codomain))
				return Bool(false), nil
			}
		}
		return c.claimOf(q, t, codomain)
	}
}

// claimOf answers a question about values in a codomain, which is nil if a value is negative.
func (c *call) claimOf(q indexQuestion, t *indexmap.Table, codomain []int64) (Value, error) {
	if q.once {
		i, j, err := t.Repeat()
		if err != nil {
			return nil, err
		}
		if i >= 0 {
			c.env.note("at %s and at %s the value is %v", t.Where(i), t.Where(j), t.At(i))
			return Bool(false), nil
		}
	}
	if !q.all {
		return Bool(true), nil
	}
	if codomain == nil {
		c.env.note("a value is below 0")
		return Bool(false), nil
	}
	if missed, ok := t.LeastMissing(codomain); ok {
		c.env.note("no index has the value %v of %s", missed, boxText(codomain))
		return Bool(false), nil
	}
	return Bool(true), nil
}

// indexTable evaluates the map that is argument 0.
func (c *call) indexTable() (*indexmap.Table, error) {
	m, ok := c.args[0].(IndexMap)
	if !ok {
		return nil, c.bad(0, "a map of indices")
	}
	return c.over(m)
}

// indexValues lists the values of a map in the order of the indices.
func (c *call) indexValues() (Value, error) {
	t, err := c.indexTable()
	if err != nil {
		return nil, err
	}
	if err := c.listable(t.Size()); err != nil {
		return nil, err
	}
	if t.Outputs() == 1 {
		return c.numbersOf(t.Column(0), nil)
	}
	list := make(List, 0, t.Size())
	for i := range t.Size() {
		list = append(list, Tuple{t.At(i)})
	}
	return list, nil
}

// indexImage lists the different values of a map, in increasing order; of coordinates the last number counts most.
func (c *call) indexImage() (Value, error) {
	t, err := c.indexTable()
	if err != nil {
		return nil, err
	}
	if err := c.listable(t.Size()); err != nil {
		return nil, err
	}
	order, err := t.Distinct()
	if err != nil {
		return nil, err
	}
	list := make(List, 0, len(order))
	for _, i := range order {
		list = append(list, Tuple{t.At(i)})
	}
	return list, nil
}

// indexCoshape returns the extents of the box of the values, and indexCosize their product.
func (c *call) indexCoshape() (Value, error) {
	t, err := c.indexTable()
	if err != nil {
		return nil, err
	}
	box, ok := t.Box()
	if !ok {
		return nil, &cute.Error{
			Code: cute.CodeNegative, Op: c.fn.Name, Msg: "expected values of at least 0, found others in " + c.args[0].String(),
		}
	}
	if len(box) == 1 {
		return integer(box[0]), nil
	}
	return Tuple{cute.Ints(box...)}, nil
}

func (c *call) indexCosize() (Value, error) {
	v, err := c.indexCoshape()
	if err != nil {
		return nil, err
	}
	return intOf(v.(Tuple).Product())
}

// indexShape returns the extents of the indices of a map.
func (c *call) indexShape() (Value, error) { return tupleOf(c.modeShape()) }

// recognizeMap returns the layout with the values of a map, or the error that names the first index at which every
// layout fails.
func (c *call) recognizeMap() (Value, error) {
	t, err := c.indexTable()
	if err != nil {
		return nil, err
	}
	return fit(t)
}

// applyMap evaluates a map at indices.
func (c *call) applyMap() (Value, error) {
	m, ok := c.args[0].(IndexMap)
	if !ok {
		return nil, c.bad(1, "an integer or a tuple")
	}
	var x []int64
	for i, v := range c.args[1:] {
		t, ok := v.(Tuple)
		if !ok || t.HasBasis() {
			return nil, c.bad(i+1, "an integer or a tuple")
		}
		x = append(x, t.Leaves()...)
	}
	if len(x) == 1 && len(m.extents) > 1 { // the index is in colexicographic order
		for k, e := range m.extents[:len(m.extents)-1] {
			x = append(x, x[k]/e)
			x[k] %= e
		}
	}
	if n := m.Map.Inputs(); len(x) != n && !(m.Map.TakesCoordinate() && len(x) >= n && len(x) <= indexmap.MaxInputs) {
		return nil, &cute.Error{
			Code: cute.CodeRank, Op: "index_map", Msg: fmt.Sprintf("expected %d indices, found %d", n, len(x)),
		}
	}
	out := make([]int64, m.Map.Outputs())
	if err := m.Map.At(x, out); err != nil {
		return nil, &cute.Error{
			Code: cute.CodeNotRepresentable, Op: "index_map", Msg: "the map has no value " + err.Error(),
		}
	}
	if len(out) == 1 {
		return integer(out[0]), nil
	}
	return Tuple{cute.Ints(out...)}, nil
}

// equivalentMaps compares a map with another one or with a layout, index by index in colexicographic order.
func (c *call) equivalentMaps() (Value, error) {
	f, err := c.functionAt(0)
	if err != nil {
		return nil, err
	}
	g, err := c.functionAt(1)
	if err != nil {
		return nil, err
	}
	if f.size != g.size {
		c.env.note("the sizes are %d and %d", f.size, g.size)
		return Bool(false), nil
	}
	for i := range f.size {
		if i%4096 == 0 {
			if err := c.env.inTime(c.expr); err != nil {
				return nil, err
			}
		}
		x, err := f.at(i)
		if err != nil {
			return nil, err
		}
		y, err := g.at(i)
		if err != nil {
			return nil, err
		}
		if x.IsInt() != y.IsInt() || !slices.Equal(x.Leaves(), y.Leaves()) {
			c.env.note("at index %d the values are %v and %v", i, x, y)
			return Bool(false), nil
		}
	}
	return Bool(true), nil
}

// An indexFunction is a function of an index.
type indexFunction struct {
	size int64
	at   func(i int64) (cute.Tuple, error)
}

// functionAt returns argument i, a map or a layout, as a function of an index.
func (c *call) functionAt(i int) (indexFunction, error) {
	if m, ok := c.args[i].(IndexMap); ok {
		t, err := c.over(m)
		if err != nil {
			return indexFunction{}, err
		}
		return indexFunction{t.Size(), func(i int64) (cute.Tuple, error) { return t.At(i), nil }}, nil
	}
	s, err := c.shape(i)
	if err != nil {
		return indexFunction{}, err
	}
	n, err := s.Product()
	if err == nil && n > cute.EnumLimit {
		err = &cute.Error{
			Code: cute.CodeLimit, Op: c.fn.Name,
			Msg: fmt.Sprintf("expected at most %d indices, found %d", int64(cute.EnumLimit), n),
		}
	}
	f := c.args[i]
	return indexFunction{n, func(x int64) (cute.Tuple, error) {
		v, err := evalAt(f, cute.Int(x))
		if err != nil {
			return cute.Tuple{}, err
		}
		t, _ := v.(Tuple)
		return t.Tuple, nil
	}}, err
}

// composeMap returns f o L for a map f and a layout L, or L o f: the layout with those values. The error names the
// first index at which every layout fails.
func (c *call) composeMap() (Value, error) {
	inner, err := c.functionAt(1)
	if err != nil {
		return nil, err
	}
	s, err := c.shape(1)
	if err != nil {
		return nil, err
	}
	outer := c.args[0]
	t, err := indexmap.Tabulate(s.Leaves(), c.env.stop(), func(i int64) (cute.Tuple, error) {
		x, err := inner.at(i)
		if err != nil {
			return x, err
		}
		of := &call{env: c.env, fn: c.fn, expr: c.expr, args: []Value{outer, Tuple{x}}}
		var v Value
		if _, isMap := outer.(IndexMap); isMap {
			v, err = of.applyMap()
		} else {
			v, err = of.apply()
		}
		if err != nil {
			return x, err
		}
		y, ok := v.(Tuple)
		if !ok {
			return x, c.bad(0, "a layout or a map")
		}
		return y.Tuple, nil
	})
	if err != nil {
		return nil, err
	}
	return fit(t)
}

// invertMap returns the inverse of a bijection onto the box of its values, as a layout of that box.
func (c *call) invertMap() (Value, error) {
	t, err := c.indexTable()
	if err != nil {
		return nil, err
	}
	inverse, err := t.Inverse()
	if err != nil {
		return nil, err
	}
	return fit(inverse)
}

// needsLayout refuses a map in the place of a layout, and says why the map is none.
func (c *call) needsLayout() (Value, error) {
	for i, v := range c.args {
		m, ok := v.(IndexMap)
		if !ok {
			continue
		}
		err := typeError(c.fn.Name, fmt.Sprintf("argument %d", i+1), "a layout", v)
		if t, fault := c.over(m); fault == nil {
			if e, ok := errors.AsType[*cute.Error](second(fit(t))); ok {
				err.Msg, err.Witness = err.Msg+": "+e.Msg, e.Witness
			}
		} else if e, ok := errors.AsType[*cute.Error](fault); ok {
			err.Hint = e.Hint
		}
		return nil, c.env.fail(c.place(i), err)
	}
	return nil, c.bad(0, "a layout")
}

func second(_ Value, err error) error { return err }
