package vectors

import (
	"fmt"
	"strings"
)

// eachRow calls f with the line number and the columns of every row of a tab-separated file.
func eachRow(rep *Report, data []byte, width int, f func(line int, cols []string)) error {
	for n, line := range strings.Split(string(data), "\n") {
		if n == 0 || strings.TrimSpace(line) == "" {
			continue
		}
		cols := strings.Split(line, "\t")
		if len(cols) > width {
			return fmt.Errorf("%s:%d: expected %d columns, found %d", rep.File, n+1, width, len(cols))
		}
		for len(cols) < width {
			cols = append(cols, "")
		}
		f(n+1, cols)
	}
	return nil
}
