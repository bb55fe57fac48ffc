package symbolic

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"girih/cute"
)

// A Vector is the value at a leaf of a tuple: an integer, or a coordinate with one integer for each axis. In strides,
// 8M@1 moves along axis 1.
type Vector struct {
	parts []component // sorted by axis, without zero components; an integer has the axis ""
}

// A component is x times the unit of an axis. The axis is its path with the outermost mode first, as "1.0" for 1@0@1.
type component struct {
	axis string
	x    Int
}

// Scalar returns the integer as a vector.
func Scalar(x Int) Vector {
	if x.is(0) {
		return Vector{}
	}
	return Vector{[]component{{"", x}}}
}

// OnAxis returns x times the unit of the axis with the given path, outermost mode first.
func OnAxis(x Int, path ...int) Vector {
	if x.is(0) {
		return Vector{}
	}
	return Vector{[]component{{axisName(path), x}}}
}

// axisName returns the name of the axis at a path.
func axisName(path []int) string {
	switch len(path) {
	case 0:
		return ""
	case 1:
		return strconv.Itoa(path[0])
	}
	names := make([]string, len(path))
	for i, p := range path {
		names[i] = strconv.Itoa(p)
	}
	return strings.Join(names, ".")
}

// Int returns v as an integer; it reports false if v moves along axes.
func (v Vector) Int() (Int, bool) {
	switch {
	case len(v.parts) == 0:
		return Int{}, true
	case len(v.parts) == 1 && v.parts[0].axis == "":
		return v.parts[0].x, true
	}
	return Int{}, false
}

func (v Vector) zero() bool { return len(v.parts) == 0 }

func (v Vector) static() bool {
	return !slices.ContainsFunc(v.parts, func(p component) bool { return !p.x.static() })
}

func (v Vector) anonymous() bool {
	return slices.ContainsFunc(v.parts, func(p component) bool { return p.x.anonymous() })
}

func (v Vector) equal(w Vector) bool {
	return slices.EqualFunc(v.parts, w.parts, func(a, b component) bool { return a.axis == b.axis && a.x.Equal(b.x) })
}

// String returns the vector, as 8M@1+2@0.
func (v Vector) String() string {
	if v.zero() {
		return "0"
	}
	var b strings.Builder
	for i, p := range v.parts {
		text := p.x.String()
		if p.axis != "" && len(p.x.terms) > 0 && (len(p.x.terms) > 1 || p.x.k != 0) && text[0] != '?' {
			text = "(" + text + ")"
		}
		if i > 0 && text[0] != '-' {
			b.WriteByte('+')
		}
		b.WriteString(text)
		if p.axis != "" {
			path := strings.Split(p.axis, ".")
			slices.Reverse(path)
			b.WriteString("@" + strings.Join(path, "@"))
		}
	}
	return b.String()
}

func (c *calc) addVectors(v, w Vector) Vector {
	var out Vector
	i, j := 0, 0
	for i < len(v.parts) || j < len(w.parts) {
		switch {
		case j == len(w.parts) || (i < len(v.parts) && v.parts[i].axis < w.parts[j].axis):
			out.parts = append(out.parts, v.parts[i])
			i++
		case i == len(v.parts) || v.parts[i].axis > w.parts[j].axis:
			out.parts = append(out.parts, w.parts[j])
			j++
		default:
			if x := c.add(v.parts[i].x, w.parts[j].x); !x.is(0) {
				out.parts = append(out.parts, component{v.parts[i].axis, x})
			}
			i++
			j++
		}
	}
	return out
}

func (c *calc) scaleVector(v Vector, x Int) Vector {
	if x.is(0) {
		return Vector{}
	}
	if x.is(1) {
		return v
	}
	out := Vector{make([]component, len(v.parts))}
	for i, p := range v.parts {
		out.parts[i] = component{p.axis, c.mul(p.x, x)}
	}
	return out
}

// A Tuple is a leaf or a tuple of tuples. A leaf is an integer, the vector of a coordinate, or open (an underscore).
type Tuple struct{ n *node } // nil is the empty tuple

// A node never changes, so tuples share it: a copy of a tuple is one word.
type node struct {
	leaf  Vector
	elems []Tuple
	kind  nodeKind
}

var emptyNode node

func (t Tuple) node() *node {
	if t.n == nil {
		return &emptyNode
	}
	return t.n
}

func (t Tuple) leaf() Vector   { return t.node().leaf }
func (t Tuple) elems() []Tuple { return t.node().elems }
func (t Tuple) kind() nodeKind { return t.node().kind }

type nodeKind uint8

const (
	isTuple nodeKind = iota
	isLeaf
	isOpen
)

// Leaf returns the tuple that is this leaf.
func Leaf(v Vector) Tuple { return Tuple{&node{leaf: v, kind: isLeaf}} }

// Number returns the tuple that is the integer x.
//
//go:noinline
func Number(x Int) Tuple { return Leaf(Scalar(x)) }

// Open is the underscore of a coordinate.
func Open() Tuple { return Tuple{&openNode} }

var openNode = node{kind: isOpen}

// Nest returns the tuple of the given elements.
func Nest(elems ...Tuple) Tuple { return Tuple{&node{elems: elems}} }

// Leaf returns the vector that t is, if it is a leaf.
func (t Tuple) Leaf() (Vector, bool) { return t.leaf(), t.kind() == isLeaf }

// Int returns the integer that t is.
//
//go:noinline
func (t Tuple) Int() (Int, bool) {
	if t.kind() != isLeaf {
		return Int{}, false
	}
	return t.leaf().Int()
}

// Open reports whether t is an underscore.
func (t Tuple) Open() bool { return t.kind() == isOpen }

// HasOpen reports whether t has an underscore.
//
//go:noinline
func (t Tuple) HasOpen() bool { return t.Open() || slices.ContainsFunc(t.elems(), Tuple.HasOpen) }

// Modes returns the elements of t; of a leaf, itself.
func (t Tuple) Modes() []Tuple {
	if t.kind() != isTuple {
		return []Tuple{t}
	}
	return t.elems()
}

// LeafCount returns the number of leaves.
func (t Tuple) LeafCount() int {
	if t.kind() != isTuple {
		return 1
	}
	n := 0
	for _, e := range t.elems() {
		n += e.LeafCount()
	}
	return n
}

// NodeCount returns the number of leaves and of tuples in t, itself included, and the depth of its nesting. NodeCount
// stops at the given number, because tuples may share elements.
func (t Tuple) NodeCount(most int) (nodes, depth int) {
	nodes = 1
	if t.kind() == isTuple {
		depth = 1
	}
	for _, e := range t.elems() {
		if nodes >= most {
			break
		}
		n, d := e.NodeCount(most - nodes)
		nodes, depth = nodes+n, max(depth, 1+d)
	}
	return nodes, depth
}

// Parts returns the number of terms and functions in the integers of t, at all depths: a measure of the length of its
// text.
func (t Tuple) Parts() int {
	n := 0
	for _, p := range t.leaf().parts {
		n += p.x.size()
	}
	for _, e := range t.elems() {
		n += e.Parts()
	}
	return n
}

// Static reports whether every integer in t is known.
func (t Tuple) Static() bool {
	return t.leaf().static() && !slices.ContainsFunc(t.elems(), func(e Tuple) bool { return !e.Static() })
}

// String returns the tuple, as (8M,(?,2)).
func (t Tuple) String() string {
	switch t.kind() {
	case isLeaf:
		return t.leaf().String()
	case isOpen:
		return "_"
	}
	parts := make([]string, len(t.elems()))
	for i, e := range t.elems() {
		parts[i] = e.String()
	}
	return "(" + strings.Join(parts, ",") + ")"
}

// leaves returns the leaves of t.
//
//go:noinline
func (t Tuple) leaves() []Vector { return t.appendLeaves(make([]Vector, 0, max(4, len(t.elems())))) }

func (t Tuple) appendLeaves(to []Vector) []Vector {
	if t.kind() != isTuple {
		return append(to, t.leaf())
	}
	for _, e := range t.elems() {
		to = e.appendLeaves(to)
	}
	return to
}

// mapLeaves returns t with f of every leaf; underscores stay.
func (t Tuple) mapLeaves(f func(Vector) Vector) Tuple {
	switch t.kind() {
	case isLeaf:
		return Leaf(f(t.leaf()))
	case isOpen:
		return t
	}
	out := make([]Tuple, len(t.elems()))
	for i, e := range t.elems() {
		out[i] = e.mapLeaves(f)
	}
	return Nest(out...)
}

// congruent reports whether s and t have the same nesting.
func congruent(s, t Tuple) bool {
	if (s.kind() == isTuple) != (t.kind() == isTuple) {
		return false
	}
	return slices.EqualFunc(s.elems(), t.elems(), congruent)
}

// Equal reports whether s and t have the same nesting and the same leaves for all values.
func (t Tuple) Equal(s Tuple) bool {
	return t.kind() == s.kind() && t.leaf().equal(s.leaf()) && slices.EqualFunc(t.elems(), s.elems(), Tuple.Equal)
}

// FromTuple returns the tuple of known integers.
func FromTuple(t cute.Tuple) Tuple {
	if t.Depth() == 0 {
		return Leaf(fromLeaf(t))
	}
	modes := t.Modes()
	out := make([]Tuple, len(modes))
	for i, m := range modes {
		out[i] = FromTuple(m)
	}
	return Nest(out...)
}

// fromLeaf returns the vector of a leaf.
func fromLeaf(t cute.Tuple) Vector {
	var v Vector
	t.Terms(func(x int64, path []int) { v.parts = append(v.parts, component{axisName(path), Const(x)}) })
	sort.Slice(v.parts, func(i, j int) bool { return v.parts[i].axis < v.parts[j].axis })
	return v
}

// ToTuple returns t as a tuple of known integers. It returns [cute.CodeUnknown] if an integer is not known.
func (t Tuple) ToTuple() (cute.Tuple, error) {
	if t.kind() == isTuple {
		elems := make([]cute.Tuple, len(t.elems()))
		for i, e := range t.elems() {
			var err error
			if elems[i], err = e.ToTuple(); err != nil {
				return cute.Tuple{}, err
			}
		}
		return cute.MakeTuple(elems...)
	}
	if t.kind() == isOpen {
		return cute.Tuple{}, &cute.Error{Code: cute.CodeType, Msg: "expected integers, found _"}
	}
	sum := cute.Int(0)
	for i, p := range t.leaf().parts {
		x, ok := p.x.Int64()
		if !ok {
			return cute.Tuple{}, &cute.Error{Code: cute.CodeUnknown, Msg: fmt.Sprintf("expected known integers, found %s", t)}
		}
		one := cute.Int(x)
		if p.axis != "" {
			var err error
			if one, err = cute.Basis(x, path(p.axis)...); err != nil {
				return cute.Tuple{}, err
			}
		}
		if i == 0 {
			sum = one
			continue
		}
		var err error
		if sum, err = sum.Add(one); err != nil {
			return cute.Tuple{}, err
		}
	}
	return sum, nil
}

// path returns the modes that the name of an axis lists, outermost first.
func path(axis string) []int {
	if axis == "" {
		return nil
	}
	var out []int
	for _, f := range strings.Split(axis, ".") {
		n, _ := strconv.Atoi(f) // written by OnAxis
		out = append(out, n)
	}
	return out
}
