package explain

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"

	"girih/cute"
	"girih/internal/ints"
)

// This file explains complements. The modes of A, sorted by stride, leave a gap between each stride and the block that
// the smaller strides cover. The complement fills each gap with a mode, and then repeats the block up to the cotarget.

const (
	complementRule   = "Sort the modes by stride, except modes of stride 0 or extent 1. Between the block that the smaller strides cover and the next stride d there is a gap of d/block copies of that block, which the mode (d/block):block fills; the block then is extent·d. The rest of the cotarget repeats the block."
	weakRule         = "Sort the modes by stride, except modes of stride 0 or extent 1. Between the block that the smaller strides cover and the next stride d there is room for floor(d/block) copies of that block, which the mode floor(d/block):block takes; the block then is extent·d. The rest of the cotarget repeats the block. Copies of A at these offsets do not overlap; where the block does not divide a stride they leave offsets free, and A has no complement."
	weakSource       = "Cecka, CuTe Layout Representation and Algebra, arXiv 2603.02298, 3.5; PyCuTe, pycute/layout.py, _complement"
	complementSource = "CuTe, include/cute/layout.hpp, complement; Shah, CuTe layout algebra, Def. 2.5-2.6; that the condition is necessary: Colfax, arXiv 2601.05972, 2.1.6.21"
)

func complement(op *Operation, x *Explanation) {
	a, ok := op.layoutArg(0)
	if !ok {
		return
	}
	x.Rule, x.Source = complementRule, complementSource
	weak := op.Name == "weak_complement"
	if weak {
		x.Rule, x.Source = weakRule, weakSource
	}
	if a.HasBasis() {
		x.Rule += " With coordinate strides that is done for each axis on its own, up to the extent of the cotarget there."
		if cotarget, ok := complementTarget(op, a); ok {
			complementAxes(op, x, a, cotarget)
		}
		return
	}
	cotarget, ok := complementTarget(op, a)
	if !ok {
		return
	}
	d, err := op.Until.Derive(op.Name, a, cotarget)
	g := gapsOf(d)
	if g.moves {
		step := x.sayf("The modes of A by their strides, and the gaps before them (block starts at %d):", 1).show(g.lines...)
		if !weak {
			step.Figure = &Figure{Kind: "complement", Expr: x.Expr, Caption: "A, and the gaps that its complement fills"}
		}
	}
	if op.Err != nil {
		if op.Err.Code == cute.CodeNotDivisible {
			blockDoesNotDivide(x, a, g.block, cotarget)
		} else {
			notComplementable(x, a, g, cotarget)
		}
		return
	}
	if err != nil {
		return
	}
	sayRest(x, d, g)
	sayBoth(x, a, d.Result)
	if r, ok := op.layoutResult(); ok {
		checkComplement(x, a, r)
	}
}

// sayBoth lists the offsets that A and its complement cover, separately and together.
func sayBoth(x *Explanation, a, r cute.Layout) {
	f := cute.Filter(a)
	both, err := cute.MakeLayout(f, r)
	if err != nil {
		return
	}
	text := fmt.Sprintf("A counts within a copy, R over the copies: (A,R) = %v", both)
	if l, ok := byStride(both); ok {
		text += fmt.Sprintf(", which in the order of the strides is %v", l)
	}
	x.say(text+".", columns([]string{"", "offsets"}, []string{"A", values(f, 16)},
		[]string{"R", values(r, 16)}, []string{"(A,R)", values(both, 24)})...)
}

// byStride returns the leaves of a layout except leaves of extent 1, sorted by stride.
func byStride(l cute.Layout) (cute.Layout, bool) {
	var leaves []leaf
	for _, f := range leavesOf(l) {
		if f.Extent > 1 {
			leaves = append(leaves, f)
		}
	}
	stride := func(f leaf) int64 { d, _ := f.Stride.Int64(); return d }
	sort.SliceStable(leaves, func(i, j int) bool { return stride(leaves[i]) < stride(leaves[j]) })
	r, err := layoutOf(leaves)
	return r, err == nil
}

// complementTarget returns the cotarget of the operation: its second operand, or the cosize.
func complementTarget(op *Operation, a cute.Layout) (cute.Tuple, bool) {
	if len(op.Args) == 1 {
		t, err := a.Coshape()
		return t, err == nil
	}
	if l, ok := arg[cute.Layout](op, 1); ok {
		return l.Shape(), true
	}
	return arg[cute.Tuple](op, 1)
}

// gaps describes the gaps between the modes of a layout, ordered by stride.
type gaps struct {
	fill  []leaf // the gaps as modes
	block int64  // the number of offsets that the modes and the gaps cover
	lines []string
	moves bool   // some mode has a nonzero stride, so there are lines
	bad   string // the condition that a stride violates, if any
	pair  string
}

// gapsIn returns the gaps in a layout that the named kind of complement fills, and whether all numbers fit in 64 bits.
func gapsIn(l cute.Layout, name string) (gaps, bool) {
	d, err := cute.Derive(name, l)
	e, failed := errors.AsType[*cute.Error](err)
	return gapsOf(d), !failed || e.Code != cute.CodeOverflow
}

// gapsOf returns the gaps that the complement with derivation d fills.
func gapsOf(d *cute.Derivation) gaps {
	g := gaps{block: 1}
	steps := stepsOf[cute.Gap](d)
	rows := [][]string{{"mode", "block before", "gap = stride/block", "filled by", "block after"}}
	before := "1"
	for _, s := range steps {
		d, _ := s.Mode.Stride.Int64()
		if s.Block == 1 {
			before = "1" // the first gap along an axis
		}
		if d < 0 {
			g.bad, g.pair = fmt.Sprintf("the stride %d is negative", d), s.Mode.String()
			break
		}
		exact := fmt.Sprintf("%d/%d = %d", d, s.Block, s.Copies)
		if s.After == 0 {
			exact = fmt.Sprintf("%d/%d: not whole", d, s.Block)
			rows = append(rows, []string{s.Mode.String(), itoa(s.Block), exact, "-", "-"})
			g.bad = fmt.Sprintf("%d does not divide %d: the smaller strides cover blocks of %d, and the stride %d is not a "+
				"multiple of that", s.Block, d, s.Block, d)
			g.pair = fmt.Sprintf("the mode %v and the modes of smaller stride, %s", s.Mode, before)
			break
		}
		if s.Copies*s.Block != d {
			exact = fmt.Sprintf("%d/%d: %d fit", d, s.Block, s.Copies)
		}
		fill := "nothing"
		if s.Copies > 1 {
			g.fill = append(g.fill, integerLeaf(s.Copies, s.Block))
			fill = g.fill[len(g.fill)-1].String()
		}
		g.block = s.After
		rows = append(rows,
			[]string{s.Mode.String(), itoa(s.Block), exact, fill, fmt.Sprintf("%d·%d = %d", s.Mode.Extent, d, s.After)})
		if before == "1" {
			before = s.Mode.String()
		} else {
			before += " and " + s.Mode.String()
		}
	}
	g.lines, g.moves = columns(rows...), len(steps) > 0
	return g
}

// sayRest describes how the block is repeated up to the cotarget.
func sayRest(x *Explanation, d *cute.Derivation, g gaps) {
	cotarget, ok := d.B.(cute.Tuple)
	rests := stepsOf[cute.Repeat](d)
	if !ok || len(rests) == 0 {
		return
	}
	size, rest := rests[0].Cotarget[0], rests[0].Times
	text, repeat := "1:0", "nothing repeats it"
	modes := slices.Clone(g.fill)
	if rest > 1 {
		modes = append(modes, integerLeaf(rest, g.block))
		repeat = fmt.Sprintf("it is repeated by %d:%d", rest, g.block)
	}
	if len(modes) > 0 {
		text = leafText(modes)
	}
	round := ""
	if covered, ok := ints.Mul(rest, g.block); ok && size%g.block != 0 {
		round = fmt.Sprintf(", rounded up, which covers %d", covered)
	}
	of := ""
	if !cotarget.IsInt() {
		of = fmt.Sprintf(", the size of %v,", cotarget)
	}
	x.sayf("Up to %d%s the block of %d goes %d/%d = %s%s: %s. Together: %s.",
		size, of, g.block, size, g.block, Count(rest, "time"), round, repeat, text)
}

// checkComplement counts what A and its complement cover together.
func checkComplement(x *Explanation, a, r cute.Layout) {
	f := cute.Filter(a)
	both, err := cute.MakeLayout(f, r)
	if err != nil {
		return
	}
	weak := x.Op == "weak_complement" // a weak complement may leave offsets free
	if both.Size() > 4*mostChecked {
		ok, w, err := cute.IsBijective(both)
		switch {
		case err != nil:
		case ok:
			x.Check = fmt.Sprintf("(A,R) = %v is a bijection onto the offsets below %d: %d elements of A times %d of R",
				both, both.Size(), f.Size(), r.Size())
		case !weak:
			x.refute("that (A,R) is a bijection", "offset %v", w.Value)
		}
		return
	}
	offsets, err := both.AppendOffsets(nil)
	if err != nil {
		return
	}
	offsets = sortedCopy(offsets)
	for i, o := range offsets {
		if i > 0 && o == offsets[i-1] {
			x.refute("that the offsets of (A,R) are each there once", "offset %d", o)
			return
		}
		if o != int64(i) && !weak {
			x.refute("that the offsets of (A,R) are all from 0 on", "offset %d", i)
			return
		}
	}
	x.Check = fmt.Sprintf("the %d offsets of (A,R), %d of A times %d of R, are 0 to %d, each once",
		len(offsets), f.Size(), r.Size(), len(offsets)-1)
	if top := offsets[len(offsets)-1]; top >= int64(len(offsets)) {
		x.Check = fmt.Sprintf("the %d offsets of (A,R), %d of A times %d of R, are each there once, and %s up to %d stay free",
			len(offsets), f.Size(), r.Size(), Count(top+1-int64(len(offsets)), "offset"), top)
	}
}

// blockDoesNotDivide says that the cotarget is not a multiple of the block, and offers cotargets that are multiples.
func blockDoesNotDivide(x *Explanation, a cute.Layout, block int64, cotarget cute.Tuple) {
	size, err := cotarget.Product()
	if err != nil || block < 1 {
		return
	}
	x.Failure.Condition = fmt.Sprintf("%d does not divide %d: A with its gaps covers blocks of %d", block, size, block)
	x.Failure.Pair = fmt.Sprintf("the block %d and the cotarget %v", block, cotarget)
	for _, m := range []int64{size / block * block, ints.CeilDiv(size, block) * block} {
		if r, err := cute.ComplementExact(a, cute.Int(m)); m > 0 && err == nil {
			x.instead(fmt.Sprintf("up to %d, %s the block", m, Count(m/block, "time")),
				fmt.Sprintf("complement_exact(%v, %d)", a, m), r.String())
		}
	}
}

// notComplementable explains why there is no complement, and offers layouts that have one.
func notComplementable(x *Explanation, a cute.Layout, g gaps, cotarget cute.Tuple) {
	if g.bad == "" {
		return
	}
	x.Failure.Condition, x.Failure.Pair = g.bad, g.pair
	weak := x.Op == "weak_complement"
	if h, o, i, j, found := collision(a); found {
		if h == 0 {
			x.sayf("A reaches offset %d twice, at index %d and at index %d: nothing can make that a bijection.", o, i, j)
		} else if !weak {
			x.sayf("A leaves offset %d free, so a copy of A has to start there; but offset %d is A(%d), and then also %d + A(%d).",
				h, o, i, h, j)
		}
	}
	if r, err := cute.WeakComplement(a, cotarget); err == nil {
		x.instead("the weak complement, whose copies of A do not overlap, but leave offsets free",
			fmt.Sprintf("weak_complement(%v, %v)", a, cotarget), r.String())
	}
	if spread, ok := SpreadStrides(a); ok {
		if r, err := cute.Complement(spread, cotarget); err == nil {
			x.instead("with strides padded to the next multiple of the block",
				fmt.Sprintf("complement(%v, %v)", spread, cotarget), r.String())
		}
	}
}

// collision returns the first free offset h at which a copy of A has to start but would overlap A, the offset o that
// both reach, and the indices i and j with o = A(i) = h + A(j). If h = 0, A itself reaches o twice.
func collision(a cute.Layout) (h, o, i, j int64, found bool) {
	if a.Size() > mostChecked {
		return 0, 0, 0, 0, false
	}
	f := cute.FilterZeros(a)
	offsets, err := f.AppendOffsets(nil)
	if err != nil {
		return 0, 0, 0, 0, false
	}
	first := make(map[int64]int64)
	for k, u := range offsets {
		if u < 0 {
			return 0, 0, 0, 0, false
		}
		if at, twice := first[u]; twice {
			return 0, u, at, int64(k), true
		}
		first[u] = int64(k)
	}
	taken := make(map[int64]bool)
	for _, u := range offsets {
		taken[u] = true
	}
	budget := 64 * mostChecked
	for h = 1; budget > 0; h++ {
		if budget--; taken[h] {
			continue
		}
		budget -= 3 * len(offsets)
		for k, u := range offsets {
			if at, own := first[h+u]; own {
				return h, h + u, at, int64(k), true
			}
		}
		for _, u := range offsets {
			if taken[h+u] {
				return 0, 0, 0, 0, false
			}
		}
		for _, u := range offsets {
			taken[h+u] = true
		}
	}
	return 0, 0, 0, 0, false
}

// SpreadStrides returns a with each stride rounded up to the next multiple of the block that the smaller strides
// cover.
func SpreadStrides(a cute.Layout) (cute.Layout, bool) {
	all := leavesOf(a)
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	stride := func(i int) int64 { d, _ := all[i].Stride.Int64(); return d }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(stride(i), stride(j)) })
	block := int64(1)
	for _, i := range order {
		d := stride(i)
		if d < 0 {
			return a, false
		}
		if all[i].Extent == 1 || d == 0 {
			continue
		}
		d = ints.CeilDiv(d, block) * block
		all[i].Stride = cute.Int(d)
		var ok bool
		if block, ok = ints.Mul(all[i].Extent, d); !ok {
			return a, false
		}
	}
	r, err := withLeaves(a, all)
	return r, err == nil
}
