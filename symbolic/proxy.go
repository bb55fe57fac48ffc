package symbolic

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"girih/cute"
)

// This file runs operations of package cute on layouts with unknown integers.

// linear runs an operation of package cute on a. The operation is linear in a's strides, and a's extents are known. The
// strides become coordinates, with one axis for each monomial along each axis of a.
func (w *operation) linear(a Layout, f func(cute.Layout) (cute.Layout, error)) Layout {
	p := proxyOf(a)
	if p.err != nil {
		w.fail(p.err)
		return Layout{}
	}
	r, err := f(p.layout)
	if err != nil {
		w.refusedBy(p, p.rename(err, a), a)
		return Layout{}
	}
	stride := FromTuple(r.Stride()).mapLeaves(func(v Vector) Vector { return p.restore(&w.calc, v) })
	return layoutOf(FromTuple(r.Shape()), stride)
}

// refusedBy returns an error of package cute about the proxy. In a composition the error's numbers belong to the
// user's layout, and known strides are refused for any last extent of a. In other operations the error's numbers belong
// to a layout that the operation made.
func (w *operation) refusedBy(p *proxy, err error, a Layout) {
	e, ok := errors.AsType[*cute.Error](err)
	if !ok {
		w.fail(err)
		return
	}
	composed := w.op == "composition"
	if composed && a.Stride().Static() {
		w.never(e)
		return
	}
	out := *e
	out.Witness = nil
	if out.Op != w.op {
		out.Op = w.op
	}
	if !composed && (e.Code == cute.CodeNotRepresentable || e.Code == cute.CodeNotDivisible ||
		e.Code == cute.CodeNotComplementable) {
		out.Msg = ""
	}
	w.fail(&out)
}

// A proxy is a layout whose strides are coordinates, one axis for each unit.
type proxy struct {
	layout cute.Layout
	units  []component // the axis, and the monomial with the coefficient 1
	index  map[string]int
	err    error
}

func proxyOf(a Layout) *proxy {
	p := &proxy{index: make(map[string]int)}
	stride := a.Stride().mapLeaves(p.stride)
	shape, err := a.Shape().ToTuple()
	if err != nil {
		p.err = err
		return p
	}
	known, err := stride.ToTuple()
	if err != nil {
		p.err = err
		return p
	}
	p.layout, p.err = cute.New(shape, known)
	return p
}

// stride returns v as a stride of the proxy.
func (p *proxy) stride(v Vector) Vector {
	var c calc
	var out Vector
	add := func(axis string, x Int, coefficient int64) {
		key := axis + " " + x.key()
		i, ok := p.index[key]
		if !ok {
			i = len(p.units)
			if i > cute.MaxAxisPath {
				p.err = &cute.Error{
					Code: cute.CodeLimit, Msg: fmt.Sprintf("the strides have more than %d different monomials", cute.MaxAxisPath+1),
				}
				return
			}
			p.index[key] = i
			p.units = append(p.units, component{axis, x})
		}
		out = c.addVectors(out, OnAxis(Const(coefficient), i))
	}
	for _, part := range v.parts {
		for _, t := range part.x.terms {
			add(part.axis, Int{terms: []term{{1, t.m}}}, t.c)
		}
		if part.x.k != 0 {
			add(part.axis, Const(1), part.x.k)
		}
	}
	return out
}

// value returns the text of a value of the proxy, which contains a number for each unit.
func (p *proxy) value(t cute.Tuple) string {
	if t.Depth() > 1 || t.HasBasis() {
		return "another value"
	}
	var c calc
	var sum Vector
	for i, x := range t.Leaves() {
		if x != 0 && i < len(p.units) {
			u := p.units[i]
			sum = c.addVectors(sum, Vector{[]component{{u.axis, c.scale(u.x, x)}}})
		}
	}
	return sum.String()
}

// restore turns a vector of the proxy into a vector of the layout.
func (p *proxy) restore(c *calc, v Vector) Vector {
	var out Vector
	for _, part := range v.parts {
		i, err := strconv.Atoi(strings.SplitN(part.axis, ".", 2)[0])
		if err != nil || i >= len(p.units) {
			c.fail(&cute.Error{Code: cute.CodeType, Msg: fmt.Sprintf("unexpected stride %s", v)})
			return Vector{}
		}
		u := p.units[i]
		out = c.addVectors(out, Vector{[]component{{u.axis, c.mul(u.x, part.x)}}})
	}
	return out
}

// rename replaces the text of the proxy by the text of the layout in an error message.
func (p *proxy) rename(err error, a Layout) error {
	var e *cute.Error
	if !errors.As(err, &e) {
		return err
	}
	out := *e
	out.Msg = strings.ReplaceAll(e.Msg, p.layout.String(), a.String())
	if c, err := Coalesce(a); err == nil {
		out.Msg = strings.ReplaceAll(out.Msg, cute.Coalesce(p.layout).String(), c.String())
	}
	if e.Witness != nil {
		w := *e.Witness
		for _, t := range []cute.Tuple{w.Value, w.Want} {
			for _, before := range []string{" = ", " give "} {
				out.Msg = strings.ReplaceAll(out.Msg, before+t.String(), before+p.value(t))
			}
		}
		// Values in the proxy's units would mean nothing to the user.
		out.Witness = &cute.Witness{Coord: w.Coord, Index: w.Index}
	}
	return &out
}

// Rearrange runs an operation f that only rearranges modes. f receives layouts whose strides are the numbers of the
// leaves; in its result, leaves of ls replace these numbers, and a mode 1:0 stays. It returns the errors of f about
// these layouts.
func Rearrange(f func(ls ...cute.Layout) (cute.Layout, error), ls ...Layout) (Layout, error) {
	w := begin("", ls...)
	var all []mode
	ids := make([]cute.Layout, len(ls))
	for i, l := range ls {
		number := func(x func(id int64) int64) (cute.Tuple, error) {
			id := firstID + int64(len(all))
			return l.Shape().mapLeaves(func(Vector) Vector { id++; return Scalar(Const(x(id))) }).ToTuple()
		}
		shape, err := number(func(int64) int64 { return 2 })
		if err != nil {
			return Layout{}, err
		}
		stride, err := number(func(id int64) int64 { return id })
		if err != nil {
			return Layout{}, err
		}
		if ids[i], err = cute.New(shape, stride); err != nil {
			return Layout{}, err
		}
		all = append(all, l.modes()...)
	}
	r, err := f(ids...)
	if err != nil {
		return Layout{}, renameAll(err, ids, ls)
	}
	stride := FromTuple(r.Stride())
	pick := func(v Vector) mode {
		x, _ := v.Int()
		if id := x.k - firstID; id > 0 && id <= int64(len(all)) {
			return all[id-1]
		}
		return mode{s: Const(1), d: v}
	}
	return w.end(layoutOf(
		stride.mapLeaves(func(v Vector) Vector { return Scalar(pick(v).s) }),
		stride.mapLeaves(func(v Vector) Vector { return pick(v).d }),
	))
}

func renameAll(err error, ids []cute.Layout, ls []Layout) error {
	var e *cute.Error
	if !errors.As(err, &e) {
		return err
	}
	out := *e
	for i := range ids {
		out.Msg = strings.ReplaceAll(out.Msg, ids[i].String(), ls[i].String())
	}
	return &out
}

// RearrangeTuples is [Rearrange] for tuples: f receives tuples whose leaves and underscores are numbers.
func RearrangeTuples(f func(ts ...cute.Tuple) (cute.Tuple, error), ts ...Tuple) (Tuple, error) {
	var all []Tuple
	ids := make([]cute.Tuple, len(ts))
	for i, t := range ts {
		var err error
		ids[i], err = t.mapNodes(func(leaf Tuple) Tuple {
			all = append(all, leaf)
			return Number(Const(firstID + int64(len(all))))
		}).ToTuple()
		if err != nil {
			return Tuple{}, err
		}
	}
	r, err := f(ids...)
	if err != nil {
		return Tuple{}, err
	}
	return FromTuple(r).mapNodes(func(leaf Tuple) Tuple {
		x, _ := leaf.Int()
		if id := x.k - firstID; id > 0 && id <= int64(len(all)) {
			return all[id-1]
		}
		return leaf
	}), nil
}

// firstID is below the numbers of leaves. Numbers up to firstID mean themselves, not leaves, such as the 1
// that append adds.
const firstID = 1 << 32

// mapNodes returns t with f of every leaf and underscore.
func (t Tuple) mapNodes(f func(Tuple) Tuple) Tuple {
	if t.kind() != isTuple {
		return f(t)
	}
	out := make([]Tuple, len(t.elems()))
	for i, e := range t.elems() {
		out[i] = e.mapNodes(f)
	}
	return Nest(out...)
}
