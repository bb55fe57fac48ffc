package paste

import (
	"fmt"
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
)

// InElements returns the expression in elements for a swizzled layout of an aligned pointer: Sw<3,4,3> o
// smem_ptr[16b](unset) o L swizzles the bytes of an address, and is Sw<3,3,3> o 0 o L in elements of 16 bits. It is
// CuTe's as_position_independent_swizzle_layout. ok is false for any other text, and for a swizzle that moves parts of
// elements.
func InElements(value string) (expr string, ok bool) {
	head, rest, _ := strings.Cut(value, " o smem_ptr[")
	width, rest, _ := strings.Cut(rest, "b](")
	_, layout, found := strings.Cut(rest, ") o ")
	w, err := cute.ParseSwizzle(head)
	bits, notWidth := strconv.ParseInt(width, 10, 32)
	if !found || err != nil || notWidth != nil || bits <= 0 {
		return "", false
	}
	if bits < 8 && 8%bits == 0 {
		w, err = w.Downcast(8 / bits)
	} else if bits%8 == 0 && (w.B() == 0 || bits/8 <= 1<<w.M()) {
		w, err = w.Upcast(bits / 8)
	} else {
		return "", false
	}
	if err != nil {
		return "", false
	}
	expr = fmt.Sprintf("%v o 0 o %s", w, layout)
	_, fault := (&Reader{Env: new(eval.Env)}).Run(expr)
	return expr, fault == nil
}
