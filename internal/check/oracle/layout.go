package oracle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
)

// A Layout is a layout of girih in terms of its leaves.
type Layout struct {
	Shape Tree     // the extents
	S     []int64  // the extents from left to right
	D     []Vector // the strides of the extents
}

// Of reads the text of l. It panics if the text does not match the leaves that l reports.
func Of(l cute.Layout) Layout {
	shape, stride, _ := strings.Cut(l.String(), ":")
	t := parse(shape)
	o := Layout{Shape: t, S: Numbers(t.Leaves()), D: parse(stride).Leaves()}
	if !slices.Equal(o.S, l.Shape().Leaves()) || (!l.HasBasis() && !slices.Equal(Numbers(o.D), l.Stride().Leaves())) {
		panic(fmt.Sprintf("oracle: the text %v does not match the leaves %v and %v", l, l.Shape().Leaves(), l.Stride().Leaves()))
	}
	return o
}

// Flat returns the layout of the given extents and integer strides, without nesting.
func Flat(s, d []int64) Layout {
	l := Layout{S: s}
	for i, x := range s {
		l.Shape.Modes = append(l.Shape.Modes, Tree{IsLeaf: true, Leaf: Number(x)})
		l.D = append(l.D, Number(d[i]))
	}
	return l
}

// IsInt reports whether all strides are integers.
func (l Layout) IsInt() bool {
	for _, v := range l.D {
		for axis := range v {
			if axis != "" {
				return false
			}
		}
	}
	return true
}

// Size returns the number of coordinates.
func (l Layout) Size() int64 { return l.Shape.Size() }

// Coords returns the coordinates of the extents s in colexicographic order, with the first mode fastest.
func Coords(s []int64) [][]int64 {
	if len(s) == 0 {
		return [][]int64{{}}
	}
	last := len(s) - 1
	var coords [][]int64
	for x := range s[last] {
		for _, c := range Coords(s[:last]) {
			coords = append(coords, append(c, x))
		}
	}
	return coords
}

// Table returns the offsets of all coordinates in colexicographic order.
func (l Layout) Table() []Vector {
	if l.IsInt() {
		var table []Vector
		for _, x := range l.Ints() {
			table = append(table, Number(x))
		}
		return table
	}
	var table []Vector
	for _, c := range Coords(l.S) {
		v := Vector{}
		for j, x := range c {
			v = v.plus(x, l.D[j])
		}
		table = append(table, v)
	}
	return table
}

// Ints returns the table of a layout with integer strides; it panics if a stride is not an integer.
func (l Layout) Ints() []int64 {
	if !l.IsInt() {
		panic(fmt.Sprintf("oracle: the strides %v are not integers", l.D))
	}
	d := Numbers(l.D)
	var table []int64
	for _, c := range Coords(l.S) {
		sum := int64(0)
		for j, x := range c {
			sum += x * d[j]
		}
		table = append(table, sum)
	}
	return table
}

// Numbers returns offsets as integers; it panics if an offset is not an integer.
func Numbers(offsets []Vector) []int64 {
	var out []int64
	for _, v := range offsets {
		if len(v) > 1 || (len(v) == 1 && v[""] == 0) {
			panic(fmt.Sprintf("oracle: the offset %v is not an integer", v))
		}
		out = append(out, v[""])
	}
	return out
}

// digits returns the coordinate of the integer i in the extents s as C++ computes it: remainders and quotients truncate
// toward zero, and the last digit is not reduced.
func digits(i int64, s []int64) []int64 {
	out := make([]int64, len(s))
	for j := range s {
		if j == len(s)-1 {
			out[j] = i
			break
		}
		out[j] = i % s[j]
		i /= s[j]
	}
	return out
}

// Index returns the offset of any integer i, inside the size or not.
func (l Layout) Index(i int64) Vector {
	v := Vector{}
	for j, x := range digits(i, l.S) {
		v = v.plus(x, l.D[j])
	}
	return v
}

// Natural returns the leaves of the coordinate c from left to right, and whether c is a coordinate of the shape. An
// integer for a whole mode is split into the leaves of the mode.
func (t Tree) Natural(c Tree) ([]int64, bool) {
	if c.IsLeaf {
		return digits(c.Int(), Numbers(t.Leaves())), true
	}
	if t.IsLeaf || len(t.Modes) != len(c.Modes) {
		return nil, false
	}
	var out []int64
	for i, m := range t.Modes {
		part, ok := m.Natural(c.Modes[i])
		if !ok {
			return nil, false
		}
		out = append(out, part...)
	}
	return out, true
}

// Eval returns the offset of the coordinate c, and whether c is a coordinate of l.
func (l Layout) Eval(c Tree) (Vector, bool) {
	natural, ok := l.Shape.Natural(c)
	v := Vector{}
	for j, x := range natural {
		v = v.plus(x, l.D[j])
	}
	return v, ok
}

// Mode returns the layout of mode i.
func (l Layout) Mode(i int) Layout {
	if l.Shape.IsLeaf {
		return l
	}
	lo := 0
	for _, m := range l.Shape.Modes[:i] {
		lo += len(m.Leaves())
	}
	hi := lo + len(l.Shape.Modes[i].Leaves())
	return Layout{Shape: l.Shape.Modes[i], S: l.S[lo:hi], D: l.D[lo:hi]}
}

// Rank returns the number of top-level modes.
func (l Layout) Rank() int {
	if l.Shape.IsLeaf {
		return 1
	}
	return len(l.Shape.Modes)
}

// at returns the layout of the mode at the axis: "@1@0" is mode 1 of mode 0.
func (l Layout) at(axis string) (Layout, bool) {
	steps := strings.Split(axis, "@")[1:]
	slices.Reverse(steps)
	for _, step := range steps {
		i, err := strconv.Atoi(step)
		if err != nil || l.Shape.IsLeaf || i >= len(l.Shape.Modes) {
			return Layout{}, false
		}
		l = l.Mode(i)
	}
	return l, true
}

// Apply returns l(x), and whether l has the modes of x. An integer x is an index; a coordinate applies mode by mode.
func (l Layout) Apply(x Vector) (Vector, bool) {
	v := Vector{}
	for axis, i := range x {
		m := l
		if axis != "" {
			var ok bool
			if m, ok = l.at(axis); !ok {
				return nil, false
			}
		}
		v = v.plus(1, m.Index(i))
	}
	return v, true
}

// Compose returns the values a(b(c)) for the coordinates c of b in colexicographic order, and whether a has the
// modes that b's strides address.
func Compose(a, b Layout) ([]Vector, bool) {
	for _, d := range b.D {
		for axis := range d {
			if _, ok := a.at(axis); !ok {
				return nil, false
			}
		}
	}
	var out []Vector
	for _, x := range b.Table() {
		v, ok := a.Apply(x)
		if !ok {
			return nil, false
		}
		out = append(out, v)
	}
	return out, true
}

// Along returns the leaves of l that move along the axis, with their steps along the axis as strides, without nesting.
func (l Layout) Along(axis string) Layout {
	var s, d []int64
	for j, v := range l.D {
		if x := v[axis]; x != 0 {
			s, d = append(s, l.S[j]), append(d, x)
		}
	}
	return Flat(s, d)
}

// Axes returns the axes of the leaves of the tuple t from left to right, and the integers at these leaves.
func (t Tree) Axes() (axes []string, leaves []int64) { return t.axes("") }

func (t Tree) axes(axis string) (axes []string, leaves []int64) {
	if t.IsLeaf {
		return []string{axis}, []int64{t.Int()}
	}
	for i, m := range t.Modes {
		a, x := m.axes("@" + strconv.Itoa(i) + axis)
		axes, leaves = append(axes, a...), append(leaves, x...)
	}
	return axes, leaves
}
