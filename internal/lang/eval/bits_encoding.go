package eval

import (
	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/internal/lang/triton"
	"girih/linear"
)

// This file evaluates the encodings of Triton and Gluon: blocked{...}, nvidia_mma{...}, swizzled_shared{...}.

// KindEncoding is the kind of encodings.
const KindEncoding Kind = "encoding"

// An Encoding is a Triton encoding. An encoding and the shape of a tensor determine a linear layout.
type Encoding struct{ triton.Encoding }

func (Encoding) value() {}

// Kind returns [KindEncoding].
func (Encoding) Kind() Kind { return KindEncoding }

// encodingRecord evaluates the record of an encoding.
func (e *Env) encodingRecord(x *syntax.Record) (Value, error) {
	r, err := e.fields(x)
	if err != nil {
		return nil, err
	}
	enc, err := triton.FromRecord(r.Name, r.Fields...)
	return e.result(x, Encoding{enc}, err)
}

// fields evaluates the fields of a record.
func (e *Env) fields(x *syntax.Record) (triton.Record, error) {
	r := triton.Record{Name: x.Name}
	for _, f := range x.Fields {
		v, err := e.field(f.X)
		if err != nil {
			return r, err
		}
		r.Fields = append(r.Fields, triton.Field{Key: f.Name, Value: v})
	}
	return r, nil
}

// field evaluates the value of a field: an integer, a truth value, a name, a list, or a record.
func (e *Env) field(x syntax.Expr) (any, error) {
	switch n := x.(type) {
	case *syntax.List:
		out := make([]any, len(n.Elems))
		for i, el := range n.Elems {
			v, err := e.field(el)
			if err != nil {
				return nil, err
			}
			out[i] = v
		}
		return out, nil
	case *syntax.Record:
		return e.fields(n)
	case *syntax.Ident:
		if v, ok := e.variable(n.Name); ok {
			if enc, ok := v.(Encoding); ok {
				return enc.Record(), nil
			}
			break
		}
		return n.Name, nil
	}
	v, err := e.expr(x)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case Bool:
		return bool(v), nil
	case Tuple:
		if n, ok := unwrapInt(v.Tuple); ok {
			return n, nil
		}
	}
	return nil, e.fail(x, typeError("", "the value of a field", "an integer, a truth value, a list or a record", v))
}

// encodingLayout returns the linear layout of an encoding for a tensor of the shape in argument i.
func (c *call) encodingLayout(enc Encoding, i int) (linear.Layout, error) {
	if i >= len(c.args) {
		return linear.Layout{}, &cute.Error{
			Code: cute.CodeType, Op: c.fn.Name, Msg: "an encoding is a layout on a tensor of some shape, found " + enc.String(),
			Hint: c.fn.Name + "(" + enc.String() + ", (16,16)) gives the shape",
		}
	}
	shape, err := c.tuple(i)
	if err != nil {
		return linear.Layout{}, err
	}
	return enc.Layout(shape.Leaves()...)
}
