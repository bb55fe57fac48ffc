package explain

import (
	"fmt"

	"girih"
)

const (
	productRule   = "A x B = (A, A* o B), where A* enumerates the places for copies of A: first those in its gaps, then one block after the other without end. Mode 0 is A itself, mode 1 takes the copies in the order that B says."
	productSource = "CuTe, include/cute/layout.hpp, logical_product, blocked_product, raked_product"
)

// productForms says how the results of the products are arranged.
var productForms = map[string]string{
	"logical": "((M,TileM),(N,TileN),L,...)",
	"zipped":  "((M,N),(TileM,TileN,L,...))",
	"tiled":   "((M,N),TileM,TileN,L,...)",
	"flat":    "(M,N,TileM,TileN,L,...)",
}

func product(op *Operation, x *Explanation) {
	a, ok := op.layoutArg(0)
	t, isTiler := op.tilerArg(1)
	if !ok || !isTiler {
		return
	}
	form := formOf(op.Name)
	x.Source = productSource
	x.Rule = productRule + arranged(op.Name, t, productForms[form])
	logical, ok := productModes(x, a, t, "")
	if !ok || op.Err != nil {
		failedProduct(op, x, a, t)
		return
	}
	r, ok := arrange(x, logical, t, form)
	if !ok {
		return
	}
	setFigure(x, "product", "the block, and where its copies go")
	x.derive(r)
	checkProduct(x, a, r)
}

// productModes adds the steps of a logical product, mode by mode where the tiler says so.
func productModes(x *Explanation, a girih.Layout, t girih.Tiler, path string) (girih.Layout, bool) {
	if b, ok := wholeTiler(t); ok {
		copies, ok := sayCopies(x, a, b, modeName(path))
		if !ok {
			return a, false
		}
		r, err := girih.MakeLayout(a, copies)
		if err == nil {
			x.say(fmt.Sprintf("Block and copies together: %v.", r))
		}
		return r, err == nil
	}
	if t == girih.Keep {
		x.say(fmt.Sprintf("%s, %v, stays: _", modeName(path), a))
		return a, true
	}
	ts, ok := tilersOf(t)
	ms := a.Modes()
	if !ok || len(ts) > len(ms) {
		return a, false
	}
	if a.Depth() == 0 && len(ts) == 0 {
		r, err := girih.MakeLayout(a)
		return r, err == nil
	}
	for i := range ms {
		sub := subPath(path, i)
		if i >= len(ts) {
			x.say(fmt.Sprintf("%s, %v, is beyond the tiler and stays.", modeName(sub), ms[i]))
			continue
		}
		if ms[i], ok = productModes(x, ms[i], ts[i], sub); !ok {
			return a, false
		}
	}
	r, err := girih.MakeLayout(ms...)
	return r, err == nil
}

// sayCopies adds the steps to A* o B, and returns it.
func sayCopies(x *Explanation, a, b girih.Layout, name string) (girih.Layout, bool) {
	if a.HasBasis() || b.HasBasis() {
		r, err := girih.LogicalProduct(a, b)
		if err != nil {
			return r, false
		}
		m, err := r.Mode(1)
		x.say(fmt.Sprintf("%s, %v, repeated over %v along its axes: the copies are at %v.", name, a, b, m))
		return m, err == nil
	}
	g, fits := gapsIn(a, "weak_complement")
	if g.bad != "" || !fits {
		if g.moves {
			x.say(fmt.Sprintf("%s = %v: the modes by their strides.", name, a), g.lines...)
		}
		return a, false
	}
	places, err := layoutOf(append(append([]leaf(nil), g.fill...), integerLeaf(1, g.block)))
	if err != nil {
		return a, false
	}
	if !g.moves {
		g.lines = nil
	}
	where := "one after the other, in steps of that"
	if len(g.fill) > 0 {
		where = "first into the gaps, " + leafText(g.fill) + ", then one block after the other"
	}
	x.say(fmt.Sprintf("%s = %v with its gaps covers blocks of %d; the copies go %s: A* = %v, its last mode without end.", name, a, g.block, where, places), g.lines...)
	d, err := girih.Derive("composition", places, b)
	if err != nil {
		x.say(fmt.Sprintf("The copies in the order of B = %v would be A* o B, which is no layout:", b))
		compositionSteps(x, d, err)
		return a, false
	}
	x.say(fmt.Sprintf("The copies in the order of B = %v: A* o B = %v.", b, d.Result), digitLines(d)...)
	return d.Result, true
}

// interleaved explains blocked_product and raked_product.
func interleaved(op *Operation, x *Explanation) {
	a, ok := op.layoutArg(0)
	b, ok2 := op.layoutArg(1)
	if !ok || !ok2 {
		return
	}
	x.Source = productSource
	x.Rule = productRule + " Then mode i of the block and mode i of the copies become one mode: (block, copies) for blocked_product, (copies, block), coalesced, for raked_product. The operand of fewer modes gets modes 1:0."
	r, ok := interleave(x, a, b, op.Name == "raked_product")
	if !ok || op.Err != nil {
		failedProduct(op, x, a, b)
		return
	}
	setFigure(x, "product", "the block, and where its copies go")
	x.derive(r)
	checkProduct(x, a, r)
}

// interleave adds the steps of a blocked or a raked product.
func interleave(x *Explanation, a, b girih.Layout, raked bool) (girih.Layout, bool) {
	unit, err := girih.New(girih.Int(1), girih.Int(0))
	if err != nil {
		return a, false
	}
	n := max(a.Rank(), b.Rank())
	single := n == 1 && (a.Depth() == 0 || b.Depth() == 0)
	for _, l := range []*girih.Layout{&a, &b} {
		if l.Rank() < n {
			short := *l
			if *l, err = l.AppendToRank(n, unit); err != nil {
				return a, false
			}
			x.say(fmt.Sprintf("%v has %s, the other operand %d: it becomes %v.", short, count(int64(short.Rank()), "mode"), n, *l))
		}
	}
	copies, ok := sayCopies(x, a, b, "A")
	if !ok {
		return a, false
	}
	blocks, repeats := a.Modes(), copies.Modes()
	if single {
		blocks, repeats = []girih.Layout{a}, []girih.Layout{copies}
	}
	if len(blocks) != n || len(repeats) != n {
		return a, false
	}
	rows := [][]string{{"mode", "block", "copies", "together"}}
	parts := make([]girih.Layout, n)
	for i := range parts {
		pair := []girih.Layout{blocks[i], repeats[i]}
		if raked {
			pair = []girih.Layout{repeats[i], blocks[i]}
		}
		if parts[i], err = girih.MakeLayout(pair...); err != nil {
			return a, false
		}
		text := parts[i].String()
		if raked {
			if parts[i], err = girih.Coalesce(parts[i]); err != nil {
				return a, false
			}
			if c := parts[i].String(); c != text {
				text += ", coalesced " + c
			}
		}
		rows = append(rows, []string{itoa(int64(i)), blocks[i].String(), repeats[i].String(), text})
	}
	r, err := girih.MakeLayout(parts...)
	if err != nil {
		return r, false
	}
	x.say(fmt.Sprintf("Mode by mode: %v.", r), columns(rows...)...)
	return r, true
}

// checkProduct counts the offsets of the product.
func checkProduct(x *Explanation, a, r girih.Layout) {
	if a.HasBasis() || r.Size() > 4*mostChecked {
		x.Check = fmt.Sprintf("the block has %d elements, the product %d", a.Size(), r.Size())
		return
	}
	own, err1 := girih.Image(a)
	all, err2 := girih.Image(r)
	if err1 != nil || err2 != nil {
		return
	}
	x.Check = fmt.Sprintf("%d elements, %d times the %d of the block, at %s, the block at %d of them", r.Size(), r.Size()/a.Size(), a.Size(), count(int64(len(all)), "offset"), len(own))
}

// failedProduct explains why a product has no result, and what has one.
func failedProduct(op *Operation, x *Explanation, a girih.Layout, t girih.Tiler) {
	if op.Err == nil {
		return
	}
	if b, ok := wholeTiler(t); ok && op.Err.Code == girih.CodeNotRepresentable {
		nearest(x, b, func(near girih.Layout) (string, string, bool) {
			r, err := tileAgain(op.Name, a, near)
			return fmt.Sprintf("%s(%v, %v)", op.Name, a, near), r.String(), err == nil
		})
	}
	if g, _ := gapsIn(a, "weak_complement"); op.Err.Code == girih.CodeNotComplementable && g.bad != "" {
		x.Failure.Condition, x.Failure.Pair = g.bad, g.pair
		if spread, ok := spreadStrides(a); ok && len(op.Args) > 1 {
			x.instead("a block with strides that chain", fmt.Sprintf("%s(%v, %s)", op.Name, spread, op.Args[1].Text), "")
		}
	}
}

func tileToShape(op *Operation, x *Explanation) {
	a, ok := op.layoutArg(0)
	target, ok2 := arg[girih.Tuple](op, 1)
	if !ok || !ok2 || op.Err != nil {
		return
	}
	x.Source = "CuTe, include/cute/layout.hpp, tile_to_shape"
	x.Rule = "The block is repeated as often as each mode of the shape needs, rounded up: blocked_product of the block with the compact layout of these numbers, which vary in the given order, mode 0 fastest if there is none."
	n := target.Rank()
	order := girih.Ints()
	if t, ok := arg[girih.Tuple](op, 2); ok {
		order = t
	}
	unit, err := girih.New(girih.Int(1), girih.Int(0))
	if err != nil {
		return
	}
	full, err := a.AppendToRank(n, unit)
	if err != nil {
		return
	}
	rows := [][]string{{"mode", "shape", "block", "blocks"}}
	want, err1 := girih.ProductEach(target)
	have, err2 := girih.ProductEach(full.Shape())
	if err1 != nil || err2 != nil {
		return
	}
	w, h := want.Leaves(), have.Leaves()
	if len(w) != n || len(h) != n {
		return
	}
	counts := make([]int64, n)
	for i := range counts {
		counts[i] = ceilDiv(w[i], h[i])
		rows = append(rows, []string{itoa(int64(i)), itoa(w[i]), itoa(h[i]), itoa(counts[i])})
	}
	x.say("How many blocks each mode takes:", columns(rows...)...)
	if order.Rank() != n {
		seq := make([]int64, n)
		for i := range seq {
			seq[i] = int64(i)
		}
		order = girih.Ints(seq...)
	}
	blocks, err := girih.MakeOrderedLayout(girih.Ints(counts...), order)
	if err != nil {
		return
	}
	x.say(fmt.Sprintf("The blocks in the order %v: %v.", order, blocks))
	r, ok := interleave(x, full, blocks, false)
	if ok {
		setFigure(x, "product", "the blocks in the shape")
		x.Check = fmt.Sprintf("the shape has %d elements, the result %d", productOf(w), r.Size())
	}
}
