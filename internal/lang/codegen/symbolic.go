package codegen

import (
	"girih/cute"
	"girih/symbolic"
)

// This file converts values with run-time integers.

// SymbolicTuple returns an integer, a tuple or a coordinate with run-time integers.
func SymbolicTuple(t symbolic.Tuple) Value {
	var b builder
	n := tuple{b.tree(t)}
	return Value{n, b.err}
}

// SymbolicLayout returns a layout with run-time integers.
func SymbolicLayout(l symbolic.Layout) Value {
	var b builder
	n := b.layout(l)
	return Value{n, b.err}
}

// SymbolicComposed returns outer o offset o inner: outer a swizzle or a layout, inner a layout or composed itself.
func SymbolicComposed(outer Value, offset symbolic.Tuple, inner Value) Value {
	if outer.err != nil {
		return outer
	}
	var b builder
	n := composed{stages: []stage{{outer.node, b.tree(offset)}}}
	switch in := inner.node.(type) {
	case layout:
		n.inner = in
	case composed:
		n.stages, n.inner = append(n.stages, in.stages...), in.inner
	default:
		return inner
	}
	return Value{n, b.err}
}

// SymbolicTiler returns a tiler with run-time integers.
func SymbolicTiler(t symbolic.Tiler) Value {
	if l, ok := t.Layout(); ok {
		return SymbolicLayout(l)
	}
	ms := t.Modes()
	if len(ms) == 1 && ms[0].String() == "_" && t.String() == "_" {
		return Value{node: keep{}}
	}
	nodes := make(tile, len(ms))
	for i, m := range ms {
		v := SymbolicTiler(m)
		if v.err != nil {
			return v
		}
		nodes[i] = v.node
	}
	return Value{node: nodes}
}

// A builder converts symbolic tuples to trees and formulas to exprs. It implements [symbolic.Builder].
type builder struct{ err error }

func (b *builder) Const(x int64) expr { return literal(x) }

func (b *builder) Symbol(s *symbolic.Symbol) expr {
	if s.Anonymous() {
		return symbol("")
	}
	return symbol(s.Name())
}

func (b *builder) Sum(terms []expr) expr       { return operation{opAdd, terms} }
func (b *builder) Product(factors []expr) expr { return operation{opMul, factors} }

func (b *builder) Apply(o symbolic.Op, args []expr) expr {
	ops := map[symbolic.Op]op{
		symbolic.OpCeil: opCeil, symbolic.OpFloor: opFloor, symbolic.OpMod: opMod, symbolic.OpMin: opMin,
	}
	if o == symbolic.OpAbs {
		return operation{opMax, []expr{args[0], operation{opMul, []expr{literal(-1), args[0]}}}}
	}
	if k, ok := ops[o]; ok {
		return operation{k, args}
	}
	if b.err == nil {
		b.err = &cute.Error{Code: cute.CodeUnknown, Op: "codegen", Msg: "a swizzle of a run-time integer is not written: give the integer its value"}
	}
	return literal(0)
}

func (b *builder) number(x symbolic.Int) number {
	if n, ok := x.Int64(); ok {
		return static(n)
	}
	f := x.Facts()
	return number{facts: facts{div: f.Div, bits: f.Bits}, formula: symbolic.Fold(x, symbolic.Builder[expr](b))}
}

func (b *builder) tree(t symbolic.Tuple) tree {
	if t.Open() {
		return open{}
	}
	if v, ok := t.Leaf(); ok {
		if x, ok := v.Int(); ok {
			return b.number(x)
		}
		var s sum
		v.Axes(func(x symbolic.Int, path []int) { s = append(s, term{b.number(x), path}) })
		return s
	}
	ms := t.Modes()
	out := make(branch, len(ms))
	for i, m := range ms {
		out[i] = b.tree(m)
	}
	return out
}

func (b *builder) layout(l symbolic.Layout) layout {
	return layout{b.tree(l.Shape()), b.tree(l.Stride())}
}
