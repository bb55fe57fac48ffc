package codegen

import (
	"fmt"
	"strconv"
	"strings"
)

// This file writes the canonical text of girih, and the text in the quotes of MLIR's types. The two texts differ only
// in how they write swizzles, tiles and dynamic integers.

// A textWriter writes text without spaces.
type textWriter struct {
	strings.Builder
	number func(x number, least int) string // writes an integer, in parentheses if it binds less tightly than least
}

// girihText returns the canonical text of a value. An integer in a tile stays an integer.
func girihText(n node) string {
	w := &textWriter{number: notation}
	w.node(n, "Sw")
	return w.String()
}

// leafText returns the canonical text of a leaf.
func leafText(leaf tree) string { return girihText(tuple{leaf}) }

// notation writes an integer as its formula, or as its name and facts: 4, 8*T, K{div=8}, ?{i64 div=8}.
func notation(x number, least int) string {
	if x.formula == nil {
		return strconv.FormatInt(x.static, 10)
	}
	text := speaker{girihExpr, symbolName}.text(x.formula, least)
	if _, named := x.formula.(symbol); named {
		text += x.facts.braces()
	}
	return text
}

func symbolName(s symbol) string {
	if s == "" {
		return "?"
	}
	return string(s)
}

// braces returns the facts as the CuTe DSL prints them: {i64 div=8}. It leaves out a width of 32 bits.
func (f facts) braces() string {
	var parts []string
	if f.bits != 0 && f.bits != 32 {
		parts = append(parts, fmt.Sprintf("i%d", f.bits))
	}
	if f.div > 1 {
		parts = append(parts, fmt.Sprintf("div=%d", f.div))
	}
	if parts == nil {
		return ""
	}
	return "{" + strings.Join(parts, " ") + "}"
}

// node writes a value. The names of swizzles in it begin with sw.
func (w *textWriter) node(n node, sw string) {
	switch n := n.(type) {
	case tuple:
		w.tree(n.tree)
	case layout:
		w.tree(n.shape)
		w.WriteByte(':')
		w.tree(n.stride)
	case swizzle:
		fmt.Fprintf(w, "%s<%d,%d,%d>", sw, n.b, n.m, n.s)
	case composed:
		for _, s := range n.stages {
			w.node(s.outer, sw)
			w.WriteString(" o ")
			w.tree(s.offset)
			w.WriteString(" o ")
		}
		w.node(n.inner, sw)
	case keep:
		w.WriteByte('_')
	case tile:
		w.nodes('<', n, '>', sw)
	case list:
		w.nodes('{', n, '}', sw)
	}
}

func (w *textWriter) nodes(begin byte, ns []node, end byte, sw string) {
	w.WriteByte(begin)
	for i, n := range ns {
		if i > 0 {
			w.WriteByte(',')
		}
		w.node(n, sw)
	}
	w.WriteByte(end)
}

func (w *textWriter) tree(t tree) {
	switch t := t.(type) {
	case number:
		w.WriteString(w.number(t, levelAdd))
	case sum:
		for i, t := range t {
			text := w.number(t.scale, levelAtom)
			if i > 0 && text[0] != '-' {
				w.WriteByte('+')
			}
			w.WriteString(text)
			for _, p := range reverse(t.path) { // the innermost index first
				fmt.Fprintf(w, "@%d", p)
			}
		}
	case open:
		w.WriteByte('_')
	case branch:
		w.WriteByte('(')
		for i, e := range t {
			if i > 0 {
				w.WriteByte(',')
			}
			w.tree(e)
		}
		w.WriteByte(')')
	}
}

func reverse(path []int) []int {
	out := make([]int, len(path))
	for i, p := range path {
		out[len(path)-1-i] = p
	}
	return out
}
