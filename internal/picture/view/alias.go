package view

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
)

// aliases reports for each index whether another index has the same value. It also returns a sentence about these
// aliases, "" if there are none.
func (f *field) aliases() ([]bool, string) {
	n := len(f.ints)
	if n == 0 {
		return nil, ""
	}
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	sort.Slice(order, func(i, j int) bool {
		a, b := order[i], order[j]
		return f.ints[a] < f.ints[b] || f.ints[a] == f.ints[b] && a < b
	})
	var flags []bool
	shared, first := 0, [2]int32{-1, -1}
	for i := 1; i < n; i++ {
		a, b := order[i-1], order[i]
		if f.ints[a] != f.ints[b] {
			continue
		}
		if flags == nil {
			flags = make([]bool, n)
		}
		if !flags[a] {
			shared++
			if first[0] < 0 || a < first[0] {
				first = [2]int32{a, b}
			}
		}
		flags[a], flags[b] = true, true
	}
	if flags == nil {
		return nil, ""
	}
	return flags, fmt.Sprintf("Aliases: %s held by more than one cell, first %d at %s and %s.",
		plural(shared, "offset is", "offsets are"), f.ints[first[0]], f.coord(int64(first[0])), f.coord(int64(first[1])))
}

// holes names the missing values between the least and the greatest value, or returns "".
func (f *field) holes() string {
	if len(f.ints) == 0 {
		return ""
	}
	sorted := slices.Clone(f.ints)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	lo, hi := sorted[0], sorted[len(sorted)-1]
	missing := uint64(hi) - uint64(lo) + 1 - uint64(len(sorted))
	if missing == 0 {
		return ""
	}
	at := lo
	for i := range sorted {
		if sorted[i] != lo+int64(i) {
			at = lo + int64(i)
			break
		}
	}
	if missing == 1 {
		return fmt.Sprintf("Holes: no cell has offset %d; the others from %d to %d are there.", at, lo, hi)
	}
	return fmt.Sprintf("Holes: %d of the offsets from %d to %d belong to no cell, the first is %d.", missing, lo, hi, at)
}

// plural returns "1 cell is" or "7 cells are".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
