package judge

import (
	"strconv"
	"strings"
)

// This file reads layouts from text without package cute, so that an answer is not judged by the code that produced it.

// A Mode is a layout with the nesting of its text: a leaf with extent S and stride D, or a tuple of modes.
//
// A coordinate stride 3@1@0 has the coefficient D = 3 and the path "@1@0". Its value is the number D·code(path) modulo
// 2^64, a fingerprint of the coordinate: equal coordinates have equal fingerprints, and different coordinates almost
// certainly have different fingerprints.
type Mode struct {
	S, D  int64
	Path  string
	Kids  []Mode
	Tuple bool
}

// ReadLayout reads a layout as shape:stride, where shape and stride have the same nesting. It ignores the underscores
// of static integers, and reports false for other text.
func ReadLayout(text string) (Mode, bool) {
	shape, stride, ok := strings.Cut(Strip(text), ":")
	if !ok {
		return Mode{}, false
	}
	s, rest, ok := ReadTree(shape)
	if !ok || rest != "" {
		return Mode{}, false
	}
	d, rest, ok := ReadTree(stride)
	if !ok || rest != "" {
		return Mode{}, false
	}
	return joinTrees(s, d)
}

// Strip removes blanks, and the underscore before each integer.
func Strip(text string) string {
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

// ReadTree reads a nested tuple of integers, each with an optional path, from the beginning of the text.
func ReadTree(text string) (t Mode, rest string, ok bool) {
	if !strings.HasPrefix(text, "(") {
		return readInt(text)
	}
	t.Tuple = true
	text = text[1:]
	if r, empty := strings.CutPrefix(text, ")"); empty {
		return t, r, true
	}
	for {
		var kid Mode
		if kid, text, ok = ReadTree(text); !ok {
			return t, text, false
		}
		t.Kids = append(t.Kids, kid)
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

func readInt(text string) (t Mode, rest string, ok bool) {
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
	return Mode{S: d, Path: text[n:end]}, text[end:], true
}

// joinTrees makes a layout from a shape and a stride.
func joinTrees(s, d Mode) (Mode, bool) {
	if s.Tuple != d.Tuple || len(s.Kids) != len(d.Kids) || s.Path != "" {
		return Mode{}, false
	}
	m := Mode{S: s.S, D: d.S, Path: d.Path, Tuple: s.Tuple}
	if !s.Tuple && s.S < 1 {
		return Mode{}, false
	}
	for i := range s.Kids {
		kid, ok := joinTrees(s.Kids[i], d.Kids[i])
		if !ok {
			return Mode{}, false
		}
		m.Kids = append(m.Kids, kid)
	}
	return m, true
}

// Modes returns the top-level modes. A leaf has one mode: itself.
func (m Mode) Modes() []Mode {
	if !m.Tuple {
		return []Mode{m}
	}
	return m.Kids
}

// String returns the canonical text.
func (m Mode) String() string {
	var s, d strings.Builder
	m.write(&s, func(l Mode) string { return strconv.FormatInt(l.S, 10) })
	m.write(&d, func(l Mode) string {
		if l.D == 0 {
			return "0"
		}
		return strconv.FormatInt(l.D, 10) + l.Path
	})
	return s.String() + ":" + d.String()
}

func (m Mode) write(b *strings.Builder, leaf func(Mode) string) {
	if !m.Tuple {
		b.WriteString(leaf(m))
		return
	}
	b.WriteByte('(')
	for i, k := range m.Kids {
		if i > 0 {
			b.WriteByte(',')
		}
		k.write(b, leaf)
	}
	b.WriteByte(')')
}

// Leaves returns the leaves from left to right.
func (m Mode) Leaves() Leaves {
	if !m.Tuple {
		return Leaves{{m.S, m.D * code(m.Path)}}
	}
	var ls Leaves
	for _, k := range m.Kids {
		ls = append(ls, k.Leaves()...)
	}
	return ls
}

// Along returns the leaves with their strides along one coordinate path; all other strides become 0.
func (m Mode) Along(path string) Leaves {
	if !m.Tuple {
		if m.Path != path {
			return Leaves{{m.S, 0}}
		}
		return Leaves{{m.S, m.D}}
	}
	var ls Leaves
	for _, k := range m.Kids {
		ls = append(ls, k.Along(path)...)
	}
	return ls
}

// code returns the weight of a coordinate path: 1 for the empty path of integers, a hash (FNV-1a, 64 bits) for any
// other path.
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

// SplitTop splits a text at the separators outside brackets, and trims the parts.
func SplitTop(text string, sep byte) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(' || c == '<' || c == '[':
			depth++
		case c == ')' || c == '>' || c == ']':
			depth--
		case c == sep && depth == 0:
			parts = append(parts, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	return append(parts, strings.TrimSpace(text[start:]))
}
