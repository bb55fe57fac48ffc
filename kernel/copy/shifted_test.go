package copy_test

import (
	"fmt"
	"testing"

	"girih/internal/check/long"
	"girih/kernel/copy"
)

// TestShifted checks rows that begin anywhere: one, two and several tiles along them, short last tiles, rows that are
// shorter than a vector, and tiles of several rows of src.
func TestShifted(t *testing.T) {
	t.Parallel()
	i := 0
	for _, bytes := range []int64{1, 2, 4} {
		for _, n := range [][2]int64{{33, 65}, {64, 300}, {131, 257}, {70, 513}, {37, 95}, {9, 1030}, {100, 5}} {
			for _, o := range []copy.Options{{}, {Tile: 32, Vector: 4}} {
				o.Bytes, o.Way, o.SrcAlign, o.DstAlign = bytes, copy.Shifted, 256, 256
				a, b := n[0], n[1]
				src := []string{fmt.Sprintf("(%d,%d,2):(%d,1,%d)", b, a, a, a*b), fmt.Sprintf("(%d,5,%d):(%d,%d,1)", b, a, 5*a, a)}
				dst := []string{fmt.Sprintf("(%d,%d,2):(1,%d,%d)", b, a, b, a*b), fmt.Sprintf("(%d,5,%d):(1,%d,%d)", b, a, b, 5*b)}
				for j := range src {
					if i++; long.Skips(i, 3) {
						continue
					}
					c := pair{parse(t, src[j]), parse(t, dst[j]), o}
					p, err := copy.New(c.src, c.dst, o)
					if err != nil {
						t.Fatal(err)
					}
					d := p.Describe()
					if d.Way != copy.Shifted {
						t.Fatalf("another way: %v", p)
					}
					if j == 1 && o.Tile == 0 && a*bytes < 128 && d.Tile[1] == 1 {
						t.Errorf("short rows of src, and one in a tile: %v", p)
					}
					runs(t, p, c)
				}
			}
		}
	}
}

// TestWholeSectors checks that rows of odd lengths are written in whole sectors except at their ends, and without
// branches for single elements: a transpose in blocks writes 1.5 times as many.
func TestWholeSectors(t *testing.T) {
	t.Parallel()
	src, dst := parse(t, "(4095,130):(130,1)"), parse(t, "(4095,130):(1,4095)")
	p, err := copy.New(src, dst, copy.Options{Bytes: 2, Way: copy.Shifted})
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.Predict()
	if err != nil {
		t.Fatal(err)
	}
	const sectors = 130 * 4095 * 2 / 32
	if f.Stores.Sectors > sectors+sectors/50 {
		t.Errorf("%d sectors are written, for %d of data\n%v", f.Stores.Sectors, sectors, p)
	}
}
