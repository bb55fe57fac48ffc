package reader

import (
	"errors"
	"fmt"

	"girih/cute"
)

// This file checks whether a value is a layout that girih knows, and gives the fault if not: the shape and the stride
// of (4,8):(1,4,8) have different nesting.

// judge returns the canonical text of a value as girih writes it, whether it is a layout that girih knows completely,
// and the fault of the value or of a layout in it.
func judge(n *node, text string) (canonical string, static bool, fault string) {
	if n.kind == nodeLayout && n.isStatic() {
		if n.isPlain() {
			return text, true, ""
		}
		l, err := cute.Parse(text)
		if err != nil {
			return text, false, reason(err)
		}
		return l.String(), true, ""
	}
	return text, false, faultIn(n)
}

// isPlain reports whether a layout has small integers only, the same nesting in both halves, and positive extents.
// girih accepts such a layout and prints it as this package does, so it need not be parsed again. Most layouts are
// plain.
func (n *node) isPlain() bool {
	size := int64(1)
	return congruent(n.kids[0], n.kids[1]) && n.kids[0].smallLeaves(&size) && n.kids[1].smallLeaves(nil)
}

// smallLeaves reports whether all leaves are 32-bit integers. If size is not nil, the leaves must also be extents:
// positive, with a product that fits in 32 bits.
func (n *node) smallLeaves(size *int64) bool {
	if n.kind == nodeTuple {
		for _, k := range n.kids {
			if !k.smallLeaves(size) {
				return false
			}
		}
		return len(n.kids) > 0
	}
	x, ok := n.integer()
	if !ok || magnitude(x) >= 1<<31 {
		return false
	}
	if size == nil {
		return true
	}
	if x <= 0 {
		return false
	}
	*size *= x
	return *size < 1<<31
}

// faultIn returns the fault of the first invalid layout in n.
func faultIn(n *node) string {
	if n.kind == nodeLayout {
		if n.isStatic() {
			if n.isPlain() {
				return ""
			}
			if _, err := cute.Parse(n.String()); err != nil {
				return reason(err)
			}
			return ""
		}
		if !congruent(n.kids[0], n.kids[1]) {
			return fmt.Sprintf("shape %s and stride %s do not have the same nesting", n.kids[0], n.kids[1])
		}
		return extent(n.kids[0])
	}
	for _, k := range n.kids {
		if f := faultIn(k); f != "" {
			return f
		}
	}
	return ""
}

// extent returns the fault of the extents of a shape that is not static.
func extent(shape *node) string {
	for _, k := range shape.kids {
		if f := extent(k); f != "" {
			return f
		}
	}
	if x, ok := shape.integer(); ok && x <= 0 {
		return fmt.Sprintf("the extent %d is not positive", x)
	}
	return ""
}

// reason returns girih's message without the name of its code.
func reason(err error) string {
	if e, ok := errors.AsType[*cute.Error](err); ok {
		return e.Msg
	}
	return err.Error()
}
