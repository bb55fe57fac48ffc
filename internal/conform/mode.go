package conform

import (
	"strconv"
	"strings"
)

// This file reads layouts from text, apart from package girih: what the runner checks is not judged by the code
// that produced it.

// A mode is a layout as text spells it: a leaf of extent s and stride d, or a tuple of modes.
//
// A coordinate stride 3@1@0 has the coefficient d = 3 and the path "@1@0". Its steps are added up as the number
// d·code(path) modulo 2^64, a fingerprint of the coordinate: equal coordinates have equal ones, and different ones
// do not meet by accident.
type mode struct {
	s, d  int64
	path  string
	kids  []mode
	tuple bool
}

// readLayout returns the layout that text spells as shape:stride of the same nesting, the underscores of static
// integers dropped. It reports false for everything else.
func readLayout(text string) (mode, bool) {
	shape, stride, ok := strings.Cut(strip(text), ":")
	if !ok {
		return mode{}, false
	}
	s, rest, ok := readTree(shape)
	if !ok || rest != "" {
		return mode{}, false
	}
	d, rest, ok := readTree(stride)
	if !ok || rest != "" {
		return mode{}, false
	}
	return joinTrees(s, d)
}

// strip removes blanks, and the underscore before each integer.
func strip(text string) string {
	var b strings.Builder
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ' || c == '\t':
		case c == '_' && i+1 < len(text) && (text[i+1] == '-' || isDigit(text[i+1])):
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// readTree reads one nested tuple of integers, with paths, from the front of the text.
func readTree(text string) (t mode, rest string, ok bool) {
	if !strings.HasPrefix(text, "(") {
		return readInt(text)
	}
	t.tuple = true
	text = text[1:]
	if r, empty := strings.CutPrefix(text, ")"); empty {
		return t, r, true
	}
	for {
		var kid mode
		if kid, text, ok = readTree(text); !ok {
			return t, text, false
		}
		t.kids = append(t.kids, kid)
		if text == "" {
			return t, text, false
		}
		c := text[0]
		text = text[1:]
		switch c {
		case ')':
			return t, text, true
		case ',':
		default:
			return t, text, false
		}
	}
}

func readInt(text string) (t mode, rest string, ok bool) {
	n := 0
	if strings.HasPrefix(text, "-") {
		n++
	}
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	d, err := strconv.ParseInt(text[:n], 10, 64)
	if err != nil {
		return t, text, false
	}
	end := n
	for end < len(text) && (text[end] == '@' || isDigit(text[end])) {
		end++
	}
	return mode{s: d, path: text[n:end]}, text[end:], true
}

// joinTrees puts a shape and a stride together.
func joinTrees(s, d mode) (mode, bool) {
	if s.tuple != d.tuple || len(s.kids) != len(d.kids) || s.path != "" {
		return mode{}, false
	}
	m := mode{s: s.s, d: d.s, path: d.path, tuple: s.tuple}
	if !s.tuple && s.s < 1 {
		return mode{}, false
	}
	for i := range s.kids {
		kid, ok := joinTrees(s.kids[i], d.kids[i])
		if !ok {
			return mode{}, false
		}
		m.kids = append(m.kids, kid)
	}
	return m, true
}

// modes returns the top-level modes; a leaf has itself as its only one.
func (m mode) modes() []mode {
	if !m.tuple {
		return []mode{m}
	}
	return m.kids
}

// text returns the canonical text; with zero, every leaf of extent 1 has stride 0.
func (m mode) text(zero bool) string {
	var s, d strings.Builder
	m.write(&s, func(l mode) string { return strconv.FormatInt(l.s, 10) })
	m.write(&d, func(l mode) string {
		if l.d == 0 || zero && l.s == 1 {
			return "0"
		}
		return strconv.FormatInt(l.d, 10) + l.path
	})
	return s.String() + ":" + d.String()
}

func (m mode) write(b *strings.Builder, leaf func(mode) string) {
	if !m.tuple {
		b.WriteString(leaf(m))
		return
	}
	b.WriteByte('(')
	for i, k := range m.kids {
		if i > 0 {
			b.WriteByte(',')
		}
		k.write(b, leaf)
	}
	b.WriteByte(')')
}

// leaves returns the leaves from left to right.
func (m mode) leaves() leaves {
	if !m.tuple {
		return leaves{{m.s, m.d * code(m.path)}}
	}
	var ls leaves
	for _, k := range m.kids {
		ls = append(ls, k.leaves()...)
	}
	return ls
}

// along returns the leaves with the strides along one coordinate path only.
func (m mode) along(path string) leaves {
	if !m.tuple {
		if m.path != path {
			return leaves{{m.s, 0}}
		}
		return leaves{{m.s, m.d}}
	}
	var ls leaves
	for _, k := range m.kids {
		ls = append(ls, k.along(path)...)
	}
	return ls
}

// code returns the weight of a coordinate path: 1 for integers, a hash (FNV-1a, 64 bits) otherwise.
func code(path string) int64 {
	if path == "" {
		return 1
	}
	h := uint64(14695981039346656037)
	for i := range len(path) {
		h = (h ^ uint64(path[i])) * 1099511628211
	}
	return int64(h | 1)
}

// coalescesTo reports whether got is m with the leaves of some parts coalesced: they nest alike, and where they do not,
// a tuple of m is the same function as a leaf, or a shorter tuple of leaves, in got.
func (m mode) coalescesTo(got mode) bool {
	if m.tuple && got.tuple && len(m.kids) == len(got.kids) {
		all := true
		for i := range m.kids {
			all = all && m.kids[i].coalescesTo(got.kids[i])
		}
		if all {
			return true
		}
	}
	if !m.tuple && got.tuple || len(m.kids) == 1 {
		return false // (8) and 8 nest differently, and nothing is coalesced
	}
	return got.isCoalesced() && m.leaves().equal(got.leaves())
}

// isCoalesced reports whether m is a leaf or a flat tuple of leaves that no two neighbours of merge.
func (m mode) isCoalesced() bool {
	for _, k := range m.kids {
		if k.tuple {
			return false
		}
	}
	return len(m.kids) <= 1 || len(m.leaves().coalesce()) == len(m.kids)
}

// units returns the number of leaves of extent 1.
func (m mode) units() int {
	n := 0
	for _, l := range m.leaves() {
		if l.s == 1 {
			n++
		}
	}
	return n
}
