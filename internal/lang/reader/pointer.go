package reader

import (
	"strconv"

	"girih/internal/pattern"
)

// This file reads what a pointer says of the layout behind it: its swizzle, which counts bytes, and the width of its
// elements, without which nobody knows what the swizzle does to offsets.

const (
	// smem_ptr[16b](unset), smem_ptr_16b(0x7f10)
	pointerBits    = pattern.Pattern(`^\w*?ptr(?:\[|_)(\d+)b\b`)
	pointerType    = pattern.Pattern(`^ptr<\s*[a-zA-Z]+(\d+)`)                     // ptr<f16, smem>, ptr<f8E4M3FN, smem>
	pointerSwizzle = pattern.Pattern(`\bS<\s*(\d+)\s*,\s*(\d+)\s*,\s*(-?\d+)\s*>`) // ptr<f16, smem, align<1024>, S<3,4,3>>
)

// unknownUnit stands for a pointer that does not tell the width of an element.
const unknownUnit = "smem_ptr(unset)"

// unitOf returns what stands between a swizzle of bytes and its layout for the pointer of this text:
// smem_ptr[16b](unset), or unknownUnit.
func unitOf(text string) string {
	for _, p := range []pattern.Pattern{pointerBits, pointerType} {
		if m := p.FindStringSubmatch(text); m != nil {
			return "smem_ptr[" + m[1] + "b](unset)"
		}
	}
	return unknownUnit
}

// swizzleOf returns the swizzle in the type of a pointer, nil if it has none.
func swizzleOf(text string, start, end int32) *node {
	m := pointerSwizzle.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	n := &node{kind: nodeSwizzle, start: start, end: end}
	for _, digits := range m[1:] {
		x, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return nil
		}
		n.kids = append(n.kids, intNode(x, start, end))
	}
	return n
}

// pointer returns the node of a pointer behind a swizzle, and notes what is not known of it.
func (p *parser) pointer(k *node) *node {
	unit := unitOf(k.text)
	if unit == unknownUnit {
		p.note("the swizzle is that of the pointer: it counts bytes, and %s does not tell how wide an element is", k.text)
	}
	return &node{kind: nodePtr, text: unit, start: k.start, end: k.end}
}
