package gemm

import (
	"girih/atom"
	"girih/ptx"
)

// This file writes the accumulators: what they begin with, and where they go.

// A result is the tile of D, and of C, in registers.
type result struct {
	*generator
	f          fragmentTable
	rows, cols []spot
	m0, n0     ptx.Name // corner of the tile
	m, n       ptx.Name // extents of the problem
	element    ptx.Op   // of D, as a modifier: that of a register, or of half of one
}

// newResult writes the registers, all zero.
func (g *generator) newResult(m0, n0, m, n ptx.Name) (*result, error) {
	f, err := g.r.fragments(atom.OperandC, &g.r.c)
	if err != nil {
		return nil, err
	}
	rows := newSpotTable(f.element.threads, f.element.values)
	cols := newSpotTable(f.element.threads, f.element.values)
	for i, x := range f.element.at {
		rows.at[i], cols.at[i] = x%g.r.k.Tile[0], x/g.r.k.Tile[0]
	}
	o := &result{
		generator: g, f: f, rows: g.spots(rows), cols: g.spots(cols), m0: m0, n0: n0, m: m, n: n,
		element: "." + ptx.Op(f.Type()),
	}
	if f.per > 1 {
		o.element = ".b16"
	}
	for range f.registers {
		r := g.Reg(f.Type())
		g.Emit("mov."+ptx.Op(f.Type()), r, ptx.Int(0))
		g.acc = append(g.acc, r)
	}
	return o, nil
}

// each calls f with each register: its elements' addresses in the matrix, and predicates that they are inside.
func (o *result) each(in matrix, f func(r ptx.Name, at []ptx.Name, inside []ptx.Name)) {
	at, inside := make([]ptx.Name, o.f.per), make([]ptx.Name, o.f.per)
	for i, r := range o.acc {
		for j := range o.f.per {
			row, column := o.plus(o.m0, o.rows[i*o.f.per+j]), o.plus(o.n0, o.cols[i*o.f.per+j])
			p := o.Let(ptx.Pred, "setp.lt.u32", row, o.m)
			inside[j] = o.Let(ptx.Pred, "setp.lt.and.u32", column, o.n, p)
			at[j] = o.at(in, row, column, o.f.Bits/8)
		}
		f(r, at, inside)
	}
}

// load sets the accumulators to those of C.
func (o *result) load(c matrix) {
	o.each(c, func(r ptx.Name, at, inside []ptx.Name) {
		parts := []ptx.Name{r}
		if o.f.per > 1 {
			parts = o.halves()
			for _, x := range parts {
				o.Emit("mov.b16", x, ptx.Int(0))
			}
		}
		for j, x := range parts {
			o.EmitIf(inside[j], "ld.global"+o.element, x, ptx.Addr{Base: at[j]})
		}
		if o.f.per > 1 {
			o.Emit("mov.b32", r, names(parts))
		}
	})
}

// store writes the accumulators to D.
func (o *result) store(d matrix) {
	o.each(d, func(r ptx.Name, at, inside []ptx.Name) {
		parts := []ptx.Name{r}
		if o.f.per > 1 {
			parts = o.halves()
			o.Emit("mov.b32", names(parts), r)
		}
		for j, x := range parts {
			o.EmitIf(inside[j], "st.global"+o.element, ptx.Addr{Base: at[j]}, x)
		}
	})
}

func (o *result) halves() []ptx.Name { return []ptx.Name{o.Reg(ptx.B16), o.Reg(ptx.B16)} }
