package svg_test

import (
	"strconv"
	"testing"

	"girih/internal/picture/svg"
)

func itoa(i int) string { return strconv.Itoa(i) }

func key(i, j int) string { return "t" + itoa(i) + "v" + itoa(j) }

// A thread-value picture of 128 x 128 cells with two lines of text in each: 49,152 shapes.
func BenchmarkAppend128(b *testing.B) {
	s := grid(128)
	page := svg.Append(nil, s)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		page = svg.Append(page[:0], s)
	}
}
