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

// maxLaunches limits the rows of a profiler's table.
const maxLaunches = 1 << 20

// units are the parts of a card whose counters are read; metrics of the card and of the launch are ignored.
var units = []string{"l1tex", "lts", "sm", "smsp"}

// A Launch has the counters of one kernel.
type Launch struct {
	Kernel string
	Values []float64 // in the order of [Table.Metrics]; NaN for a missing value
}

// A Table contains the counters of all kernels, in the order in which the kernels ran.
type Table struct {
	Metrics  []string
	Launches []Launch
}

// ReadCounters reads the output of "ncu --csv --page raw": lines of the program and of ncu, then a table with a row for
// each launch and a column for each metric; its second row has the units. The error names what is missing, or the line
// without a number.
func ReadCounters(r io.Reader) (*Table, error) {
	c := counterReader{lines: csv.NewReader(r)}
	c.lines.FieldsPerRecord, c.lines.LazyQuotes, c.lines.ReuseRecord = -1, true, true
	for {
		row, err := c.lines.Read()
		switch {
		case errors.Is(err, io.EOF) && c.table == nil:
			return nil, errors.New(`no line of columns, which begins with "ID": is it the output of ncu --csv --page raw?`)
		case errors.Is(err, io.EOF):
			return c.table, nil
		case err != nil:
			return nil, err
		case c.table == nil && row[0] != "ID": // a line that precedes the table
		case c.table == nil:
			err = c.header(row)
		case row[0] != "": // the row of units begins with an empty cell
			err = c.launch(row)
		}
		if err != nil {
			return nil, err
		}
	}
}

// A counterReader reads a table of ncu.
type counterReader struct {
	lines   *csv.Reader
	table   *Table // nil before the line of columns
	kernel  int    // the column with the name of the kernel
	columns []int  // the columns with the metrics
}

// header reads the line of columns.
func (c *counterReader) header(row []string) error {
	if c.kernel = slices.Index(row, "Kernel Name"); c.kernel < 0 {
		return errors.New("the table has no column Kernel Name")
	}
	c.table = &Table{}
	for i, name := range row {
		if unit, _, ok := strings.Cut(name, "__"); ok && slices.Contains(units, unit) {
			c.columns = append(c.columns, i)
			c.table.Metrics = append(c.table.Metrics, name)
		}
	}
	return nil
}

// launch reads the row of a launch.
func (c *counterReader) launch(row []string) error {
	switch last := len(c.columns) - 1; {
	case len(row) <= c.kernel || last >= 0 && len(row) <= c.columns[last]:
		line, _ := c.lines.FieldPos(0)
		return fmt.Errorf("line %d has %d columns: the table has more", line, len(row))
	case len(c.table.Launches) == maxLaunches:
		return fmt.Errorf("more than %d launches", maxLaunches)
	}
	l := Launch{Kernel: strings.Clone(kernelName(row[c.kernel]))}
	for i, column := range c.columns {
		x, err := number(row[column])
		if err != nil {
			line, _ := c.lines.FieldPos(column)
			return fmt.Errorf("line %d: %s is %q, not a number", line, c.table.Metrics[i], row[column])
		}
		l.Values = append(l.Values, x)
	}
	c.table.Launches = append(c.table.Launches, l)
	return nil
}

// kernelName returns the name of a kernel without the types of parameters that ncu adds.
func kernelName(s string) string {
	name, _, _ := strings.Cut(s, "(")
	return strings.TrimSpace(name)
}

// number parses a number as ncu writes it, with commas between thousands.
func number(s string) (float64, error) {
	return strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
}

// Value returns the value of a metric in a launch; ok reports whether the table has the metric.
func (t *Table) Value(l Launch, metric string) (x float64, ok bool) {
	i := slices.Index(t.Metrics, metric)
	if i < 0 {
		return 0, false
	}
	return l.Values[i], true
}
