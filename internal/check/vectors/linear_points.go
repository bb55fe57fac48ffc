package vectors

import (
	"fmt"
	"slices"
	"strings"

	"girih/linear"
)

// A pointMap is a layout as a function of flat inputs, with comparable values.
type pointMap[T comparable] func(x uint64) (T, error)

// samePoints reports whether two maps on inputs of the given number of bits agree at 0, at every power of two, and at
// the first maxLinearPoints inputs.
func samePoints[T comparable](bits int, f, g func(x uint64) (T, error)) bool {
	at := []uint64{0}
	for k := range bits {
		at = append(at, 1<<k)
	}
	for x := range uint64(maxLinearPoints) {
		if x>>bits == 0 {
			at = append(at, x)
		}
	}
	return !slices.ContainsFunc(at, func(x uint64) bool {
		a, errA := f(x)
		b, errB := g(x)
		return errA != nil || errB != nil || a != b
	})
}

// through returns the map that applies f and then g to flat inputs.
func through(f, g linear.Layout) pointMap[uint64] {
	return func(x uint64) (uint64, error) {
		y, err := f.Flat(x)
		if err != nil {
			return 0, err
		}
		return g.Flat(y)
	}
}

// byName returns the map from flat inputs to the named outputs of a layout, ordered by name.
func byName(l linear.Layout) pointMap[string] {
	return func(x uint64) (string, error) {
		values, err := l.At(splitIndex(l.InDims(), x)...)
		if err != nil {
			return "", err
		}
		return namedText(l.OutDims(), values), nil
	}
}

// thenByName returns the map that applies f and then g, matching coordinates by name.
func thenByName(f, g linear.Layout) pointMap[string] {
	return func(x uint64) (string, error) {
		values, err := f.At(splitIndex(f.InDims(), x)...)
		if err != nil {
			return "", err
		}
		coords := make([]linear.Coord, len(values))
		for i, d := range f.OutDims() {
			coords[i] = linear.Coord{Name: d.Name, Value: values[i]}
		}
		out, err := g.Apply(coords)
		if err != nil {
			return "", err
		}
		values = values[:0]
		for _, c := range out {
			values = append(values, c.Value)
		}
		return namedText(g.OutDims(), values), nil
	}
}

// splitIndex returns the coordinates of a flat index, with the first dimension fastest.
func splitIndex(dims []linear.Dim, x uint64) []int64 {
	coords := make([]int64, len(dims))
	for i, d := range dims {
		coords[i] = int64(x % uint64(d.Size))
		x /= uint64(d.Size)
	}
	return coords
}

func namedText(dims []linear.Dim, values []int64) string {
	parts := make([]string, len(dims))
	for i, d := range dims {
		parts[i] = fmt.Sprintf("%s=%d", d.Name, values[i])
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// sameByName reports whether two layouts are equal except for the order of their dimensions.
func sameByName(a, b linear.Layout) bool {
	names := func(dims []linear.Dim) []string {
		out := make([]string, len(dims))
		for i, d := range dims {
			out[i] = d.Name
		}
		return out
	}
	b, err := b.TransposeIns(names(a.InDims())...)
	if err == nil {
		b, err = b.TransposeOuts(names(a.OutDims())...)
	}
	return err == nil && a.Equal(b)
}
