package follow

import (
	"fmt"
	"slices"
	"strings"

	"girih/ptx/sim"
)

// This file finds the elements of global memory that a value was computed of, however many they are.

// The limits of a search for sources.
const (
	maxCone  = 1 << 22 // the values that lead from the sources to an element
	maxSpans = 64      // the rectangles of one tensor that are listed
)

// Sources are the elements of one tensor in global memory that a value was computed of.
type Sources struct {
	Place int        `json:"place"`
	Count int64      `json:"count"` // of the elements
	Boxes [][4]int64 `json:"boxes"` // first and last row, first and last column, without overlaps; at most 64
	More  int        `json:"more,omitempty"`
}

// SourcesOf returns the elements that determine the element of a cell of a tensor in global memory, as it is after the
// run: the bytes at the beginning of all operations that led to it. ok is false if the block did not write the cell, or
// if the operations are too many.
func (m *Model) SourcesOf(rec *sim.Recording, place int, cell int64) (out []Sources, ok bool) {
	p := &m.Places[place]
	part := slices.IndexFunc(rec.Parts, func(x sim.RecordedPart) bool { return x.Name == p.Name })
	if p.Kind != Global || part < 0 || cell < 0 || cell >= p.Cells {
		return nil, false
	}
	at := rec.Parts[part].Address + uint64(cell*int64(p.Bits)/8)
	roots := lastStores(rec, at, uint64(max(p.Bits/8, 1)))
	if len(roots) == 0 {
		return nil, false
	}
	bytes, ok := cone(rec, roots)
	if !ok {
		return nil, false
	}
	for i := range m.Places {
		q := &m.Places[i]
		n := slices.IndexFunc(rec.Parts, func(x sim.RecordedPart) bool { return x.Name == q.Name })
		if q.Kind != Global || n < 0 || len(bytes[n]) == 0 || q.Row == nil {
			continue
		}
		cells := map[int64]bool{}
		for off := range bytes[n] {
			cells[off*8/int64(q.Bits)] = true
		}
		out = append(out, q.boxes(i, cells))
	}
	return out, true
}

// lastStores returns what the last stores and copies to some bytes of global memory wrote there.
func lastStores(rec *sim.Recording, at, bytes uint64) (out []sim.Origin) {
	done := uint64(0) // bits of the bytes that are found
	for i := len(rec.Moves) - 1; i >= 0 && done != 1<<bytes-1; i-- {
		m := &rec.Moves[i]
		if m.To.Space != sim.SideGlobal {
			continue
		}
		mask := uint64(0)
		for k, a := range m.To.At {
			for b := range bytes {
				if off := at + b - a; off < uint64(m.Bytes) && done>>b&1 == 0 {
					mask |= 1 << b
					o := m.Held[k]
					if o != 0 && o < firstNode {
						o += sim.Origin(off)
					}
					out = append(out, o)
				}
			}
		}
		done |= mask
	}
	return out
}

// cone returns the bytes of global memory, by part, that values were computed of.
func cone(rec *sim.Recording, open []sim.Origin) (bytes []map[int64]bool, ok bool) {
	bytes = make([]map[int64]bool, len(rec.Parts))
	seen := map[sim.Origin]bool{}
	open = slices.Clone(open)
	for len(open) > 0 {
		o := open[len(open)-1]
		open = open[:len(open)-1]
		if o == 0 || seen[o] {
			continue
		}
		if seen[o] = true; len(seen) > maxCone {
			return nil, false
		}
		n := rec.Node(o)
		if n == nil {
			part, off := rec.Byte(o)
			if bytes[part] == nil {
				bytes[part] = map[int64]bool{}
			}
			bytes[part][off] = true
			continue
		}
		for i, source := range n.Sources {
			for k := range n.Bytes(i) {
				open = append(open, source+sim.Origin(k))
			}
		}
		if n.Product > 0 {
			p := &rec.Products[n.Product-1]
			row, col := int(n.At>>16), int(n.At&0xffff)
			open = append(open, p.A[row*p.K:(row+1)*p.K]...)
			open = append(open, p.B[col*p.K:(col+1)*p.K]...)
		}
	}
	return bytes, true
}

// boxes writes cells as rectangles of rows and columns: the columns of each row as ranges, and equal rows that follow
// each other as one.
func (p *Place) boxes(place int, cells map[int64]bool) Sources {
	rows, cols := p.Row.Values(), p.Col.Values()
	byRow := map[int64][]int64{}
	for c := range cells {
		if rows[c] >= 0 {
			byRow[rows[c]] = append(byRow[rows[c]], cols[c])
		}
	}
	out := Sources{Place: place}
	open := map[[2]int64]int{} // by first and last column: the rectangle that ends in the row before
	for _, r := range sortedRows(byRow) {
		next := map[[2]int64]int{}
		for _, span := range spansOf(byRow[r]) {
			out.Count += span[1] - span[0] + 1
			i, ok := open[span]
			if ok && out.Boxes[i][1] == r-1 {
				out.Boxes[i][1] = r
			} else {
				i = len(out.Boxes)
				out.Boxes = append(out.Boxes, [4]int64{r, r, span[0], span[1]})
			}
			next[span] = i
		}
		open = next
	}
	if n := len(out.Boxes); n > maxSpans {
		out.Boxes, out.More = out.Boxes[:maxSpans], n-maxSpans
	}
	return out
}

func sortedRows(rows map[int64][]int64) []int64 {
	var out []int64
	for r := range rows {
		out = append(out, r)
	}
	slices.Sort(out)
	return out
}

// spansOf returns the first and the last number of each range of numbers.
func spansOf(list []int64) (out [][2]int64) {
	slices.Sort(list)
	for _, c := range list {
		if n := len(out); n > 0 && c <= out[n-1][1]+1 {
			out[n-1][1] = c
			continue
		}
		out = append(out, [2]int64{c, c})
	}
	return out
}

// String returns the elements as "70 elements of x: (1,0-69)"; the model has the names of the places.
func (s *Sources) String(m *Model) string {
	p := &m.Places[s.Place]
	var parts []string
	for _, b := range s.Boxes {
		parts = append(parts, "("+rangeText(b[0], b[1])+","+rangeText(b[2], b[3])+")")
	}
	if s.More > 0 {
		parts = append(parts, fmt.Sprintf("and %d more ranges", s.More))
	}
	return fmt.Sprintf("%d elements of %s: %s", s.Count, p.Name, strings.Join(parts, " "))
}

func rangeText(from, to int64) string {
	if from == to {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d-%d", from, to)
}
