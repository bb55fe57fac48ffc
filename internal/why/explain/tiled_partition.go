package explain

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
)

// This file describes the partitions of a tiled MMA in words: the divides and the composition that CuTe's thrfrg
// applies to a tensor, and the slice at one thread.

// sayThrfrg adds the steps that divide a tensor among threads and values.
func sayThrfrg(x *Explanation, t atom.TiledMMA, o atom.Operand, tensor cute.Layout) (atom.ThrfrgStages, bool) {
	s, err := t.ThrfrgStages(o, tensor)
	if err != nil {
		return s, false
	}
	composed, err1 := cute.MakeLayout(s.Own, s.Atoms.Modes()[1])
	result, err2 := s.Zip()
	if err1 != nil || err2 != nil {
		return s, false
	}
	axisX, axisY := o.Axes()
	a, b := string(axisLetters[axisX]), string(axisLetters[axisY])
	name := func(f string) string { return strings.NewReplacer("X", a, "Y", b).Replace(f) }
	x.sayf("Divide by the permutation, so that each mode is a tile and the tiles: logical_divide(%v, %s) = %s.",
		tensor, tileText(s.Perm), name("((PermX,RestX),(PermY,RestY))")).show(s.Permuted.String())
	x.sayf("Divide by the atom, %s by %s of %v: zipped_divide by %s = %s.",
		a, b, o, tileText(s.Atom), name("((AtomX,AtomY),(RestX,RestY))")).show(s.Atoms.String())
	x.sayf("Compose mode 0 with the layout of the atom, %v: an element of the atom becomes the thread and the value "+
		"that hold it, (ThrV,FrgV).", t.Atom().TVText(o)).show(composed.String())
	x.sayf("Divide mode 1, the atoms, by how many stand side by side over threads, %s: %s.",
		tileText(s.Across), name("((ThrX,ThrY),(RestX,RestY))")).show(s.Rest.String())
	x.say("Zip the two, threads with threads and values with values: "+
		name("((ThrV,(ThrX,ThrY)),(FrgV,(RestX,RestY)))")+".", result.String())
	x.Check = fmt.Sprintf("The last line is what thrfrg_%v returns at all %d elements.", o, result.Size())
	return s, true
}

// tileText returns a tile with integers in place of identities: <(4,4,2):(1,8,4),4>.
func tileText(t cute.Tile) string {
	parts := make([]string, t.Rank())
	for i, m := range t.Modes() {
		parts[i] = permutationText(m)
	}
	return "<" + strings.Join(parts, ",") + ">"
}

// explainThrfrg explains thrfrg_A, thrfrg_B and thrfrg_C, and tidfrg_S and tidfrg_D.
func explainThrfrg(op *Operation, x *Explanation) {
	tensor, ok := op.layoutArg(2)
	if c, isCopy := op.tiledCopyArg(0); isCopy && ok {
		x.Source = sourceTiledCopy
		x.Rule = "tidfrg divides the tensor by the tile, and composes a tile with the thread-value layout: (thread, value, rest)."
		if all, ok := sayTidfrg(x, c, op.letterArg(1), tensor); ok {
			x.compare(op, "that the layout is the result", all)
		}
		return
	}
	t, isMMA := op.tiledMMAArg(0)
	o, isOperand := op.operandArg(1)
	if !ok || !isMMA || !isOperand {
		return
	}
	x.Source = sourceTiledMMA
	x.Rule = "thrfrg divides the tensor by the permutation, the atom and the layout of atoms, and composes an atom with its thread-value layout: ((ThrV,(ThrX,ThrY)),(FrgV,(RestX,RestY)))."
	s, ok := sayThrfrg(x, t, o, tensor)
	if !ok {
		tensorDoesNotFit(x, t, o, tensor)
		return
	}
	if made, err := s.Zip(); err == nil {
		x.compare(op, "that the last line is the result", made)
	}
}

// A share is the part of a tensor that one thread has. The field outside is a remark about the tensor's outer function,
// if any.
type share struct {
	tensor  cute.Layout
	thread  int64
	outside string
}

// explainPartition explains which part of a tensor one thread has.
func explainPartition(op *Operation, x *Explanation) {
	var of share
	var ok, isInt bool
	of.thread, isInt = op.integerArg(3)
	of.tensor, ok = op.layoutArg(2)
	if c, isComposed := arg[cute.Composed](op, 2); isComposed {
		of.tensor, ok = c.Layout(), !c.HasBasis()
		of.outside = fmt.Sprintf("%v is a function after the layout %v: the layout is partitioned, the offset of the thread "+
			"is added to it, and the function stays outside.", c, c.Layout())
	}
	if !ok || !isInt {
		return
	}
	if c, isCopy := op.tiledCopyArg(0); isCopy {
		partitionOfCopy(op, x, c, of)
		return
	}
	t, isMMA := op.tiledMMAArg(0)
	o, isOperand := op.operandArg(1)
	if !isMMA || !isOperand {
		return
	}
	x.Source = sourceTiledMMA
	x.Rule = fmt.Sprintf("partition_%v is thrfrg_%v of the tensor at one thread: the offset is the offset of the thread's "+
		"mode, the layout is (FrgV,RestX,RestY).", o, o)
	if of.outside != "" {
		x.say(of.outside)
	}
	s, ok := sayThrfrg(x, t, o, of.tensor)
	if !ok {
		tensorDoesNotFit(x, t, o, of.tensor)
		return
	}
	own, err := t.Thread(of.thread)
	if err != nil {
		return
	}
	v := own.VMNK()
	axisX, axisY := o.Axes()
	x.sayf("Thread %d is in thr_layout_vmnk %v the thread %d of the atom (%d,%d,%d). Of these %v needs V = %d, %c = %d and %c = %d.",
		of.thread, t.ThrLayoutVMNK(), v[0], v[1], v[2], v[3],
		o, v[0], axisLetters[axisX], v[axisX+1], axisLetters[axisY], v[axisY+1])
	part, offset, err := own.Partition(o, of.tensor)
	if err != nil {
		return
	}
	x.sayf("The first element: %s. The values are the rest, %v: %s of an atom, and %s.",
		offsetText(s, [3]int64{v[0], v[axisX+1], v[axisY+1]}, offset),
		part, Count(part.Modes()[0].Size(), "value"), restsText(part))
}

// offsetText returns the offset of a thread, (ThrV,ThrX,ThrY), as the sum of its parts.
func offsetText(s atom.ThrfrgStages, thread [3]int64, offset cute.Tuple) string {
	if s.Own.HasBasis() || s.Rest.HasBasis() {
		return fmt.Sprintf("the coordinate %v", offset)
	}
	threads := s.Own.Modes()[0]
	across := s.Rest.Modes()[0].Modes()
	parts := make([]string, 0, 3)
	for _, p := range []struct {
		name string
		l    cute.Layout
		at   int64
	}{{"ThrV", threads, thread[0]}, {"ThrX", across[0], thread[1]}, {"ThrY", across[1], thread[2]}} {
		d, err := p.l.At(p.at)
		if err != nil {
			return fmt.Sprintf("offset %v", offset)
		}
		if p.l.Size() > 1 {
			parts = append(parts, fmt.Sprintf("%v(%d) = %d", p.l, p.at, d))
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("offset %v", offset)
	}
	return fmt.Sprintf("%s, together the offset %v", strings.Join(parts, ", "), offset)
}

func restsText(part cute.Layout) string {
	var sizes []string
	for _, m := range part.Modes()[1:] {
		sizes = append(sizes, fmt.Sprint(m.Size()))
	}
	return strings.Join(sizes, " by ") + " atoms"
}

// tensorDoesNotFit offers sizes that the tile divides, near the sizes of the tensor.
func tensorDoesNotFit(x *Explanation, t atom.TiledMMA, o atom.Operand, tensor cute.Layout) {
	if tensor.Rank() != 2 || x.Failure == nil {
		return
	}
	tile := t.TileShape()
	axisX, axisY := o.Axes()
	var rows [][]string
	var up [2]int64
	for i, axis := range [2]int{axisX, axisY} {
		n := tensor.Modes()[i].Size()
		reach, err := permutationOf(t, axis).Cosize()
		if err != nil {
			return
		}
		reach = max(reach, tile[axis])
		up[i] = (n + reach - 1) / reach * reach
		rows = append(rows, []string{
			string(axisLetters[axis]), fmt.Sprintf("tensor %d", n),
			fmt.Sprintf("tile %d", reach), fmt.Sprintf("%d = %d·%d + %d", n, n/reach, reach, n%reach),
		})
	}
	x.say("The tile has to divide each mode of the tensor.", align(rows)...)
	if l, err := cute.LayoutLeft(cute.Ints(up[0], up[1])); err == nil {
		if _, err := t.Thrfrg(o, l); err == nil {
			x.instead(fmt.Sprintf("A tensor of %d by %d, whose elements outside of %v an identity tensor of the same "+
				"partition tells apart (predication):", up[0], up[1], tensor.Shape()), "", "")
		}
	}
}

// explainPartitionShape explains partition_shape_A, partition_shape_B and partition_shape_C.
func explainPartitionShape(op *Operation, x *Explanation) {
	t, isMMA := op.tiledMMAArg(0)
	o, isOperand := op.operandArg(1)
	shape, isShape := arg[cute.Tuple](op, 2)
	if !isMMA || !isOperand || !isShape {
		return
	}
	x.Source = sourceTiledMMA
	x.Rule = "The shape of a partition is (FrgV,RestX,RestY): the values that a thread has of one atom, and how many atoms it does along the two modes."
	tensor, err := cute.LayoutLeft(shape)
	if err != nil {
		return
	}
	if op.Err != nil {
		tensorDoesNotFit(x, t, o, tensor)
		return
	}
	axisX, axisY := o.Axes()
	counts := t.AtomLayoutMNK().Modes()
	var rows [][]string
	for i, axis := range [2]int{axisX, axisY} {
		if i >= tensor.Rank() {
			return
		}
		n, of, by := tensor.Modes()[i].Size(), t.Atom().Shape[axis], counts[axis].Size()
		rows = append(rows, []string{
			string(axisLetters[axis]),
			fmt.Sprintf("%d elements / (%d of an atom · %s) = %d", n, of, Count(by, "atom"), n/(of*by)),
		})
	}
	x.sayf("A thread has %s of %v of one atom, %v. The number of rounds of all atoms for the tensor:",
		Count(t.Atom().Values(o), "value"), o, t.Atom().TV(o).Modes()[1].Shape()).show(align(rows)...)
}
