package compat

import (
	"errors"
	"fmt"
	"slices"
)

// A Dialect is one of the programs that implement CuTe's algebra.
type Dialect int

// The dialects.
const (
	// CPPStatic is CuTe C++ with only compile-time constants, as in Layout<Shape<_4,_3>,Stride<_1,_4>>.
	CPPStatic Dialect = iota
	// CPPDynamic is CuTe C++ with integers that are known at run time, except those that the query marks with an
	// underscore.
	CPPDynamic
	// DSL is the algebra below the CuTe DSL (cutegen), on constants.
	DSL
	// Pycute is NVIDIA's pycute.
	Pycute
)

// Dialects returns all dialects.
func Dialects() []Dialect { return []Dialect{CPPStatic, CPPDynamic, DSL, Pycute} }

// String returns the name that reports print.
func (d Dialect) String() string {
	switch d {
	case CPPStatic:
		return "CuTe C++, static"
	case CPPDynamic:
		return "CuTe C++, dynamic"
	case DSL:
		return "CuTe DSL"
	case Pycute:
		return "pycute"
	}
	return fmt.Sprintf("Dialect(%d)", int(d))
}

// Short returns a short name for the header of a table.
func (d Dialect) Short() string {
	return [...]string{"C++ static", "C++ dynamic", "DSL", "pycute"}[d]
}

// ID returns the dialect's name in JSON.
func (d Dialect) ID() string {
	return [...]string{"cpp_static", "cpp_dynamic", "cute_dsl", "pycute"}[d]
}

// An Answer is what a dialect returns: a layout, or a refusal.
type Answer struct {
	// Text is the layout with the values of all integers, or "". Extents may be 0 or negative.
	Text string
	// Static is the layout as the compiler knows it, with ? for integers known at run time.
	Static string
	// Refusal says how the dialect refuses, or why the model has no answer. It is nil if there is a layout.
	Refusal *Refusal

	layout layout
}

// Answer returns the dialect's answer, from the model of its algorithm.
func (q Query) Answer(d Dialect) Answer {
	l, err := q.ask(d)
	if r, ok := errors.AsType[*Refusal](err); ok {
		return Answer{Refusal: r}
	}
	return Answer{Text: l.text(values), Static: l.text(types), layout: l}
}

func (q Query) ask(d Dialect) (layout, error) {
	switch d {
	case CPPStatic, CPPDynamic:
		if d == CPPStatic {
			q = q.constants()
		}
		c := &cpp{calc{zero: "divides by 0 at run time"}}
		return c.end(c.run(q))
	case DSL:
		c := &cutegen{calc{zero: errorLeaf().Error()}}
		return c.end(c.run(q.constants()))
	}
	c := &pycute{calc{zero: "ZeroDivisionError"}}
	return c.end(c.run(q.constants()))
}

// end returns the result of a run. An arithmetic error is returned rather than err, because it came first.
func (c *calc) end(l layout, err error) (layout, error) {
	if c.err != nil {
		err = c.err
	}
	return l, err
}

func (c *cpp) run(q Query) (layout, error) {
	a := q.a.layout
	if q.a.shape {
		a = c.compactLeft(a, constant(1))
	}
	switch q.op {
	case opCoalesce:
		return c.byProfile(a, q.profile(), c.coalesce)
	case opComposition:
		return c.byMode(a, q.b, composition(c), dropModes)
	case opComplement:
		return c.complement(a, q.shape)
	case opRightInverse:
		return c.rightInverse(a), nil
	case opLeftInverse:
		return c.leftInverse(a)
	case "blocked_product", "raked_product":
		b := q.c.layout
		if q.c.shape {
			b = c.compactLeft(b, constant(1))
		}
		return c.modewise(a, b, q.order())
	}
	form, f := q.split(c.divide, c.product)
	if form == "logical" {
		return c.logical(a, q.b, f)
	}
	return arrange(form, c.tile, c.flatten)(c.zip2(a, q.b, f))
}

func (c *cutegen) run(q Query) (layout, error) {
	a := q.a.layout
	if q.a.shape {
		a = c.compactLeft(a)
	}
	switch q.op {
	case opCoalesce:
		return c.byProfile(a, q.profile(), c.coalesce)
	case opComposition:
		return c.compositionBy(a, q.b)
	case opComplement:
		if q.shape == nil {
			return c.gaps(a)
		}
		return c.complement(a, q.shape), nil
	case opRightInverse:
		return c.rightInverse(a), nil
	case opLeftInverse:
		return c.leftInverse(a)
	case "blocked_product", "raked_product":
		b := q.c.layout
		if q.c.shape {
			b = c.compactLeft(b)
		}
		return c.modewise(a, b, q.order())
	}
	form, f := q.split(c.divide, c.product)
	if form == "logical" {
		return c.byMode(a, q.b, f, inPlace)
	}
	return arrange(form, c.tile, c.flatten)(c.byMode(a, q.b, f, tilesFirst))
}

func (c *pycute) run(q Query) (layout, error) {
	a := q.a.layout
	if q.a.shape {
		a = c.compact(a, constant(1), nil)
	}
	switch q.op {
	case opCoalesce:
		return c.byProfile(a, q.profile())
	case opComposition:
		if _, hasPath := q.b.leaves(); hasPath {
			return a, noModel("coordinate strides in pycute")
		}
		return c.byMode(a, q.b, c.composition)
	case opComplement:
		m := constant(1)
		if q.shape != nil {
			if q.shape.tuple {
				return a, refuse("TypeError: the cotarget is a tuple")
			}
			m = q.shape.s
		}
		return c.complement(a, m)
	case opRightInverse:
		return c.rightInverse(a), nil
	case opLeftInverse:
		return c.leftInverse(a)
	case "blocked_product", "raked_product", "flat_product", "flat_divide":
		return a, &Refusal{Text: "has no " + q.op, Absent: true}
	}
	f := func(a layout, t tiler) (layout, error) { return c.byMode(a, t, c.divide) }
	form, divides := q.form()
	if !divides {
		f = c.logicalProduct
	}
	if form == "logical" {
		return f(a, q.b)
	}
	return arrange(form, c.tile, nil)(c.zip(a, q.b, f))
}

// order returns whether the block or the copies come first in the modes of a blocked or raked product.
func (q Query) order() order {
	if q.op == "raked_product" {
		return copiesFirst
	}
	return blockFirst
}

// profile returns the target profile of a coalesce.
func (q Query) profile() profile {
	if q.shape == nil {
		return profile{}
	}
	return profileOf(q.shape)
}

// forms lists the arrangements of divides and products.
var forms = []string{"logical", "zipped", "tiled", "flat"}

// A composer does the steps of a composition in the algebras of C++ and cutegen.
type composer interface {
	byProfile(l layout, p profile, f func(layout) layout) (layout, error)
	coalesceBeyond(l layout) layout
	compose(a, b layout) (layout, error)
}

// composition is the operation a o b. It coalesces a below the leaves of b's coprofile.
func composition(c composer) func(a, b layout) (layout, error) {
	return func(a, b layout) (layout, error) {
		a, err := c.byProfile(a, coprofile(b), c.coalesceBeyond)
		if err != nil {
			return a, err
		}
		return c.compose(a, b)
	}
}

// form returns the arrangement of a divide or a product, and whether it is a divide.
func (q Query) form() (form string, divides bool) {
	for _, f := range forms {
		if q.op == f+"_divide" {
			return f, true
		}
	}
	i := slices.IndexFunc(forms, func(f string) bool { return q.op == f+"_product" })
	return forms[max(i, 0)], false
}

// split returns the arrangement, and divide or product, whichever the query asks for.
func (q Query) split(divide, product split) (string, split) {
	form, divides := q.form()
	if divides {
		return form, divide
	}
	return form, product
}

// arrange returns the function that turns a zipped result into an arrangement.
func arrange(form string, tiled, flat func(layout) layout) func(layout, error) (layout, error) {
	return func(l layout, err error) (layout, error) {
		switch {
		case err != nil, form == "logical", form == "zipped":
		case len(l.kids) != 2:
			err = refuse("cannot be unpacked: %s is not a pair (tiles,rests)", l.text(values))
		case form == "tiled":
			l = tiled(l)
		case form == "flat":
			l = flat(l)
		}
		return l, err
	}
}
