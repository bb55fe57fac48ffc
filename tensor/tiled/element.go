package tiled

import (
	"fmt"
	"math"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/tensor"
)

// refuse returns an error of the operation.
//
//go:noinline
func refuse(op string, code cute.Code, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)}
}

// advise adds a hint to an error.
func advise(hint string, e *cute.Error) error {
	e.Hint = hint
	return e
}

// present refuses tensors that could not be made, with the reason.
func present[T any](op string, t tensor.Tensor[T]) error {
	if err := t.Err(); err != nil {
		return err
	}
	if t.Size() == 0 {
		return refuse(op, cute.CodeType, "expected a tensor, found a zero Tensor, which has no elements")
	}
	return nil
}

// goElement returns the element type of a Go type, and its number of parts: 2 for complex types, and 0 for Go types
// that are not elements.
func goElement[T any]() (typ dtype.Type, parts int) {
	var x T
	switch any(x).(type) {
	case float32:
		return dtype.F32, 1
	case float64:
		return dtype.F64, 1
	case complex64:
		return dtype.F32, 2
	case complex128:
		return dtype.F64, 2
	case int8:
		return dtype.S8, 1
	case int16:
		return dtype.S16, 1
	case int32:
		return dtype.S32, 1
	case int64:
		return dtype.S64, 1
	case uint8:
		return dtype.U8, 1
	case uint16:
		return dtype.U16, 1
	case uint32:
		return dtype.U32, 1
	case uint64:
		return dtype.U64, 1
	}
	return 0, 0
}

// elementOf returns the element type of a tensor; for a packed tensor, the type of its codes.
func elementOf[T any](t tensor.Tensor[T]) (typ dtype.Type, parts int) {
	if typ, packed := tensor.Type(t); packed {
		return typ, 1
	}
	return goElement[T]()
}

// elementText returns "f16", "complex f64", or the Go type if it is not an element.
func elementText[T any](t tensor.Tensor[T]) string {
	typ, parts := elementOf(t)
	if parts == 0 {
		var x T
		return fmt.Sprintf("%T", x)
	}
	return atom.Element{Type: typ, Parts: parts}.String()
}

// goName returns the Go type whose tensors hold an element: uint64, for codes, if Go has no such type.
func goName(e atom.Element) string {
	switch {
	case e.Parts == 2 && e.Type == dtype.F32:
		return "complex64"
	case e.Parts == 2 && e.Type == dtype.F64:
		return "complex128"
	case e.Parts > 1:
		return "none"
	}
	switch e.Type {
	case dtype.F32, dtype.TF32:
		return "float32"
	case dtype.F64:
		return "float64"
	case dtype.S8, dtype.S16, dtype.S32, dtype.S64:
		return "int" + e.Type.String()[1:]
	case dtype.U8, dtype.U16, dtype.U32, dtype.U64:
		return "uint" + e.Type.String()[1:]
	}
	return "uint64"
}

// holds reports whether a tensor's elements have the type of an operand. f32 is accepted as tf32; its low bits are
// ignored.
func holds[T any](t tensor.Tensor[T], e atom.Element) bool {
	typ, parts := elementOf(t)
	return parts == e.Parts && (typ == e.Type || typ == dtype.F32 && e.Type == dtype.TF32)
}

// allocate returns a tensor of zeros for an element, of the Go type T.
func allocate[T any](op string, e atom.Element, l cute.Layout) (tensor.Tensor[T], error) {
	typ, parts := goElement[T]()
	if parts == e.Parts && (typ == e.Type || typ == dtype.F32 && e.Type == dtype.TF32) {
		return tensor.Alloc[T](l)
	}
	var x T
	if _, codes := any(x).(uint64); codes && e.Parts == 1 {
		t, err := tensor.AllocPacked(e.Type, l)
		if err != nil {
			return tensor.Tensor[T]{}, err
		}
		if t, ok := any(t).(tensor.Tensor[T]); ok {
			return t, nil
		}
	}
	return tensor.Tensor[T]{}, advise("the Go type is "+goName(e),
		refuse(op, cute.CodeType, "expected a Go type that holds %v, found %T", e, x))
}

// codesOf appends the codes of elements: their bits.
func codesOf[T any](dst []uint64, xs []T) []uint64 {
	switch xs := any(xs).(type) {
	case []uint64:
		return append(dst, xs...)
	case []float32:
		for _, x := range xs {
			dst = append(dst, uint64(math.Float32bits(x)))
		}
	case []float64:
		for _, x := range xs {
			dst = append(dst, math.Float64bits(x))
		}
	case []int8:
		return integerCodes(dst, xs, 8)
	case []int16:
		return integerCodes(dst, xs, 16)
	case []int32:
		return integerCodes(dst, xs, 32)
	case []int64:
		return integerCodes(dst, xs, 64)
	case []uint8:
		return integerCodes(dst, xs, 8)
	case []uint16:
		return integerCodes(dst, xs, 16)
	case []uint32:
		return integerCodes(dst, xs, 32)
	}
	return dst
}

type goInteger interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32
}

func integerCodes[T goInteger](dst []uint64, xs []T, bits int) []uint64 {
	for _, x := range xs {
		dst = append(dst, uint64(x)&(math.MaxUint64>>(64-bits)))
	}
	return dst
}

// setCodes sets elements from codes: the inverse of codesOf.
func setCodes[T any](xs []T, codes []uint64) {
	switch xs := any(xs).(type) {
	case []uint64:
		copy(xs, codes)
	case []float32:
		for i, c := range codes {
			xs[i] = math.Float32frombits(uint32(c))
		}
	case []float64:
		for i, c := range codes {
			xs[i] = math.Float64frombits(c)
		}
	case []int8:
		integersFrom(xs, codes)
	case []int16:
		integersFrom(xs, codes)
	case []int32:
		integersFrom(xs, codes)
	case []int64:
		integersFrom(xs, codes)
	case []uint8:
		integersFrom(xs, codes)
	case []uint16:
		integersFrom(xs, codes)
	case []uint32:
		integersFrom(xs, codes)
	}
}

func integersFrom[T goInteger](xs []T, codes []uint64) {
	for i, c := range codes {
		xs[i] = T(c)
	}
}
