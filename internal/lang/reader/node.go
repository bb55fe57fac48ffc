package reader

import (
	"math/bits"
	"strconv"
	"strings"
)

// This file defines the tree that the parser builds: (4,8):(8,1) is a nodeLayout with two nodeTuple of nodeInt.

// A nodeKind is the kind of a node.
type nodeKind uint8

const (
	nodeInt     nodeKind = iota // text: decimal digits, perhaps a sign
	nodeDyn                     // text: ?, ?{div=8}
	nodeSym                     // text: a name, 8T
	nodeWild                    // _
	nodeBasis                   // text: 2@1, 1/16@0, ?@1, 1@0+2@1
	nodeRatio                   // text: 3/2
	nodeLeaf                    // text: another leaf that is kept unchanged, such as F2(9)
	nodeOp                      // text: the operator; two kids
	nodeTuple                   // (a,b)
	nodeList                    // [a,b]
	nodeTile                    // <a,b>
	nodeLayout                  // two kids
	nodeSwizzle                 // three kids
	nodeCompose                 // a o b o c
	nodePtr                     // text: an engine; kept only between a swizzle and a layout
	nodeCall                    // text: the name, with a template list if any
	nodeApply                   // kid 0 applied to the others
	nodeRecord                  // text: the name; names holds the names of the kids
	nodeType                    // text: a type, or something else that only has a name
	nodeOpaque                  // text: source that is not understood
	nodeElided                  // ...
	nodeDims                    // text: 4x16xf64
	nodeTrace                   // a => b
	nodeSpan                    // text: a chain of index spaces
	nodeSet                     // {a,b}, a list of values as girih prints it
	nodeText                    // text: a value that is kept as text only
	nodeUnread                  // text: the notation of a value that is not supported; kid 0: the reason
)

// A node is a part of a value. Kids are in the order of the text.
type node struct {
	kind       nodeKind
	static     bool // the node is a name of a compile-time constant
	text       string
	key        string // the keyword of an argument, or the name of a field of a record
	kids       []*node
	start, end int32
}

// isLeaf reports whether n can be an extent or a stride.
func (n *node) isLeaf() bool {
	switch n.kind {
	case nodeInt, nodeDyn, nodeSym, nodeBasis, nodeRatio, nodeLeaf, nodeWild, nodeElided:
		return true
	case nodeOp:
		return n.kids[0].isLeaf() && n.kids[1].isLeaf()
	case nodeCall:
		switch n.text {
		case "ceil", "floor", "min", "max", "ceil_div", "ceildiv", "cdiv":
			return true
		}
	}
	return false
}

// isTuple reports whether n is a leaf, or a tuple whose elements satisfy isTuple.
func (n *node) isTuple() bool {
	if n.kind != nodeTuple {
		return n.isLeaf()
	}
	for _, k := range n.kids {
		if !k.isTuple() {
			return false
		}
	}
	return true
}

// isStatic reports whether every leaf of n is known, so that girih itself can judge it.
func (n *node) isStatic() bool {
	switch n.kind {
	case nodeInt, nodeBasis:
		return !strings.ContainsAny(n.text, "?/") && !hasLetter(n.text)
	case nodeTuple, nodeLayout:
		for _, k := range n.kids {
			if !k.isStatic() {
				return false
			}
		}
		return true
	}
	return false
}

func hasLetter(s string) bool {
	for i := range len(s) {
		if isLetter(s[i]) {
			return true
		}
	}
	return false
}

// hasNumber reports whether n contains a number.
func (n *node) hasNumber() bool {
	switch n.kind {
	case nodeInt, nodeDyn, nodeBasis, nodeRatio, nodeLeaf:
		return true
	}
	for _, k := range n.kids {
		if k.hasNumber() {
			return true
		}
	}
	return false
}

// congruent reports whether two tuples have the same nesting. An elided part is congruent to anything.
func congruent(a, b *node) bool {
	if a.kind == nodeElided || b.kind == nodeElided {
		return true
	}
	if a.kind != nodeTuple || b.kind != nodeTuple {
		return a.kind != nodeTuple && b.kind != nodeTuple
	}
	if len(a.kids) != len(b.kids) {
		return false
	}
	for i := range a.kids {
		if !congruent(a.kids[i], b.kids[i]) {
			return false
		}
	}
	return true
}

// integer returns the value of an integer leaf.
func (n *node) integer() (int64, bool) {
	if n.kind != nodeInt {
		return 0, false
	}
	x, err := strconv.ParseInt(n.text, 10, 64)
	return x, err == nil
}

//go:noinline
func intNode(x int64, start, end int32) *node {
	return &node{kind: nodeInt, text: strconv.FormatInt(x, 10), start: start, end: end}
}

// decimal drops the parts of an integer that are not in its canonical text: _ and leading zeros.
func decimal(s string) string {
	s = strings.TrimPrefix(s, "_")
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	s = strings.TrimLeft(s, "0")
	if s == "" {
		return "0"
	}
	return sign + s
}

// fold returns x op y, if it is an integer of 64 bits.
func fold(x int64, op string, y int64) (int64, bool) {
	switch op {
	case "+":
		z := x + y
		return z, (z > x) == (y > 0)
	case "-":
		z := x - y
		return z, (z < x) == (y > 0)
	case "*":
		hi, lo := bits.Mul64(magnitude(x), magnitude(y))
		return x * y, hi == 0 && lo < 1<<63
	case "/", "//":
		return quotient(x, y)
	case "%":
		if x < 0 || y <= 0 {
			return 0, false
		}
		return x % y, true
	}
	return 0, false
}

// quotient divides exactly, or not at all. C++ and Python round differently only if there is a remainder and a sign,
// and 1/16 must not become 0.
func quotient(x, y int64) (int64, bool) {
	if y <= 0 || x%y != 0 {
		return 0, false
	}
	return x / y, true
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}
