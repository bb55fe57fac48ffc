package explain

import (
	"fmt"
	"sort"
	"strings"

	"girih/atom"
	"girih/cute"
)

// This file explains the effect of a permutation of a tiled MMA. The number of an element along an axis of the tile,
// such as M, consists of digits. The lowest digits number the elements of an atom; each is counted by threads or by
// values. The next digit numbers the atoms and is counted by threads; the last digit numbers the repeats and is counted
// by values. A permutation gives each digit a different step in the tensor.

// A tileDigit is one digit of the numbering along an axis of the tile.
type tileDigit struct {
	name    string
	of      string // threads or values
	extent  int64
	factor  int64 // the step without a permutation
	step    int64 // the step with the permutation
	value   bool
	regular bool // the permutation always steps by the same amount
}

// digitsAlong returns the digits of an axis for one operand, ordered by factor.
func digitsAlong(t atom.TiledMMA, o atom.Operand, axis int) ([]tileDigit, bool) {
	m := t.Atom()
	p, err := operandPanel(m, o)
	if err != nil {
		return nil, false
	}
	f, ok := p.formulaOf()
	if !ok {
		return nil, false
	}
	terms := f.row
	if x, _ := o.Axes(); axis != x {
		terms = f.column
	}
	var out []tileDigit
	for _, e := range terms {
		d := tileDigit{
			name: lanes{}.name(e), of: "threads", extent: e.extent, factor: e.step, value: e.value,
		}
		if e.value {
			d.of = "values"
		}
		out = append(out, d)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].factor < out[j].factor })
	atoms := t.AtomLayoutMNK().Modes()[axis].Size()
	whole := m.Shape[axis] * atoms
	if atoms > 1 {
		out = append(out, tileDigit{name: "atom", of: "threads", extent: atoms, factor: m.Shape[axis]})
	}
	if n := t.TileShape()[axis] / whole; n > 1 {
		out = append(out, tileDigit{name: "repeat", of: "values", extent: n, factor: whole, value: true})
	}
	perm := permutationOf(t, axis)
	for i := range out {
		if err := out[i].permute(perm); err != nil {
			return nil, false
		}
	}
	return out, true
}

// permute sets step and regular: the step of the digit under the permutation, and whether all its steps are equal.
func (d *tileDigit) permute(perm cute.Layout) error {
	places, err := cute.New(cute.Int(d.extent), cute.Int(d.factor))
	if err != nil {
		return err
	}
	if d.step, err = perm.At(d.factor); err != nil {
		return err
	}
	moved, err := cute.Composition(perm, places)
	d.regular = err == nil && moved.Shape().IsInt()
	return nil
}

// permutationOf returns the permutation of an axis as a layout.
func permutationOf(t atom.TiledMMA, axis int) cute.Layout {
	if l, ok := t.PermutationMNK()[axis].(cute.Layout); ok {
		return l
	}
	return identity(t.TileShape()[axis])
}

// operandOf returns the operand that shows the permutation of an axis: A for M and K, B for N.
func operandOf(axis int) atom.Operand {
	if axis == 1 {
		return atom.OperandB
	}
	return atom.OperandA
}

// sayPermutation adds the steps for one axis, unless its permutation is the identity.
func sayPermutation(x *Explanation, t atom.TiledMMA, axis int) {
	perm := permutationOf(t, axis)
	n := t.TileShape()[axis]
	if perm.Equal(identity(n)) {
		return
	}
	plain, err := withAxis(t, axis, cute.Int(n))
	if err != nil {
		return
	}
	o := operandOf(axis)
	digits, ok := digitsAlong(t, o, axis)
	letter := axisLetters[axis]
	if ok {
		rows := [][]string{{"digit", "counted by", "elements", fmt.Sprintf("step with %d", n), "step with " + perm.String()}}
		for _, d := range digits {
			step := fmt.Sprint(d.step)
			if !d.regular {
				step = "changes"
			}
			rows = append(rows, []string{d.name, d.of, fmt.Sprint(d.extent), fmt.Sprint(d.factor), step})
		}
		x.sayf("The permutation of %c, %v, changes no thread and no value: it puts the element that the tile numbers p at %s = %v(p). In p, threads t, values i, atoms and repeats of %v are digits, and each gets a new step.",
			letter, perm, strings.ToLower(string(letter)), perm, o).show(align(rows)...)
	}
	before, err1 := tilePanel(plain, o)
	after, err2 := tilePanel(t, o)
	values := len(before.tableV)
	if err1 != nil || err2 != nil || len(after.tableV) != values {
		return
	}
	rows := [][]string{{"", fmt.Sprintf("with %d", n), "with " + perm.String()}}
	for i := range min(values, 16) {
		rows = append(rows, []string{fmt.Sprintf("T0V%d", i), before.placeOf(i), after.placeOf(i)})
	}
	mode := 0
	if first, _ := o.Axes(); first != axis {
		mode = 1
	}
	was, is := before.run(mode), after.run(mode)
	text := fmt.Sprintf("The values of thread 0 of %v are in %s along %c without the permutation, and in %s with it.",
		o, runText(was, values), letter, runText(is, values))
	if is > was {
		text += whyRun(digits, is)
	}
	x.say(text, align(rows)...)
}

func runText(run int64, values int) string {
	switch run {
	case int64(values):
		return fmt.Sprintf("one run of %d", run)
	case 0, 1:
		return "no run"
	}
	return fmt.Sprintf("runs of %d", run)
}

// whyRun says which of the digits counted by values form the run.
func whyRun(digits []tileDigit, run int64) string {
	var values []tileDigit
	for _, d := range digits {
		if d.value && d.regular {
			values = append(values, d)
		}
	}
	sort.Slice(values, func(i, j int) bool { return values[i].step < values[j].step })
	next, parts := int64(1), []string(nil)
	for _, d := range values {
		if d.step != next || next >= run {
			break
		}
		parts = append(parts, fmt.Sprintf("%d in steps of %d", d.extent, d.step))
		next *= d.extent
	}
	if next != run || len(parts) < 2 {
		return ""
	}
	return fmt.Sprintf(" The digits of values come first in the tensor: %s, which is %d consecutive elements; the "+
		"digits of threads step over them.", strings.Join(parts, ", then "), run)
}

// placeOf returns the place of a value of thread 0.
func (p panel) placeOf(value int) string { return p.at(p.tableT[0] + p.tableV[value]) }

// run returns how many first values of thread 0 are consecutive elements along a mode: the extent of their coordinates'
// first mode. It returns 0 if the coordinates are not a layout.
func (p panel) run(mode int) int64 {
	places, err1 := cute.MakeIdentityLayout(cute.Ints(p.rows, p.columns))
	step, err2 := cute.Basis(1, mode)
	if err1 != nil || err2 != nil {
		return 0
	}
	values, err := cute.Composition(places, p.derived.Modes()[1])
	if err != nil {
		return 0
	}
	if first := leavesOf(cute.Coalesce(values))[0]; first.Stride.Equal(step) {
		return first.Extent
	}
	return 1
}

// withAxis returns the tiled MMA with another permutation of one axis.
func withAxis(t atom.TiledMMA, axis int, p cute.Tiler) (atom.TiledMMA, error) {
	modes := t.PermutationMNK()
	modes[axis] = p
	return atom.MakeTiledMMA(t.Atom(), t.AtomLayoutMNK(), cute.MakeTile(modes[:]...))
}

// wider offers a permutation that makes longer runs of the values of A or B, if such a permutation exists for the same
// tile.
func wider(x *Explanation, t atom.TiledMMA) {
	m := t.Atom()
	for _, o := range []atom.Operand{atom.OperandA, atom.OperandB} {
		from, major := m.AFrom, m.AMajor
		if o == atom.OperandB {
			from, major = m.BFrom, m.BMajor
		}
		first, axis := o.Axes()
		mode := 1
		if major == atom.MNMajor {
			axis, mode = first, 0
		}
		if from != atom.Registers {
			continue
		}
		digits, ok := digitsAlong(t, o, axis)
		if !ok {
			continue
		}
		all := int64(1)
		for _, d := range digits {
			if d.value {
				all *= d.extent
			}
		}
		now, err := tilePanel(t, o)
		if err != nil || now.run(mode) >= all {
			continue
		}
		tile, err := atom.FindPermutation(t, o, axis, all)
		if err != nil {
			continue
		}
		other, err := atom.MakeTiledMMA(m, t.AtomLayoutMNK(), tile)
		if err != nil || other.TileShape() != t.TileShape() {
			continue
		}
		then, err := tilePanel(other, o)
		is, got := now.run(mode), then.run(mode)
		if err != nil || got <= is {
			continue
		}
		x.instead(fmt.Sprintf("The values of a thread of %v are in %s along %c. With this permutation they are in %s, which one wide copy moves:",
			o, runText(is, len(now.tableV)), axisLetters[axis], runText(got, len(then.tableV))), tiledText(other), "")
	}
}

// explainFindPermutation explains how the permutation is constructed.
func explainFindPermutation(op *Operation, x *Explanation) {
	t, ok := op.tiledMMAArg(0)
	o, isOperand := op.operandArg(1)
	axis := strings.Index(axisLetters, op.letterArg(2))
	run, isInt := op.integerArg(3)
	x.Source = sourceTiledMMA
	x.Rule = "A permutation gives each digit of the numbering of the tile a step in the tensor. The digits that values count come first, in the order of the values, until they make the run; all others follow in their order."
	if !ok || !isOperand || axis < 0 || !isInt {
		return
	}
	want := wantedRun{operand: o, axis: axis, length: run}
	if tile, ok := op.Result.Value.(cute.Tile); ok {
		if other, err := atom.MakeTiledMMA(t.Atom(), t.AtomLayoutMNK(), tile); err == nil {
			sayFoundPermutation(x, other, want)
		}
		return
	}
	nearRuns(op, x, t, want)
}

// A wantedRun is the run of values that find_permutation should make along an axis of an operand.
type wantedRun struct {
	operand atom.Operand
	axis    int
	length  int64
}

// sayFoundPermutation shows how the permutation of a tiled MMA makes the run.
func sayFoundPermutation(x *Explanation, t atom.TiledMMA, want wantedRun) {
	digits, ok := digitsAlong(t, want.operand, want.axis)
	if !ok {
		return
	}
	rows := [][]string{{"digit", "counted by", "elements", "step before", "step after"}}
	for _, d := range digits {
		rows = append(rows, []string{d.name, d.of, fmt.Sprint(d.extent), fmt.Sprint(d.factor), fmt.Sprint(d.step)})
	}
	letter := axisLetters[want.axis]
	x.sayf("Along %c the tile of %v has %d elements. A run of %d needs the digits of values at the lowest steps:",
		letter, want.operand, t.TileShape()[want.axis], want.length).show(align(rows)...)
	var lines []string
	if p, err := tilePanel(t, want.operand); err == nil {
		for i := range min(len(p.tableV), 16) {
			lines = append(lines, fmt.Sprintf("T0V%d => %s", i, p.placeOf(i)))
		}
	}
	x.sayf("The permutation of %c is %s. The values of thread 0 are then:",
		letter, permutationText(t.PermutationMNK()[want.axis])).show(lines...)
}

// nearRuns offers lengths of runs, near the wanted length, for which a permutation exists.
func nearRuns(op *Operation, x *Explanation, t atom.TiledMMA, want wantedRun) {
	o, axis, run := want.operand, want.axis, want.length
	digits, ok := digitsAlong(t, o, axis)
	if !ok {
		return
	}
	held := int64(1)
	for _, d := range digits {
		if d.value && d.name != "repeat" {
			held *= d.extent
		}
	}
	for _, n := range []int64{run / held * held, (run/held + 1) * held} {
		if n < 1 {
			continue
		}
		if tile, err := atom.FindPermutation(t, o, axis, n); err == nil {
			x.instead(fmt.Sprintf("A run of %d, which is a multiple of the %d values along %c that a thread has of one atom:",
				n, held, axisLetters[axis]),
				fmt.Sprintf("find_permutation(%s, %v, %c, %d)", op.Args[0].Text, o, axisLetters[axis], n), tile.String())
		}
	}
}
