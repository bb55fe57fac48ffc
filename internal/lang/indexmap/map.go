package indexmap

import (
	"fmt"
	"slices"
	"strings"
)

// This file has what callers ask of a map.

// String returns the text of the map, on one line unless it is a def of several lines.
func (m *Map) String() string { return m.source }

// Params returns the names of the parameters: of a formula alone its variables, in order of appearance. A parameter
// that is a coordinate has its name only.
func (m *Map) Params() []string {
	if m.names.parts {
		name, _, _ := strings.Cut(m.names.list[0], "[")
		return []string{name}
	}
	return slices.Clone(m.names.list[:m.names.params])
}

// TakesCoordinate reports whether the only parameter is a coordinate; the map uses parts of it, such as c[1].
func (m *Map) TakesCoordinate() bool { return m.names.parts }

// IsFormula reports whether the map is a formula alone, whose variables are its parameters.
func (m *Map) IsFormula() bool { return m.lang == plain }

// Inputs returns the least number of indices that the map takes.
func (m *Map) Inputs() int {
	if !m.names.parts {
		return m.names.params
	}
	n := 0
	for _, f := range m.results {
		n = max(n, f.places(m.names.params))
	}
	return n
}

// places returns one more than the greatest place of a variable below limit.
func (f *formula) places(limit int) int {
	if f.op == opVariable && f.x < int64(limit) {
		return int(f.x) + 1
	}
	n := 0
	for _, a := range f.args {
		n = max(n, a.places(limit))
	}
	return n
}

// Outputs returns the number of results.
func (m *Map) Outputs() int { return len(m.results) }

// Free returns the names that are neither parameters nor local, in order.
func (m *Map) Free() []string { return slices.Clone(m.names.list[m.names.params:]) }

// Bind returns the map with numbers for its free names, in the order of [Map.Free].
func (m *Map) Bind(values ...int64) *Map {
	bound := *m
	bound.bound = slices.Clone(values)
	return &bound
}

// At writes the results at the indices x to out, one number each. An error names the indices. The free names must have
// values.
func (m *Map) At(x, out []int64) error {
	return m.at(m.room(), x, out)
}

// room returns space for the variables.
func (m *Map) room() []int64 {
	vars := make([]int64, m.names.params, m.names.params+len(m.bound))
	return append(vars, m.bound...)
}

func (m *Map) at(vars, x, out []int64) error {
	copy(vars, x)
	for k, f := range m.results {
		y, err := f.at(vars)
		if err != nil {
			return fmt.Errorf("at %s: %w", m.Where(x), err)
		}
		out[k] = y
	}
	return nil
}

// Where writes indices with the names of the parameters: i=3, j=0.
func (m *Map) Where(x []int64) string {
	var parts []string
	for k, v := range x {
		parts = append(parts, fmt.Sprintf("%s=%d", m.names.list[k], v))
	}
	return strings.Join(parts, ", ")
}

// Join returns the map with the results of two lambdas of Python, which must have the same parameters.
func (m *Map) Join(n *Map) (*Map, error) {
	head, body, ok := strings.Cut(m.source, ":")
	other, more, fine := strings.Cut(n.source, ":")
	joined := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if m.lang != python || n.lang != python || !ok || !fine || joined(head) != joined(other) {
		return nil, fmt.Errorf("expected two lambdas of Python with the same parameters, found %s and %s", m, n)
	}
	list := func(body string, results int) string {
		if body = strings.TrimSpace(body); results > 1 && strings.ContainsAny(body[:1], "([") {
			return body[1 : len(body)-1]
		}
		return body
	}
	both, err := parse(head + ": (" + list(body, len(m.results)) + ", " + list(more, len(n.results)) + ")")
	if err != nil {
		return nil, err
	}
	return both.Bind(m.bound...), nil
}
