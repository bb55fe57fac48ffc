package oracle

import (
	"fmt"

	"girih/internal/ints"
)

// CheckUpcast returns an error unless r is l in elements n times as wide: all coordinates of l that form one coordinate
// of r are in the wide element that r names. This must hold for some place of offset 0 within its wide element. The
// place is 0 unless strides are negative.
func CheckUpcast(l, r Layout, n int64) error {
	if !r.Shape.Congruent(l.Shape) {
		return fmt.Errorf("the nesting changed")
	}
	for j, s := range l.S {
		if s%r.S[j] != 0 {
			return fmt.Errorf("the extent %d at leaf %d does not divide %d", r.S[j], j, s)
		}
	}
	return atSomePlace(l, n, func(base int64) error { return checkWide(l, r, n, base) })
}

// atSomePlace returns nil if check accepts a place of offset 0 within n: 0, or any place if strides of l are negative.
func atSomePlace(l Layout, n int64, check func(base int64) error) error {
	low := int64(0)
	for _, v := range l.D {
		low = min(low, v[""])
	}
	err := check(0)
	for base := int64(1); base < n && err != nil && low < 0; base++ {
		err = check(base)
	}
	return err
}

// checkWide checks the condition of CheckUpcast with offset 0 at the place base.
func checkWide(l, r Layout, n, base int64) error {
	for _, c := range Coords(l.S) {
		at, wide := Vector{}, Vector{}
		for j, x := range c {
			steps := l.S[j] / r.S[j] // the number of steps of l in one step of r
			at, wide = at.plus(x, l.D[j]), wide.plus(x/steps, r.D[j])
		}
		if got, want := wide[""], ints.FloorDiv(at[""]+base, n); got != want {
			return fmt.Errorf("the coordinate %v has the offset %d, in the wide element %d, said to be %d", c, at[""], want, got)
		}
	}
	return nil
}

// CheckDowncast returns an error unless r is l in elements of 1/n of the width: one mode has n times its extent in l,
// and the n coordinates of r for one element of l have the n offsets of its parts. This must hold for some place of
// offset 0 among the parts: the first, or any if strides are negative.
func CheckDowncast(l, r Layout, n int64) error {
	if !r.Shape.Congruent(l.Shape) {
		return fmt.Errorf("the nesting changed")
	}
	found := n <= 1 // whether the mode with the parts was found
	for j, s := range l.S {
		switch {
		case r.S[j] == s*n && !found:
			found = true
		case r.S[j] != s:
			return fmt.Errorf("leaf %d has the extent %d, want %d", j, r.S[j], s)
		}
	}
	if !found {
		return fmt.Errorf("no mode has %d times its extent", n)
	}
	return atSomePlace(l, n, func(base int64) error { return checkParts(l, r, n, base) })
}

// checkParts checks the condition of CheckDowncast with offset 0 at the place base.
func checkParts(l, r Layout, n, base int64) error {
	for _, c := range Coords(l.S) {
		offset := Vector{}
		for j, x := range c {
			offset = offset.plus(x, l.D[j])
		}
		seen := map[int64]bool{}
		for part := range n {
			narrow := Vector{}
			for j, x := range c {
				if r.S[j] != l.S[j] { // this is the mode with the parts
					x = x*n + part
				}
				narrow = narrow.plus(x, r.D[j])
			}
			p := narrow[""] + base - n*offset[""]
			if p < 0 || p >= n || seen[p] {
				return fmt.Errorf("part %d of the coordinate %v, at %d, has the offset %d", part, c, offset[""], narrow[""])
			}
			seen[p] = true
		}
	}
	return nil
}
