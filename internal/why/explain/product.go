package explain

import (
	"fmt"
	"slices"

	"girih/cute"
)

// This file explains products. A product consists of the block A and its copies A* o B, where A* is the complement of
// A. The forms of the products differ only in how they arrange the modes of the result.

const (
	productRule   = "A x B = (A, A* o B), where A* enumerates the places for copies of A: first those in its gaps, then one block after the other without end. Mode 0 is A itself, mode 1 takes the copies in the order that B says."
	productSource = "CuTe, include/cute/layout.hpp, logical_product, blocked_product, raked_product"
)

// productForms describes how each product arranges its result.
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
	x.Rule = productRule + arrangement(op.Name, t, productForms[form])
	d, err := op.Until.Derive(op.Name, a, t)
	sayProduct(x, d, err)
	if err != nil || op.Err != nil {
		failedProduct(op, x, d, t)
		return
	}
	sayForms(x, d)
	setFigure(x, "product", "the block, and where its copies go")
	if r, ok := op.layoutResult(); ok {
		checkProduct(x, a, r)
	}
}

// sayProduct adds the steps of a product, mode by mode if the tiler is by mode.
func sayProduct(x *Explanation, d *cute.Derivation, err error) {
	switch b := d.B.(type) {
	case nil:
		x.sayf("%s, %v, is beyond the tiler and stays.", modeName(pathText(d.At)), d.A)
	case cute.Layout:
		if sayCopies(x, d, cute.Pair{Block: d.A, Copies: b}) {
			x.sayf("Block and copies together: %v.", wholeOf(d))
		}
	default:
		if b == cute.Keep {
			x.sayf("%s, %v, stays: _", modeName(pathText(d.At)), d.A)
			return
		}
		sayParts(x, d, err, sayProduct)
	}
}

// wholeOf returns the logical form of a product of whole layouts: the block with its copies if the derivation contains
// the copies, otherwise the result.
func wholeOf(d *cute.Derivation) cute.Layout {
	for _, p := range partsOf(d) {
		if l, err := cute.MakeLayout(d.A, p.Result); err == nil && p.OK {
			return l
		}
	}
	return d.Result
}

// sayCopies adds the steps that lead to the copies of a block, A* o B, and reports whether the copies exist. The pair
// contains the block and the tiler.
func sayCopies(x *Explanation, d *cute.Derivation, of cute.Pair) bool {
	name := modeName(pathText(d.At))
	var placed *cute.Derivation
	for _, p := range partsOf(d) {
		if p.Op == "composition" {
			placed = p
		}
	}
	if of.Block.HasBasis() || of.Copies.HasBasis() {
		if placed == nil || !placed.OK {
			return false
		}
		x.sayf("%s, %v, repeated over %v along its axes: the copies are at %v.", name, of.Block, of.Copies, placed.Result)
		return true
	}
	g := gapsOf(d)
	if !g.moves {
		g.lines = nil
	}
	if placed == nil {
		if g.moves {
			x.sayf("%s = %v: the modes by their strides.", name, of.Block).show(g.lines...)
		}
		return false
	}
	where := "one after the other, in steps of that"
	if len(g.fill) > 0 {
		where = "first into the gaps, " + leafText(g.fill) + ", then one block after the other"
	}
	x.sayf("%s = %v with its gaps covers blocks of %d; the copies go %s: A* = %v, its last mode without end.",
		name, of.Block, g.block, where, placed.A).show(g.lines...)
	if !placed.OK {
		x.sayf("The copies in the order of B = %v would be A* o B, which is no layout:", of.Copies)
		compositionSteps(x, placed, nil)
		return false
	}
	x.sayf("The copies in the order of B = %v: A* o B = %v.", of.Copies, placed.Result).show(digitLines(placed)...)
	return true
}

// explainInterleaved explains blocked_product and raked_product.
func explainInterleaved(op *Operation, x *Explanation) {
	a, ok := op.layoutArg(0)
	b, ok2 := op.layoutArg(1)
	if !ok || !ok2 {
		return
	}
	x.Source = productSource
	x.Rule = productRule + " Then mode i of the block and mode i of the copies become one mode: (block, copies) for blocked_product, (copies, block), coalesced, for raked_product. The operand of fewer modes gets modes 1:0."
	d, err := op.Until.Derive(op.Name, a, b)
	sayInterleaved(x, d, err)
	if err != nil || op.Err != nil {
		failedProduct(op, x, d, b)
		return
	}
	setFigure(x, "product", "the block, and where its copies go")
	if r, ok := op.layoutResult(); ok {
		checkProduct(x, a, r)
	}
}

// sayInterleaved adds the steps of a blocked or a raked product.
func sayInterleaved(x *Explanation, d *cute.Derivation, err error) {
	b, ok := d.B.(cute.Layout)
	if !ok {
		return
	}
	of := cute.Pair{Block: d.A, Copies: b}
	for _, e := range stepsOf[cute.Extend](d) {
		short := &of.Copies
		if of.Block.Rank() < e.To.Rank() {
			short = &of.Block
		}
		*short = e.To
		x.sayf("%v has %s, the other operand %d: it becomes %v.",
			e.From, Count(e.From.Rank(), "mode"), e.To.Rank(), e.To)
	}
	if !sayCopies(x, d, of) || err != nil {
		return
	}
	var coalesced []cute.Layout
	for _, p := range partsOf(d) {
		if p.Op == "coalesce" {
			for _, m := range partsOf(p) {
				coalesced = append(coalesced, m.Result)
			}
		}
	}
	rows := [][]string{{"mode", "block", "copies", "together"}}
	for i, p := range stepsOf[cute.Pair](d) {
		pair := []cute.Layout{p.Block, p.Copies}
		if coalesced != nil {
			pair = []cute.Layout{p.Copies, p.Block}
		}
		both, failed := cute.MakeLayout(pair...)
		if failed != nil {
			return
		}
		text := both.String()
		if i < len(coalesced) {
			if c := coalesced[i].String(); c != text {
				text += ", coalesced " + c
			}
		}
		rows = append(rows, []string{itoa(int64(i)), p.Block.String(), p.Copies.String(), text})
	}
	x.sayf("Mode by mode: %v.", d.Result).show(columns(rows...)...)
}

// checkProduct counts the offsets of the product.
func checkProduct(x *Explanation, a, r cute.Layout) {
	if a.HasBasis() || r.Size() > 4*mostChecked {
		x.Check = fmt.Sprintf("the block has %d elements, the product %d", a.Size(), r.Size())
		return
	}
	own, err1 := cute.Image(a)
	all, err2 := cute.Image(r)
	if err1 != nil || err2 != nil {
		return
	}
	x.Check = fmt.Sprintf("%d elements, %d times the %d of the block, at %s, the block at %d of them",
		r.Size(), r.Size()/a.Size(), a.Size(), Count(len(all), "offset"), len(own))
	missing := func(o int64) bool { _, ok := slices.BinarySearch(all, o); return !ok }
	if i := slices.IndexFunc(own, missing); i >= 0 {
		x.refute("that the block is in the product", "offset %d", own[i])
	}
}

// failedProduct explains why a product has no result, and offers products that have one.
func failedProduct(op *Operation, x *Explanation, d *cute.Derivation, t cute.Tiler) {
	a := d.A
	if op.Err == nil {
		return
	}
	if b, ok := wholeTiler(t); ok && op.Err.Code == cute.CodeNotRepresentable {
		nearest(x, b, func(near cute.Layout) (string, string, bool) {
			r, err := tileAgain(op.Name, a, near)
			return fmt.Sprintf("%s(%v, %v)", op.Name, a, near), r.String(), err == nil
		})
	}
	for parts := partsOf(d); len(parts) > 0 && !d.OK; parts = partsOf(d) {
		d = parts[len(parts)-1] // the part that failed
	}
	if g := gapsOf(d); op.Err.Code == cute.CodeNotComplementable && g.bad != "" {
		x.Failure.Condition, x.Failure.Pair = g.bad, g.pair
		if spread, ok := SpreadStrides(a); ok && len(op.Args) > 1 {
			x.instead("a block with strides that chain", fmt.Sprintf("%s(%v, %s)", op.Name, spread, op.Args[1].Text), "")
		}
	}
}

func tileToShape(op *Operation, x *Explanation) {
	a, ok := op.layoutArg(0)
	target, ok2 := arg[cute.Tuple](op, 1)
	if !ok || !ok2 || op.Err != nil {
		return
	}
	x.Source = "CuTe, include/cute/layout.hpp, tile_to_shape"
	x.Rule = "The block is repeated as often as each mode of the shape needs, rounded up: blocked_product of the block with the compact layout of these numbers, which vary in the given order, mode 0 fastest if there is none."
	operands := []cute.Tiler{a, target}
	order, given := arg[cute.Tuple](op, 2)
	if given {
		operands = append(operands, order)
	}
	d, err := op.Until.Derive(op.Name, operands...)
	products := partsOf(d)
	if len(products) == 0 {
		return
	}
	rows := [][]string{{"mode", "shape", "block", "blocks"}}
	size, seq := int64(1), []int64(nil)
	for i, f := range stepsOf[cute.Fill](d) {
		rows = append(rows, []string{itoa(int64(i)), itoa(f.Target), itoa(f.Block), itoa(f.Copies)})
		size, seq = size*f.Target, append(seq, f.Order)
	}
	x.say("How many blocks each mode takes:", columns(rows...)...)
	if !given || order.Rank() != len(seq) {
		order = cute.Ints(seq...)
	}
	x.sayf("The blocks in the order %v: %v.", order, products[0].B)
	sayInterleaved(x, products[0], err)
	if err == nil {
		setFigure(x, "product", "the blocks in the shape")
		x.Check = fmt.Sprintf("the shape has %d elements, the result %d", size, d.Result.Size())
	}
}
