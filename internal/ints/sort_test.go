package ints_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"girih/internal/ints"
)

func numbers(n int, below int64) []int64 {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	xs := make([]int64, n)
	for i := range xs {
		xs[i] = random.Int64N(below) - below/2
	}
	return xs
}

func TestSort(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2, 1000, 1 << 14, 1<<14 + 1, 3 << 14, 100_001, 1 << 18} {
		for _, below := range []int64{1, 100, 1 << 60} {
			xs := numbers(n, below)
			want := slices.Clone(xs)
			slices.Sort(want)
			if err := ints.Sort(xs, nil); err != nil || !slices.Equal(xs, want) {
				t.Errorf("%d numbers below %d are not in order: %v", n, below, err)
			}
		}
	}
}

func TestTwice(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2, 3, 10, 1000, 1 << 17} {
		for _, below := range []int64{1, 100, 1 << 20, 1 << 60} {
			xs := numbers(n, below)
			wantI, wantJ := -1, -1
			first := map[int64]int{}
			for j, x := range xs {
				if i, ok := first[x]; ok {
					wantI, wantJ = i, j
					break
				}
				first[x] = j
			}
			if i, j, err := ints.Twice(xs, nil); err != nil || i != wantI || j != wantJ {
				t.Errorf("%d numbers below %d: %d and %d, %v, want %d and %d", n, below, i, j, err, wantI, wantJ)
			}
		}
	}
}

// An error of stop ends the work, whenever it comes.
func TestStopped(t *testing.T) {
	t.Parallel()
	late := errors.New("late")
	xs := make([]int64, 1<<18)
	for i := range xs {
		xs[i] = int64(i) << 20
	}
	for name, work := range map[string]func(stop func() error) error{
		"sort":  func(stop func() error) error { return ints.Sort(slices.Clone(xs), stop) },
		"twice": func(stop func() error) error { _, _, err := ints.Twice(xs, stop); return err },
	} {
		asked := 0
		if err := work(func() error { asked++; return nil }); err != nil || asked < 4 {
			t.Errorf("%s: asked %d times, %v", name, asked, err)
		}
		for last := range asked {
			n := 0
			err := work(func() error {
				if n++; n > last {
					return late
				}
				return nil
			})
			if err != late || n != last+1 {
				t.Errorf("%s goes on after question %d: %d, %v", name, last, n, err)
			}
		}
	}
}

func TestMissed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		xs   []int64
		want int64
	}{{nil, 0}, {[]int64{0}, 1}, {[]int64{2, -1, 0, 1 << 62, 1}, 3}, {[]int64{1, 2}, 0}, {[]int64{0, 0, 1}, 2}} {
		if got := ints.LeastMissing(c.xs); got != c.want {
			t.Errorf("missed in %v: %d, want %d", c.xs, got, c.want)
		}
	}
}
