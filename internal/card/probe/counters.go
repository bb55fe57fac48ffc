package probe

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// maxLaunches bounds what is read of a profiler's table.
const maxLaunches = 1 << 20

// units are the parts of a card whose counters are read. What ncu says of the card and of the launch is left out.
var units = []string{"l1tex", "lts", "sm", "smsp"}

// A Launch is what the profiler says of one kernel.
type Launch struct {
	Kernel string
	Values []float64 // in the order of [Table.Metrics]; NaN where the profiler has none
}

// A Table is what the profiler says of all kernels, in the order in which they ran.
type Table struct {
	Metrics  []string
	Launches []Launch
}

// ReadCounters reads what "ncu --csv --page raw" writes: lines of the program and of ncu, then a table of one row for
// each launch and one column for each metric, whose second row has the units. The error says what is missing, and
// in which line a number is none.
func ReadCounters(r io.Reader) (*Table, error) {
	lines := csv.NewReader(r)
	lines.FieldsPerRecord, lines.LazyQuotes, lines.ReuseRecord = -1, true, true
	var t *Table
	kernel := -1
	var columns []int
	for {
		row, err := lines.Read()
		switch {
		case errors.Is(err, io.EOF) && t == nil:
			return nil, errors.New(`no line of columns, which begins with "ID": is it what ncu --csv --page raw writes?`)
		case errors.Is(err, io.EOF):
			return t, nil
		case err != nil:
			return nil, err
		case t == nil && row[0] != "ID":
		case t == nil:
			if kernel = slices.Index(row, "Kernel Name"); kernel < 0 {
				return nil, errors.New("the table has no column Kernel Name")
			}
			t = &Table{}
			for i, name := range row {
				if unit, _, ok := strings.Cut(name, "__"); ok && slices.Contains(units, unit) {
					columns = append(columns, i)
					t.Metrics = append(t.Metrics, name)
				}
			}
		case row[0] == "": // units
		case len(row) <= kernel || len(columns) > 0 && len(row) <= columns[len(columns)-1]:
			line, _ := lines.FieldPos(0)
			return nil, fmt.Errorf("line %d has %d columns: the table has more", line, len(row))
		case len(t.Launches) == maxLaunches:
			return nil, fmt.Errorf("more than %d launches", maxLaunches)
		default:
			l := Launch{Kernel: strings.Clone(kernelName(row[kernel]))}
			for i, c := range columns {
				x, err := number(row[c])
				if err != nil {
					line, _ := lines.FieldPos(c)
					return nil, fmt.Errorf("line %d: %s is %q, not a number", line, t.Metrics[i], row[c])
				}
				l.Values = append(l.Values, x)
			}
			t.Launches = append(t.Launches, l)
		}
	}
}

// kernelName returns the name of a kernel without what ncu adds: types of parameters.
func kernelName(s string) string {
	name, _, _ := strings.Cut(s, "(")
	return strings.TrimSpace(name)
}

// number reads a number as ncu writes it, with commas at the thousands.
func number(s string) (float64, error) {
	return strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
}

// Value returns the value of the metric of that name in a launch; ok reports whether there is one.
func (t *Table) Value(l Launch, metric string) (x float64, ok bool) {
	i := slices.Index(t.Metrics, metric)
	if i < 0 {
		return 0, false
	}
	return l.Values[i], true
}
