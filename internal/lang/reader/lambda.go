package reader

import (
	"fmt"
	"strings"
)

// indexMap makes the layout of TileLang's T.Layout([4, 6], lambda i, j: (j, i)): what the lambda gives at every index
// is fitted. Where no layout gives that, it is a record of the shape and the lambda.
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
			if m := p.tabulated(results, names, extents, shape); m != nil {
				return m
			}
			p.note("the lambda is no layout: %s", err)
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

// tabulated makes the swizzled layout of a lambda of two variables and one result, or nil.
func (p *parser) tabulated(results []*formula, names []string, extents []int64, shape *node) *node {
	if len(results) != 1 || len(extents) != 2 || extents[0]*extents[1] > maxIndices {
		return nil
	}
	t := table{rows: int(extents[0]), cols: int(extents[1])}
	vars := make(map[string]int64, 2)
	for i := range extents[0] {
		for j := range extents[1] {
			vars[names[0]], vars[names[1]] = i, j
			x, ok := results[0].eval(vars)
			if !ok {
				return nil
			}
			t.cells = append(t.cells, x)
		}
	}
	text, ok := t.fitSwizzled()
	if !ok {
		return nil
	}
	p.note("fitted to the lambda over all of %s", shape)
	return newParser(text).chain()
}

// parseLambda returns the parameters and the results of a lambda, and whether it returns a tuple; no results if it is
// not arithmetic.
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

// maxIndices bounds the indices at which a formula is evaluated.
const maxIndices = 1 << 14

// linearIn returns the steps of a formula along each variable; an error says where it is not the sum of multiples.
func linearIn(f *formula, names []string, extents []int64) ([]int64, error) {
	size := int64(1)
	for _, e := range extents {
		if size *= e; e > maxIndices || size > maxIndices {
			return nil, fmt.Errorf("it has more than %d indices", maxIndices)
		}
	}
	vars := make(map[string]int64, len(names))
	steps := make([]int64, len(names))
	zero := int64(0)
	for i := int64(-1); i < int64(len(names)); i++ {
		for k, name := range names {
			vars[name] = 0
			if int64(k) == i {
				vars[name] = 1
			}
		}
		if i >= 0 && extents[i] == 1 {
			continue
		}
		x, ok := f.eval(vars)
		if !ok {
			return nil, fmt.Errorf("it cannot be evaluated")
		}
		if i < 0 {
			zero = x
			continue
		}
		steps[i] = x - zero
	}
	if zero != 0 {
		return nil, fmt.Errorf("it is %d at the origin", zero)
	}
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

func coordText(names []string, vars map[string]int64) string {
	var parts []string
	for _, name := range names {
		parts = append(parts, fmt.Sprintf("%s=%d", name, vars[name]))
	}
	return strings.Join(parts, ", ")
}
