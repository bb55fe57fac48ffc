package explain

import (
	"fmt"

	"girih"
)

// mostChecked is the number of indices at which a result is compared with its definition.
const mostChecked = 1024

// checkedIndices returns the indices below size at which a check looks: all of them, or mostChecked spread evenly with
// the last one among them.
func checkedIndices(size int64) []int64 {
	n := min(size, mostChecked)
	out := make([]int64, n)
	if n == size {
		for i := range out {
			out[i] = int64(i)
		}
		return out
	}
	step := (size - 1) / (n - 1)
	for i := range out {
		out[i] = int64(i) * step
	}
	out[n-1] = size - 1
	return out
}

// atAll says at how many of the indices below size a check looked.
func atAll(size int64) string {
	switch {
	case size == 1:
		return "at the only index"
	case size <= mostChecked:
		return fmt.Sprintf("at all %d indices", size)
	}
	return fmt.Sprintf("at %d of %d indices, the last one among them", mostChecked, size)
}

// holdsAt reports whether f holds at every index that a check of size looks at.
func holdsAt(size int64, f func(i int64) bool) bool {
	for _, i := range checkedIndices(size) {
		if !f(i) {
			return false
		}
	}
	return true
}

// at returns the value of a layout at an index or a coordinate, of integer or coordinate strides.
func at(l girih.Layout, c girih.Tuple) (girih.Tuple, bool) {
	v, err := l.Eval(c)
	return v, err == nil
}

// values returns the values of a layout at the first n indices, as text.
func values(l girih.Layout, n int64) string {
	n = min(n, l.Size())
	text := ""
	for i := range n {
		v, ok := at(l, girih.Int(i))
		if !ok {
			break
		}
		if i > 0 {
			text += " "
		}
		text += v.String()
	}
	if n < l.Size() {
		text += " ..."
	}
	return text
}
