package view

import "fmt"

// A pattern is a block that repeats over a grid except for its first offset. A cell of a large picture represents one
// block.
type pattern struct {
	rows, cols int
	down, side int64 // the steps of the offset; valid if steps is true
	steps      bool
}

// The most blocks along an axis that are labelled, and the fewest that are useful.
const (
	blockRows  = 32
	blockCols  = 20
	fewestEdge = 4
)

// blocks returns the smallest block that leaves few enough cells. It returns nil if the blocks differ or the extents
// have no suitable divisors.
func (f *field) blocks(rows, cols int) *pattern {
	p := &pattern{rows: divisor(rows, blockRows), cols: divisor(cols, blockCols)}
	if rows/p.rows < min(rows, fewestEdge) || cols/p.cols < min(cols, fewestEdge) {
		return nil
	}
	at := func(r, c int) int64 { return f.ints[r+c*rows] }
	for c := range len(f.ints) / rows { // over the columns of all panels
		c0 := c - c%p.cols
		for r := range rows {
			r0 := r - r%p.rows
			if at(r, c)-at(r0, c0) != at(r-r0, c-c0)-at(0, 0) {
				return nil
			}
		}
	}
	if p.rows > 1 {
		p.down = at(1, 0) - at(0, 0)
	}
	if p.cols > 1 {
		p.side = at(0, 1) - at(0, 0)
	}
	p.steps = true
	for c := range p.cols {
		for r := range p.rows {
			p.steps = p.steps && at(r, c) == at(0, 0)+int64(r)*p.down+int64(c)*p.side
		}
	}
	return p
}

// divisor returns the least divisor of n that leaves at most parts parts.
func divisor(n, parts int) int {
	for d := 1; d < n; d++ {
		if n%d == 0 && n/d <= parts {
			return d
		}
	}
	return max(n, 1)
}

// note explains what a cell is.
func (p *pattern) note() string {
	text := fmt.Sprintf("A cell is a block of %d by %d elements; its number is the offset of the first", p.rows, p.cols)
	switch {
	case !p.steps:
		return text + "."
	case p.rows == 1:
		return fmt.Sprintf("%s, %+d for each column.", text, p.side)
	case p.cols == 1:
		return fmt.Sprintf("%s, %+d for each row.", text, p.down)
	}
	return fmt.Sprintf("%s, %+d for each row and %+d for each column.", text, p.down, p.side)
}
