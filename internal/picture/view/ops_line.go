package view

import (
	"fmt"
	"strconv"

	"girih/cute"
	"girih/internal/picture/draw"
)

// lineCells is the largest number of integers in a number line.
const lineCells = 1024

// A numberLine is the integers from 0 on as cells, filled by the things at each integer.
type numberLine struct {
	title string
	fills []draw.Color
	hits  []int // the number of things at each integer
}

// put adds a thing at x, 0 <= x < [lineCells].
func (l *numberLine) put(x int64, fill draw.Color) {
	l.grow(x + 1)
	if l.hits[x]++; l.hits[x] == 1 {
		l.fills[x] = fill
	}
}

// grow makes the line at least n long.
func (l *numberLine) grow(n int64) {
	for int64(len(l.hits)) < n {
		l.hits, l.fills = append(l.hits, 0), append(l.fills, draw.None)
	}
}

// counts returns the number of integers without a thing, and the number with several.
func (l *numberLine) counts() (missing, shared int) {
	for _, n := range l.hits {
		if n == 0 {
			missing++
		} else if n > 1 {
			shared++
		}
	}
	return missing, shared
}

// sheet returns the line, wrapped after a multiple or a divisor of period, or anywhere if period is 0.
func (l *numberLine) sheet(o Options, period int) *sheet {
	n := len(l.hits)
	s := newSheet(l.title, cute.Int(int64(max(n, 1))), o, func(i int64) cell {
		c := cell{mark: markEmpty | markFaint, text: strconv.FormatInt(i, 10), key: fmt.Sprintf("n%d", i)}
		if int(i) < n && l.hits[i] > 0 {
			c.mark, c.fill = 0, l.fills[i]
		}
		if int(i) < n && l.hits[i] > 1 {
			c.mark |= markBad
		}
		return c
	})
	if cols := lineBreak(n, period); cols != s.perLine {
		s.perLine, s.cols, s.rows = cols, cols, (n+cols-1)/cols
		cells := s.cells[:n]
		for i := range cells {
			cells[i].row, cells[i].col = s.at(int64(i))
		}
		for i := n; i < s.rows*cols; i++ {
			r, c := s.at(int64(i))
			cells = append(cells, cell{row: r, col: c, mark: markEmpty})
		}
		s.cells, s.rules = cells, nil
	}
	s.rowAxis.labels, s.colAxis.labels = nil, nil // the cells show their numbers
	return s
}

// lineBreak returns the number of integers after which a line of n is wrapped: all if they are few, otherwise the
// multiple of period nearest below 32.
func lineBreak(n, period int) int {
	switch {
	case n <= 32:
		return max(n, 1)
	case period > 0 && period <= 32:
		return 32 / period * period
	case period > 32 && period <= 48:
		return period
	}
	for k := 32; k >= 20; k-- {
		if n%k == 0 {
			return k
		}
	}
	return 32
}
