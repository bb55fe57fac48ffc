package tile

import (
	"fmt"
	mathbits "math/bits"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/symbolic"
)

// A Space is the memory that a pointer points to, as the CuTe DSL names it.
type Space string

// The spaces.
const (
	Global Space = "gmem"
	Shared Space = "smem"
)

// A Pointer is what is certain about a pointer: the type of its elements, and its alignment in bytes, a power of two.
// It prints as in the CuTe DSL.
type Pointer struct {
	Type  dtype.Type
	Space Space
	Align int64
}

// String returns the type of the pointer in the CuTe DSL: "ptr<f16, gmem, align<16>>".
func (p Pointer) String() string {
	return fmt.Sprintf("ptr<%s, %s, align<%d>>", p.Type, p.Space, p.Align)
}

// A View is an offset and a slice of the tensor of a pointer and a layout.
type View struct {
	Layout symbolic.Layout // offsets in elements
	Offset symbolic.Tuple  // the coordinate of domain_offset; the zero Tuple for none
	At     symbolic.Tuple  // the coordinate of the slice, with symbolic.Open for modes that stay; the zero Tuple for none
	// Together is the number of neighbours that a swizzle after the layout keeps together, 2^M of Sw<B,M,S>; 0 without
	// a swizzle.
	Together int64
}

// A Divisor is a term of the sum that makes an address, or the beginning of a vector, with its known divisor.
type Divisor struct {
	Name  string       // "pointer", "stride of mode 1" or "coordinate of mode 0"
	Value symbolic.Int // the value in elements; for the pointer in bytes
	Bits  int64        // the largest known power of two that divides the term in bits, at most 2^30

	kind   divisorKind
	stride symbolic.Int // for a coordinate, the stride of its mode, if it has one; else 0
}

type divisorKind int

const (
	ofPointer divisorKind = iota
	ofOffset              // a coordinate
	ofStride              // the stride of a mode that stays
	ofRun                 // the extent of the contiguous elements
	ofSwizzle
)

// String returns the term as a sentence without its subject: "12 elements, 24 bytes: a multiple of 8 bytes".
func (d Divisor) String() string {
	unit := " elements"
	if d.kind == ofPointer {
		unit = " bytes"
	}
	return fmt.Sprintf("%s, %v%s: a multiple of %s", d.Name, d.Value, unit, inBytes(d.Bits))
}

// most is the largest alignment in bits that is distinguished.
const most = 1 << 30

// An Alignment is what is certain about the address of a view, and about its vectors. It is immutable.
type Alignment struct {
	pointer Pointer
	rest    symbolic.Layout
	offset  symbolic.Int
	address []Divisor       // the terms of the address of the first element
	vectors []Divisor       // further terms of the beginnings of vectors, and the number of contiguous elements
	flat    symbolic.Layout // the modes that stay, coalesced
	block   []Divisor       // as address and vectors, if the contiguous elements span several modes; otherwise nil
	bits    int64           // the alignment of the address in bits
}

// NewAlignment returns the alignment that a pointer keeps when its tensor is offset and sliced. Strides, extents and
// coordinates may be known at run time; then only their facts, such as ?{div=8}, are certain. It is what the CuTe DSL
// computes for the align<> of a sliced tensor, where only powers of two count.
//
// It returns [cute.CodeExtent] for a pointer whose alignment is not a power of two or is smaller than an element,
// [cute.CodeType] for a type without bits, [cute.CodeCodomain] for a layout of coordinates, and the errors of
// symbolic.Layout.Slice and Layout.Eval.
func NewAlignment(p Pointer, v View) (Alignment, error) {
	const op = "alignment"
	if err := p.check(op); err != nil {
		return Alignment{}, err
	}
	if v.Layout.HasAxes() {
		return Alignment{}, fail(cute.CodeCodomain, op, "expected offsets, found the coordinates of %v", v.Layout)
	}
	bits := int64(p.Type.Bits())
	a := Alignment{pointer: p, rest: v.Layout}
	a.address = []Divisor{{Name: "pointer", Value: symbolic.Const(p.Align), Bits: min(p.Align*8, most), kind: ofPointer}}
	if err := a.shift(v, bits); err != nil {
		return Alignment{}, err
	}
	a.bits = a.address[0].Bits
	if d := divisor(a.offset, bits); d > 0 {
		a.bits = min(a.bits, d)
	}
	if x, known := a.offset.Int64(); v.Together > 0 && (!known || x != 0) {
		a.bits = min(a.bits, min(lowest(v.Together)*lowest(bits), most)) // a swizzle moves blocks of 2^M elements
	}
	if err := a.contiguous(v, bits); err != nil {
		return Alignment{}, err
	}
	return a, nil
}

// check refuses an alignment that no pointer to the type has.
func (p Pointer) check(op string) error {
	bits := int64(p.Type.Bits())
	switch {
	case bits < 1:
		return fail(cute.CodeType, op, "expected the type of an element, found none")
	case p.Align < 1 || p.Align&(p.Align-1) != 0 || p.Align > 1<<20:
		err := fail(cute.CodeExtent, op, "expected an alignment that is a power of two up to 1048576 bytes, found %d",
			p.Align)
		err.Hint = fmt.Sprintf("%d bytes promise a multiple of %d", p.Align, lowest(p.Align))
		if p.Align < 1 || p.Align > 1<<20 {
			near := int64(1) << (mathbits.Len64(uint64(min(max(p.Align, 1), 1<<20))) - 1)
			err.Hint = fmt.Sprintf("the nearest is %d", near)
		}
		return err
	case p.Align*8 < bits && bits&(bits-1) == 0:
		return fail(cute.CodeExtent, op, "expected at least the %d bits of an element, found %d bytes", bits, p.Align)
	}
	return nil
}

// shift adds the offsets of the view, and their terms.
func (a *Alignment) shift(v View, bits int64) error {
	if v.Offset.LeafCount() > 0 {
		if err := a.add("offset", v.Layout, v.Offset, bits); err != nil {
			return err
		}
	}
	if v.At.LeafCount() == 0 || v.At.Open() {
		return nil
	}
	if err := a.add("coordinate", v.Layout, v.At, bits); err != nil {
		return err
	}
	rest, _, err := v.Layout.Slice(v.At)
	a.rest = rest
	return err
}

// add adds the offset of a coordinate mode by mode; open modes are at 0.
func (a *Alignment) add(name string, l symbolic.Layout, at symbolic.Tuple, bits int64) error {
	layouts, coords := []symbolic.Layout{l}, []symbolic.Tuple{at}
	if _, one := at.Int(); !one {
		layouts, coords = l.Modes(), at.Modes()
	}
	if len(layouts) != len(coords) {
		return fail(cute.CodeRank, "alignment", "expected a coordinate of the %d modes of %v, found %v", len(layouts), l, at)
	}
	for i, m := range layouts {
		_, offset, err := m.Slice(coords[i])
		if err != nil {
			return err
		}
		x, ok := offset.Int()
		if !ok {
			return fail(cute.CodeCodomain, "alignment", "expected an offset, found %v", offset)
		}
		if a.offset, err = symbolic.Add(a.offset, x); err != nil {
			return err
		}
		if d := divisor(x, bits); d > 0 {
			stride, _ := m.Stride().Int()
			a.address = append(a.address, Divisor{
				Name: fmt.Sprintf("%s %v of mode %d", name, coords[i], i), Value: x, Bits: d, kind: ofOffset, stride: stride,
			})
		}
	}
	return nil
}

// divisor returns the largest power of two that certainly divides a number of elements, in bits, or 0 for no elements.
func divisor(x symbolic.Int, bits int64) int64 {
	if v, ok := x.Int64(); ok && v == 0 {
		return 0
	} else if ok { // the facts of a negative number have no divisor
		return min(lowest(v)*lowest(bits), most)
	}
	return min(lowest(x.Facts().Div)*lowest(bits), most)
}

// lowest returns the largest power of two, at most 2^30, that divides an integer, and 1 for 0.
func lowest(x int64) int64 {
	if x == 0 {
		return 1
	}
	return 1 << min(mathbits.TrailingZeros64(uint64(x)), mathbits.TrailingZeros64(most))
}

// contiguous finds the contiguous elements of the view, and the terms of the beginnings of vectors.
func (a *Alignment) contiguous(v View, bits int64) error {
	flat, err := symbolic.Coalesce(a.rest)
	if err != nil {
		return err
	}
	a.flat = flat
	run := false
	leaves := flat.Modes()
	for i, m := range leaves {
		n, okN := m.Shape().Int()
		d, okD := m.Stride().Int()
		if v, known := n.Int64(); !okN || !okD || known && v == 1 {
			continue
		}
		if one, known := d.Int64(); known && one == 1 && !run {
			run = true
			a.vectors = append(a.vectors, Divisor{
				Name: fmt.Sprintf("extent of the contiguous mode %d of %v", i, flat), Value: n, Bits: divisor(n, bits), kind: ofRun,
			})
			continue
		}
		if by := divisor(d, bits); by > 0 {
			a.vectors = append(a.vectors, Divisor{
				Name: fmt.Sprintf("stride of mode %d of %v", i, flat), Value: d, Bits: by, kind: ofStride,
			})
		}
	}
	if !run {
		a.vectors = append(a.vectors, Divisor{
			Name: "nothing is contiguous", Value: symbolic.Const(1), Bits: lowest(bits), kind: ofRun,
		})
	} else {
		a.across(leaves, bits)
	}
	if v.Together > 0 {
		together := Divisor{
			Name: "neighbours that the swizzle keeps together", Value: symbolic.Const(v.Together),
			Bits: min(lowest(v.Together)*lowest(bits), most), kind: ofSwizzle,
		}
		a.vectors = append(a.vectors, together)
		if a.block != nil {
			a.block = append(a.block, together)
		}
	}
	return nil
}

// across finds elements that are contiguous across several modes, in any order: 32 elements of (4,8):(8,1).
func (a *Alignment) across(leaves []symbolic.Layout, bits int64) {
	next := symbolic.Const(1) // the stride that continues the block
	var through []int
	taken := make([]bool, len(leaves))
	for at := 0; at >= 0; {
		at = slices.IndexFunc(leaves, func(m symbolic.Layout) bool {
			d, ok := m.Stride().Int()
			return ok && d.Equal(next)
		})
		if at >= 0 && taken[at] {
			break // an extent of 1
		}
		if at >= 0 {
			n, _ := leaves[at].Shape().Int()
			var err error
			if next, err = symbolic.Mul(next, n); err != nil {
				return // larger than any alignment that matters
			}
			taken[at] = true
			through = append(through, at)
		}
	}
	if len(through) < 2 {
		return
	}
	slices.Sort(through)
	a.block = []Divisor{{
		Name: "modes " + wordsAnd(through), Value: next, Bits: divisor(next, bits), kind: ofRun,
	}}
	for i, m := range leaves {
		d, _ := m.Stride().Int()
		if by := divisor(d, bits); !taken[i] && by > 0 {
			a.block = append(a.block, Divisor{Name: fmt.Sprintf("stride of mode %d", i), Value: d, Bits: by, kind: ofStride})
		}
	}
}

// wordsAnd returns numbers as "0, 1 and 3".
func wordsAnd(list []int) string {
	var b strings.Builder
	for i, x := range list {
		switch {
		case i > 0 && i == len(list)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(x))
	}
	return b.String()
}

// Pointer returns the pointer of the view, with its certain alignment, which is at least one byte.
func (a Alignment) Pointer() Pointer {
	p := a.pointer
	p.Align = max(a.bits/8, 1)
	return p
}

// Bits returns the largest power of two that certainly divides the address in bits: less than 8 if elements are smaller
// than a byte.
func (a Alignment) Bits() int64 { return a.bits }

// Layout returns the layout of the modes that stay.
func (a Alignment) Layout() symbolic.Layout { return a.rest }

// Offset returns the offset of the view from the pointer, in elements.
func (a Alignment) Offset() symbolic.Int { return a.offset }

// Terms returns the terms of the address: the pointer, and the coordinates times their strides.
func (a Alignment) Terms() []Divisor { return append([]Divisor(nil), a.address...) }

// VectorTerms returns the further terms of the beginnings of vectors, which are the strides of the modes that stay, and
// the number of contiguous elements.
func (a Alignment) VectorTerms() []Divisor { return append([]Divisor(nil), a.vectors...) }

// Vector returns the bits of the widest vector that is certainly contiguous, aligned and whole everywhere in the view,
// and that one access of a thread can have on the machine: at most 128, or 256 in global memory of sm100 and later (PTX
// ISA, ld and st: .v8.b32 and .v4.b64). It is at least one element.
func (a Alignment) Vector(t Target) int64 { return a.widest(t, a.vectors) }

// Across returns the bits of the widest vector whose elements may span several modes that form one block of memory, and
// describes that block, if the vector is wider than [Alignment.Vector]; otherwise it returns 0.
func (a Alignment) Across(t Target) (bits int64, block string) {
	if a.block == nil {
		return 0, ""
	}
	if bits = a.widest(t, a.block); bits <= a.Vector(t) {
		return 0, ""
	}
	return bits, fmt.Sprintf("the %s of %v are one block of %v elements", a.block[0].Name, a.flat, a.block[0].Value)
}

// widest returns the bits of the widest vector that the terms allow.
func (a Alignment) widest(t Target, terms []Divisor) int64 {
	v := min(a.bits, a.Widest(t))
	for _, d := range terms {
		v = min(v, d.Bits)
	}
	return max(v, int64(a.pointer.Type.Bits()))
}

// Widest returns the bits of the widest access of a thread on the machine in the space of the pointer.
func (a Alignment) Widest(t Target) int64 {
	if a.pointer.Space == Global && t.bulk() && t.Name != "sm90" {
		return 256
	}
	return 128
}

// A Need is a declaration or a change that a wider vector needs.
type Need struct {
	Divisor
	Multiple int64  // what the value must be a multiple of, in elements; for the pointer in bytes
	DSL, CPP string // how to declare it; "" if no declaration helps
	Say      string // the condition in words
}

// Needs returns what prevents vectors of the given bits, a power of two, from being certain.
func (a Alignment) Needs(bits int64) []Need {
	var list []Need
	width := int64(a.pointer.Type.Bits())
	for _, d := range append(a.Terms(), a.vectors...) {
		if d.Bits >= bits {
			continue
		}
		n := Need{Divisor: d, Multiple: max(bits/lowest(width), 1)}
		if d.kind == ofPointer {
			n.Multiple = max(bits/8, 1)
		}
		n.declare(bits)
		if d.kind == ofPointer && a.pointer.Space == Shared {
			n.DSL = fmt.Sprintf("smem.allocate_tensor(TYPE, layout, byte_alignment=%d)", n.Multiple)
			n.CPP = fmt.Sprintf("alignas(%d), or cute::array_aligned<T, N, %[1]d> of SharedStorage", n.Multiple)
		}
		list = append(list, n)
	}
	return list
}

// declare says how to promise that a term is a multiple.
func (n *Need) declare(bits int64) {
	_, known := n.Value.Int64()
	assumed := "AutoVectorizingCopyWithAssumedAlignment<%d> promises it of run-time strides and pointers"
	switch {
	case n.kind == ofPointer:
		n.Say = fmt.Sprintf("the pointer is a multiple of %d bytes", n.Multiple)
		n.DSL = fmt.Sprintf("from_dlpack(x, assumed_align=%d), or make_ptr(..., assumed_align=%[1]d)", n.Multiple)
		n.CPP = fmt.Sprintf(assumed, bits)
	case n.kind == ofRun && known && n.Name == "nothing is contiguous":
		n.Say = "no mode that stays has stride 1: slice another mode, or copy along another one"
	case n.kind == ofSwizzle:
		n.Say = fmt.Sprintf("the swizzle leaves %v elements together: a larger M of Sw<B,M,S>", n.Value)
	case known:
		n.Say = fmt.Sprintf("%s is %v, and would have to be a multiple of %d: pad it, no declaration changes it", n.Name,
			n.Value, n.Multiple)
	default:
		n.Say = fmt.Sprintf("%s, %v, is a multiple of %d elements", n.Name, n.Value, n.Multiple)
		what, by := n.promisedValue()
		n.DSL = fmt.Sprintf("cute.assume(%s, divby=%d)", what, by)
		if n.kind != ofOffset {
			n.DSL += fmt.Sprintf(", or mark_compact_shape_dynamic(mode=..., divisibility=%d)", by)
		}
		n.CPP = fmt.Sprintf("write %s as Int<%d>{} times a smaller integer, or: "+assumed, what, by, bits)
	}
}

// promisedValue returns the value that a promise about the term concerns, and its divisor: for a coordinate its stride,
// if the stride is known only at run time, and otherwise the coordinate itself.
func (n *Need) promisedValue() (what string, by int64) {
	x, by := n.Value, n.Multiple
	if n.kind == ofOffset {
		if d, known := n.stride.Int64(); !known {
			x = n.stride
		} else {
			return "the coordinate", max(by/lowest(d), 1)
		}
	}
	if text := x.String(); len(text) > 0 && text[0] != '?' {
		return text, by
	}
	if n.kind == ofRun {
		return "extent", by
	}
	return "stride", by
}

// inBytes returns a number of bits as bytes, if it is a whole number of them.
func inBytes(bits int64) string {
	if bits%8 != 0 {
		return fmt.Sprintf("%d bits", bits)
	}
	return fmt.Sprintf("%d bytes", bits/8)
}
