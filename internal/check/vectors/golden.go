package vectors

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/why/judge"
	"girih/tensor"
	"girih/tensor/tiled"
)

// This file checks girih against cpp_golden.txt: one line for each atom, tiled operation and partition, in columns
// between bars. The first column is the kind of the line; goldenRows returns the function that runs each kind.

// A goldenRow runs the lines of one kind.
type goldenRow struct {
	kind  string
	width int // the number of columns after the kind
	run   func(c []string) outcome
}

// goldenRows returns the kinds of lines that girih runs.
func goldenRows() []goldenRow {
	return append(copyRows(), []goldenRow{
		{"MMA", 6, func(c []string) outcome { return atomRow(c[0], c[1:6], "") }},
		{"TMMA", 6, tiledRow},
		{"PART", 12, partitionRow},
	}...)
}

// goldenKinds lists all kinds of lines.
var goldenKinds = []string{"MMA", "COPY", "TMMA", "PART", "TCOPY", "CPART"}

// runGolden runs cpp_golden.txt.
func runGolden(rep *Report, data []byte) error {
	rows := goldenRows()
	for n, line := range strings.Split(string(data), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		c := strings.Split(strings.TrimSuffix(line, "|"), "|")
		i := slices.IndexFunc(rows, func(r goldenRow) bool { return r.kind == c[0] })
		o := skip("girih has no " + c[0])
		switch {
		case i < 0 && !slices.Contains(goldenKinds, c[0]):
			return fmt.Errorf("%s:%d: expected one of %v before the first bar, found %.40q", rep.File, n+1, goldenKinds, c[0])
		case i >= 0 && len(c)-1 != rows[i].width:
			return fmt.Errorf("%s:%d: expected %d columns after %s, found %d", rep.File, n+1, rows[i].width, c[0], len(c)-1)
		case i >= 0:
			o = rows[i].run(c[1:])
		}
		rep.add(fmt.Sprintf("%s:%d", rep.File, n+1), c[0], o)
	}
	return nil
}

// goldenTiledMMA makes a TiledMMA from three C++ types with semicolons between them: an atom, a layout of atoms and a
// tile.
func goldenTiledMMA(text string) (atom.TiledMMA, error) {
	p := strings.Split(text, ";")
	if len(p) != 3 {
		return atom.TiledMMA{}, fmt.Errorf("expected an atom, a layout and a tile, found %q", text)
	}
	a, err := atom.FindMMA(p[0])
	if err != nil {
		return atom.TiledMMA{}, err
	}
	atoms, err := cute.Parse(fromCPP(p[1]))
	if err != nil {
		return atom.TiledMMA{}, err
	}
	tile, err := cute.ParseTiler(fromCPP(p[2]))
	if err != nil {
		return atom.TiledMMA{}, err
	}
	return atom.MakeTiledMMA(a, atoms, tile)
}

// fromCPP writes a C++ type of a layout, a shape or a tile in girih's language. A layout without strides is compact.
func fromCPP(text string) string {
	head, inner, ok := strings.Cut(text, "<")
	if !ok || !strings.HasSuffix(inner, ">") {
		if text == "Underscore" {
			return "_"
		}
		return judge.Strip(text)
	}
	var parts []string
	for _, p := range judge.SplitTop(strings.TrimSuffix(inner, ">"), ',') {
		parts = append(parts, fromCPP(p))
	}
	switch head {
	case "Layout":
		if len(parts) == 1 {
			t, err := cute.ParseTuple(parts[0])
			if err != nil {
				return text
			}
			l, err := cute.LayoutLeft(t)
			if err != nil {
				return text
			}
			return l.String()
		}
		return strings.Join(parts, ":")
	case "Tile":
		return "<" + strings.Join(parts, ",") + ">"
	}
	return "(" + strings.Join(parts, ",") + ")"
}

// tiledRow runs a TMMA line: tiled operation, ThrLayoutVMNK, tile, and the thread-value layouts of A, B and C.
func tiledRow(c []string) outcome {
	m, err := goldenTiledMMA(c[0])
	if err != nil {
		return outcome{verdict: failed, expr: c[0], got: err.Error(), want: judge.Strip(c[1]), why: "girih refuses"}
	}
	t := m.TileShape()
	if o := equal(c[0]+", thr_layout_vmnk", m.ThrLayoutVMNK(), nil, c[1]); o.verdict != passed {
		return o
	}
	if o := equal(c[0]+", tile_shape", cute.Ints(t[:]...), nil, c[2]); o.verdict != passed {
		return o
	}
	for i, o := range mmaOperands {
		tv, err := m.LayoutTV(o)
		if out := equal(c[0]+", get_layout"+o.String()+"_TV", tv, err, c[3+i]); out.verdict != passed {
			return out
		}
	}
	return pass()
}

var mmaOperands = []atom.Operand{atom.OperandA, atom.OperandB, atom.OperandC}

// A counting tensor's elements are the offsets of its layout.
type counting = tensor.Tensor[int64]

var mmaParts = []func(atom.ThrMMA, counting) (counting, error){
	tiled.PartitionA[atom.ThrMMA, int64], tiled.PartitionB[atom.ThrMMA, int64], tiled.PartitionC[atom.ThrMMA, int64],
}

// equalPart compares the layout and the start of a part of a tensor.
func equalPart(expr string, l cute.Layout, take func(counting) (counting, error), want []string) outcome {
	part, err := take(tensor.Try(tensor.Counting(0, l)))
	if err != nil {
		return equal(expr, nil, err, want[0])
	}
	if out := equal(expr, part.Layout(), nil, want[0]); out.verdict != passed {
		return out
	}
	return equal(expr+", start", cute.Int(part.Start()), nil, want[1])
}

// partitionRow runs a PART line: the tiled operation, M, N and K of the row-major tensors A, B and C, a thread, the
// layout and offset of the thread's part of each tensor, and the shapes of the parts, C first.
func partitionRow(c []string) outcome {
	m, err := goldenTiledMMA(c[0])
	if err != nil {
		return outcome{verdict: failed, expr: c[0], got: err.Error(), want: judge.Strip(c[3]), why: "girih refuses"}
	}
	mnk, err := cute.ParseTuple(judge.Strip(c[1]))
	if err != nil || mnk.Rank() != 3 {
		return outcome{verdict: failed, expr: c[1], got: fmt.Sprint(err), want: "M, N and K", why: "the row is not of the format"}
	}
	thread, err := strconv.ParseInt(c[2], 10, 64)
	if err != nil {
		return outcome{verdict: failed, expr: c[2], got: err.Error(), want: "a thread", why: "the row is not of the format"}
	}
	t, err := m.Thread(thread)
	if err != nil {
		return outcome{verdict: failed, expr: c[0], got: err.Error(), want: judge.Strip(c[3]), why: "girih refuses"}
	}
	e := mnk.Leaves()
	shapes := []cute.Tuple{cute.Ints(e[0], e[2]), cute.Ints(e[1], e[2]), cute.Ints(e[0], e[1])}
	for i, o := range mmaOperands {
		expr := fmt.Sprintf("%s, partition_%v of %v by thread %d", c[0], o, shapes[i], thread)
		layout, err := cute.LayoutRight(shapes[i])
		if err != nil {
			return outcome{verdict: failed, expr: expr, got: err.Error(), want: judge.Strip(c[3+2*i]), why: "girih refuses"}
		}
		part, offset, err := t.Partition(o, layout)
		if out := equal(expr, part, err, c[3+2*i]); out.verdict != passed {
			return out
		}
		if out := equal(expr+", offset", offset, nil, c[4+2*i]); out.verdict != passed {
			return out
		}
		if out := equalPart(expr+", of a tensor", layout, func(x counting) (counting, error) { return mmaParts[i](t, x) },
			c[3+2*i:5+2*i]); out.verdict != passed {
			return out
		}
		shape, err := m.PartitionShape(o, shapes[i])
		if out := equal(expr+", shape", shape, err, c[9+(i+1)%3]); out.verdict != passed {
			return out
		}
	}
	return pass()
}
