package service

import (
	"fmt"
	"strconv"
	"strings"

	"girih"
	"girih/internal/lang/reader"
)

// inElements returns the expression that a swizzled layout of a pointer is where the pointer is aligned: the swizzle of
// Sw<3,4,3> o smem_ptr[16b](unset) o L is of the bytes of an address, and is Sw<3,3,3> o 0 o L in elements of 16 bits.
// It is CuTe's as_position_independent_swizzle_layout. ok is false of anything else, and of a swizzle that moves parts
// of elements.
func inElements(value string) (expr string, ok bool) {
	head, rest, _ := strings.Cut(value, " o smem_ptr[")
	width, rest, _ := strings.Cut(rest, "b](")
	_, layout, found := strings.Cut(rest, ") o ")
	w, err := girih.ParseSwizzle(head)
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
	return expr, new(Session).Eval(EvalRequest{Expr: expr}).OK
}

// pointed returns the program for a layout of shared memory as CuTe prints it, Sw<3,4,3> o smem_ptr[16b](unset) o
// (_8,_64):(_64,_1), in elements, and a note that says so; and any other program as it is.
func pointed(src string) (expr string, notes []string) {
	if len(src) > MaxExpr || !strings.Contains(src, " o smem_ptr[") {
		return src, nil
	}
	r := reader.Read(src)
	if r.Err != nil || len(r.Items) != 1 || len(r.Unread) > 0 {
		return src, nil
	}
	expr, ok := inElements(r.Items[0].Text)
	if !ok {
		return src, nil
	}
	return expr, []string{"read as " + expr + ", in elements at an aligned address: CuTe prints the swizzle of bytes"}
}

// Origin says what the expression of a value is to it, without words of its own if it has none.
func (it ReadItem) Origin() string {
	switch {
	case it.Expr == "":
		return ""
	case it.Record == "":
		return "in elements, at an aligned address: " + it.Expr
	default:
		return "made by " + it.Expr
	}
}
