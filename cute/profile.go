package cute

import (
	"math/bits"
	"slices"
	"strings"
)

// A profile is the nesting of a tuple as text: one '.' for each leaf, parentheses for each tuple. The profile of
// ((4,8),(2,2,2)) is "((..)(...))". The profile of an integer is ".", of (8) it is "(.)", and of () it is "()". Two
// tuples are congruent exactly if their profiles are the same string, so profiles are shared and never changed. This
// file defines the functions that walk over profiles.

// profileLeaves returns the number of leaves.
func profileLeaves(p string) int {
	n := 0
	for i := range len(p) {
		if p[i] == '.' {
			n++
		}
	}
	return n
}

// profileEnd returns the end of the mode that starts at p[i].
func profileEnd(p string, i int) int {
	if p[i] != '(' { // a leaf, or an open leaf of a coordinate
		return i + 1
	}
	depth := 0
	for ; i < len(p); i++ {
		switch p[i] {
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// profileRank returns the number of top-level modes; a leaf counts as one, as in CuTe.
func profileRank(p string) int {
	if p == "." {
		return 1
	}
	n := 0
	for i := 1; i < len(p)-1; i = profileEnd(p, i) {
		n++
	}
	return n
}

// profileDepth returns the depth of the nesting: 0 for a leaf, 1 for a flat tuple.
func profileDepth(p string) int {
	depth, deepest := 0, 0
	for i := range len(p) {
		switch p[i] {
		case '(':
			depth++
			deepest = max(deepest, depth)
		case ')':
			depth--
		}
	}
	return deepest
}

// modeCursor walks over the top-level modes of a profile.
//
//	for m := modesOf(p); m.next(); { use m.prof, m.lo, m.hi }
type modeCursor struct {
	p      string
	at     int    // start of the next mode in p
	prof   string // profile of this mode
	lo, hi int    // its leaves are [lo, hi)
}

//go:noinline
func modesOf(p string) modeCursor {
	if p == "." {
		return modeCursor{p: p}
	}
	return modeCursor{p: p, at: 1}
}

func (m *modeCursor) next() bool {
	if m.at >= len(m.p) || m.p[m.at] == ')' {
		return false
	}
	end := profileEnd(m.p, m.at)
	m.prof = m.p[m.at:end]
	m.lo = m.hi
	m.hi += profileLeaves(m.prof)
	m.at = end
	return true
}

// flatProfiles holds "()", "(.)", "(..)", ...: flat results share their profile.
var flatProfiles = func() (ps [65]string) {
	for n := range ps {
		ps[n] = "(" + strings.Repeat(".", n) + ")"
	}
	return ps
}()

// flatProfile returns the profile of a flat tuple of n leaves.
//
//go:noinline
func flatProfile(n int) string {
	if n < len(flatProfiles) {
		return flatProfiles[n]
	}
	return "(" + strings.Repeat(".", n) + ")"
}

// unwrappedProfile is flatProfile, except that a single leaf has no parentheses: the profile of a coalesced layout.
func unwrappedProfile(n int) string {
	if n == 1 {
		return "."
	}
	return flatProfile(n)
}

// mostGrouped limits the number of leaves of the profiles in groupedProfiles.
const mostGrouped = 9

// groupedProfiles holds every profile of up to mostGrouped leaves in which each mode is a leaf or a flat group of at
// least two leaves. Nearly all results of compositions and divides have such a profile, which then costs no allocation.
// A profile of n leaves has the index 1<<(n-1), plus 1<<i for each leaf i that ends a mode but not the profile. The
// table is built once and only read afterwards.
var groupedProfiles = func() (ps [1 << mostGrouped]string) {
	// All profiles are cut from one text, so that starting the program does not cost hundreds of allocations.
	var text strings.Builder
	var ends [1 << mostGrouped]int
	for at := 1; at < len(ps); at++ {
		text.WriteByte('(')
		size := 0
		for i, n := 0, bits.Len(uint(at)); i < n; i++ {
			size++
			if i < n-1 && at>>i&1 == 0 {
				continue
			}
			if size == 1 {
				text.WriteByte('.')
			} else {
				text.WriteString(flatProfiles[size])
			}
			size = 0
		}
		text.WriteByte(')')
		ends[at] = text.Len()
	}
	for at := 1; at < len(ps); at++ {
		ps[at] = text.String()[ends[at-1]:ends[at]]
	}
	return ps
}()

// groupedProfile returns the profile of modes with the given numbers of leaves, or "" if groupedProfiles does not
// contain the profile.
func groupedProfile(counts []uint8) string {
	n, at := 0, 0
	for _, c := range counts {
		if n += int(c); n > mostGrouped {
			return ""
		}
		at |= 1 << (n - 1)
	}
	if n == 0 {
		return "()"
	}
	return groupedProfiles[at]
}

// internProfile returns b as a string, shared if groupedProfiles contains it.
func internProfile(b []byte) string {
	if len(b) == 1 {
		return "."
	}
	n, at, size, depth := 0, 0, 0, 0
	for _, c := range b[1 : len(b)-1] {
		switch c {
		case '.':
			n++
			size++
			if n > mostGrouped {
				return string(b)
			}
			if depth == 0 {
				at |= 1 << (n - 1)
				size = 0
			}
		case '(':
			if depth++; depth > 1 {
				return string(b)
			}
		case ')':
			if depth--; size < 2 {
				return string(b)
			}
			at |= 1 << (n - 1)
			size = 0
		default:
			return string(b) // the underscore of a Coord
		}
	}
	if n == 0 {
		return "()"
	}
	return groupedProfiles[at]
}

// joinProfiles returns the profile of a tuple of the given modes.
func joinProfiles(modes ...string) string {
	var buf [64]byte
	b := append(buf[:0], '(')
	for _, m := range modes {
		b = append(b, m...)
	}
	return internProfile(append(b, ')'))
}

// profileModes returns the profiles of the top-level modes.
func profileModes(p string) []string {
	var ms []string
	for m := modesOf(p); m.next(); {
		ms = append(ms, m.prof)
	}
	return ms
}

// weaklyCongruentProfiles reports whether p is q with some subtrees of q collapsed to leaves.
func weaklyCongruentProfiles(p, q string) bool {
	if p == "." {
		return true
	}
	if q == "." || profileRank(p) != profileRank(q) {
		return false
	}
	a, b := modesOf(p), modesOf(q)
	for a.next() && b.next() {
		if !weaklyCongruentProfiles(a.prof, b.prof) {
			return false
		}
	}
	return true
}

// groupProfile wraps the modes [begin, end) of p into one.
func groupProfile(p string, begin, end int) string {
	ms := profileModes(p)
	grouped := joinProfiles(ms[begin:end]...)
	return joinProfiles(slices.Concat(ms[:begin], []string{grouped}, ms[end:])...)
}
