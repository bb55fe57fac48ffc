package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
)

// A Vector is an offset: a number for each axis, without zeros. The axis of plain integers is ""; "@1@0" is mode 1 of
// mode 0 of the coordinate.
type Vector map[string]int64

// Number returns the integer x as an offset.
func Number(x int64) Vector {
	if x == 0 {
		return Vector{}
	}
	return Vector{"": x}
}

// Equal reports whether v and w are the same offset.
func (v Vector) Equal(w Vector) bool { return maps.Equal(v, w) }

// plus returns v + x·w.
func (v Vector) plus(x int64, w Vector) Vector {
	sum := maps.Clone(v)
	if sum == nil {
		sum = Vector{}
	}
	for axis, y := range w {
		sum[axis] += x * y
		if sum[axis] == 0 {
			delete(sum, axis)
		}
	}
	return sum
}

// A Tree is a hierarchical tuple: a leaf, or the modes from left to right.
type Tree struct {
	IsLeaf bool
	Leaf   Vector
	Modes  []Tree
}

// TreeOf reads the text of t.
func TreeOf(t cute.Tuple) Tree { return parse(t.String()) }

// parse reads canonical text; it panics on any other text, which no value of girih prints.
func parse(text string) Tree {
	t, rest := parseTree(text)
	if rest != "" {
		panic(fmt.Sprintf("oracle: %q is left of %q", rest, text))
	}
	return t
}

func parseTree(text string) (Tree, string) {
	if !strings.HasPrefix(text, "(") {
		end := strings.IndexAny(text, "(),:")
		if end < 0 {
			end = len(text)
		}
		return Tree{IsLeaf: true, Leaf: parseLeaf(text[:end])}, text[end:]
	}
	text = text[1:]
	var t Tree
	for !strings.HasPrefix(text, ")") {
		if len(t.Modes) > 0 {
			text = strings.TrimPrefix(text, ",")
		}
		var m Tree
		m, text = parseTree(text)
		t.Modes = append(t.Modes, m)
	}
	return t, text[1:]
}

// parseLeaf reads 3, 2@1 and 1@0-2@1@1.
func parseLeaf(text string) Vector {
	v := Vector{}
	for rest := text; rest != ""; {
		end := 1 + strings.IndexAny(rest[1:], "+-")
		if end == 0 {
			end = len(rest)
		}
		term := strings.TrimPrefix(rest[:end], "+")
		rest = rest[end:]
		number, axis := term, ""
		if at := strings.IndexByte(term, '@'); at >= 0 {
			number, axis = term[:at], term[at:]
		}
		x, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			panic(fmt.Sprintf("oracle: %q is not a leaf: %v", text, err))
		}
		v = v.plus(x, Vector{axis: 1})
	}
	return v
}

// Int returns the integer at a leaf.
func (t Tree) Int() int64 { return t.Leaf[""] }

// Leaves returns the leaves from left to right.
func (t Tree) Leaves() []Vector {
	if t.IsLeaf {
		return []Vector{t.Leaf}
	}
	var vs []Vector
	for _, m := range t.Modes {
		vs = append(vs, m.Leaves()...)
	}
	return vs
}

// Size returns the product of the integer leaves.
func (t Tree) Size() int64 {
	size := int64(1)
	for _, v := range t.Leaves() {
		size *= v[""]
	}
	return size
}

// point returns the coordinate t at an axis as an offset: (2,(0,3)) is 2@0+3@1@1, and an integer is itself.
func (t Tree) point(axis string) Vector {
	if t.IsLeaf {
		return Vector{}.plus(t.Int(), Vector{axis: 1})
	}
	v := Vector{}
	for i, m := range t.Modes {
		v = v.plus(1, m.point("@"+strconv.Itoa(i)+axis))
	}
	return v
}

// PointOf returns the tuple t, a value of a layout, as an offset.
func PointOf(t cute.Tuple) Vector { return TreeOf(t).point("") }

// Congruent reports whether t and u have the same nesting.
func (t Tree) Congruent(u Tree) bool {
	if t.IsLeaf || u.IsLeaf {
		return t.IsLeaf && u.IsLeaf
	}
	return slices.EqualFunc(t.Modes, u.Modes, Tree.Congruent)
}

// WeaklyCongruent reports whether t is u with some of its subtrees replaced by leaves.
func (t Tree) WeaklyCongruent(u Tree) bool {
	return t.IsLeaf || (!u.IsLeaf && slices.EqualFunc(t.Modes, u.Modes, Tree.WeaklyCongruent))
}

// Compatible reports whether the coordinates of the shape t are coordinates of the shape u: t must be u with some
// subtrees replaced by their sizes.
func (t Tree) Compatible(u Tree) bool {
	if t.IsLeaf {
		return t.Int() == u.Size()
	}
	return !u.IsLeaf && slices.EqualFunc(t.Modes, u.Modes, Tree.Compatible)
}

// Encode maps the offsets of several tables to integers that add as the offsets do: each axis has so large a weight
// that no sums of up to span terms on different axes coincide. It reports whether the weights fit.
func Encode(span int64, tables ...[]Vector) ([][]int64, bool) {
	weight, most := map[string]int64{}, int64(0)
	for _, table := range tables {
		for _, v := range table {
			for axis, x := range v {
				weight[axis] = 0
				most = max(most, x, -x)
			}
		}
	}
	w, step := int64(1), 4*(most+1)*(span+1)
	for _, axis := range slices.Sorted(maps.Keys(weight)) {
		if w > (1<<60)/step {
			return nil, false
		}
		weight[axis] = w
		w *= step
	}
	out := make([][]int64, len(tables))
	for i, table := range tables {
		out[i] = make([]int64, len(table))
		for j, v := range table {
			for axis, x := range v {
				out[i][j] += weight[axis] * x
			}
		}
	}
	return out, true
}
