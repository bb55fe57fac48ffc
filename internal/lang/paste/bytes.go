package paste

import (
	"fmt"
	"strings"

	"girih/cute"
)

// A swizzle of shared memory is written in two units. As a function of girih, Sw<3,3,3> o 0 o (8,64):(64,1) swizzles
// offsets in elements. CuTe and the CuTe DSL apply the swizzle of a pointer to byte addresses, and print the same tile
// of f16 as S<3,4,3> o 0 o (8,64):(64,1): M counts 2^4 bytes, not 2^3 elements. The text alone does not show which unit
// is meant. A swizzle that keeps 16 bytes together, as TMA and wgmma do, has M = 4 in bytes.

// bytesM is M of a swizzle of bytes that keeps 16 bytes together.
const bytesM = 4

// NoteBytes returns the note that the swizzle of a layout, given by its canonical text, may be meant for bytes. It
// returns no note for any other text.
func NoteBytes(text string) []string {
	w, layout, ok := swizzledText(text)
	if !ok || w.M() != bytesM {
		return nil
	}
	half, err16 := w.Upcast(2)
	word, err32 := w.Upcast(4)
	if err16 != nil || err32 != nil {
		return nil
	}
	return []string{fmt.Sprintf("%v is applied to offsets in elements; if it is meant for bytes, as CuTe and the CuTe "+
		"DSL print it for shared memory, the layout is %v o %s for elements of 16 bits, and %v o %s for 32", w, half,
		layout, word, layout)}
}

// InBytes returns the expression, in elements of the given width, for a swizzled layout whose swizzle is meant for
// bytes. The expression is empty if it equals the layout, if the swizzle moves parts of elements, or if nothing
// indicates bytes.
func InBytes(text string, bits int) string {
	w, layout, ok := swizzledText(text)
	if !ok || w.M() != bytesM || bits <= 8 {
		return ""
	}
	w, err := w.Upcast(int64(bits / 8))
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%v o %s", w, layout)
}

// NoteDSL returns the note on a swizzled layout in the CuTe DSL, which has swizzles of both units.
func NoteDSL(text string) []string {
	w, _, ok := swizzledText(text)
	if !ok {
		return nil
	}
	in := func(shift int) string { return fmt.Sprintf("make_swizzle(%d, %d, %d)", w.B(), w.M()+shift, w.S()) }
	return []string{fmt.Sprintf("dsl: %s is of offsets in elements, as the layout is a function; where the DSL applies "+
		"it to the bytes of shared memory, as allocate_tensor(layout, swizzle=...) and make_tiled_tma_atom do, write %s for "+
		"elements of 16 bits, %s for 32, the same for 8", in(0), in(1), in(2))}
}

// swizzledText splits the canonical text of a swizzled layout: w o layout, where layout is 0 o (8,64):(64,1).
func swizzledText(text string) (w cute.Swizzle, layout string, ok bool) {
	head, layout, _ := strings.Cut(text, " o ")
	offset, inner, ok := strings.Cut(layout, " o ")
	if _, err := cute.ParseTuple(offset); !ok || err != nil || strings.Contains(inner, " o ") {
		return w, "", false // the offset may be a pointer, whose swizzle applies to bytes
	}
	w, err := cute.ParseSwizzle(head)
	return w, layout, err == nil && w.B() > 0
}
