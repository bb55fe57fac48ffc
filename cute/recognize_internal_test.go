package cute

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// What the first entries of a table decide is what all of them do.
func TestRecognizeFirst(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	decided := 0
	for range 20000 {
		// The values of a layout, but for some.
		var table []int64
		n := int64(1)
		table = append(table, 0)
		for range 1 + random.IntN(4) {
			s, d := 1+random.Int64N(4), random.Int64N(9)
			for x := int64(1); x < s; x++ {
				for _, y := range table[:n] {
					table = append(table, y+x*d)
				}
			}
			n *= s
		}
		for range random.IntN(3) {
			table[random.Int64N(n)]++
		}
		table[0] = 0
		all, first := heapModes(64, 1), heapModes(64, 1)
		want, _ := all.recognize(table, caller{})
		bad, more, _ := first.recognizeFirst(table[:1+random.Int64N(n)], n, caller{})
		if more {
			continue
		}
		if decided++; !reflect.DeepEqual(bad, want) {
			t.Fatalf("%v: %v, want %v", table, bad, want)
		}
	}
	if decided < 1000 {
		t.Errorf("%d tables are decided", decided)
	}
}
