package judge

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// This file evaluates a layout at the values of another layout, which may be coordinates.

// through returns the value of a at every value of b. A value of b is an index of a, or a coordinate: each entry of a
// coordinate is an index of the mode of a that its path names. through reports false if one path contains another path,
// or if a path does not name a mode.
func (b Mode) through(a Mode) ([]int64, bool) {
	paths := slices.Sorted(maps.Keys(b.paths(map[string]bool{})))
	sum := make([]int64, b.Leaves().Size())
	for _, path := range paths {
		part, ok := a.mode(path)
		if !ok || slices.ContainsFunc(paths, func(p string) bool { return p != path && strings.HasSuffix(p, path) }) {
			return nil, false
		}
		ls := part.Leaves()
		for i, x := range b.Along(path).Table() {
			sum[i] += ls.At(x)
		}
	}
	return sum, true
}

// mode returns the mode that a path such as @1@0 names: mode 1 of mode 0.
func (m Mode) mode(path string) (Mode, bool) {
	at := strings.Split(path, "@")
	for _, k := range slices.Backward(at[1:]) {
		i, err := strconv.Atoi(k)
		if err != nil || i >= len(m.Modes()) {
			return m, false
		}
		m = m.Modes()[i]
	}
	return m, true
}
