package explain

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"girih/atom"
	"girih/cute"
)

// This file reads a thread-value layout as a person reads the picture of an instruction: in which direction is the next
// thread, how many threads continue in this direction, and which direction is next?
//
//	thread    T0 T1 T2 T3   T4 T5 T6 T7        SM70_8x8x4_F32F16F16F32, C, M = 8
//	index      0  1 16 17    4  5 20 21
//	T0 -> T1   +1   and T2 is not at 2:        2 threads
//	T0 -> T2  +16   and T4 is not at 32:       2 threads
//	T0 -> T4   +4                              2 threads
//
// Steps in one direction form one mode. No two of these modes can be merged, so they are the modes of the coalesced
// layout.

// A jump is one mode of the threads or values: the digit t/size % extent, and the number that one step of the digit
// adds to the index, the row or the column.
type jump struct {
	size   int64 // the product of the earlier extents, which is the number of the first thread or value that jumps
	extent int64
	step   int64
}

// jumps returns the modes of a coalesced layout of threads, or of values.
func jumps(l cute.Layout) []jump {
	var out []jump
	size := int64(1)
	for _, f := range leavesOf(l) {
		if step, ok := f.Stride.Int64(); ok && f.Extent > 1 {
			out = append(out, jump{size: size, step: step, extent: f.Extent})
			size *= f.Extent
		}
	}
	return out
}

// A panel is one operand of an instruction or of a tile: a matrix whose elements are held by threads.
type panel struct {
	name          string // A
	axes          [2]string
	rows, columns int64
	blocks        int64
	tv            cute.Layout
	derived       cute.Layout // tv with coalesced threads and coalesced values
	threads       []jump
	values        []jump
	tableT        []int64 // the index of value 0 of each thread
	tableV        []int64 // the index of each value of thread 0
}

// newPanel computes the jumps from the coalesced layout.
func newPanel(name string, axes [2]string, extents [3]int64, tv cute.Layout) (panel, error) {
	p := panel{name: name, axes: axes, rows: extents[0], columns: extents[1], blocks: extents[2], tv: tv}
	if tv.Rank() != 2 || tv.HasBasis() || p.rows < 1 || p.columns < 1 {
		return p, &cute.Error{
			Code: cute.CodeRank,
			Op:   "tv",
			Msg:  fmt.Sprintf("expected a layout of threads and values, found %v", tv),
		}
	}
	if tv.Size() > cute.EnumLimit {
		return p, &cute.Error{
			Code: cute.CodeLimit,
			Op:   "tv",
			Msg: fmt.Sprintf("%v has %d threads times values, and each of at most %d is looked at",
				tv, tv.Size(), cute.EnumLimit),
		}
	}
	modes := tv.Modes()
	var err error
	if p.tableT, err = modes[0].AppendOffsets(nil); err != nil {
		return p, err
	}
	if p.tableV, err = modes[1].AppendOffsets(nil); err != nil {
		return p, err
	}
	if p.derived, err = coalescedModes(tv); err != nil {
		return p, err
	}
	modes = p.derived.Modes()
	p.threads, p.values = jumps(modes[0]), jumps(modes[1])
	return p, nil
}

// coalescedModes returns a layout of threads and values with each of its two modes coalesced.
func coalescedModes(tv cute.Layout) (cute.Layout, error) {
	return cute.CoalesceProfile(tv, cute.Ints(1, 1))
}

// operandPanel returns the panel of an operand of an instruction.
func operandPanel(m atom.MMA, o atom.Operand) (panel, error) {
	rows, columns := m.Extents(o)
	return newPanel(o.String(), operandAxes(o), [3]int64{rows, columns, max(m.Blocks, 1)}, m.TV(o))
}

func operandAxes(o atom.Operand) [2]string {
	switch o {
	case atom.OperandA:
		return [2]string{"M", "K"}
	case atom.OperandB:
		return [2]string{"N", "K"}
	}
	return [2]string{"M", "N"}
}

// at returns the place of an index as text: (8,2), followed by the block if there are several.
func (p panel) at(index int64) string {
	b := appendInts(make([]byte, 0, 16), index%p.rows, index/p.rows%p.columns)
	if p.blocks > 1 {
		b = fmt.Appendf(b, " of block %d", index/(p.rows*p.columns))
	} else if index >= p.rows*p.columns {
		return "outside"
	}
	return string(b)
}

func appendInts(b []byte, x, y int64) []byte {
	b = append(b, '(')
	b = strconv.AppendInt(b, x, 10)
	b = append(b, ',')
	b = strconv.AppendInt(b, y, 10)
	return append(b, ')')
}

// stepText returns a step of the index as a step in rows plus a step in columns: 1 + 2·8 = 17.
func (p panel) stepText(step int64) string {
	m, n := step%p.rows, step/p.rows
	switch {
	case n == 0:
		return itoa(step)
	case m == 0:
		return fmt.Sprintf("%d·%d = %d", n, p.rows, step)
	}
	return fmt.Sprintf("%d + %d·%d = %d", m, n, p.rows, step)
}

// A walk leads from one thread to the next, or from one value to the next. It consists of the letter T or V, the noun
// thread or value, the jumps, and a table with the index of each thread or value.
type walk struct {
	letter, noun string
	jumps        []jump
	table        []int64
}

func (p panel) threadWalk() walk { return walk{"T", "thread", p.threads, p.tableT} }
func (p panel) valueWalk() walk  { return walk{"V", "value", p.values, p.tableV} }

// jumpRows returns the jumps of the threads or values as rows of cells.
func (p panel) jumpRows(w walk) [][]string {
	rows := make([][]string, 0, len(w.jumps))
	for _, j := range w.jumps {
		rows = append(rows, []string{
			fmt.Sprintf("%s0 -> %s%d", w.letter, w.letter, j.size),
			fmt.Sprintf("%s -> %s", p.at(0), p.at(j.step)),
			"step " + p.stepText(j.step),
			Count(j.extent, w.noun),
			p.endText(w, j),
		})
	}
	return rows
}

// endText says at which thread or value a mode ends.
func (p panel) endText(w walk, j jump) string {
	next := j.size * j.extent
	if next >= int64(len(w.table)) {
		return ""
	}
	return fmt.Sprintf("%s%d is at %s, index %d, and not at %d·%d = %d",
		w.letter, next, p.at(w.table[next]), w.table[next], j.extent, j.step, j.extent*j.step)
}

// align formats rows of cells as columns two blanks apart.
func align(rows [][]string) []string {
	var widths []int
	for _, r := range rows {
		for i, c := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	out := make([]string, len(rows))
	var b strings.Builder
	for k, r := range rows {
		b.Reset()
		for i, c := range r {
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(c)
			for n := utf8.RuneCountInString(c); n < widths[i]; n++ {
				b.WriteByte(' ')
			}
		}
		out[k] = strings.TrimRight(b.String(), " ")
	}
	return out
}

// integers joins one number of each jump as a tuple: (2,2,2).
func integers(js []jump, of func(jump) int64) string {
	parts := make([]string, len(js))
	for i, j := range js {
		parts[i] = itoa(of(j))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, ",") + ")"
}
