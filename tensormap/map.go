package tensormap

import (
	"slices"
	"strings"
)

// A Map has the arguments of the driver's functions that encode tensor maps, and so everything that the copy engine
// knows about a tensor and a box. A Map may be illegal: [Map.Check] says so.
//
// Dims, Box and Steps have one number for each dimension, Strides one fewer: dimension 0 is contiguous. Lower and Upper
// have one number for each dimension of an image, W first, as the driver expects and CUTLASS passes them.
type Map struct {
	Mode    Mode
	Type    Type
	Address uint64  // globalAddress in bytes; 0 if it is not known
	Dims    []int64 // globalDim: the extents of the tensor, in elements
	Strides []int64 // globalStrides: of the dimensions 1, 2, ..., in bytes
	Box     []int64 // boxDim, in elements; only for the mode Tiled
	Steps   []int64 // elementStrides: the distance between elements that are copied; nil for ones

	Interleave Interleave
	Swizzle    Swizzle
	Promotion  Promotion // l2Promotion
	Fill       Fill      // oobFill

	Lower    []int64  // pixelBoxLowerCorner; this and the following only for the im2col modes
	Upper    []int64  // pixelBoxUpperCorner, counted from the last pixel
	Channels int64    // channelsPerPixel
	Pixels   int64    // pixelsPerColumn
	Wide     WideMode // mode, only for Im2colWide
}

// Rank returns the number of dimensions, tensorRank.
func (m Map) Rank() int { return len(m.Dims) }

// step returns the effective element stride of dimension i: without interleave, the stride of dimension 0 is ignored.
func (m Map) step(i int) int64 {
	if i >= len(m.Steps) || i == 0 && m.Interleave == InterleaveNone {
		return 1
	}
	return max(m.Steps[i], 1)
}

// Loaded returns the number of elements that one instruction loads along each dimension: ceil(boxDim[i] /
// elementStrides[i]) of a box (CUDA Driver API, elementStrides), channels and pixels of an im2col map. With an
// interleave the first number counts slices, and the last dimension but one has a single slice, at the coordinate. It
// returns nil if a number is beyond its limits.
func (m Map) Loaded() []int64 {
	if m.Mode != Tiled {
		if m.Channels < 0 || m.Channels > 256 || m.Pixels < 0 || m.Pixels > 1024 {
			return nil
		}
		return []int64{m.channels(), m.pixels()}
	}
	if len(m.Box) > 5 {
		return nil
	}
	n := make([]int64, len(m.Box))
	for i, b := range m.Box {
		if b < 1 || b > 256 {
			return nil
		}
		n[i] = (b + m.step(i) - 1) / m.step(i)
	}
	if m.Interleave != InterleaveNone && len(n) >= 3 {
		n[len(n)-2] = 1
	}
	return n
}

// channels returns the number of units of dimension 0 in a pixel of an im2col map.
func (m Map) channels() int64 {
	if m.Interleave != InterleaveNone {
		return 1
	}
	return m.Channels
}

// pixels returns the number of pixels that an im2col map loads.
func (m Map) pixels() int64 {
	if m.Mode == Im2colWide && m.Wide == W128 {
		return 128
	}
	return m.Pixels
}

// unitBits returns the bits of one unit of dimension 0 in global memory: an element, or a slice.
func (m Map) unitBits() int64 {
	if b := m.Interleave.Bytes(); b > 0 {
		return b * 8
	}
	return m.Type.Bits()
}

// rowBytes returns the bytes of one row of the box in shared memory, including unused bytes of padded types.
func (m Map) rowBytes() int64 {
	n := m.Loaded()
	if len(n) == 0 {
		return 0
	}
	if m.Type.isPadded() && m.Interleave == InterleaveNone {
		return n[0]
	}
	return n[0] * m.unitBits() / 8
}

// pitch returns the distance in bytes between rows of the box in shared memory: a shorter row still takes a whole span
// of the swizzle (CUDA Programming Guide, "Inner dimension": memory for the full swizzle width).
func (m Map) pitch() int64 { return max(m.rowBytes(), m.Swizzle.Span()) }

// rows returns the number of rows of the box.
func (m Map) rows() int64 {
	rows := int64(1)
	for i, n := range m.Loaded() {
		if i > 0 {
			rows *= n
		}
	}
	return rows
}

// Bytes returns the number of bytes that one instruction reports to its mbarrier, which is the argument of expect_tx:
// the bytes of the whole box, whether its elements are inside the tensor or filled (PTX ISA, "cp.async.bulk.tensor":
// complete_tx counts what was copied into shared memory). Bytes that padded types leave unused do not count. It is 0 if
// the box is beyond its limits.
func (m Map) Bytes() int64 {
	n := m.Loaded()
	if len(n) == 0 {
		return 0
	}
	return n[0] * m.unitBits() / 8 * m.rows()
}

// SharedBytes returns the bytes of shared memory that one instruction needs, from its destination on: more than
// [Map.Bytes] if rows are shorter than the span of the swizzle, or a padded type leaves bytes unused. It is 0 if the
// box is beyond its limits.
func (m Map) SharedBytes() int64 {
	if m.rowBytes() == 0 {
		return 0
	}
	return m.pitch() * m.rows()
}

// Align returns the alignment of shared memory, in bytes, at which the swizzle is the same by offsets as by addresses:
// [Swizzle.Repeats]. Every instruction needs an alignment of 128 (CUDA Programming Guide, "Tensor Memory Access").
func (m Map) Align() int64 { return m.Swizzle.Repeats() }

// String returns the arguments with the driver's names, in its order, on one line.
func (m Map) String() string {
	var b strings.Builder
	b.WriteString(m.Mode.Function())
	for i, f := range m.Fields() {
		sep := ", "
		if i == 0 {
			sep = "("
		}
		b.WriteString(sep + f.Name + "=" + f.Value)
	}
	b.WriteString(")")
	return b.String()
}

// A Field is one argument of the driver's function.
type Field struct {
	Name  string // the parameter of the driver's function: globalDim
	Value string // {1024, 512}, 0x7f00, CU_TENSOR_MAP_SWIZZLE_128B
	Unit  string // elements, bytes, or ""
}

// Fields returns the arguments in the order of the driver's function.
func (m Map) Fields() []Field {
	var f []Field
	f = append(f, Field{"tensorDataType", m.Type.String(), ""}, Field{"tensorRank", text(int64(m.Rank())), ""},
		Field{"globalAddress", hex(m.Address), ""}, Field{"globalDim", braces(m.Dims), "elements"},
		Field{"globalStrides", braces(m.Strides), "bytes"})
	steps := m.Steps
	if steps == nil {
		steps = slices.Repeat([]int64{1}, m.Rank())
	}
	switch m.Mode {
	case Im2col:
		f = append(f, Field{"pixelBoxLowerCorner", braces(m.Lower), "pixels"}, Field{"pixelBoxUpperCorner", braces(m.Upper), "pixels"})
	case Im2colWide:
		f = append(f, Field{"pixelBoxLowerCornerWidth", list(m.Lower), "pixels"}, Field{
			"pixelBoxUpperCornerWidth",
			list(m.Upper), "pixels",
		})
	default:
		f = append(f, Field{"boxDim", braces(m.Box), "elements"})
	}
	if m.Mode != Tiled {
		f = append(f, Field{"channelsPerPixel", text(m.Channels), "elements"}, Field{"pixelsPerColumn", text(m.Pixels), "pixels"})
	}
	f = append(f, Field{"elementStrides", braces(steps), ""}, Field{"interleave", m.Interleave.String(), ""})
	if m.Mode == Im2colWide {
		f = append(f, Field{"mode", m.Wide.String(), ""})
	}
	return append(f, Field{"swizzle", m.Swizzle.String(), ""}, Field{"l2Promotion", m.Promotion.String(), ""},
		Field{"oobFill", m.Fill.String(), ""})
}
