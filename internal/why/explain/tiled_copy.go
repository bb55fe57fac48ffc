package explain

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
)

const sourceTiledCopy = "CUTLASS, cute/atom/copy_atom.hpp, TiledCopy"

// explainTiledCopy derives the thread-value layout and the tiler from a layout of threads and a layout of values.
func explainTiledCopy(op *Operation, x *Explanation) {
	x.Source = "CUTLASS, cute/atom/copy_atom.hpp, make_tiled_copy"
	x.Rule = "The two layouts number the threads and the values of a tile. Their raked product numbers all elements of the tile by thread and value, its right inverse leads back from (thread, value) to the element, and its shape is the tile."
	a, ok := op.copyAtomArg(0)
	thr, isLayout := op.layoutArg(1)
	if !ok || !isLayout {
		return
	}
	val := cute.MustParse("1:0")
	if len(op.Args) > 2 {
		if val, ok = op.layoutArg(2); !ok {
			return
		}
	}
	x.sayf("thr_layout %v has %s; val_layout %v gives each %s. Together %d·%d = %d elements.",
		thr, Count(thr.Size(), "thread"), val, Count(val.Size(), "value"), thr.Size(), val.Size(), thr.Size()*val.Size())
	if !sayRaked(x, thr, val) {
		notOneToOne(op, x, thr, val)
		return
	}
	c, ok := op.result().tiledCopyArg(0)
	if !ok {
		failedFit(op, x, a, assignment{thr.Size(), val.Size()})
		return
	}
	sayCopy(x, op.Result.Text, c)
}

// sayRaked adds the steps from the two layouts to the thread-value layout and the tiler.
func sayRaked(x *Explanation, thr, val cute.Layout) bool {
	r, err := atom.RakeThreads(thr, val)
	if err != nil {
		return false
	}
	x.sayf("raked_product(%v, %v) = %v leads from the element (m,n) to thread + %d·value. Values come first in each "+
		"mode, so that the values of a thread are contiguous.", thr, val, r.Product, thr.Size())
	x.sayf("Its right inverse %v leads from thread + %d·value to the element.", r.Inverse, thr.Size())
	x.sayf("with_shape (%d,%d) takes the number apart again: (thread, value) -> element is %v.",
		thr.Size(), val.Size(), r.TV)
	x.sayf("The tiler is the product of each mode of the shape %v: %v.", r.Product.Shape(), r.Tiler)
	return true
}

// notOneToOne says which of the two layouts does not give each number from 0 to size-1 to one coordinate.
func notOneToOne(op *Operation, x *Explanation, thr, val cute.Layout) {
	for _, l := range []struct {
		name   string
		layout cute.Layout
	}{{"thr_layout", thr}, {"val_layout", val}} {
		ok, w, err := cute.IsBijective(l.layout)
		if err != nil || ok {
			continue
		}
		where := ""
		if w != nil && w.Other != nil {
			where = fmt.Sprintf(": %v and %v have the number %v", w.Coord, *w.Other, w.Value)
		}
		x.sayf("%s %v does not give each number from 0 to %d to one coordinate%s.", l.name, l.layout, l.layout.Size()-1, where)
		compact, err := cute.LayoutLeft(l.layout.Shape())
		if err != nil || op.Err == nil {
			continue
		}
		if l.name == "thr_layout" {
			x.instead("Threads numbered along the first mode:",
				fmt.Sprintf("tiled_copy(%s, %v, %v)", op.Args[0].Text, compact, val), "")
		} else {
			x.instead("Values numbered along the first mode:",
				fmt.Sprintf("tiled_copy(%s, %v, %v)", op.Args[0].Text, thr, compact), "")
		}
	}
}

// sayCopy describes how the instruction regroups the thread-value layout.
func sayCopy(x *Explanation, expr string, c atom.TiledCopy) {
	a := c.Atom()
	x.Steps[len(x.Steps)-1].Figure = &Figure{Kind: "copy", Expr: expr, Caption: "which threads read and write each element of the tile"}
	threads, values := c.LayoutTV().Modes()[0].Size(), c.LayoutTV().Modes()[1].Size()
	x.sayf("%s takes %s and %s of %v from each: %d/%d = %d and %d/%d = %d, so each thread executes %s for a tile.",
		a.Name, Count(a.ValRef.Modes()[0].Size(), "thread"),
		Count(a.NumVal(), "value"), a.Type, threads, a.ValRef.Modes()[0].Size(), threads/a.ValRef.Modes()[0].Size(),
		values, a.NumVal(), values/a.NumVal(), Count(values/a.NumVal(), "instruction"))
	s, d := c.LayoutSrcTV(), c.LayoutDstTV()
	if eq, _ := cute.Equivalent(s, d); eq {
		x.sayf("Source and destination are alike: (thread, (value of the instruction, instructions)) -> element is %v.", s)
	} else {
		x.sayf("The instruction moves values between threads, so the source is not the destination: thread and value "+
			"name the element %v, and hold %v.", s, d)
	}
	sayVector(x, c)
	if p, err := copyPanel("tile", c, c.LayoutTV()); err == nil {
		x.Check = "In the tile, " + coverageText(p.coverage()) + "."
	}
}

// sayVector says how many values of a thread are contiguous in the tile. This number limits the width of the thread's
// accesses.
func sayVector(x *Explanation, c atom.TiledCopy) {
	a := c.Atom()
	side, name := c.LayoutSrcTV(), "source"
	if a.From.Space == atom.Registers {
		side, name = c.LayoutDstTV(), "destination"
	}
	next := jumps(cute.Coalesce(side.Modes()[1])) // how one value leads to the next
	if len(next) == 0 || c.Shape().Rank() == 0 {
		return
	}
	bits := int64(a.Type.Bits())
	sizes, err := cute.ProductEach(c.Shape())
	if err != nil {
		return
	}
	extents := sizes.Leaves()
	stride := int64(1)
	for i, n := range extents {
		if run := min(next[0].extent, n); next[0].step == stride && run > 1 {
			x.sayf("The first %d values that a thread has of the %s are neighbours along mode %d of the tile. Where this mode has the stride 1 in memory they are %d·%d = %d bits that one access can move; the instruction moves %d bits for a thread.",
				run, name, i, run, bits, run*bits, a.NumVal()*bits)
			return
		}
		stride *= n
	}
}

// copyPanel returns the panel of a tiled copy: mode 0 of the tile counts the rows, and the other modes count the
// columns.
func copyPanel(name string, c atom.TiledCopy, tv cute.Layout) (panel, error) {
	rows := c.TileSize()
	if sizes, err := cute.ProductEach(c.Shape()); err == nil && len(sizes.Leaves()) > 1 {
		rows = sizes.Leaves()[0]
	}
	return newPanel(name, [2]string{"M", "N"}, [3]int64{rows, c.TileSize() / max(rows, 1), 1}, tv)
}

// An assignment is the number of threads of a copy, and the number of values per thread.
type assignment struct{ threads, values int64 }

// failedFit says how many threads and values an instruction takes, and whether these numbers divide the copy's.
func failedFit(op *Operation, x *Explanation, a atom.CopyAtom, to assignment) {
	if op.Err == nil {
		return
	}
	takesThreads, takesValues := a.ValRef.Modes()[0].Size(), a.NumVal()
	bits := int64(a.Type.Bits())
	x.sayf("%s takes %s and from each %s of %v, %d bits. There are %s with %s: %s and %s.",
		a.Name, Count(takesThreads, "thread"), Count(takesValues, "value"),
		a.Type, takesValues*bits, Count(to.threads, "thread"), Count(to.values, "value"),
		quotient(to.threads, takesThreads), quotient(to.values, takesValues))
	if to.values%takesValues != 0 {
		n := (to.values + takesValues - 1) / takesValues * takesValues
		if op.Name == "tiled_copy" {
			for _, shape := range []string{fmt.Sprintf("(1,%d)", n), fmt.Sprintf("(%d,1)", n)} {
				x.instead(fmt.Sprintf("%d values for each thread, along one mode:", n),
					fmt.Sprintf("tiled_copy(%s, %s, %s)", op.Args[0].Text, op.Args[1].Text, shape), "")
			}
		}
		narrower(op, x, a, to.values)
	}
	if to.threads%takesThreads != 0 {
		x.instead(fmt.Sprintf("A multiple of %d threads, since the instruction is one of %d together.",
			takesThreads, takesThreads), "", "")
	}
}

// quotient returns text that says whether b divides a.
func quotient(a, b int64) string {
	if b > 0 && a%b == 0 {
		return fmt.Sprintf("%d divides %d", b, a)
	}
	return fmt.Sprintf("%d does not divide %d", b, a)
}

// narrower offers a narrower instruction, whose width in bits divides the bits of a thread's values.
func narrower(op *Operation, x *Explanation, a atom.CopyAtom, values int64) {
	bits := values * int64(a.Type.Bits())
	if a.Kind != atom.UniversalCopy && a.Kind != atom.AsyncCopy {
		return
	}
	for _, w := range []int64{128, 64, 32, 16, 8} {
		if bits%w != 0 || w >= a.NumVal()*int64(a.Type.Bits()) {
			continue
		}
		name := fmt.Sprintf("UniversalCopy<uint%d_t>", w)
		if a.Kind == atom.AsyncCopy {
			if w < 32 {
				return
			}
			name = fmt.Sprintf("SM80_CP_ASYNC_CACHEALWAYS<uint%d_t>", w)
		}
		if _, err := atom.FindCopyAtom(name, a.Type.String()); err != nil {
			continue
		}
		rest := make([]string, 0, 2)
		for _, o := range op.Args[1:] {
			rest = append(rest, o.Text)
		}
		x.instead(fmt.Sprintf("An instruction of %d bits for a thread:", w),
			fmt.Sprintf("%s(copy_atom(%q, %q), %s)", op.Name, name, a.Type.String(), strings.Join(rest, ", ")), "")
		return
	}
}

// explainTiledCopyTV explains make_tiled_copy_impl.
func explainTiledCopyTV(op *Operation, x *Explanation) {
	x.Source = "CUTLASS, cute/atom/copy_atom.hpp, make_tiled_copy_impl"
	x.Rule = "The layout leads from (thread, value) to the index in the tile, the first mode fastest; the tiler says which coordinates of a tensor the tile has. The instruction's threads and values have to divide the threads and values of the layout."
	if op.Name == "tiled_copy" { // a value in its canonical form
		x.Source = "CUTLASS, cute/atom/copy_atom.hpp, make_tiled_copy_impl"
	}
	a, ok := op.copyAtomArg(0)
	tv, isLayout := op.layoutArg(1)
	if !ok || !isLayout || tv.Rank() != 2 {
		return
	}
	threads, values := tv.Modes()[0].Size(), tv.Modes()[1].Size()
	x.sayf("%v has %s with %s each.", tv, Count(threads, "thread"), Count(values, "value"))
	if c, ok := op.result().tiledCopyArg(0); ok {
		sayCopy(x, op.Result.Text, c)
		return
	}
	if threads%a.ValRef.Modes()[0].Size() != 0 || values%a.NumVal() != 0 {
		failedFit(op, x, a, assignment{threads, values})
	}
}

// explainTiledCopyLike explains make_tiled_copy_A and its relatives.
func explainTiledCopyLike(op *Operation, x *Explanation) {
	x.Source = "CUTLASS, cute/atom/copy_atom.hpp, make_tiled_copy_A"
	x.Rule = "The new copy has the thread-value layout of the tiled MMA or copy that it feeds, so that each thread has the elements that it needs there, in the same order."
	a, ok := op.copyAtomArg(0)
	if !ok {
		return
	}
	if t, isMMA := op.tiledMMAArg(1); isMMA {
		o, isOperand := op.operandArg(2)
		tv, err := t.LayoutTV(o)
		if !isOperand || err != nil {
			return
		}
		shape := t.TileShape()
		axisX, axisY := o.Axes()
		x.sayf("get_layout%v_TV of the tiled MMA is %v on a tile of %d by %d.", o, tv, shape[axisX], shape[axisY])
		likeResult(op, x, a, tv)
		return
	}
	if c, isCopy := op.tiledCopyArg(1); isCopy {
		tv := c.LayoutSrcTV()
		if op.letterArg(2) == "D" {
			tv = c.LayoutDstTV()
		}
		x.sayf("get_layout%s_TV of the tiled copy is %v on the tile %v.", op.letterArg(2), tv, c.Shape())
		likeResult(op, x, a, tv)
	}
}

func likeResult(op *Operation, x *Explanation, a atom.CopyAtom, tv cute.Layout) {
	if c, ok := op.result().tiledCopyArg(0); ok {
		sayCopy(x, op.Result.Text, c)
		return
	}
	failedFit(op, x, a, assignment{tv.Modes()[0].Size(), tv.Modes()[1].Size()})
}
