package banks

import (
	"girih/cute"
)

// A Memory gives the places of a tensor's elements: a [cute.Layout] or a [cute.Composed] with integer offsets, in
// elements. Its coordinates are numbered colexicographically, the first mode fastest.
type Memory interface {
	// AppendOffsets appends the offsets of all coordinates.
	AppendOffsets(dst []int64) ([]int64, error)
	Shape() cute.Tuple
	Size() int64
	HasBasis() bool
	String() string
}

// offsetsOf returns the offsets of a memory, and refuses a memory whose values are coordinates.
func offsetsOf(mem Memory, dst []int64) ([]int64, error) {
	if mem.HasBasis() {
		return dst, refuse(cute.CodeCodomain, "compose it with the layout of the memory first",
			"the values of %v are coordinates, not offsets in memory", mem)
	}
	return mem.AppendOffsets(dst)
}

// modeSizes returns the sizes of the top-level modes of a shape; an integer is one mode.
func modeSizes(shape cute.Tuple) ([]int64, error) {
	if shape.IsInt() {
		x, _ := shape.Int64()
		return []int64{x}, nil
	}
	sizes := make([]int64, 0, shape.Rank())
	for _, m := range shape.Modes() {
		n, err := m.Product()
		if err != nil {
			return nil, err
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}
