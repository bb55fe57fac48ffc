package interp

import (
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements the uses of a tensor with storage in an expression: elements, slices, attributes and methods. A
// coordinate of integers denotes an element. A coordinate with a _ denotes a slice, which the algebra makes.

// applyTensor evaluates t(COORDINATE).
func (r *runner) applyTensor(a Algebra, x *program.Call) (Value, error) {
	c, err := r.evaluateArguments(x)
	if err != nil {
		return nil, err
	}
	return r.tensorAt(a, c.pos, x)
}

func (r *runner) tensorAt(a Algebra, args []Value, at program.Node) (Value, error) {
	if r.traces() {
		if v, ok, err := r.applyTraced(a, args, at); ok {
			return v, err
		}
	}
	index, isElement, err := r.indexOf(a, args, at)
	switch {
	case err != nil:
		return nil, err
	case isElement:
		return r.getElement(a, index)
	}
	v, err := r.applyTrees(a, args)
	if part, ok := v.(Algebra); ok && part.window != nil && a.align > 0 {
		w := *part.window
		w.align = a.alignAt(args)
		part.window = &w
		return part, err
	}
	return v, err
}

// alignAt returns the alignment of a slice of a tensor: the greatest common divisor of the alignment of the tensor and
// the distance of the slice. If a coordinate is known only at run time, the distance may be any multiple of the stride.
func (a Algebra) alignAt(args []Value) int64 {
	l, ok := a.view().Layout().(cute.Layout)
	if !ok {
		return 0
	}
	align := a.align
	var visit func(v Value, l cute.Layout)
	visit = func(v Value, l cute.Layout) {
		n, isInt := integerOf(v)
		t, isTuple := v.(Tuple)
		_, known := v.(Int)
		switch {
		case isTuple && len(t) == l.Rank():
			for i, m := range l.Modes() {
				visit(t[i], m)
			}
		case isInt && !(known && n == 0):
			for _, d := range l.Stride().Leaves() {
				bytes := d * int64(a.typ.Bits()) / 8
				if known && l.Shape().IsInt() {
					bytes *= n
				}
				for bytes != 0 {
					align, bytes = bytes, align%bytes
				}
			}
		}
	}
	if len(args) == 1 {
		visit(args[0], l)
	} else {
		visit(Tuple(args), l)
	}
	return max(align, -align)
}

// tensorItem evaluates t[COORDINATE].
func (r *runner) tensorItem(x *program.Index, a Algebra) (Value, error) {
	i, err := r.index(x)
	if err != nil {
		return nil, err
	}
	return r.tensorGet(a, i, x)
}

// tensorGet returns t[I] for an index that has been evaluated.
func (r *runner) tensorGet(a Algebra, i Value, at program.Node) (Value, error) {
	args, err := r.indices(a, i)
	if err != nil {
		return nil, err
	}
	v, err := r.tensorAt(a, args, at)
	return v, err
}

// indices converts an index to a coordinate. An index of PyTorch or NumPy may omit the last modes, contain slices, and
// count from the end.
func (r *runner) indices(a Algebra, i Value) ([]Value, error) {
	args := []Value{i}
	if t, ok := i.(Tuple); ok {
		args = append([]Value(nil), t...)
	}
	if !a.host {
		return args, nil
	}
	rank := a.view().Rank()
	if len(args) > rank {
		return nil, python.Raise("IndexError", "too many indices for tensor of dimension %d", rank)
	}
	for len(args) < rank {
		args = append(args, None{})
	}
	for k, v := range args {
		if s, ok := v.(Slice); ok {
			if s != (Slice{}) {
				return nil, python.Refuse("only the slice : of an array is run, not one with bounds")
			}
			args[k] = None{}
			continue
		}
		if n, ok := integerOf(v); ok && n < 0 {
			args[k] = Int(n + a.view().Extent(k))
		}
	}
	return args, nil
}

// setTensor runs t[I] = V: it assigns to an element, or fills or copies to a slice.
func (r *runner) setTensor(a Algebra, i, v Value) error {
	args, err := r.indices(a, i)
	if err != nil {
		return err
	}
	index, isElement, err := r.indexOf(a, args, program.Span{})
	switch {
	case err != nil:
		return err
	case isElement:
		return r.setElement(a, index, v)
	}
	part, err := r.applyTrees(a, args)
	if err != nil {
		return err
	}
	to, ok := part.(Algebra)
	if !ok || !to.isTensor() {
		return errorf(cute.CodeType, "expected a slice of the tensor, found %s", r.describe(part))
	}
	if _, isNumber := numberOf(v); isNumber {
		return r.fillTensor(to, v)
	}
	if s, ok := v.(Vector); ok {
		return r.storeVector(to, s)
	}
	return r.copyTo(v, to)
}

// tensorPlace returns an element of a tensor as a variable of C++. Assigning to the variable calls put.
func (r *runner) tensorPlace(a Algebra, args []Value, at program.Node) (*cell, error) {
	index, isElement, err := r.indexOf(a, args, at)
	if err != nil || !isElement {
		return nil, err
	}
	return r.elementCell(a, index), nil
}

// elementCell returns an element of a tensor as a variable.
func (r *runner) elementCell(a Algebra, index int64) *cell {
	c := &cell{put: func(v Value) error { return r.setElement(a, index, v) }}
	was := r.atomic
	r.atomic = true // the element has not been read yet
	if v, err := r.getElement(a, index); err == nil {
		c.v = v
	}
	r.atomic = was
	c.used = func() error {
		place, err := placeAt(a.view(), index)
		if err == nil {
			err = r.race(a.window, place, reads)
		}
		return a.at(index, err)
	}
	return c
}

// tensorAttribute evaluates t.name for a tensor with storage; ok is false if the attribute belongs to the algebra.
func (r *runner) tensorAttribute(a Algebra, name string) (v Value, ok bool) {
	switch name {
	case "element_type", "dtype", "value_type":
		text := a.typ.DSL()
		if a.host {
			text = "torch." + a.typ.Torch()
		}
		if a.numpy {
			text = "numpy." + a.typ.Torch()
		}
		return TypeValue{Name: text}, true
	case "iterator":
		return Address{a.window, a.view().Start()}, true
	case "memspace":
		return Str(a.spaceName()), true
	case "device":
		if a.space == atom.GlobalMemory {
			return Str("cuda:0"), a.host
		}
		return Str("cpu"), a.host
	case "T":
		v, err := r.hostMethod(a, "t", &arguments{})
		return v, err == nil && a.host
	case "ndim":
		return Int(a.view().Rank()), a.host
	case "shape":
		return r.hostTuple(a.view().Shape()), a.host && !a.view().Shape().IsInt()
	case "type":
		if !a.host {
			return textValue(r.tensorType(a))
		}
	}
	return nil, false
}

// spaceName returns the CuTe DSL's name for the memory space.
func (w *window) spaceName() string {
	switch pointer := w.space.String(); pointer {
	case "global memory":
		return "gmem"
	case "shared memory":
		return "smem"
	case "registers":
		return "rmem"
	case "tensor memory":
		return "tmem"
	}
	return "generic"
}

// tensorMethod calls a method that concerns the storage of tensors; ok is false for other methods.
func (r *runner) tensorMethod(of Algebra, name string, x *program.Call) (v Value, ok bool, err error) {
	if r.lang == program.Notation {
		return nil, false, nil
	}
	f, isRow := memoryRows[name]
	_, _, isMMA := mmaOf(of)
	isFragment := isRow && (isMMA || strings.HasPrefix(name, "retile_"))
	own := of.isTensor() && tensorMethods[name] != nil
	if !isFragment && !own && !(of.isTensor() && of.host) {
		return nil, false, nil
	}
	c, err := r.evaluateArguments(x)
	if err != nil {
		return nil, false, nil // the algebra may accept an operand without a value
	}
	switch {
	case own:
		v, err = tensorMethods[name](r, of, c)
	case isFragment:
		c.pos = append([]Value{of}, c.pos...)
		v, err = f(r, c, 0)
		if err == errNoMemory { //nolint:errorlint // it is not wrapped
			return nil, false, nil
		}
	default:
		v, err = r.hostMethod(of, name, c)
		if err == errNoMemory { //nolint:errorlint // it is not wrapped
			return nil, false, nil
		}
	}
	return v, true, r.at(x, err)
}

// tensorMethods are the methods of tensors with storage.
var tensorMethods map[string]func(r *runner, a Algebra, c *arguments) (Value, error)

func init() {
	tensorMethods = map[string]func(r *runner, a Algebra, c *arguments) (Value, error){
		"data": func(_ *runner, a Algebra, _ *arguments) (Value, error) {
			return Address{a.window, a.view().Start()}, nil
		},
		"fill": func(r *runner, a Algebra, c *arguments) (Value, error) {
			if len(c.pos) != 1 {
				return nil, errorf(cute.CodeRank, "expected the number to fill with, found %d arguments", len(c.pos))
			}
			return None{}, r.fillTensor(a, c.pos[0])
		},
		"load": func(r *runner, a Algebra, _ *arguments) (Value, error) { return r.loadSome(a) },
		"store": func(r *runner, a Algebra, c *arguments) (Value, error) {
			if len(c.pos) == 1 {
				if v, ok := c.pos[0].(Vector); ok {
					return None{}, r.storeVector(a, v)
				}
			}
			return nil, errorf(cute.CodeType, "expected what load returns, found %d other arguments", len(c.pos))
		},
		"mark_layout_dynamic": (*runner).markLate, "mark_compact_shape_dynamic": (*runner).markCompact,
	}
}

func textValue(text string, err error) (Value, bool) { return Str(text), err == nil }

// calledPlace returns the element t(COORDINATE) as a variable, or nil.
func (r *runner) calledPlace(x *program.Call) (*cell, error) {
	var of Value
	switch fn := x.Fn.(type) {
	case *program.Name:
		of, _ = r.lookupValue(fn.Name)
	case *program.Call, *program.Index:
		v, err := r.value(fn)
		if err != nil {
			return nil, err
		}
		of = v
	}
	a, ok := of.(Algebra)
	if t, traced := of.(*Traced); traced {
		return r.tracedCalledPlace(t, x)
	}
	if !ok || !a.isTensor() {
		return nil, nil
	}
	c, err := r.evaluateArguments(x)
	if err != nil {
		return nil, err
	}
	place, err := r.tensorPlace(a, c.pos, x)
	return place, r.at(x, err)
}

// indexedPlace is calledPlace for t[COORDINATE].
func (r *runner) indexedPlace(a Algebra, x *program.Index) (*cell, error) {
	i, err := r.index(x)
	if err != nil {
		return nil, err
	}
	place, err := r.tensorPlace(a, []Value{i}, x)
	return place, r.at(x, err)
}

// addressCell returns, as a variable, the element to which an address points.
func (r *runner) addressCell(p Address) (*cell, error) {
	if n := p.elements(); p.At < 0 || p.At >= n {
		return nil, errorf(cute.CodeCodomain, "the pointer points to element %d of %d: undefined in C++", p.At, n)
	}
	l, err := cute.LayoutLeft(cute.Int(1))
	if err != nil {
		return nil, err
	}
	a, err := r.tensorOn(p.window, p.At, l)
	if err != nil {
		return nil, err
	}
	return r.elementCell(a, 0), nil
}

// addressBinary computes P + N or P - N; ok is false if P is not an address.
func addressBinary(op string, a, b Value) (v Value, ok bool, err error) {
	p, isP := a.(Address)
	n, isInt := integerOf(b)
	switch q, isQ := b.(Address); {
	case isP && isQ && op == "-" && p.memory == q.memory:
		return Int(p.At - q.At), true, nil
	case !isP && !isQ:
		return nil, false, nil
	case isQ && op == "+":
		p = q
		n, isInt = integerOf(a)
	}
	if !isInt || op != "+" && op != "-" {
		return nil, true, errorf(cute.CodeType, "%s is no operation of a pointer", op)
	}
	if op == "-" {
		n = -n
	}
	p.At += n
	return p, true, nil
}

// elementMethod calls a method of an element, a vector or an address; ok is false for any other value.
func (r *runner) elementMethod(of Value, name string, c *arguments) (v Value, ok bool, err error) {
	switch of := of.(type) {
	case Launch:
		v, err = r.launchDSL(of, c)
		return v, true, err
	case smemAllocator:
		v, err = r.allocateShared(name, c)
		return v, true, err
	case *dslStruct, dslField, structValue:
		return r.structMethod(of, name, c)
	case Vector:
		v, err = r.vectorMethod(of, name, c)
		return v, true, err
	case Address:
		if v, ok, err := r.addressMethod(of, name, c); ok {
			return v, true, err
		}
		return of, pointerMethods[name] && len(c.pos) == 0, nil
	case Pointer:
		return of, pointerMethods[name] && len(c.pos) == 0, nil
	case Element:
		if name == "item" && of.torch {
			return plain(of), true, nil
		}
		t, isType := typeArgumentOf(c)
		if name != "to" || !isType {
			break
		}
		n, _ := numberOf(of)
		v, err = elementIn(t, n)
		return v, true, err
	}
	return nil, false, nil
}

// pointerMethods lists the methods of pointers, and of arrays in shared memory, that return the pointer.
var pointerMethods = program.Words("get begin data")

func typeArgumentOf(c *arguments) (dtype.Type, bool) {
	if len(c.pos) != 1 {
		return 0, false
	}
	return elementTypeOf(c.pos[0])
}

// elementAtAddress returns the element p[I] as a variable.
func (r *runner) elementAtAddress(p Address, i Value) (*cell, error) {
	n, ok := integerOf(i)
	if !ok {
		return nil, errorf(cute.CodeType, "expected an integer as an index, found %s", r.describe(i))
	}
	p.At += n
	return r.addressCell(p)
}

// addressMethod implements load() and store(v) of a pointer of the CuTe DSL; ok is false for another method.
func (r *runner) addressMethod(p Address, name string, c *arguments) (v Value, ok bool, err error) {
	if name != "load" && name != "store" || r.lang == program.Cpp {
		return nil, false, nil
	}
	e, err := r.addressCell(p)
	if err != nil {
		return nil, true, err
	}
	if name == "load" {
		v, err = r.load(e, program.Span{})
		return v, true, err
	}
	if len(c.pos) != 1 {
		return nil, true, errorf(cute.CodeRank, "expected store(value)")
	}
	return None{}, true, r.assignTo(e, c.pos[0])
}
