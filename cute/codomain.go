package cute

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
)

// This file adds coordinate strides to integer ones. A stride such as 2@1 or 1@1@0 points along an axis of a
// tuple-valued codomain (CuTe's ScaledBasis, include/cute/numeric/arithmetic_tuple.hpp). A tuple with such leaves
// stores, for each leaf, one number per axis of its codomain: a vector in Z^k. Every algorithm runs over k planes of
// numbers. Plain integers are the case k = 1, so each algorithm is implemented once.

// MaxAxisPath is the largest index in the path of a coordinate stride, and the greatest length of a path.
const MaxAxisPath = 63

// A codomain lists the axes that a tuple's leaves use, as paths into the coordinates that the leaves produce. The
// codomain of integers is nil. A codomain is immutable and shared.
type codomain struct {
	paths [][]int // the paths in lexicographic order; none is a prefix of another
	prof  string  // the profile of the coordinate; positions without an axis are leaves that are always 0
	leaf  []int   // leaf[a] is the place of axis a among the leaves of prof
}

// axes returns the number of planes: 1 for integers.
func (c *codomain) axes() int {
	if c == nil {
		return 1
	}
	return len(c.paths)
}

// equalCodomains compares by value: two codomains with the same axes are equal.
func equalCodomains(a, b *codomain) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || len(a.paths) != len(b.paths) {
		return false
	}
	return slices.EqualFunc(a.paths, b.paths, slices.Equal[[]int])
}

// newCodomain builds the codomain of the given axes, which need not be sorted or distinct.
func newCodomain(paths [][]int) (*codomain, error) {
	paths = slices.Clone(paths)
	sort.Slice(paths, func(i, j int) bool { return slices.Compare(paths[i], paths[j]) < 0 })
	paths = slices.CompactFunc(paths, slices.Equal[[]int])
	if len(paths) == 0 {
		return nil, nil
	}
	for i, p := range paths {
		if len(p) == 0 || len(p) > MaxAxisPath {
			return nil, errorf(CodeCodomain, "", "an axis has a path of 1 to %d numbers, found %d", MaxAxisPath, len(p))
		}
		for _, x := range p {
			if x < 0 || x > MaxAxisPath {
				return nil, errorf(CodeCodomain, "", "an axis number is between 0 and %d, found %d", MaxAxisPath, x)
			}
		}
		if i > 0 && len(paths[i-1]) < len(p) && slices.Equal(paths[i-1], p[:len(paths[i-1])]) {
			return nil, errorf(CodeCodomain, "",
				"axis %s is inside axis %s: coordinates of different depth do not add", axisText(p), axisText(paths[i-1]))
		}
	}
	c := &codomain{paths: paths}
	var b []byte
	b, _ = c.build(b, paths, 0, 0)
	c.prof = internProfile(b)
	return c, nil
}

// build appends the profile of the coordinate that contains the paths, which are equal up to depth.
func (c *codomain) build(b []byte, paths [][]int, depth, leaves int) ([]byte, int) {
	if len(paths) == 1 && len(paths[0]) == depth {
		c.leaf = append(c.leaf, leaves)
		return append(b, '.'), leaves + 1
	}
	b = append(b, '(')
	last := paths[len(paths)-1][depth]
	for x := 0; x <= last; x++ {
		end := 0
		for end < len(paths) && paths[end][depth] == x {
			end++
		}
		if end == 0 {
			b, leaves = append(b, '.'), leaves+1
			continue
		}
		b, leaves = c.build(b, paths[:end], depth+1, leaves)
		paths = paths[end:]
	}
	return append(b, ')'), leaves
}

// axisText spells a path the way CuTe prints it, innermost number first: [0 1] is "@1@0".
func axisText(path []int) string {
	return string(appendAxis(nil, path))
}

func appendAxis(b []byte, path []int) []byte {
	for i := len(path) - 1; i >= 0; i-- {
		b = append(b, '@')
		b = strconv.AppendInt(b, int64(path[i]), 10)
	}
	return b
}

// appendVector appends the text of one leaf: "3", "2@1", "1@0+2@1", "0".
func appendVector(b []byte, x []int64, c *codomain) []byte {
	if c == nil {
		return strconv.AppendInt(b, x[0], 10)
	}
	terms := 0
	for a, v := range x {
		if v == 0 {
			continue
		}
		if terms > 0 && v > 0 {
			b = append(b, '+')
		}
		b = strconv.AppendInt(b, v, 10)
		b = appendAxis(b, c.paths[a])
		terms++
	}
	if terms == 0 {
		b = append(b, '0')
	}
	return b
}

// isZero reports whether a leaf vector is 0 on every axis.
func isZero(x []int64) bool {
	for _, v := range x {
		if v != 0 {
			return false
		}
	}
	return true
}

// unifyCodomains returns the codomain with the axes of both. Integers unify with coordinates only if all integers are
// 0; the caller checks this with rebase.
func unifyCodomains(a, b *codomain) (*codomain, error) {
	if equalCodomains(a, b) || b == nil {
		return a, nil
	}
	if a == nil {
		return b, nil
	}
	return newCodomain(slices.Concat(a.paths, b.paths))
}

// rebase appends the leaf vectors x, over the axes of from, as vectors over the axes of to.
// It fails if a nonzero integer would have to become a coordinate.
func rebase(dst, x []int64, from, to *codomain) ([]int64, error) {
	if equalCodomains(from, to) {
		return append(dst, x...), nil
	}
	if from == nil {
		for _, v := range x {
			if v != 0 {
				return nil, &Error{
					Code: CodeCodomain,
					Msg:  fmt.Sprintf("the integer %d and the coordinates along %s do not add", v, axisText(to.paths[0])),
					Hint: "write every nonzero stride of a coordinate layout with its axis, as 1@0",
				}
			}
			dst = append(dst, make([]int64, to.axes())...)
		}
		return dst, nil
	}
	place := make([]int, len(from.paths))
	for a, p := range from.paths {
		place[a], _ = slices.BinarySearchFunc(to.paths, p, slices.Compare[[]int])
	}
	k := len(from.paths)
	for ; len(x) > 0; x = x[k:] {
		at := len(dst)
		dst = append(dst, make([]int64, to.axes())...)
		for a, v := range x[:k] {
			dst[at+place[a]] = v
		}
	}
	return dst, nil
}

// trimAxes drops the axes along which every vector of x is 0, so that equal tuples have equal representations. It
// returns x itself if there are no such axes.
func trimAxes(x []int64, c *codomain) ([]int64, *codomain) {
	if c == nil {
		return x, nil
	}
	k := len(c.paths)
	used := make([]bool, k)
	for i, v := range x {
		if v != 0 {
			used[i%k] = true
		}
	}
	var keep []int
	for a, u := range used {
		if u {
			keep = append(keep, a)
		}
	}
	if len(keep) == k {
		return x, c
	}
	if len(keep) == 0 {
		return make([]int64, len(x)/k), nil
	}
	paths := make([][]int, len(keep))
	for i, a := range keep {
		paths[i] = c.paths[a]
	}
	small, _ := newCodomain(paths) // a subset of legal axes is legal
	out := make([]int64, 0, len(x)/k*len(keep))
	for i := 0; i < len(x); i += k {
		for _, a := range keep {
			out = append(out, x[i+a])
		}
	}
	return out, small
}
