package truth

import (
	"girih/atom"
)

// metadata describes the metadata of a sparse operation: a field of 4 bits for each group of elements of a row.
type metadata struct {
	kept, of     int
	rows, groups int
	threads      int
	// fields contains, for each selector, and for each row + group·rows, the first bit of the field in the registers of
	// the threads, as thread·32 + bit.
	fields [][]int
	// patterns lists the values of a field: the positions of the kept elements.
	patterns []pattern
}

// A pattern is a value of a field, and the positions of the elements that are kept.
type pattern struct {
	field     uint32
	positions []int
}

// patterns24 are all choices of 2 of 4 in order, each with its complement at the other end (PTX ISA 9.7.14.6, Sparse
// matrix storage): two bits for the position of each element.
var patterns24 = []pattern{
	{0b0100, []int{0, 1}},
	{0b1000, []int{0, 2}},
	{0b1100, []int{0, 3}},
	{0b1001, []int{1, 2}},
	{0b1101, []int{1, 3}},
	{0b1110, []int{2, 3}},
}

// patterns12 are the patterns of 1 of 2 elements of 32 bits.
var patterns12 = []pattern{{0b0100, []int{0}}, {0b1110, []int{1}}}

// patterns48 are the patterns of 4 of 8 elements, in pairs.
func patterns48() []pattern {
	all := make([]pattern, len(patterns24))
	for i, p := range patterns24 {
		all[i].field = p.field
		for _, at := range p.positions {
			all[i].positions = append(all[i].positions, 2*at, 2*at+1)
		}
	}
	return all
}

func newMetadata(m atom.MMA) (*metadata, error) {
	s := m.Sparse
	e := &metadata{
		kept: int(s.Kept), of: int(s.Of), rows: int(m.Shape[0]), groups: int(m.Shape[2] / s.Of), threads: int(m.Threads()),
		patterns: patterns24,
	}
	switch e.of {
	case 2:
		e.patterns = patterns12
	case 8:
		e.patterns = patterns48()
	}
	offsets, err := s.E.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	values := len(offsets) / e.threads
	seen := make([]int, e.rows*e.groups)
	for t := range e.threads {
		for v := range values {
			i := int(offsets[t+v*e.threads])
			row, k := i%e.rows, i/e.rows
			if k%e.of != 0 {
				continue
			}
			// Among threads with the same fields, selector 0 selects the first thread and selector 1 the next thread.
			f := row + k/e.of*e.rows
			if seen[f] == len(e.fields) {
				e.fields = append(e.fields, make([]int, len(seen)))
			}
			e.fields[seen[f]][f] = t*32 + v*32/values
			seen[f]++
		}
	}
	return e, nil
}

// selectors returns how many selectors there are.
func (e *metadata) selectors() int { return len(e.fields) }

// image writes the patterns of all fields; threads that do not count get the complements.
func (e *metadata) image(selector int, chosen []int) []uint32 {
	image := make([]uint32, e.threads)
	for s := range e.selectors() {
		for f, p := range chosen {
			if s != selector {
				p = len(e.patterns) - 1 - p
			}
			at := e.fields[s][f]
			image[at/32] |= e.patterns[p].field << (at % 32)
		}
	}
	return image
}

// expand returns the held element for each logical element m + k·rows, or -1.
func (e *metadata) expand(chosen []int) []int {
	held := make([]int, e.rows*e.groups*e.of)
	for i := range held {
		held[i] = -1
	}
	for f, p := range chosen {
		row, g := f%e.rows, f/e.rows
		for i, at := range e.patterns[p].positions {
			held[row+(g*e.of+at)*e.rows] = row + (g*e.kept+i)*e.rows
		}
	}
	return held
}
