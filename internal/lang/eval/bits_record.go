package eval

import (
	"fmt"
	"math/bits"

	"girih/cute"
	"girih/descriptor"
	"girih/f2"
	"girih/internal/lang/syntax"
	"girih/linear"
)

// This file evaluates the records of linear layouts and matrices, and passes other records on.

// record evaluates NAME{FIELD=VALUE, ...}.
func (e *Env) record(x *syntax.Record) (Value, error) {
	switch x.Name {
	case "linear":
		return e.linearRecord(x)
	case "matrix":
		return e.matrixRecord(x)
	case "gmma_desc":
		return e.descriptorRecord(x, descriptor.SM90)
	case "umma_desc":
		return e.descriptorRecord(x, descriptor.SM100)
	case "tma_copy":
		return e.tmaRecord(x)
	}
	return e.encodingRecord(x)
}

// linearRecord evaluates linear{register=[[0,1],[8,0]], lane=[], out=[dim0:16,dim1:8], origin=[0,0]}. If the sizes of
// the outputs are missing, they are the smallest powers of two above all bases, and the outputs are named dim0, dim1,
// ...
func (e *Env) linearRecord(x *syntax.Record) (Value, error) {
	f := fieldsOfLinear(x.Fields)
	b, err := e.bases(f.ins)
	if err != nil {
		return nil, err
	}
	outs, err := e.outputs(f.out, b.ins, max(b.width, 0))
	if err == nil && f.shape != nil {
		outs, err = e.shapedOutputs(f.shape, b.width)
	}
	if err != nil {
		return nil, err
	}
	l, err := linear.New(b.ins, outs)
	if err != nil {
		return nil, e.fail(x, err)
	}
	if f.origin != nil {
		at, err := e.coordinates(f.origin, "the origin")
		if err != nil {
			return nil, err
		}
		if l, err = l.WithOrigin(at...); err != nil {
			return nil, e.fail(f.origin, err)
		}
	}
	return Linear{l}, nil
}

// linearFields are the fields of a linear layout. A missing field is nil.
type linearFields struct {
	ins    []syntax.Field
	out    syntax.Expr
	shape  syntax.Expr // the shape of the tensor, in Gluon's notation
	origin syntax.Expr
}

// fieldsOfLinear sorts the fields by their meaning: the last fields may describe the outputs, and all fields before
// them are inputs with their bases.
func fieldsOfLinear(fields []syntax.Field) (f linearFields) {
	last := func(i int) string {
		if i > len(fields) {
			return ""
		}
		return fields[len(fields)-i].Name
	}
	if last(1) == "origin" && last(2) == "out" {
		f.origin, fields = fields[len(fields)-1].X, fields[:len(fields)-1]
	}
	if n := len(fields); last(1) == "out" && isOutputs(fields[n-1].X) {
		f.out, fields = fields[n-1].X, fields[:n-1]
	}
	if n := len(fields); f.out == nil && n > 1 && (last(1) == "shape" || last(1) == "alignment") {
		// The last fields in Gluon are the shape of the tensor and the alignment of the memory.
		if last(1) == "shape" {
			f.shape = fields[n-1].X
		}
		fields = fields[:n-1]
	}
	f.ins = fields
	return f
}

// linearBases are the inputs of a linear layout.
type linearBases struct {
	ins   []linear.In
	width int    // the number of coordinates of each basis, or -1 if there is no basis
	first string // the input dimension that has the first basis
}

// bases evaluates the bases of the inputs. All bases have the same number of coordinates.
func (e *Env) bases(fields []syntax.Field) (linearBases, error) {
	all := linearBases{ins: make([]linear.In, len(fields)), width: -1}
	for i, f := range fields {
		all.ins[i].Name = f.Name
		list, err := e.elements(f.X, "the bases of "+f.Name)
		if err != nil {
			return all, err
		}
		for _, b := range list {
			basis, err := e.coordinates(b, "a basis of "+f.Name)
			if err != nil {
				return all, err
			}
			if all.width < 0 {
				all.width, all.first = len(basis), f.Name
			}
			if len(basis) != all.width {
				return all, e.fail(b, &cute.Error{
					Code: cute.CodeRank,
					Msg: fmt.Sprintf("expected a basis of %d coordinates, like the bases of %s, found %d",
						all.width, all.first, len(basis)),
				})
			}
			all.ins[i].Bases = append(all.ins[i].Bases, basis)
		}
	}
	return all, nil
}

// shapedOutputs returns outputs dim0, dim1, ... whose sizes are a shape's extents; width is negative if there is no
// basis.
func (e *Env) shapedOutputs(shape syntax.Expr, width int) ([]linear.Dim, error) {
	sizes, err := e.coordinates(shape, "the shape")
	if err != nil {
		return nil, err
	}
	if width >= 0 && len(sizes) != width {
		return nil, e.fail(shape, &cute.Error{
			Code: cute.CodeRank,
			Msg:  fmt.Sprintf("expected a shape of %d dimensions, as the bases have, found %d", width, len(sizes)),
		})
	}
	outs := make([]linear.Dim, len(sizes))
	for k, n := range sizes {
		outs[k] = linear.Dim{Name: fmt.Sprintf("dim%d", k), Size: n}
	}
	return outs, nil
}

// isOutputs reports whether a list holds NAME:SIZE pairs rather than bases.
func isOutputs(x syntax.Expr) bool {
	list, ok := x.(*syntax.List)
	if !ok {
		return false
	}
	for _, d := range list.Elems {
		if _, ok := d.(*syntax.Layout); !ok {
			return false
		}
	}
	return true
}

// outputs returns the listed dimensions; without a list, it returns the smallest dimensions that hold the bases.
func (e *Env) outputs(x syntax.Expr, ins []linear.In, width int) ([]linear.Dim, error) {
	if x == nil {
		outs := make([]linear.Dim, width)
		for k := range outs {
			outs[k] = linear.Dim{Name: fmt.Sprintf("dim%d", k), Size: 1}
			for _, in := range ins {
				for _, b := range in.Bases {
					if b[k] >= outs[k].Size && b[k] < 1<<linear.MaxBits {
						outs[k].Size = 1 << bits.Len64(uint64(b[k]))
					}
				}
			}
		}
		return outs, nil
	}
	var outs []linear.Dim
	for _, d := range x.(*syntax.List).Elems {
		l := d.(*syntax.Layout) // isOutputs has checked it
		name, okN := l.Shape.(*syntax.Ident)
		size, okS := l.Stride.(*syntax.Int)
		if !okN || !okS {
			return nil, e.fail(d, &cute.Error{Code: cute.CodeType, Msg: "an output is NAME:SIZE, found " + d.String()})
		}
		outs = append(outs, linear.Dim{Name: name.Name, Size: size.Value})
	}
	return outs, nil
}

// matrixRecord evaluates matrix{rows=[[1,0],[0,1]]}.
func (e *Env) matrixRecord(x *syntax.Record) (Value, error) {
	rows := x.Field("rows")
	if rows == nil {
		return nil, e.fail(x, &cute.Error{Code: cute.CodeName, Msg: "a matrix has the field rows: matrix{rows=[[1,0],[0,1]]}"})
	}
	list, err := e.elements(rows, "the rows of a matrix")
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		n := int64(0)
		if c, ok := x.Field("cols").(*syntax.Int); ok {
			n = c.Value
		}
		if n < 0 || n > linear.MaxBits {
			return nil, e.fail(x, &cute.Error{
				Code: cute.CodeLimit,
				Msg:  fmt.Sprintf("a matrix has 0 to %d columns, found %d", linear.MaxBits, n),
			})
		}
		m, err := f2.NewMatrix(0, make([]f2.Vector, n))
		return e.result(x, Matrix{m}, err)
	}
	all := make([][]int, len(list))
	for i, r := range list {
		bits, err := e.coordinates(r, "a row of a matrix")
		if err != nil {
			return nil, err
		}
		for _, b := range bits {
			if b != 0 && b != 1 {
				return nil, e.fail(r, &cute.Error{
					Code: cute.CodeType,
					Msg:  fmt.Sprintf("a matrix over F2 has the entries 0 and 1, found %d", b),
				})
			}
			all[i] = append(all[i], int(b))
		}
	}
	m, err := f2.FromRows(all...)
	return e.result(x, Matrix{m}, ofF2(err))
}

// elements returns the elements of a list.
func (e *Env) elements(x syntax.Expr, what string) ([]syntax.Expr, error) {
	list, ok := x.(*syntax.List)
	if !ok {
		return nil, e.fail(x, &cute.Error{Code: cute.CodeType, Msg: fmt.Sprintf("%s must be a list, found %s", what, x)})
	}
	return list.Elems, nil
}

// coordinates evaluates a list of integers. A single integer is a list of one.
func (e *Env) coordinates(x syntax.Expr, what string) ([]int64, error) {
	list := []syntax.Expr{x}
	switch l := x.(type) {
	case *syntax.List:
		list = l.Elems
	case *syntax.Tuple:
		list = l.Elems
	}
	out := make([]int64, len(list))
	for i, el := range list {
		v, err := e.expr(el)
		if err != nil {
			return nil, err
		}
		t, ok := v.(Tuple)
		if ok {
			out[i], ok = unwrapInt(t.Tuple)
		}
		if !ok {
			return nil, e.fail(el, typeError("", what, "integers", v))
		}
	}
	return out, nil
}
