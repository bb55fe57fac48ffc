package service

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"girih/dtype"
	"girih/internal/lang/paste"
	"girih/internal/lang/reader"
	"girih/internal/pattern"
)

// readPointer returns the program for a layout of shared memory as CuTe prints it, Sw<3,4,3> o smem_ptr[16b](unset) o
// (_8,_64):(_64,_1), in elements, with a note that says so. It returns any other program unchanged.
func readPointer(src string) (expr string, notes []string) {
	if len(src) > MaxExpr || !strings.Contains(src, "smem") {
		return src, nil
	}
	r := reader.Read(src)
	if r.Err != nil || len(r.Items) != 1 || len(r.Unread) > 0 {
		return src, nil
	}
	expr, ok := paste.InElements(r.Items[0].Text)
	if !ok {
		return src, nil
	}
	return expr, []string{"read as " + expr + ", in elements at an aligned address: CuTe prints the swizzle of bytes"}
}

const (
	rePointerDSL = pattern.Pattern(`(?:ptr|memref)<(\w+), (gmem|smem)\b(?:, align<(\d+)>)?`)
	rePointerCpp = pattern.Pattern(`(?:(gmem|smem)_)?ptr\[(\d+)b\]\((0x[0-9a-fA-F]+)?`)
)

// An engine is what a pasted tensor says about its pointer, as CuTe or the CuTe DSL prints the tensor. Unstated
// fields are zero.
type engine struct {
	typ     string // the type of an element
	bits    int64  // the width of an element in bits
	space   string // gmem or smem
	align   int64  // the alignment in bytes, which certainly divides the address
	address uint64
}

// mostAlign is the largest alignment inferred from an address: the next launch may have another address.
const mostAlign = 1024

// engineOf returns what the tensor in a text says about its pointer.
func engineOf(src string) (e engine) {
	if len(src) > MaxExpr {
		return e
	}
	if m := rePointerDSL.FindStringSubmatch(src); m != nil {
		e.typ, e.space = m[1], m[2]
		n, err := strconv.ParseInt(m[3], 10, 32)
		t, errType := dtype.Parse(e.typ)
		switch {
		case err == nil && n > 0 && n&(n-1) == 0:
			e.align = n
		case errType == nil: // the DSL does not print the alignment that every pointer of the type has
			e.align = max(int64(t.Bits())/8, 1)
		}
	} else if m := rePointerCpp.FindStringSubmatch(src); m != nil {
		e.space = m[1]
		e.bits, _ = strconv.ParseInt(m[2], 10, 16)
		if a, err := strconv.ParseUint(m[3], 0, 64); err == nil && a != 0 {
			e.address, e.align = a, int64(1)<<min(bits.TrailingZeros64(a), bits.Len(mostAlign)-1)
		}
	}
	return e
}

// says is a note about what was read of the pointer.
func (e engine) says() []string {
	switch {
	case e.address != 0:
		return []string{fmt.Sprintf("the pointer %#x is a multiple of %d bytes, which other launches need not have: --align says what is certain",
			e.address, e.align)}
	case e.typ != "":
		return []string{fmt.Sprintf("read of the pointer: %s in %s, aligned to %d bytes", e.typ, e.space, e.align)}
	}
	return nil
}
