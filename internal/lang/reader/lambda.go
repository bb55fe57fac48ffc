package reader

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// This file reads TileLang's maps of indices: T.Layout([4, 6], lambda i, j: i*6 + j) is (4,6):(6,1).

// indexMap makes the layout of TileLang's T.Layout([4, 6], lambda i, j: (j, i)), fitted to the values of the lambda at
// all indices. If no layout has those values, indexMap makes a record of the shape and the lambda.
func (p *parser) indexMap(shape, f *node) *node {
	n := &node{kind: nodeRecord, text: "index_map"}
	n.add("shape", asTuple(shape))
	n.add("map", &node{kind: nodeLeaf, text: strings.Join(strings.Fields(f.text), " ")})
	names, results, tuple := parseLambda(f.text)
	extents := extentsOf(shape)
	if len(results) == 0 || len(names) != len(extents) {
		return n
	}
	strides := make([]string, len(extents))
	for k, r := range results {
		steps, err := linearIn(r, names, extents)
		if err != nil {
			if m := p.fitResult(results, names, extents, shape); m != nil {
				return m
			}
			if len(results) > 1 {
				err = fmt.Errorf("of result %d, %w", k, err)
			}
			p.notLinear(results, names, extents, err)
			return n
		}
		for i, d := range steps {
			switch {
			case d == 0:
				continue
			case strides[i] != "":
				strides[i] += "+"
			}
			strides[i] += fmt.Sprint(d)
			if tuple {
				strides[i] += fmt.Sprintf("@%d", k)
			}
		}
	}
	for i, d := range strides {
		if d == "" {
			strides[i] = "0"
		}
	}
	p.note("fitted to the lambda over all of %s", shape)
	return newParser(asTuple(shape).String() + ":(" + strings.Join(strides, ",") + ")").chain()
}

// fitResult makes the layout of a lambda with one result that is not linear: a plain layout of another shape, or a
// swizzled layout. It returns nil if neither layout exists.
func (p *parser) fitResult(results []*formula, names []string, extents []int64, shape *node) *node {
	xs, ok := tableOf(results[0], names, extents)
	if len(results) != 1 || !ok {
		return nil
	}
	text, ok := recognize(xs, asTuple(shape).String())
	if !ok && len(extents) == 2 {
		t := table{rows: int(extents[0]), cols: int(extents[1]), cells: make([]int64, len(xs))}
		for i, x := range xs {
			t.cells[i%t.rows*t.cols+i/t.rows] = x
		}
		text, ok = t.fitSwizzled()
	}
	if !ok {
		return nil
	}
	p.note("fitted to the lambda over all of %s", shape)
	return newParser(text).chain()
}

// tableOf returns the values of a formula at all indices, the first variable fastest.
func tableOf(f *formula, names []string, extents []int64) ([]int64, bool) {
	size := int64(1)
	for _, e := range extents {
		if size *= e; e > maxIndices || size > maxIndices {
			return nil, false
		}
	}
	vars := make(map[string]int64, len(names))
	out := make([]int64, size)
	for i := range out {
		setIndex(vars, names, extents, int64(i))
		var ok bool
		if out[i], ok = f.eval(vars); !ok {
			return nil, false
		}
	}
	return out, true
}

// setIndex sets the variables to the coordinate of an index.
func setIndex(vars map[string]int64, names []string, extents []int64, index int64) {
	for k, name := range names {
		vars[name] = index % extents[k]
		index /= extents[k]
	}
}

// notLinear notes why a lambda has no layout. A lambda with several results maps to coordinates: the notes name the box
// that the coordinates fill, two indices that share a coordinate, and the map in a row-major buffer of that box.
func (p *parser) notLinear(results []*formula, names []string, extents []int64, err error) {
	columns := make([][]int64, len(results))
	for k, r := range results {
		var ok bool
		if columns[k], ok = tableOf(r, names, extents); !ok || len(results) == 1 {
			p.note("the lambda is no layout: %s", err)
			return
		}
	}
	at := func(i int) []int64 {
		c := make([]int64, len(columns))
		for k := range c {
			c[k] = columns[k][i]
		}
		return c
	}
	coord := func(i int) string {
		vars := make(map[string]int64, len(names))
		setIndex(vars, names, extents, int64(i))
		return coordText(names, vars)
	}
	p.note("the lambda maps to coordinates, and its strides along them are not constant: %s", err)
	box, places, negative := boxOf(columns)
	if negative >= 0 {
		p.note("at %s its coordinate is %s, below 0", coord(negative), tupleText(at(negative)))
	}
	if box == nil {
		return
	}
	seen := make(map[int64]int, len(columns[0]))
	offsets := make([]int64, len(columns[0]))
	for i := range offsets {
		for k := range columns {
			offsets[i] = offsets[i]*box[k] + columns[k][i]
		}
		if j, twice := seen[offsets[i]]; twice {
			p.note("its coordinates are in %s; it is not injective: at %s and at %s it is %s", tupleText(box), coord(j),
				coord(i), tupleText(at(i)))
			return
		}
		seen[offsets[i]] = i
	}
	if places == int64(len(offsets)) {
		p.note("it is a bijection onto %s", tupleText(box))
	} else {
		p.note("it is injective; its %d coordinates are in %s, which has %d", len(offsets), tupleText(box), places)
	}
	p.noteBuffer(offsets, box, tupleText(extents))
}

// boxOf returns the extents of the box that coordinates fill, component by component, and its number of places. There
// are no extents if the box is too large or a coordinate is negative. The result negative is the index of a negative
// coordinate, or -1.
func boxOf(columns [][]int64) (box []int64, places int64, negative int) {
	places = 1
	for _, xs := range columns {
		if least := slices.Min(xs); least < 0 {
			return nil, 0, slices.Index(xs, least)
		}
		n := slices.Max(xs) + 1
		if places > 1<<50/n {
			return nil, 0, -1
		}
		places *= n
		box = append(box, n)
	}
	return box, places, -1
}

// noteBuffer notes the map to coordinates in a row-major buffer of the box.
func (p *parser) noteBuffer(offsets, box []int64, shape string) {
	if text, ok := recognize(offsets, shape); ok {
		p.note("in a row-major buffer of %s it is %s; give the extents of another buffer by one result, as i*%d + j",
			tupleText(box), text, box[len(box)-1])
	} else {
		p.note("a buffer makes offsets of the coordinates: with its extents, as one result, i*%d + j, they can be fitted",
			box[len(box)-1])
	}
}

// tupleText writes numbers as a tuple.
func tupleText(xs []int64) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = fmt.Sprint(x)
	}
	return "(" + strings.Join(parts, ",") + ")"
}

// IndexMap converts a lambda, or a formula of several variables, to TileLang's map with the given extents,
// T.Layout([32,8], lambda i,j: i*8+j). It returns the map and the variables. ok is false if the text is neither a
// lambda nor such a formula. The map is empty unless each variable has an extent.
func IndexMap(text string, extents []int64) (layout string, names []string, ok bool) {
	text = strings.TrimSuffix(strings.TrimSpace(text), ";")
	if len(text) > 1<<16 {
		return "", nil, false
	}
	if lambda := strings.HasPrefix(text, "lambda ") || strings.HasPrefix(text, "lambda\t"); !lambda {
		p := newParser(text)
		if eq := slices.IndexFunc(p.toks, func(t token) bool { return t.c == '=' }); eq >= 0 {
			return "", nil, false
		}
		p.calls = 1 // so that // divides
		f := p.formula(0)
		if f == nil || p.peek().kind != tokEOF {
			return "", nil, false
		}
		if names = f.variables(nil); len(names) < 2 {
			return "", nil, false
		}
		text = "lambda " + strings.Join(names, ",") + ": " + text
	} else {
		var results []*formula
		if names, results, _ = parseLambda(text); len(results) == 0 {
			return "", nil, false
		}
	}
	if len(names) != len(extents) {
		return "", names, true
	}
	box := strings.Trim(tupleText(extents), "()")
	return "T.Layout([" + box + "], " + text + ")", names, true
}

// parseLambda returns the parameters and the results of a lambda, and whether it returns a tuple. There are no results
// if the lambda is not arithmetic.
func parseLambda(text string) (names []string, results []*formula, tuple bool) {
	p := newParser(text)
	p.calls = 1 // so that // divides
	p.pos++
	for !p.is(':') {
		if p.peek().kind != tokIdent {
			return nil, nil, false
		}
		names = append(names, p.text(p.peek()))
		p.pos++
		if p.is(',') {
			p.pos++
		}
	}
	p.pos++
	from := p.pos
	if f := p.formula(0); f != nil && p.peek().kind == tokEOF {
		return names, []*formula{f}, false
	}
	p.pos = from
	end := byte(')')
	if p.is('[') {
		end = ']'
	} else if !p.is('(') {
		return nil, nil, false
	}
	p.pos++
	for !p.is(end) {
		f := p.formula(0)
		if f == nil {
			return nil, nil, false
		}
		results = append(results, f)
		if p.is(',') {
			p.pos++
		}
	}
	return names, results, true
}

// extentsOf returns the integers of a flat shape.
func extentsOf(shape *node) []int64 {
	if shape.kind == nodeInt {
		x, _ := shape.integer()
		return []int64{x}
	}
	var out []int64
	for _, k := range shape.kids {
		x, ok := k.integer()
		if !ok || x <= 0 {
			return nil
		}
		out = append(out, x)
	}
	return out
}

// maxIndices limits the indices at which a formula is evaluated.
const maxIndices = 1 << 16

// linearIn returns the steps of a formula along each variable. If the formula is not a sum of multiples, the error
// names an index.
func linearIn(f *formula, names []string, extents []int64) ([]int64, error) {
	size := int64(1)
	for _, e := range extents {
		if size *= e; e > maxIndices || size > maxIndices {
			return nil, fmt.Errorf("it has more than %d indices", maxIndices)
		}
	}
	steps, err := f.steps(names, extents)
	if err != nil {
		return nil, err
	}
	vars := make(map[string]int64, len(names))
	for index := range size {
		want, rest := int64(0), index
		for k, name := range names {
			vars[name] = rest % extents[k]
			want += steps[k] * vars[name]
			rest /= extents[k]
		}
		if x, ok := f.eval(vars); !ok || x != want {
			return nil, fmt.Errorf("at %s it is %d, a layout would give %d", coordText(names, vars), x, want)
		}
	}
	return steps, nil
}

// steps evaluates a formula that is 0 at the origin. It returns its values where one variable is 1 and the others are
// 0.
func (f *formula) steps(names []string, extents []int64) ([]int64, error) {
	vars := make(map[string]int64, len(names))
	for _, name := range names {
		vars[name] = 0
	}
	errNoValue := errors.New("it cannot be evaluated")
	zero, ok := f.eval(vars)
	if !ok {
		return nil, errNoValue
	}
	steps := make([]int64, len(names))
	for i, name := range names {
		if extents[i] == 1 {
			continue
		}
		vars[name] = 1
		x, ok := f.eval(vars)
		if !ok {
			return nil, errNoValue
		}
		steps[i] = x - zero
		vars[name] = 0
	}
	if zero != 0 {
		return nil, fmt.Errorf("it is %d at the origin", zero)
	}
	return steps, nil
}

func coordText(names []string, vars map[string]int64) string {
	var parts []string
	for _, name := range names {
		parts = append(parts, fmt.Sprintf("%s=%d", name, vars[name]))
	}
	return strings.Join(parts, ", ")
}
