package svg_test

import (
	"io"
	"strconv"
	"testing"

	"girih/internal/picture/svg"
)

func itoa(i int) string { return strconv.Itoa(i) }

func key(i, j int) string { return "t" + itoa(i) + "v" + itoa(j) }

// A thread-value picture of 128 x 128 cells, two lines of text in each: 49,152 shapes.
func BenchmarkWrite128(b *testing.B) {
	s := grid(128)
	b.SetBytes(int64(len(svg.Append(nil, s))))
	for b.Loop() {
		if err := svg.Write(io.Discard, s); err != nil {
			b.Fatal(err)
		}
	}
}
