package vectors

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/pattern"
	"girih/tensor"
)

// runTensors runs print_tensor.txt: tensors as CuTe prints them, compared byte for byte except for the underscores of
// static integers. A tensor that computes its elements, counting_iter or ArithTuple, is rebuilt from its first line.
// For other tensors, girih reads the numbers and checks how they are printed.
func runTensors(rep *Report, data []byte) error {
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	for at := 0; at < len(lines); {
		p := printoutAt(lines, at)
		rep.add(fmt.Sprintf("%s:%d", rep.File, at+1), p.op(), p.verdict())
		at += len(p.lines)
	}
	return nil
}

// maxPrinted limits the elements of a printed tensor.
const maxPrinted = 1 << 16

// A printout is one tensor in a file: its first line, if it has one, and its rows.
type printout struct {
	head  string
	rows  []string
	lines []string // all lines of the file
}

// static matches the underscore of a static integer.
const static = pattern.Pattern(`_(-?[0-9])`)

func plainText(s string) string { return static.ReplaceAllString(s, "$1") }

// printoutAt returns the printout that begins at a line. The printout ends before the next line that names a tensor or
// a layout, or earlier if the shape has no more rows or the width of the rows changes.
func printoutAt(lines []string, at int) printout {
	p := printout{}
	end := at
	if isHead(lines[at]) {
		p.head = plainText(lines[at])
		end++
	}
	most := p.height()
	for end < len(lines) && !isHead(lines[end]) {
		n := end - at
		if p.head != "" && n > most {
			break
		}
		if p.head == "" && n > 0 && len(lines[end]) != len(lines[at]) {
			break
		}
		end++
	}
	p.lines = lines[at:end]
	p.rows = p.lines
	if p.head != "" {
		p.rows = p.lines[1:]
	}
	return p
}

// isHead reports whether a line names a tensor or a layout: rows begin with a blank, or consist of dashes.
func isHead(line string) bool {
	return strings.Contains(line, ":") && !strings.HasPrefix(line, " ")
}

// layout returns the layout in the first line, and the text before it.
func (p printout) layout() (engine string, l cute.Layout, err error) {
	text := strings.TrimSuffix(p.head, ":")
	engine, rest, ok := strings.Cut(text, " o ")
	if !ok {
		engine, rest = "", text
	}
	l, err = cute.Parse(rest)
	return engine, l, err
}

// height returns the number of rows of the tensor, including separators, or 0 if the shape is not understood.
func (p printout) height() int {
	_, l, err := p.layout()
	if err != nil || l.Rank() < 1 || l.Rank() > 4 {
		return 0
	}
	n := [4]int64{1, 1, 1, 1}
	for i, m := range l.Modes() {
		n[i] = m.Size()
	}
	planes := n[2] * n[3]
	return int(n[0]*planes + planes - 1)
}

func (p printout) op() string {
	if p.head != "" && !strings.HasSuffix(p.head, ":") {
		return "operator<<"
	}
	return "print_tensor"
}

// verdict prints the tensor and compares the text.
func (p printout) verdict() outcome {
	want := plainText(strings.Join(p.lines, "\n") + "\n")
	got, err := p.girihText()
	if err != nil {
		return outcome{verdict: failed, expr: cmp.Or(p.head, p.lines[0]), got: err.Error(), want: want, why: "the tensor is not printed"}
	}
	if got != want {
		return outcome{verdict: failed, expr: cmp.Or(p.head, p.lines[0]), got: got, want: want, why: "other text"}
	}
	return pass()
}

// girihText returns the tensor's text as girih prints it.
func (p printout) girihText() (string, error) {
	var b bytes.Buffer
	if p.head == "" {
		return p.printedGrid()
	}
	engine, l, err := p.layout()
	if err != nil {
		return "", err
	}
	if len(p.rows) != p.height() || l.Size() > maxPrinted {
		return "", fmt.Errorf("expected %d rows below %s, found %d", p.height(), p.head, len(p.rows))
	}
	switch name, arg := argument(engine); name {
	case "counting_iter":
		first, err := strconv.ParseInt(arg, 10, 64)
		if err != nil {
			return "", err
		}
		t, err := tensor.Counting(first, l)
		if err != nil {
			return "", err
		}
		err = tensor.Print(&b, t)
		return b.String(), err
	case "ArithTuple":
		origin, err := cute.ParseTuple("(" + arg + ")")
		if err != nil {
			return "", err
		}
		t, err := tensor.CoordinatesAt(origin, l)
		if err != nil {
			return "", err
		}
		err = tensor.Print(&b, t)
		return b.String(), err
	}
	return p.printedValues(engine, l)
}

// argument splits "name(argument)".
func argument(engine string) (name, arg string) {
	name, arg, _ = strings.Cut(strings.TrimSuffix(engine, ")"), "(")
	return name, arg
}

// printedGrid prints the numbers of a printout without a first line.
func (p printout) printedGrid() (string, error) {
	fields := strings.Fields(p.rows[0])
	l, err := cute.LayoutLeft(cute.Ints(int64(len(p.rows)), int64(len(fields))))
	if err != nil {
		return "", err
	}
	return p.printedValues("", l)
}

// printedValues prints the numbers in the rows as a tensor of the layout's shape.
func (p printout) printedValues(engine string, l cute.Layout) (string, error) {
	var cells [][]string
	text := ""
	for _, r := range p.rows {
		if strings.Trim(r, "-=") == "" {
			continue
		}
		cells = append(cells, strings.Fields(r))
		text += r
	}
	n := printedNumbers{p, engine, l, cells}
	var value func(s string) (float64, error) = func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }
	_, digits, _ := strings.Cut(text, ".")
	mantissa, _, scientific := strings.Cut(digits, "e")
	switch {
	case !strings.Contains(text, "."):
		return printCells(n, func(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) })
	case scientific && len(mantissa) == 3 || !scientific && p.op() == "operator<<":
		return printCells(n, value)
	}
	return printCells(n, func(s string) (float32, error) {
		x, err := value(s)
		return float32(x), err
	})
}

// A printedNumbers is a printout whose numbers are cut into cells, row by row and plane by plane.
type printedNumbers struct {
	printout
	engine string
	layout cute.Layout
	cells  [][]string
}

// printCells makes the tensor of the cells and prints it.
func printCells[T any](p printedNumbers, value func(s string) (T, error)) (string, error) {
	compact, err := cute.LayoutLeft(p.layout.Shape())
	if err != nil {
		return "", err
	}
	t, err := tensor.Alloc[T](compact)
	if err != nil {
		return "", err
	}
	n := [2]int64{1, 1}
	for i, m := range p.layout.Modes() {
		if i < 2 {
			n[i] = m.Size()
		}
	}
	for r, row := range p.cells {
		for c, cell := range row {
			x, err := value(cell)
			if err != nil {
				return "", err
			}
			plane, i := int64(r)/n[0], int64(r)%n[0]
			if err := t.Set(x, i+n[0]*(int64(c)+n[1]*plane)); err != nil {
				return "", err
			}
		}
	}
	var b bytes.Buffer
	head := p.head + "\n"
	switch {
	case p.head == "":
		err = tensor.PrintValues(&b, t)
		return b.String(), err
	case p.engine == "" && p.op() == "operator<<":
		if err := tensor.PrintStream(&b, t); err != nil {
			return "", err
		}
		_, rows, _ := strings.Cut(b.String(), "\n")
		return p.layout.String() + "\n" + rows, nil
	}
	err = tensor.PrintValues(&b, t)
	return head + b.String(), err
}
