package indexmap

import (
	"slices"
	"strings"
)

// This file reads formulas within a longer text, for package reader, which looks for swizzles there.

// maxPrefix limits, in bytes, the text that is looked at for a formula.
const maxPrefix = 1 << 9

// Prefix reads the longest formula at the beginning of a text, without brackets around several results. n is the number
// of bytes that it takes. It returns nil if there is none.
func Prefix(text string) (m *Map, n int) {
	text = text[:min(len(text), maxPrefix)]
	if text == "" || !isLetter(text[0]) && !isDigit(text[0]) && strings.IndexByte("(-+~", text[0]) < 0 {
		return nil, 0
	}
	toks, err := scan(text, "#")
	if err != nil {
		text = text[:min(err.Offset, len(text))]
		if toks, err = scan(text, "#"); err != nil {
			return nil, 0
		}
	}
	m = &Map{names: names{open: true}}
	p := &parser{text: text, toks: toks, scope: scope{}, names: &m.names, first: true}
	f, err := p.formula(strengthIf)
	if err != nil || f.size > maxSize {
		return nil, 0
	}
	m.results, m.names.params = []*formula{f}, len(m.names.list)
	n = p.toks[p.at-1].end
	m.source = text[:n]
	return m, n
}

// Variable returns the name if the first result is just a variable.
func (m *Map) Variable() (name string, ok bool) {
	f := m.results[0]
	if f.op != opVariable {
		return "", false
	}
	return m.names.list[f.x], true
}

// Xor returns both operands of the first result, if it is an exclusive or.
func (m *Map) Xor() (x, y *Map, ok bool) {
	f := m.results[0]
	if f.op != opXor {
		return nil, nil, false
	}
	a, b := *m, *m
	a.results, b.results = f.args[:1], f.args[1:]
	return &a, &b, true
}

// Variables returns the names of the variables in the first result, each once.
func (m *Map) Variables() []string {
	var names []string
	for _, i := range m.results[0].variables(nil) {
		names = append(names, m.names.list[i])
	}
	return names
}

// variables appends the places of the variables in f, each once, in the order of the text.
func (f *formula) variables(places []int64) []int64 {
	if f.op == opVariable && !slices.Contains(places, f.x) {
		places = append(places, f.x)
	}
	for _, a := range f.args {
		places = a.variables(places)
	}
	return places
}

// Value returns the first result for variables with the given values, 0 if there is none. ok is false if it has no
// value.
func (m *Map) Value(values map[string]int64) (y int64, ok bool) {
	vars := make([]int64, len(m.names.list))
	for i, name := range m.names.list {
		vars[i] = values[name]
	}
	y, err := m.results[0].at(vars)
	return y, err == nil
}
