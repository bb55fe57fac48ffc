package explain

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
)

// This file explains MMA and copy instructions. The thread-value layouts of their operands are derived in tv_derive.go.

// mmaExplainers explains MMA and copy instructions.
func mmaExplainers() map[string]explainer {
	return map[string]explainer{
		"mma":       explainMMA,
		"mma_atom":  explainMMA,
		"tv":        explainTV,
		"thr_id":    explainThrID,
		"shape_mnk": explainShapeMNK,
		"owners":    explainOwners,
		"copy_atom": explainCopyAtom,
	}
}

// hint adds the hint of an error as an alternative.
func (x *Explanation) hint(err *cute.Error) {
	if err != nil && err.Hint != "" {
		x.instead(strings.ToUpper(err.Hint[:1])+err.Hint[1:], "", "")
	}
}

// mmaArg returns operand i as an MMA. The operand is an MMA or the quoted name of an MMA.
func (op *Operation) mmaArg(i int) (atom.MMA, bool) {
	if m, ok := arg[atom.MMA](op, i); ok {
		return m, true
	}
	if i >= len(op.Args) || op.Args[i].Value != nil {
		return atom.MMA{}, false
	}
	name, err := strconv.Unquote(op.Args[i].Text)
	if err != nil {
		return atom.MMA{}, false
	}
	m, err := atom.FindMMA(name)
	return m, err == nil
}

// letterArg returns operand i as one letter: A, B, C, S or D.
func (op *Operation) letterArg(i int) string {
	if i >= len(op.Args) {
		return ""
	}
	return strings.Trim(op.Args[i].Text, "()")
}

// operandArg returns operand i as one of A, B and C.
func (op *Operation) operandArg(i int) (atom.Operand, bool) {
	n := strings.Index("ABC", op.letterArg(i))
	return atom.Operand(max(n, 0)), n >= 0 && len(op.letterArg(i)) == 1
}

var abc = [3]atom.Operand{atom.OperandA, atom.OperandB, atom.OperandC}

// explainMMA explains an instruction: its computation, the threads that execute it, and the jumps of each operand.
func explainMMA(op *Operation, x *Explanation) {
	m, ok := op.Result.Value.(atom.MMA)
	if !ok {
		x.hint(op.Err)
		return
	}
	x.Rule = "An MMA instruction is a shape M, N, K, the threads that execute it, and for A, B and C the layout (thread, value) -> index of an element. " +
		"The index counts the first mode fastest: (M,K) for A, (N,K) for B, (M,N) for C."
	x.Source = m.Source
	s := m.Shape
	x.sayf("%s multiplies A, %d by %d of %v, with B, %d by %d of %v, and adds C, %d by %d of %v%s: %d multiplications by %s.",
		m.Name, s[0], s[2], m.Types.A, s[2], s[1], m.Types.B,
		s[0], s[1], m.Types.C, blocksText(m), s[0]*s[1]*s[2]*max(m.Blocks, 1), Count(m.Threads(), "thread")).
		show(opcode(m.Text)...).Figure = &Figure{Kind: "mma", Expr: op.Result.Text, Caption: "which thread holds each element of A, B and C"}
	sayThreads(x, m)
	var checks []string
	for _, o := range abc {
		p, err := operandPanel(m, o)
		if err != nil {
			return
		}
		lines := align(append(p.jumpRows(p.threadWalk()), p.jumpRows(p.valueWalk())...))
		lines = append(lines, p.formulaLines(m.Threads())...)
		x.sayf("%s, %s = %d by %s = %d: %s. %s.",
			p.name, p.axes[0], p.rows, p.axes[1], p.columns, m.TVText(o), holding(m, o)).
			show(lines...)
		if c, err := m.Coverage(o); err == nil {
			checks = append(checks, p.name+": "+coverageText(c))
		}
	}
	x.Check = strings.Join(checks, "; ") + "."
	if m.Sparse != nil {
		x.notef("Of each %d elements of A along K %d are kept; the layout counts the others too, and the metadata, in %v, says which.",
			m.Sparse.Of, m.Sparse.Kept, m.Sparse.From)
	}
	if m.Scale != nil {
		x.notef("%d elements along K share a scale factor of type %v, in %v.", m.Scale.Vector, m.Scale.Type, m.Scale.From)
	}
}

// blocksText says how many blocks an instruction multiplies.
func blocksText(m atom.MMA) string {
	if m.Blocks > 1 {
		return fmt.Sprintf(", for each of %d blocks", m.Blocks)
	}
	return ""
}

// opcode returns the instruction without its operands.
func opcode(text string) []string {
	if name, _, ok := strings.Cut(text, " "); ok {
		return []string{name}
	}
	if text == "" {
		return nil
	}
	return []string{text}
}

// sayThreads says which threads of the warp, or of the CTA, execute the instruction.
func sayThreads(x *Explanation, m atom.MMA) {
	n := m.ThrID.Size()
	if n == 1 {
		return
	}
	ids, err := m.ThrID.AppendOffsets(nil)
	if err != nil {
		return
	}
	for i, id := range ids {
		if id == int64(i) {
			continue
		}
		x.sayf("The instruction numbers its threads 0 to %d. ThrID %v says which threads of the warp they are: thread %d is lane %d.",
			n-1, m.ThrID, i, id).show("thread  "+runs(sequence(n)), "lane    "+runs(ids))
		return
	}
	x.sayf("ThrID %v: thread t of the instruction is %s.", m.ThrID, groupOf(m))
}

func groupOf(m atom.MMA) string {
	switch {
	case m.CFrom == atom.TensorMemory:
		return "CTA t of the pair"
	case m.Threads() == 128:
		return "thread t of the warpgroup"
	case m.Threads() == 64:
		return "lane t of the wavefront"
	}
	return "lane t of the warp"
}

func sequence(n int64) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(i)
	}
	return out
}

// runs formats numbers and joins consecutive numbers: 0-3 16-19.
func runs(xs []int64) string {
	var b []byte
	for i := 0; i < len(xs); {
		j := i + 1
		for j < len(xs) && xs[j] == xs[j-1]+1 {
			j++
		}
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, xs[i], 10)
		if j-i > 1 {
			b = append(b, '-')
			b = strconv.AppendInt(b, xs[j-1], 10)
		}
		i = j
	}
	return string(b)
}

// holding describes how much of an operand a thread holds, and where.
func holding(m atom.MMA, o atom.Operand) string {
	from, element, regs := m.AFrom, m.Types.A, m.Registers.A
	switch o {
	case atom.OperandB:
		from, element, regs = m.BFrom, m.Types.B, m.Registers.B
	case atom.OperandC:
		from, element, regs = m.CFrom, m.Types.C, m.Registers.C
	}
	switch from {
	case atom.SharedMemory:
		return "The matrix is in shared memory: all threads pass one descriptor, so the threads have stride 0"
	case atom.TensorMemory:
		return "The matrix is in tensor memory, and the instruction gets its address"
	}
	values := m.Values(o)
	if regs.Count == 0 {
		return fmt.Sprintf("Each thread holds %s", Count(values, "value"))
	}
	width := int64(element.Bits())
	total := int64(regs.Count) * int64(regs.Bits)
	text := fmt.Sprintf("Each thread holds %s of %v in %s of %d bits",
		Count(values, "value"), element, Count(regs.Count, "register"), regs.Bits)
	if n := int64(regs.Bits) / max(width, 1); n > 1 && values*width == total {
		text += fmt.Sprintf(", %d to a register: %s in register 0, the first one in the low bits", n, valueNames(n))
	}
	return text
}

func valueNames(n int64) string {
	if n == 2 {
		return "V0 and V1"
	}
	return fmt.Sprintf("V0 to V%d", n-1)
}

// coverageText says how many threads hold each element.
func coverageText(c atom.Coverage) string {
	switch {
	case c.Bijective():
		return fmt.Sprintf("each of the %d elements is held once", c.Elements)
	case c.Broadcast() > 1:
		return fmt.Sprintf("each of the %d elements is held %d times", c.Elements, c.Broadcast())
	case c.Outside > 0:
		return fmt.Sprintf("%d of %d elements are held, and %d values are outside", c.Held, c.Elements, c.Outside)
	}
	return fmt.Sprintf("%d of %d elements are held, %d to %d times", c.Held, c.Elements, c.Least, c.Most)
}

// explainThrID says which threads take part.
func explainThrID(op *Operation, x *Explanation) {
	x.Rule = "ThrID leads from the number of a thread within the instruction to its number in the warp, the wavefront or the warpgroup."
	if m, ok := op.mmaArg(0); ok {
		x.Source = m.Source
		if m.ThrID.Size() == 1 {
			x.sayf("%s is an instruction of a single thread.", m.Name)
		}
		sayThreads(x, m)
	}
}

// explainShapeMNK explains the three numbers of shape_mnk.
func explainShapeMNK(op *Operation, x *Explanation) {
	m, ok := op.mmaArg(0)
	if !ok {
		return
	}
	s := m.Shape
	x.Rule = "Shape_MNK has the extents of the matrices of one instruction: A is M by K, B is N by K, C is M by N."
	x.Source = m.Source
	x.sayf("%s has M = %d, N = %d, K = %d: %d·%d·%d = %d multiplications%s.",
		m.Name, s[0], s[1], s[2], s[0], s[1], s[2], s[0]*s[1]*s[2], blocksText(m))
}

// explainOwners splits the index of an element into the digits of threads and values.
func explainOwners(op *Operation, x *Explanation) {
	x.Rule = "The holders of an element are the pairs (thread, value) that the thread-value layout leads to its index."
	o, ok := op.operandArg(1)
	c, isTuple := arg[cute.Tuple](op, 2)
	if !ok || !isTuple || len(c.Leaves()) != 2 {
		return
	}
	at := c.Leaves()
	var p panel
	var holders []atom.Holder
	var err, none error
	name := func(t int64) string { return fmt.Sprintf("T%d", t) }
	if m, ok := op.mmaArg(0); ok {
		name = func(t int64) string {
			if n := m.Lane(t); n != t {
				return fmt.Sprintf("T%d, thread %d of ThrID %v,", n, t, m.ThrID)
			}
			return fmt.Sprintf("T%d", t)
		}
		p, err = operandPanel(m, o)
		holders, none = m.Owners(o, atom.Place{Row: at[0], Column: at[1]})
	} else if t, ok := op.tiledMMAArg(0); ok {
		p, err = tilePanel(t, o)
		holders, none = t.Owners(o, cute.Ints(p.rows, p.columns), at[0], at[1])
	} else {
		return
	}
	if err != nil || none != nil {
		return
	}
	index := at[0] + p.rows*at[1]
	x.sayf("The element (%d,%d) of %s has the index %d + %d·%d = %d.", at[0], at[1], p.name, at[0], at[1], p.rows, index)
	if f, ok := p.formulaOf(); ok {
		x.sayf("The thread t and the value i hold %s = %s, %s = %s. Each digit of t and i is one that gives %d and %d.",
			strings.ToLower(p.axes[0]), lanes{}.text(f.row), strings.ToLower(p.axes[1]), lanes{}.text(f.column), at[0], at[1])
	}
	sort.Slice(holders, func(i, j int) bool {
		a, b := holders[i], holders[j]
		return a.Value < b.Value || a.Value == b.Value && a.Thread < b.Thread
	})
	var lines []string
	for _, h := range holders[:min(len(holders), 8)] {
		dt, dv := p.tableT[h.Thread], p.tableV[h.Value]
		why := fmt.Sprintf("%d of the thread + %d of the value = %d", dt, dv, index)
		if dt+dv != index { // [atom.TiledMMA.Notes] explains the difference
			why = "of an atom further along K, whose threads get_layoutC_TV leads out of the tile"
		}
		lines = append(lines, fmt.Sprintf("%s V%d: %s", name(h.Thread), h.Value, why))
	}
	if n := len(holders); n > 8 {
		lines = append(lines, fmt.Sprintf("and %d more", n-8))
	}
	x.sayf("%s: %s.", p.tv, Count(len(holders), "holder")).show(lines...)
}

// explainCopyAtom says what a copy instruction moves, and which elements each thread addresses and holds.
func explainCopyAtom(op *Operation, x *Explanation) {
	a, ok := op.result().copyAtomArg(0)
	if !ok {
		x.hint(op.Err)
		return
	}
	x.Rule = "A copy instruction has two layouts (thread, bit) -> bit: of its source and of its destination. A bit of the source goes to where the same number is in the destination. " +
		"A Copy_Atom counts values of its type instead of bits."
	x.Source = a.Source
	bits := int64(a.Type.Bits())
	x.sayf("%s moves %s with %s: %d values of %v.", a.Name,
		Count(a.Bits(), "bit"), Count(a.Threads(), "thread"), a.Bits()/max(bits, 1), a.Type).show(opcode(a.Text)...)
	for _, side := range []struct {
		name   string
		layout cute.Layout
		side   atom.CopySide
		raw    cute.Layout
	}{{"source", a.ValSrc, a.From, a.Src}, {"destination", a.ValDst, a.To, a.Dst}} {
		p, err := newPanel(side.name, [2]string{"value", ""}, [3]int64{max(a.Bits()/max(bits, 1), 1), 1, 1}, side.layout)
		if err != nil {
			continue
		}
		x.sayf("The %s is %v of bits, and %v of values of %d bits. %s.",
			side.name, side.raw, side.layout, bits, sideText(side.side)).show(p.valueLines()...)
	}
	ref := "destination"
	if a.ValRef.Equal(a.ValSrc) {
		ref = "source"
	}
	x.sayf("The %s is the reference: the thread-value layout of a TiledCopy is about it.", ref)
	if a.Note != "" {
		x.Notes = append(x.Notes, a.Note)
	}
}

// sideText describes what one thread passes to the instruction.
func sideText(s atom.CopySide) string {
	switch {
	case s.Space == atom.Registers:
		return fmt.Sprintf("A thread passes %s of %d bits", Count(s.Count, "register"), s.Unit)
	case s.Space == atom.Anywhere:
		return fmt.Sprintf("A thread has %d bits in a register, or at an address that is a multiple of %d bits",
			s.Unit, s.Align)
	case s.Align > 0:
		return fmt.Sprintf("A thread passes an address in %v, a multiple of %[3]d bits, where %[2]d bits follow without a gap",
			s.Space, s.Unit, s.Align)
	}
	return fmt.Sprintf("A thread passes %d bits in %v", s.Unit, s.Space)
}

// valueLines returns the jumps of the threads and values of p as index steps, without rows and columns.
func (p panel) valueLines() []string {
	var rows [][]string
	for _, w := range [...]walk{p.threadWalk(), p.valueWalk()} {
		for _, j := range w.jumps {
			text := fmt.Sprintf("step %d", j.step)
			if j.step == 0 {
				text = "the same values"
			}
			rows = append(rows, []string{fmt.Sprintf("%s0 -> %s%d", w.letter, w.letter, j.size), text, Count(j.extent, w.noun)})
		}
	}
	return align(rows)
}
