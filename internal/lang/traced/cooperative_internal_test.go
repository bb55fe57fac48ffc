package traced

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"girih/cute"
)

// TestCooperate compares the elements of each thread with CuTe's, and each element is copied once.
func TestCooperate(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/cooperative_copy.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for line := range strings.Lines(string(data)) {
		var bits, threads, most int64
		var layouts [2]string
		var flags [4]int
		var owners string
		_, err := fmt.Sscanf(line, "%d %d %d %s %d %d %s %d %d %s", &bits, &threads, &most, &layouts[0], &flags[0], &flags[1],
			&layouts[1], &flags[2], &flags[3], &owners)
		if err != nil {
			continue // a comment
		}
		cases++
		var of [2]cooperator
		for i, text := range layouts {
			of[i] = cooperator{cute.MustParse(text), flags[2*i] == 1, flags[2*i+1] == 1}
		}
		x, err := cooperate(of, bits, threads, most)
		if err != nil {
			t.Errorf("%s%v", line, err)
			continue
		}
		compareOwners(t, line, of, x, strings.Split(owners, ","))
	}
	if cases < 50 {
		t.Errorf("there are only %d cases", cases)
	}
}

// compareOwners compares the threads that copy the elements.
func compareOwners(t *testing.T, line string, of [2]cooperator, x cooperation, owners []string) {
	t.Helper()
	got := make([]int64, len(owners))
	for i := range got {
		got[i] = -1
	}
	vectors, first := x.parts[0].Modes()[0].Size(), x.count%x.threads
	for i := range x.parts[0].Size() {
		part := i / vectors % x.count
		thread := part
		if part >= first {
			thread = (part - first) % x.threads
		}
		element := indexAt(t, of[0].layout, x.parts[0], i)
		if other := indexAt(t, of[1].layout, x.parts[1], i); other != element || got[element] >= 0 {
			t.Errorf("%selement %d of the source goes to element %d, or was copied before", line, element, other)
			return
		}
		got[element] = thread
	}
	for i, want := range owners {
		if n, err := strconv.ParseInt(want, 10, 64); err != nil || n >= 0 && n != got[i] {
			t.Errorf("%selement %d is of thread %d, expected %s", line, i, got[i], want)
			return
		}
	}
}

// indexAt returns the index under a layout of the place that index i of its parts has.
func indexAt(t *testing.T, whole, parts cute.Layout, i int64) int64 {
	t.Helper()
	at, err := parts.At(i)
	if err != nil {
		t.Fatal(err)
	}
	for j := range whole.Size() {
		if x, err := whole.At(j); err == nil && x == at {
			return j
		}
	}
	t.Fatalf("%v has no element at %d", whole, at)
	return 0
}
