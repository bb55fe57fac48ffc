package reader

import (
	"errors"
	"fmt"

	"girih/cute"
)

// judge returns the canonical text of a value as girih has it, whether it is a layout that girih knows, and what is
// wrong with it, or with a layout in it.
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

// isPlain reports whether a layout is of small integers only, of one nesting and with positive extents. girih accepts
// it then, and writes it as it is here: most layouts need not be parsed again.
func (n *node) isPlain() bool {
	size := int64(1)
	return congruent(n.kids[0], n.kids[1]) && n.kids[0].smallLeaves(&size) && n.kids[1].smallLeaves(nil)
}

// smallLeaves reports whether all leaves are integers of 32 bits; extents are positive ones with a product of 32 bits.
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

// faultIn returns what is wrong with the first layout in n that is none.
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

// extent returns what is wrong with the extents of a shape that is not static.
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

// reason returns what girih says, without the name of the code.
func reason(err error) string {
	if e, ok := errors.AsType[*cute.Error](err); ok {
		return e.Msg
	}
	return err.Error()
}
