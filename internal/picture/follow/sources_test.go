package follow_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/dtype"
	"girih/examples"
)

// TestSourcesOf compares what elements of outputs are computed of with the formulas of the kernels: a row of a
// softmax, a prefix of a scan, a row of A and a row of B, and for attention a row of Q, K as a whole, and a column of
// V.
func TestSourcesOf(t *testing.T) {
	halves := examples.Options{Tile: []int64{64, 64, 32}, Sum: dtype.F16}
	for _, x := range []struct {
		trial
		place string
		at    []int64
		want  string
	}{
		{trials[8], "y", []int64{1, 2}, "70 elements of x: (1,0-69)"},
		{
			trial{"softmax", map[string]int64{"m": 2, "n": 300}, examples.Options{Type: dtype.F16}},
			"y",
			[]int64{0, 299},
			"300 elements of x: (0,0-299)",
		},
		{trials[6], "b", []int64{7, 20}, "1 elements of a: (20,7)"},
		{trials[2], "C", []int64{17, 40}, "64 elements of A: (17,0-63); 64 elements of B: (40,0-63)"},
		{
			trial{"sgemm_sm80", map[string]int64{"m": 64, "n": 64, "k": 64}, halves},
			"C",
			[]int64{17, 41},
			"64 elements of A: (17,0-63); 64 elements of B: (41,0-63)",
		},
		{trials[4], "C", []int64{100, 3}, "128 elements of A: (100,0-127); 128 elements of B: (3,0-127)"},
		{
			trials[9], "O",
			[]int64{9, 70},
			"128 elements of Q: (9,0-127); 8192 elements of K: (0-63,0-127); 64 elements of V: (0-63,70)",
		},
		{trials[9], "Q", []int64{0, 0}, ""},
	} {
		t.Run(fmt.Sprint(x.name, x.at), func(t *testing.T) {
			t.Parallel()
			d := x.do(t)
			place, cells := d.model.Find(x.place, x.at)
			if len(cells) != 1 {
				t.Fatalf("%s%v has %d cells", x.place, x.at, len(cells))
			}
			list, ok := d.model.SourcesOf(d.rec, place, cells[0])
			var got []string
			for i := range list {
				got = append(got, list[i].String(&d.model))
			}
			if strings.Join(got, "; ") != x.want || ok != (x.want != "") {
				t.Errorf("%s%v is computed of %v %s, expected %s", x.place, x.at, ok, strings.Join(got, "; "), x.want)
			}
		})
	}
}

// TestSourcesByChange changes each element of a small input, and compares which elements of the output change with what
// they are said to be computed of.
func TestSourcesByChange(t *testing.T) {
	t.Parallel()
	x := trial{"softmax", map[string]int64{"m": 2, "n": 40}, examples.Options{}}
	d := x.do(t)
	place, _ := d.model.Find("y", []int64{0, 0})
	for _, at := range [][2]int64{{0, 0}, {1, 39}} {
		_, cells := d.model.Find("y", at[:])
		list, ok := d.model.SourcesOf(d.rec, place, cells[0])
		if !ok || len(list) != 1 {
			t.Fatal(list, ok)
		}
		for i := range d.start["x"] {
			changed := x.changed(t, "x", i)["y"][cells[0]] != d.end["y"][cells[0]]
			if said := inBoxes(list[0].Boxes, int64(i)/40, int64(i)%40); said != changed {
				t.Errorf("x[%d] changes y%v: %v, said %v", i, at, changed, said)
			}
		}
	}
}

func inBoxes(boxes [][4]int64, row, col int64) bool {
	for _, b := range boxes {
		if b[0] <= row && row <= b[1] && b[2] <= col && col <= b[3] {
			return true
		}
	}
	return false
}
