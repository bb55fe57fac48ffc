package tiled

import (
	"fmt"
	"math"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/tensor"
)

// refuse returns the error of an operation that has no answer.
func refuse(op string, code cute.Code, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)}
}

// advise returns an error with a hint at what to do instead.
func advise(hint string, e *cute.Error) error {
	e.Hint = hint
	return e
}

// present refuses tensors that were not made, with the error for which they were not.
func present[T any](op string, t tensor.Tensor[T]) error {
	if err := t.Err(); err != nil {
		return err
	}
	if t.Size() == 0 {
		return refuse(op, cute.CodeType, "expected a tensor, found a zero Tensor, which has no elements")
	}
	return nil
}

// goElement returns the element type that a Go type is, with the number of parts of a complex one; 0 parts for Go types
// that are no element.
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

// elementOf returns the element type of a tensor: of a packed one that of its codes.
func elementOf[T any](t tensor.Tensor[T]) (typ dtype.Type, parts int) {
	if typ, packed := tensor.Type(t); packed {
		return typ, 1
	}
	return goElement[T]()
}

// elementText returns "f16", "complex f64", or the Go type of what is no element.
func elementText[T any](t tensor.Tensor[T]) string {
	typ, parts := elementOf(t)
	if parts == 0 {
		var x T
		return fmt.Sprintf("%T", x)
	}
	return atom.Element{Type: typ, Parts: parts}.String()
}

// goName returns the Go type whose tensors hold an element: uint64, codes, where Go has none.
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

// holds reports whether a tensor's elements are those of an operand. An f32 is a tf32 too, of which the low bits do not
// count.
func holds[T any](t tensor.Tensor[T], e atom.Element) bool {
	typ, parts := elementOf(t)
	return parts == e.Parts && (typ == e.Type || typ == dtype.F32 && e.Type == dtype.TF32)
}

// allocate returns a tensor of zeros of an element, of the Go type T.
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

// setCodes sets elements to those of codes: the inverse of codesOf.
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
