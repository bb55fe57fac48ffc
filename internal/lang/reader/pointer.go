package reader

import (
	"strconv"

	"girih/internal/pattern"
)

// This file reads the facts that a pointer gives about the layout after it: its swizzle, which counts bytes, and the
// width of its elements, without which the effect of the swizzle on offsets is unknown.

const (
	// smem_ptr[16b](unset), smem_ptr_16b(0x7f10)
	pointerBits    = pattern.Pattern(`^\w*?ptr(?:\[|_)(\d+)b\b`)
	pointerType    = pattern.Pattern(`^ptr<\s*[a-zA-Z]+(\d+)`)                     // ptr<f16, smem>, ptr<f8E4M3FN, smem>
	pointerSwizzle = pattern.Pattern(`\bS<\s*(\d+)\s*,\s*(\d+)\s*,\s*(-?\d+)\s*>`) // ptr<f16, smem, align<1024>, S<3,4,3>>
)

// unknownUnit is the text of a pointer that does not give the width of an element.
const unknownUnit = "smem_ptr(unset)"

// unitOf returns the text that belongs between a swizzle of bytes and its layout, for a pointer with this text:
// smem_ptr[16b](unset), or unknownUnit.
func unitOf(text string) string {
	for _, p := range []pattern.Pattern{pointerBits, pointerType} {
		if m := p.FindStringSubmatch(text); m != nil {
			return "smem_ptr[" + m[1] + "b](unset)"
		}
	}
	return unknownUnit
}

// swizzleOf returns the swizzle in a pointer's type, or nil.
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

// pointer returns the node of a pointer after a swizzle, and adds a note if the pointer does not give the swizzle's
// unit.
func (p *parser) pointer(k *node) *node {
	unit := unitOf(k.text)
	if unit == unknownUnit {
		p.note("the swizzle belongs to the pointer: it counts bytes, and %s does not give the width of an element", k.text)
	}
	return &node{kind: nodePtr, text: unit, start: k.start, end: k.end}
}
