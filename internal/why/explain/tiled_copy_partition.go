package explain

import (
	"fmt"

	"girih/atom"
	"girih/cute"
)

// explainCopyTV explains the thread-value layouts of a tiled copy.
func explainCopyTV(op *Operation, x *Explanation, c atom.TiledCopy) {
	side, name := c.LayoutSrcTV(), "source"
	if op.letterArg(1) == "D" {
		side, name = c.LayoutDstTV(), "destination"
	}
	p, err := copyPanel("the "+name, c, side)
	if err != nil {
		return
	}
	x.Source = sourceTiledCopy
	derive(x, p, derivation{what: "The tile of the " + name, figure: op.Expr(), threads: c.Size()})
}

// sayTidfrg adds the steps that divide a tensor among threads and values, and returns the final layout.
func sayTidfrg(x *Explanation, c atom.TiledCopy, side string, tensor cute.Layout) (all cute.Layout, ok bool) {
	stages := c.ThrfrgStagesS
	if side == "D" {
		stages = c.ThrfrgStagesD
	}
	s, err := stages(tensor)
	if err != nil {
		if s.Tiles.Rank() > 0 && s.Rest.Rank() == 0 {
			x.sayf("The tile %s does not divide the tensor %v: CuTe's zipped_divide rounds up to %v, and the rest has to be predicated.",
				c.TilerText(), tensor, s.Tiles.Shape())
		}
		return all, false
	}
	if all, err = s.Join(); err != nil {
		return all, false
	}
	x.sayf("Divide by the tile %s: zipped_divide(%v, %s) = (tile, tiles).", c.TilerText(), tensor, c.TilerText()).
		show(s.Tiles.String())
	x.sayf("Compose the tile with the thread-value layout of this side, %v: (thread, (value of the instruction, "+
		"instructions)).", s.Side).show(s.Own.String())
	x.say("Followed by the tiles: (thread, value, (rest of M, rest of N)).", all.String())
	x.Check = fmt.Sprintf("The layout is what tidfrg_%s returns at all %d elements.", side, all.Size())
	return all, true
}

// partitionOfCopy explains partition_S and partition_D.
func partitionOfCopy(op *Operation, x *Explanation, c atom.TiledCopy, of share) {
	side := op.letterArg(1)
	if side != "S" && side != "D" {
		return
	}
	x.Source = sourceTiledCopy
	x.Rule = fmt.Sprintf("partition_%s divides the tensor by the tile, composes a tile with the thread-value layout, "+
		"and takes one thread: the offset is the offset of its mode, the layout is (value, rest of M, rest of N).", side)
	if of.outside != "" {
		x.say(of.outside)
	}
	all, ok := sayTidfrg(x, c, side, of.tensor)
	if !ok {
		return
	}
	own, err := c.Thread(of.thread)
	if err != nil {
		return
	}
	part, offset, err := own.PartitionS(of.tensor)
	if side == "D" {
		part, offset, err = own.PartitionD(of.tensor)
	}
	if err != nil {
		return
	}
	x.sayf("Thread %d begins at %v(%d) = %v, and goes on with %v: %s for each instruction and tile.",
		of.thread, all.Modes()[0], of.thread, offset, part, Count(part.Modes()[0].Size(), "value"))
	sayAccess(x, c, side, part)
}

// sayAccess says whether the values of one instruction have the memory layout that the instruction needs.
func sayAccess(x *Explanation, c atom.TiledCopy, side string, part cute.Layout) {
	a := c.Atom()
	s, per := a.From, a.NumValSrc()
	if side == "D" {
		s, per = a.To, a.NumValDst()
	}
	if s.Space == atom.Registers || part.HasBasis() || a.Type.Bits() == 0 {
		return
	}
	values := part.Modes()[0]
	need := min(s.Unit/int64(a.Type.Bits()), per)
	row := int64(1) // consecutive values in memory
	if next := jumps(cute.Coalesce(values)); len(next) > 0 && next[0].step == 1 {
		row = next[0].extent
	}
	if row < min(need, values.Size()) {
		if at, err := values.At(row); err == nil {
			x.sayf("%s needs %d consecutive values from one address on, %d bits. Value %d is %d after value 0 and not %d: this tensor does not fit, where CuTe reports that it failed to vectorize.",
				a.Name, need, s.Unit, row, at, row)
		}
		return
	}
	if need > 1 {
		x.sayf("%s needs %d consecutive values from one address on, %d bits, and they are: offsets 0 to %d from the first.",
			a.Name, need, s.Unit, need-1)
	}
}

// explainRetile explains retile_S and retile_D.
func explainRetile(op *Operation, x *Explanation) {
	c, ok := op.tiledCopyArg(0)
	fragment, isLayout := op.layoutArg(2)
	x.Source = "CUTLASS, cute/atom/copy_atom.hpp, TiledCopy::retile"
	x.Rule = "A fragment belongs to one thread, and retile does not move anything: it gives the values the modes that the copy counts them by, (values of one instruction, rest), so that copy goes through source and destination in the same order."
	if !ok || !isLayout {
		return
	}
	a := c.Atom()
	values := c.LayoutTV().Modes()[1].Size()
	x.sayf("A thread has %s of the tile in the thread-value layout %v, and the instruction %s takes %d at a time: %s for a tile.",
		Count(values, "value"), c.LayoutTV(), a.Name, a.NumVal(), Count(values/a.NumVal(), "instruction"))
	if fragment.Rank() == 0 {
		return
	}
	first := fragment.Modes()[0]
	x.sayf("Mode 0 of the fragment %v has %s, the other modes are what the tensor has of them.",
		fragment, Count(first.Size(), "value"))
	r, ok := op.Result.Value.(cute.Layout)
	if !ok {
		if first.Size() > 0 && values%first.Size() != 0 && first.Size()%values != 0 {
			x.sayf("Neither %d divides %d nor %d divides %d: the instruction would begin in the middle of one group and end in another.",
				first.Size(), values, values, first.Size())
		}
		return
	}
	from, err := fragment.AppendOffsets(nil)
	if err != nil {
		return
	}
	to, err := r.AppendOffsets(nil)
	if err != nil {
		return
	}
	x.sayf("The result %v has the same %d offsets, in the order in which the copy takes them:", r, len(from)).
		show(offsetLines(to, int(a.NumVal()))...)
	x.Check = sameOffsets(from, to)
}

// offsetLines lists the offsets of the n values that each of the first 8 instructions copies. For n = 1, it lists the
// offsets of the first 64 values in one line.
func offsetLines(offsets []int64, n int) []string {
	const most = 8
	if n == 1 {
		return align([][]string{{"values 0 to " + fmt.Sprint(len(offsets)-1), runs(offsets[:min(len(offsets), 64)])}})
	}
	rows := [][]string{{"instruction", "offsets in the fragment"}}
	for i := 0; n > 1 && i+n <= len(offsets) && i/n < most; i += n {
		rows = append(rows, []string{fmt.Sprint(i / n), runs(offsets[i : i+n])})
	}
	if n > 1 && len(offsets) > most*n {
		rows = append(rows, []string{fmt.Sprintf("and %d more", len(offsets)/n-most)})
	}
	return align(rows)
}

// sameOffsets says whether two lists contain the same offsets in any order.
func sameOffsets(a, b []int64) string {
	seen := make(map[int64]int, len(a))
	for _, x := range a {
		seen[x]++
	}
	for _, x := range b {
		seen[x]--
	}
	for _, n := range seen {
		if n != 0 {
			return "The result and the fragment differ in their offsets."
		}
	}
	return fmt.Sprintf("The result and the fragment have the same %d offsets.", len(a))
}
