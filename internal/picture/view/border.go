package view

import "girih/internal/picture/draw"

// The regions of a grid assign each square, in row-major order, the number of its group.
type regions struct {
	rows, cols int
	group      []int64
}

// borders returns the borders between squares of different groups, with as few lines as possible.
func (g regions) borders(c draw.Color, width float64) []rule {
	rows, cols, group := g.rows, g.cols, g.group
	var out []rule
	for r := 1; r < rows; r++ {
		for from := 0; from < cols; {
			if group[r*cols+from] == group[(r-1)*cols+from] {
				from++
				continue
			}
			to := from + 1
			for to < cols && group[r*cols+to] != group[(r-1)*cols+to] {
				to++
			}
			out = append(out, rule{r, from, r, to, c, width})
			from = to
		}
	}
	for k := 1; k < cols; k++ {
		for from := 0; from < rows; {
			if group[from*cols+k] == group[from*cols+k-1] {
				from++
				continue
			}
			to := from + 1
			for to < rows && group[to*cols+k] != group[to*cols+k-1] {
				to++
			}
			out = append(out, rule{from, k, to, k, c, width})
			from = to
		}
	}
	return out
}
